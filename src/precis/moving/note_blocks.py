"""Markdown as far as notes need it: headings, paragraphs, items with what is indented under them, code. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_COMMENT = re.compile(r"<!--.*?-->|%%.*?%%", re.DOTALL)
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_ITEM = re.compile(r"(\s*)(?:[-*+]|\d{1,4}[.)])[ \t]+(?=\S)")
_FENCE = re.compile(r"\s*(```+|~~~+)")
_QUOTE = re.compile(r"^(?:>[ \t]?)+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Heading:
    """A heading."""

    level: int
    text: str


def blocks(text: str) -> Iterator[Heading | str]:
    """The blocks of a note, in order; marks of items and quotations are taken off, comments left out."""
    reader = _Reader()
    for line in _COMMENT.sub("", text).split("\n"):
        yield from reader.read(line)
    yield from reader.ended()


class _Reader:
    """Reads line by line; a block is over when another begins."""

    def __init__(self) -> None:
        self._block: list[str] = []
        #: The mark that ends a block of code; empty outside of one.
        self._fence = ""
        #: How far the item is indented that is read; None outside of one.
        self._depth: int | None = None

    def ended(self) -> list[Heading | str]:
        """The block so far, if it holds anything; no item goes on."""
        text, self._block, self._depth = "\n".join(self._block).strip(), [], None
        return [text] if text else []

    def read(self, line: str) -> list[Heading | str]:
        """What this line ends."""
        fence = _FENCE.match(line)
        if self._fence or fence:
            return self._code(line, "" if self._fence or fence is None else fence[1])
        if heading := _HEADING.match(line):
            return [*self.ended(), Heading(level=len(heading[1]), text=heading[2])]
        if len(self._block) == 1 and self._depth is None and (underline := _UNDERLINE.match(line)):
            title = self._block.pop().strip()
            return [Heading(level=1 if underline[1][0] == "=" else 2, text=title)]
        if _RULE.match(line):
            return self.ended()
        if not line.strip():
            return self._blank()
        return self._words(line)

    def _code(self, line: str, opening: str) -> list[Heading | str]:
        """A block of code is one block, or a part of the item that it is indented under."""
        if opening:
            ended = [] if self._is_inside(line) else self.ended()
            self._fence = opening
            self._block.append(line)
            return ended
        mark = line.strip()
        self._block.append(line)
        if mark.startswith(self._fence) and not mark.strip(self._fence[0]):
            self._fence = ""
        return []

    def _blank(self) -> list[Heading | str]:
        """A paragraph is over; an item is over unless it goes on indented."""
        if self._depth is None:
            return self.ended()
        self._block.append("")
        return []

    def _words(self, line: str) -> list[Heading | str]:
        item, inside = _ITEM.match(line), self._is_inside(line)
        after_blank = bool(self._block) and not self._block[-1]
        ended: list[Heading | str] = []
        if item and not inside:
            ended = self.ended()
            self._depth = _indent(line)
            line = line[item.end() :]
        elif self._depth is not None and after_blank and not inside:
            ended = self.ended()
        self._block.append(_QUOTE.sub("", line[self._depth :] if inside and self._depth else line.rstrip()))
        return ended

    def _is_inside(self, line: str) -> bool:
        """Whether the line is indented under the item that is read."""
        return self._depth is not None and _indent(line) > self._depth


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
