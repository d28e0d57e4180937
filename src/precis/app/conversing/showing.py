"""The context of a turn: the summary of a conversation and the messages behind it, within a budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from precis.app.messages import Context
from precis.app.parts import Parts
from precis.conversation import Loaded, Message
from precis.lineage import Counts, Statement
from precis.policies.conversations import Limits, check, fit
from precis.summary import assemble


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


def tokens_of(statements: Sequence[Statement], count: Callable[[str], int]) -> int:
    """Tokens of these statements."""
    return sum(count(statement.text) for statement in statements)
