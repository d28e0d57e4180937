"""What a person forgot of a conversation, in a history that its client sends again: it stays out, under whatever ids.

A client that keeps its own list of messages does not know what was forgotten here. What it says anew is no history: the
last thing that the user says in a list, and what stands behind it, is never left out.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import product

from precis.app.conversing.matching import NOTHING, Buried
from precis.app.messages import MessageInput
from precis.app.parts import Parts
from precis.conversation import Line, memory_id
from precis.ids import as_said, as_sent
from precis.store.conversation_rows import StoredLine

#: So many pairs of a sent and a stored line are looked at, of which one may be the rest of the other.
_PAIRS = 10_000


async def buried_in(
    parts: Parts, conversation_id: str, inputs: Sequence[MessageInput], sent: Sequence[Line],
    stored: Sequence[StoredLine], named: Collection[int],
) -> Buried:  # fmt: skip
    """What was forgotten of a list, the lines of which at the places ``named`` are stored under their ids."""
    last = max((at for at, message in enumerate(inputs) if message.role == "user"), default=0)
    history = [at for at in range(last) if at not in named]
    if not history:
        return NOTHING
    names: dict[str, list[int]] = {}
    for at in history:
        names.setdefault(as_sent(conversation_id, sent[at].role, sent[at].mark or 0), []).append(at)
    pairs = {as_said(stored[place].id, inputs[at].told): (at, place) for at, place in _strangers(sent, stored, history)}
    # What is forgotten by its own id is refused under that.
    ids = {memory_id(conversation_id, name): at for at in history if (name := inputs[at].id) is not None}
    known = await parts.store.memories.forgotten(parts.tenant_id, [*names, *pairs, *ids])
    refused = {at for id_, at in ids.items() if id_ in known}
    return Buried(
        whole=frozenset(at for name, places in names.items() if name in known for at in places) - refused,
        lessened=dict(pair for name, pair in pairs.items() if name in known),
    )


def _strangers(sent: Sequence[Line], stored: Sequence[StoredLine], history: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Each line of the history that is not stored, with each stored one of the same role that was not sent."""
    spoken, kept = {line.words for line in sent}, {line.words for line in stored}
    unknown = [at for at in history if sent[at].words not in kept]
    loose = [place for place, line in enumerate(stored) if line.words not in spoken]
    if len(unknown) * len(loose) > _PAIRS:
        return iter(())
    return ((at, place) for at, place in product(unknown, loose) if sent[at].role == stored[place].role)
