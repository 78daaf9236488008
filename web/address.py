"""Where phones find the table, and how to show it in a terminal."""

from __future__ import annotations

import io
import socket

import segno

ANYWHERE = ("192.0.2.1", 9)
"""An address reserved for documentation: choosing a route to it sends nothing."""


def table_address(port: int, host: str = "0.0.0.0") -> str:
    """Return the address phones on the same network should open.

    A machine that is on no network has only its own.
    """
    if host not in ("0.0.0.0", "::"):
        return f"http://{host}:{port}/"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ANYWHERE)
            own = str(probe.getsockname()[0])
        except OSError:
            own = "127.0.0.1"
    return f"http://{own}:{port}/"


def terminal_qr(address: str) -> str:
    """Return a QR code of an address as lines of block characters."""
    out = io.StringIO()
    segno.make(address, error="l").terminal(out, compact=True, border=2)
    return out.getvalue()
