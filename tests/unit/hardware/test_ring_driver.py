"""The driver lights what the snapshot says, dims for pictures and never disturbs the game."""

from __future__ import annotations

import dataclasses
import threading
from concurrent.futures import ThreadPoolExecutor

import gpiozero
import pytest

from companion.errors import HardwareError
from companion.rules.layout import Layout
from companion.table.ring import BRIGHTEST, DARK, NORTH, RingSign, ring_colours, ring_sign
from companion.table.snapshot import Choice, Notice, Question, Seat, Snapshot
from hardware.ring import MockRing
from hardware.ring_driver import DIM, NORTH_S, RingDriver


def seat(number, colour, *, asked=False, doubloons=2):
    scores = {"doubloons": doubloons}
    return Seat(number, f"Captain {number}", (colour,), scores, 2, True, asked, 180.0 * number)


def table(**changes):
    seats = (seat(0, "red", asked=True), seat(1, "blue"))
    base = Snapshot(
        version=7,
        game="articles-of-war",
        title="",
        profile="hex-ocean",
        phase="spend",
        round=1,
        pending="",
        awaits_roll=(),
        over=False,
        result="",
        seats=seats,
        layout=Layout(),
        log=(),
        question=None,
        notice=None,
    )
    return dataclasses.replace(base, **changes)


QUESTION = Question(1, "Which?", "", (1,), (Choice("a", "A"),), None)
REFUSAL = Notice("refusal", "A sail must be used in full.", "AOW-33")


class Clock:
    now_s = 100.0

    def __call__(self):
        return self.now_s


def test_the_turn_is_the_captains_colour_on_their_side():
    assert ring_sign(table()) == RingSign("steady", (255, 20, 10), 0.0)
    colours = ring_colours(ring_sign(table()), 12, 0.0)
    assert colours[0][0] > 5 * colours[6][0] > 0
    assert colours[1] == colours[11]


def test_the_light_fades_to_both_sides_of_the_captain():
    reds = [red for red, _, _ in ring_colours(RingSign("steady", (255, 255, 255), 0.0), 24, 0.0)]
    fading, far = reds[:6], reds[6:13]
    assert fading == sorted(set(fading), reverse=True)
    assert set(far) == {fading[-1]}
    assert reds[1:] == reds[:0:-1]


def test_a_question_pulses_amber_at_the_one_asked():
    sign = ring_sign(table(question=QUESTION, notice=REFUSAL))
    assert (sign.pattern, sign.side_deg) == ("pulse", 180.0)
    levels = [ring_colours(sign, 12, t / 10)[6][0] for t in range(30)]
    assert max(levels) > 3 * min(levels) > 0


def test_a_refusal_blinks_once_then_shows_the_turn_again():
    sign = ring_sign(table(notice=REFUSAL))
    assert len(set(ring_colours(sign, 12, 0.1))) == 1
    assert ring_colours(sign, 12, 5.0) == ring_colours(ring_sign(table()), 12, 5.0)


def test_the_winner_lights_all_round_and_a_shared_victory_is_gold():
    won = table(over=True, winners=(1,))
    assert ring_sign(won) == RingSign("steady", (20, 60, 255), None)
    shared = ring_sign(table(over=True, winners=(0, 1)))
    assert shared.colour not in {(255, 20, 10), (20, 60, 255)}
    assert ring_sign(table(over=True)) == DARK  # nobody won


def test_nobody_asked_is_dark():
    assert ring_sign(table(seats=(seat(0, "red"),))) == DARK
    assert ring_colours(DARK, 3, 1.0) == ((0, 0, 0),) * 3


@pytest.mark.parametrize("pattern", ["steady", "pulse", "blink", "off"])
def test_no_lamp_ever_dazzles(pattern):
    sign = RingSign(pattern, (255, 255, 255), 90.0)
    for tenth in range(40):
        for colour in ring_colours(sign, 16, tenth / 10):
            assert max(colour) <= round(255 * BRIGHTEST)


def test_the_driver_lights_the_newest_snapshot():
    ring, clock = MockRing(12), Clock()
    driver = RingDriver(ring, clock)
    driver.show(table())
    driver.show(table(question=QUESTION))
    clock.now_s += 1.5
    driver.tick()
    assert ring.frames == [ring_colours(ring_sign(table(question=QUESTION)), 12, 1.5)]
    driver.close()


def test_the_same_sign_again_does_not_begin_anew():
    ring, clock = MockRing(4), Clock()
    driver = RingDriver(ring, clock)
    driver.show(table(notice=REFUSAL))
    clock.now_s += 5.0
    driver.show(table(notice=REFUSAL, version=8))
    driver.tick()
    assert ring.frames[-1] == ring_colours(ring_sign(table()), 4, 0.0)
    driver.close()


