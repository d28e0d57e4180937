"""What a refresh writes of a summary: its row among the memories, and an entry of its history.

The history says what each refresh read anew, let go, said and said no more, and is kept for the last refreshes. A
statement is kept once, from the refresh that brought it to the one that has it no more. It is sealed like any other,
and leaves with the memories it rests on.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import orjson
from psycopg.types.json import Jsonb

from precis.database.connections import Call, Database, Row, Tx
from precis.engine.drafted import MadeNode
from precis.engine.plan import Plan
from precis.engine.policy import Policy
from precis.errors import NotFound
from precis.ids import new_id
from precis.keys.cipher import Cipher, TenantKeys
from precis.keys.vault import Vault
from precis.language.words import index_terms
from precis.memory import RetentionState, Tier
from precis.store.changes.versions import of_then, read_counts, version_of
from precis.store.rows import FILTERED, Attributes, key_hash, open_attributes, seal_attributes
from precis.summary import Counts, Statement, Summary, assemble, served_of
from precis.trust import SourceClass, least


def summary_row(
    plan: Plan, node: MadeNode, group: Mapping[str, Any], summary_id: str, cipher: Cipher, subject: Attributes,
    shared: Row, *, policy: Policy, keys: TenantKeys,
) -> dict[str, Any]:  # fmt: skip
    """The summary as a memory row, its vector aside."""
    tenant_id = keys.tenant_id
    if policy.tier is Tier.ARCHIVE:
        subject = replace(subject, metadata=_batch(plan))
    served = served_of(node.statements, policy.served_from)
    text = node.prose or assemble(served)
    return {
        "memory_id": summary_id,
        "user_id": group["user_id"],
        "project_id": group["project_id"],
        "environment": group["environment"],
        "namespace": shared.get("namespace"),
        "session_id": shared.get("session_id"),
        "agent_id": shared.get("agent_id"),
        "run_id": shared.get("run_id"),
        "memory_type": "semantic",
        "kind": None,
        **dict.fromkeys(FILTERED),
        "extracted_type": group["extracted_type"],
        "key_hash": key_hash(subject.key, keys),
        "person_hash": key_hash(subject.person, keys),
        "tier": policy.tier.value,
        "retention_state": RetentionState.LIVE.value,
        "is_summary": True,
        "parent_id": list(plan.parents),
        "text_ciphertext": None,
        "summary_ciphertext": cipher.seal(text, tenant_id=tenant_id, row_id=summary_id, column="summary"),
        "attributes_ciphertext": seal_attributes(subject, cipher, tenant_id=tenant_id, row_id=summary_id),
        "terms": sorted(keys.terms(index_terms(" ".join([node.prose or "", *(s.text for s in served)])))),
        "importance": shared.get("importance") or 0.5,
        "pinned": False,
        "event_date": None,
        "fingerprint": node.node.key,
        "tokens": node.tokens,
        "source_class": least(leaf.source_class for leaf in node.node.leaves()).value,
    }


def subject_of(group: Mapping[str, Any], rows: Sequence[Row], cipher: Cipher, tenant_id: str) -> Attributes:
    """The subject and the person of the group, from the members that name them."""
    named = {
        row["memory_id"]: open_attributes(
            row["attributes_ciphertext"], cipher, tenant_id=tenant_id, row_id=row["memory_id"]
        )
        for row in rows
    }
    key, person = (named.get(id_, Attributes()) for id_ in (group["key_memory_id"], group["person_memory_id"]))
    return Attributes(key=key.key, person=person.person)


def _batch(plan: Plan) -> dict[str, Any]:
    """What an archive's summary says of itself."""
    return {
        "is_summary": True,
        "summarized_memory_ids": list(plan.parents),
        "summarized_until": max(leaf.created_at for leaf in plan.leaves).isoformat(),
    }


# --- what a refresh leaves in its history ---


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """Ids of memories that a refresh read and the one before did not, and the other way round."""

    came: Sequence[str]
    went: Sequence[str]


