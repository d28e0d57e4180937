"""How rows come into groups: clusters by likeness (precis.engine.grouping), other groups by the rule of a policy."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import numpy as np
from psycopg.types.json import Jsonb

from precis.database.connections import Call, Row, Tx
from precis.database.jobs import Hint, Hints, note_cause, tells_causes
from precis.engine.grouping import Candidate, Cluster, assign
from precis.engine.policy import Place, Placing, Policy, Trigger
from precis.ids import new_id
from precis.keys.cipher import Cipher
from precis.memory import Memory, Scope
from precis.store.changes.scopes import Measure, ScopeClusters, measure_of, read_stamps
from precis.store.rows import HEAD_START, NewMemory
from precis.tracing import traced
from precis.view import View

#: A memory and a group it belongs to.
Pair = tuple[str, Place]
#: By memory id: its cluster, and the type of that, which is the memory's.
Seats = dict[str, tuple[str, str]]


@dataclass(kw_only=True, slots=True)
class Seating:
    """Which rows of a write join which clusters."""

    policy: Policy
    seats: Seats = field(default_factory=dict)
    #: The parameters of clusters that are not there yet.
    opened: list[Mapping[str, Any]] = field(default_factory=list)
    #: The clusters as they are with the newcomers.
    clusters: dict[str, tuple[Scope, Measure, Cluster]] = field(default_factory=dict)

    def newcomers(self, rows: Sequence[NewMemory]) -> Mapping[str, list[NewMemory]]:
        """Those of these rows that join a cluster, by its id."""
        newcomers: dict[str, list[NewMemory]] = defaultdict(list)
        for row in rows:
            if row.memory.id in self.seats:
                newcomers[self.seats[row.memory.id][0]].append(row)
        return newcomers

    def grown(self, update: Mapping[str, Any], stamp: str) -> tuple[str, Scope, str, Cluster]:
        """A cluster as it was written."""
        scope, measure, cluster = self.clusters[update["group_id"]]
        centroid = measure.of(update["centroid"], update["centroid_version"])
        return self.policy.name, scope, stamp, replace(cluster, centroid=centroid, members=update["members"])


class Membership:
    """Puts rows into groups, inside the transaction of whoever writes them."""

    def __init__(self, hints: Hints, policies: Mapping[str, Policy]) -> None:
        self.hints = hints
        self.clusters = ScopeClusters()
        #: Those that place memories by a rule.
        self.placing = {name: policy for name, policy in policies.items() if policy.place is not None}

    @traced("select")
    async def to_clusters(
        self, tx: Tx, rows: Sequence[NewMemory], ciphers: Mapping[str, Cipher], policy: Policy, now: datetime,
        *, stamps: Mapping[Scope, str | None] | None = None,
    ) -> Seating:  # fmt: skip
        """Find the cluster of each row, in the order given; those that are not there yet are to be made.

        ``stamps`` are those of the scopes, where they were read under their locks.
        """
        kin: dict[Scope, list[NewMemory]] = defaultdict(list)
        for row in rows:
            if policy.select.takes(row.memory):
                kin[row.memory.scope].append(row)
        seating = Seating(policy=policy)
        for scope, members in kin.items():
            measure = measure_of(members)
            clusters = await self.clusters.read(
                tx, policy.name, scope, ciphers[scope.user_id], measure,
                await read_stamps(tx, policy.name, scope) if stamps is None else stamps[scope],
            )  # fmt: skip
            for namespace in dict.fromkeys(row.memory.namespace or "" for row in members):
                mine = [row for row in members if (row.memory.namespace or "") == namespace]
                _seat(seating, scope, measure, mine, [each for each in clusters if each.namespace == namespace], now)
        return seating

    async def join(
        self, tx: Tx, rows: Sequence[NewMemory], ciphers: Mapping[str, Cipher], policy: Policy, now: datetime
    ) -> None:
        """Put rows that are there already into clusters."""
        seating = await self.to_clusters(tx, rows, ciphers, policy, now)
        await tx.many("insert_group", seating.opened)
        hint = self.hints.next(tx.tenant_id)
        locked, waits = await tx.together(("lock_groups", {"ids": sorted(seating.clusters)}), hint.waits)
        await self.grow(tx, rows, seating, locked, now, asked=(hint, bool(waits)))

    async def grow(
        self, tx: Tx, rows: Sequence[NewMemory], seating: Seating, locked: Sequence[Row], now: datetime,
        *, asked: tuple[Hint, bool], ends: bool = False,
    ) -> set[str]:  # fmt: skip
        """Mark the clusters, whose rows are locked: membership, centroid, figures; answers the groups that are due.

        ``asked`` is a hint and whether its tick waits. Where it ``ends`` the transaction, nothing comes after.
        """
        newcomers = seating.newcomers(rows)
        updates = [
            _grown(tx.tenant_id, group, newcomers[group["group_id"]], seating.policy.trigger, now)
            for group in locked
            if group["group_id"] in newcomers
        ]
        if not updates:
            return set()
        members = {"groups": [group_id for group_id, _ in seating.seats.values()], "ids": list(seating.seats)}
        due = {update["group_id"] for update in updates if update["due_at"]}
        hint, waits = asked
        hints = not waits and any(row["due_at"] and row["due_at"] <= now for row in updates)
        send = tx.last if ends and not hints and not tells_causes() else tx.together
        calls: list[Call] = [("insert_members", members), *(("update_group", update) for update in updates)]
        _, *answers = await send(*calls)
        for update, (row,) in zip(updates, answers, strict=False):
            self.clusters.grown(*seating.grown(update, row["stamp"]))
        await note_cause(tx, newcomers)
        if hints:
            await self.hints.hint(tx, hint)
        return due

    async def places_of(self, tx: Tx, memories: Sequence[Memory], now: datetime) -> list[Pair]:
        """The groups of these memories, which are made where they are not there yet."""
        pairs = self.pairs_of(memories, await self.rules(tx, {memory.scope.user_id for memory in memories}), now)
        await make_places(tx, [place for _, place in pairs], now)
        return pairs

    async def rules(self, tx: Tx, users: Collection[str]) -> Row:
        """The rules of placing as they are now."""
        ((rules,),) = await tx.together(rules_of(users))
        return rules

    def pairs_of(self, memories: Sequence[Memory], rules: Row, now: datetime) -> list[Pair]:
        """The groups that these memories belong to by these rules."""
        placing = Placing(now=now, zones=rules["zones"], views=tuple(view_of(row) for row in rules["views"]))
        policies = self.placing.values()
        return [(row.id, place) for row in memories for policy in policies for place in policy.places_of(row, placing)]

    async def to_places(self, tx: Tx, pairs: Sequence[Pair], now: datetime) -> int:
        """The memories become members, under the lock of the groups; answers how many were not before."""
        if not pairs:
            return 0
        members = {
            "groups": [place.group_id for _, place in pairs], "memories": [id_ for id_, _ in pairs],
            "leave": [place.leaves_at for _, place in pairs],
        }  # fmt: skip
        _, grown = await tx.together(("stay_in_places", members), ("join_places", members))
        joined = Counter(row["group_id"] for row in grown)
        due = _earliest(place for _, place in pairs)
        ids = sorted(joined)
        rows = await tx.all(
            "grow_places", groups=ids, joined=[joined[id_] for id_ in ids],
            due=[due[id_] for id_ in ids],
        )  # fmt: skip
        await note_cause(tx, ids)
        if any(row["due_at"] is not None and row["due_at"] <= now for row in rows):
            await self.hints.hint(tx)
        return joined.total()


async def share_placing(tx: Tx) -> None:
    """The rules of placing stay as they are until the transaction ends."""
    await tx.run("share_placing")


def writer_locks(scopes: Sequence[Scope]) -> Call:
    """A writer's first locks: the rules of placing stay as they are until the transaction ends; and ``scope_locks``."""
    return "lock_as_writer", scope_locks(scopes)[1]


