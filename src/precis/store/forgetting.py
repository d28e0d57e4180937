"""Forgetting and expiry in PostgreSQL, row by row.

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

import orjson
from psycopg.types.json import Jsonb

from precis.database.connections import Database, retried
from precis.database.queries import Connection, Queries, Row
from precis.engine.forgetting import External, Receipt, TouchedSummary
from precis.engine.policy import Originals, Policy
from precis.errors import Conflict, NotFound
from precis.ids import new_id
from precis.keys.forgotten_log import ForgottenLog
from precis.keys.vault import Vault
from precis.lineage import standing
from precis.memory import Memory
from precis.store.hints import Hints
from precis.store.marks import forget_marks
from precis.store.rows import Attributes, content_hash, open_attributes, seal_attributes

_SQL = Queries("forgetting")
_MEMORIES = Queries("memories")


class Leaves(Enum):
    """Which groups a row leaves."""

    ALL = auto()
    #: Those it joined by nearness.
    CLUSTERS = auto()
    NONE = auto()


class Forgetting:
    """What leaves when a memory is forgotten, edited or expired."""

    def __init__(
        self, database: Database, vault: Vault, hints: Hints, log: ForgottenLog, policies: Mapping[str, Policy]
    ) -> None:
        self._database = database
        self._vault = vault
        self._hints = hints
        self._log = log
        self._policies = policies

    @retried
    async def forget(
        self, tenant_id: str, ids: Sequence[str], *, now: datetime, renewable: bool = False, again: bool = False
    ) -> Receipt:
        """See precis.store.ports.Memories.

        ``again`` in a restored database for what the forgotten-log knows: noted anew, it would be later there than a
        revival that a newer copy has.
        """
        async with self._database.tenant(tenant_id) as connection:
            return await self.forget_within(connection, tenant_id, ids, now=now, renewable=renewable, again=again)

    async def forget_within(
        self, connection: Connection, tenant_id: str, ids: Sequence[str], *, now: datetime, renewable: bool,
        again: bool = False,
    ) -> Receipt:  # fmt: skip
        """The same as the last step of a caller's transaction that may still fail."""
        left = await self.redact(connection, tenant_id, ids, leaves=Leaves.ALL, now=now)
        if not left.ids:
            return _receipt(left, Counter(), (), ())  # it certifies nothing, so it is not kept
        receipt = await self.settle(connection, left)
        found = receipt.forgotten
        await self._bury(connection, tenant_id, found, now, renewable=renewable)
        await _SQL.run(connection, "delete_memories", tenant_id=tenant_id, ids=list(found))
        await self._keep(connection, tenant_id, receipt, now)
        if not again:
            self._log.forgot(self._vault.keys(tenant_id), receipt.id, found)
        return receipt

    @retried
    async def forget_user(self, tenant_id: str, user_id: str, *, now: datetime, again: bool = False) -> Receipt:
        """See precis.store.ports.Memories; ``again`` as above."""
        who = {"tenant_id": tenant_id, "user_id": user_id}
        async with self._database.tenant(tenant_id) as connection:
            await self._vault.lock(connection, tenant_id, user_id)  # writers of this user end first, or wait
            await self._refuse_stranger(connection, tenant_id, user_id)
            rows = await _SQL.all(connection, "ids_of_user", **who)
            ids = sorted(row["memory_id"] for row in rows)
            left = await self.redact(connection, tenant_id, ids, leaves=Leaves.ALL, now=now)
            receipt = await self.settle(connection, left)
            await self._bury(connection, tenant_id, receipt.forgotten, now)
            await _SQL.run(connection, "delete_rows_of_user", **who)
            await _SQL.run(connection, "delete_groups_of_user", **who)
            await _SQL.run(connection, "delete_conversations_of_user", **who)
            await _SQL.run(connection, "delete_zone_of_user", **who)
            await _SQL.run(connection, "delete_feedback_of_user", **who)
            await _SQL.run(connection, "delete_counts_of_user", **who)
            destroyed = await self._vault.destroy(connection, tenant_id, user_id)
            pools = await _SQL.all(connection, "pools_of_user", **who)
            elsewhere = tuple(External(where=row["pool"], state="out of reach") for row in pools)
            receipt = replace(receipt, key_destroyed=destroyed, external=elsewhere)
            await self._keep(connection, tenant_id, receipt, now)
            if not again:
                self._log.forgot(self._vault.keys(tenant_id), receipt.id, receipt.forgotten, user_id=user_id)
        await self.finish(tenant_id)
        return receipt

    async def _refuse_stranger(self, connection: Connection, tenant_id: str, user_id: str) -> None:
        """Raise NotFound for a user of whom there is neither a row nor a key: nobody is certified gone who never came.

        Who has a key wrote once, and old copies may hold it, also when every memory was forgotten by its id since.
        """
        ref = self._vault.keys(tenant_id).user_ref(user_id)
        if await _SQL.one(connection, "traces_of_user", tenant_id=tenant_id, user_id=user_id, user_ref=ref) is None:
            raise NotFound(f"there is no user {user_id!r}: nothing was forgotten, and no key was destroyed")

    @retried
    async def destroy_keys(self, tenant_id: str, refs: Collection[bytes]) -> None:
        """Those keys of forgotten users that are there, also of users without any row."""
        async with self._database.tenant(tenant_id) as connection:
            await self._vault.destroy_refs(connection, tenant_id, sorted(refs))
        await self.finish(tenant_id)

    @retried
    async def finish(self, tenant_id: str) -> None:
        """Bring the forgotten-log and the key file up to what the database has committed.

        Each step that needs it calls it, and so do every start and every sweep, for those who died before they could.
        """
        async with self._database.tenant(tenant_id) as connection:
            rows = await _SQL.all(connection, "hold_revivals", tenant_id=tenant_id)
            if rows:
                contents = {row["memory_hash"]: row["content_hash"] for row in rows}
                self._log.revived(self._vault.keys(tenant_id), contents)
                await _SQL.run(connection, "delete_revivals", tenant_id=tenant_id, hashes=list(contents))
            await self._vault.erase(connection, tenant_id)

    async def redact(
        self, connection: Connection, tenant_id: str, ids: Sequence[str], *, leaves: Leaves, now: datetime
    ) -> Left:
        """Law 4 inside the caller's transaction: what rests on these rows goes; the rows themselves stay.

        Locks the rows, then their groups, and looks lineage up only then, so that no draft in flight brings them back.
        ``leaves`` says which groups the rows leave; after an edit they may stay. Call ``settle`` once the rows are what
        they shall be.
        """
        wanted = sorted(set(ids))
        rows = await _SQL.all(connection, "lock_memories", tenant_id=tenant_id, ids=wanted)
        if any(row["is_summary"] for row in rows):
            raise Conflict("a summary cannot be forgotten: forget its sources, or delete the summary")
        found = [row["memory_id"] for row in rows]
        here = {"tenant_id": tenant_id, "ids": found}
        groups = await _SQL.all(connection, "lock_groups_of", **here)
        segments = await _SQL.all(connection, "delete_live_nodes", **here)
        terms = sorted({term for row in rows for term in row["terms"]})
        gone = await _SQL.all(connection, "delete_statements", terms=terms, **here)
        statements = Counter(row["node_id"] for row in gone)
        read = {row["node_id"] for row in await _SQL.all(connection, "redact_nodes", **here)}
        await restore_displaced(connection, tenant_id, gone)
        await forget_marks(connection, tenant_id, found)
        await _SQL.run(connection, "detach_sources", **here)
        if leaves is not Leaves.NONE:
            await _SQL.run(connection, "detach_members", **here, clusters=leaves is Leaves.CLUSTERS)
        return Left(
            tenant_id=tenant_id,
            asked=tuple(dict.fromkeys(ids)),
            ids=found,
            groups=[group["group_id"] for group in groups],
            summaries=sorted({group["summary_id"] for group in groups if group["summary_id"]} & read),
            statements=statements,
            segments=len(segments),
            now=now,
        )

    async def settle(self, connection: Connection, left: Left) -> Receipt:
        """Recompute what the groups and their summaries are without what left; answers the receipt."""
        tenant_id, here = left.tenant_id, {"tenant_id": left.tenant_id, "groups": left.groups}
        await _SQL.run(connection, "delete_empty_frozen", **here)
        await _SQL.run(
            connection, "redact_summaries", tenant_id=tenant_id, ids=left.ids, summaries=left.summaries, now=left.now
        )
        said = await _SQL.all(connection, "summaries_left", tenant_id=tenant_id, summaries=left.summaries)
        silent = set(left.summaries) - {row["summary_id"] for row in said if row["served"]}
        rows = await _SQL.all(connection, "regroup", ids=left.ids, dropped=sorted(silent), **here)
        dropped = silent | {row["summary_id"] for row in rows if row["summary_id"] and not self._enough(row)}
        last = await _SQL.all(connection, "summaries_left", tenant_id=tenant_id, summaries=sorted(dropped))
        removed = left.statements + Counter({row["summary_id"]: row["statements"] for row in last})
        for summary_id in sorted(dropped):
            await _SQL.run(connection, "drop_summary", tenant_id=tenant_id, summary_id=summary_id)
        queued = sorted(row["group_id"] for row in rows if self._enough(row))
        await _SQL.run(connection, "set_due", tenant_id=tenant_id, queued=queued, groups=left.groups, now=left.now)
        # A partition of a view that lost its last member is still one: it answers that it is empty.
        empty = [row["group_id"] for row in rows if row["members"] == 0 and row["view_id"] is None]
        await _SQL.run(connection, "delete_groups", tenant_id=tenant_id, groups=empty)
        if queued:
            await self._hints.hint(connection, tenant_id)
        return _receipt(left, removed, dropped, queued)

    def _enough(self, group: Mapping[str, Any]) -> bool:
        """Whether what is left of a group is still worth a summary."""
        policy = self._policies.get(group["policy"])
        return bool(group["members"] >= (policy.trigger.min_members if policy else 1))

    async def _bury(
        self, connection: Connection, tenant_id: str, ids: Collection[str], now: datetime, *, renewable: bool = False
    ) -> None:
        """Remember the keyed hashes of the ids that are about to go, and of their aliases, which go with them."""
        keys = self._vault.keys(tenant_id)
        aliases = await _SQL.all(connection, "aliases_of", tenant_id=tenant_id, ids=list(ids))
        hashes = [keys.tombstone(id_) for id_ in sorted({*ids, *(row["alias_id"] for row in aliases)})]
        stones = [{"tenant_id": tenant_id, "hash": hash_, "now": now, "renewable": renewable} for hash_ in hashes]
        await _SQL.many(connection, "insert_tombstone", stones)
        # One that was written again and is forgotten again before the log has heard of it: it shall not hear of it.
        await _SQL.run(connection, "delete_revivals", tenant_id=tenant_id, hashes=hashes)

    async def revive(self, connection: Connection, tenant_id: str, rows: Mapping[bytes, Memory]) -> None:
        """Take tombstones away, in the transaction that writes their ids again; ``finish`` tells the forgotten-log.

        Not here: if the write is refused after all, the log must not say that it was made.
        """
        keys = self._vault.keys(tenant_id)
        await _SQL.run(connection, "delete_tombstones", tenant_id=tenant_id, hashes=list(rows))
        await _SQL.many(
            connection,
            "insert_revival",
            [
                {"tenant_id": tenant_id, "hash": hash_, "content": content_hash(memory, keys)}
                for hash_, memory in sorted(rows.items(), key=lambda row: row[0])
            ],
        )

    async def _keep(self, connection: Connection, tenant_id: str, receipt: Receipt, now: datetime) -> None:
        body = Jsonb(receipt, dumps=orjson.dumps)
        await _SQL.run(connection, "insert_receipt", tenant_id=tenant_id, receipt_id=receipt.id, now=now, body=body)

    @retried
    async def expire(self, tenant_id: str, ids: Sequence[str], *, now: datetime) -> tuple[str, ...]:
        """See precis.store.ports.Memories."""
        async with self._database.tenant(tenant_id) as connection:
            covered = await _SQL.all(
                connection, "covered_sources", tenant_id=tenant_id, ids=sorted(ids),
                policies=[name for name, policy in self._policies.items() if policy.originals is not Originals.KEEP],
            )  # fmt: skip
            rows = await _MEMORIES.all(
                connection, "get_memories", tenant_id=tenant_id, ids=[row["memory_id"] for row in covered]
            )
            users = {row["user_id"] for row in rows}
            ciphers = await self._vault.ciphers(connection, tenant_id, users, hold=True)
            for row in rows:
                cipher, row_id = ciphers[row["user_id"]], row["memory_id"]
                full = open_attributes(row["attributes_ciphertext"], cipher, tenant_id=tenant_id, row_id=row_id)
                stub = Attributes(key=full.key, person=full.person, speaker=full.speaker)
                sealed = seal_attributes(stub, cipher, tenant_id=tenant_id, row_id=row_id)
                await _SQL.run(
                    connection, "expire_memory", tenant_id=tenant_id, memory_id=row_id, attributes_ciphertext=sealed,
                    now=now,
                )  # fmt: skip
        return tuple(id_ for id_ in dict.fromkeys(ids) if id_ in {row["memory_id"] for row in rows})


