"""Groups in PostgreSQL: the right to refresh one, what a refresh reads of it, and how it ends.

What is committed is written by precis.store.commits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from psycopg.errors import SerializationFailure

from precis import errors, ids, makers, memory, summary, tracing, trust
from precis.database.connections import Call, Database, Row, Tx, retried
from precis.engine.drafted import MadeNode, NodeContent
from precis.engine.lease import Lease
from precis.engine.node import item_of
from precis.engine.plan import NodeStub, Plan, Snapshot
from precis.engine.policy import Policy
from precis.engine.segments import Kind, Leaf
from precis.keys.cipher import Cipher, TenantKeys
from precis.keys.vault import Vault
from precis.store.changes.redacting import marks_of
from precis.store.commits import Commits
from precis.store.membership import view_of
from precis.store.rows import HEAD_START, memory_of, statement_of


class PostgresGroups:
    """What a refresh needs. Each method is one transaction; times are passed in."""

    def __init__(self, database: Database, vault: Vault, policies: Mapping[str, Policy], commits: Commits) -> None:
        self._database = database
        self._vault = vault
        self._policies = policies
        self._commits = commits

    async def claim(
        self, tenant_id: str, *, now: datetime, lasts: timedelta, group_id: str | None = None, look: bool = False
    ) -> Lease | None:
        """Lease this group (due or not), or the one that has been due longest; None when taken or none is due.

        With ``look`` the lease of this group has what its plan reads, unless somebody writes to it at that moment.
        """
        right = {"token": ids.new_id(), "until": now + lasts, "now": now}
        if group_id is not None:
            with suppress(SerializationFailure):
                return await self._claim(tenant_id, group_id, right, lasts, look=look)
            return await self._claim(tenant_id, group_id, right, lasts, look=False)
        async with self._database.tx(tenant_id) as tx:
            await tx.set("walk_in_order")
            policies = [name for name, policy in self._policies.items() if not policy.paused]
            rows = await tx.all("claim_stalest", **right, policies=policies)
            return await self._lease(tx, rows, right, lasts)

    async def _claim(
        self, tenant_id: str, group_id: str, right: Mapping[str, Any], lasts: timedelta, *, look: bool
    ) -> Lease | None:
        """Lease it; with ``look`` this raises SerializationFailure where somebody writes to it at that moment.

        A lease that a crash of the database takes away does no harm: nobody else holds it then.
        """
        claiming: list[Call] = [
            ("survive_no_crash", {}),
            ("claim_group", {**right, "group_id": group_id, "soon": right["now"] + HEAD_START}),
        ]
        first = [*claiming, *_snapshot_calls(group_id)] if look else claiming
        async with self._database.tx(tenant_id, steady=look, first=first, ends=not tracing.is_on()) as tx:
            _, rows, *answers = tx.answers
            snapshot = _snapshot(answers, self._vault.keys(tenant_id), group_id) if rows and look else None
            return await self._lease(tx, rows, right, lasts, snapshot)

    async def _lease(
        self, tx: Tx, rows: Sequence[Row], right: Mapping[str, Any], lasts: timedelta, snapshot: Snapshot | None = None
    ) -> Lease | None:
        if not rows:
            return None
        row = rows[0]
        cause = await tx.one("take_cause", group_id=row["group_id"]) if tracing.is_on() else None
        return Lease(
            tenant_id=tx.tenant_id, group_id=row["group_id"], policy=row["policy"], user_id=row["user_id"],
            token=right["token"], until=right["until"], lasts=lasts, attempts=row["attempts"], lost=row["lost"],
            due=row["due"], cause=cause["cause"] if cause else None, snapshot=snapshot,
        )  # fmt: skip

    async def renew(self, lease: Lease, *, now: datetime) -> bool:
        """Let the lease last from now on anew; False when it is lost."""
        async with self._database.tx(lease.tenant_id) as tx:
            row = await tx.one("renew_lease", group_id=lease.group_id, token=lease.token, until=now + lease.lasts)
        return row is not None

    async def snapshot(self, tenant_id: str, group_id: str) -> Snapshot:
        """Members and nodes at one moment. Raises NotFound."""
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            answers = await tx.last(*_snapshot_calls(group_id))
            return _snapshot(answers, self._vault.keys(tenant_id), group_id)

    def reader(self, tenant_id: str, user_id: str | None = None, *, titled: str | None = None) -> StoredReader:
        """What a draft reads, most of it of ``user_id``; with the sources what a title of ``titled`` is told from."""
        return StoredReader(self._database, self._vault, tenant_id, user_id, titled)

    @retried
    async def commit_node(self, lease: Lease, node: MadeNode, *, now: datetime) -> None:
        """Keep one node below the summary. Raises LeaseLost, or SourceChanged when a source is not what was read."""
        async with self._database.tx(lease.tenant_id, first=self._commits.holds(lease, node, standing=None)) as tx:
            await self._commits.keep_node(tx, lease, node, now=now)

    @retried
    async def commit_summary(
        self, lease: Lease, plan: Plan, root: MadeNode, *, vector: Sequence[float], embedding_version: str,
        counts: summary.Counts, now: datetime, retry_at: datetime | None,
    ) -> str:  # fmt: skip
        """Put the summary in place, current as of the planned version; nodes it no longer reads go. Answers its id.

        ``retry_at`` is when a fallback is due again, which stands and counts as stale; None: when somebody asks.

        Raises LeaseLost, or SourceChanged when a source is not what was read.
        """
        first = self._commits.holds(lease, root, standing=plan.summary_id)
        async with self._database.tx(lease.tenant_id, first=first) as tx:
            return await self._commits.put_summary(
                tx, lease, plan, root, vector=vector, embedding_version=embedding_version, counts=counts,
                now=now, retry_at=retry_at, ends=True,
            )  # fmt: skip

    @retried
    async def drop_summary(self, lease: Lease, plan: Plan, *, now: datetime, silenced: bool = False) -> None:
        """No summary may be, or nothing is to be said: remove summary and nodes.

        ``silenced``: all it would say was marked as wrong, so that none is made until a member or a mark changes.
        """
        async with self._database.tx(lease.tenant_id) as tx:
            await self._commits.drop_summary(tx, lease, plan, now=now, silenced=silenced)

    @retried
    async def settle(self, lease: Lease, plan: Plan | None, *, now: datetime) -> None:
        """Nothing to commit: the group is current as of the planned version.

        Without a plan, or with one that waits for its time, the group is as it was.
        """
        names = {"group_id": lease.group_id, "token": lease.token}
        async with self._database.tx(lease.tenant_id) as tx:
            if plan is None or plan.waits:
                await tx.one("give_back", **names)
                return
            group = await tx.one("lock_group", **names)
            if group is not None:
                await self._commits.finish(
                    tx, lease, plan, group, now=now, summary_id=group["summary_id"], rejected=plan.rejected
                )

    @retried
    async def reject(self, lease: Lease, plan: Plan, *, retry_at: datetime | None, error: str, now: datetime) -> None:
        """The draft of the plan was rejected: the group stays stale and what stood stays.

        It is due again at ``retry_at``, or waits to be asked for; at once, where its sources changed meanwhile.
        """
        async with self._database.tx(lease.tenant_id) as tx:
            await tx.run(
                "reject_draft", group_id=lease.group_id, token=lease.token,
                version=plan.version, rejected=plan.fingerprint, rejections=plan.rejections + 1, retry_at=retry_at,
                error=error, now=now,
            )  # fmt: skip

    @retried
    async def release(self, lease: Lease, *, retry_at: datetime | None, error: str | None, now: datetime) -> None:
        """Give the lease back after a failure: due again at ``retry_at``, or in the failed state when that is None."""
        async with self._database.tx(lease.tenant_id) as tx:
            await tx.run(
                "release_group", group_id=lease.group_id, token=lease.token,
                failures=1 if error else 0, retry_at=retry_at, error=error, now=now,
            )  # fmt: skip


@dataclass(frozen=True, slots=True)
class StoredReader:
    """Reads sources and nodes of one tenant for a draft: an engine.draft.Reader."""

    database: Database
    vault: Vault
    tenant_id: str
    user_id: str | None
    titled: str | None
    _ahead: list[tuple[Sequence[Sequence[Row]], Mapping[str, Cipher]]] = field(default_factory=list)

    async def items(self, leaves: Sequence[Leaf]) -> Mapping[str, makers.Item]:
        """Live memories as entries of a prompt, by id; the ones that are gone are absent."""
        calls = [("titles_beside", {"group_id": self.titled})] if self.titled is not None and not self._ahead else []
        (rows, *titles), ciphers = await self._opened(("get_memories", {"ids": [leaf.id for leaf in leaves]}), *calls)
        self._ahead.extend([(titles, ciphers)] if titles else [])
        return {
            row["memory_id"]: item_of(memory_of(row, ciphers[row["user_id"]], tenant_id=self.tenant_id))
            for row in rows
            if row["retention_state"] != memory.RetentionState.EXPIRED and row["user_id"] in ciphers
        }

    async def _opened(self, *asked: Call) -> tuple[Sequence[Sequence[Row]], Mapping[str, Cipher]]:
        """The rows of each call, and a cipher for each of their users that has a key."""
        users = [] if self.user_id is None else [self.user_id]
        calls = *asked, self.vault.request(self.tenant_id, users)
        async with self.database.tx(self.tenant_id, one_moment=True, first=calls, ends=True) as tx:
            *answers, keys = tx.answers
            ciphers = await self.vault.ciphers(tx, users, rows=keys)
        others = {row["user_id"] for rows in answers for row in rows}.difference(users)
        if others:
            async with self.database.tx(self.tenant_id, one_moment=True) as tx:
                ciphers = {**ciphers, **await self.vault.ciphers(tx, others)}
        return answers, ciphers

    async def contents(self, node_ids: Sequence[str]) -> Mapping[str, NodeContent]:
        """Every statement of these nodes, in order, and what became of their sources, by node id."""
        async with self.database.tx(self.tenant_id, one_moment=True) as tx:
            statements = await read_statements(tx, self.vault, node_ids)
            rows = await tx.all("read_fates", ids=list(node_ids))
        fates: dict[str, dict[str, summary.Fate]] = defaultdict(dict)
        for row in rows:
            fates[row["node_id"]][row["memory_id"]] = summary.Fate(row["fate"])
        return {
            node_id: NodeContent(statements=statements.get(node_id, ()), fates=fates.get(node_id, {}))
            for node_id in statements.keys() | fates.keys()
        }

    async def titles(self, group_id: str) -> Collection[str]:
        """Those of the newest other summaries of the same policy and user as this group."""
        asked = "titles_beside", {"group_id": group_id}
        (rows,), ciphers = self._ahead.pop() if self._ahead else await self._opened(asked)
        return frozenset(
            ciphers[row["user_id"]].open_text(
                row["title_ciphertext"], tenant_id=self.tenant_id, row_id=row["node_id"], column="title"
            )
            for row in rows
            if row["user_id"] in ciphers
        )


async def read_snapshot(tx: Tx, keys: TenantKeys, group_id: str) -> Snapshot:
    """A group as its plan sees it, inside the caller's transaction. Raises NotFound."""
    return _snapshot(await tx.together(*_snapshot_calls(group_id)), keys, group_id)


