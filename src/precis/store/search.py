"""Recall in PostgreSQL: vectors and BM25 over keyed words within one scope, and each candidate's neighbors."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, LiteralString, NamedTuple

from precis.database.connections import Database, Tx
from precis.database.queries import narrowed, query
from precis.database.replicas import from_replicas
from precis.database.sending import Statement
from precis.engine.grouping import Vector
from precis.keys.vault import Vault, ciphers_of
from precis.language.words import index_terms
from precis.memory import Memory
from precis.recall.question import Candidate, Forms, Pool, Question, counted
from precis.store.filtering import Filter, filter_parameters
from precis.store.memories import read_memories
from precis.store.rows import halved, name_hashes, speakers_called
from precis.store.upkeep.indexes import LARGE
from precis.store.upkeep.lists import nearest_in_lists
from precis.trust import RELAYED

#: Seconds for which the size of a scope is taken as known, and how many scopes are.
LASTS, _SIZES = 300.0, 10_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """A candidate of recall with the raw figures that ranking mixes."""

    memory: Memory
    #: Cosine similarity to the query, -1..1; None without a comparable vector.
    similarity: float | None
    #: BM25 over the scope; 0 when no word of the query is in it.
    bm25: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question as a store needs it."""

    question: Question
    #: None, or all zeros, where the embedder knows none of its words.
    vector: Vector | None
    embedding_version: str
    #: How many candidates each arm brings.
    breadth: int
    #: Of raw rows only those that no summary of their user has read.
    only: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Unknown:
    """What an answer as of a moment cannot know."""

    as_of: datetime
    #: Memories that were known then and whose text has expired since.
    expired: int
    #: Summaries that stood then and say something else now, where it is not kept what they said.
    summaries: int


#: Rows by id, and the time zones of their users: by user id, the tenant's own under the empty id.
Read = tuple[Mapping[str, Memory], Mapping[str, str]]
#: Ids of the rows to read, given the candidates; called once, within the transaction.
Choose = Callable[[Pool], Sequence[str]]