@dataclass(frozen=True, kw_only=True, slots=True)
class Left:
    """What was taken out of which groups."""

    tenant_id: str
    #: The ids asked for, in order, and those of them that exist.
    asked: tuple[str, ...]
    ids: list[str]
    groups: list[str]
    #: Summaries that had read one of them.
    summaries: list[str]
    #: Statements removed, by node.
    statements: Counter[str]
    segments: int
    now: datetime


def _receipt(left: Left, removed: Counter[str], dropped: Collection[str], queued: Collection[str]) -> Receipt:
    found = set(left.ids)
    return Receipt(
        id=new_id(),
        at=left.now,
        forgotten=tuple(id_ for id_ in left.asked if id_ in found),
        not_found=tuple(id_ for id_ in left.asked if id_ not in found),
        summaries=tuple(
            TouchedSummary(id=id_, state="deleted" if id_ in dropped else "redacted", statements_removed=removed[id_])
            for id_ in sorted({*left.summaries, *dropped})
        ),
        statements_removed=removed.total(),
        segments_removed=left.segments,
        refreshes_queued=tuple(queued),
    )


async def restore_displaced(connection: Connection, tenant_id: str, gone: Iterable[Row]) -> None:
    """Serve again what the statements ``gone`` had displaced, unless what displaced them stands.

    Each row has its node_id, its position and, in superseded_by, the position of what had displaced it.
    """
    nodes: dict[str, dict[int, int | None]] = defaultdict(dict)
    for row in gone:
        nodes[row["node_id"]][row["position"]] = row["superseded_by"]
    moved = [(node, at, standing(at, places)) for node, places in nodes.items() for at in places]
    if moved:
        await _SQL.run(
            connection, "restore_displaced", tenant_id=tenant_id, nodes=[node for node, _, _ in moved],
            positions=[at for _, at, _ in moved], newer=[newer for _, _, newer in moved],
        )  # fmt: skip