def noting_refresh(
    summary_id: str, node: MadeNode, served: Sequence[Statement], reading: Reading, *, reason: str,
    counts: Counts, cipher: Cipher, keys: TenantKeys, terms: Mapping[str, str], now: datetime, keep: int,
) -> list[Call]:  # fmt: skip
    """What notes one refresh in the transaction that commits it, after its summary is in place.

    ``terms`` are the ``term_arrays`` of what the node says.
    """
    ids = [new_id() for _ in served]
    wordings = [said_hash(statement.text, keys) for statement in served]
    links = [
        (id_, source, wording)
        for id_, statement, wording in zip(ids, served, wordings, strict=True)
        for source in statement.source_ids
    ]
    sealed = [
        cipher.seal(statement.text, tenant_id=keys.tenant_id, row_id=id_, column="text")
        for id_, statement in zip(ids, served, strict=True)
    ]
    summary = {"summary_id": summary_id}
    refresh = {
        **summary, "now": now, "reason": reason, "made_by": node.made_by, "fallback": node.fallback,
        "came": list(reading.came), "went": list(reading.went), "counts": Jsonb(counts, dumps=orjson.dumps),
        "calls": node.usage.calls, "tokens": node.usage.tokens_in + node.usage.tokens_out, "cost": node.usage.cost,
    }  # fmt: skip
    begun = {
        **summary, "ids": ids, "wordings": wordings, "texts": sealed,
        "importances": [statement.importance for statement in served],
        "terms": [terms[statement.text] for statement in served],
    }  # fmt: skip
    resting, sources, said = (list(column) for column in zip(*links, strict=True)) if links else ([], [], [])
    rests = {**summary, "ids": ids, "resting": resting, "sources": sources, "said": said}
    kept = {**summary, "keep": keep}
    return [
        ("put_refresh", refresh), ("end_said", {**summary, "wordings": wordings}), ("begin_said", begun),
        ("said_rests_on", rests), ("lapse_said", kept), ("lapse_refreshes", kept),
    ]  # fmt: skip


def said_hash(text: str, keys: TenantKeys) -> bytes:
    """Keyed hash of what a statement says: a refresh that says the same keeps its row."""
    return keys.fingerprint("said", text)


def term_arrays(statements: Iterable[Statement], keys: TenantKeys) -> dict[str, str]:
    """By the text of each of these statements the keyed words of it, as its node and its history both store them."""
    return {text: _array(keys.terms(index_terms(text))) for text in dict.fromkeys(each.text for each in statements)}


def _array(terms: Sequence[int]) -> str:
    """Sorted, so that no word order is stored; arrays of several lengths go as texts."""
    return "{" + ",".join(map(str, sorted(terms))) + "}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Refreshed:
    """One refresh of a summary."""

    #: Counts from 1.
    number: int
    refreshed_at: datetime
    #: In the words of the plan.
    reason: str
    made_by: str
    fallback: bool
    #: Ids of memories it read that the one before did not, and the other way round; forgotten ones are in neither.
    came: tuple[str, ...]
    went: tuple[str, ...]
    #: Statements it serves that the one before did not, and the other way round; without what rested on forgotten ones.
    added: tuple[Statement, ...]
    dropped: tuple[Statement, ...]
    #: What became of its sources.
    counts: Counts
    calls: int
    tokens: int
    #: US dollars.
    cost: float


@dataclass(frozen=True, kw_only=True, slots=True)
class SummaryHistory:
    """The refreshes that are kept of a summary, the newest first."""

    summary_id: str
    refreshes: tuple[Refreshed, ...]


