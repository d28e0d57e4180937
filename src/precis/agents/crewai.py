"""A CrewAI ``Memory`` over precis: what a crew did is found by the next one, without a model or a vector store.

    memory = PrecisMemory(app, user_id="ana")
    crew = Crew(agents=[...], tasks=[...], memory=memory)
    await crew.kickoff_async()

It is the unified memory of CrewAI 1.x, which took the place of its external memory. CrewAI calls it from threads and
blocks them, so ``kickoff`` must not be called in the event loop of the app: ``kickoff_async`` is made for that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

import structlog
from crewai.memory.types import MemoryMatch, MemoryRecord, ScopeInfo
from crewai.memory.unified_memory import Memory
from crewai.memory.utils import join_scope_paths
from pydantic import PrivateAttr

from precis import errors, memory
from precis.agents.person import Person
from precis.app import App
from precis.ids import zoned
from precis.memory import Memory as Row

_log = structlog.get_logger(__name__)
#: Under this name the metadata of a memory holds what only CrewAI knows of it.
_KEPT = "crewai"
#: Rows that are looked at where some may be dropped by categories or as private.
_WIDEST = 100


class PrecisMemory(Memory):
    """One user's memory. Made inside the event loop that the app was opened in.

    With an ``llm`` a result is cut into facts by it before it is kept, as CrewAI does; else it is kept as it is.
    """

    _person: Person = PrivateAttr()

    def __init__(self, app: App, *, user_id: str, project_id: str | None = None, **fields: Any) -> None:
        person = Person(app, user_id, project_id=project_id)
        storage: Any = Records(person)
        super().__init__(storage=storage, embedder=_no_vectors, **fields)
        self._person = person

    def extract_memories(self, content: str) -> list[str]:
        """What is to be kept of a result."""
        return super().extract_memories(content) if "llm" in self.model_fields_set else [content]

    def remember(self, content: str, *args: Any, **fields: Any) -> MemoryRecord | None:
        """Keep one text, once however often it is handed in; see CrewAI. Raises WrongLoop."""
        self._person.loop.refuse_here()
        return super().remember(content, *args, **fields)

    def remember_many(self, contents: list[str], *args: Any, **fields: Any) -> list[MemoryRecord]:
        """The same for several, in the background."""
        self._person.loop.refuse_here()
        return super().remember_many(contents, *args, **fields)

    def recall(
        self,
        query: str,
        scope: str | None = None,
        categories: list[str] | None = None,
        limit: int = 10,
        depth: Literal["shallow", "deep"] = "deep",
        source: str | None = None,
        include_private: bool = False,  # noqa: FBT001, FBT002 - as CrewAI has it
    ) -> list[MemoryMatch]:
        """The memories and summaries that matter, best first; ``depth`` makes no difference. Raises WrongLoop."""
        del depth
        try:
            self._person.loop.refuse_here()
            self.drain_writes()
            within = None if scope is None and self.root_scope is None else join_scope_paths(self.root_scope, scope)
            wide = bool(categories) or not include_private
            recalling = self._person.recall(query, limit=_WIDEST if wide else limit, **_under(within))
            results = self._person.loop.wait(recalling)
        except errors.WrongLoop as error:
            # An agent goes on without memories, and says nothing.
            _log.warning("memory_unreached", reason=str(error))
            raise
        records = [(_record(result.memory), result.relevance.value) for result in results]
        return [
            MemoryMatch(record=record, score=relevance, match_reasons=["semantic"])
            for record, relevance in records
            if _is_within(record, within)
            and (not categories or not set(categories).isdisjoint(record.categories))
            and (include_private or not record.private or (source is not None and record.source == source))
        ][:limit]

    def _encode_batch(
        self,
        contents: list[str],
        scope: str | None = None,
        categories: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        importance: float | None = None,
        source: str | None = None,
        private: bool = False,  # noqa: FBT001, FBT002 - as CrewAI has it
        root_scope: str | None = None,
    ) -> list[MemoryRecord]:
        """The place where CrewAI asks a model and a vector store; it calls this in a thread of its own."""
        where = join_scope_paths(root_scope, scope)
        kept = {"scope": where, "categories": categories or [], "source": source, "private": private}
        fields: dict[str, Any] = {"metadata": {**(metadata or {}), _KEPT: kept}, "importance": importance}
        fields |= {"namespace": None if where == "/" else where, "topics": tuple(categories or ())}
        ids = [self._person.loop.wait(self._person.remember(text, **fields)) for text in contents if text.strip()]
        rows = {row.id: row for row in self._person.loop.wait(self._person.own(ids))}
        return [_record(rows[id_]) for id_ in ids]


class Records:
    """CrewAI's ``StorageBackend`` over the same rows, for what lists, changes and deletes; recall needs no vectors."""

    def __init__(self, person: Person) -> None:
        self._person = person

    def __deepcopy__(self, memo: dict[int, Any]) -> Records:
        """A copied crew has the same memory."""
        return self

    def list_records(self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0) -> list[MemoryRecord]:
        """The latest first."""
        return self._all(scope_prefix)[offset : offset + limit]

    def get_record(self, record_id: str) -> MemoryRecord | None:
        """One of them; None where there is none."""
        try:
            (row,) = self._person.loop.wait(self._person.own([record_id]))
        except errors.NotFound:
            return None
        return _record(row)

    def update(self, record: MemoryRecord) -> None:
        """Replace a record; summaries follow. Raises NotFound."""
        kept = {"scope": record.scope, "categories": record.categories, "source": record.source,
                "private": record.private}  # fmt: skip
        change: dict[str, Any] = {"text": record.content, "importance": record.importance, "topics": record.categories,
                  "metadata": {**record.metadata, _KEPT: kept}}  # fmt: skip
        change |= {} if record.scope == "/" else {"namespace": record.scope}
        self._person.loop.wait(self._person.edit(record.id, change))

    def delete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        """Forget what fits all that is given, and everything that rests on it; answers how many."""
        ids = [
            record.id
            for record in self._all(scope_prefix)
            if (record_ids is None or record.id in record_ids)
            and (not categories or not set(categories).isdisjoint(record.categories))
            and (older_than is None or zoned(record.created_at) < zoned(older_than))
            and (metadata_filter or {}).items() <= record.metadata.items()
        ]
        return self._person.loop.wait(self._person.forget(ids)) if ids else 0

    def reset(self, scope_prefix: str | None = None) -> None:
        """Forget what lies in a scope; without one everything of the user, within the project if there is one."""
        if scope_prefix is None:
            self._person.loop.wait(self._person.forget_all())
        else:
            self.delete(scope_prefix)

    def get_scope_info(self, scope: str) -> ScopeInfo:
        """How many records a scope has, of which kinds and times."""
        records = self._all(scope)
        times = [record.created_at for record in records]
        return ScopeInfo(
            path=scope,
            record_count=len(records),
            categories=sorted(_count(records)),
            oldest_record=min(times, default=None),
            newest_record=max(times, default=None),
            child_scopes=self.list_scopes(scope),
        )

    def list_scopes(self, parent: str = "/") -> list[str]:
        """The scopes right below one."""
        above = parent.rstrip("/") + "/"
        below = [record.scope.removeprefix(above) for record in self._all(parent) if record.scope.startswith(above)]
        return sorted({above + rest.split("/")[0] for rest in below if rest})

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        """How many records each category has."""
        return _count(self._all(scope_prefix))

    def count(self, scope_prefix: str | None = None) -> int:
        """How many records there are."""
        return len(self._all(scope_prefix))

    def _all(self, scope: str | None) -> list[MemoryRecord]:
        records = map(_record, self._person.loop.wait(self._person.rows(**_under(scope))))
        return [record for record in records if _is_within(record, scope)]


