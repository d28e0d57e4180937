"""A turn of a conversation: which messages leave its context for the summary, and the context that is left."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import structlog

from precis.app.messages import CheckedTurn, Context, MessageInput, address_of, exact
from precis.app.parts import Parts
from precis.conversation import POLICY, Address, Loaded, Message, memory_id, place_of
from precis.engine.draft import InHand, draft
from precis.engine.drafted import count_sources
from precis.engine.node import item_of
from precis.engine.plan import Action, Snapshot, make_plan
from precis.engine.segments import Leaf
from precis.errors import DraftFailed, NotFound, PrecisError, SourceChanged
from precis.memory import RetentionState
from precis.metrics import TURNS_DEGRADED
from precis.policies.conversations import HandOver, Limits, check, fit
from precis.settings import Settings
from precis.sizes import Size
from precis.store.conversation_rows import Computed
from precis.summary import Counts, Statement, assemble, served_of

_log = structlog.get_logger(__name__)
#: So many messages before and behind a cut are read to see whether it parts what belongs together.
_BEFORE_CUT, _BEHIND_CUT = 8, 4


def limits_of(settings: Settings) -> Limits:
    """When a conversation is summarized and what stays, by the settings."""
    return Limits(
        triggers=tuple(Size.parse(trigger) for trigger in settings.conversation_triggers),
        keep=Size.parse(settings.conversation_keep),
        window=settings.conversation_window,
        summary_tokens=settings.conversation_summary_tokens,
        deadline=settings.conversation_deadline,
    )


async def verdict_on(parts: Parts, messages: Sequence[Message], limits: Limits, *, summary_tokens: int) -> HandOver:
    """How many of these messages the summary is to speak for now, where the stored ones among them have no text.

    Those around the cut are read: what somebody takes back is not parted from what takes it back. Where nothing else
    could be handed over, it is all the same.
    """
    verdict = check(messages, limits, summary_tokens=summary_tokens)
    if not verdict.needed:
        return verdict
    around = slice(max(0, verdict.hand_over - _BEFORE_CUT), verdict.hand_over + _BEHIND_CUT)
    stubs = [message for message in messages[around] if not message.text]
    by_id = {message.id: message for message in await _texts(parts, stubs, stubs)}
    whole = [replace(message, text=by_id[message.id].text) if message.id in by_id else message for message in messages]
    apart = check(whole, limits, summary_tokens=summary_tokens)
    return apart if apart.needed else verdict


async def extend(parts: Parts, checked: CheckedTurn) -> Computed:
    """The summary with the messages that leave the context, title included: also those that nobody has written yet.

    Raises DraftFailed (and kin), SourceChanged.
    """
    engine, tenant_id = parts.engine, parts.tenant_id
    unwritten = [new for new in checked.new if new.message.id in checked.hand_over]
    new_leaves = {leaf.id: leaf for leaf in parts.store.conversations.hashes(tenant_id).leaves(unwritten)}
    snapshot = await _with(parts, await _snapshot(parts, checked), checked.hand_over, new_leaves)
    policy = engine.policies[POLICY]
    plan = make_plan(policy, snapshot, engine.definition_of(policy), offline=engine.offline)
    if plan.action is not Action.MAKE:
        raise DraftFailed(f"no summary was made: {plan.reason}")
    in_hand = {new.message.id: item_of(new.row.memory) for new in unwritten}
    drafted = await draft(plan, InHand(known=in_hand, stored=engine.groups.reader(tenant_id)), makers=engine)
    root = drafted.root
    if not root.statements:
        raise DraftFailed("no summary was made: there is nothing but small talk and questions")
    (vector,) = await engine.embedder.embed([assemble(served_of(root.statements, 0.0))])
    return Computed(
        plan=plan,
        nodes=drafted.below,
        root=root,
        vector=vector,
        embedding_version=engine.embedder.version,
        counts=count_sources(root, len(plan.leaves)),
    )


async def _snapshot(parts: Parts, checked: CheckedTurn) -> Snapshot:
    """The group as it is stored; empty where it is still to be made."""
    group_id = place_of(checked.address.conversation_id, checked.address.scope(parts.tenant_id)).group_id
    try:
        return await parts.engine.groups.snapshot(parts.tenant_id, group_id)
    except NotFound:
        return Snapshot(group_id=group_id, tenant_id=parts.tenant_id, version=0, leaves=(), nodes=())


async def _with(parts: Parts, snapshot: Snapshot, hand_over: Collection[str], new: Mapping[str, Leaf]) -> Snapshot:
    """The group as it will be once these messages are members."""
    members = {leaf.id for leaf in snapshot.leaves}
    joining = [id_ for id_ in hand_over if id_ not in members]
    stored = await parts.store.memories.get(snapshot.tenant_id, [id_ for id_ in joining if id_ not in new])
    leaves = dict(new) | {
        memory.id: Leaf(
            id=memory.id,
            created_at=memory.created_at,
            fingerprint=memory.fingerprint,
            tokens=memory.tokens,
            source_class=memory.source_class,
        )
        for memory in stored.values()
        if memory.retention_state is not RetentionState.EXPIRED
    }
    if not leaves.keys() >= set(joining):
        raise SourceChanged
    # With new members a summary is tried again, though an earlier draft was rejected or a summary deleted.
    lifted: dict[str, Any] = {"rejected": None, "suppressed": None} if joining else {}
    return replace(snapshot, leaves=(*snapshot.leaves, *(leaves[id_] for id_ in joining)), **lifted)


async def context_of(parts: Parts, loaded: Loaded, limits: Limits, token_budget: int | None = None) -> Context:
    """The summary and the messages behind it that fit into the budget, or the window."""
    count = parts.engine.count
    budget = token_budget or limits.window
    spoken = loaded.spoken
    statements = spoken.statements if spoken else ()
    stubs = (*loaded.recent, *loaded.open)
    by_size = fit(statements, stubs, budget=budget, count=count)
    messages = await _texts(parts, by_size.messages, stubs)
    fitted = fit(by_size.statements, messages, budget=budget, count=count)
    shown = {message.id for message in fitted.messages}
    left_out = sum(message.id not in shown for message in loaded.open)
    overdue = check(loaded.open, limits, summary_tokens=tokens_of(statements, count)).needed
    return Context(
        conversation_id=loaded.conversation.id,
        session_id=loaded.conversation.session_id,
        user_id=loaded.conversation.scope.user_id,
        version=loaded.conversation.version,
        title=loaded.title,
        summary_id=spoken.id if spoken else None,
        summary=assemble(fitted.statements),
        statements=fitted.statements,
        messages=fitted.messages,
        tokens=fitted.tokens,
        total=loaded.total,
        covered=spoken.covered if spoken else 0,
        set_aside=spoken.counts.read - spoken.counts.represented if spoken else 0,
        counts=spoken.counts if spoken else Counts(),
        messages_left=left_out,
        statements_left=len(statements) - len(fitted.statements),
        degraded=overdue or left_out > 0,
        stale=loaded.conversation.behind,
    )


async def _texts(parts: Parts, messages: Sequence[Message], stubs: Sequence[Message]) -> Sequence[Message]:
    """These messages with their texts, in the order of ``stubs``; the newest in full, even if ``fit`` cut it."""
    ids = [message.id for message in messages]
    stored = await parts.store.conversations.read(parts.tenant_id, ids) if ids else []
    by_id = {message.id: message for message in stored}
    return [by_id[stub.id] for stub in stubs if stub.id in by_id]


def degraded(checked: CheckedTurn, error: Exception) -> str:
    """Why a turn is written without its summary, in words; logged and counted. Of what was not foreseen only the kind.

    Its message may hold a text of a memory.
    """
    kind = type(error).__name__
    _log.warning("conversation_degraded", conversation_id=checked.address.conversation_id, error=kind)
    TURNS_DEGRADED.labels(kind).inc()
    if isinstance(error, TimeoutError):
        return "the summary was not made in time"
    return str(error) if isinstance(error, PrecisError) else f"the summary could not be made: {kind}"


def tokens_of(statements: Sequence[Statement], count: Callable[[str], int]) -> int:
    """Tokens of these statements."""
    return sum(count(statement.text) for statement in statements)


def living(
    messages: Sequence[MessageInput], loaded: Loaded | None, address: Address, forgotten: Collection[str]
) -> tuple[list[MessageInput], tuple[str, ...]]:
    """The messages whose memories a person has not forgotten, and the ids that their writer gave the others."""
    conversation_id = (exact(address) if loaded is None else address_of(loaded)).conversation_id
    gone = {row.id for row in messages if row.id is not None and memory_id(conversation_id, row.id) in forgotten}
    rest = [row for row in messages if row.id is None or row.id not in gone]
    return rest, tuple(dict.fromkeys(row.id for row in messages if row.id in gone and row.id is not None))
