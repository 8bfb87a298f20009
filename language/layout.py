"""The layout of a document: blocks of lines that belong together, and which of them are running prose.

Plain text from PDF reports (wrapped lines, contents, running heads, footnotes, numbered paragraphs), Markdown, and
text with a paragraph to a line. Nothing of a document is lost: every character that is not white space stands in a
block or is a mark of the layout (a bullet, a number of a paragraph, a fence, a running head inside a sentence).
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from language.labels import gives_cause
from language.lemmas import can_be_noun, is_past_or_participle, is_third_person

_STOP: Final = re.compile(r"[.!?:;…。！？]['\"’”»)\]]*\d{0,2}$")
_FULL_STOP: Final = re.compile(r"[.!?…。！？]['\"’”»)\]*_]*\d{0,2}\s*$")
_WORD: Final = re.compile(r"[^\W\d_][\w'’-]*")
_DIGITS: Final = re.compile(r"\d+|\b[ivxlc]+\b")
_LINE: Final = re.compile(r"[^\n\r\f\v\x1c\x1d\x1e\x85\u2028\u2029]+")
_PARAGRAPH_END: Final = re.compile(r"\n[^\S\n]*\n|\f|\r[^\S\r\n]*\r|\u2029|\r\n[^\S\r\n]*\r\n")
_LONGEST_PATTERN: Final = 400
"""Longest line, in characters, that can be anything but prose; keeps every pattern cheap on any input."""


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a document that is one paragraph, list item, heading, table row, running head or contents line.

    Attributes:
        start: First character in the document.
        text: The stretch, of the same length as in the document, with line ends and marks of the layout as spaces.
        prose: False for headings, table rows, captions, running heads, contents lines and code.
    """

    start: int
    text: str
    prose: bool


@dataclass(slots=True)
class _Line:
    start: int
    text: str
    blank_before: bool
    content: int = 0
    """Number of leading characters that are marks of the layout."""
    kind: str = "text"


class _Rules(NamedTuple):
    running_heads: tuple[re.Pattern[str], ...]
    patterns: dict[str, re.Pattern[str]]
    unfinished: frozenset[str]
    finite: frozenset[str]
    limits: dict[str, float]


@cache
def _rules() -> _Rules:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    patterns = {name: re.compile(value) for name, value in table.items() if isinstance(value, str)}
    heads = tuple(re.compile(pattern) for pattern in table["running_heads"])
    return _Rules(heads, patterns, frozenset(table["unfinished"]), frozenset(table["finite"]), table["limits"])


def read_blocks(text: str) -> Iterator[Block]:
    """The blocks of a document in their order, without overlap; `block.text` has the document's length and offsets."""
    lines = _classify(_split(text))
    width = _wrap_width(lines)
    bridged = _bridged(lines)
    group: list[_Line] = []
    for index, line in enumerate(lines):
        if index in bridged and group:
            if line.kind == "head":
                continue
        elif group and _starts_block(group, line, width):
            yield from _blocks(group)
            group = []
        if line.kind != "dropped":
            group.append(line)
    if group:
        yield from _blocks(group)


def _bridged(lines: list[_Line]) -> set[int]:
    """Running heads inside a paragraph that goes on behind a page break, and the line it goes on with."""
    found: set[int] = set()
    index = 1
    while index < len(lines):
        behind = index
        while behind < len(lines) and lines[behind].kind == "head":
            behind += 1
        if index < behind < len(lines):
            before, after = lines[index - 1], lines[behind]
            is_open = before.kind in ("text", "item") and not _STOP.search(before.text.rstrip()[-20:])
            if is_open and after.kind == "text" and after.text.lstrip()[:1].islower():
                found.update(range(index, behind + 1))
        index = behind + 1
    return found


def _split(text: str) -> list[_Line]:
    found: list[_Line] = []
    end = 0
    for match in _LINE.finditer(text):
        if not match.group().strip():
            continue
        blank = bool(_PARAGRAPH_END.search(text, end, match.start())) if found else True
        found.append(_Line(match.start(), match.group(), blank))
        end = match.end()
    return found