def _snapshot_calls(group_id: str) -> list[Call]:
    names = {"group_id": group_id}
    return [(query, names) for query in ("group_row", "group_leaves", "group_nodes", "marks_of_group")]


def _snapshot(answers: Sequence[Sequence[Row]], keys: TenantKeys, group_id: str) -> Snapshot:
    groups, leaves, nodes, marks = answers
    if not groups:
        raise errors.NotFound(f"there is no group {group_id!r}")
    group = groups[0]
    return Snapshot(
        group_id=group_id, tenant_id=keys.tenant_id, version=group["version"], summary_id=group["summary_id"],
        leaves=tuple(_leaf(row) for row in leaves), nodes=tuple(_stub(row) for row in nodes),
        rejected=group["rejected"], rejections=group["rejections"], suppressed=group["suppressed"],
        view=view_of(group) if group["view_id"] is not None else None, marks=marks_of(marks, keys),
    )  # fmt: skip


async def read_statements(
    tx: Tx, vault: Vault, node_ids: Sequence[str], *, served: bool = False
) -> Mapping[str, tuple[summary.Statement, ...]]:
    """What these nodes say, or serve of it, by node id, inside the caller's transaction."""
    rows = await tx.all("read_served" if served else "read_statements", ids=list(node_ids))
    return opened_statements(rows, await vault.ciphers(tx, {row["user_id"] for row in rows}), tx.tenant_id)


