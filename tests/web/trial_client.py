"""A phone without a screen on the page of a trial."""

from __future__ import annotations

from flask import Flask


class TrialClient:
    """Asks and tells as the page's script does."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()

    def page(self) -> str:
        return self.client.get("/trial").text

    def say(self, what: str, **words: object) -> int:
        """Tell something of the newest moment, unless another is named; return the status."""
        told = {"moment": self.moment, **words}
        return self.client.post(f"/api/trial/{what}", json=told).status_code

    @property
    def moment(self) -> str:
        told = self.client.get("/api/trial/moment").json
        assert told is not None
        return str(told["moment"])
