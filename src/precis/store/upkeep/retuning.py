"""Other limits for clusters that are there already: a preview, and the same carried out scope by scope."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from precis import ids, makers, memory
from precis.database.connections import Database, Tx, retried
from precis.database.jobs import Hints
from precis.engine.grouping import Candidate, Grouping, Regrouping, Sitting, regroup
from precis.engine.policy import Policy
from precis.keys.cipher import Cipher
from precis.keys.vault import Vault
from precis.language.sharing import Keywords, keywords
from precis.language.subjects import full_names
from precis.store.changes.scopes import Measure
from precis.store.membership import group_row, hold_groups, scope_locks
from precis.store.rows import Attributes, open_attributes
from precis.store.rule_groups import PostgresRuleGroups

#: What is known of each of these texts beside its vector.
Reading = Callable[[Sequence[str]], Sequence[makers.About]]


def _nothing(texts: Sequence[str]) -> Sequence[makers.About]:
    """An embedder that reads every language, and cannot tell words of a subject from others."""
    return [makers.About()] * len(texts)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sizes:
    """How many clusters, and how many of them are below the minimum."""

    clusters: int = 0
    sparse: int = 0

    @property
    def sparse_ratio(self) -> float:
        """The share of clusters that are too small for a summary."""
        return self.sparse / self.clusters if self.clusters else 0.0

    def __add__(self, other: Sizes) -> Sizes:
        """Both together."""
        return Sizes(clusters=self.clusters + other.clusters, sparse=self.sparse + other.sparse)


@dataclass(frozen=True, kw_only=True, slots=True)
class Retuned:
    """What other limits change, or have changed."""

    #: Members looked at, and how many of them belong to another cluster.
    members: int = 0
    moved: int = 0
    #: Clusters that lose or gain members, of them those that end; and clusters that begin.
    changed: int = 0
    closed: int = 0
    opened: int = 0
    before: Sizes = Sizes()
    after: Sizes = Sizes()

    def __add__(self, other: Retuned) -> Retuned:
        """Both together."""
        return Retuned(
            members=self.members + other.members,
            moved=self.moved + other.moved,
            changed=self.changed + other.changed,
            closed=self.closed + other.closed,
            opened=self.opened + other.opened,
            before=self.before + other.before,
            after=self.after + other.after,
        )


class PostgresRetuning:
    """Regroups what is stored."""

    def __init__(self, database: Database, vault: Vault, hints: Hints, rule_groups: PostgresRuleGroups) -> None:
        self._database = database
        self._vault = vault
        self._hints = hints
        self._rule_groups = rule_groups

    async def preview(
        self, tenant_id: str, *, policy: Policy, grouping: Grouping, reading: Reading = _nothing
    ) -> Retuned:
        """What these limits would change. Changes nothing."""
        retuned = Retuned()
        for scope in await self._scopes(tenant_id, policy):
            async with self._database.tx(tenant_id, one_moment=True) as tx:
                ciphers = await self._vault.ciphers(tx, {scope.user_id})
                members = await self._members(tx, scope, policy, ciphers, reading)
            regrouping = await asyncio.to_thread(regroup, members, grouping=grouping, new_id=ids.new_id)
            retuned += _figures(regrouping, policy.trigger.min_members)
        return retuned

    async def apply(
        self, tenant_id: str, *, policy: Policy, grouping: Grouping, now: datetime, reading: Reading = _nothing,
        since: datetime | None = None, most: int | None = None,
    ) -> Retuned:  # fmt: skip
        """Move every living member to the cluster it has under these limits: one transaction a scope.

        ``since`` leaves out scopes where no cluster began since, ``most`` those of more members. Where it is stopped
        half-way, the scopes that are done stay so and doing it again does the rest.
        """
        done = Retuned()
        for scope in await self._scopes(tenant_id, policy, since=since, most=most):
            done += await self._regroup_scope(scope, policy, grouping, now, reading)
        return done

    async def _scopes(
        self, tenant_id: str, policy: Policy, *, since: datetime | None = None, most: int | None = None
    ) -> list[memory.Scope]:
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("scopes_of", policy=policy.name, since=since, most=most)
        return [memory.Scope(tenant_id=tenant_id, **row) for row in rows]

    @retried
    async def _regroup_scope(
        self, scope: memory.Scope, policy: Policy, grouping: Grouping, now: datetime, reading: Reading
    ) -> Retuned:
        """Locked as by a write: the scope, the user's key, the rows, and then the groups."""
        async with self._database.tx(scope.tenant_id) as tx:
            await tx.together(scope_locks([scope]))
            ciphers = await self._vault.ciphers(tx, {scope.user_id}, hold=True)
            await tx.all("hold_clustered", **_of_scope(scope, policy))
            members = await self._members(tx, scope, policy, ciphers, reading)
            regrouping = await asyncio.to_thread(regroup, members, grouping=grouping, new_id=ids.new_id)
            for group_id in regrouping.opened:
                row = group_row(group_id, policy, scope, regrouping.types[group_id], now)
                await tx.run("insert_group", **row)
            old = {member.memory_id: member.group_id for member in members}
            await self._move(tx, old, regrouping.moves, policy, now)
        return _figures(regrouping, policy.trigger.min_members)

    async def _members(
        self, tx: Tx, scope: memory.Scope, policy: Policy, ciphers: Mapping[str, Cipher], reading: Reading
    ) -> list[Sitting]:
        """The members of the scope's clusters, oldest first."""
        cipher = ciphers.get(scope.user_id)
        if cipher is None:
            return []  # the user was forgotten meanwhile
        rows = await tx.all("clustered", **_of_scope(scope, policy))
        # Vectors of another embedder count as none, as they do for a write: the latest row tells which is in use.
        latest = ((row["version"], row["width"]) for row in reversed(rows) if row["width"])
        version, width = next(latest, (None, 1))
        measure = Measure(version=version, width=width)
        return await asyncio.to_thread(_sittings, rows, cipher, scope.tenant_id, measure, reading)

    async def _move(
        self, tx: Tx, old: Mapping[str, str], moves: Mapping[str, str],
        policy: Policy, now: datetime,
    ) -> None:  # fmt: skip
        """They leave the one and join the other; what the old ones say of them stands, stale, until it is re-made."""
        if not moves:
            return
        memories = sorted(moves)
        touched = sorted({*moves.values(), *(old[id_] for id_ in memories)})
        await hold_groups(tx, touched)
        await self._rule_groups.leave(tx, [(old[id_], id_) for id_ in memories], now)
        joined = {"memories": memories, "groups": [moves[id_] for id_ in memories]}
        await tx.run("join_clusters", **joined)
        await tx.run("take_types", **joined)
        rows = await tx.all(
            "settle_clusters", groups=touched, memories=memories, now=now,
            min_members=policy.trigger.min_members,
        )  # fmt: skip
        if any(row["due_at"] is not None for row in rows):
            await self._hints.hint(tx)


