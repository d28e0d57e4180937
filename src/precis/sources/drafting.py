"""The summary of one batch of a pool's memories: drafted, checked, laid out so that its statements are found again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from precis.checks.fates import fates
from precis.engine.draft import InHand, draft
from precis.engine.engine import Engine
from precis.engine.keeping import completed, room_of
from precis.engine.plan import plan_over
from precis.engine.segments import Leaf
from precis.errors import DraftFailed
from precis.language.visible import visible
from precis.lineage import Counts, counts_of
from precis.makers import Item, Usage
from precis.memory import OldMemory
from precis.store.sources import Stretch

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
    engine: Engine, memories: Sequence[OldMemory], texts: Mapping[str, str], *, tenant_id: str, batch_id: str
) -> PoolDraft:
    """A summary that says all of these memories, as far as it is shorter than they are.

    Nothing stands in for a model that does not answer: the originals may go on the strength of this summary. Raises
    DraftFailed and kin, and NoSlot.
    """
    positions = {memory.id: position for position, memory in enumerate(memories)}
    items = {
        memory.id: Item(text=visible(texts[memory.id]), source_ids=(memory.id,), created_at=memory.created_at)
        for memory in memories
    }
    policy = engine.policies["archive"]
    plan = plan_over(
        policy, [_leaf(memory, texts[memory.id]) for memory in memories], definition=engine.definition_of(policy),
        tenant_id=tenant_id, group_id=batch_id,
    )  # fmt: skip
    drafted = await draft(plan, InHand(known=items), makers=engine.without_stand_in())
    served = [statement for statement in drafted.root.statements if statement.superseded_by is None]
    if not served:
        raise DraftFailed("the draft says nothing")
    originals = list(items.values())
    statements = completed(originals, served, room=room_of(originals, engine.count), count=engine.count)
    verdicts = dict(zip(items, fates(originals, statements), strict=True))
    capped = drafted.root.capped
    text, stretches = composed(
        (statement.text.strip(), tuple(sorted(positions[id_] for id_ in statement.source_ids)))
        for statement in statements
    )
    return PoolDraft(
        text=text,
        stretches=stretches,
        capped=capped.union(id_ for id_, verdict in verdicts.items() if verdict is None),
        counts=counts_of(
            items, statements, {id_: verdict.fate for id_, verdict in verdicts.items() if verdict is not None},
            unread=0, capped=len(capped),
        ),
        usage=drafted.usage,
    )  # fmt: skip


def _leaf(memory: OldMemory, text: str) -> Leaf:
    fingerprint = blake2b(f"{memory.id}\0{text}".encode(), digest_size=16).digest()
    return Leaf(id=memory.id, created_at=memory.created_at, fingerprint=fingerprint, tokens=memory.tokens)


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
