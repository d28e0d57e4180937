"""Groups in PostgreSQL: leases, snapshots and commits. The port is precis.engine.groups.Groups."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from precis.database.connections import Database, retried
from precis.database.tx import Tx
from precis.engine.commit import MadeNode
from precis.engine.groups import Lease
from precis.engine.marks import SILENCED
from precis.engine.plan import NodeStub, Plan, Snapshot
from precis.engine.policy import Policy
from precis.engine.segments import Kind, Leaf
from precis.errors import LeaseLost, NotFound, SourceChanged
from precis.ids import new_id
from precis.keys.cipher import Cipher
from precis.keys.keyring import TenantKeys
from precis.keys.vault import Vault
from precis.language.words import index_terms
from precis.lineage import SET_ASIDE, Counts, Fate, Statement
from precis.memory import Memory, RetentionState
from precis.store.marks import read_marks, refuse_unheard
from precis.store.places import touch_wholes, view_of
from precis.store.rows import SummaryRows, memory_of, statement_of


class PostgresGroups:
    """What a refresh needs. Each method is one transaction; times are passed in."""

    def __init__(self, database: Database, vault: Vault, policies: Mapping[str, Policy]) -> None:
        self._database = database
        self._vault = vault
        self._policies = policies
        self._rows = SummaryRows(vault, policies)

    async def claim(
        self, tenant_id: str, *, now: datetime, lasts: timedelta, group_id: str | None = None
    ) -> Lease | None:
        """Lease this group (due or not), or the one that has been due longest; None when taken or none is due."""
        token, until = new_id(), now + lasts
        async with self._database.tx(tenant_id) as tx:
            if group_id is None:
                await tx.run("walk_in_order")
            row = await tx.one(
                "claim_group" if group_id else "claim_stalest", group_id=group_id,
                token=token, until=until, now=now,
                policies=[name for name, policy in self._policies.items() if not policy.paused],
            )  # fmt: skip
        if row is None:
            return None
        return Lease(
            tenant_id=tenant_id, group_id=row["group_id"], policy=row["policy"], token=token, until=until,
            lasts=lasts, attempts=row["attempts"], lost=row["lost"], due=row["due"],
        )  # fmt: skip

    async def renew(self, lease: Lease, *, now: datetime) -> bool:
        """Let the lease last from now on anew; False when it is lost."""
        async with self._database.tx(lease.tenant_id) as tx:
            row = await tx.one("renew_lease", group_id=lease.group_id, token=lease.token, until=now + lease.lasts)
        return row is not None

    async def snapshot(self, tenant_id: str, group_id: str) -> Snapshot:
        """Members and nodes at one moment. Raises NotFound."""
        here = {"group_id": group_id}
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            group = await tx.one("group_row", **here)
            if group is None:
                raise NotFound(f"there is no group {group_id!r}")
            leaves = await tx.all("group_leaves", **here)
            nodes = await tx.all("group_nodes", **here)
            marks = await read_marks(tx, self._vault.keys(tenant_id), group_id)
        return Snapshot(
            group_id=group_id,
            tenant_id=tenant_id,
            version=group["version"],
            leaves=tuple(_leaf(row) for row in leaves),
            nodes=tuple(_stub(row) for row in nodes),
            summary_id=group["summary_id"],
            rejected=group["rejected"],
            rejections=group["rejections"],
            suppressed=group["suppressed"],
            view=view_of(group) if group["view_id"] is not None else None,
            marks=marks,
        )

    async def read_sources(self, tenant_id: str, ids: Sequence[str]) -> Mapping[str, Memory]:
        """Live memories with their text, by id; the ones that are gone are absent."""
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.all("get_memories", ids=list(ids))
            ciphers = await self._vault.ciphers(tx, {row["user_id"] for row in rows})
            return {
                row["memory_id"]: memory_of(row, ciphers[row["user_id"]], tenant_id=tenant_id)
                for row in rows
                if row["retention_state"] != RetentionState.EXPIRED and row["user_id"] in ciphers
            }

    async def read_statements(self, tenant_id: str, node_ids: Sequence[str]) -> Mapping[str, tuple[Statement, ...]]:
        """Every statement of these nodes, in order, by node id."""
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            return await read_statements(tx, self._vault, node_ids)

    async def read_fates(self, tenant_id: str, node_ids: Sequence[str]) -> Mapping[str, Mapping[str, Fate]]:
        """What became of the sources of these nodes, by node id and source id; the rest may be left out."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("read_fates", ids=list(node_ids))
        found: dict[str, dict[str, Fate]] = defaultdict(dict)
        for row in rows:
            found[row["node_id"]][row["memory_id"]] = Fate(row["fate"])
        return found

    @retried
    async def commit_node(self, lease: Lease, made: MadeNode, *, now: datetime) -> None:
        """Keep one node below the summary. Raises LeaseLost, or SourceChanged when a source is not what was read."""
        async with self._database.tx(lease.tenant_id) as tx:
            group = await self._hold(tx, lease, made, standing=None)
            cipher = await self._cipher(tx, group["user_id"])
            here = {"group_id": lease.group_id}
            await tx.run("delete_nodes_by_key", **here, keys=[made.node.key])
            await self._put_node(tx, lease, new_id(), made, Counts(capped=made.capped_count), cipher, now, 0.0)
            bump = 1 if made.node.kind is Kind.FROZEN else 0
            await tx.run("keep_node", **here, until=now + lease.lasts, bump=bump, now=now)

    @retried
    async def commit_summary(
        self, lease: Lease, plan: Plan, made: MadeNode, *, vector: Sequence[float], embedding_version: str,
        counts: Counts, now: datetime, retry_at: datetime | None,
    ) -> str:  # fmt: skip
        """Put the summary in place, current as of the planned version; nodes it no longer reads go. Answers its id.

        ``retry_at`` is when a fallback is due again, which stands and counts as stale; None: when somebody asks.

        Raises LeaseLost, or SourceChanged when a source is not what was read.
        """
        async with self._database.tx(lease.tenant_id) as tx:
            group = await self._hold(tx, lease, made, standing=plan.summary_id)
            await refuse_unheard(tx, plan, made)
            cipher = await self._cipher(tx, group["user_id"])
            summary_id: str = group["summary_id"] or new_id()
            here = {"group_id": lease.group_id}
            keep = [node.key for node in made.node.below() if node.kind is not Kind.ROOT]
            await tx.run("delete_unread_nodes", **here, keys=keep)
            row = await self._rows.row(tx, lease, plan, made, group, summary_id, cipher)
            embedding = np.asarray(vector, dtype=np.float32)
            row |= {"embedding": embedding if embedding.any() else None, "embedding_version": embedding_version}
            row |= {"updated_at": now, "created_at": now}
            if group["summary_id"]:
                await tx.run("update_summary", **row)
            else:
                await tx.run("insert_memory", **row)
            served_from = self._policies[lease.policy].served_from
            changed = await self._put_node(tx, lease, summary_id, made, counts, cipher, now, served_from)
            if changed and group["part_of"]:
                await touch_wholes(tx, {group["part_of"]}, now)
            await self._finish(
                tx, lease, plan, group, now=now, summary_id=summary_id, retry_at=retry_at,
                rejected=plan.fingerprint if made.rejected is not None else None,
                attempts=lease.attempts + 1 if made.fallback else 0, error=made.rejected,
            )  # fmt: skip
            tokens = made.usage.tokens_in + made.usage.tokens_out
            await tx.run("record_refresh", **here, now=now, calls=made.usage.calls, tokens=tokens)
        return summary_id

    async def _hold(self, tx: Tx, lease: Lease, made: MadeNode, *, standing: str | None) -> Mapping[str, Any]:
        """The group row, locked under the lease, with every source as the draft has read it.

        ``standing`` is the node that the new one takes the place of.

        Rows first, then the group: the order in which a forget locks them.
        """
        cited = sorted({id_ for s in made.statements for id_ in s.source_ids})
        leaves = list(made.node.leaves())
        read = sorted({leaf.id for leaf in leaves}.union(cited))
        held = await tx.all("lock_sources", ids=read, cited=cited, node_id=standing)
        group = await tx.one("lock_group", group_id=lease.group_id, token=lease.token)
        if group is None:
            raise LeaseLost
        members = await tx.all("member_fingerprints", group_id=lease.group_id, ids=[leaf.id for leaf in leaves])
        now = {row["memory_id"]: row["fingerprint"] for row in members}
        if any(now.get(leaf.id) != leaf.fingerprint for leaf in leaves):
            raise SourceChanged
        # A part may cite what is no member here, until it is made anew; it must stand all the same.
        if not {row["memory_id"] for row in held}.issuperset(cited):
            raise SourceChanged
        return group

    async def _cipher(self, tx: Tx, user_id: str) -> Cipher:
        ciphers = await self._vault.ciphers(tx, {user_id}, hold=True)
        if not user_id and not ciphers:
            # Texts of several users lie under a key of the tenant, which is made with the first of them.
            ciphers = await self._vault.ciphers(tx, {user_id}, hold=True, create=True)
        if user_id not in ciphers:
            raise SourceChanged
        return ciphers[user_id]

    async def _put_node(
        self, tx: Tx, lease: Lease, node_id: str, made: MadeNode, counts: Counts, cipher: Cipher,
        now: datetime, served_from: float,
    ) -> bool:  # fmt: skip
        """Answers whether it says something else than the node that it takes the place of."""
        tenant_id = lease.tenant_id
        keys = self._vault.keys(tenant_id)
        content = _content(made, keys)
        before = await tx.one("content_of", node_id=node_id)
        sealed = {
            f"{name}_ciphertext": cipher.seal(text, tenant_id=tenant_id, row_id=node_id, column=name) if text else None
            for name, text in (("prose", made.prose), ("title", made.title))
        }
        await tx.run(
            "put_node", **sealed, served_from=served_from, content=content,
            node_id=node_id, group_id=lease.group_id, node_key=made.node.key, kind=made.node.kind.value,
            definition=made.definition, made_by=made.made_by, fallback=made.fallback, quality=made.quality,
            tokens=made.tokens, read=counts.read, represented=counts.represented,
            set_aside=sum(counts.set_aside.values()), left_out=max(0, counts.total - counts.read),
            capped=counts.capped, now=now,
            **{reason.value: counts.set_aside.get(reason.value, 0) for reason in SET_ASIDE},
        )  # fmt: skip
        leaves = [leaf.id for leaf in made.node.leaves()]
        cited = [id_ for s in made.statements for id_ in s.source_ids]
        reads = {"node_id": node_id, "ids": list(dict.fromkeys([*leaves, *cited]))}
        await tx.run("clear_statements", node_id=node_id)
        await tx.run("drop_node_sources", **reads)
        await tx.run("add_node_sources", **reads)
        known = [made.fates.get(id_) for id_ in reads["ids"]]
        await tx.run("set_fates", **reads, fates=[fate and fate.value for fate in known])
        ids = [new_id() for _ in made.statements]
        rows = [
            {
                "statement_id": id_, "node_id": node_id, "position": position,
                "text_ciphertext": cipher.seal(s.text, tenant_id=tenant_id, row_id=id_, column="statement"),
                "importance": s.importance, "superseded_by": s.superseded_by,
                "terms": sorted(keys.terms(index_terms(s.text))),
            }
            for position, (id_, s) in enumerate(zip(ids, made.statements, strict=True))
        ]  # fmt: skip
        await tx.many("insert_statement", rows)
        await tx.many(
            "insert_statement_sources",
            [{"statement_id": id_, "ids": list(s.source_ids)} for id_, s in zip(ids, made.statements, strict=True)],
        )
        return before is None or before["content"] != content

    async def _finish(
        self, tx: Tx, lease: Lease, plan: Plan, group: Mapping[str, Any], *, now: datetime,
        summary_id: str | None, retry_at: datetime | None = None, rejected: str | None = None, attempts: int = 0,
        error: str | None = None,
    ) -> None:  # fmt: skip
        """Current as of the planned version; what came in since then decides whether it is due again."""
        current = group["version"] == plan.version
        added = 0 if current else max(1, group["added"])
        lost = False if current else group["lost"]
        trigger = self._policies[lease.policy].trigger
        again = not current and trigger.is_due(
            members=group["members"], has_summary=summary_id is not None, added=added, lost=lost
        )
        # A view that is not continuous waits to be asked for, unless something was forgotten.
        on_request = group["view_id"] is not None and group["due_at"] is None and not lost
        await tx.run(
            "finish_refresh", group_id=lease.group_id, version=plan.version,
            added=added, lost=lost, due_at=now if again and not on_request else retry_at, summary_id=summary_id,
            attempts=attempts, rejected=rejected, error=error,
            rejections=plan.rejections + (error is not None) if rejected is not None else 0,
        )  # fmt: skip

    @retried
    async def drop_summary(self, lease: Lease, plan: Plan, *, now: datetime) -> None:
        """No summary may be, or nothing is to be said: remove summary and nodes."""
        async with self._database.tx(lease.tenant_id) as tx:
            await self._drop(tx, lease, plan, now)

    @retried
    async def silence(self, lease: Lease, plan: Plan, *, now: datetime) -> None:
        """All it would say was marked as wrong: remove summary and nodes, until a member or a mark changes."""
        key = SILENCED + (plan.root.key if plan.root is not None else b"")
        async with self._database.tx(lease.tenant_id) as tx:
            await self._drop(tx, lease, plan, now)
            await tx.run("suppress_silenced", group_id=lease.group_id, suppressed=key)

    async def _drop(self, tx: Tx, lease: Lease, plan: Plan, now: datetime) -> None:
        here = {"group_id": lease.group_id}
        group = await tx.one("lock_group", token=lease.token, **here)
        if group is None:
            raise LeaseLost
        if group["version"] != plan.version:
            raise SourceChanged
        await tx.run("delete_group_nodes", **here)
        await tx.run("delete_summary_row", memory_id=group["summary_id"])
        if group["part_of"]:
            await touch_wholes(tx, {group["part_of"]}, now)
        await self._finish(tx, lease, plan, group, now=now, summary_id=None)

    @retried
    async def settle(self, lease: Lease, plan: Plan, *, now: datetime) -> None:
        """Nothing to commit: the group is current as of the planned version."""
        async with self._database.tx(lease.tenant_id) as tx:
            group = await tx.one("lock_group", group_id=lease.group_id, token=lease.token)
            if group is None:
                return
            await self._finish(tx, lease, plan, group, now=now, summary_id=group["summary_id"], rejected=plan.rejected)

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

    async def give_back(self, lease: Lease) -> None:
        """Nothing was done under the lease: the group is as it was."""
        async with self._database.tx(lease.tenant_id) as tx:
            await tx.one("give_back", group_id=lease.group_id, token=lease.token)

    @retried
    async def release(self, lease: Lease, *, retry_at: datetime | None, error: str | None, now: datetime) -> None:
        """Give the lease back after a failure: due again at ``retry_at``, or in the failed state when that is None."""
        async with self._database.tx(lease.tenant_id) as tx:
            await tx.run(
                "release_group", group_id=lease.group_id, token=lease.token,
                failures=1 if error else 0, retry_at=retry_at, error=error, now=now,
            )  # fmt: skip


