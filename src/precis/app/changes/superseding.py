"""What a new memory replaces, where its writer says that in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from precis.app.inputs import MAX_QUERY_CHARS, MemoryInput
from precis.app.parts import Parts
from precis.app.recall import Recall
from precis.language.reading import Line
from precis.memory import Memory, Scope
from precis.recall.naming import Doubtful, Nameable, find_named
from precis.trust import may_replace, voice_of

#: Memories that the words are compared with, the most relevant ones.
_COMPARED = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Meant:
    """What a writer means; None where nothing was said."""

    ids: tuple[str, ...] | None = None
    doubtful: tuple[Doubtful, ...] = ()


async def resolve(parts: Parts, rows: Sequence[tuple[MemoryInput, Memory]]) -> list[Meant]:
    """For each row, and the memory that it becomes, what it is to replace. Words that are an id are that id."""
    return [await _meant(parts, row, memory) for row, memory in rows]


async def _meant(parts: Parts, row: MemoryInput, memory: Memory) -> Meant:
    words = row.supersedes
    if words is None or isinstance(words, tuple):
        return Meant(ids=words)
    if await parts.store.memories.get(parts.tenant_id, [words]):
        return Meant(ids=(words,))
    memories = await _candidates(parts, words[:MAX_QUERY_CHARS], memory)
    nameable = [Nameable(id=other.id, line=line_of(other), relevance=relevance) for other, relevance in memories]
    named = find_named(words, line_of(memory), nameable)
    others = {other.id: other for other, _ in memories}
    # What it may not replace unless the user agrees is listed with what is in doubt.
    kept = [id_ for id_ in named.ids if not (row.confirm or may_replace(memory.source_class, others[id_].source_class))]
    return Meant(
        ids=tuple(id_ for id_ in named.ids if id_ not in kept),
        doubtful=tuple(Doubtful(id=id_, text=others[id_].text) for id_ in (*kept, *named.doubtful)),
    )


def line_of(memory: Memory) -> Line:
    """A memory as it is read."""
    return Line(text=memory.text or "", speaker=memory.speaker, voice=voice_of({memory.source_class}))


async def _candidates(parts: Parts, words: str, memory: Memory) -> list[tuple[Memory, float]]:
    """The raw memories of its scope that have most to do with the words, by words and vectors."""
    scope: Scope = memory.scope
    results = await Recall(parts).search(
        words, limit=_COMPARED, summaries="without", user_id=scope.user_id, project_id=scope.project_id,
        environment=scope.environment,
    )  # fmt: skip
    return [(result.memory, result.relevance.value) for result in results if result.memory.id != memory.id]