class PostgresSearch:
    """The two arms of recall over one scope."""

    def __init__(self, database: Database, vault: Vault, *, large: int = LARGE, lasts: float = LASTS) -> None:
        self._database = database
        self._vault = vault
        self._large = large
        self._lasts = lasts
        self._sizes: dict[tuple[str, str | None, bool], tuple[float, Mapping[str, Any] | None]] = {}

    def let_go(self) -> None:
        """Of the sizes of scopes: the database is another copy."""
        self._sizes.clear()

    @from_replicas
    async def search(
        self, tenant_id: str, filter_: Filter, *, query: str, vector: Vector | None, embedding_version: str, limit: int
    ) -> Sequence[Hit]:
        """The ``limit`` nearest vectors and the ``limit`` best keyword rows together, each with the figures of both."""
        keys = self._vault.keys(tenant_id)
        parameters = {
            **filter_parameters(filter_, keys), "terms": sorted(set(keys.terms(index_terms(query)))),
            "vector": halved(vector), "version": embedding_version, "limit": limit,
        }  # fmt: skip
        async with self._database.tx(tenant_id, one_moment=True, generic_plans=True) as tx:
            rows = await tx.filtered("search", **parameters)
            memories = {m.id: m for m in await read_memories(tx, self._vault, rows)}
        return [
            Hit(memory=memories[row["memory_id"]], similarity=row["similarity"], bm25=row["bm25"])
            for row in rows
            if row["memory_id"] in memories
        ]

    @from_replicas
    async def read(self, tenant_id: str, filter_: Filter, request: Asked, choose: Choose) -> Read:
        """The rows that ``choose`` names of the question's candidates, and others it names by id, all of one moment.

        Candidates are, of raw rows and of summaries alike, the ``breadth`` nearest vectors and the ``breadth`` best
        rows by words, with their neighbors in their sessions. A row that is gone is left out.
        """
        parameters = self._parameters(tenant_id, filter_, request)
        terms, asked = self._vault.keys(tenant_id).terms, request.question.forms
        words = dict(zip(terms(asked), terms(asked.values()), strict=True))
        first = self._first(parameters, words)
        async with self._database.tx(tenant_id, one_moment=True, generic_plans=True, first=first) as tx:
            forms = {row["term"]: words[row["term"]] for row in tx.answers[0]} if words else {}
            pool = await self._candidates(tx, filter_, request, parameters, forms, is_read=bool(first) and not words)
            if filter_.as_of is not None and filter_.is_summary is not False:
                pool = await self._with_past(tx, pool, filter_, filter_.as_of, request, forms)
            named = {"ids": list(choose(pool))}
            users = [] if filter_.user_id is None else [filter_.user_id]
            calls = ("get_memories", named), self._vault.request(tenant_id, users), ("zones_of_memories", named)
            # Where a summary is among them, or a row of who knows whom, more may have to be read.
            ends = bool(users) and all(id_ in pool.rows and not pool.rows[id_].is_summary for id_ in named["ids"])
            rows, keys, zones = await (tx.last(*calls) if ends else tx.together(*calls))
            ciphers = await ciphers_of(self._vault, tx, rows, users, keys)
            memories = {memory.id: memory for memory in await read_memories(tx, self._vault, rows, ciphers)}
        return memories, {row["user_id"]: row["zone"] for row in zones}

    async def unknown(self, tenant_id: str, filter_: Filter, as_of: datetime) -> Unknown:
        """What of a scope is not kept as it was at a moment."""
        parameters = filter_parameters(replace(filter_, as_of=None), self._vault.keys(tenant_id)) | {"at": as_of}
        async with self._database.tx(tenant_id) as tx:
            return Unknown(as_of=as_of, **(await tx.filtered("unknown_at", **parameters))[0])

    async def over(self, tenant_id: str, ids: Sequence[str]) -> Sequence[str]:
        """Ids of the summaries that stand over these rows."""
        (rows,) = await self._database.read(tenant_id, ("summaries_over", {"ids": list(ids)}))
        return [row["summary_id"] for row in rows]

    def _first(self, parameters: Mapping[str, Any], forms: Forms) -> Sequence[Statement]:
        """What is asked as the transaction begins: which forms of words rows have, or all of a scope known as small."""
        if forms:
            asked = {**parameters, "terms": list(forms)}
            return [Statement(narrowed(query("terms_there"), asked), asked)]
        is_small = self._known(parameters) == (True, None)
        return [Statement(pool_query(parameters, large=False), parameters, binary=True, row=_Row)] if is_small else []

    async def _candidates(
        self, tx: Tx, filter_: Filter, request: Asked, parameters: dict[str, Any], forms: Forms, *, is_read: bool
    ) -> Pool:
        """The candidates by these forms of the question's words as well; they may be read as the transaction began."""
        words, asked = parameters["terms"], request.question
        called = speakers_called(asked.names, asked.terms, self._vault.keys(tx.tenant_id))
        parameters = {**parameters, "terms": [*words, *forms]}
        rows = tx.answers[0] if is_read else await self._rows(tx, filter_, request, parameters)
        return _pool(rows, words, forms, called)

    async def _rows(self, tx: Tx, filter_: Filter, request: Asked, parameters: dict[str, Any]) -> Sequence[_Row]:
        if (figures := await self._figures(tx, parameters)) is not None:
            await tx.set("settle_in")
            parameters |= figures
            if _whole(filter_, request) and parameters["vector"] is not None:
                parameters["nearest"] = await nearest_in_lists(tx, parameters)
        return await tx.made(pool_query(parameters, large=figures is not None), _Row, parameters)

    async def _with_past(
        self, tx: Tx, pool: Pool, filter_: Filter, as_of: datetime, request: Asked, forms: Forms
    ) -> Pool:
        """The candidates with summaries by what they said then, or say now of what was said by then and has expired."""
        parameters = self._parameters(tx.tenant_id, replace(filter_, as_of=None), request)
        words = parameters["terms"]
        parameters |= {"at": as_of, "terms": [*words, *forms]}
        rows = [*await tx.filtered("summaries_since", **parameters), *await tx.filtered("summaries_then", **parameters)]
        past = {
            row["id"]: Candidate(
                id=row["id"], similarity=None, frequencies=counted(row["hits"], words, forms), length=row["length"],
                importance=row["importance"], created_at=row["created_at"], is_summary=True,
                sources=tuple(row["sources"] or ()), newest_source_at=row["newest_at"],
            )
            for row in rows
        }  # fmt: skip
        return replace(pool, rows={**pool.rows, **past}, holding=pool.holding or (0.0,) * len(words))

    def _parameters(self, tenant_id: str, filter_: Filter, request: Asked) -> dict[str, Any]:
        keys = self._vault.keys(tenant_id)
        return {
            **filter_parameters(filter_, keys), "tenant_id": tenant_id,
            "terms": list(dict.fromkeys(keys.terms(request.question.terms))),
            "names": name_hashes(request.question.names, keys), "limit": request.breadth, "only": request.only or None,
            "vector": halved(request.vector), "version": request.embedding_version,
            "of_summaries": filter_.is_summary is True, "nearest": None,
        }  # fmt: skip

    async def _figures(self, tx: Tx, parameters: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """How many rows a scope too large to read whole has, and how long they are; None for a smaller one.

        Remembered for a while, by ids alone: what is rare among many thousands stays so.
        """
        if (known := self._known(parameters))[0]:
            return known[1]
        limited = {**parameters, "limit": self._large + 1}
        (size,) = await tx.filtered("scope_size", **limited)
        figures = (await tx.filtered("scope_figures", **limited))[0] if size["rows"] > self._large else None
        if len(self._sizes) >= _SIZES:
            self._sizes.clear()
        self._sizes[_scope(parameters)] = (time.monotonic(), figures)
        return figures

    def _known(self, parameters: Mapping[str, Any]) -> tuple[bool, Mapping[str, Any] | None]:
        """Whether the size of a scope is remembered, and what it is."""
        at, figures = self._sizes.get(_scope(parameters), (-self._lasts, None))
        return time.monotonic() - at < self._lasts, figures


def _scope(parameters: Mapping[str, Any]) -> tuple[str, str | None, bool]:
    return parameters["tenant_id"], parameters["user_id"], parameters["of_summaries"]


def _whole(filter_: Filter, request: Asked) -> bool:
    """Whether nearly every row of the scope may be a candidate: of a few, all are sooner looked at."""
    rest = replace(filter_, user_id=None, is_summary=None, turns=False, recalled=None, current=None, searched=None)
    return not request.only and rest == Filter()


def pool_query(parameters: Mapping[str, Any], *, large: bool) -> LiteralString:
    """What finds the candidates in a scope of this size, with the conditions that are given."""
    return narrowed(query("pool_of_postings" if large else "pool_of_scope"), parameters)


class _Row(NamedTuple):
    """A row of the query, in the order of its columns (store/sql/candidates.sql): quicker than a dictionary."""

    id: str
    similarity: float | None
    #: Terms of the question that it holds, repeats kept; of a long row each with its passage as well.
    hits: Sequence[int]
    placed: Sequence[tuple[int, int]] | None
    length: int
    importance: float
    created_at: datetime
    is_summary: bool
    #: Of its speaker's names those that the question has, as keyed hashes.
    spoken: Sequence[int] | None
    subject: str | None
    event_date: datetime | None
    sources: Sequence[str] | None
    newest_source_at: datetime | None
    alone: bool
    source_class: str
    session: str | None
    before: str | None
    after: str | None
    #: Of the scope, in one row: how many rows hold each term, how many there are, and their mean length.
    figures: Sequence[float] | None


def _pool(rows: Sequence[_Row], words: Sequence[int], forms: Forms, called: Mapping[int, tuple[int, ...]]) -> Pool:
    none = (0,) * len(words)
    candidates = {row.id: _candidate(row, words, forms, none, called) for row in rows}
    before = {row.id: row.before for row in rows if row.before in candidates}
    after = {row.id: row.after for row in rows if row.after in candidates}
    figures = next((row.figures for row in rows if row.figures), (*(0.0 for _ in (*words, *forms)), 0.0, 1.0))
    *holding, documents, mean = figures
    for word, more in zip(forms.values(), holding[len(words) :], strict=True):
        # A row that holds two forms is counted twice: the word counts the less, never the more.
        holding[words.index(word)] = min(documents, holding[words.index(word)] + more)
    return Pool(
        rows=candidates,
        before={later: earlier for earlier, later in after.items()} | before,
        after={earlier: later for later, earlier in before.items()} | after,
        documents=documents,
        holding=tuple(holding[: len(words)]),
        mean_length=mean,
    )


def _candidate(
    row: _Row, words: Sequence[int], forms: Forms, none: tuple[int, ...], called: Mapping[int, tuple[int, ...]]
) -> Candidate:
    # Fields in their order: by name each of a thousand would take twice as long.
    (
        id_, similarity, hits, placed, length, importance, created_at, is_summary, spoken, subject, event_date, sources,
        newest_source_at, alone, source_class, session, _, _, _,
    ) = row  # fmt: skip
    return Candidate(
        id_, similarity, counted(hits, words, forms) if hits else none, length, importance, created_at, is_summary,
        bool(spoken), subject, event_date, tuple(sources) if sources else (), newest_source_at, not alone,
        _by_passage(placed, words, forms) if placed else (), source_class in RELAYED, session,
        tuple(at for name in spoken for at in called.get(name, ())) if spoken else (),
    )  # fmt: skip


def _by_passage(placed: Sequence[tuple[int, int]], words: Sequence[int], forms: Forms) -> tuple[tuple[float, ...], ...]:
    passages: dict[int, list[int]] = {}
    for term, passage in placed:
        passages.setdefault(passage, []).append(term)
    return tuple(counted(terms, words, forms) for terms in passages.values())
