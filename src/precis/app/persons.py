"""app.persons: who is remembered and how much; everything of a user, out of one store and into another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson

from precis.app.inputs import checked_limit
from precis.app.parts import Verbs
from precis.app.preparing import readings
from precis.errors import InvalidInput, NotFound
from precis.ids import checked_name
from precis.language.reading import Line
from precis.memory import MemoryType
from precis.store.filtering import Page
from precis.store.upkeep.census import Held
from precis.store.upkeep.lines import FORMAT, WITHOUT_END, checked_line
from precis.store.upkeep.portability import TABLES
from precis.trust import SourceClass, voice_of


@dataclass(frozen=True, kw_only=True, slots=True)
class Carried:
    """What an import of a user did."""

    user_id: str
    memories: int
    summaries: int
    receipts: int
    #: Memories that were forgotten here: they and what rests on them stay away.
    forgotten: int


class Persons(Verbs):
    """Verbs over all that is held about one user."""

    async def list(self, *, limit: int = 50, cursor: str | None = None) -> Page[Held]:
        """The users of whom anything is held, by their names, and how much. ``limit`` is 1 to 1000."""
        return await self._store.census.users(
            self._tenant_id, limit=checked_limit(limit), cursor=cursor, now=self._now()
        )

    async def get(self, user_id: str) -> Held:
        """How much is held of one user. Raises NotFound, InvalidInput."""
        figures = await self._store.census.user(self._tenant_id, checked_name(user_id, "user_id"), now=self._now())
        if not figures.memories + figures.summaries:
            raise NotFound(f"there is nothing of user {user_id!r}")
        return figures

    async def leaving(self, user_id: str) -> Held:
        """The same of one who would be forgotten, of whom a key alone may be left. Raises NotFound, InvalidInput."""
        name = checked_name(user_id, "user_id")
        await self._store.memories.refuse_stranger(self._tenant_id, name)
        return await self._store.census.user(self._tenant_id, name, now=self._now())

    async def is_known(self, user_id: str) -> bool:
        """Whether there is a row or a key of this user. Raises InvalidInput."""
        with suppress(NotFound):
            await self._store.memories.refuse_stranger(self._tenant_id, checked_name(user_id, "user_id"))
            return True
        return False

    def export(self, user_id: str) -> AsyncGenerator[bytes]:
        """Lines of canonical JSON; the first names the user. Raises NotFound, InvalidInput."""
        return self._store.portability.export(self._tenant_id, checked_name(user_id, "user_id"))

    async def put(self, lines: Iterable[bytes]) -> Carried:
        """Put an export into this store, which must not know the user: all of it or nothing.

        Raises InvalidInput for lines that are no export, Conflict, Forgotten.
        """
        arrival = Arrival()
        for line in lines:
            arrival.take(line)
        return await self._put(arrival)

    async def put_stream(self, chunks: AsyncIterable[bytes]) -> Carried:
        """The same of an export that comes in pieces; a wrong line ends it where it stands."""
        arrival, rest = Arrival(), b""
        async for chunk in chunks:
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                arrival.take(line)
        arrival.take(rest)
        return await self._put(arrival)

    async def _put(self, arrival: Arrival) -> Carried:
        parts, user_id, rows = self._parts, arrival.whose(), arrival.rows
        texts = {
            row["memory_id"]: text
            for row in rows["memories"]
            if row["has_vector"] and (text := row["summary"] if row["is_summary"] else row["text"]) is not None
        }
        embedded = await parts.engine.embedder.embed([str(text) for text in texts.values()])
        vectors = {id_: np.asarray(vector, dtype=np.float32) for id_, vector in zip(texts, embedded, strict=True)}
        sentences = await readings(parts, [_line(row) for row in rows["memories"]])
        forgotten = await parts.store.portability.put(
            parts.tenant_id, user_id, rows, vectors, embedder=parts.engine.embedder.version, now=parts.engine.clock(),
            sentences={row["memory_id"]: read for row, read in zip(rows["memories"], sentences, strict=True)},
        )  # fmt: skip
        summaries = sum(1 for row in rows["memories"] if row["is_summary"])
        return Carried(
            user_id=user_id, memories=len(rows["memories"]) - summaries - forgotten, summaries=summaries,
            receipts=len(rows["receipt"]), forgotten=forgotten,
        )  # fmt: skip


def _line(row: Mapping[str, Any]) -> Line | None:
    """A memory as it is read; nothing of what the rules replace nothing by: messages, notes and summaries."""
    if row["is_summary"] or not row.get("text") or row["memory_type"] != MemoryType.SEMANTIC:
        return None
    speaker = (row["attributes"] or {}).get("speaker")
    return Line(text=row["text"], speaker=speaker, voice=voice_of({SourceClass(row.get("source_class", "user"))}))


def is_export(first: bytes) -> bool:
    """Whether a file that begins with this line is an export of a user."""
    try:
        line = orjson.loads(first)
    except orjson.JSONDecodeError:
        return False
    return isinstance(line, dict) and line.get("line") == "export"


class Arrival:
    """An export as it is read, line by line."""

    def __init__(self) -> None:
        #: By their kind.
        self.rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self._user_id: str | None = None
        self._number = self._lines = 0
        self._has_ended = self._may_end_anywhere = False

    def take(self, raw: bytes) -> None:
        """Read the next line. Raises InvalidInput, naming it."""
        self._number += 1
        if not raw.strip():
            return
        if self._has_ended:
            raise InvalidInput(f"line {self._number} stands behind the end of the export")
        try:
            line = orjson.loads(raw)
            kind = line.pop("line")
        except (orjson.JSONDecodeError, KeyError, AttributeError, TypeError) as error:
            raise InvalidInput(f"line {self._number} is no line of an export") from error
        if self._user_id is None:
            self._begin(kind, line)
        elif kind == "end":
            self._end(line)
        elif kind not in (*TABLES, "receipt") or line.get("user_id", self._user_id) != self._user_id:
            raise InvalidInput(f"line {self._number} is of no kind that an export of this user has")
        else:
            checked_line(kind, line, number=self._number)
            self.rows[kind].append(line)
        self._lines += 1

    def _begin(self, kind: str, line: Mapping[str, Any]) -> None:
        if kind != "export" or line.get("format") not in (FORMAT, WITHOUT_END):
            raise InvalidInput(f"line {self._number} should begin an export of format {FORMAT} or {WITHOUT_END}")
        self._user_id = checked_name(line.get("user_id"), "user_id")
        self._may_end_anywhere = line["format"] == WITHOUT_END

    def _end(self, line: Mapping[str, Any]) -> None:
        if line.get("lines") != self._lines:
            raise InvalidInput(
                f"line {self._number} ends an export of {line.get('lines')} lines, and {self._lines} came: export again"
            )
        self._has_ended = True

    def whose(self) -> str:
        """The user. Raises InvalidInput where no line came, or where the last did not."""
        if self._user_id is None:
            raise InvalidInput("the file is empty")
        if not self._has_ended and not self._may_end_anywhere:
            raise InvalidInput(
                f"the export was cut off behind line {self._number}: its last line, which says how many there are, is "
                "missing; export again"
            )
        return self._user_id
