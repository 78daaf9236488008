"""What reads the pictures of a game, with all that is kept of its table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from companion.errors import NotCalibrated
from companion.rules.words import capital, ended
from companion.setup.looks import TRAY, Looks
from companion.table.findings import SURE_DIE
from companion.table.heights import Heights
from companion.table.observation import DieReading
from companion.table.referee import Referee
from companion.table.setting_up import Zone
from vision.board.reader import BoardReader
from vision.camera.zone import ZonedCamera
from vision.dice.any_tray import AnyTrayReader
from vision.dice.legible import advice_on
from vision.dice.placing import ZoneWatch
from vision.frame import Camera, Frame
from vision.piece_reader import PieceReader
from vision.pipeline import Watcher
from vision.registration import BoardFit
from vision.tags.reader import TagReader


def aim_of(camera: Camera | None) -> Callable[[Zone | None], None] | None:
    """Return what cuts the tray out of another zone of a camera's picture, if it does so."""
    return camera.aim if isinstance(camera, ZonedCamera) else None


def board_reader(referee: Referee, looks: Looks) -> BoardReader:
    """Return what reads a board; a picture of another board without pieces is told, not used."""
    ships = looks.ships(referee.game.info.id)
    try:
        return BoardReader(referee.profile, looks.empty(referee.profile.id), ships)
    except NotCalibrated as error:
        until = "Until there is one of this board, pieces are read without it."
        referee.report_health("board", f"{capital(ended(str(error)))} {until}")
        return BoardReader(referee.profile, look=ships)


def watcher_of(referee: Referee, camera: Camera, looks: Looks) -> Watcher:
    """Return what reads the pictures of this game on its board."""
    game, profile = referee.game, referee.profile
    reader: PieceReader = (
        TagReader(profile, Heights(game, lambda: referee.state))
        if profile.is_open
        else board_reader(referee, looks)
    )
    if profile.tray is None:
        return Watcher(reader)
    tray = replace(profile.tray, place_mm=looks.tray_at_mm or profile.tray.place_mm)
    reads_tray = AnyTrayReader(tray.size_mm, looks.empty(TRAY))
    zone = ZoneWatch(reads_tray.box, profile, tray, aim_of(camera))
    kinds = tuple(kind.id for kind in game.info.dice)

    def read_dice(frame: Frame, fit: BoardFit) -> tuple[DieReading, ...] | None:
        assert frame.tray is not None  # else the pipeline asks for no dice
        reads_tray.learn({lesson.box_px: lesson.die for lesson in referee.take_lessons()})
        try:
            places = partial(zone.view, frame, fit), partial(zone.table, frame, fit)
            readings = reads_tray.read(frame.tray, kinds, *places)
        except NotCalibrated as error:
            told = f"{ended(str(error))} Until then rolls are told by phone."
            referee.report_health("dice", told)
            return None
        advice = reads_tray.note or advice_on(readings, frame.tray, SURE_DIE)
        referee.report_health("dice", advice)
        return readings

    return Watcher(reader, read_dice, zone.is_aimed)
