"""Summaries and clusters in PostgreSQL, as they are read, listed and deleted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from precis.database import sending
from precis.database.connections import Database, retried
from precis.database.queries import narrowed, query
from precis.database.replicas import from_replicas
from precis.errors import NotFound
from precis.keys.cipher import Cipher
from precis.keys.vault import Vault
from precis.memory import Scope, Tier
from precis.store.changes.posting import delete_memories
from precis.store.filtering import Filter, Page, decode_cursor, encode_cursor, filter_parameters, read_cursor
from precis.store.groups import opened_statements
from precis.store.rows import counts_in, key_hash, open_attributes, scope_of
from precis.store.rule_groups import touch_wholes
from precis.summary import Statement, Summary
from precis.trust import SourceClass


@dataclass(frozen=True, kw_only=True, slots=True)
class ClusterStats:
    """The figures for tuning: sparse ratio, churn and tokens per summary."""

    clusters: int
    #: Clusters below the minimum.
    sparse: int
    #: sparse / clusters, 0..1; 0 without clusters.
    sparse_ratio: float
    members: int
    summaries: int
    stale: int
    failed: int
    #: Refreshes committed in the last hour, by cluster id; only clusters that had any.
    refreshes_last_hour: Mapping[str, int]
    #: refreshes_last_hour summed over clusters / clusters that had any; 0 without.
    churn: float
    #: Mean tokens (in and out) that models took per committed summary of the last 35 days; 0 when offline.
    tokens_per_summary: float


class PostgresSummaries:
    """Committed summaries."""

    def __init__(self, database: Database, vault: Vault) -> None:
        self._database = database
        self._vault = vault

    async def get(self, tenant_id: str, ids: Sequence[str]) -> Mapping[str, Summary]:
        """The summaries that exist, by id."""
        if not ids:
            return {}
        named = {"ids": list(ids)}
        calls = [("get_summaries", named), ("read_served", named)]
        async with self._database.tx(tenant_id, one_moment=True, first=calls) as tx:
            rows, read = tx.answers
            standing = {row["memory_id"] for row in rows}
            stating = [row for row in read if row["node_id"] in standing]
            ciphers = await self._vault.ciphers(tx, {row["user_id"] for row in (*rows, *stating)})
        statements = opened_statements(stating, ciphers, tenant_id)
        summaries = {
            row["memory_id"]: _summary(row, statements.get(row["memory_id"], ()), ciphers[row["user_id"]], tenant_id)
            for row in rows
        }
        return {id_: summaries[id_] for id_ in ids if id_ in summaries}

    @from_replicas
    async def list(
        self, tenant_id: str, filter_: Filter, *, policy: str | None, limit: int, cursor: str | None
    ) -> Page[Summary]:
        """Newest refresh first."""
        before, before_id = decode_cursor("summaries", cursor)
        asked = {
            **filter_parameters(filter_, self._vault.keys(tenant_id)), "tenant_id": tenant_id, "policy": policy,
            "before": before, "before_id": before_id, "limit": limit + 1,
        }  # fmt: skip
        (rows,) = await self._database.read(
            tenant_id, sending.Statement(narrowed(query("list_summaries"), asked), asked)
        )
        summaries = await self.get(tenant_id, [row["memory_id"] for row in rows[:limit]])
        more = rows[limit - 1] if len(rows) > limit else None
        cursor = encode_cursor("summaries", more["updated_at"], more["memory_id"]) if more else None
        return Page(rows=tuple(summaries.values()), next_cursor=cursor)

    @retried
    async def delete(self, tenant_id: str, summary_id: str, *, now: datetime) -> None:
        """Remove a summary and suppress its source set until it changes; what reads it is stale. Raises NotFound."""
        parameters = {"summary_id": summary_id}
        async with self._database.tx(tenant_id) as tx:
            row = await tx.one("lock_group_of", **parameters)
            if row is None:
                raise NotFound(f"there is no summary {summary_id!r}")
            await tx.run("suppress_group", **parameters, group_id=row["group_id"])
            await tx.run("delete_summary_node", **parameters)
            await delete_memories(tx, [summary_id])
            if row["part_of"]:
                await touch_wholes(tx, {row["part_of"]}, now)

    async def group_of(self, tenant_id: str, summary_id: str) -> tuple[str, str]:
        """(group id, policy) of a summary. Raises NotFound."""
        async with self._database.tx(tenant_id) as tx:
            row = await tx.one("group_of", summary_id=summary_id)
        if row is None:
            raise NotFound(f"there is no summary {summary_id!r}")
        return row["group_id"], row["policy"]

    async def groups(
        self, tenant_id: str, filter_: Filter, *, policy: str | None, stale_only: bool, limit: int
    ) -> Sequence[tuple[str, str]]:
        """(group id, policy) of groups in a scope, longest due first: what ``plan`` walks."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.filtered(
                "list_groups", **filter_parameters(filter_, self._vault.keys(tenant_id)),
                policy=policy, stale_only=stale_only, limit=limit,
            )  # fmt: skip
        return [(row["group_id"], row["policy"]) for row in rows]

    async def due(self, tenant_id: str, *, now: datetime, policies: Sequence[str] | None = None) -> bool:
        """Whether any group of the tenant, under these policies, wants a refresh that nobody is making."""
        parameters = {"now": now, "policies": policies}
        async with self._database.tx(tenant_id) as tx:
            row = await tx.one("due", **parameters)
        return bool(row and row["due"])

    async def prune(self, tenant_id: str, *, before: datetime) -> None:
        """Forget when the refreshes of before then were; what they made stays."""
        async with self._database.tx(tenant_id) as tx:
            await tx.run("prune_refreshes", before=before)

    async def stats(self, tenant_id: str, filter_: Filter, *, min_members: int, now: datetime) -> ClusterStats:
        """The figures for tuning."""
        parameters = {
            **filter_parameters(filter_, self._vault.keys(tenant_id)),
            "min_members": min_members,
        }
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            row = await tx.one("stats", **parameters)
            churn = await tx.all("churn", **parameters, since=now - timedelta(hours=1))
            tokens = await tx.one("tokens_per_summary", **parameters)
        figures = row or {}
        refreshes = {entry["group_id"]: entry["refreshes"] for entry in churn}
        return ClusterStats(
            clusters=figures["clusters"],
            sparse=figures["sparse"],
            sparse_ratio=figures["sparse"] / figures["clusters"] if figures["clusters"] else 0.0,
            members=figures["members"],
            summaries=figures["summaries"],
            stale=figures["stale"],
            failed=figures["failed"],
            refreshes_last_hour=refreshes,
            churn=sum(refreshes.values()) / len(refreshes) if refreshes else 0.0,
            tokens_per_summary=tokens["tokens"] if tokens else 0.0,
        )


