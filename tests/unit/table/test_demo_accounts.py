"""Virtual captains hold what was said and measured against what they did."""

from __future__ import annotations

from companion.demo.accounts import as_measured, but_for_measures, says, tells
from companion.rules.layout import Placed, Pose, make_layout
from companion.table.sentences import done_text
from tests.table.seafight import RULES, in_line
from tests.unit.rules.pirate_wars.moves import ahead


def sailed() -> tuple[object, object, Pose]:
    """Return a state, the Schooner's whole move from it, and where it ends."""
    state = in_line().state
    end = ahead(state.ships[0].pose, 64)
    return state, next(a for a in RULES.measured(state, {1: end}) if a.path == (end,)), end


def test_places_and_angles_differ_but_nothing_else() -> None:
    exact = "Ann: sail her to 21.4, -8 mm heading 271.3 (she rams it at 44 degrees: 1 HF for her)"
    assert but_for_measures(exact) == "Ann: sail her  (she rams it at : 1 HF for her)"
    said = "Ann: sail her 12 mm west, bow north (she rams it at 40 degrees: 1 HF for her)"
    assert but_for_measures(said) == but_for_measures(exact)


def test_a_line_that_names_another_place_says_the_same() -> None:
    state, action, _ = sailed()
    words = done_text(RULES, state, action)
    assert words.endswith("sail the Skull's Eye Schooner 512 mm east")
    assert says(RULES, words.replace("512", "511"), state, action)
    assert not says(RULES, words.replace("Schooner", "Runner"), state, action)
    after = RULES.apply(state, action).state
    assert tells(RULES, words.replace("512", "511"), state, [action], after)
    assert not tells(RULES, f"{words} (she runs aground)", state, [action], after)


def test_captains_take_the_measured_place_for_the_place() -> None:
    state, action, end = sailed()
    truth = RULES.apply(state, action).state
    read = Pose(end.x_mm + 1.5, end.y_mm - 1.0, 0.4)
    seen = make_layout({}, pieces={1: Placed(read, "ship", "")})
    assert as_measured(RULES, state, [action], truth, seen).ships[0].pose == read
    far = make_layout({}, pieces={1: Placed(Pose(end.x_mm - 128, end.y_mm, 0.0), "ship", "")})
    assert as_measured(RULES, state, [action], truth, far) == truth, "another move"
