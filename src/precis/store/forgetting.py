"""Forgetting in PostgreSQL, row by row.

The rule is in engine/forgetting.py; the table of every derived column and what happens to it is in
docs/reference/forgetting.md.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum, auto
from typing import Any

from precis.database.connections import Database, Row, Tx, retried
from precis.database.jobs import Hints
from precis.engine.forgetting import External, Receipt, TouchedSummary
from precis.engine.policy import Policy
from precis.errors import Conflict, NotFound
from precis.ids import new_id
from precis.keys.chain import Chain
from precis.keys.forgotten_log import ForgottenLog, Part
from precis.keys.receipts import hashed, in_chain, user_hash
from precis.keys.vault import Vault
from precis.lineage import standing
from precis.memory import Memory
from precis.store.changes.returning import come_back
from precis.store.rows import content_hash, forget_marks

#: What goes with a user besides raw memories and the key.
_OF_USER = (
    "delete_rows_of_user", "delete_groups_of_user", "delete_conversations_of_user", "delete_zone_of_user",
    "delete_feedback_of_user", "delete_counts_of_user", "delete_previews_of_user",
)  # fmt: skip


class Leaves(Enum):
    """Which groups a row leaves."""

    ALL = auto()
    #: Those it joined by nearness.
    CLUSTERS = auto()
    NONE = auto()


class Forgetting:
    """What leaves when a memory is forgotten or edited."""

    def __init__(
        self, database: Database, vault: Vault, hints: Hints, log: ForgottenLog, policies: Mapping[str, Policy]
    ) -> None:
        self._database = database
        self._vault = vault
        self._hints = hints
        self._log = log
        self._policies = policies
        self.chain = Chain(vault, log)

    @retried
    async def _forget(self, tenant_id: str, ids: Sequence[str], now: datetime, renewable: bool) -> Receipt:  # noqa: FBT001
        async with self._database.tx(tenant_id) as tx:
            return await self.forget_within(tx, ids, now=now, renewable=renewable)

    async def forget(self, tenant_id: str, ids: Sequence[str], *, now: datetime, renewable: bool = False) -> Receipt:
        """Law 4. Ids of summaries are refused with Conflict (delete the summary instead).

        With ``renewable`` no person asked for it: whoever has these ids may write them again. Ids that name no memory
        are ``not_found``; where none does, nothing is written.
        """
        receipt = await self._forget(tenant_id, ids, now, renewable)
        if receipt.forgotten:
            await self.finish(tenant_id)
        return receipt

    async def forget_within(self, tx: Tx, ids: Sequence[str], *, now: datetime, renewable: bool) -> Receipt:
        """The same as the last step of a caller's transaction that may still fail."""
        receipt, until = await self.remove(tx, ids, now=now, renewable=renewable)
        if receipt.forgotten:
            keys = self._vault.keys(tx.tenant_id)
            self._log.forgot(keys, receipt.id, receipt.forgotten, until=until, renewable=renewable)
        return receipt

    async def forget_part(
        self, tx: Tx, receipt: Receipt, part: Part, *, user_id: str, until: datetime
    ) -> Receipt:  # fmt: skip
        """The same of a part of a memory, as the last step of the edit with this receipt."""
        keys, (memory_id,) = self._vault.keys(tx.tenant_id), receipt.forgotten
        edit = replace(receipt, forgotten=())
        kept = await self._keep(tx, edit, {user_id}, what="part of a memory", memories=[hashed(keys, memory_id)])
        self._log.forgot_part(keys, receipt.id, memory_id, part, until=until)
        return kept

    async def remove(
        self, tx: Tx, ids: Sequence[str], *, now: datetime, renewable: bool, again: bool = False
    ) -> tuple[Receipt, datetime]:
        """What forgetting does in the database, but no note in the forgotten-log; answers ``Redaction.until``, too.

        What is forgotten ``again`` has a receipt already. Facts that rest on a message go with it, unless it may be
        written again: a session of the wire that ends leaves behind what was learned in it.
        """
        if not renewable:
            # Whoever finds facts in them ends first.
            await tx.all("lock_memories", ids=sorted(set(ids)))
            ids = [*ids, *(row["memory_id"] for row in await tx.all("facts_resting_on", ids=list(ids)))]
            await tx.run("read_repeated", ids=list(ids), now=now)
        redaction = await self.redact(tx, ids, leaves=Leaves.ALL, now=now)
        if not redaction.ids:
            return _receipt(redaction, Counter(), (), ()), redaction.until  # it certifies nothing, so it is not kept
        receipt = await self.settle(tx, redaction)
        await self._bury(tx, receipt.forgotten, now, renewable=renewable)
        await tx.run("delete_memories", ids=list(receipt.forgotten))
        if not again:
            receipt = await self._keep(tx, receipt, redaction.users, renewable=renewable)
        return receipt, redaction.until

    async def remove_facts(self, tx: Tx, ids: Sequence[str], *, now: datetime) -> None:
        """Messages say something else now: the facts go that rest on what they said. They may be found again."""
        facts = [row["memory_id"] for row in await tx.all("facts_resting_on", ids=list(ids))]
        if facts:
            await self.remove(tx, facts, now=now, renewable=True, again=True)

    async def forget_user(self, tenant_id: str, user_id: str, *, now: datetime) -> Receipt:
        """Every row of the user goes, then the user's key. Raises NotFound where there is neither."""
        receipt = await self._forget_user(tenant_id, user_id, now)
        await self.finish(tenant_id)
        return receipt

    @retried
    async def _forget_user(self, tenant_id: str, user_id: str, now: datetime) -> Receipt:
        async with self._database.tx(tenant_id) as tx:
            await self._vault.lock(tx, user_id)  # writers of this user end first, or wait
            await self._refuse_stranger(tx, user_id)
            until = max(now, await last_written(tx, user_id) or now)
            receipt = await self.remove_user(tx, user_id, now=now)
            self._log.forgot(self._vault.keys(tenant_id), receipt.id, receipt.forgotten, until=until, user_id=user_id)
        return receipt

    async def remove_user(self, tx: Tx, user_id: str, *, now: datetime, again: bool = False) -> Receipt:
        """The same of a user."""
        who = {"user_id": user_id}
        ids = sorted(row["memory_id"] for row in await tx.all("ids_of_user", **who))
        redaction = await self.redact(tx, ids, leaves=Leaves.ALL, now=now)
        receipt = await self.settle(tx, redaction)
        await self._bury(tx, receipt.forgotten, now)
        for query in _OF_USER:
            await tx.run(query, **who)
        destroyed = await self._vault.destroy(tx, user_id)
        pools = await tx.all("pools_of_user", **who)
        elsewhere = tuple(External(where=row["pool"], state="out of reach") for row in pools)
        receipt = replace(receipt, key_destroyed=destroyed, external=elsewhere)
        return receipt if again else await self._keep(tx, receipt, {user_id}, what="user")

    async def _refuse_stranger(self, tx: Tx, user_id: str) -> None:
        """Raise NotFound for a user of whom there is neither a row nor a key: nobody is certified gone who never came.

        Who has a key wrote once, and old copies may hold it, also when every memory was forgotten by its id since.
        """
        ref = self._vault.keys(tx.tenant_id).user_ref(user_id)
        if await tx.one("traces_of_user", user_id=user_id, user_ref=ref) is None:
            raise NotFound(f"there is no user {user_id!r}: nothing was forgotten, and no key was destroyed")

    @retried
    async def finish(self, tenant_id: str) -> None:
        """Bring the forgotten-log and the key file up to what the database has committed.

        Each step that needs it calls it, and so do every start and every sweep, for those who died before they could.
        """
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("hold_revivals")
            if rows:
                contents = {row["memory_hash"]: row["content_hash"] for row in rows}
                self._log.revived(self._vault.keys(tenant_id), contents)
                await tx.run("delete_revivals", hashes=list(contents))
            await self.chain.tell_log(tx)
            await self._vault.erase(tx)

    async def redact(self, tx: Tx, ids: Sequence[str], *, leaves: Leaves, now: datetime) -> Redaction:
        """Law 4 inside the caller's transaction: what rests on these rows goes; the rows themselves stay.

        Locks the rows, then their groups, and looks lineage up only then, so that no draft in flight brings them back.
        ``leaves`` says which groups the rows leave; after an edit they may stay. Call ``settle`` once the rows are what
        they shall be.
        """
        memory_ids = sorted(set(ids))
        rows = await tx.all("lock_memories", ids=memory_ids)
        if any(row["is_summary"] for row in rows):
            raise Conflict("a summary cannot be forgotten: forget its sources, or delete the summary")
        existing = [row["memory_id"] for row in rows]
        parameters = {"ids": existing}
        back = await come_back(tx, existing) if leaves is Leaves.ALL else []
        groups = await tx.all("lock_groups_of", ids=existing + back)
        group_ids = [group["group_id"] for group in groups]
        segments = await tx.all("delete_live_nodes", **parameters)
        terms = sorted({term for row in rows for term in row["terms"]})
        removed = await tx.all("delete_statements", terms=terms, **parameters)
        statements = Counter(row["node_id"] for row in removed)
        read = {row["node_id"] for row in await tx.all("redact_nodes", **parameters)}
        await restore_displaced(tx, removed)
        await forget_marks(tx, existing)
        await tx.run("forget_past", terms=terms, groups=group_ids, **parameters)
        if leaves is not Leaves.NONE:
            await tx.run("forget_past_ids", groups=group_ids, **parameters)
        await tx.run("detach_sources", **parameters)
        if leaves is not Leaves.NONE:
            await tx.run("detach_members", **parameters, clusters=leaves is Leaves.CLUSTERS)
        return Redaction(
            tenant_id=tx.tenant_id,
            requested=tuple(dict.fromkeys(ids)),
            ids=existing,
            groups=group_ids,
            users={row["user_id"] for row in rows},
            summaries=sorted({group["summary_id"] for group in groups if group["summary_id"]} & read),
            statements=statements,
            segments=len(segments),
            now=now,
            until=max([now, *(row["updated_at"] for row in rows)]),
        )

    async def settle(self, tx: Tx, redaction: Redaction) -> Receipt:
        """Recompute what the groups and their summaries are without what left; answers the receipt."""
        parameters = {"groups": redaction.groups}
        await tx.run("delete_empty_frozen", **parameters)
        await tx.run("redact_summaries", ids=redaction.ids, summaries=redaction.summaries, now=redaction.now)
        remaining = await tx.all("summaries_left", summaries=redaction.summaries)
        silent = set(redaction.summaries) - {row["summary_id"] for row in remaining if row["served"]}
        rows = await tx.all("regroup", ids=redaction.ids, dropped=sorted(silent), **parameters)
        dropped = silent | {row["summary_id"] for row in rows if row["summary_id"] and not self._enough(row)}
        last = await tx.all("summaries_left", summaries=sorted(dropped))
        removed = redaction.statements + Counter({row["summary_id"]: row["statements"] for row in last})
        for summary_id in sorted(dropped):
            await tx.run("drop_summary", summary_id=summary_id)
        queued = sorted(row["group_id"] for row in rows if self._enough(row))
        await tx.run("set_due", queued=queued, groups=redaction.groups, now=redaction.now)
        # A partition of a view that lost its last member is still one: it answers that it is empty.
        empty = [row["group_id"] for row in rows if row["members"] == 0 and row["view_id"] is None]
        await tx.run("delete_groups", groups=empty)
        if queued:
            await self._hints.hint(tx)
        return _receipt(redaction, removed, dropped, queued)

    def _enough(self, group: Mapping[str, Any]) -> bool:
        """Whether what is left of a group is still worth a summary."""
        policy = self._policies.get(group["policy"])
        return bool(group["members"] >= (policy.trigger.min_members if policy else 1))

    async def _bury(self, tx: Tx, ids: Collection[str], now: datetime, *, renewable: bool = False) -> None:
        """Remember the keyed hashes of the ids that are about to go, and of their aliases, which go with them."""
        keys = self._vault.keys(tx.tenant_id)
        aliases = await tx.all("aliases_of", ids=list(ids))
        hashes = [keys.tombstone(id_) for id_ in sorted({*ids, *(row["alias_id"] for row in aliases)})]
        stones = [{"hash": hash_, "now": now, "renewable": renewable} for hash_ in hashes]
        await tx.many("insert_tombstone", stones)
        # One that was written again and is forgotten again before the log has heard of it: it shall not hear of it.
        await tx.run("delete_revivals", hashes=hashes)

    async def revive(self, tx: Tx, rows: Mapping[bytes, Memory]) -> None:
        """Take tombstones away, in the transaction that writes their ids again; ``finish`` tells the forgotten-log.

        Not here: if the write is refused after all, the log must not say that it was made.
        """
        keys = self._vault.keys(tx.tenant_id)
        await tx.run("delete_tombstones", hashes=list(rows))
        await tx.many(
            "insert_revival",
            [
                {"hash": hash_, "content": content_hash(memory, keys)}
                for hash_, memory in sorted(rows.items(), key=lambda row: row[0])
            ],
        )

    async def _keep(self, tx: Tx, receipt: Receipt, users: Collection[str], **more: Any) -> Receipt:
        """Sign it; answers it with its place in the chain."""
        keys = self._vault.keys(tx.tenant_id)
        refs = sorted(user_hash(keys, user_id) for user_id in users)
        return in_chain(receipt, await self.chain.keep(tx, receipt, **{"what": "memories", **more, "users": refs}))


