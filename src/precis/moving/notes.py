"""Markdown notes: a file, or a folder of them. Each paragraph and each item of a list is a memory of its day.

An item keeps what is indented under it. Where nothing dates a note, the day on which its file was changed does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

from precis.errors import InvalidInput
from precis.moving.arrivals import Arrival, LeftOut, MoveOptions, cleaned, existing, labels, made_id, memory
from precis.moving.note_dates import When, declared, led, narrowed

_SUFFIXES = (".md", ".markdown")
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TASK = re.compile(r"\[([ xX/-])\][ \t]+")
_IMAGES = re.compile(r"!\[\[[^\]]*\]\]|!\[[^\]]*\]\([^)]*\)")
#: Names of front matter that say which day a note is of; and those that may only say when its file was made.
_DATED_BY, _MADE_BY = ("date", "day", "datetime"), ("created", "created_at", "date created")


class Notes:
    """Reads file by file, by their names."""

    def __init__(self, source: str, options: MoveOptions) -> None:
        """Raises InvalidInput."""
        self._root, self._options, self._owner = existing(source), options, options.owner()
        self.total: int | None = None
        self._repeated: Counter[tuple[str, str]] = Counter()

    async def arrivals(self) -> AsyncGenerator[Arrival, None]:
        """Raises InvalidInput where there is no note."""
        files = [self._root] if self._root.is_file() else sorted(filter(self._is_note, self._root.rglob("*")))
        if not files:
            raise InvalidInput(f"{self._root}: there is no note in it; notes end with {' or '.join(_SUFFIXES)}")
        for file in files:
            for arrival in self._read(file):
                yield arrival

    def _is_note(self, path: Path) -> bool:
        """Folders of programs begin with a full stop."""
        inner = path.relative_to(self._root).parts
        return path.suffix.lower() in _SUFFIXES and path.is_file() and not any(part.startswith(".") for part in inner)

    def _read(self, file: Path) -> Iterator[Arrival]:
        name = file.name if file == self._root else file.relative_to(self._root).as_posix()
        try:
            text = cleaned(file.read_text(encoding="utf-8-sig")).replace("\r\n", "\n")
        except (UnicodeDecodeError, OSError) as error:
            yield LeftOut(id=name, reason=f"a file that cannot be read ({type(error).__name__})", refused=True)
            return
        front, body = _parted(text)
        named = _named(name)
        dates = [declared(front.get(key)) for key in (*_DATED_BY, *(() if named.is_exact else _MADE_BY))]
        when = next((date for date in dates if date.is_known), named)
        changed = datetime.fromtimestamp(file.stat().st_mtime, UTC)
        yield from self._notes(name, body, front, when, changed)

    def _notes(
        self, name: str, body: str, front: Mapping[str, Any], when: When, changed: datetime
    ) -> Iterator[Arrival]:
        above: list[tuple[Heading, When]] = []
        for number, block in enumerate(blocks(body)):
            outer = above[-1][1] if above else when
            if isinstance(block, Heading):
                while above and above[-1][0].level >= block.level:
                    above.pop()
                above.append((block, narrowed(above[-1][1] if above else when, block.text)))
            elif not any(map(str.isalnum, _IMAGES.sub("", block))):
                yield LeftOut(id=name, reason="an image, or marks without words")
            else:
                headings = " > ".join(heading.text for heading, _ in above)
                yield self._memory(name, block, number, led(outer, block), changed, headings, front)

    def _memory(
        self, name: str, block: str, number: int, when: When, changed: datetime, headings: str, front: Mapping[str, Any]
    ) -> Arrival:
        task = _TASK.match(block)
        text = block[task.end() :] if task else block
        at = when.written()
        dated = at.isoformat() if at else ""
        self._repeated[(dated, text)] += 1
        id_ = made_id("note", self._owner, dated, text, str(self._repeated[(dated, text)]))
        tags = front.get("tags")
        return memory(
            id_,
            {
                "text": text,
                "user_id": self._owner,
                "memory_type": "episodic" if at else "semantic",
                # In the order in which they stand on the day.
                "created_at": min((at or changed) + timedelta(milliseconds=number), self._options.now),
                "topics": labels(re.split(r"[,\s]+", tags) if isinstance(tags, str) else tags),
                "metadata": {
                    "from": "markdown",
                    "file": name,
                    **({"heading": headings[:1000]} if headings else {}),
                    **({"task": "open" if task[1] == " " else "done"} if task else {}),
                    **({} if at else {"undated": True}),
                },
            },
        )


def _named(name: str) -> When:
    """The date that folders and file name give together."""
    when = When()
    parts = name.split("/")
    for part in [*parts[:-1], Path(parts[-1]).stem]:
        when = narrowed(when, part)
    return when


def _parted(text: str) -> tuple[Mapping[str, Any], str]:
    """Front matter, and what is behind it."""
    match = _FRONT.match(text)
    if match is None:
        return {}, text
    try:
        front = yaml.safe_load(match[1])
    except (yaml.YAMLError, ValueError):
        front = None
    if not isinstance(front, dict):
        return {}, text
    return {str(key).lower(): value for key, value in front.items()}, text[match.end() :]


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