def _classify(lines: list[_Line]) -> list[_Line]:
    rules, repeated = _rules(), _repeated(lines)
    in_code = False
    for index, line in enumerate(lines):
        if len(line.text) > _LONGEST_PATTERN:
            line.kind = "code" if in_code else "text"
            _mark_content(line, lines[index - 1] if index else None)
            continue
        if rules.patterns["fence"].match(line.text):
            in_code, line.kind = not in_code, "dropped"
        elif in_code:
            line.kind = "code"
        elif rules.patterns["rule"].match(line.text) or rules.patterns["table_rule"].match(line.text):
            line.kind = "dropped"
            underlined = index > 0 and not line.blank_before and lines[index - 1].kind == "text"
            if underlined and line.text.strip()[0] in "=-" and lines[index - 1].blank_before:
                lines[index - 1].kind = "heading"
        elif any(pattern.match(line.text.strip()) for pattern in rules.running_heads) or index in repeated:
            line.content = _length(rules.patterns["head_before_number"].match(line.text))
            line.kind = "item" if line.content else "head"
        elif rules.patterns["heading"].match(line.text):
            line.kind = "heading"
            line.content = _length(rules.patterns["heading"].match(line.text))
        elif rules.patterns["contents"].search(line.text):
            line.kind = "contents"
        elif rules.patterns["table_row"].match(line.text):
            line.kind = "row"
        else:
            _mark_content(line, lines[index - 1] if index else None)
    return lines


def _mark_content(line: _Line, before: _Line | None) -> None:
    """Find the marker of a list item or of a numbered paragraph, where the line before lets one begin."""
    patterns = _rules().patterns
    head = line.text[:_LONGEST_PATTERN]
    quoted = _length(patterns["quote"].match(head))
    head = head[quoted:]
    line.content = quoted
    bullet = patterns["bullets"].match(head)
    number = patterns["numbers"].match(head) or patterns["footnotes"].match(head)
    may_begin = line.blank_before or before is None or before.kind != "text" or bool(_STOP.search(before.text.rstrip()))
    if bullet and (may_begin or bullet.group().strip() not in "-–—o" or before is None or before.content > 0):
        line.kind, line.content = "item", quoted + bullet.end()
    elif number:
        follows = head[number.end() : number.end() + 1]
        is_level = "." in number.group().strip().rstrip(".")
        is_marked = may_begin and number.group().strip()[-1] in ".)"
        if is_marked or ((may_begin or is_level) and not follows.islower()):
            line.kind, line.content = "item", quoted + number.end()


def _length(match: re.Match[str] | None) -> int:
    return match.end() if match else 0


def _repeated(lines: list[_Line]) -> set[int]:
    """Lines that come back, apart from their numbers, beside a page mark or between blank lines."""
    rules = _rules()
    limits = rules.limits
    keys: list[str | None] = []
    for line in lines:
        bare = line.text.strip()
        candidate = len(bare) <= limits["repeat_length"] and not bare[0].islower() and not _FULL_STOP.search(bare)
        keys.append(_DIGITS.sub("#", bare) if candidate else None)
    counts = Counter(key for key in keys if key is not None)
    often = {key for key, count in counts.items() if count >= limits["repeats"]}
    found: set[int] = set()
    for index, key in enumerate(keys):
        if key in often:
            before = lines[index - 1].text.strip() if index else ""
            marked = not before or any(pattern.match(before) for pattern in rules.running_heads)
            alone = lines[index].blank_before and (index + 1 == len(lines) or lines[index + 1].blank_before)
            if (marked or alone) and not rules.patterns["bullets"].match(lines[index].text):
                found.add(index)
    return found


