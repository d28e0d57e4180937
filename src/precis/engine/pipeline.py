"""How one group's summary is made current: the whole engine on one page. Start reading precis here.

    select     policy.Selection.takes   which memories a policy reads; at the write, in the writer's transaction
    group      grouping.assign          of which groups a memory is a member, or a policy's own rule; at the write
    plan       plan.make_plan           which nodes must be made, and why: pure, of the members and of what stands
    budget     node.request_for         what a prompt may hold, and how long the answer may be; from here node by node
    summarize  makers.Summarizer        a model, or the offline summarizer, answers with statements that name sources
    check      node.judged              what the sources do not bear out is dropped, or rejects the draft
    commit     commit, store/commits    under the lease, with each statement's lineage and what became of each source

The policies differ in the values they bring; the steps are the same. What becomes of the originals is in
engine/retention. Whatever goes wrong, what stood stays and the group is still stale, so the next refresh finds it.
"""

from dataclasses import replace
from datetime import datetime

from precis.engine.draft import draft
from precis.engine.drafted import Drafted, MadeNode, Outcome, Result, count_sources
from precis.engine.engine import Engine, under_lease
from precis.engine.forgetting import Silenced
from precis.engine.lease import Lease, again_after
from precis.engine.node import spent_on
from precis.engine.plan import Action, Plan, Snapshot, make_plan
from precis.errors import BudgetExhausted, DraftFailed, ModelUnavailable
from precis.metrics import SUMMARIES_MADE
from precis.summary import assemble, served_of
from precis.tracing import traced


async def refresh(
    engine: Engine, lease: Lease, *, force: bool = False, rebuild: bool = False, again: bool = False
) -> Outcome:
    """Make one leased group current. A bad draft or a lost race is an outcome, not an error: what stood stays.

    ``again``: somebody asks, so that a draft that was rejected is tried once more before its time.
    """

    async def work() -> Outcome:
        planned = await plan(
            engine, lease.tenant_id, lease.group_id, lease.policy, force=force, rebuild=rebuild,
            again=again or lease.due, snapshot=lease.snapshot,
        )  # fmt: skip
        return await apply(engine, lease, replace(planned, rederives=lease.lost))

    return await under_lease(engine, lease, work)


@traced("plan")
async def plan(
    engine: Engine, tenant_id: str, group_id: str, policy_name: str, *, force: bool = False, rebuild: bool = False,
    again: bool = False, snapshot: Snapshot | None = None,
) -> Plan:  # fmt: skip
    """What a refresh would do, without a call and without a lease; ``snapshot`` is what it sees, where it was read."""
    snapshot = snapshot or await engine.groups.snapshot(tenant_id, group_id)
    policy = engine.policies[policy_name].for_view(snapshot.view)
    return make_plan(
        policy, snapshot, engine.definition_of(policy), offline=engine.offline, force=force, rebuild=rebuild,
        again=again,
    )  # fmt: skip


async def apply(engine: Engine, lease: Lease, planned: Plan) -> Outcome:
    """Do what the plan says: take the summary away, leave it as it is, or draft every node and commit."""
    groups, now = engine.groups, engine.clock
    outcome = Outcome(
        group_id=lease.group_id, result=Result.UNCHANGED, reason=planned.reason, summary_id=planned.summary_id
    )
    if planned.action is Action.DROP:
        await groups.drop_summary(lease, planned, now=now())
        return replace(outcome, result=Result.DROPPED, summary_id=None)
    if planned.action is Action.NOTHING:
        await groups.settle(lease, planned, now=now())
        return replace(outcome, result=Result.REJECTED if planned.waits else Result.UNCHANGED)

    async def keep(node: MadeNode) -> None:
        await groups.commit_node(lease, node, now=now())

    # A model takes its time: by then other titles may stand.
    titled = lease.group_id if engine.offline and planned.policy.named else None
    read = groups.reader(lease.tenant_id, lease.user_id, titled=titled)
    try:
        drafted = await draft(planned, read, makers=engine, keep=keep)
    except Silenced as error:
        await groups.drop_summary(lease, planned, now=now(), silenced=True)
        return replace(outcome, result=Result.DROPPED, reason=str(error), summary_id=None)
    except (ModelUnavailable, BudgetExhausted):
        raise
    except DraftFailed as error:
        await groups.reject(lease, planned, retry_at=_again_at(engine, planned), error=str(error), now=now())
        return replace(outcome, result=Result.REJECTED, reason=str(error), usage=spent_on(error))
    return await put(engine, lease, planned, drafted)


async def put(engine: Engine, lease: Lease, planned: Plan, drafted: Drafted) -> Outcome:
    """Commit what was drafted; where nothing in the group tells anything, there is no summary."""
    root = drafted.root
    outcome = Outcome(
        group_id=lease.group_id, result=Result.COMMITTED, reason=planned.reason, usage=drafted.usage,
        nodes_made=drafted.nodes_made,
    )  # fmt: skip
    if not root.statements:
        await engine.groups.drop_summary(lease, planned, now=engine.clock())
        return replace(outcome, result=Result.EMPTY, reason="nothing but small talk and questions")
    outcome = replace(outcome, summary_id=await commit(engine, lease, planned, root))
    # Where what was asked for was rejected, what stands now is a stand-in.
    return outcome if root.rejected is None else replace(outcome, result=Result.REJECTED, reason=root.rejected)


@traced("commit")
async def commit(engine: Engine, lease: Lease, planned: Plan, root: MadeNode) -> str:
    """Embed the summary and put it in place with its lineage and its counts; answers its id."""
    served_from = planned.policy.served_from
    (vector,) = await engine.embedder.embed([root.prose or assemble(served_of(root.statements, served_from))])
    now = engine.clock()
    retry_at = now + engine.retry_after(lease.attempts) if root.fallback else None
    summary_id = await engine.groups.commit_summary(
        lease, planned, root, vector=vector, embedding_version=engine.embedder.version,
        counts=count_sources(root, len(planned.leaves), served_from=served_from), now=now,
        retry_at=retry_at if root.rejected is None else _again_at(engine, planned),
    )  # fmt: skip
    made_by = "fallback" if root.fallback else "offline" if engine.offline else "model"
    SUMMARIES_MADE.labels(lease.policy, made_by).inc()
    return summary_id


def _again_at(engine: Engine, planned: Plan) -> datetime | None:
    """When the draft of this plan, rejected once more, is tried again by itself."""
    return engine.clock() + wait if (wait := again_after(planned.rejections + 1)) else None
