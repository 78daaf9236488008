"""Take the README's picture while a demo game is played: ``make pictures``.

Needs Chromium, as the page tests do. Game and dice are the same each time; the moment that is
caught may differ by a picture or two.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import cv2
import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page, sync_playwright

PORT = 8471
ADDRESS = f"http://127.0.0.1:{PORT}"
DEMO = f".venv/bin/quarterdeck demo --seed 5 --players 4 --port {PORT}"
WIDTH_PX, HEIGHT_PX, GAP_PX = 360, 740, 12


def main() -> None:
    """Play a game and write what the camera, a phone and the page of the dice show of it."""
    demo = subprocess.Popen(DEMO.split(), stdout=subprocess.DEVNULL)
    try:
        with sync_playwright() as driver:
            path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
            browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": WIDTH_PX, "height": HEIGHT_PX})
            wait(lambda table: table["round"] == 2 and not table["notice"])
            views = [camera()]
            page.goto(ADDRESS)
            page.get_by_role("button", name="I only watch").click()
            views.append(shown(page))
            wait(lambda table: table["over"])
            page.goto(f"{ADDRESS}/dice")
            views.append(shown(page))
    finally:
        demo.terminate()
    gap = np.full((HEIGHT_PX, GAP_PX, 3), 255, np.uint8)
    row = np.hstack([views[0], gap, views[1], gap, views[2]])
    file = Path(__file__).with_name("table.jpg")
    cv2.imwrite(str(file), row, [cv2.IMWRITE_JPEG_QUALITY, 85])


def wait(is_come: Callable[[dict[str, Any]], bool]) -> None:
    """Wait until the game is so far."""
    while True:
        time.sleep(0.2)
        try:
            table = json.load(urlopen(f"{ADDRESS}/api/state"))["table"]
        except OSError:
            continue
        if table is not None and is_come(table):
            return


def camera() -> NDArray[np.uint8]:
    """Return the middle of the camera's picture, shape (HEIGHT_PX, HEIGHT_PX, 3)."""
    data = np.frombuffer(urlopen(f"{ADDRESS}/setup/board.jpg").read(), np.uint8)
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
    side = picture.shape[0]
    left = (picture.shape[1] - side) // 2
    small = cv2.resize(
        picture[:, left : left + side], (HEIGHT_PX, HEIGHT_PX), interpolation=cv2.INTER_AREA
    )
    return np.asarray(small, np.uint8)


def shown(page: Page) -> NDArray[np.uint8]:
    """Return what a page shows, once it has come to rest, shape (HEIGHT_PX, WIDTH_PX, 3)."""
    page.wait_for_timeout(1500)
    data = np.frombuffer(page.screenshot(), np.uint8)
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


if __name__ == "__main__":
    main()
