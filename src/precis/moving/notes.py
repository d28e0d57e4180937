"""Markdown notes: a file, or a folder of them. Each paragraph and each item of a list is a memory of its day.

An item keeps what is indented under it. Where nothing dates a note, the day on which its file was changed does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

from precis.errors import InvalidInput
from precis.moving.arrivals import Arrival, LeftOut, MoveOptions, cleaned, existing, labels, made_id, memory
from precis.moving.note_blocks import Heading, blocks
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
