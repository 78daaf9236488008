"""Where phones find the table, and how to show it in a terminal."""

from __future__ import annotations

import fcntl
import io
import socket
import struct

import segno

ANYWHERE = ("192.0.2.1", 9)
"""An address reserved for documentation: choosing a route to it sends nothing."""
OWN = "127.0.0.1"

_SIOCGIFADDR = 0x8915
"""Linux: ask a network interface for its address."""
_NAME_BYTES = 256


def table_address(port: int, host: str = "0.0.0.0") -> str:
    """Return the address phones on the same network should open.

    A machine that is on no network has only its own.
    """
    if host in ("0.0.0.0", "::"):
        host = _routed() or next(iter(_interfaces()), OWN)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _routed() -> str | None:
    """Return the address from which this machine reaches others, if it knows a way."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ANYWHERE)
            return str(probe.getsockname()[0])
        except OSError:
            return None


def _interfaces() -> list[str]:
    """Return the addresses of this machine in its networks: a hotspot's has no way out."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _, name in socket.if_nameindex():
            request = struct.pack(f"{_NAME_BYTES}s", name.encode())
            try:
                answer = fcntl.ioctl(asked.fileno(), _SIOCGIFADDR, request)
            except OSError:
                continue  # it has none
            found.append(socket.inet_ntoa(answer[20:24]))
    return [address for address in found if address != OWN]


def terminal_qr(address: str) -> str:
    """Return a QR code of an address as lines of block characters."""
    out = io.StringIO()
    segno.make(address, error="l").terminal(out, compact=True, border=2)
    return out.getvalue()