def scope_locks(scopes: Sequence[Scope]) -> Call:
    """Writers of one scope take turns, in one order, so that two of them cannot open the same cluster."""
    return "lock_scopes", {"scopes": sorted({_lock_name(scope) for scope in scopes})}


def rules_of(users: Collection[str]) -> Call:
    """The rules of placing as they are now."""
    return "read_placing", {"users": sorted({"", *users})}


async def make_places(tx: Tx, places: Sequence[Place], now: datetime) -> None:
    """The groups of these places."""
    rows = {place.group_id: _place_row(tx.tenant_id, place, now) for place in places}
    if rows:
        await tx.many("insert_place", [rows[id_] for id_ in sorted(rows)])


async def hold_groups(tx: Tx, group_ids: Collection[str]) -> None:
    """Lock the group rows, in order."""
    await tx.all("hold_groups", ids=sorted(group_ids))


def _seat(
    seating: Seating, scope: Scope, measure: Measure, rows: Sequence[NewMemory], clusters: Sequence[Cluster],
    now: datetime,
) -> None:  # fmt: skip
    """Find the cluster of each of these rows, which are of one namespace as all members of these clusters are."""
    candidates = [_candidate(row, measure) for row in rows]
    group_ids, touched = assign(candidates, clusters, grouping=seating.policy.group, new_id=new_id)
    types = {cluster.group_id: cluster.type for cluster in touched}
    opened = sorted(set(group_ids) - {cluster.group_id for cluster in clusters})
    seating.opened += [group_row(group_id, seating.policy, scope, types[group_id], now) for group_id in opened]
    of = rows[0].memory.namespace or ""
    seating.clusters |= {each.group_id: (scope, measure, replace(each, namespace=of)) for each in touched}
    seating.seats |= {row.memory.id: (group_id, types[group_id]) for row, group_id in zip(rows, group_ids, strict=True)}


