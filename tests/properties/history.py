"""A tenant with two users and two subjects each, a model that can fail, and a clock: what the laws are tried on."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, TypeVar, cast

from hypothesis import HealthCheck, Phase
from hypothesis.stateful import RuleBasedStateMachine, invariant

from new_rows import in_week, new_memory, plain_periods
from postings import WRONG_POSTINGS
from precis.app.refreshing import retire
from precis.database.connections import open_database
from precis.embedded.server import APPLICATION, EmbeddedServer, start, stop
from precis.engine.drafted import Outcome
from precis.engine.engine import Engine
from precis.engine.lease import Lease
from precis.engine.pipeline import refresh
from precis.engine.plan import Snapshot, make_plan
from precis.engine.policy import Budget, Place, Placing, Policy
from precis.engine.segments import Kind, Shape
from precis.errors import DraftFailed, ModelUnavailable
from precis.ids import new_id
from precis.keys.forgotten_log import ForgottenLog
from precis.keys.keyring import Keyring
from precis.memory import Scope
from precis.policies.clusters import clusters
from precis.store.filtering import Filter
from precis.store.groups import PostgresGroups, read_snapshot
from precis.store.postgres import PostgresStore, postgres_store
from precis.store.rows import NewMemory
from precis.store.upkeep.retention import Overdue
from precis.summary import Counts, Summary
from precis.testing.clock import FrozenClock
from precis.testing.fakes import HashEmbedder, Quoting, count_words, hash_vector
from precis.testing.temporary import stop_syncing
from rooms import with_database

T = TypeVar("T")
#: What the settings of all histories have in common. A shorter history that fails, too, is looked for where somebody
#: waits for it: in the long runs.
HISTORIES: dict[str, Any] = {"deadline": None, "suppress_health_check": list(HealthCheck)}
BRIEF: dict[str, Any] = {
    **HISTORIES, "max_examples": 15, "derandomize": True, "phases": [Phase.explicit, Phase.generate],
}  # fmt: skip

#: Small enough that a dozen short notes make segments, folds and prefixes.
#: And room enough that the limit of a summary never takes a quote away.
POLICY = replace(
    clusters(),
    shape=Shape(segment_tokens=24, segment_limit=60, small_tokens=40, fan=2, fan_limit=4),
    budget=Budget(summary_tokens=10_000, segment_share=2.0, merge_share=2.0, node_tokens=10_000),
)
POLICIES = {POLICY.name: POLICY, **plain_periods(POLICY)}
#: What notes tell of, in days from the first moment: two days of one week, two other weeks of that month, and a day
#: that is not over.
DAYS = (-35, -34, -28, -7, 0)
USERS = ("ada", "ben")
KEYS = ("tea", "train")
SHARED = ("garden", "harbor", "lantern")
EVERYTHING = Filter()


#: The embedded server of all histories of this process, and the folder of their keys; see ``serving``.
_server: list[tuple[EmbeddedServer, Path]] = []


@contextmanager
def serving(folder: Path) -> Iterator[None]:
    """One embedded server for all histories in the block; each opens the database anew, as each process does."""
    folder.mkdir()
    server = asyncio.run(start(with_database(folder / "data")))
    stop_syncing(server)
    _server.append((server, folder))
    try:
        yield
    finally:
        _server.clear()
        asyncio.run(stop(server))


@asynccontextmanager
async def open_store(policies: Mapping[str, Policy]) -> AsyncIterator[PostgresStore]:
    """A store with these policies; each history has a tenant of its own in it."""
    server, folder = _server[0]
    async with open_database(server.dsn(user=APPLICATION)) as database:
        yield postgres_store(database, Keyring(folder / "keys"), policies, ForgottenLog(folder / "forgotten"))


class Killed(Exception):
    """The process died here: nothing catches this, and no lease goes back."""


@dataclass
class CountingGroups:
    """Remembers the counts of each commit and passes everything on."""

    groups: PostgresGroups
    counts: list[tuple[Counts, int]]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.groups, name)

    async def commit_summary(self, lease: Lease, planned: Any, made: Any, **rest: Any) -> str:
        """Note what was counted of how many members."""
        self.counts.append((rest["counts"], len(planned.leaves)))
        return await self.groups.commit_summary(lease, planned, made, **rest)


@dataclass(frozen=True, kw_only=True)
class Moment:
    """What the laws look at."""

    #: Their policies by id.
    groups: dict[str, str]
    snapshots: list[Snapshot]
    summaries: tuple[Summary, ...]


class History(RuleBasedStateMachine):
    """The state of one history, and the steps that rules and invariants are made of."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.tenant = f"t-{new_id()}"
        self.clock = FrozenClock()
        self.opened = AsyncExitStack()
        self.store = self.wait(self.opened.enter_async_context(open_store(POLICIES)))
        self.model = Quoting("model@1")
        self.stand_in = Quoting("stand-in@1")
        self.counted = CountingGroups(self.store.groups, [])
        self.engine = Engine(
            groups=cast("PostgresGroups", self.counted),
            policies=dict(POLICIES),
            summarizer=self.model,
            fallback=self.stand_in,
            embedder=HashEmbedder(),
            count=count_words,
            clock=self.clock,
        )
        self.numbers = count()
        self.began = self.clock()
        #: What was acknowledged and not forgotten since.
        self.rows: dict[str, NewMemory] = {}
        self.expired: set[str] = set()
        #: (group, note): the text was gone before anything was made of it there.
        self.unread: set[tuple[str, str]] = set()
        #: What was forgotten, and each word that nothing may say any more.
        self.forgotten: dict[str, NewMemory] = {}
        self.unsayable: set[str] = set()
        #: Of each group what it was when its plan was looked at last.
        self.planned: dict[str, Snapshot] = {}

    def check_invariants(self, *arguments: Any, **named: Any) -> None:
        """All laws look at the same moment, which is read once."""
        self.seen = self.wait(self.look())
        super().check_invariants(*arguments, **named)

    @invariant()
    def the_postings_say_what_the_rows_say(self) -> None:
        """Whatever wrote, changed or deleted a row posted its terms, and took back those it had."""
        assert self.wait(self.wrong_postings()) == []

    async def wrong_postings(self) -> list[Any]:
        """What search by words in a large scope would get wrong."""
        async with self.store.database.tx(self.tenant) as tx:
            return await (await tx.connection.execute(WRONG_POSTINGS, {"tenant_id": self.tenant})).fetchall()

    async def look(self) -> Moment:
        """Every group and every summary."""
        return Moment(groups=await self.groups(), snapshots=await self.snapshots(), summaries=await self.summaries())

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run one coroutine to its end."""
        return self.loop.run_until_complete(work)

    def teardown(self) -> None:
        """Every history ends with a working model and an empty work list; what was forgotten stays forgotten."""
        try:
            self.wait(self.end_current())
        finally:
            self.wait(self.opened.aclose())
            self.loop.close()

    def note(self, user: str, key: str, day: int) -> NewMemory:
        """A note with a word that no other note has."""
        number = next(self.numbers)
        word = f"zq{number:04d}".translate(str.maketrans("0123456789", "bcdfghjklm"))
        text = f"a note about {word} and the {SHARED[number % 3]} near {SHARED[number % 2]}"
        scope = Scope(tenant_id=self.tenant, user_id=user)
        created = self.clock() - timedelta(days=90 - day)
        return new_memory(
            f"m{number:04d}", text, scope=scope, created_at=created, key=key, vector=hash_vector(""),
            event_date=self.day(day), metadata={"kind": "note"} if number % 5 else {},
        )  # fmt: skip

    def day(self, number: int) -> datetime:
        """One of the few days that notes tell of."""
        return self.began + timedelta(days=DAYS[number % len(DAYS)])

    def living(self) -> list[str]:
        """Ids of the notes that still have their text."""
        return sorted(set(self.rows) - self.expired)

    def replace(self, old: NewMemory, other: NewMemory) -> None:
        """Edit a note to what another one says."""
        memory = replace(other.memory, id=old.memory.id, created_at=old.memory.created_at, scope=old.memory.scope)
        row = replace(other, memory=memory)
        self.wait(self.store.memories.edit(self.tenant, row, policy=POLICY, now=self.clock()))
        self.rows[memory.id] = row
        self.unsayable.add(word_of(old))
        self.unsayable.discard(word_of(row))

    async def forget_now(self, ids: list[str]) -> None:
        """Forget, and remember what must not be said."""
        receipt = await self.store.memories.forget(self.tenant, ids, now=self.clock())
        assert tuple(ids) == receipt.forgotten
        self.gone(ids)

    def gone(self, ids: Iterable[str]) -> None:
        """These notes were forgotten."""
        for id_ in list(ids):
            row = self.rows.pop(id_)
            self.forgotten[id_] = row
            self.unsayable.add(word_of(row))
            self.expired.discard(id_)
            self.unread = {(group_id, one) for group_id, one in self.unread if one != id_}

    def spoil(self, how: str) -> None:
        """The model stops working in one of the ways it can."""
        errors = {"down": ModelUnavailable(), "refusing": DraftFailed("it refuses")}
        self.model.error = errors.get(how)
        self.model.says = {"empty": (), "inventing": ("Zebulon Quartermaine bought 77 yachts in Ulaanbaatar.",)}.get(
            how
        )

    def mend(self) -> None:
        """The model works."""
        self.model.error = self.model.says = None

    def root_key(self, snapshot: Snapshot, policy: str) -> bytes | None:
        """What the plan says the tree should be."""
        root = make_plan(POLICIES[policy], snapshot, "definition", offline=True).root
        return root.key if root else None

    def pick_group(self, pick: random.Random) -> str | None:
        """Any group."""
        ids = sorted(self.wait(self.groups()))
        return pick.choice(ids) if ids else None

    async def groups(self) -> dict[str, str]:
        """The policy of every group of the tenant."""
        found = await self.store.summaries.groups(self.tenant, EVERYTHING, policy=None, stale_only=False, limit=1000)
        return dict(sorted(found))

    async def snapshots(self) -> list[Snapshot]:
        """Every group with its members and nodes, at one moment."""
        ids, keys = await self.groups(), self.store.groups._vault.keys(self.tenant)
        async with self.store.database.tx(self.tenant, one_moment=True) as tx:
            return [await read_snapshot(tx, keys, id_) for id_ in ids]

    async def summaries(self) -> tuple[Summary, ...]:
        """Every summary of the tenant."""
        page = await self.store.summaries.list(self.tenant, EVERYTHING, policy=None, limit=1000, cursor=None)
        return page.rows

    async def summary(self, group_id: str) -> Summary | None:
        """The summary of a group, if one stands."""
        return next((one for one in await self.summaries() if one.group_id == group_id), None)

    async def claim(self, group_id: str | None = None) -> Lease | None:
        """Lease a group, or the one that is due longest."""
        return await self.store.groups.claim(
            self.tenant, now=self.clock(), lasts=self.engine.lease_lasts, group_id=group_id
        )

    async def refresh(self, group_id: str, *, force: bool = False) -> Outcome | None:
        """Refresh one group; None when somebody holds it."""
        lease = await self.claim(group_id)
        return await refresh(self.engine, lease, force=force) if lease else None

    async def drain(self) -> None:
        """Refresh until nothing is due."""
        for _ in range(200):
            lease = await self.claim()
            if lease is None:
                return
            await refresh(self.engine, lease)
        raise AssertionError("the work list does not end")

    async def expire(self, ids: list[str]) -> None:
        """Laws 5 and 6: what may go goes, and no summary says anything else for it."""
        covered = await self.covered(ids)
        before = await self.summaries()
        gone = await self.store.retention.expire(self.tenant, ids, now=self.clock())
        assert set(gone) <= covered
        await self.note_expired(gone)
        assert before == await self.summaries()

    async def compact(self) -> None:
        """The pass of a policy that replaces its notes: everything it lets go of is still said wherever it was."""
        before = {one.id: set(one.text.split()) for one in await self.summaries() if not one.stale}
        retired = await retire(self.engine, self.store, self.tenant, "day", Overdue())
        await self.note_expired(retired.expired)
        words = {word_of(self.rows[id_]) for id_ in retired.expired}
        after = {one.id: set(one.text.split()) for one in await self.summaries()}
        assert all(said & words <= after[id_] for id_, said in before.items() if id_ in after)
        assert before.keys() <= after.keys()

    async def note_expired(self, ids: Iterable[str]) -> None:
        """These went; a group without a summary never read them."""
        gone = set(ids)
        self.expired |= gone
        for snapshot in await self.snapshots():
            if snapshot.summary_id is None:
                held = {leaf.id for leaf in snapshot.leaves} & gone
                self.unread |= {(snapshot.group_id, id_) for id_ in held - spoken_for(snapshot)}

    async def covered(self, ids: Iterable[str]) -> set[str]:
        """Those for whom a frozen node, of the group or of its part, speaks in every group with a summary."""
        shown = {one.group_id: one for one in await self.summaries()}
        wholes = {place.group_id: place.whole_id for row in self.rows.values() for place in self.week_of(row)}
        frozen: dict[str, set[str]] = {}
        members: dict[str, set[str]] = {}
        for one in await self.snapshots():
            kept = {id_ for stub in one.nodes if stub.kind is Kind.FROZEN for id_ in stub.members}
            members[one.group_id] = {leaf.id for leaf in one.leaves}
            frozen.setdefault(one.group_id, set()).update(kept)
            whole = wholes.get(one.group_id)
            if whole is not None and one.summary_id is not None:
                frozen.setdefault(whole, set()).update(kept)

        def held(id_: str) -> bool:
            own = [group_id for group_id in shown if id_ in members[group_id]]
            current = all(not shown[group_id].stale or shown[group_id].fallback for group_id in own)
            return bool(own) and current and all(id_ in frozen[group_id] for group_id in own)

        return {id_ for id_ in ids if held(id_)}

    def week_of(self, row: NewMemory) -> Sequence[Place]:
        """The week of a note, which is a part of its month."""
        return in_week(row.memory, Placing(now=self.clock()))

    async def check_said(self, row: NewMemory) -> None:
        """After a refresh by a working model every summary says the note, unless there is none."""
        for group_id in await self.groups():
            await self.refresh(group_id)
        texts = {one.group_id: one.text for one in await self.summaries()}
        for snapshot in await self.snapshots():
            if snapshot.group_id not in texts or snapshot.rejected or (snapshot.group_id, row.memory.id) in self.unread:
                continue
            if row.memory.id in {leaf.id for leaf in snapshot.leaves}:
                assert word_of(row) in texts[snapshot.group_id].split()

    async def check_forgotten(self, seen: Moment) -> None:
        """Law 4, everywhere a text can be."""
        assert {leaf.id for one in seen.snapshots for leaf in one.leaves} <= set(self.rows)
        nodes = {stub.id for one in seen.snapshots for stub in one.nodes}
        contents = await self.store.groups.reader(self.tenant).contents(sorted(nodes))
        for statement in (statement for content in contents.values() for statement in content.statements):
            assert set(statement.source_ids) <= set(self.rows)
            assert not self.unsayable & set(statement.text.split())
        page = await self.store.memories.list(self.tenant, EVERYTHING, limit=1000, cursor=None)
        assert not any(self.unsayable & set((memory.text or "").split()) for memory in page.rows)
        assert {} == await self.store.memories.get(self.tenant, sorted(self.forgotten))
        for word in sorted(self.unsayable)[-3:]:
            hits = await self.store.search.search(
                self.tenant, EVERYTHING, query=word, vector=None, embedding_version="", limit=5
            )
            assert [] == list(hits)

    async def end_current(self) -> None:
        """Laws 8, 11 and 2: every group ends with one current summary by the model, and asking again asks nobody."""
        self.mend()
        self.clock.advance(timedelta(days=60))
        await self.drain()
        for snapshot in await self.snapshots():
            if snapshot.rejected is not None and snapshot.suppressed is None:
                await self.refresh(snapshot.group_id, force=True)
        await self.drain()
        shown = await self.summaries()
        groups = await self.groups()
        for snapshot in await self.snapshots():
            mine = [one for one in shown if one.group_id == snapshot.group_id]
            assert len(mine) == self.wanted(snapshot, groups[snapshot.group_id])
            assert not any(one.stale or one.fallback for one in mine)
            read = {leaf.id for leaf in snapshot.leaves if (snapshot.group_id, leaf.id) not in self.unread}
            assert all(set(one.leaf_source_ids) == read for one in mine)
            words = {word_of(self.rows[id_]) for id_ in read}
            assert all(words <= set(one.text.split()) for one in mine)
        await self.check_forgotten(await self.look())
        await self.check_fresh()
        asked = len(self.model.requests)
        for id_ in await self.groups():
            await self.refresh(id_)
        assert asked == len(self.model.requests)

    async def check_fresh(self) -> None:
        """Law 3: the trees are those of a store that only ever saw the survivors, newest first."""
        snapshots = await self.snapshots()
        frozen = any(stub.kind is Kind.FROZEN for one in snapshots for stub in one.nodes)
        if frozen or any(one.suppressed for one in snapshots):
            return
        fresh = f"{self.tenant}-fresh"
        share_keys(self.store.tenants.keyring, self.tenant, fresh)
        for row in reversed(self.rows.values()):
            await self.store.memories.add(fresh, [row_of_tenant(row, fresh)], policy=POLICY, now=self.clock())
        engine = replace(self.engine, groups=self.store.groups, summarizer=Quoting("model@1"))
        while lease := await self.store.groups.claim(fresh, now=self.clock(), lasts=engine.lease_lasts):
            await refresh(engine, lease)
        groups = await self.groups()
        again = await self.store.summaries.groups(fresh, EVERYTHING, policy=None, stale_only=False, limit=1000)
        trees = {self.root_key(await self.store.groups.snapshot(fresh, id_), policy) for id_, policy in again}
        assert trees == {self.root_key(one, groups[one.group_id]) for one in snapshots}

    def wanted(self, snapshot: Snapshot, policy: str) -> int:
        """One summary, unless there are too few members, it was deleted by request, or nothing is left to say."""
        if len(snapshot.leaves) < POLICIES[policy].trigger.min_members or snapshot.suppressed is not None:
            return 0
        spoken = spoken_for(snapshot)
        readable = any(leaf.live or leaf.id in spoken for leaf in snapshot.leaves)
        return int(readable and (snapshot.rejected is None or any(leaf.live for leaf in snapshot.leaves)))


def share_keys(keyring: object, tenant_id: str, other: str) -> None:
    """Give another tenant this one's keys: fingerprints are keyed, and only under one key two tenants cut alike."""
    assert isinstance(keyring, Keyring)
    with keyring._writing() as master:
        keyring._write(replace(keyring._load(tenant_id), tenant_id=other), master)


