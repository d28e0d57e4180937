"""plan → draft → check → commit: how one group's summary is made current. Start reading precis here.

The five policies differ in the values they bring; the steps are the same. A refresh holds the group's lease, plans
from one snapshot, drafts node by node from the leaves up, and commits under the lease. Whatever goes wrong, what stood
stays and the group is still stale, so the next refresh finds it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta

from precis.engine.carrying import Frozen, carried
from precis.engine.commit import MadeNode, Outcome, Result, count_sources
from precis.engine.finishing import finish
from precis.engine.groups import Groups, Lease
from precis.engine.marks import Silenced
from precis.engine.plan import Action, Plan, capped_below, make_plan
from precis.engine.policy import Originals, Policy, definition
from precis.engine.prose import write_prose
from precis.engine.segments import Kind, Leaf, Node
from precis.engine.summarization import DraftRejected, draft_node, gather
from precis.errors import BudgetExhausted, DraftFailed, LeaseLost, ModelUnavailable, NoSlot, NotFound, SourceChanged
from precis.lineage import Fate, Statement
from precis.makers import Clock, Embedder, Extractor, Item, Judge, Summarizer, TokenCounter, Usage
from precis.summary import assemble, served_of

#: How long a rejected draft waits for each time it is tried again by itself; then it waits to be asked for.
_AGAIN = (timedelta(minutes=1), timedelta(minutes=10), timedelta(minutes=60))


def _back_off(attempts: int) -> timedelta:
    """15 s, 30 s, 1 min, ... up to an hour."""
    return timedelta(seconds=min(3600, 15 * 2 ** min(attempts, 8)))


def again_after(rejections: int) -> timedelta | None:
    """When a draft that was rejected so often is tried again; None: when somebody asks, or its sources change."""
    return _AGAIN[rejections - 1] if rejections <= len(_AGAIN) else None


@dataclass(frozen=True, kw_only=True)
class Engine:
    """What the steps share. A value: every part of it can be replaced by another real one."""

    groups: Groups
    policies: dict[str, Policy]
    summarizer: Summarizer
    #: Stands in when the model cannot be used and nothing stands yet; the summarizer itself when offline.
    fallback: Summarizer
    embedder: Embedder
    count: TokenCounter
    clock: Clock
    #: A second opinion on what the model drafts; None leaves it to the checks.
    judge: Judge | None = None
    #: A model that labels what is written; None leaves it to the rules.
    extractor: Extractor | None = None
    #: Names the fixed words around the prompts; part of the definition.
    wording: str = ""
    #: Renewed while a refresh goes on; so long after its process died the group is free.
    lease_lasts: timedelta = timedelta(seconds=30)
    retry_after: Callable[[int], timedelta] = _back_off

    @property
    def offline(self) -> bool:
        """Whether no model is configured at all."""
        return self.summarizer is self.fallback

    def definition_of(self, policy: Policy) -> str:
        """The hash of everything that shapes a draft of this policy besides its sources."""
        makers = (policy.summarize.model or self.summarizer.name, self.wording, self.judge.name if self.judge else "")
        return definition(policy, " ".join(filter(None, makers)))


async def plan(
    engine: Engine, tenant_id: str, group_id: str, policy_name: str, *, force: bool = False, rebuild: bool = False,
    again: bool = False,
) -> Plan:  # fmt: skip
    """What a refresh would do, without a call and without a lease."""
    snapshot = await engine.groups.snapshot(tenant_id, group_id)
    policy = engine.policies[policy_name].told(snapshot.view)
    return make_plan(
        policy, snapshot, engine.definition_of(policy), offline=engine.offline, force=force, rebuild=rebuild,
        again=again,
    )  # fmt: skip


async def refresh(
    engine: Engine, lease: Lease, *, force: bool = False, rebuild: bool = False, again: bool = False
) -> Outcome:
    """Make one leased group current. A bad draft or a lost race is an outcome, not an error: what stood stays.

    ``again``: somebody asks, so that a draft that was rejected is tried once more before its time.
    """

    async def work() -> Outcome:
        planned = await plan(
            engine, lease.tenant_id, lease.group_id, lease.policy, force=force, rebuild=rebuild,
            again=again or lease.due,
        )  # fmt: skip
        try:
            return await apply(engine, lease, planned)
        except (ModelUnavailable, BudgetExhausted):
            raise
        except DraftFailed as error:
            now = engine.clock()
            wait = again_after(planned.rejections + 1)
            await engine.groups.reject(lease, planned, retry_at=now + wait if wait else None, error=str(error), now=now)
            return Outcome(
                group_id=lease.group_id, result=Result.REJECTED, reason=str(error), usage=spent_on(error),
                summary_id=planned.summary_id,
            )  # fmt: skip

    return await attempt(engine, lease, work)


async def attempt(engine: Engine, lease: Lease, work: Callable[[], Awaitable[Outcome]]) -> Outcome:
    """Work under a lease; whatever ends it early gives the lease back and is an outcome."""
    try:
        return await work()
    except LeaseLost as error:
        return Outcome(group_id=lease.group_id, result=Result.BUSY, reason=str(error))
    except NotFound:
        # Everybody in it was forgotten after the lease was taken: nothing is left to give back.
        return Outcome(group_id=lease.group_id, result=Result.DISCARDED, reason="the group is gone")
    except NoSlot as error:
        await engine.groups.release(lease, retry_at=engine.clock(), error=None, now=engine.clock())
        return Outcome(group_id=lease.group_id, result=Result.BUSY, reason=str(error))
    except SourceChanged as error:
        await engine.groups.release(lease, retry_at=engine.clock(), error=None, now=engine.clock())
        return Outcome(group_id=lease.group_id, result=Result.DISCARDED, reason=str(error))
    except DraftFailed as error:
        retry_at = engine.clock() + engine.retry_after(lease.attempts)
        await engine.groups.release(lease, retry_at=retry_at, error=str(error), now=engine.clock())
        return Outcome(group_id=lease.group_id, result=Result.FAILED, reason=str(error), usage=spent_on(error))


def spent_on(error: DraftFailed) -> Usage:
    """What a draft took that did not pass the checks; where none was had, only the ledger knows."""
    return error.usage if isinstance(error, DraftRejected) else Usage()


async def apply(engine: Engine, lease: Lease, planned: Plan) -> Outcome:
    """Do what the plan says."""
    done = Outcome(group_id=lease.group_id, result=Result.UNCHANGED, reason=planned.reason)
    if planned.action is Action.DROP:
        await engine.groups.drop_summary(lease, planned, now=engine.clock())
        return replace(done, result=Result.DROPPED)
    if planned.waits:
        await engine.groups.give_back(lease)
        return replace(done, result=Result.REJECTED, summary_id=planned.summary_id)
    if planned.action is Action.NOTHING:
        await engine.groups.settle(lease, planned, now=engine.clock())
        return replace(done, summary_id=planned.summary_id)
    try:
        made = await draft(engine, lease, planned)
    except Silenced as error:
        await engine.groups.silence(lease, planned, now=engine.clock())
        return replace(done, result=Result.DROPPED, reason=str(error))
    return await put(engine, lease, planned, made, done)


async def put(engine: Engine, lease: Lease, planned: Plan, made: Sequence[MadeNode], done: Outcome) -> Outcome:
    """Commit what was drafted; where nothing in the group tells anything, there is no summary."""
    usage = total([one.usage for one in made])
    if not made[-1].statements:
        await engine.groups.drop_summary(lease, planned, now=engine.clock())
        reason = "nothing but small talk and questions"
        return replace(done, result=Result.EMPTY, reason=reason, usage=usage, nodes_made=len(made))
    summary_id = await commit(engine, lease, planned, made[-1])
    done = replace(done, result=Result.COMMITTED, summary_id=summary_id, usage=usage, nodes_made=len(made))
    if made[-1].rejected is None:
        return done
    # What was asked for was rejected; what stands now is a stand-in.
    return replace(done, result=Result.REJECTED, reason=made[-1].rejected)


async def draft(engine: Engine, lease: Lease, planned: Plan) -> list[MadeNode]:
    """Make every node of the plan, children first; each is kept as it is made, so that a crash repeats one call."""
    said = await standing_statements(engine, planned)
    below = dict(await _standing_fates(engine, planned, said))
    frozen = await _frozen(engine, planned)
    made: list[MadeNode] = []
    items: Sequence[Item] = ()
    for step in planned.steps[-1:] if frozen and _nothing_else(planned, frozen) else planned.steps:
        sources = [child.id for child in step.node.children if isinstance(child, Leaf)]
        memories = await engine.groups.read_sources(planned.tenant_id, sources)
        if len(memories) < len(sources):
            raise SourceChanged
        one = _alone(planned, step.node, said, below, frozen)
        if one is None:
            items = planned.marks.items(gather(step.node, memories, said))
            try:
                one = await _draft_node(engine, lease, planned, step.node, items, below)
            except DraftRejected as error:
                error.usage += total([kept.usage for kept in made])
                raise
        if one.node.kind is not Kind.ROOT:
            await engine.groups.commit_node(lease, one, now=engine.clock())
        said[one.node.key], below[one.node.key] = one.statements, one.fates
        made.append(one)
    whole = replace(
        carried(made[-1], frozen, read=items, below=below, count=engine.count),
        fallback=any(one.fallback for one in made),
        rejected=next((one.rejected for one in made if one.rejected is not None), None),
        capped=frozenset(id_ for one in made for id_ in one.capped),
        capped_below=capped_below(made[-1].node, planned.standing, {one.node.key for one in made}),
    )
    whole = planned.marks.apply(whole, engine.count)
    summarizer = None if engine.offline else engine.summarizer
    return [*made[:-1], await finish(whole, planned, summarizer=summarizer, count=engine.count)]


async def _frozen(engine: Engine, planned: Plan) -> list[Frozen]:
    """The frozen nodes whose words the summary must say: those of a policy that lets its originals go."""
    if planned.policy.originals is Originals.KEEP or planned.root is None:
        return []
    nodes = [one for one in planned.root.below() if one.kind is Kind.FROZEN and one.key in planned.standing]
    ids = [planned.standing[one.key].id for one in nodes]
    said = await engine.groups.read_statements(planned.tenant_id, ids) if ids else {}
    fates = await engine.groups.read_fates(planned.tenant_id, ids) if ids else {}
    return [
        Frozen(node=one, statements=said.get(id_, ()), fates=fates.get(id_, {}))
        for one, id_ in zip(nodes, ids, strict=True)
    ]


def _nothing_else(planned: Plan, frozen: Sequence[Frozen]) -> bool:
    """Whether the group reads nothing but these."""
    kept = {leaf.id for one in frozen for leaf in one.node.leaves()}
    return planned.root is not None and all(leaf.id in kept for leaf in planned.root.leaves())


async def _standing_fates(
    engine: Engine, planned: Plan, said: Mapping[bytes, tuple[Statement, ...]]
) -> Mapping[bytes, Mapping[str, Fate]]:
    """The fates in the standing nodes that are read, by key."""
    ids = {key: planned.standing[key].id for key in said}
    found = await engine.groups.read_fates(planned.tenant_id, list(ids.values())) if ids else {}
    return {key: found.get(id_, {}) for key, id_ in ids.items()}


async def commit(engine: Engine, lease: Lease, planned: Plan, root: MadeNode) -> str:
    """Embed the summary and put it in place; answers its id."""
    served_from = planned.policy.served_from
    text = root.prose or assemble(served_of(root.statements, served_from))
    vector = (await engine.embedder.embed([text]))[0]
    now = engine.clock()
    retry_at = now + engine.retry_after(lease.attempts) if root.fallback else None
    if root.rejected is not None:
        wait = again_after(planned.rejections + 1)
        retry_at = now + wait if wait else None
    return await engine.groups.commit_summary(
        lease,
        planned,
        root,
        vector=vector,
        embedding_version=engine.embedder.version,
        counts=count_sources(root, len(planned.leaves), served_from=served_from),
        now=now,
        retry_at=retry_at,
    )


def _alone(
    planned: Plan, node: Node, said: Mapping[bytes, tuple[Statement, ...]], below: Mapping[bytes, Mapping[str, Fate]],
    frozen: Sequence[Frozen],
) -> MadeNode | None:  # fmt: skip
    """A summary over one frozen node and nothing else says what that says, without a call.

    Where originals go, so does one over several: it says what all of them say.
    """
    child = node.children[0]
    several = bool(frozen) and node.kind is Kind.ROOT and _nothing_else(planned, frozen)
    if several:
        stub, statements, fates = planned.standing[frozen[0].node.key], frozen[0].statements, frozen[0].fates
    elif node.kind is not Kind.ROOT or len(node.children) > 1 or child.key not in planned.standing:
        return None
    else:
        stub, statements, fates = planned.standing[child.key], said[child.key], below.get(child.key, {})
    if stub.kind is not Kind.FROZEN or not statements or planned.policy.summarize.prose:
        return None
    return MadeNode(
        node=node, statements=statements, definition=planned.definition, made_by=stub.made_by,
        fallback=stub.fallback, quality=stub.quality, tokens=stub.tokens, usage=Usage(), fates=fates,
    )  # fmt: skip


async def _draft_node(
    engine: Engine, lease: Lease, planned: Plan, node: Node, items: Sequence[Item],
    below: Mapping[bytes, Mapping[str, Fate]],
) -> MadeNode:  # fmt: skip
    """One node by the summarizer; where nothing stands and the model gives no good draft, by the fallback."""
    policy = planned.policy

    async def by(summarizer: Summarizer, judge: Judge | None) -> MadeNode:
        return await draft_node(
            node, items, policy=policy, definition=planned.definition, summarizer=summarizer, judge=judge,
            count=engine.count, tenant_id=planned.tenant_id, group_id=planned.group_id,
            rederives=lease.lost, below=below,
        )  # fmt: skip

    try:
        if node.kind is Kind.ROOT and policy.summarize.prose and not engine.offline:
            return await write_prose(
                node, items, await by(engine.fallback, None), policy=policy, summarizer=engine.summarizer,
                judge=engine.judge, count=engine.count, tenant_id=planned.tenant_id, group_id=planned.group_id,
                rederives=lease.lost,
            )  # fmt: skip
        return await by(engine.summarizer, engine.judge)
    except DraftFailed as error:
        if engine.offline or planned.summary_id is not None:
            raise
        # Where the model cannot be used, neither can the judge; and quotes need none.
        with suppress(DraftRejected):
            made = await by(engine.fallback, None)
            rejected = None if isinstance(error, ModelUnavailable | BudgetExhausted) else str(error)
            return replace(made, fallback=True, rejected=rejected, usage=made.usage + spent_on(error))
        raise


async def standing_statements(engine: Engine, planned: Plan) -> dict[bytes, tuple[Statement, ...]]:
    """What the standing children of the nodes to be made say, by node key."""
    to_make = {step.node.key for step in planned.steps}
    read = {
        child.key
        for step in planned.steps
        for child in step.node.children
        if isinstance(child, Node) and child.key not in to_make
    }
    ids = {key: planned.standing[key].id for key in read}
    statements = await engine.groups.read_statements(planned.tenant_id, list(ids.values()))
    return {key: statements.get(id_, ()) for key, id_ in ids.items()}


def total(usages: Sequence[Usage]) -> Usage:
    """The sum of what several drafts took."""
    return sum(usages, start=Usage())
