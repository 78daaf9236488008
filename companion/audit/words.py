"""What the audit found, in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.audit.judging import (
    FAIR,
    FEW,
    HARDLY,
    LOADED,
    LOOKS,
    TABLES,
    TOGETHER,
    UNREAD,
    DieAudit,
    Group,
)
from companion.audit.rolls import Choice
from companion.rules.dice import die_words

FAVOURED: Mapping[float, str] = {
    1.25: "by a quarter",
    1.5: "by half again",
    2.0: "twice as often as it should come",
    3.0: "three times as often as it should come",
}
SURELY = 0.95
"""A chance beyond this is called near certainty."""
MOST_SAID = 1_000_000
"""Greater odds than one to this are not told in numbers."""
LEAST_P = 0.0001
"""Smaller p-values of textbooks' tests are not told in numbers."""
MOST_NAMED = 3
"""So many evenings or tables that differ are named where the die itself is not fair."""
UNFOLLOWED: Mapping[str, str] = {
    UNREAD: "some dice could not be read",
    TABLES: "they were rolled at several tables, perhaps not the same die at each",
    LOOKS: "these are dice of several looks, and each has a card of its own",
    TOGETHER: "dice that look alike were rolled together",
}
"""Why nobody can say whether the last face of a die predicts the next."""


def verdict(found: DieAudit) -> str:
    """Say what is to be thought of a die, in a sentence or two."""
    if found.verdict == LOADED:
        rare = _how_rare(found.p_value)
        if found.unread:
            rare = (
                f"{_unread(found)}: even if they showed what speaks best for it, {_lowered(rare)}"
            )
        return f"Not fair: {_culprit(found)}. {rare}"
    if found.verdict == FAIR:
        return (
            f"Fair as far as {rolls_words(found.rolls)} can tell; a face favoured {FAVOURED[1.5]} "
            f"would {_shown(found.power)}.{_left_open(found)}"
        )
    if found.rolls >= FEW and found.fair.misread_limit == 1:
        return (
            f"No number of rolls can tell, nor can {found.rolls}: of some face no reading of the "
            f"camera was checked, or hardly any.{_left_open(found)}"
        )
    return f"Too few rolls to tell: {found.rolls}.{_left_open(found)}"


def _shown(power: Mapping[float, float]) -> str:
    """Say what has become of a face favoured by half again; where that is nothing, of another."""
    if power[1.5] >= HARDLY:
        return f"have shown with {chance(power[1.5])}"
    ratio = 2.0 if power[2.0] >= HARDLY else 3.0
    return f"hardly have shown yet, one that comes {FAVOURED[ratio]} with {chance(power[ratio])}"


def _unread(found: DieAudit) -> str:
    rolled = found.rolls + found.unread
    return f"{found.unread} of {rolled} dice could not be read"


def _left_open(found: DieAudit) -> str:
    """Say that some dice may have shown anything; empty if all were read."""
    return f" {_unread(found)}: they may have shown anything." if found.unread else ""


def _lowered(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]


def _culprit(found: DieAudit) -> str:
    """Name the face that was farthest from what it should be when it looked worst."""
    counts = found.counts_then
    rolls = sum(counts)
    expected = [share * rolls for share in found.fair.kindest(counts)]
    surprise = [(c - e) ** 2 / e for c, e in zip(counts, expected, strict=True)]
    worst = surprise.index(max(surprise))
    came, wanted = counts[worst], expected[worst]
    only = "only " if 0 < came < wanted else ""
    among = f"the first {rolls} rolls" if rolls < found.rolls else rolls_words(rolls)
    return f"{found.names[worst]} came {only}{_times(came)} in {among}, {_expected(wanted)}"


def _expected(count: float) -> str:
    """Say how often something was to be expected.

    >>> _expected(0.3), _expected(1.2), _expected(41.7)
    ('less than 1 was to be expected', 'about 1 was to be expected', 'about 42 were to be expected')
    >>> _expected(1.6)
    'about 2 were to be expected'
    """
    told = f"about {count:.0f}" if count >= 1 else "less than 1"
    return f"{told} {'was' if round(count) <= 1 else 'were'} to be expected"


def _how_rare(p_value: float, die: str = "A fair die") -> str:
    return f"{die} looks as bad as this, at any time, in at most {_odds(p_value)} cases."


def _odds(p_value: float) -> str:
    """Say a small probability as one in so many; nobody needs more than two digits of them."""
    # Not 1 / p_value first: that of the smallest numbers there are is infinite.
    odds = int(1 / p_value) if p_value * MOST_SAID > 1 else MOST_SAID
    step: int = 10 ** max(0, len(str(odds)) - 2)
    return f"1 of {_thousands(odds // step * step)}"


def power_words(found: DieAudit) -> str:
    """Say which loaded dice would have been found by now."""
    parts = [f"{FAVOURED[ratio]}: {chance(found.power[ratio])}" for ratio in sorted(found.power)]
    return f"What would have been found by now, if one face were favoured {'; '.join(parts)}."


def chance(p: float) -> str:
    """Say a probability the way people do.

    >>> chance(0.42), chance(0.01), chance(0.999)
    ('4 in 10 chance', 'hardly any chance', 'near certainty')
    """
    if p < HARDLY:
        return "hardly any chance"
    return "near certainty" if p > SURELY else f"{max(1, min(9, round(10 * p)))} in 10 chance"


def fixed_words(found: DieAudit) -> str:
    """Say what a textbook's test says, and what it is good for."""
    test = found.fixed
    how = {
        "exact multinomial": "exact multinomial test",
        "chi-squared": f"chi-squared, rarest face expected {test.least_expected:.0f} times",
        "simulated chi-squared": "chi-squared, simulated: the rarest face is expected only "
        f"{test.least_expected:.1f} times",
    }[test.method]
    return (
        "Had the number of rolls been fixed beforehand and looked at once: "
        f"{_p_words(test.p_value)} ({how}). It decides nothing here."
    )