async def last_written(tx: Tx, user_id: str) -> datetime | None:
    """When somebody last wrote a memory, a turn of a conversation or feedback of this user."""
    row = await tx.one("last_written", user_id=user_id)
    return row["last_written"] if row else None


@dataclass(frozen=True, kw_only=True, slots=True)
class Redaction:
    """What was taken out of which groups."""

    tenant_id: str
    #: The ids asked for, in order, and those of them that exist.
    requested: tuple[str, ...]
    ids: list[str]
    groups: list[str]
    #: Whose they are.
    users: set[str]
    #: Summaries that had read one of them.
    summaries: list[str]
    #: Statements removed, by node.
    statements: Counter[str]
    segments: int
    now: datetime
    #: When the last of the rows had been written; now where that is later. Clocks of two machines may differ.
    until: datetime


def _receipt(redaction: Redaction, removed: Counter[str], dropped: Collection[str], queued: Collection[str]) -> Receipt:
    existing = set(redaction.ids)
    return Receipt(
        id=new_id(),
        at=redaction.now,
        forgotten=tuple(id_ for id_ in redaction.requested if id_ in existing),
        not_found=tuple(id_ for id_ in redaction.requested if id_ not in existing),
        summaries=tuple(
            TouchedSummary(id=id_, state="deleted" if id_ in dropped else "redacted", statements_removed=removed[id_])
            for id_ in sorted({*redaction.summaries, *dropped})
        ),
        statements_removed=removed.total(),
        segments_removed=redaction.segments,
        refreshes_queued=tuple(queued),
    )


async def restore_displaced(tx: Tx, removed: Iterable[Row]) -> None:
    """Serve again what the statements ``removed`` had displaced, unless what displaced them stands.

    Each row has its node_id, its position and, in superseded_by, the position of what had displaced it.
    """
    nodes: dict[str, dict[int, int | None]] = defaultdict(dict)
    for row in removed:
        nodes[row["node_id"]][row["position"]] = row["superseded_by"]
    moved = [(node, at, standing(at, places)) for node, places in nodes.items() for at in places]
    if moved:
        await tx.run(
            "restore_displaced", nodes=[node for node, _, _ in moved],
            positions=[at for _, at, _ in moved], newer=[newer for _, _, newer in moved],
        )  # fmt: skip
