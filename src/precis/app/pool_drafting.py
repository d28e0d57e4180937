"""One batch of a pool's memories as one summary: drafted, checked, laid out so that statements are found again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from precis.checks.fates import fates
from precis.engine.commit import MadeNode
from precis.engine.keeping import ROOM, completed
from precis.engine.pipeline import Engine, total
from precis.engine.policy import Policy
from precis.engine.segments import Leaf, Node, layout
from precis.engine.summarization import draft_node, items_of_node
from precis.errors import DraftFailed
from precis.language.visible import visible
from precis.lineage import Counts, Statement, counts_of
from precis.makers import Item, Usage
from precis.sources.source import PoolMemory
from precis.store.source_batches import Stretch

#: A paragraph ends with the statement that makes it this long, in words.
_PARAGRAPH = 90


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolDraft:
    """A checked summary of a batch."""

    text: str
    stretches: tuple[Stretch, ...]
    #: Memories that were read in part, or that the summary does not say in full: they stay.
    capped: frozenset[str]
    #: Law 7: what became of the memories.
    counts: Counts
    usage: Usage


async def draft_batch(
    engine: Engine, memories: Sequence[PoolMemory], *, policy: Policy, tenant_id: str, batch_id: str
) -> PoolDraft:
    """Every node of the batch's tree, children first, by the summarizer and through the checks.

    Nothing stands in for a model that does not answer: the originals may go on the strength of this summary. Raises
    DraftFailed and kin, and NoSlot.
    """
    places = {memory.id: at for at, memory in enumerate(memories)}
    items = {memory.id: _item(memory) for memory in memories}
    root = layout([_leaf(memory, engine.count(memory.text)) for memory in memories], shape=policy.shape)
    said: dict[bytes, tuple[Statement, ...]] = {}
    made: list[MadeNode] = []
    for node in root.below():
        one = await draft_node(
            node, _gathered(node, items, said), policy=policy, definition=engine.definition_of(policy),
            summarizer=engine.summarizer, judge=engine.judge, count=engine.count, tenant_id=tenant_id,
            group_id=batch_id,
        )  # fmt: skip
        said[node.key] = one.statements
        made.append(one)
    drafted = [s for s in made[-1].statements if s.superseded_by is None]
    if not drafted:
        raise DraftFailed("the draft says nothing")
    originals = list(items.values())
    room = int(ROOM * sum(engine.count(item.text) for item in originals))
    statements = completed(originals, drafted, room=room, count=engine.count)
    told = fates(originals, statements)
    text, stretches = composed((s.text.strip(), tuple(sorted(places[id_] for id_ in s.source_ids))) for s in statements)
    unsaid = (item.source_ids[0] for item, one in zip(originals, told, strict=True) if one is None)
    return PoolDraft(
        text=text,
        stretches=stretches,
        capped=frozenset(id_ for one in made for id_ in one.capped).union(unsaid),
        counts=counts_of(
            [*items],
            statements,
            {item.source_ids[0]: one.fate for item, one in zip(originals, told, strict=True) if one is not None},
            unread=0,
            capped=len({id_ for one in made for id_ in one.capped}),
        ),
        usage=total([one.usage for one in made]),
    )


def composed(pieces: Iterable[tuple[str, tuple[int, ...]]]) -> tuple[str, tuple[Stretch, ...]]:
    """Statements as paragraphs, and where each of them is."""
    text, words, stretches = "", 0, []
    for piece, sources in pieces:
        if text:
            text += "\n\n" if words >= _PARAGRAPH else " "
            words = 0 if words >= _PARAGRAPH else words
        stretches.append(Stretch(starts_at=len(text), ends_at=len(text) + len(piece), sources=sources))
        text += piece
        words += len(piece.split())
    return text, tuple(stretches)


def _gathered(node: Node, items: dict[str, Item], said: dict[bytes, tuple[Statement, ...]]) -> list[Item]:
    """Everything a node reads, oldest first."""
    found: list[Item] = []
    for child in node.children:
        found += [items[child.id]] if isinstance(child, Leaf) else items_of_node(child, said[child.key])
    return found


def _leaf(memory: PoolMemory, tokens: int) -> Leaf:
    created_at, _ = memory.order
    fingerprint = blake2b(f"{memory.id}\0{memory.text}".encode(), digest_size=16).digest()
    return Leaf(id=memory.id, created_at=created_at, fingerprint=fingerprint, tokens=tokens)


def _item(memory: PoolMemory) -> Item:
    created_at, _ = memory.order
    return Item(text=visible(memory.text), source_ids=(memory.id,), created_at=created_at)