def _wrap_width(lines: list[_Line]) -> float:
    """The width at which the document wraps its lines, in characters; 0 when it does not."""
    limits = _rules().limits
    lengths = sorted(len(line.text.rstrip()) for line in lines if line.kind in ("text", "item"))
    if len(lengths) < 4:
        return max(lengths, default=0) if max(lengths, default=0) <= limits["widest_wrap"] else 0
    width = lengths[int(len(lengths) * 0.9)]
    return width if limits["least_width"] <= width <= limits["widest_wrap"] else 0


def _starts_block(group: list[_Line], line: _Line, width: float) -> bool:
    before = group[-1]
    if line.blank_before or line.kind in ("dropped", "item", "heading", "head", "row", "code"):
        return True
    if line.kind == "contents":
        return before.kind == "contents" or len(group) > 2 or bool(_STOP.search(before.text.rstrip()))
    if before.kind not in ("text", "item"):
        return True
    return _ends_block(before, line, width)


def _ends_block(before: _Line, line: _Line, width: float) -> bool:
    """Whether a paragraph ends between two lines of text that no blank line parts."""
    rules = _rules()
    bare = before.text.rstrip()
    first = line.text.lstrip(" \t>\"'“‘([")[:1]
    if first.islower():
        return False
    if rules.patterns["captions"].match(line.text[:_LONGEST_PATTERN].lstrip()):
        return True
    if len(bare) > rules.limits["widest_wrap"] or (width == 0 and len(bare) < rules.limits["least_width"]):
        return True
    if _FULL_STOP.search(bare):
        return len(bare) < width * rules.limits["short_line"]
    last = _WORD.findall(bare[-40:])
    if bare.endswith((",", "-", "–", "—", "(")) or (last and last[-1].lower() in rules.unfinished):
        return False
    return len(bare) < width * rules.limits["short_line"]


def _blocks(group: list[_Line]) -> Iterator[Block]:
    """The group as a block; a heading told from the paragraph above only by its missing full stop is a second one."""
    last = group[-1]
    if len(group) > 1 and last.kind == "text" and group[-2].kind in ("text", "item"):
        bare = last.text.strip()
        is_heading = bool(_FULL_STOP.search(group[-2].text[-20:])) and not _STOP.search(bare[-20:])
        if is_heading and not bare[:1].islower() and not _is_statement(bare):
            yield _block(group[:-1])
            yield _block([last])
            return
    yield _block(group)


def _block(group: list[_Line]) -> Block:
    start = group[0].start
    pieces: list[str] = []
    position = start
    for line in group:
        pieces.append(" " * (line.start - position))
        marks = " " * line.content + line.text[line.content :]
        pieces.append(_rules().patterns["contents"].sub(_as_spaces, marks) if line.kind == "contents" else marks)
        position = line.start + len(line.text)
    text = "".join(pieces)
    return Block(start, text, _is_prose(group, text))


def _as_spaces(marks: re.Match[str]) -> str:
    return " " * len(marks.group())


def _is_prose(group: list[_Line], text: str) -> bool:
    rules = _rules()
    if any(line.kind not in ("text", "item") for line in group):
        return False
    bare = text.strip()
    if gives_cause(bare[:_LONGEST_PATTERN]):
        return True
    if rules.patterns["captions"].match(bare[:_LONGEST_PATTERN]):
        return len(bare) > 60 and bool(_FULL_STOP.search(bare[-20:])) and _is_statement(bare)
    if _FULL_STOP.search(bare[-20:]):
        return bool(_WORD.search(bare))
    return _is_statement(bare)


def _is_statement(bare: str) -> bool:
    """Whether a block without a full stop has a finite verb, so that it says something and does not only name it."""
    rules = _rules()
    words = _WORD.findall(bare[:2_000])
    if len(words) > rules.limits["heading_words"]:
        return True
    if len(words) < 3:
        return False
    titled = sum(word[0].isupper() for word in words if len(word) > 3)
    if titled > 1 and titled == sum(len(word) > 3 for word in words):
        return False
    return any(
        word.lower() in rules.finite
        or (position > 0 and (is_past_or_participle(word) or (is_third_person(word) and not can_be_noun(word))))
        for position, word in enumerate(words)
    )