def _no_vectors(texts: Sequence[str]) -> list[list[float]]:
    """Nothing asks for one, but CrewAI makes it where a record is changed."""
    return [[] for _ in texts]


def _under(scope: str | None) -> dict[str, Any]:
    return {} if scope in (None, "/") else {"words": {"namespace": memory.Words(startswith=scope)}}


def _is_within(record: MemoryRecord, scope: str | None) -> bool:
    """``/crew/a`` holds ``/crew/a/b``, and not ``/crew/ab``."""
    return scope in (None, "/") or f"{record.scope}/".startswith(f"{(scope or '').rstrip('/')}/")


def _record(row: Row) -> MemoryRecord:
    kept = row.metadata.get(_KEPT)
    known: dict[str, Any] = kept if isinstance(kept, dict) else {}
    return MemoryRecord(
        id=row.id,
        content=row.text or "",
        scope=known.get("scope", row.namespace or "/"),
        categories=list(known.get("categories", row.topics)),
        metadata={name: value for name, value in row.metadata.items() if name != _KEPT},
        importance=0.5 if row.importance is None else row.importance,
        created_at=row.created_at.replace(tzinfo=None),
        last_accessed=row.updated_at.replace(tzinfo=None),
        source=known.get("source"),
        private=bool(known.get("private")),
    )


def _count(records: Sequence[MemoryRecord]) -> dict[str, int]:
    return dict(Counter(category for record in records for category in record.categories))