async def read_statements(
    tx: Tx, vault: Vault, node_ids: Sequence[str], *, served: bool = False
) -> Mapping[str, tuple[Statement, ...]]:
    """What these nodes say, or serve of it, by node id, inside the caller's transaction."""
    query = "read_served" if served else "read_statements"
    rows = await tx.all(query, ids=list(node_ids))
    ciphers = await vault.ciphers(tx, {row["user_id"] for row in rows})
    found: dict[str, list[Statement]] = defaultdict(list)
    places: dict[tuple[str, int | None], int] = {}
    for row in rows:
        places[row["node_id"], row["position"]] = len(found[row["node_id"]])
        found[row["node_id"]].append(statement_of(row, ciphers[row["user_id"]], tenant_id=tx.tenant_id))
    # Forgetting leaves gaps between the positions that displaced statements point to.
    return {
        node_id: tuple(replace(s, superseded_by=places.get((node_id, s.superseded_by))) for s in statements)
        for node_id, statements in found.items()
    }


def _content(made: MadeNode, keys: TenantKeys) -> bytes:
    """Keyed hash of what a node says and on which memories."""
    parts = [part for s in made.statements for part in (s.text, f"{s.importance} {s.superseded_by}", *s.source_ids)]
    return keys.fingerprint(*parts)


def _leaf(row: Mapping[str, Any]) -> Leaf:
    return Leaf(
        id=row["memory_id"], created_at=row["created_at"], fingerprint=row["fingerprint"], tokens=row["tokens"],
        live=row["live"],
    )  # fmt: skip


def _stub(row: Mapping[str, Any]) -> NodeStub:
    return NodeStub(
        id=row["node_id"], key=row["node_key"], kind=Kind(row["kind"]), definition=row["definition"],
        made_by=row["made_by"], fallback=row["fallback"], tokens=row["tokens"], members=tuple(row["members"]),
        redactions=row["redactions"], quality=row["quality"], content=row["content"], capped=row["capped_count"],
    )  # fmt: skip
