r"""Regular expressions as a server reads them, written for kglite, whose letters and digits are those of Unicode.

A server reads the syntax of Java: `\w`, `\d` and `\s` are ASCII, `(?i)` joins ASCII letters alone, and a dot passes
over every end of a line. What is not known here is refused.
"""

from __future__ import annotations

import re

from causetrail.errors import CypherUnsupported

_CLASSES = {"w": "0-9A-Za-z_", "d": "0-9", "s": r" \t\n\x0b\x0c\r"}
"""What stands for letters, digits and spaces, inside of square brackets."""
_SINGLE = {"n": r"\n", "r": r"\r", "t": r"\t", "f": r"\x0c"}
_QUANTIFIER = re.compile(r"[*+?]|\{\d+(?:,\d*)?\}")
_DOT = r"[^\n\r\x{85}\x{2028}\x{2029}]"
_FLAGS = frozenset("is")
_META = r"\.+*?()|[]{}^$-/&~#@%!\"'<>,;:=`_ "
_ADVICE = (
    "Write letters, classes like [a-z0-9], \\w, \\d, \\s, groups, | and * + ? {1,3}, and (?i) or (?s) before them; "
    "CONTAINS, STARTS WITH and toLower() know every alphabet."
)


def server_regex(pattern: str) -> str:
    """The pattern for kglite that matches what this one matches on a server.

    Raises:
        CypherUnsupported: it uses what both do not read alike.
    """
    return _Regex(pattern).translated()


class _Regex:
    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._place = 0
        self._flags: frozenset[str] = frozenset()
        self._repeatable = False

    def translated(self) -> str:
        self._read_flags()
        parts: list[str] = []
        while self._place < len(self._pattern):
            parts.append(self._part())
        return "".join(parts)

    def _read_flags(self) -> None:
        if self._pattern.startswith("(?") and ")" in self._pattern:
            flags = self._pattern[2 : self._pattern.index(")")]
            if flags and set(flags) <= _FLAGS:
                self._flags = frozenset(flags)
                self._place = len(flags) + 3
        if self._looks("^"):
            # The whole text is matched with it or without.
            self._place += 1

    def _next(self) -> str:
        if self._place >= len(self._pattern):
            raise self._refusal("an expression that ends too early")
        self._place += 1
        return self._pattern[self._place - 1]

    def _looks(self, text: str) -> bool:
        return self._pattern.startswith(text, self._place)

    def _part(self) -> str:
        quantifier = _QUANTIFIER.match(self._pattern, self._place)
        if quantifier is not None:
            return self._quantified(quantifier[0])
        begin = self._place
        part = self._unit()
        self._repeatable = self._pattern[begin] not in "(|"
        return part

    def _quantified(self, quantifier: str) -> str:
        """How often what stands before it is repeated; a server reads no second one behind it."""
        if not self._repeatable:
            raise self._refusal("a quantifier with nothing before it, or behind another one")
        self._place += len(quantifier)
        if self._looks("+"):
            raise self._refusal("possessive quantifiers")
        self._repeatable = False
        return quantifier + (self._next() if self._looks("?") else "")

    def _unit(self) -> str:
        character = self._next()
        if character == "\\":
            return self._escape()
        if character == "[":
            return self._class()
        if character == ".":
            return r"[\s\S]" if "s" in self._flags else _DOT
        if character == "(":
            if self._looks("?") and not self._looks("?:"):
                raise self._refusal("groups that look around or have names or flags")
            group = "?:" if self._looks("?:") else ""
            self._place += len(group)
            return character + group
        if character == "$" and self._place == len(self._pattern):
            return ""
        if character == "{":
            raise self._refusal("a { that begins no number")
        if character in "^$":
            raise self._refusal("^ and $; the whole text is matched without them")
        return self._letter(character)

    def _letter(self, character: str) -> str:
        if character.isascii() and character.isalpha() and "i" in self._flags:
            return f"[{character.lower()}{character.upper()}]"
        return character

    def _escape(self) -> str:
        character = self._next()
        if character in _CLASSES:
            return f"[{_CLASSES[character]}]"
        if character.lower() in _CLASSES:
            return f"[^{_CLASSES[character.lower()]}]"
        if character in _SINGLE:
            return _SINGLE[character]
        if character in _META:
            return rf"\x{ord(character):02x}"
        raise self._refusal(f"\\{character}")

    def _class(self) -> str:
        opening = "["
        if self._looks("^"):
            opening += self._next()
        parts: list[str] = []
        while not self._looks("]") or not parts:
            parts.append(self._member())
        self._place += 1
        return opening + "".join(parts) + "]"

    def _member(self) -> str:
        first = self._single()
        if len(first) > 1:
            return first
        if not self._looks("-") or self._looks("-]"):
            return self._ranged(first, first)
        self._place += 1
        last = self._single()
        if len(last) > 1 or last < first:
            raise self._refusal("such a range of characters")
        return self._ranged(first, last)

    def _single(self) -> str:
        r"""One character of a class, or the members that stand for `\w`, `\d` or `\s`."""
        character = self._next()
        if character == "[" or (character == "&" and self._looks("&")):
            raise self._refusal("classes inside of classes")
        if character != "\\":
            return character
        character = self._next()
        if character in _CLASSES:
            return _CLASSES[character]
        if character in _SINGLE:
            return {"n": "\n", "r": "\r", "t": "\t", "f": "\x0c"}[character]
        if character in _META:
            return character
        raise self._refusal(f"\\{character} inside of a class")

    def _ranged(self, first: str, last: str) -> str:
        """A range; with (?i) also the letters of the other case that an ASCII letter in it has."""
        told = _hex_range(first, last)
        if "i" in self._flags:
            for begin, end, shift in (("A", "Z", 32), ("a", "z", -32)):
                low, high = max(first, begin), min(last, end)
                if low <= high:
                    told += _hex_range(chr(ord(low) + shift), chr(ord(high) + shift))
        return told

    def _refusal(self, what: str) -> CypherUnsupported:
        return CypherUnsupported(what=f"{what} in the regular expression {self._pattern[:40]!a}", advice=_ADVICE)


def _hex_range(first: str, last: str) -> str:
    begin = rf"\x{{{ord(first):x}}}"
    return begin if first == last else rf"{begin}-\x{{{ord(last):x}}}"
