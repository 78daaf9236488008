"""What to make of a picture: apply, wait, ask or object. Pure; the referee carries it out.

The watcher keeps the last certain state, the tray as it lay then, and the states that the pictures
since leave open. Whatever becomes moot is dropped by itself, because the next picture is explained
from all of them. Only when they fail, or when what was seen last may have been half a move, is a
picture explained from where the one before it left off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.rules.game import CHANCE, AnyGame, ChanceRoll, Decision
from companion.rules.layout import Cell, Die, cell_name
from companion.table.awaited import dice_notice, unrolled_notice
from companion.table.explain import Explainer
from companion.table.findings import (
    SURE,
    SURE_DIE,
    Explanation,
    Findings,
    Start,
    State,
    told_by_people,
)
from companion.table.known_tray import KnownTray
from companion.table.leaving import departures, unseen
from companion.table.observation import Observation, likeliest
from companion.table.outlook import Outlook
from companion.table.sentences import (
    HIDDEN,
    MAY_GO_ON,
    UNCERTAIN,
    NameOf,
    cannot_be_told,
    objection,
    put_back,
    unseen_tags,
    waiting_for,
)
from companion.table.sight import Sight
from companion.table.snapshot import Notice
from companion.table.tray import TraySight
from companion.table.verdicts import Apply, Ask, Key, Nothing, Verdict, Wait

PATIENCE_S = 6.0
"""How long a picture may stay unclear before the table is asked, seconds of exposure time."""
BRIEF_PATIENCE_S = 2.0
"""The same where waiting hardly helps: the candidates differ in faces, or look all alike."""
DISBELIEF = 2.0
"""Cost of explaining a picture as if the one before it had not been seen."""
MOST_LEFT_OPEN = 24
"""States that pictures may leave open at once; beyond it the table is asked."""


@dataclass(slots=True)
class Watcher:
    """Follows the table by its pictures.

    `settle` must be told of every state that was reached in another way (by phone, by undo).
    """

    game: AnyGame
    state: State
    name_of: NameOf = cell_name
    explainer: Explainer = field(init=False)
    tray: KnownTray = field(init=False)
    _open: tuple[Explanation, ...] = ()
    """What the pictures since the last certain state may mean; empty if nothing has happened."""
    _base: tuple[Start, ...] = ()
    """Where the last change was explained from; empty: from the last certain state."""
    _gone: tuple[Explanation, ...] = ()
    """What may have taken the pieces off the table that are not seen."""
    _is_lossy: bool = False
    """Some of what the pictures may mean was forgotten, so nothing is applied without asking."""
    _banned: frozenset[State] = frozenset()
    """States just taken back."""
    _undone: frozenset[Any] = frozenset()
    """What was done to get there, but for rolls: those may come again."""
    _verdict: Verdict = field(default_factory=Nothing)
    _since_s: float = 0.0
    """When the present unclear situation was first seen."""
    _declined: Key | None = None
    """The situation people have said they will put right themselves."""
    _pairs: frozenset[Cell] = frozenset()
    """Cells on which pictures have told two ships apart."""

    def __post_init__(self) -> None:
        self.explainer = Explainer(self.game)
        self.tray = KnownTray(self.explainer.outlook)

    @property
    def outlook(self) -> Outlook:
        """What can follow from the states of this game."""
        return self.explainer.outlook

    @property
    def evidence(self) -> frozenset[str]:
        """Pictures that what is left open rests on."""
        steps = (s for e in self._open for s in e.steps)
        return frozenset(s.evidence for s in steps if s.evidence is not None)

    @property
    def is_unsure(self) -> bool:
        """Whether the last picture left something open."""
        return isinstance(self._verdict, Ask | Wait)

    def settle(
        self, state: State, undone: Sequence[tuple[Any, State]] = (), told: tuple[Die, ...] = ()
    ) -> None:
        """Go on from a state that no picture told.

        Parameters
        ----------
        state : State
            What is certain now.
        undone : sequence of actions and states
            What was just taken back, and where it had led; the same picture must not lead there
            again.
        told : tuple of Die
            Dice of a roll that somebody told.
        """
        self._reset(state)
        # What has left no trace cannot still lie there, and nothing is to be put back.
        layout = self.outlook.layout(state)
        shown = [(a, s) for a, s in undone if self.outlook.layout(s) != layout]
        self._banned = frozenset(s for _, s in shown)
        self._undone = frozenset(a for a, _ in shown if a.player != CHANCE)
        self.tray.settle(state, told, is_undone=bool(undone))

    def accept(self, explanation: Explanation, is_answered: bool = False) -> None:
        """Go on from an explanation that was applied, or that people have said is right."""
        self._reset(explanation.state)
        is_told = is_answered and bool(explanation.dice)
        if is_told:
            self.tray.lessons.extend(told_by_people(explanation.dice))
        self.tray.accept(explanation.memory, is_told=is_told)

    def forget_tray(self, *, is_unrolled: bool = False) -> None:
        """Go by the board alone from now on; what the dice may have meant is left to be told.

        `is_unrolled` as for `KnownTray.forget`.
        """
        self._leave_nothing_open()
        self._verdict = Nothing()
        self.tray.forget(is_unrolled=is_unrolled)

    def decline(self) -> None:
        """Stop asking about the present situation: people will put it right."""
        if isinstance(self._verdict, Ask | Wait):
            self._declined = self._verdict.key

    def observe(self, observation: Observation) -> Verdict:
        """Say what to make of a picture."""
        self._gone = ()
        observation = self.tray.look(self.state, observation)
        self._look_for_pairs(observation)
        verdict = self._judge(self._explain(observation), observation)
        self._verdict = self._with_patience(verdict, observation.time_s)
        return self._verdict

    def look_on(self, observation: Observation) -> None:
        """Only see what lies in the tray: should the end be taken back, it was not rolled since."""
        self.tray.look(self.state, observation)

    def press(self) -> Verdict:
        """Say what to make of a captain's word that what they did is done."""
        verdict = self._verdict
        rolled = self._as_rolled()
        if rolled is not None:
            return Apply(rolled)
        if not isinstance(verdict, Wait):
            return verdict
        if len(self._open) == 1 and self._open[0].is_sure:
            return Apply(self._open[0])
        return Ask(verdict.key, self._gone or self._open, verdict.notice or UNCERTAIN)

    def _as_rolled(self) -> Explanation | None:
        """Return the roll that doubtful dice make if they were rolled, if they make one."""
        last = self.tray.as_rolled(self.state)
        if last is None:
            return None
        start, picture = last
        findings = self._explained((start,), picture)
        best = findings.best
        if best is None or best.is_null or not (findings.is_complete and best.is_sure):
            return None
        return best

    def silent_choice(self) -> Any | None:
        """Return the choice that the button makes: to pass, or the only one without a trace."""
        pending = self.game.pending(self.state)
        if not isinstance(pending, Decision):
            return None
        if pending.passing is not None or pending.told:
            return pending.passing
        silent = self.outlook.silent(self.state)
        return silent[0].action if len(silent) == 1 else None

    def _look_for_pairs(self, observation: Observation) -> None:
        """Remember where two ships were told apart: there a single one means that one has left.

        Where the table only heard of a pair (a boarder hidden behind its enemy) it means nothing.
        """
        for cell, reading in observation.cells.items():
            if cell in observation.occluded or not reading.ships:
                continue
            ships, _ = likeliest(reading.ships)
            if len(ships) == 2:
                self._pairs |= {cell}
            elif not ships:
                self._pairs -= {cell}

    def _explain(self, observation: Observation) -> Findings:
        base = self._base or (Start(self.state, self.tray.memory or ()),)
        if sum(e.p for e in self._open) < SURE:
            # Nothing has happened yet, or what is left open was unlikely itself: the last picture
            # contradicts whatever it most likely showed. A second look must not make it certain.
            return self._explained(base, observation)
        if any(_is_to_be_reread(e, observation) for e in self._open):
            # More pictures together may tell a die that one could not; what was read first, on
            # the way to what is left open, would stay in doubt for good.
            anew = self._explained(base, observation)
            best = anew.best
            if anew.is_complete and best is not None and best.dice and best.is_sure:
                return anew
        latest = tuple(e.as_start() for e in self._open)
        findings = self._explained(latest, observation)
        if findings.is_clean and not any(e.may_go_on for e in self._open):
            self._move_base(findings, latest)
            return findings
        # Perhaps the last picture showed half a move, or was misread: disbelieve it.
        doubted = tuple(replace(start, cost=start.cost + DISBELIEF) for start in base)
        findings = self._explained((*latest, *doubted), observation)
        if findings.best is not None and findings.best.start in latest:
            self._move_base(findings, latest)
        return findings

    def _explained(self, starts: Sequence[Start], observation: Observation) -> Findings:
        return self.explainer.explain(self.state, starts, observation, self._banned, self._pairs)

    def _move_base(self, findings: Findings, latest: tuple[Start, ...]) -> None:
        """Leave the earlier pictures behind once something more has happened."""
        best = findings.best
        if best is not None and len(best.steps) > len(best.start.steps):
            self._base = latest

    def _reset(self, state: State) -> None:
        self.state = state
        self._gone = ()
        self._leave_nothing_open()
        self._banned = frozenset()
        self._declined = None
        self._verdict = Nothing()

    def _leave_nothing_open(self) -> None:
        """Take it that nothing has happened since the last certain state."""
        self._open, self._base, self._is_lossy = (), (), False

    def _judge(self, findings: Findings, observation: Observation) -> Verdict:
        best = findings.best
        if best is None or (not best.is_null and self._shows_undone(best, observation)):
            return self._unexplained(findings, observation)
        is_clear = best.is_sure and findings.is_complete
        if is_clear and best.is_null:
            if self._banned and self._has_new_dice(observation):
                # It lies as before what was taken back; a new throw may show the same once more.
                self._banned = frozenset()
                return self._judge(self._explain(observation), observation)
            return self._at_rest(best, observation)
        looked_before = any(e.state == best.state for e in self._open)
        found = findings.explanations
        self._open = found[:MOST_LEFT_OPEN]
        self._is_lossy = self._is_lossy or len(found) > MOST_LEFT_OPEN
        key = ("open", frozenset(e.state for e in self._open))
        if self._is_lossy:
            return Ask(key, self._open, UNCERTAIN)
        if not is_clear:
            return Wait(key, self._why_unclear(best))
        if self._is_hidden(best, observation):
            return Wait(key, HIDDEN)
        if best.may_go_on:
            return Wait(key, MAY_GO_ON)
        if best.rests_on_absence and not looked_before:
            # A die may be hidden in one picture; it is not in two.
            return Wait(key, None)
        return Apply(best)

    def _why_unclear(self, best: Explanation) -> Notice:
        """Say why a picture is not clear: dice lie badly, or nobody saw them rolled."""
        if badly := [die.seems for die in best.dice if die.p < SURE_DIE and die.seems]:
            return cannot_be_told(badly)
        tray = self.tray.sight()
        if tray is None or not isinstance(self.game.pending(self.state), ChanceRoll):
            return UNCERTAIN
        return unrolled_notice(self.outlook, self.state, tray) or UNCERTAIN

    def _at_rest(self, best: Explanation, observation: Observation) -> Verdict:
        """Say that the table lies as it should, but for what may have left it."""
        self._leave_nothing_open()
        self._banned = frozenset()
        self.tray.remember(best.memory)
        notice = dice_notice(
            self.outlook, self.state, observation, best.memory, self.name_of
        ) or self._pieces_notice(observation)
        self._gone = departures(self.outlook, self.state, best.memory, observation)
        key = ("gone", frozenset(e.state for e in self._gone))
        if self._gone and key != self._declined:
            return Wait(key, notice)
        self._declined = key if self._gone else None
        return Nothing(notice)

    def _with_patience(self, verdict: Verdict, now_s: float) -> Verdict:
        """Turn waiting into asking once it has lasted; never ask twice about the same thing."""
        if not isinstance(verdict, Wait | Ask):
            return verdict
        before = self._verdict
        if not isinstance(before, Wait | Ask) or before.key != verdict.key:
            self._since_s = now_s
        if verdict.key == self._declined:
            return Wait(verdict.key, verdict.notice)
        if isinstance(verdict, Wait) and now_s - self._since_s >= self._patience_s(verdict):
            return Ask(verdict.key, self._candidates(verdict), verdict.notice or UNCERTAIN)
        return verdict

    def _candidates(self, verdict: Wait) -> tuple[Explanation, ...]:
        return {"open": self._open, "gone": self._gone}.get(str(verdict.key[0]), ())

    def _patience_s(self, verdict: Wait) -> float:
        candidates = self._candidates(verdict)
        if len(candidates) < 2:
            return PATIENCE_S
        shown = {
            tuple(sorted(die for step in e.steps for die in self.game.rolled(step.action)))
            for e in candidates
        }
        alike = all(e.layout == candidates[0].layout for e in candidates)
        return BRIEF_PATIENCE_S if alike or len(shown) > 1 else PATIENCE_S

    def _is_hidden(self, explanation: Explanation, observation: Observation) -> bool:
        """Say whether what is said to have changed lies behind an arm."""
        before, now = self.outlook.layout(self.state), explanation.layout
        if observation.dice is None and before.dice != now.dice:
            return True
        return not before.changed_cells(now) <= observation.cells.keys() - observation.occluded

    def _has_new_dice(self, observation: Observation) -> bool:
        memory = self.tray.memory or ()
        return bool(TraySight(observation.dice, memory, observation.has_tumbled).fresh)

    def _shows_undone(self, best: Explanation, observation: Observation) -> bool:
        """Say whether the table still lies as it did before something was taken back.

        Something more may have been done since.
        """
        if self._banned and any(step.action in self._undone for step in best.steps):
            return True
        sight = Sight(observation, fleet=self.outlook.fleet(self.state))
        tray = TraySight(observation.dice, self.tray.memory or ())
        for state in self._banned:
            layout = self.outlook.layout(state)
            if not sight.compare(layout)[1] and not tray.compare(layout.dice, ())[1]:
                return True
        return False

    def _unexplained(self, findings: Findings, observation: Observation) -> Verdict:
        latest = self._open[0] if self._open else None
        state = latest.state if latest else self.state
        expected = self.outlook.layout(state)
        memory = latest.memory if latest else self.tray.memory or ()
        tray = TraySight(observation.dice, memory, observation.has_tumbled)
        lying = tray.best_dice(tray.live())
        sight = Sight(observation, fleet=self.outlook.fleet(self.state))
        seen = sight.seen(expected, findings.contradicted, lying)
        key = ("unexplained", findings.contradicted, lying)
        if self._banned:
            return Wait(key, put_back(expected, seen, self.name_of))
        if findings.underway:
            return Wait(key, waiting_for(expected, lying, findings.contradicted))
        return Wait(key, objection(self.game, state, expected, seen, self.name_of))

    def _pieces_notice(self, observation: Observation) -> Notice | None:
        """Say which piece cannot be seen while it may be moved, or is seen and not in play."""
        pieces = self.outlook.layout(self.state).pieces
        names = [pieces[tag].name for tag in unseen(self.outlook, self.state, observation)]
        if names:
            return unseen_tags(names)
        strays = (self.game.stray(self.state, tag) for tag in sorted(observation.tags))
        return next((Notice("hint", text) for text in strays if text), None)


def _is_to_be_reread(explanation: Explanation, observation: Observation) -> bool:
    """Say whether it rests on a doubtful die, and all dice lie where they lay, no other beside."""
    tray = TraySight(observation.dice, explanation.memory, has_tumbled=False)
    return explanation.has_doubtful_dice and tray.is_unchanged