def memory_words(found: DieAudit) -> str:
    """Say whether the last face predicts the next."""
    memory = found.memory
    if memory is None:
        why = UNFOLLOWED[found.unfollowed]
        return f"Whether the last face predicts the next cannot be told: {why}."
    if memory.rolls < FEW and not memory.is_found:
        return "Whether the last face predicts the next: too few rolls to tell."
    again = f"came again {_times(memory.repeats)}" if memory.repeats else "never came again"
    seen = f"the same face {again}, {_expected(memory.expected)}"
    if memory.is_found:
        rare = _how_rare(memory.p_value, "A die without a memory, fair or not,")
        return f"The last face predicts the next: {seen}. {rare}"
    return f"The last face does not predict the next, as far as one can tell: {seen}."


def counts_words(names: Sequence[str], counts: Sequence[int]) -> str:
    """Say how often each face came.

    >>> counts_words(("null", "ace", "2"), (4, 0, 11))
    'null: 4, ace: 0, 2: 11'
    """
    return ", ".join(f"{name}: {count}" for name, count in zip(names, counts, strict=True))


def group_words(group: Group, others: str) -> str:
    """Say whether a captain, an evening or a table stands out; `others` names what from."""
    if group.stands_out:
        return f"differs from {others}; {_by_chance(group)}"
    return "nothing unusual" if group.dice >= FEW else "too few rolls to tell"


def _by_chance(group: Group) -> str:
    return f"by chance in at most {_odds(group.p_value)} cases"


def standing_out(found: DieAudit) -> list[str]:
    """Say which captains, evenings and tables stand out.

    That a loaded die is so on its evenings, and at its tables, is nothing new (`loaded_where`).
    """
    groups = () if found.verdict == LOADED else (*found.evenings, *found.tables)
    odd = [group for group in groups if group.stands_out]
    return [
        *_captains_apart(found.captains),
        *(f"{group.name} {group_words(group, 'a fair die')}." for group in odd),
    ]


def _captains_apart(captains: Sequence[Group]) -> list[str]:
    """Say which captains roll otherwise, the surest first.

    Two are compared once, with one another. Of more each is compared with all others, so who rolls
    otherwise may make somebody else stand out, too.
    """
    odd = sorted((one for one in captains if one.stands_out), key=lambda one: one.p_value)
    if odd and len(captains) == 2:
        names = " and ".join(one.name for one in captains)
        return [f"{names} differ from one another; {_by_chance(odd[0])}."]
    told = []
    for one in odd:
        others = "the others"
        if one.p_value > odd[0].p_value:
            others += f", perhaps only because of {odd[0].name}"
        told.append(f"{one.name} {group_words(one, others)}.")
    return told


def loaded_where(found: DieAudit) -> str:
    """Say at how many evenings and tables a loaded die shows it by these alone; or nothing."""
    if found.verdict != LOADED:
        return ""
    told = filter(None, (_differing(found.evenings, "evening"), _differing(found.tables, "table")))
    words = "; ".join(told)
    return f"Each judged by itself: {words}." if words else ""


def _differing(groups: Sequence[Group], what: str) -> str:
    names = [group.name for group in groups if group.stands_out]
    if not names:
        return ""
    which = (
        f" ({', '.join(names)})" if len(names) < len(groups) and len(names) <= MOST_NAMED else ""
    )
    verb = "differs" if len(names) == 1 else "differ"
    return f"{len(names)} of {len(groups)} {what}s{which} {verb} from a fair die"


def chosen_words(choice: Choice) -> str:
    """Say which rolls were asked about.

    >>> chosen_words(Choice(die="red cannon", table="cabin")), chosen_words(Choice())
    ('red cannonball die, cabin', 'All rolls')
    """
    chosen = (die_words(choice.die), choice.captain, choice.evening, choice.game, choice.table)
    return ", ".join(filter(None, chosen)) or "All rolls"


def none_words(rolls: int, asked: str) -> str:
    """Say that there are rolls, but none of what was asked for.

    >>> none_words(40, "Anne"), none_words(1, "Anne")
    ('None of the 40 rolls is of Anne.', 'The only roll is not of Anne.')
    """
    none = "The only roll is not" if rolls == 1 else f"None of the {rolls} rolls is"
    return f"{none} of {asked}."


def reading_words(found: DieAudit) -> str:
    """Say how the errors of the camera were reckoned with; empty if nothing was read by it."""
    reader = found.fair.misreads
    if reader is not None:
        most = 100 * found.fair.misread_limit
        return (
            f"The camera's errors are allowed for: {reader.wrong} of {reader.checks} checked "
            f"readings were wrong, so up to {most:.1f} % of all dice may be misread."
        )
    if found.unchecked:
        verb = "was" if found.unchecked == 1 else "were"
        return (
            f"{rolls_words(found.unchecked)} {verb} told by the camera alone, whose errors have "
            "not been measured here (quarterdeck dice --check does that); its word is taken."
        )
    return ""


def rolls_words(count: int) -> str:
    """Say how many rolls."""
    return "1 roll" if count == 1 else f"{count} rolls"


def _times(count: int) -> str:
    return {0: "not once", 1: "once"}.get(count, f"{count} times")


def _p_words(p: float) -> str:
    """Write a p-value; nobody needs the digits of a tiny one."""
    return f"p = {p:.2g}" if p >= LEAST_P else f"p < {LEAST_P}"


def _thousands(count: int) -> str:
    """Write a number with narrow spaces between thousands, which no line is broken at."""
    return f"{count:,}".replace(",", "\u202f")