def opened_statements(
    rows: Sequence[Mapping[str, Any]], ciphers: Mapping[str, Cipher], tenant_id: str
) -> Mapping[str, tuple[summary.Statement, ...]]:
    """The statements in the answer to ``read_statements`` or ``read_served``, by node id."""
    statements: dict[str, list[summary.Statement]] = defaultdict(list)
    places: dict[tuple[str, int | None], int] = {}
    for row in rows:
        places[row["node_id"], row["position"]] = len(statements[row["node_id"]])
        statements[row["node_id"]].append(statement_of(row, ciphers[row["user_id"]], tenant_id=tenant_id))
    # Forgetting leaves gaps between the positions that displaced statements point to.
    return {
        node_id: tuple(replace(s, superseded_by=places.get((node_id, s.superseded_by))) for s in of_node)
        for node_id, of_node in statements.items()
    }


def _leaf(row: Mapping[str, Any]) -> Leaf:
    return Leaf(
        id=row["memory_id"], created_at=row["created_at"], fingerprint=row["fingerprint"], tokens=row["tokens"],
        live=row["live"], size=row["size"], source_class=trust.SourceClass(row["source_class"]),
    )  # fmt: skip


def _stub(row: Mapping[str, Any]) -> NodeStub:
    return NodeStub(
        id=row["node_id"], key=row["node_key"], kind=Kind(row["kind"]), definition=row["definition"],
        made_by=row["made_by"], fallback=row["fallback"], tokens=row["tokens"], members=tuple(row["members"]),
        redactions=row["redactions"], quality=row["quality"], content=row["content"], capped=row["capped_count"],
    )  # fmt: skip