def take_keys(keyring: object, tenant_id: str, number: int) -> None:
    """Give a new tenant the keys of a number: they say where its groups are cut, so a seed gives the same cuts again.

    The keys that seal texts stay random.
    """
    assert isinstance(keyring, Keyring)
    keyring.open_tenant(tenant_id)
    with keyring._writing() as master:
        keys = keyring._load(tenant_id)
        secrets = {name: sha256(f"{name} {number}".encode()).digest() for name in keys.secrets}
        keyring._write(replace(keys, secrets=secrets), master)


def row_of_tenant(row: NewMemory, tenant_id: str) -> NewMemory:
    """The same row in another tenant."""
    scope = replace(row.memory.scope, tenant_id=tenant_id)
    return replace(row, memory=replace(row.memory, scope=scope))


def spoken_for(snapshot: Snapshot) -> set[str]:
    """Members that a node keeps, in the group or as a part of it."""
    return {id_ for stub in snapshot.nodes for id_ in stub.members}


def word_of(row: NewMemory) -> str:
    """The word that only this note has."""
    return (row.memory.text or "").split()[3]


def unstamped(summary: Summary | None) -> Summary | None:
    """A summary without the marks that its sources changed or its last draft was rejected."""
    return replace(summary, stale=False, rejected=False) if summary else None
