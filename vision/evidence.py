"""Pictures that are kept with an event: as JPEG, small enough to be kept for ever."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Frame, Image

BOARD_PX = 720
"""Height of the board."""
QUALITY = 75


def evidence_picture(frame: Frame) -> bytes:
    """Return the JPEG kept with an event: the board, the tray beside it where there is one."""
    board = _scaled(frame.board, BOARD_PX)
    if frame.tray is not None:
        tray = _scaled(frame.tray, BOARD_PX // 2)
        column = np.zeros((BOARD_PX, tray.shape[1], 3), np.uint8)
        column[: tray.shape[0]] = tray
        board = np.hstack([board, column])
    return jpeg(board)


def jpeg(image: Image) -> bytes:
    """Return a picture, uint8 BGR (height, width, 3), as JPEG."""
    _, encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return encoded.tobytes()


def _scaled(image: Image, height: int) -> Image:
    width = round(image.shape[1] * height / image.shape[0])
    scaled: Image = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    return scaled
