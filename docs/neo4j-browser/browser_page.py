"""The page of the Neo4j Browser, driven as a person drives it: log in, drop files, type a query, look at the graph."""

from __future__ import annotations

import math
import shutil
import zipfile
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator, Page, ViewportSize

FOLDER = Path(__file__).parent
QUERIES = FOLDER / "causetrail"
STYLE = FOLDER / "style.grass"

WINDOW: ViewportSize = {"width": 1160, "height": 720}
PATIENCE_MS = 60_000
STILL_POLLS = 3
POLL_MS = 250

MARGIN = 14
LARGEST_SCALE = 1.2
# The page doubles its scale for this many pixels of the wheel.
WHEEL_FOR_DOUBLE = 500

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    # The page asks outside hosts for fonts, scripts and statistics; none of them is found.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
    "--force-color-profile=srgb",
)

# What a person would set in the page's settings drawer: a light page, no first guide, nothing sent to anyone.
SETTINGS = """
localStorage.setItem('neo4j.settings', JSON.stringify({
  theme: 'normal', initCmd: '', playImplicitInitCommands: false, allowUserStats: false, allowCrashReports: false,
  showWheelZoomInfo: false
}))
"""
DROP = """
([name, base64]) => {
  const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))
  const transfer = new DataTransfer()
  transfer.items.add(new File([bytes], name))
  document.querySelector('[data-testid=main]').dispatchEvent(
    new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: transfer}))
}
"""
GRAPH = """
frame => ({
  nodes: [...frame.querySelectorAll('g.node')].map(node => ({
    caption: [...node.querySelectorAll('text.caption')].map(line => line.textContent).join(' ')
      .replace(/\\s+/g, ' ').trim(),
    color: node.querySelector('circle.b-outline').getAttribute('fill').toUpperCase(),
    border: node.querySelector('circle.b-outline').getAttribute('stroke').toUpperCase(),
    radius: Number(node.querySelector('circle.b-outline').getAttribute('r')),
    place: node.getAttribute('transform')
  })),
  relationships: [...frame.querySelectorAll('g.relationship')].map(one => ({
    caption: one.querySelector('text')?.textContent ?? '',
    color: one.querySelector('path.b-outline').getAttribute('fill').toUpperCase()
  }))
})
"""


# The drawing as it stands on the screen, in pixels, and its scale.
DRAWING = """
frame => {
  const boxes = [...frame.querySelectorAll('g.node')].map(node => node.getBoundingClientRect())
  const x = Math.min(...boxes.map(box => box.left)), y = Math.min(...boxes.map(box => box.top))
  const ring = frame.querySelector('circle.b-outline')
  return {
    x, y,
    width: Math.max(...boxes.map(box => box.right)) - x,
    height: Math.max(...boxes.map(box => box.bottom)) - y,
    scale: ring.getScreenCTM().a
  }
}
"""


class Drawing(TypedDict):
    """Where the circles of a graph stand on the screen, in pixels; `scale` is pixels for a unit of the drawing."""

    x: float
    y: float
    width: float
    height: float
    scale: float


class NodeShown(TypedDict):
    """One circle of the drawing; `place` is its transform, `radius` in units of the drawing."""

    caption: str
    color: str
    border: str
    radius: float
    place: str


class RelationshipShown(TypedDict):
    """One arrow of the drawing."""

    caption: str
    color: str


class GraphShown(TypedDict):
    """What is drawn in a frame."""

    nodes: list[NodeShown]
    relationships: list[RelationshipShown]


class BrowserRefused(Exception):
    """The page showed an error instead of a result; the text is what it showed."""


@dataclass(frozen=True, slots=True)
class Login:
    """Where the Browser is served, and who logs in.

    Attributes:
        url: Address of the server's HTTP port: `http://127.0.0.1:7474`.
    """

    url: str
    user: str
    password: str