class PostgresHistory:
    """What summaries said before."""

    def __init__(self, database: Database, vault: Vault) -> None:
        self._database = database
        self._vault = vault

    async def of(self, tenant_id: str, summary_id: str) -> SummaryHistory:
        """The refreshes of a summary that stands. Raises NotFound."""
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            if await tx.one("group_of", summary_id=summary_id) is None:
                raise NotFound(f"there is no summary {summary_id!r}")
            rows = await tx.all("refreshes_of", summary_id=summary_id)
            statements = (await self._statements(tx, [summary_id]))[summary_id]
        return SummaryHistory(
            summary_id=summary_id, refreshes=tuple(_refreshed(row, statements, oldest=rows[-1] is row) for row in rows)
        )

    async def at(self, tenant_id: str, summaries: Sequence[Summary], as_of: datetime) -> Mapping[str, Summary]:
        """These summaries as they stood at a moment, by id, where that is kept."""
        ids = [summary.id for summary in summaries]
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = {row["summary_id"]: row for row in await tx.all("refreshes_at", ids=ids, as_of=as_of)}
            statements = await self._statements(tx, list(rows))
        versions = {}
        for summary in summaries:
            row = rows.get(summary.id)
            stood = [
                entry for entry, came, went in statements[summary.id] if row and _stands(row["number"], came, went)
            ]
            if row is not None and stood:
                versions[summary.id] = version_of(summary, row, stood)
        return versions

    async def stood(
        self, tenant_id: str, summaries: Sequence[Summary], as_of: datetime, *, since: bool = False
    ) -> Sequence[Summary]:
        """Those that stood at a moment, as they stood then: as they are, where nothing changed since.

        ``since`` answers those too that were made later, with what they say of originals that had all been said by
        then: of those that have expired, nothing else tells it.
        """
        changed = [summary for summary in summaries if summary.updated_at > as_of]
        versions = await self.at(tenant_id, changed, as_of) if changed else {}
        later = [summary for summary in changed if since and summary.id not in versions]
        versions = {**versions, **(await self._said_by(tenant_id, later, as_of) if later else {})}
        return [
            versions.get(summary.id, summary)
            for summary in summaries
            if summary.updated_at <= as_of or summary.id in versions
        ]

    async def _said_by(self, tenant_id: str, summaries: Sequence[Summary], at: datetime) -> Mapping[str, Summary]:
        """These summaries with what they say of originals that had all been said by a moment, where they say any."""
        said: dict[str, list[Statement]] = defaultdict(list)
        newest: dict[str, datetime] = {}
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.all("said_by_then", ids=[summary.id for summary in summaries], at=at)
            ciphers = await self._vault.ciphers(tx, {row["user_id"] for row in rows})
        for row in rows:
            id_ = row["summary_id"]
            if row["user_id"] in ciphers:
                said[id_].append(_statement(row, ciphers[row["user_id"]], tenant_id))
                newest[id_] = max(newest.get(id_, row["newest_at"]), row["newest_at"])
        return {
            summary.id: of_then(summary, said[summary.id], newest[summary.id])
            for summary in summaries
            if summary.id in newest
        }

    async def _statements(self, tx: Tx, ids: Sequence[str]) -> Mapping[str, list[tuple[Statement, int, int | None]]]:
        """What summaries said, and from which refresh to which, by summary."""
        rows = await tx.all("statements_of_history", ids=list(ids))
        ciphers = await self._vault.ciphers(tx, {row["user_id"] for row in rows})
        statements: dict[str, list[tuple[Statement, int, int | None]]] = defaultdict(list)
        for row in rows:
            if row["user_id"] in ciphers:
                statements[row["summary_id"]].append(
                    (_statement(row, ciphers[row["user_id"]], tx.tenant_id), row["came"], row["went"])
                )
        return statements


def _stands(number: int, came: int, went: int | None) -> bool:
    return came <= number and (went is None or went > number)


def _statement(row: Row, cipher: Cipher, tenant_id: str) -> Statement:
    text = cipher.open_text(row["text_ciphertext"], tenant_id=tenant_id, row_id=row["statement_id"], column="text")
    return Statement(
        text=text, importance=row["importance"], source_ids=tuple(row["source_ids"]),
        source_class=least(map(SourceClass, row["classes"])),
    )  # fmt: skip


def _refreshed(row: Row, statements: Sequence[tuple[Statement, int, int | None]], *, oldest: bool) -> Refreshed:
    """The oldest that is kept names all that it said: what was said before it is not kept."""
    number = row["number"]
    return Refreshed(
        number=number, refreshed_at=row["refreshed_at"], reason=row["reason"], made_by=row["made_by"],
        fallback=row["fallback"], came=tuple(row["came"]), went=tuple(row["went"]),
        added=tuple(entry for entry, came, _ in statements if came == number or (oldest and came < number)),
        dropped=tuple(entry for entry, _, went in statements if went == number),
        counts=read_counts(row["counts"]), calls=row["calls"], tokens=row["tokens"], cost=row["cost"],
    )  # fmt: skip
