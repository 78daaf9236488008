"""Commands run as they are typed; their errors are raised, which `main` tells in words."""

from __future__ import annotations

from companion.cli import build_parser


def run_command(*words: object) -> int:
    """Run ``quarterdeck`` with these words; return the exit status."""
    arguments = build_parser().parse_args([str(word) for word in words])
    status: int = arguments.run(arguments)
    return status
