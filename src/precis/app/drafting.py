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

from precis.app.lengths import Length, length_of
from precis.app.texts import SummarizeInput, TextInput, are_dated, pieces_of, places
from precis.app.undated import Undated, held_on_any_day
from precis.checks import Thresholds
from precis.checks.fates import fates
from precis.engine.commit import MadeNode
from precis.engine.pipeline import total
from precis.engine.policy import Budget, Instruction, Policy
from precis.engine.segments import Leaf, Node, Shape, layout
from precis.engine.summarization import draft_node, items_of_node
from precis.errors import DraftFailed, InvalidInput, ModelUnavailable, NoSlot
from precis.extractive.summarizer import Extractive
from precis.extractive.trim import is_turned_by_cut
from precis.language.orders import is_order
from precis.lineage import Counts, Fate, Statement
from precis.makers import Item, Summarizer, TokenCounter, Usage
from precis.policies.clusters import clusters
from precis.prompts import load
from precis.summary import assemble

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
#: How often what is left of the limit is filled, and how full is full.
_FILLS, _FULL = 2, 0.97
#: Where only part of a sentence fits: how many sentences are tried.
_CUTS_TRIED = 6
_DROPPED = Thresholds().dropped
_NO_MODEL = (
    "model: no model is configured here; set PRECIS_MODEL, or leave model out: summaries are then made offline, from "
    "sentences of the texts"
)
_BUSY = "As many model calls are under way as this tenant may have at once; try again in a moment."
_NOTHING = (
    "texts: nothing in them can be summarized offline: they hold nothing but questions or orders to a model, "
    "or no part of them fits the limit and passes the checks"
)


class _Turned(DraftFailed):
    """All that fits is a sentence broken off before the word it turns on."""

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
    #: Which summarizer made it, e.g. ``extractive@1`` or a model's name.
    made_by: str
    #: Texts that were read, of how many; offline, texts that give orders to a model are not.
    included: int
    total: int
    #: Law 7: what became of the texts.
    counts: Counts
    usage: Usage


async def summarize(
    wanted: SummarizeInput, *, summarizer: Summarizer | None, count: TokenCounter, tenant_id: str = ""
) -> Summarized:
    """Draft, check, and hold the limits. ``summarizer`` is the model's; None is offline.

    Raises InvalidInput where no model is there to be chosen or nothing can be said, and DraftFailed and kin where the
    model gave no draft that passes the checks.
    """
    if summarizer is None and wanted.model is not None and wanted.model not in OFFLINE:
        raise InvalidInput(_NO_MODEL, field="model")
    if summarizer is not None and wanted.model not in OFFLINE:
        try:
            return await _by_model(wanted, summarizer, count, tenant_id)
        except NoSlot as error:
            raise ModelUnavailable(_BUSY) from error
    try:
        # Nothing in it waits for anybody, so it may as well run beside the loop that serves others.
        return await asyncio.to_thread(lambda: asyncio.run(_offline(wanted, count)))
    except DraftFailed as error:
        raise InvalidInput(_NOTHING, field="texts") from error


async def _by_model(wanted: SummarizeInput, summarizer: Summarizer, count: TokenCounter, tenant_id: str) -> Summarized:
    length = length_of(wanted, count)
    items = pieces_of(wanted.texts, count)
    policy = _policy(wanted, length.tokens, sum(count(item.text) for item in items))
    work = _Work(
        policy=policy, summarizer=_for(wanted.texts, summarizer), count=count, length=length, tenant_id=tenant_id,
        items=items, undated=not are_dated(wanted.texts), orders=_orders(items),
    )  # fmt: skip
    return await _answer(work, wanted.texts)


