"""An audit as HTML: cards that the page shows live, and the report that is kept as a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files

from companion.audit import words
from companion.audit.judging import FAIR, LOADED, DieAudit, Group
from companion.audit.plots import counts_plot, path_plot
from companion.audit.rolls import STANDS, DieRoll, said_by, together
from companion.rules.dice import die_words

HOW_TO_READ = (
    "Each verdict may be looked at after every roll: of fair dice one in twenty, at most, is ever "
    "called unfair, however long and often one looks. The evidence is a factor: at 20 the rolls "
    "speak twenty times as loudly for a loaded die as for a fair one.",
    "Fair means fair as far as one can tell. Each card says which loaded dice would have been "
    "found by now. Dice that could not be read count as whatever speaks best for the die.",
    "One in twenty holds for the verdict. Captains, evenings, tables and memory are looked at "
    "beside it, each by itself as strictly: captains are corrected for the number of captains, "
    "evenings for that of evenings, tables for that of tables, but not for one another. So some "
    "mark or other may stand on the card of a fair die somewhat more often than the verdict. "
    "Captains are compared only where all of them rolled one die, as far as look and table tell.",
    "Dice are not corrected for their number, since each is judged by itself: of twenty fair dice "
    "one may be called unfair. And whoever searches long enough by choosing rolls will find "
    "something odd somewhere.",
)


@cache
def style() -> str:
    """Return the style sheet of the cards."""
    return (files("companion.audit") / "report.css").read_text("utf-8")


def report(
    found: Sequence[DieAudit],
    title: str = "The dice",
    rolls: Sequence[DieRoll] = (),
    pictures: str = "",
) -> str:
    """Return a whole page.

    Parameters
    ----------
    found : sequence of DieAudit
        What was found out.
    title : str
        Heading of the page.
    rolls : sequence of DieRoll
        What it was found out from; the page says when they were made.
    pictures : str
        Folder beside the page with the pictures of every roll, which is then shown. Without it the
        page needs no other file.
    """
    notes = "".join(f"<p>{escape(text)}</p>" for text in HOW_TO_READ)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)} · Quarterdeck</title>\n<style>\n{style()}</style>\n</head>\n"
        f'<body class="audit-report">\n<main>\n<h1>{escape(title)}</h1>\n'
        f"{_about(rolls)}{cards(found)}\n{_every_roll(rolls, pictures) if pictures else ''}"
        f'<section class="notes"><h2>How to read this</h2>{notes}</section>\n'
        "</main>\n</body>\n</html>\n"
    )


def crop_name(roll: int, number: int) -> str:
    """Return the file with the picture of one die of a roll; `number` counts its dice from 1."""
    return f"{roll:05d}-{number}.jpg"


def sure_words(p: float) -> str:
    """Say how sure the camera was; it never is entirely.

    >>> sure_words(0.981), sure_words(0.99998)
    ('98.1 %', '99.9 %')
    """
    return f"{min(100 * p, 99.9):.1f} %"


def cards(found: Sequence[DieAudit]) -> str:
    """Return one card a die."""
    if not found:
        return '<p class="none">There are no rolls to judge.</p>'
    return '<div class="audit">' + "\n".join(map(_card, found)) + "</div>"


def _card(found: DieAudit) -> str:
    mark = {LOADED: ("loaded", "✗"), FAIR: ("fair", "✓")}.get(found.verdict, ("few", "…"))
    count = words.rolls_words(found.rolls)
    has_memory = found.memory is not None and found.memory.is_found
    odd = [words.memory_words(found)] * has_memory + words.standing_out(found)
    # Who accuses a die says what was taken for granted.
    is_doubtful = found.verdict == LOADED and found.unchecked > 0
    beside = [words.reading_words(found)] * is_doubtful + [words.loaded_where(found)]
    told = [words.power_words(found), "" if has_memory else words.memory_words(found)]
    told += ["" if is_doubtful else words.reading_words(found), words.fixed_words(found)]
    more = "".join(map(_plain, told))
    return (
        f'<article class="judged {mark[0]}"><header><h2>{escape(die_words(found.die))}</h2>'
        f'<span class="count">{count}</span></header>'
        f'<p class="verdict"><span class="mark" aria-hidden="true">{mark[1]}</span> '
        f"{escape(words.verdict(found))}</p>"
        f"{''.join(map(_odd, odd))}{''.join(map(_plain, beside))}"
        f"<figure>{counts_plot(found)}<figcaption>How often each face came. A fair die keeps all "
        "its bars within the pale bands 95 times in 100.</figcaption></figure>"
        f"<figure>{path_plot(found)}<figcaption>Evidence that the die is not fair, roll by roll."
        "</figcaption></figure>"
        f"<details><summary>What else can be said</summary>{more}"
        f"{_counts(found)}{_groups('Captains', found.captains, 'the others', found.names)}"
        f"{_groups('Evenings', found.evenings, 'a fair die', found.names)}"
        f"{_groups('Tables', found.tables, 'a fair die', found.names)}</details></article>"
    )


def _plain(text: str) -> str:
    return f"<p>{escape(text)}</p>" if text else ""


def _odd(text: str) -> str:
    """Show what else is wrong where nobody can overlook it."""
    return (
        f'<p class="verdict odd"><span class="mark" aria-hidden="true">✗</span> {escape(text)}</p>'
    )


def _about(rolls: Sequence[DieRoll]) -> str:
    """Say on which evenings the dice were rolled."""
    evenings = sorted({roll.evening for roll in rolls} - {""})
    if not evenings:
        return ""
    told = evenings[0] if len(evenings) == 1 else f"{evenings[0]} to {evenings[-1]}"
    return f'<p class="when">Rolled {told}</p>\n'


def _every_roll(rolls: Sequence[DieRoll], pictures: str) -> str:
    """Show every die with its picture, those that were taken back struck through."""
    tiles = "".join(
        _tile(die, number, pictures)
        for dice in together(rolls)
        for number, die in enumerate(dice, 1)
    )
    if not tiles:
        return ""
    return (
        "<details><summary>Every roll, with its picture</summary>"
        f'<ol class="every">{tiles}</ol></details>\n'
    )


def _tile(die: DieRoll, number: int, pictures: str) -> str:
    words = f"roll {die.roll}: {die.shows}"
    shown = escape(f"{die.roll}: ") + f"<b>{escape(die.shows)}</b>"
    if die.misread:
        shown += f" {escape(die.misread)}"
    if die.seems:
        shown += f", seemed {escape(die.seems)}"
    if die.p is not None:
        shown += f' <span class="sure">{sure_words(die.p)}</span>'
    if said := said_by([die]):
        shown += f", {escape(said)}"
    image = ""
    if die.picture:
        seen = (
            f'<img loading="lazy" width="72" height="72" '
            f'src="{pictures}/{crop_name(die.roll, number)}" alt="Picture of {escape(words)}">'
            if die.box
            else '<span class="unseen">the throw</span>'
        )
        image = f'<a href="{pictures}/{escape(die.picture)}">{seen}</a>'
    kind = "" if die.status == STANDS else ' class="struck"'
    return f"<li{kind}>{image}<span>{shown}</span></li>"


def _counts(found: DieAudit) -> str:
    """List how often each face came, and how often one of a fair die may."""
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{count}</td>'
        f"<td>{least} to {most}{': outside' * out}</td></tr>"
        for name, count, (least, most), out in zip(
            found.names, found.counts, found.band, found.is_out, strict=True
        )
    )
    return _table("Faces", ("Face", "Came", "A fair die"), rows)


def _groups(title: str, groups: Iterable[Group], others: str, names: Sequence[str]) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(group.name)}</th><td>{group.dice}</td>'
        f"<td>{escape(words.group_words(group, others))}</td></tr>"
        f'<tr class="came"><td colspan="3">{_unbroken(words.counts_words(names, group.counts))}'
        "</td></tr>"
        for group in groups
    )
    return _table(title, (title[:-1], "Dice", "Verdict, and how often each face came"), rows)


def _unbroken(counts: str) -> str:
    """Keep each face and its count on one line."""
    return escape(counts).replace(": ", ":\u00a0")


def _table(title: str, columns: Iterable[str], rows: str) -> str:
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{column}</th>' for column in columns)
    return (
        f"<table><caption>{title}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )
