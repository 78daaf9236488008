"""Masts and sails: which mast carries what, and how many a speed needs (PWR-101 to PWR-103)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.pirate_wars.built.ships import HULLS, Mast, ShipDesign
from companion.rules.pirate_wars.built.violations import Violation
from companion.rules.words import listed

CARRIES: dict[str, tuple[frozenset[str], ...]] = {
    "single": (frozenset({"gaff"}), frozenset({"lateen"})),
    "topped": (
        frozenset({"gaff"}),
        frozenset({"high-topsail"}),
        frozenset({"gaff", "high-topsail"}),
    ),
    "full": (
        frozenset({"main"}),
        frozenset({"main", "topsail"}),
        frozenset({"main", "high-topsail"}),
    ),
    "launch": (frozenset({"launch-gaff"}),),
}
"""Sails a mast may carry, the jib aside (PWR-102)."""
CARRIES_WORDS = {
    "single": "a gaff or a lateen sail",
    "topped": "a gaff sail, a high topsail or both",
    "full": "a main sail, alone or with a topsail or a high topsail",
    "launch": "the small gaff sail of a launch",
}
SAIL_NAMES = {"launch-gaff": "launch's gaff", "high-topsail": "high topsail"}


def rig(hull: int, sail_factor: int, *, gaff: bool = False) -> tuple[Mast, ...]:
    """Return masts for a number of sail factors as PWR-103 reckons them.

    A wide hull gets full masts, one with gaff mains (`gaff`) topped ones; a narrow hull gets topped
    masts, with a high topsail above the gaff sail where gaff sails alone are not asked for.

    >>> [mast.sails for mast in rig(12, 8)]
    [('main', 'topsail', 'jib'), ('main', 'topsail'), ('lateen',)]
    """
    if gaff:
        main = Mast("topped", ("gaff",))
    elif hull == min(HULLS):
        main = Mast("topped", ("high-topsail", "gaff"))
    else:
        main = Mast("full", ("main", "topsail"))
    mains, rest = divmod(max(0, sail_factor - 1), main.sail_factor)
    masts = [main] * mains
    if rest > 1:
        masts.append(_smaller(main))
        rest -= 2
    if rest:
        masts.append(Mast("single", ("lateen",)))
    if mains and len(masts) > mains:
        masts[-1] = Mast(masts[-1].kind, masts[-1].sails, is_mizzen=True)
    if masts:
        masts[0] = Mast(masts[0].kind, (*masts[0].sails, "jib"), masts[0].is_mizzen)
    return tuple(masts)


def _smaller(main: Mast) -> Mast:
    """Return a mast for two sail factors that may stand beside a main mast or on the rear deck."""
    return Mast("topped", ("gaff",) if "gaff" in main.sails else ("high-topsail",))


def rig_violations(ship: ShipDesign) -> Iterator[Violation]:
    """Say what is wrong with the masts of a ship and their sails."""
    mizzens = [n for n, mast in enumerate(ship.masts, 1) if mast.is_mizzen]
    if mizzens and mizzens != [len(ship.masts)]:
        last, wrong = len(ship.masts), listed(f"mast {n}" for n in mizzens)
        reason = f"One mast may stand on the rear deck, the last: mast {last}, not {wrong}."
        yield Violation("PWR-102", reason)
    for number, mast in enumerate(ship.masts, 1):
        yield from _mast(ship, number, mast)


def _mast(ship: ShipDesign, number: int, mast: Mast) -> Iterator[Violation]:
    name = f"Mast {number}"
    sails = frozenset(mast.sails) - {"jib"}
    if "jib" in mast.sails and number > 1:
        yield Violation("PWR-102", f"{name} has the jib; only the first mast carries one.")
    if not sails:
        reason = f"{name} carries no sail; a {mast.kind} mast carries {CARRIES_WORDS[mast.kind]}."
        yield Violation("PWR-103", reason)
    elif sails not in CARRIES[mast.kind]:
        shown = listed(SAIL_NAMES.get(sail, sail) for sail in mast.sails if sail != "jib")
        reason = (
            f"{name} is a {mast.kind} mast, which carries {CARRIES_WORDS[mast.kind]}, not {shown}."
        )
        yield Violation("PWR-102", reason)
    if ship.hull == min(HULLS) and mast.kind == "full":
        reason = f"{name} is a full mast; a hull 8 dots wide has single and topped masts."
        yield Violation("PWR-102", reason)
    if ship.hull != min(HULLS) and mast.kind == "single" and not mast.is_mizzen:
        reason = (
            f"{name} is a single mast; on a hull 12 dots wide such a mast stands on the rear deck"
            " only."
        )
        yield Violation("PWR-102", reason)
    if mast.is_mizzen and mast.kind == "full":
        yield Violation("PWR-102", f"{name} is a full mast; on the rear deck stands a smaller one.")
