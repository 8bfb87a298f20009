"""The pictures of the tutorial, taken from the Neo4j Browser of a server that holds the example corpus.

The password is read from CAUSETRAIL_NEO4J_PASSWORD: python docs/neo4j-browser/take_pictures.py --url http://127.0.0.1:7474
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from browser_page import FOLDER, QUERIES, BrowserPage, Login, chromium, open_browser
from PIL import Image

PICTURES = FOLDER / "pictures"


@dataclass(frozen=True, slots=True)
class Choice:
    """What `01-choose` is told to look at."""

    collection: str
    words: str
    cause_words: str

    def command(self) -> str:
        """The saved command with these three texts."""
        text = (QUERIES / "01-choose.cypher").read_text(encoding="utf-8")
        for key in ("collection", "words", "cause_words"):
            text = re.sub(rf"'[^']*' AS {key}\b", f"'{getattr(self, key)}' AS {key}", text, count=1)
        return text


FOOTBRIDGE = Choice("flood", "council closed the footbridge", "float jammed by ice")
CHECKOUT = Choice("outage", "failure of the checkout service on 12 March 2024", "migration 418")
POOL = Choice("outage", "exhaustion of the database connection pool", "migration 418")
EXPLOSION = Choice("plant", "the explosion on 14 June 2022", "ignition of solvent vapour in the reactor hall")
OVERHEATING = Choice("plant", "overheating of reactor R-3", "failure of cooling pump P-12 on 14 June 2022")
HORN = Choice("plant", "its horn had been disconnected", "its horn had been disconnected")


@dataclass(frozen=True, slots=True)
class Picture:
    """A saved query and what it is asked about; the file is named for the query unless told otherwise."""

    query: str
    choice: Choice
    show: Callable[[BrowserPage, Path], None] | None = None
    name: str | None = None

    @property
    def file(self) -> str:
        return f"{self.name or self.query}.png"


def _edge_with_quotes(browser: BrowserPage, file: Path) -> None:
    frame = browser.run_saved("08-accounts-of-an-event")
    browser.graph(frame)
    frame.locator("g.relationship", has_text="ruled out").first.locator("path.b-outline").click(force=True)
    browser.picture(frame, file)


def _drawer(browser: BrowserPage, file: Path) -> None:
    browser.load_favourites()
    browser.favourites(file)


PICTURES_TAKEN = (
    Picture("01-choose", FOOTBRIDGE, _drawer, "favourites"),
    Picture("02-collections", FOOTBRIDGE),
    Picture("03-collection-graph", FOOTBRIDGE),
    Picture("05-root-causes", POOL),
    Picture("06-effects", HORN),
    Picture("07-chains-between", FOOTBRIDGE),
    Picture("08-accounts-of-an-event", EXPLOSION),
    Picture("08-accounts-of-an-event", EXPLOSION, _edge_with_quotes, "edge-with-quotes"),
    Picture("09-evidence-of-edges", EXPLOSION),
    Picture("10-sentences-about-causes", OVERHEATING),
    Picture("11-ruled-out", CHECKOUT),
    Picture("13-documents-that-disagree", EXPLOSION),
    Picture("14-timeline", FOOTBRIDGE),
    Picture("17-merged-across-documents", CHECKOUT),
    Picture("20-hedged-edges", CHECKOUT),
)


def take(browser: BrowserPage, picture: Picture, out: Path) -> Path:
    """Takes one picture; the style must be loaded."""
    browser.run(picture.choice.command())
    file = out / picture.file
    if picture.show:
        picture.show(browser, file)
    else:
        browser.picture(browser.run_saved(picture.query), file)
    return file


def shrink(file: Path) -> None:
    """Writes a picture with 256 colours: two thirds of the bytes less, and nothing that an eye would miss."""
    with Image.open(file) as picture:
        few = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    few.save(file, optimize=True)


def main() -> int:
    """Takes all pictures and says how large they are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="http://127.0.0.1:7474")
    parser.add_argument("--out", type=Path, default=PICTURES)
    parser.add_argument("--only", default="", help="Take only pictures whose file name contains this.")
    options = parser.parse_args()
    executable = chromium()
    if executable is None:
        sys.stderr.write("No Chromium or Chrome on the path (Debian and Ubuntu: apt install chromium).\n")
        return 1
    user, password = os.environ.get("CAUSETRAIL_NEO4J_USER", "neo4j"), os.environ.get("CAUSETRAIL_NEO4J_PASSWORD", "")
    options.out.mkdir(parents=True, exist_ok=True)
    with open_browser(Login(options.url, user, password), executable) as browser:
        browser.load_style()
        for picture in PICTURES_TAKEN:
            if options.only in picture.file:
                file = take(browser, picture, options.out)
                shrink(file)
                sys.stdout.write(f"{file.stat().st_size // 1024:>5} KB  {file}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