class BrowserPage:
    """One tab with the Neo4j Browser, logged in."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.reached: set[str] = set()
        page.on("requestfinished", lambda request: self.reached.add(request.url))

    def log_in(self, login: Login) -> None:
        """Opens the page and connects; returns when the server has answered."""
        self.page.add_init_script(SETTINGS)
        self.page.goto(f"{login.url}/browser/")
        self.page.fill("[data-testid=username]", login.user)
        self.page.fill("[data-testid=password]", login.password)
        self.page.click("[data-testid=connect]")
        self.page.wait_for_selector("[data-testid=disconnectedBanner]", state="detached")
        self.page.wait_for_selector("text=You are connected")

    def load_style(self, style: Path = STYLE) -> None:
        """Drops the style sheet on the page."""
        self._drop(style.name, style.read_bytes())
        self.page.wait_for_selector("[data-testid=exportGraSSButton]", state="attached")
        while not self.style():
            self.page.wait_for_timeout(POLL_MS)

    def style(self) -> dict[str, dict[str, str]]:
        """The style that the page has kept: properties by selector; empty when it has none of its own."""
        kept: dict[str, dict[str, str]] | None = self.page.evaluate("JSON.parse(localStorage.getItem('neo4j.grass'))")
        return kept or {}

    def load_favourites(self, folder: Path = QUERIES) -> None:
        """Drops the saved queries on the page, as one archive with their folder."""
        archive = BytesIO()
        with zipfile.ZipFile(archive, "w") as files:
            for query in sorted(folder.glob("*.cypher")):
                files.write(query, f"{folder.name}/{query.name}")
        self._drop(f"{folder.name}.zip", archive.getvalue())

    def favourites(self, file: Path | None = None) -> list[str]:
        """Titles of the saved queries, as the drawer of the page lists them.

        Args:
            file: Where a picture of the page with the open drawer is saved.
        """
        self.page.click("[data-testid=navigationFavorites]")
        self.page.click(f"[data-testid='expandFolder-{QUERIES.name}']")
        titles = self.page.locator("[data-testid^='navicon-']")
        titles.nth(1).wait_for(state="attached")
        shown = [one.get_attribute("data-testid") or "" for one in titles.all()]
        if file:
            self.page.wait_for_timeout(STILL_POLLS * POLL_MS)
            file.write_bytes(self.page.screenshot())
        self.page.click("[data-testid=navigationFavorites]")
        return [title for one in shown if (title := one.removeprefix("navicon-")) != QUERIES.name]

    def run(self, query: str) -> Locator:
        """Types a query or command into the editor and runs it.

        Returns:
            The frame with the result.

        Raises:
            BrowserRefused: the frame shows an error.
        """
        self._enter(":clear")
        self.page.locator("[data-testid=frame]").first.wait_for(state="detached")
        self._enter(query)
        frame = self.page.locator("[data-testid=frame]").first
        done = frame.locator(
            "[data-testid=frame-loaded-contents], [data-testid=rawParamData], [data-testid=cypherFrameErrorMessage],"
            " :text('ERROR')"
        ).first
        done.wait_for(state="attached")
        if frame.get_by_text("ERROR", exact=True).count():
            raise BrowserRefused(frame.locator("[data-testid=frameContents]").inner_text())
        return frame

    def run_saved(self, stem: str) -> Locator:
        """Runs a saved query by the name of its file without suffix."""
        return self.run((QUERIES / f"{stem}.cypher").read_text(encoding="utf-8"))

    def graph(self, frame: Locator) -> GraphShown:
        """What is drawn in the frame, as soon as nothing moves any more."""
        frame.locator("g.node").first.wait_for(state="attached")
        before, still = self._drawn(frame), 0
        while still < STILL_POLLS:
            self.page.wait_for_timeout(POLL_MS)
            now = self._drawn(frame)
            still = still + 1 if now == before else 0
            before = now
        return before

    def rows(self, frame: Locator) -> list[list[str]]:
        """The cells of the table in the frame, without its head."""
        found = frame.locator("[role=row]").evaluate_all(
            "rows => rows.map(row => [...row.querySelectorAll('[role=cell]')].map(cell => cell.innerText))"
        )
        return [row for row in found if row]

    def picture(self, frame: Locator, file: Path) -> None:
        """Saves the frame in full size: a graph wholly in view beside the legend, a table down to its last row."""
        frame.locator("[title=Fullscreen]").click()
        try:
            # A slow machine draws nothing yet; what has no node then would be taken for a table.
            frame.locator("g.node, [role=row], tr").first.wait_for(state="attached")
            if frame.locator("g.node").count():
                self._bring_into_view(frame)
                file.write_bytes(frame.screenshot())
            else:
                last = _box(frame.locator("[role=row], tr").last)
                height = min(WINDOW["height"], last["y"] + last["height"] + MARGIN)
                area: FloatRect = {"x": 0, "y": 0, "width": WINDOW["width"], "height": height}
                file.write_bytes(self.page.screenshot(clip=area))
        finally:
            # In full size it would hide the editor from the next query.
            frame.locator("[title='Close fullscreen']").click()

    def _bring_into_view(self, frame: Locator) -> None:
        self.graph(frame)
        frame.locator("[aria-label='zoom-to-fit']").click()
        drawing = self._still_drawing(frame)
        panel, canvas = _box(frame.locator("[data-testid=vizInspector]")), _box(frame.locator("svg.neod3viz"))
        width, height = panel["x"] - canvas["x"] - 2 * MARGIN, canvas["height"] - 2 * MARGIN
        factor = min(width / drawing["width"], height / drawing["height"], LARGEST_SCALE / drawing["scale"])
        self.page.mouse.move(drawing["x"] + drawing["width"] / 2, drawing["y"] + drawing["height"] / 2)
        self.page.mouse.wheel(0, -math.log2(factor) * WHEEL_FOR_DOUBLE)
        drawing = self._still_drawing(frame)
        corner = (canvas["x"] + 1, canvas["y"] + 1)
        self.page.mouse.move(*corner)
        self.page.mouse.down()
        self.page.mouse.move(
            corner[0] + canvas["x"] + MARGIN + (width - drawing["width"]) / 2 - drawing["x"],
            corner[1] + canvas["y"] + MARGIN + (height - drawing["height"]) / 2 - drawing["y"],
            steps=5,
        )
        self.page.mouse.up()
        self.page.mouse.move(0, 0)
        self._still_drawing(frame)

    def _still_drawing(self, frame: Locator) -> Drawing:
        before: Drawing = frame.evaluate(DRAWING)
        while True:
            self.page.wait_for_timeout(POLL_MS)
            now: Drawing = frame.evaluate(DRAWING)
            if now == before:
                return now
            before = now

    def _enter(self, text: str) -> None:
        self.page.click("[data-testid=activeEditor] .monaco-editor")
        self.page.keyboard.press("Control+A")
        self.page.keyboard.press("Delete")
        self.page.keyboard.insert_text(text)
        self.page.keyboard.press("Control+Enter")

    def _drop(self, name: str, content: bytes) -> None:
        self.page.evaluate(DROP, [name, b64encode(content).decode("ascii")])

    def _drawn(self, frame: Locator) -> GraphShown:
        drawn: GraphShown = frame.evaluate(GRAPH)
        return drawn


def _box(place: Locator) -> FloatRect:
    box = place.bounding_box()
    if box is None:
        raise BrowserRefused(f"{place} is not to be seen")
    return box


def chromium() -> str | None:
    """Path of the system's Chromium or Chrome; none when there is none."""
    return next((path for name in CHROMIUM_NAMES if (path := shutil.which(name))), None)


@contextmanager
def open_browser(login: Login, executable: str) -> Iterator[BrowserPage]:
    """A fresh Chromium without a window, with one tab that is logged in; closed at the end.

    Args:
        executable: Path of Chromium or Chrome.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        options: dict[str, Any] = {"executable_path": executable, "args": list(CHROMIUM_FLAGS)}
        browser = playwright.chromium.launch(**options)
        try:
            page = browser.new_page(viewport=WINDOW)
            page.set_default_timeout(PATIENCE_MS)
            opened = BrowserPage(page)
            opened.log_in(login)
            yield opened
        finally:
            browser.close()