def test_the_ring_points_north_for_a_while_and_then_shows_the_table_again():
    ring, clock = MockRing(12), Clock()
    driver = RingDriver(ring, clock)
    driver.show(table())
    driver.tick()
    driver.point_north()
    driver.tick()
    clock.now_s += NORTH_S + 0.01
    driver.tick()
    turn, north, again = ring.frames
    assert turn == again
    assert north == ring_colours(NORTH, 12, 0.0)
    assert max(north[0]) > 5 * max(north[6]) > 0
    driver.close()


def test_the_ring_is_dim_before_the_picture_is_taken_and_bright_after():
    ring = MockRing(12)
    driver = RingDriver(ring, Clock())
    driver.show(table())
    driver.tick()
    with driver.dark_enough():
        dim = ring.frames[-1]
        driver.tick()
        assert ring.frames[-1] == dim
    driver.tick()
    assert ring.frames[-1] == ring.frames[0]
    assert max(map(max, dim)) <= DIM * max(map(max, ring.frames[0])) + 1
    driver.close()


def test_who_has_news_does_not_wait_for_lamps_that_take_long():
    """A terminal that stands still, its connection gone, held up every phone at the table."""

    class Slow(MockRing):
        def show(self, colours):
            is_lighting.set()
            assert is_told.wait(10)
            super().show(colours)

    ring, is_lighting, is_told = Slow(4), threading.Event(), threading.Event()
    driver = RingDriver(ring, Clock())
    with ThreadPoolExecutor() as pool:
        lit = pool.submit(driver.tick)
        assert is_lighting.wait(10)
        driver.show(table())
        driver.point_north()
        is_told.set()
        lit.result(10)
    driver.tick()
    assert ring.frames[-1] == ring_colours(NORTH, 4, 0.0)
    driver.close()


def test_a_ring_that_hangs_does_not_keep_the_table_open(monkeypatch, caplog):
    monkeypatch.setattr("hardware.ring_driver._JOIN_S", 0.0)

    class Hanging(MockRing):
        def show(self, colours):
            is_lighting.set()
            assert is_closed.wait(10)

    is_lighting, is_closed = threading.Event(), threading.Event()
    driver = RingDriver(Hanging(4), Clock())
    with ThreadPoolExecutor() as pool:
        lit = pool.submit(driver.tick)
        assert is_lighting.wait(10)
        driver.close()
        is_closed.set()
        lit.result(10)
    assert "it hangs" in caplog.text


class BackendError(Exception):
    """Stands in for `lgpio.error`, which is of no kind that gpiozero knows."""


@pytest.mark.parametrize(
    "error",
    [
        OSError("bus is gone"),
        HardwareError("bus is gone"),
        gpiozero.GPIOZeroError("bus is gone"),
        UnicodeEncodeError("latin-1", "●", 0, 1, "bus is gone"),
        BackendError("bus is gone"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_failing_ring_is_left_alone_and_told_and_pictures_are_taken(error):
    """What is no `HardwareError` came through to the camera's thread."""

    class Broken(MockRing):
        tried = 0

        def show(self, colours):
            self.tried += 1
            raise error

    ring, taken, told = Broken(), 0, list[str]()

    def tell(text):
        told.append(text)
        driver.show(table())  # as the table does, whose health this is

    driver = RingDriver(ring, Clock(), tell)
    for _ in range(2):
        with driver.dark_enough():
            taken += 1
    assert (ring.tried, taken) == (1, 2)
    assert told == [driver.failure]
    assert "bus is gone" in driver.failure
    driver.close()


def test_a_ring_that_has_failed_points_nowhere_and_says_why():
    driver = RingDriver(MockRing(4), Clock())
    driver.failure = "It stopped working (a wire); the game goes on without it."
    with pytest.raises(HardwareError, match="a wire"):
        driver.point_north()
    driver.close()


def test_a_picture_after_the_ring_was_closed_is_no_failure():
    driver = RingDriver(MockRing(), Clock())
    driver.close()
    with driver.dark_enough():
        pass
    assert driver.failure == ""


def test_the_thread_lights_by_itself_and_ends_with_the_driver():
    lit = threading.Event()

    class Watched(MockRing):
        def show(self, colours):
            super().show(colours)
            lit.set()

    ring = Watched()
    driver = RingDriver(ring)
    driver.start()
    driver.start()
    assert lit.wait(5.0)
    driver.close()
    driver.close()
    assert not [t for t in threading.enumerate() if t.name == "ring"]
    assert ring.frames[-1] == ((0, 0, 0),) * 12
