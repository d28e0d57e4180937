"""What becomes of a checked node before it is committed, where its policy asks: it is bounded, and given a title."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from precis.checks import check
from precis.engine.commit import MadeNode
from precis.engine.conversation import companion
from precis.engine.plan import Plan
from precis.engine.window import bounded
from precis.errors import DraftFailed, NoSlot
from precis.lineage import Statement
from precis.makers import Item, Request, Summarizer, TokenCounter
from precis.summary import assemble

#: Tokens of a title.
_TITLE = 24


async def finish(root: MadeNode, planned: Plan, *, summarizer: Summarizer | None, count: TokenCounter) -> MadeNode:
    """The root with a title made of what it says; without a summarizer, of its first statement."""
    if planned.policy.summarize.title is None:
        return root
    made = await _asked(root, planned, summarizer) if summarizer is not None and not root.fallback else None
    if made is None or made.title is None or count(made.title) > 2 * _TITLE:
        return replace(made or root, title=companion(root.statements))
    return made


def _served(root: MadeNode) -> tuple[Statement, ...]:
    return tuple(one for one in root.statements if one.superseded_by is None)


def within(
    statements: Sequence[Statement], *, limit: int, count: TokenCounter, dates: Mapping[str, datetime]
) -> tuple[Statement, ...]:
    """What is worth most of what a node says, worth at most ``limit`` tokens, whatever a model wrote.

    A displaced statement stays where the newer one does, so that it comes back when that is forgotten.
    """
    served = [one for one in statements if one.superseded_by is None]
    # As it is read: a speaker of several statements is named once.
    if count(assemble(tuple(served))) <= limit:
        return tuple(statements)
    said = bounded(served, limit=limit, count=count, dates=dates)
    kept = [
        at
        for at, one in enumerate(statements)
        if (one in said if one.superseded_by is None else statements[one.superseded_by] in said)
    ]
    place = {at: n for n, at in enumerate(kept)}
    return tuple(
        replace(one, superseded_by=None if one.superseded_by is None else place[one.superseded_by])
        for one in (statements[at] for at in kept)
    )


async def _asked(root: MadeNode, planned: Plan, summarizer: Summarizer) -> MadeNode | None:
    """The title by a model, if it gives one that the statements bear out."""
    dates = {leaf.id: leaf.created_at for leaf in planned.leaves}
    items = tuple(
        Item(
            text=one.text, source_ids=one.source_ids, importance=one.importance, derived=True,
            created_at=max((dates[id_] for id_ in one.source_ids if id_ in dates), default=root.node.order[0]),
        )
        for one in _served(root)
    )  # fmt: skip
    told = planned.policy.summarize
    request = Request(
        items=items, max_tokens=_TITLE, prompt=told.title or "", model=told.title_model, tenant_id=planned.tenant_id,
        policy=planned.policy.name, group_id=planned.group_id, kind="title",
    )  # fmt: skip
    try:
        draft = await summarizer.summarize(request)
    except (DraftFailed, NoSlot):
        return None
    checked = check(draft, items, thresholds=planned.policy.checks)
    if not checked.passed or not checked.statements:
        return replace(root, usage=root.usage + draft.usage, title=companion(root.statements))
    title = checked.statements[0].text.strip().strip("\"'").rstrip(".")
    return replace(root, title=title, usage=root.usage + draft.usage)