def _candidate(row: NewMemory, measure: Measure) -> Candidate:
    return Candidate(
        key=row.memory.extracted_key, person=row.person, vector=measure.of_row(row), lettered=row.about.lettered,
        type=row.memory.extracted_type, loose=row.ruled is not None, topic=measure.topic_of(row.about),
    )  # fmt: skip


def _lock_name(scope: Scope) -> str:
    return f"{scope.tenant_id}\x1f{scope.user_id}\x1f{scope.project_id}\x1f{scope.environment}"


def group_row(group_id: str, policy: Policy, scope: Scope, type_: str, now: datetime) -> dict[str, Any]:
    """The parameters of a new cluster."""
    return {
        "tenant_id": scope.tenant_id, "group_id": group_id, "policy": policy.name, "user_id": scope.user_id,
        "project_id": scope.project_id, "environment": scope.environment, "extracted_type": type_, "now": now,
    }  # fmt: skip


def _grown(
    tenant_id: str, group: Mapping[str, Any], newcomers: Sequence[NewMemory], trigger: Trigger, now: datetime
) -> dict[str, Any]:
    """The figures of a group after these members joined."""
    members = group["members"] + len(newcomers)
    added = group["added"] + len(newcomers)
    centroid, version = _mean(group, newcomers)
    due_at = now + HEAD_START if all(row.awaited for row in newcomers) else now
    due = trigger.is_due(members=members, has_summary=group["summary_id"] is not None, added=added, lost=group["lost"])
    return {
        "tenant_id": tenant_id,
        "group_id": group["group_id"],
        "centroid": centroid,
        "centroid_version": version,
        "members": members,
        "added": added,
        "due_at": min(group["due_at"] or due_at, due_at) if due else None,
        "key_memory_id": group["key_memory_id"]
        or next((row.memory.id for row in newcomers if row.memory.extracted_key is not None), None),
        "person_memory_id": group["person_memory_id"]
        or next((row.memory.id for row in newcomers if row.person is not None), None),
    }


def _mean(group: Mapping[str, Any], newcomers: Sequence[NewMemory]) -> tuple[Any, str | None]:
    """The mean with the newcomers, and the embedder that it is of; rows without a vector do not count.

    None while there is no vector at all. The first newcomer of another embedder begins the mean anew: the others come
    to it as their vectors are made anew.
    """
    measure = measure_of(newcomers)
    vectors = [vector for vector in map(measure.of_row, newcomers) if vector.any()]
    if measure.version is None or not vectors:
        return group["centroid"], group["centroid_version"]
    centroid = measure.of(group["centroid"], group["centroid_version"])
    known = group["members"] if centroid.any() else 0
    mean = (centroid * known + np.sum(vectors, axis=0)) / (known + len(vectors))
    return np.asarray(mean, dtype=np.float32), measure.version


def view_of(row: Mapping[str, Any]) -> View:
    """A row of views."""
    return View(
        id=row["view_id"], name=row["name"], source=row["source"], group_by=tuple(row["group_by"]),
        filters=row["filters"], window_days=row["window_days"], continuous=row["continuous"], prompt=row["prompt"],
        model=row["model"],
    )  # fmt: skip


def _place_row(tenant_id: str, place: Place, now: datetime) -> dict[str, Any]:
    return {
        "tenant_id": tenant_id, "group_id": place.group_id, "policy": place.policy, "user_id": place.user_id,
        "project_id": place.project_id, "environment": place.environment, "place": place.name,
        "starts_on": place.starts_on, "ends_on": place.ends_on, "view_id": place.view_id,
        "labels": Jsonb(dict(place.labels)) if place.labels is not None else None, "part_of": place.whole_id,
        "now": now,
    }  # fmt: skip


def _earliest(places: Iterable[Place]) -> dict[str, datetime | None]:
    """When each group is due by what its newcomers say."""
    due: dict[str, datetime | None] = {}
    for place in places:
        known = due.get(place.group_id)
        due[place.group_id] = min(known, place.due_at) if known and place.due_at else known or place.due_at
    return due
