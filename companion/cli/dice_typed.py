"""What is typed for ``quarterdeck dice``: rolls by hand, and what doubtful dice really show."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from companion.rules.dice import DieKind, die_words, parse_face, values_words

if TYPE_CHECKING:
    from companion.trial.kept import KeptTrial
    from companion.trial.throws import Thrown

ENOUGH = "As many as asked for: --rolls for more of them, --out to begin anew."


def roll_by_hand(trial: KeptTrial, dice: int) -> None:
    """Count what somebody types."""
    kind = trial.plan.kind
    die, shown = die_words(kind.id), values_words(kind)
    print(f"Type what the {die} shows ({shown}) and Enter; u: undo, q: done.")
    if trial.unread:
        _ask_for_unread(trial)
    # Who comes back to a trial that is complete wants to put something right.
    was_complete = trial.is_complete and not trial.unread
    while was_complete or not trial.is_complete or trial.unread:
        text = _typed("> ")
        if text is None or text == "q":
            return
        if text == "u":
            trial.take_back()
            was_complete &= trial.is_complete
        elif ":" in text:
            fill_in(trial, text)
        elif text and was_complete:
            print(ENOUGH)
        elif text:
            faces = parse_faces(text, kind, dice)
            if isinstance(faces, str):
                print(faces)
            else:
                trial.tell(faces)
                if sys.stdout.isatty():
                    print()  # what is typed next stands below the bar


def _ask_for_unread(trial: KeptTrial) -> None:
    """Say which rolls could not be read, and how to tell what they show."""
    numbers = dict.fromkeys(str(die.roll) for die in trial.unread)
    rolls = f"{'roll' if len(numbers) == 1 else 'the rolls'} {', '.join(numbers)}"
    print(f"Could not be read: {rolls}. Who sees in the pictures what the unread die")
    first, last_face = trial.unread[0].roll, trial.plan.kind.values[-1]
    print(f"shows tells it like this: {first}: {last_face}; or {first}: n, no roll")


def fill_in(trial: KeptTrial, text: str) -> None:
    """Take somebody's word for a roll that was counted otherwise, or not, e.g. ``"12: 5"``."""
    number, _, shown = (part.strip() for part in text.partition(":"))
    told = len(words_in(shown))
    dice = trial.told_of(int(number), told) if number.isdecimal() else []
    if not dice:
        print(f"there is no roll {number} that stands")
        return
    if shown == "n":
        trial.strike(dice[0].roll)
        return
    faces = parse_faces(shown, trial.plan.kind, len(dice))
    if isinstance(faces, str):
        print(faces)
    else:
        trial.fill_in(dice[0].roll, faces)


def parse_faces(text: str, kind: DieKind, dice: int) -> tuple[int, ...] | str:
    """Return the faces that somebody typed, or a sentence that says what is wrong with them."""
    faces: tuple[int, ...] = ()
    for word in words_in(text):
        face = parse_face(kind, word)
        if face is None:
            return f"a {die_words(kind.id)} shows {values_words(kind)}, not {word}"
        faces = (*faces, face)
    if len(faces) != dice:
        return f"{dice} {'die is' if dice == 1 else 'dice are'} rolled at once, not {len(faces)}"
    return faces


def words_in(text: str) -> list[str]:
    """Return the words of a list with commas or without."""
    return text.replace(",", " ").split()


def ask_about(thrown: Thrown, kind: DieKind) -> tuple[int, ...] | None:
    """Ask what dice show: nothing if they were not rolled, ``None`` if nobody knows it."""
    told = thrown.told(kind.id)
    doubt = f"\n{thrown.doubt}." if thrown.doubt else ""
    can_be_right = "?" not in told.split()
    how = "Enter if that is right, else what it shows ("
    if not can_be_right:
        how = "What the ? shows (Enter: nobody knows, "
    while True:
        answer = _typed(f"{doubt}\nI read {told}. {how}n: no roll): ")
        if answer is None or not (answer or can_be_right):
            return None
        if answer == "n":
            return ()
        faces = parse_faces(_filled(told, answer or told), kind, len(thrown.dice))
        if not isinstance(faces, str):
            return faces
        print(faces)


def _filled(told: str, answer: str) -> str:
    """Return what is told with what somebody adds in the places of its ``?``.

    >>> _filled("4 ? 6", "5"), _filled("4 ? 6", "4 5 5")
    ('4 5 6', '4 5 5')
    """
    words = words_in(answer)
    if len(words) != told.split().count("?"):
        return answer
    return " ".join(words.pop(0) if word == "?" else word for word in told.split())


def _typed(prompt: str) -> str | None:
    """Return what is typed, in small letters; ``None`` at the end of the input."""
    try:
        return input(prompt).strip().lower()
    except EOFError:
        return None