def _summary(row: Mapping[str, Any], statements: Sequence[Statement], cipher: Cipher, tenant_id: str) -> Summary:
    attributes = open_attributes(row["attributes_ciphertext"], cipher, tenant_id=tenant_id, row_id=row["memory_id"])
    return Summary(
        id=row["memory_id"],
        scope=scope_of(row, tenant_id),
        policy=row["policy"],
        group_id=row["group_id"],
        tier=Tier(row["tier"]),
        statements=tuple(statements),
        parent_id=tuple(row["parent_id"] or ()),
        leaf_source_ids=tuple(row["leaf_source_ids"]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        importance=row["importance"],
        quality=row["quality"],
        made_by=row["made_by"],
        fallback=row["fallback"],
        stale=row["behind"] or row["fallback"],
        extracted_type=row["extracted_type"],
        extracted_key=attributes.key,
        rejected=row["rejected"],
        counts=counts_in(row),
        prose=_open(row, "prose", cipher, tenant_id),
        title=_open(row, "title", cipher, tenant_id),
        starts_on=row["starts_on"],
        ends_on=row["ends_on"],
        view_id=row["view_id"],
        labels=row["labels"] or {},
        embedding_version=row["embedding_version"],
        source_class=SourceClass(row["source_class"]),
    )


def _open(row: Mapping[str, Any], name: str, cipher: Cipher, tenant_id: str) -> str | None:
    sealed = row[f"{name}_ciphertext"]
    return cipher.open_text(sealed, tenant_id=tenant_id, row_id=row["memory_id"], column=name) if sealed else None


_HOUR = timedelta(hours=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Cluster:
    """One cluster with what its tuning goes by."""

    group_id: str
    scope: Scope
    extracted_type: str
    #: The subject, as the oldest member that names one has it; None where none does.
    extracted_key: str | None
    #: What its summary is about, in the words of its members; None without a summary.
    title: str | None
    #: Memories in it.
    size: int
    #: Whether it has too few members for a summary.
    sparse: bool
    #: Refreshes committed in the last hour.
    churn: int
    #: When the summary that stands was made; None without one.
    last_refresh: datetime | None
    summary_id: str | None
    #: Its members changed since.
    stale: bool


class PostgresClusters:
    """Clusters of a tenant."""

    def __init__(self, database: Database, vault: Vault) -> None:
        self._database = database
        self._vault = vault

    async def list(
        self, tenant_id: str, filter_: Filter, *, key: str | None, sparse: bool | None, min_members: int, limit: int,
        cursor: str | None, now: datetime,
    ) -> Page[Cluster]:  # fmt: skip
        """The largest first. ``key`` is a subject in its normal form; ``sparse`` takes those below the minimum only."""
        after_members, after_id = (None, None) if cursor is None else read_cursor("clusters", cursor, _size)
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.filtered(
                "list_clusters", user_id=filter_.user_id,
                project_id=filter_.project_id, environment=filter_.environment, extracted_type=filter_.extracted_type,
                key_hash=key_hash(key, self._vault.keys(tenant_id)), sparse=sparse, min_members=min_members,
                after_members=after_members, after_id=after_id, limit=limit + 1, since=now - _HOUR,
            )  # fmt: skip
            ciphers = await self._vault.ciphers(tx, {row["user_id"] for row in rows})
        clusters = tuple(_cluster(row, ciphers, tenant_id, min_members) for row in rows[:limit])
        more = clusters[-1] if len(rows) > limit else None
        return Page(rows=clusters, next_cursor=encode_cursor("clusters", more.size, more.group_id) if more else None)


def _cluster(row: Mapping[str, Any], ciphers: Mapping[str, Cipher], tenant_id: str, min_members: int) -> Cluster:
    cipher, key, title = ciphers.get(row["user_id"]), None, None
    if cipher is not None and row["key_memory_id"] is not None:
        sealed, row_id = row["attributes_ciphertext"], row["key_memory_id"]
        key = open_attributes(sealed, cipher, tenant_id=tenant_id, row_id=row_id).key
    if cipher is not None and row["summary_id"] is not None:
        title = _open({**row, "memory_id": row["summary_id"]}, "title", cipher, tenant_id)
    return Cluster(
        group_id=row["group_id"], scope=scope_of(row, tenant_id),
        extracted_type=row["extracted_type"], extracted_key=key, title=title,
        size=row["members"], sparse=row["members"] < min_members, churn=row["refreshes"],
        last_refresh=row["refreshed_at"], summary_id=row["summary_id"],
        stale=row["behind"] and row["members"] >= min_members,
    )  # fmt: skip


def _size(size: object) -> int:
    if type(size) is not int or not 0 <= size < 2**31:
        raise ValueError("not a number of members")
    return size
