"""plan → draft → check → commit: how one group's summary is made current. Start reading precis here.

The five policies differ in the values they bring; the steps are the same. A refresh holds the group's lease, plans
from one snapshot, drafts node by node from the leaves up, and commits under the lease. Whatever goes wrong, what stood
stays and the group is still stale, so the next refresh finds it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from precis.engine.commit import MadeNode, Outcome, Result, count_sources
from precis.engine.finishing import finish
from precis.engine.groups import Groups, Lease
from precis.engine.plan import Action, Plan, capped_below, make_plan
from precis.engine.policy import Policy, definition
from precis.engine.ports import Clock, Embedder, Extractor, Item, Judge, Summarizer, TokenCounter, Usage
from precis.engine.prose import write_prose
from precis.engine.segments import Kind, Leaf, Node
from precis.engine.summarization import DraftRejected, draft_node, gather
from precis.errors import BudgetExhausted, DraftFailed, LeaseLost, ModelUnavailable, NoSlot, NotFound, SourceChanged
from precis.lineage import Statement
from precis.summary import assemble, served_of


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
    snapshot = await engine.groups.snapshot(tenant_id, group_id)
    policy = engine.policies[policy_name].told(snapshot.view)
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
            return Outcome(
                group_id=lease.group_id, result=Result.REJECTED, reason=str(error), usage=spent_on(error)
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
        one = _alone(planned, step.node, said)
        if one is None:
            try:
                one = await _draft_node(engine, lease, planned, step.node, gather(step.node, memories, said))
            except DraftRejected as error:
                error.usage += total([below.usage for below in made])
                raise
        if one.node.kind is not Kind.ROOT:
            await engine.groups.commit_node(lease, one, now=engine.clock())
        said[one.node.key] = one.statements
        made.append(one)
    whole = replace(
        made[-1],
        fallback=any(one.fallback for one in made),
        capped=frozenset(id_ for one in made for id_ in one.capped),
        capped_below=capped_below(made[-1].node, planned.standing, {one.node.key for one in made}),
    )
    whole = await finish(whole, planned, summarizer=None if engine.offline else engine.summarizer)
    return [*made[:-1], whole]


async def commit(engine: Engine, lease: Lease, planned: Plan, root: MadeNode) -> str:
    """Embed the summary and put it in place; answers its id."""
    served_from = planned.policy.served_from
    text = root.prose or assemble(served_of(root.statements, served_from))
    vector = (await engine.embedder.embed([text]))[0]
    now = engine.clock()
    return await engine.groups.commit_summary(
        lease,
        planned,
        root,
        vector=vector,
        embedding_version=engine.embedder.version,
        counts=count_sources(root, len(planned.leaves), served_from=served_from),
        now=now,
        retry_at=now + engine.retry_after(lease.attempts) if root.fallback else None,
    )


def _alone(planned: Plan, node: Node, said: Mapping[bytes, tuple[Statement, ...]]) -> MadeNode | None:
    """A summary over one frozen node and nothing else says what that says, without a call."""
    child = node.children[0]
    if node.kind is not Kind.ROOT or len(node.children) > 1 or child.key not in planned.standing:
        return None
    stub, statements = planned.standing[child.key], said[child.key]
    if stub.kind is not Kind.FROZEN or not statements or planned.policy.summarize.prose:
        return None
    return MadeNode(
        node=node, statements=statements, definition=planned.definition, made_by=stub.made_by,
        fallback=stub.fallback, quality=stub.quality, tokens=stub.tokens, usage=Usage(),
    )  # fmt: skip


async def _draft_node(engine: Engine, lease: Lease, planned: Plan, node: Node, items: Sequence[Item]) -> MadeNode:
    """One node by the summarizer; where nothing stands and the model cannot be used, by the fallback."""
    policy = planned.policy

    async def by(summarizer: Summarizer, judge: Judge | None) -> MadeNode:
        return await draft_node(
            node, items, policy=policy, definition=planned.definition, summarizer=summarizer, judge=judge,
            count=engine.count, tenant_id=planned.tenant_id, group_id=planned.group_id,
            rederives=lease.lost,
        )  # fmt: skip

    try:
        if node.kind is Kind.ROOT and policy.summarize.prose and not engine.offline:
            return await write_prose(
                node, items, await by(engine.fallback, None), policy=policy, summarizer=engine.summarizer,
                judge=engine.judge, count=engine.count, tenant_id=planned.tenant_id, group_id=planned.group_id,
                rederives=lease.lost,
            )  # fmt: skip
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