def _of_scope(scope: memory.Scope, policy: Policy) -> dict[str, Any]:
    return {
        "tenant_id": scope.tenant_id, "policy": policy.name, "user_id": scope.user_id,
        "project_id": scope.project_id, "environment": scope.environment,
    }  # fmt: skip


def _sittings(
    rows: Sequence[Mapping[str, Any]], cipher: Cipher, tenant_id: str, measure: Measure, reading: Reading
) -> list[Sitting]:
    """The members as grouping sees them, in order."""
    texts = [
        cipher.open_text(row["text_ciphertext"], tenant_id=tenant_id, row_id=row["memory_id"], column="text")
        for row in rows
        if row["live"]
    ]
    named = [
        open_attributes(row["attributes_ciphertext"], cipher, tenant_id=tenant_id, row_id=row["memory_id"])
        for row in rows
        if row["live"]
    ]
    # Who talks is no subject: everybody calls everybody by name.
    read = keywords(texts, people=[each.person for each in named], speakers=[each.speaker for each in named])
    known = zip(named, reading(texts), texts, read, strict=True)
    return [
        Sitting(
            memory_id=row["memory_id"], group_id=row["group_id"], type=row["extracted_type"],
            namespace=row["namespace"] or "",
            candidate=_candidate(row, measure, *next(known)) if row["live"] else None,
        )
        for row in rows
    ]  # fmt: skip


def _candidate(
    row: Mapping[str, Any], measure: Measure, named: Attributes, about: makers.About, text: str, read: Keywords
) -> Candidate:
    return Candidate(
        key=named.key, person=named.person, vector=measure.of(row["embedding"], row["version"]),
        lettered=about.lettered, type=named.ruled or row["extracted_type"], loose=named.ruled is not None,
        topic=measure.topic_of(about), words=read.words, verbs=read.verbs, moods=read.moods, name=read.name,
        speaker=named.speaker and named.speaker.casefold(), called=full_names(text),
    )  # fmt: skip


def _figures(regrouping: Regrouping, minimum: int) -> Retuned:
    return Retuned(
        members=sum(regrouping.before.values()),
        moved=len(regrouping.moves),
        changed=len(regrouping.changed),
        closed=len(set(regrouping.before) - set(regrouping.after)),
        opened=len(regrouping.opened),
        before=_sizes(regrouping.before, minimum),
        after=_sizes(regrouping.after, minimum),
    )


def _sizes(members: Mapping[str, int], minimum: int) -> Sizes:
    return Sizes(clusters=len(members), sparse=sum(1 for size in members.values() if size < minimum))
