"""Where phones find the table."""

from __future__ import annotations

import pytest

from companion.cli.play import tell_new_address
from web import address
from web.address import table_address


def test_a_named_host_is_its_address() -> None:
    assert table_address(8080, "quarterdeck.local") == "http://quarterdeck.local:8080/"
    assert table_address(80, "::1") == "http://[::1]:80/"


def test_a_hotspot_without_a_way_out_has_the_address_of_its_own_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(address, "_routed", lambda: None)
    monkeypatch.setattr(address, "_interfaces", lambda: ["10.42.0.1", "192.168.7.9"])
    assert table_address(8080) == "http://10.42.0.1:8080/"
    monkeypatch.setattr(address, "_interfaces", list)
    assert table_address(8080) == "http://127.0.0.1:8080/"


def test_interfaces_are_those_that_others_can_reach() -> None:
    own = address._routed()
    assert address.OWN not in address._interfaces()
    assert own is None or own in (address.OWN, *address._interfaces())


def test_a_table_that_was_open_before_the_network_tells_its_address_once_it_has_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A Pi's journal named 127.0.0.1 alone: its Wi-Fi comes after the table."""
    own, wifi = "http://127.0.0.1:8080/", "http://10.42.0.1:8080/"
    found = [own, wifi, wifi, own]
    monkeypatch.setattr("web.address.table_address", lambda port, host: found.pop(0))
    address = own
    for _ in range(4):
        address = tell_new_address(address, "0.0.0.0")
    assert address == wifi
    assert capsys.readouterr().out == f"Phones now find it at {wifi}\n\n"