async def _offline(wanted: SummarizeInput, count: TokenCounter) -> Summarized:
    """The same without a model: lengths are what the caller measures in, and orders are not even read.

    The summarizer counts a speaker with each statement, and we name him once for several: what that leaves is filled.
    """
    length = length_of(wanted, count)
    items = pieces_of(wanted.texts, count)
    work = _Work(
        policy=_offline_policy(wanted, length.limit), summarizer=_for(wanted.texts, Extractive(length.measure)),
        count=length.measure, length=length, items=items, undated=not are_dated(wanted.texts), orders=_orders(items),
    )  # fmt: skip
    made, asked = await _extracted(work, wanted.texts), length.limit
    for _ in range(_FILLS):
        used = length.measure(made.text)
        if used >= _FULL * length.limit:
            break
        asked = asked * length.limit // used
        try:
            more = await _extracted(replace(work, policy=_offline_policy(wanted, asked)), wanted.texts)
        except DraftFailed:
            break  # asked for more, it gave what is too long: what stands is good
        if length.measure(more.text) <= used:
            break
        made = more
    return made


def _offline_policy(wanted: SummarizeInput, limit: int) -> Policy:
    policy = _policy(wanted, limit, 0)
    budget = replace(policy.budget, prompt_tokens=_ALL, item_tokens=_ALL)
    return replace(policy, shape=Shape(small_tokens=_ALL), budget=budget)


async def _extracted(work: _Work, texts: Sequence[TextInput]) -> Summarized:
    """One summary of what gives no orders; a sentence that may not be broken off makes room for another."""
    avoided = work.orders
    for _ in range(_CUTS_TRIED):
        read = tuple(item for item in work.items if avoided.isdisjoint(item.source_ids))
        if not read:
            break
        try:
            return await _answer(replace(work, items=read), texts)
        except _Turned as error:
            avoided |= error.source_ids
    raise DraftFailed


def _for(texts: Sequence[TextInput], summarizer: Summarizer) -> Summarizer:
    return summarizer if are_dated(texts) else Undated(summarizer)


def _orders(items: Sequence[Item]) -> frozenset[str]:
    return frozenset(item.source_ids[0] for item in items if is_order(item.text))


def _policy(wanted: SummarizeInput, limit: int, size: int) -> Policy:
    """The steps of a cluster's summary with the caller's limit and prompt, cut for reading once."""
    share = _SPARE * limit / size if size else 0.0
    budget = Budget(
        prompt_tokens=_PROMPT, summary_tokens=limit, node_tokens=_NODE, segment_share=min(0.9, max(0.3, share)),
        merge_share=min(0.9, max(0.6, share)),
    )  # fmt: skip
    model = None if wanted.model in OFFLINE else wanted.model
    prompt = Instruction(
        summary=wanted.prompt or load("cluster"), segment=load("segment"), merge=load("prefix"), model=model
    )
    return replace(clusters(), name=POLICY, shape=_SHAPE, budget=budget, summarize=prompt)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Work:
    """What the drafts of one answer share."""

    policy: Policy
    summarizer: Summarizer
    count: TokenCounter
    length: Length
    items: tuple[Item, ...]
    undated: bool
    #: Ids of items that tell a model what to do.
    orders: frozenset[str]
    tenant_id: str = ""


async def _answer(work: _Work, texts: Sequence[TextInput]) -> Summarized:
    by_id = {item.source_ids[0]: item for item in work.items}
    root = layout([_leaf(item, work.count) for item in work.items], shape=work.policy.shape)
    said: dict[bytes, tuple[Statement, ...]] = {}
    made: list[MadeNode] = []
    for level in _levels(root):
        for one in await _together(work, level, by_id, said):
            said[one.node.key] = one.statements
            made.append(one)
    statements = work.length.cut(made[-1].statements)
    if not statements:
        raise DraftFailed("The summarizer gave no statement that fits the limit; allow a longer summary.")
    read = len(places(leaf.id for leaf in root.leaves()))
    return Summarized(
        text=assemble(statements),
        statements=tuple(
            SummarizedStatement(text=s.text, importance=s.importance, sources=places(s.source_ids)) for s in statements
        ),
        quality=made[-1].quality,
        made_by=made[-1].made_by,
        included=read,
        total=len(texts),
        counts=_counts(work, statements, read=read, total=len(texts)),
        usage=total([one.usage for one in made]),
    )


