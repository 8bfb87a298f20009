"""The characters of a document's text: one kind of line end, nothing that no text may hold, all else word for word.

Offsets everywhere count the characters of what comes out of here. There is no Unicode normalisation (NFC, NFKC), so a
quote is what the document says; right-to-left text, combining characters and emoji stay as they are.
"""

from __future__ import annotations

import re

from causetrail.errors import DocumentCharacters

NORMALISER = "1"
"""Version of the rules that make a text from a source's bytes; raised whenever the same bytes give another text."""

_REFUSED = re.compile("[\x00\ud800-\udfff]")
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\u2028\u2029]")
_TERMINAL = re.compile("\x1b\\[[0-?]*[ -/]*[@-~]")
_CONTROLS = re.compile("[\x01-\x08\x0e-\x1f\x7f]")
_WINDOWS = re.compile("[\x80-\x9f]")
_FROM_WINDOWS = {chr(code): bytes([code]).decode("cp1252", "ignore") or " " for code in range(0x80, 0xA0)}
_BOM = "\ufeff"


def normalise(text: str, source: str) -> str:
    """The text with the line feed as its only line end.

    A byte order mark at the start goes, and so do colour codes of terminals; form feeds become line ends; any other
    control character becomes a space. The controls U+0080 to U+009F, invisible and used by no text, are what a wrong
    conversion leaves of quotes and dashes of Windows-1252; they become those quotes and dashes, as in a browser.

    Raises:
        DocumentCharacters: it holds NUL or half of a surrogate pair.
    """
    refused = _REFUSED.search(text)
    if refused:
        raise DocumentCharacters(source=source, reason=_describe(refused))
    text = _LINE_ENDS.sub("\n", text.removeprefix(_BOM))
    text = _CONTROLS.sub(" ", _TERMINAL.sub("", text))
    return _WINDOWS.sub(lambda found: _FROM_WINDOWS[found.group()], text)


def _describe(refused: re.Match[str]) -> str:
    character = refused.group()
    kind = "a NUL character" if character == "\x00" else f"the lone surrogate U+{ord(character):04X}"
    return f"{kind} at position {refused.start()}"
