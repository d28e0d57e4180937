"""plan → draft → check → commit: how one group's summary is made current. Start reading precis here.

The five policies differ in the values they bring; the steps are the same. A refresh holds the group's lease, plans
from one snapshot, drafts node by node from the leaves up, and commits under the lease. Whatever goes wrong, what stood
stays and the group is still stale, so the next refresh finds it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from precis.engine.commit import MadeNode, Outcome, Result, count_sources
from precis.engine.groups import Groups, Lease
from precis.engine.plan import Action, Plan, make_plan
from precis.engine.policy import Policy, definition
from precis.engine.ports import Clock, Embedder, Extractor, Item, Judge, Summarizer, TokenCounter, Usage
from precis.engine.segments import Kind, Leaf, Node
from precis.engine.summarization import draft_node, gather
from precis.errors import BudgetExhausted, DraftFailed, LeaseLost, ModelUnavailable, NoSlot, NotFound, SourceChanged
from precis.lineage import Statement
from precis.summary import assemble


def _back_off(attempts: int) -> timedelta:
    """15 s, 30 s, 1 min, ... up to an hour."""
    return timedelta(seconds=min(3600, 15 * 2 ** min(attempts, 8)))


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
    engine: Engine, tenant_id: str, group_id: str, policy_name: str, *, force: bool = False, rebuild: bool = False
) -> Plan:
    """What a refresh would do, without a call and without a lease."""
    policy = engine.policies[policy_name]
    snapshot = await engine.groups.snapshot(tenant_id, group_id)
    return make_plan(
        policy, snapshot, engine.definition_of(policy), offline=engine.offline, force=force, rebuild=rebuild
    )


async def refresh(engine: Engine, lease: Lease, *, force: bool = False, rebuild: bool = False) -> Outcome:
    """Make one leased group current. A bad draft or a lost race is an outcome, not an error: what stood stays."""

    async def work() -> Outcome:
        planned = await plan(engine, lease.tenant_id, lease.group_id, lease.policy, force=force, rebuild=rebuild)
        try:
            return await apply(engine, lease, planned)
        except (ModelUnavailable, BudgetExhausted):
            raise
        except DraftFailed as error:
            await engine.groups.settle(lease, planned, rejected=True, now=engine.clock())
            return Outcome(group_id=lease.group_id, result=Result.REJECTED, reason=str(error))

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
        return Outcome(group_id=lease.group_id, result=Result.FAILED, reason=str(error))


async def apply(engine: Engine, lease: Lease, planned: Plan) -> Outcome:
    """Do what the plan says."""
    done = Outcome(group_id=lease.group_id, result=Result.UNCHANGED, reason=planned.reason)
    if planned.action is Action.DROP:
        await engine.groups.drop_summary(lease, planned, now=engine.clock())
        return replace(done, result=Result.DROPPED)
    if planned.action is Action.NOTHING:
        await engine.groups.settle(lease, planned, rejected=False, now=engine.clock())
        return replace(done, summary_id=planned.summary_id)
    made = await draft(engine, lease, planned)
    summary_id = await commit(engine, lease, planned, made[-1])
    usage = total([one.usage for one in made])
    return replace(done, result=Result.COMMITTED, summary_id=summary_id, usage=usage, nodes_made=len(made))


async def draft(engine: Engine, lease: Lease, planned: Plan) -> list[MadeNode]:
    """Make every node of the plan, children first; each is kept as it is made, so that a crash repeats one call."""
    said = await standing_statements(engine, planned)
    made: list[MadeNode] = []
    for step in planned.steps:
        sources = [child.id for child in step.node.children if isinstance(child, Leaf)]
        memories = await engine.groups.read_sources(planned.tenant_id, sources)
        if len(memories) < len(sources):
            raise SourceChanged
        one = await _draft_node(engine, lease, planned, step.node, gather(step.node, memories, said))
        if one.node.kind is not Kind.ROOT:
            await engine.groups.commit_node(lease, one, now=engine.clock())
        said[one.node.key] = one.statements
        made.append(one)
    whole = replace(
        made[-1],
        fallback=any(one.fallback for one in made),
        capped=frozenset(id_ for one in made for id_ in one.capped),
    )
    return [*made[:-1], whole]


async def commit(engine: Engine, lease: Lease, planned: Plan, root: MadeNode) -> str:
    """Embed the summary and put it in place; answers its id."""
    vector = (await engine.embedder.embed([assemble(root.statements)]))[0]
    now = engine.clock()
    return await engine.groups.commit_summary(
        lease,
        planned,
        root,
        vector=vector,
        embedding_version=engine.embedder.version,
        counts=count_sources(root, len(planned.leaves)),
        now=now,
        retry_at=now + engine.retry_after(lease.attempts) if root.fallback else None,
    )


async def _draft_node(engine: Engine, lease: Lease, planned: Plan, node: Node, items: Sequence[Item]) -> MadeNode:
    """One node by the summarizer; where nothing stands and the model cannot be used, by the fallback."""
    policy = engine.policies[lease.policy]

    async def by(summarizer: Summarizer, judge: Judge | None) -> MadeNode:
        return await draft_node(
            node, items, policy=policy, definition=planned.definition, summarizer=summarizer, judge=judge,
            count=engine.count, tenant_id=planned.tenant_id, group_id=planned.group_id,
            rederives=lease.lost,
        )  # fmt: skip

    try:
        return await by(engine.summarizer, engine.judge)
    except (ModelUnavailable, BudgetExhausted):
        if engine.offline or planned.summary_id is not None:
            raise
        # Where the model cannot be used, neither can the judge; and quotes need none.
        return replace(await by(engine.fallback, None), fallback=True)


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