def _counts(work: _Work, statements: Sequence[Statement], *, read: int, total: int) -> Counts:
    """What became of the texts; one in several pieces is set aside where all of them are."""
    reasons: dict[int, list[Fate | None]] = {}
    for item, told in zip(work.items, fates(work.items, statements), strict=True):
        reasons.setdefault(places(item.source_ids)[0], []).append(told.fate if told is not None else None)
    cited = {place for statement in statements for place in places(statement.source_ids)}
    aside = [found for place, found in reasons.items() if place not in cited and None not in found]
    by_reason = Counter(max(found, key=lambda fate: fate is Fate.OVERRULED) for found in aside)
    named = {fate.value: number for fate, number in by_reason.items() if fate is not None}
    left_out = total - len(cited) - sum(named.values())
    return Counts(read=read, represented=len(cited), set_aside=named, left_out=left_out)


def _leaf(item: Item, count: TokenCounter) -> Leaf:
    id_ = item.source_ids[0]
    fingerprint = blake2b(f"{id_}\0{item.text}".encode(), digest_size=16).digest()
    return Leaf(id=id_, created_at=item.created_at, fingerprint=fingerprint, tokens=count(item.text))


def _levels(root: Node) -> list[list[Node]]:
    """Every node once, those that read no other node first."""
    height: dict[bytes, int] = {}
    levels: list[list[Node]] = []
    for one in root.below():
        below = [height[child.key] for child in one.children if isinstance(child, Node)]
        at = height[one.key] = max(below, default=-1) + 1
        levels += [[]] if at == len(levels) else []
        levels[at].append(one)
    return levels


async def _together(
    work: _Work, level: Sequence[Node], by_id: dict[str, Item], said: dict[bytes, tuple[Statement, ...]]
) -> list[MadeNode]:
    """The nodes of a level, some at a time; the first failure ends the others."""
    free = asyncio.Semaphore(_AT_ONCE)

    async def one(node: Node) -> MadeNode:
        async with free:
            return await _draft(work, node, _gathered(node, by_id, said))

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(node)) for node in level]
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return [task.result() for task in tasks]


def _gathered(node: Node, by_id: dict[str, Item], said: dict[bytes, tuple[Statement, ...]]) -> list[Item]:
    """Everything a node reads, oldest first."""
    items: list[Item] = []
    for child in node.children:
        items += [by_id[child.id]] if isinstance(child, Leaf) else items_of_node(child, said[child.key])
    return items


async def _draft(work: _Work, node: Node, items: Sequence[Item]) -> MadeNode:
    """One draft, checked, and without what rests on an order or on a date that no text has."""
    made = await draft_node(
        node, items, policy=work.policy, definition="", summarizer=work.summarizer, count=work.count,
        tenant_id=work.tenant_id, group_id="",
    )  # fmt: skip
    served = [replace(one, superseded_by=None) for one in made.statements if one.superseded_by is None]
    turned = [one for one in served if is_turned_by_cut(one.text, _said(one, items))]
    if turned:
        raise _Turned(frozenset(id_ for one in turned for id_ in one.source_ids))
    kept = tuple(one for one in served if work.orders.isdisjoint(one.source_ids) and not is_order(one.text))
    kept = held_on_any_day(kept, items) if work.undated else kept
    if not kept or (len(served) - len(kept)) / len(served) > _DROPPED:
        raise DraftFailed("The draft did not pass the checks: it follows an order in the texts, or invents a date.")
    return replace(made, statements=kept)


def _said(statement: Statement, items: Sequence[Item]) -> list[str]:
    ids = set(statement.source_ids)
    return [item.text for item in items if not ids.isdisjoint(item.source_ids)]
