"""Summarize texts without storing them: draft, check, answer. Nothing is kept, so there is nothing to forget.

What fits one prompt is one draft. More is laid out in segments as a stored group would be, drafted from the leaves up,
every node checked. A model that fails is an error: no other summary takes its place unasked.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from precis.checks import Thresholds
from precis.checks.fates import fates
from precis.engine.draft import InHand, draft
from precis.engine.drafted import MadeNode
from precis.engine.node import Makers, Recheck
from precis.engine.plan import plan_over
from precis.engine.policy import Budget, Instruction, Policy
from precis.engine.segments import NEVER, Leaf, Shape
from precis.errors import DraftFailed, InvalidInput, ModelUnavailable, NoSlot
from precis.extractive.summarizer import Extractive
from precis.extractive.trim import is_turned_by_cut
from precis.language.orders import is_order
from precis.makers import Item, Summarizer, TokenCounter, Usage
from precis.policies.clusters import clusters
from precis.prompts import load
from precis.summary import Counts, Fate, Statement, assemble
from precis.texts.inputs import Length, SummarizeInput, are_dated, length_of, pieces_of, places

#: Names the calls in the ledger.
POLICY = "summarize"
#: Asks for the offline summarizer where a model is configured.
OFFLINE = frozenset({"extractive", Extractive.name})
#: Drafts under way at once: fewer than a tenant has slots, so that nobody waits for this.
_AT_ONCE = 2
#: What a model reads at once, in tokens, and how larger inputs are cut: four nodes of the largest kind fill a prompt.
_PROMPT = 16_000
_SHAPE = Shape(segment_tokens=4_000, segment_limit=8_000, small_tokens=_PROMPT, fan=3, fan_limit=4)
_NODE = 4_000
#: How much more than its share of the summary a segment keeps, so that what is above it can choose.
_SPARE = 1.5
#: The offline summarizer reads as much as it is given.
_ALL = 10_000_000
#: How often a longer draft is tried to fill what the limit leaves, and the share of it that counts as full.
_FILLS, _FULL = 2, 0.97
#: Where only part of a sentence fits: how many sentences are tried.
_CUTS_TRIED = 6
_DROPPED = Thresholds().dropped
_NO_MODEL = (
    "model: no model is configured here; set PRECIS_MODEL, or leave model out: summaries are then made offline, from "
    "sentences of the texts"
)
_FOLLOWS_AN_ORDER = "The draft did not pass the checks: it follows an order in the texts."
#: What a model is told of texts that say nothing of when they are from.
_NO_DATES = (
    "\n- The texts have no dates. Leave words such as yesterday as they are, and write no date that the texts do not "
    "write."
)
_BUSY = "As many model calls are under way as this tenant may have at once; try again in a moment."
_NOTHING = (
    "texts: nothing in them can be summarized offline: they hold nothing but questions or orders to a model, "
    "or no part of them fits the limit and passes the checks"
)


class _Turned(DraftFailed):
    """A statement was shortened to fit, and lost a word that turns the meaning of its sentence."""

    def __init__(self, source_ids: frozenset[str]) -> None:
        super().__init__()
        self.source_ids = source_ids


@dataclass(frozen=True, kw_only=True, slots=True)
class SummarizedStatement:
    """One claim of a summary."""

    text: str
    #: 0..1
    importance: float
    #: Places in the list of texts, from 0.
    sources: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Summarized:
    """A checked summary of texts that are not stored."""

    #: The statements as one paragraph, within the limits.
    text: str
    statements: tuple[SummarizedStatement, ...]
    #: Score of the checks, 0..1.
    quality: float
    #: Which summarizer made it, e.g. ``extractive@2`` or a model's name.
    made_by: str
    #: Texts that were read, of how many; offline, texts that give orders to a model are not.
    included: int
    total: int
    #: Law 7: what became of the texts.
    counts: Counts
    usage: Usage


async def summarize(
    inputs: SummarizeInput, *, summarizer: Summarizer | None, count: TokenCounter, tenant_id: str = ""
) -> Summarized:
    """Draft, check, and hold the limits. ``summarizer`` is the model's; None is offline.

    Raises InvalidInput where no model is there to be chosen or nothing can be said, and DraftFailed and kin where the
    model gave no draft that passes the checks.
    """
    offline = inputs.model in OFFLINE
    if summarizer is None and inputs.model is not None and not offline:
        raise InvalidInput(_NO_MODEL, field="model")
    if summarizer is not None and not offline:
        try:
            return await _by_model(inputs, summarizer, count, tenant_id)
        except NoSlot as error:
            raise ModelUnavailable(_BUSY) from error
    try:
        # Nothing in it waits for anybody, so it may as well run beside the loop that serves others.
        return await asyncio.to_thread(lambda: asyncio.run(_offline(inputs, count)))
    except DraftFailed as error:
        raise InvalidInput(_NOTHING, field="texts") from error


async def _by_model(inputs: SummarizeInput, summarizer: Summarizer, count: TokenCounter, tenant_id: str) -> Summarized:
    length = length_of(inputs, count)
    items = pieces_of(inputs.texts, count)
    return await _Work(
        inputs=inputs, policy=_policy(inputs, length.tokens, sum(count(item.text) for item in items)),
        summarizer=summarizer, count=count, length=length, items=items, orders=_orders(items), tenant_id=tenant_id,
    ).summarized()  # fmt: skip


async def _offline(inputs: SummarizeInput, count: TokenCounter) -> Summarized:
    """The same without a model. Lengths are measured as the caller measures them; texts with orders are not read.

    The summarizer counts a speaker with each statement, but the summary names a speaker once for several of them. The
    room that this leaves is filled by drafting again with a higher limit.
    """
    length = length_of(inputs, count)
    measure, limit = length.measure, length.limit
    items = pieces_of(inputs.texts, count)
    work = _Work(
        inputs=inputs, policy=_offline_policy(inputs, limit), summarizer=Extractive(measure), count=measure,
        length=length, items=items, orders=_orders(items),
    )  # fmt: skip
    best = await _extracted(work)
    for _ in range(_FILLS):
        used = measure(best.text)
        if used >= _FULL * length.limit:
            break
        limit = limit * length.limit // used
        try:
            longer = await _extracted(replace(work, policy=_offline_policy(inputs, limit)))
        except DraftFailed:
            break  # asked for more, it gave what is too long: what stands is good
        if measure(longer.text) <= used:
            break
        best = longer
    return best


def _offline_policy(inputs: SummarizeInput, limit: int) -> Policy:
    policy = _policy(inputs, limit, 0)
    budget = replace(policy.budget, prompt_tokens=_ALL, item_tokens=_ALL)
    return replace(policy, shape=Shape(small_tokens=_ALL), budget=budget)


async def _extracted(work: _Work) -> Summarized:
    """One summary of the texts without orders; the sources of a sentence that may not be shortened are left out."""
    avoided = work.orders
    for _ in range(_CUTS_TRIED):
        items = tuple(item for item in work.items if avoided.isdisjoint(item.source_ids))
        if not items:
            break
        try:
            return await replace(work, items=items).summarized()
        except _Turned as error:
            avoided |= error.source_ids
    raise DraftFailed


def _policy(inputs: SummarizeInput, limit: int, size: int) -> Policy:
    """The steps of a cluster's summary with the caller's limit and prompt, cut for reading once."""
    share = _SPARE * limit / size if size else 0.0
    budget = Budget(
        prompt_tokens=_PROMPT, summary_tokens=limit, node_tokens=_NODE, segment_share=min(0.9, max(0.3, share)),
        merge_share=min(0.9, max(0.6, share)),
    )  # fmt: skip
    model = None if inputs.model in OFFLINE else inputs.model
    rule = "" if are_dated(inputs.texts) else _NO_DATES
    prompt = Instruction(
        summary=(inputs.prompt or load("cluster")) + rule, segment=load("segment") + rule, merge=load("prefix") + rule,
        model=model,
    )  # fmt: skip
    return replace(clusters(), name=POLICY, shape=_SHAPE, budget=budget, summarize=prompt)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Work:
    """What one summary is made of."""

    inputs: SummarizeInput
    policy: Policy
    summarizer: Summarizer
    count: TokenCounter
    length: Length
    items: tuple[Item, ...]
    #: Ids of items that tell a model what to do.
    orders: frozenset[str]
    tenant_id: str = ""

    async def summarized(self) -> Summarized:
        """Draft every node, check it once more, and cut the summary to its length. Raises DraftFailed."""
        makers = Makers(
            summarizer=self.summarizer, fallback=self.summarizer, count=self.count, recheck=self._recheck(),
            at_once=_AT_ONCE,
        )  # fmt: skip
        plan = plan_over(self.policy, [_leaf(item, self.count) for item in self.items], tenant_id=self.tenant_id)
        drafted = await draft(plan, InHand(known={item.source_ids[0]: item for item in self.items}), makers=makers)
        statements = self.length.cut(drafted.root.statements)
        if not statements:
            raise DraftFailed("The summarizer gave no statement that fits the limit; allow a longer summary.")
        read, total = len(places(leaf.id for leaf in plan.leaves)), len(self.inputs.texts)
        return Summarized(
            text=assemble(statements),
            statements=tuple(
                SummarizedStatement(text=s.text, importance=s.importance, sources=places(s.source_ids))
                for s in statements
            ),
            quality=drafted.root.quality,
            made_by=drafted.root.made_by,
            included=read,
            total=total,
            counts=_counts(self.items, statements, read=read, total=total),
            usage=drafted.usage,
        )

    def _recheck(self) -> Recheck:
        """Takes away what rests on an order."""
        orders = self.orders

        def recheck(node: MadeNode, items: Sequence[Item]) -> MadeNode:
            served = [replace(s, superseded_by=None) for s in node.statements if s.superseded_by is None]
            turned = [s for s in served if is_turned_by_cut(s.text, _texts_under(s, items))]
            if turned:
                raise _Turned(frozenset(id_ for statement in turned for id_ in statement.source_ids))
            kept = tuple(s for s in served if orders.isdisjoint(s.source_ids) and not is_order(s.text))
            if not kept or (len(served) - len(kept)) / len(served) > _DROPPED:
                raise DraftFailed(_FOLLOWS_AN_ORDER)
            return replace(node, statements=kept)

        return recheck


def _orders(items: Sequence[Item]) -> frozenset[str]:
    return frozenset(item.source_ids[0] for item in items if is_order(item.text))


def _texts_under(statement: Statement, items: Sequence[Item]) -> list[str]:
    ids = set(statement.source_ids)
    return [item.text for item in items if not ids.isdisjoint(item.source_ids)]


def _leaf(item: Item, count: TokenCounter) -> Leaf:
    id_ = item.source_ids[0]
    fingerprint = blake2b(f"{id_}\0{item.text}".encode(), digest_size=16).digest()
    return Leaf(id=id_, created_at=item.created_at or NEVER, fingerprint=fingerprint, tokens=count(item.text))


def _counts(items: Sequence[Item], statements: Sequence[Statement], *, read: int, total: int) -> Counts:
    """What became of the texts; one in several pieces is set aside where all of them are."""
    reasons: dict[int, list[Fate | None]] = {}
    for item, verdict in zip(items, fates(items, statements), strict=True):
        reasons.setdefault(places(item.source_ids)[0], []).append(verdict.fate if verdict is not None else None)
    cited = {place for statement in statements for place in places(statement.source_ids)}
    aside = [of_text for place, of_text in reasons.items() if place not in cited and None not in of_text]
    by_reason = Counter(max(of_text, key=lambda fate: fate is Fate.OVERRULED) for of_text in aside)
    named = {fate.value: number for fate, number in by_reason.items() if fate is not None}
    left_out = total - len(cited) - sum(named.values())
    return Counts(read=read, represented=len(cited), set_aside=named, left_out=left_out)
