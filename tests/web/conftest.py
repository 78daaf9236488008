"""A phone: headless Chromium at 360x740 before a real server; it must stay free of errors."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    FloatRect,
    Locator,
    Page,
    expect,
    sync_playwright,
)

from tests.web.doubles import FakeHouse, FakeTable
from web.server import WebServer

ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
).split()
PHONE = {"width": 360, "height": 740}
TWO_FRAMES = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"


@dataclass
class Phone:
    """A page and what went wrong on it."""

    page: Page
    address: str
    errors: list[str] = field(default_factory=list)
    foreseen: str | None = None

    def foresee(self, words: str) -> None:
        """Of what the browser will report, whatever holds these words is no fault of the page.

        To be said before the act: the report may come after what the page shows of it.
        """
        self.foreseen = words

    def boxes_on_board(self, kind: str) -> list[Any]:
        """Return where what a selector finds on the board is drawn, px of the page.

        Letters are written anew once a drawing has learned its size: in the frame after.
        """
        self.page.evaluate(TWO_FRAMES)
        boxes: list[Any] = self.page.locator(f"#board {kind}").evaluate_all(
            "nodes => nodes.map(node => node.getBoundingClientRect().toJSON())"
        )
        return boxes

    def report(self, message: str) -> None:
        if self.foreseen is None or self.foreseen not in message:
            self.errors.append(message)

    def open(self, path: str = "/") -> None:
        self.page.goto(self.address + path)

    def sit(self, name: str) -> None:
        """Choose a captain in the sheet that greets a new phone."""
        self.page.locator("dialog").get_by_role("button", name=name).click()
        self.page.get_by_role("button", name="Tell the table").wait_for()

    def tell(self) -> Locator:
        """Tap *Tell the table*; return its sheet."""
        self.page.get_by_role("button", name="Tell the table").tap()
        return self.page.get_by_role("dialog", name="Tell the table")

    def open_sheet(self, name: str = "One phone for the whole table") -> Locator:
        """Open the table for a captain, or for all; return the sheet in which it is told."""
        self.open()
        self.sit(name)
        return self.tell()

    def pass_on(self, name: str) -> None:
        """Give the phone to another captain: it is said in the menu."""
        self.page.get_by_role("button", name="Menu").click()
        self.page.get_by_role("button", name="Who holds this phone?").click()
        self.page.get_by_role("dialog", name="Who holds this phone?").get_by_role(
            "button", name=name
        ).click()
        expect(self.page.get_by_role("dialog")).to_have_count(0)


def box_of(what: Locator) -> FloatRect:
    """Return where something is drawn, px of the page."""
    box = what.bounding_box()
    assert box is not None
    return box


def overlap(one: Any, other: Any) -> bool:
    """Say whether two boxes of letters cover each other; letters fill the middle of theirs."""
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return bool(across > 1 and down > 5)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour as browsers name it, "rgb(1, 2, 3)" (WCAG 2)."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (int(number) / 255 for number in re.findall(r"\d+", colour)[:3])
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def lines_of(text: Locator, word: str) -> int:
    """Return over how many lines a word of this text is written."""
    return int(
        text.evaluate(
            """(node, word) => {
                const range = document.createRange();
                const at = node.firstChild.data.indexOf(word);
                range.setStart(node.firstChild, at);
                range.setEnd(node.firstChild, at + word.length);
                return range.getClientRects().length;
            }""",
            word,
        )
    )


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if path is None:
        pytest.skip("no Chromium here: apt-get install chromium-headless-shell")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def house(table: FakeTable) -> Any:
    return FakeHouse(table)


@pytest.fixture
def server(house: Any) -> Iterator[WebServer]:
    with WebServer(house, host="127.0.0.1", port=0, max_streams=8) as server:
        yield server


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    context.set_default_timeout(10_000)
    yield context
    context.close()


@pytest.fixture
def new_phone(browser: Browser, server: WebServer) -> Iterator[Callable[[], Phone]]:
    """More phones, each with a memory of its own."""
    contexts: list[BrowserContext] = []
    phones: list[Phone] = []

    def make() -> Phone:
        context = browser.new_context(viewport=PHONE, reduced_motion="reduce")
        context.set_default_timeout(10_000)
        contexts.append(context)
        phones.append(_phone(context.new_page(), server))
        return phones[-1]

    yield make
    for context in contexts:
        context.close()
    assert [phone.errors for phone in phones] == [[] for _ in phones]


@pytest.fixture
def phone(context: BrowserContext, server: WebServer) -> Iterator[Phone]:
    phone = _phone(context.new_page(), server)
    yield phone
    assert phone.errors == []


def _phone(page: Page, server: WebServer) -> Phone:
    phone = Phone(page, f"http://127.0.0.1:{server.port}")
    page.on("pageerror", lambda error: phone.report(str(error)))
    page.on(
        "console",
        lambda message: (
            phone.report(message.text) if message.type in ("error", "warning") else None
        ),
    )
    return phone
