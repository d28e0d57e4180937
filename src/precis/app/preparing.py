"""What becomes of the rows of a write before the store sees them: labels, tokens, vectors, and what they replace."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from precis.app.inputs import MAX_QUERY_CHARS, MemoryInput
from precis.app.parts import Parts
from precis.app.recall import Recall
from precis.ids import new_id
from precis.language.labels import extract, normalize_key
from precis.language.reading import Line, Sentence, read
from precis.makers import about, arrays_of
from precis.memory import LABELS, RENDERED, Extracted, Memory, MemoryType, Scope
from precis.recall.naming import Doubtful, Nameable, Named, find_named, with_later
from precis.store.filtering import Filter
from precis.store.rows import NewMemory
from precis.trust import SourceClass, class_of, class_of_role, may_replace, voice_of

#: Fewer characters than this are labeled by the rules on the event loop, more in a thread.
_AT_ONCE = 50_000
#: A longer text is not read for what it replaces.
_READ = 1_000
T = TypeVar("T")


async def prepare(parts: Parts, inputs: Sequence[MemoryInput]) -> list[NewMemory]:
    """Extract, count and embed: everything that needs no database."""
    extracted = await _extract(parts, inputs)
    memories = [_memory(parts, row, labels) for row, labels in zip(inputs, extracted, strict=True)]
    texts = [row.text for row in inputs]
    vectors = await arrays_of(parts.engine.embedder, texts)
    readings = await _read(parts, [memory for memory, _ in memories])
    known = await _in_time(lambda: about(parts.engine.embedder, texts), texts)
    return [
        NewMemory(
            memory=memory,
            vector=np.array(vector, dtype=np.float32),
            person=person,
            dated=row.created_at is not None,
            minted=row.id is None,
            revive=row.revive,
            confirmed=row.confirm,
            about=known_of_it,
            ruled=memory.extracted_type if row.type is None and parts.engine.extractor is None else None,
            sentences=sentences,
            given=frozenset(row.model_fields_set),
        )
        for row, (memory, person), vector, known_of_it, sentences in zip(
            inputs, memories, vectors, known, readings, strict=True
        )
    ]


async def _read(parts: Parts, memories: Sequence[Memory]) -> list[tuple[Sentence, ...]]:
    """The sentences of those that may replace one another by the rules.

    A message is what somebody said, and a note of a day what happened on it: neither is out of date later.
    """
    lines = [line_of(memory) if memory.memory_type is MemoryType.SEMANTIC else None for memory in memories]
    return await readings(parts, lines)


async def readings(parts: Parts, lines: Sequence[Line | None]) -> list[tuple[Sentence, ...]]:
    """Their sentences, of those that are short enough and where the rules may replace memories; else none."""
    if not parts.settings.supersede_by_rule:
        return [()] * len(lines)

    def by_rules() -> list[tuple[Sentence, ...]]:
        return [() if line is None or len(line.text) > _READ else read(line) for line in lines]

    return await _in_time(by_rules, [line.text if line else "" for line in lines])


async def _extract(parts: Parts, inputs: Sequence[MemoryInput]) -> list[Extracted]:
    """The labels by the rules; where a model is opted in, by the model for memories without a type or a key."""
    rows = [(row.text, _speaker(row)) for row in inputs]
    extracted = await _in_time(
        lambda: [extract(text, speaker=speaker) for text, speaker in rows], [text for text, _ in rows]
    )
    extractor = parts.engine.extractor
    open_ = [place for place, row in enumerate(inputs) if row.type is None or row.key is None]
    if extractor is not None and open_:
        by_model = await extractor.extract([rows[place] for place in open_], tenant_id=parts.tenant_id)
        for place, labels in zip(open_, by_model, strict=True):
            extracted[place] = labels
    return extracted


def _memory(parts: Parts, row: MemoryInput, labels: Extracted) -> tuple[Memory, str | None]:
    """The row, and whom it is about: casefolded, so that spellings of a name meet."""
    engine = parts.engine
    now = engine.clock()
    memory = Memory(
        id=row.id or new_id(),
        scope=row.scope_in(parts.tenant_id),
        text=row.text,
        created_at=row.created_at or now,
        updated_at=now,
        memory_type=row.memory_type,
        namespace=row.namespace,
        session_id=row.session_id,
        agent_id=row.agent_id,
        run_id=row.run_id,
        speaker=_speaker(row),
        extracted_type=row.type or labels.type,
        extracted_key=normalize_key(row.key) if row.key is not None else labels.key,
        importance=labels.importance if row.importance is None else row.importance,
        event_date=row.event_date,
        pinned=row.pinned,
        topics=row.topics,
        entities=row.entities,
        metadata=row.metadata,
        tokens=engine.count(row.text) + RENDERED,
        embedding_version=engine.embedder.version,
        source_class=row.source_class or class_of(row.metadata),
        own_labels=tuple(name for name in LABELS if getattr(row, name) is not None),
    )
    return memory, labels.person.casefold() if labels.person else None


async def _in_time(work: Callable[[], T], texts: Iterable[str]) -> T:
    """The work on these texts: of few it is done at once, of many or long ones in a thread."""
    return work() if sum(map(len, texts)) < _AT_ONCE else await asyncio.to_thread(work)


def _speaker(row: MemoryInput) -> str | None:
    """Who says it; what an assistant or a tool says is nobody's, so its role is told where no name is."""
    speaker, role = row.metadata.get("speaker"), row.metadata.get("role")
    if isinstance(speaker, str) and speaker.strip():
        return speaker
    return role if isinstance(role, str) and role.strip() and class_of_role(role) is not SourceClass.USER else None


# --- what a new memory replaces, where its writer says that in words ---

#: Memories that the words are compared with, the most relevant ones.
_COMPARED = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Meant:
    """What a writer means; None where nothing was said."""

    ids: tuple[str, ...] | None = None
    doubtful: tuple[Doubtful, ...] = ()


#: Finds the memory that words name, as a request to forget would.
Naming = Callable[[str, Filter], Awaitable[Named]]


async def resolve(parts: Parts, rows: Sequence[tuple[MemoryInput, Memory]], name: Naming) -> list[Meant]:
    """For each row, and the memory that it becomes, what it is to replace. Words that are an id are that id.

    Words may mean what is written with them, and is no newer.
    """
    results = []
    for at, (row, memory) in enumerate(rows):
        before = [
            other
            for place, (_, other) in enumerate(rows if isinstance(row.supersedes, str) else ())
            if other.scope == memory.scope and (other.created_at, place) < (memory.created_at, at)
        ]
        results.append(await _meant(parts, row, memory, name, before))
    return results


async def _meant(parts: Parts, row: MemoryInput, memory: Memory, name: Naming, before: Sequence[Memory]) -> Meant:
    """What a row replaces of what is there, and of what is written ``before`` it."""
    words = row.supersedes
    if words is None or isinstance(words, tuple):
        return Meant(ids=words)
    beside = {other.id: other for other in before if other.id != memory.id}
    if words in beside or await parts.store.memories.get(parts.tenant_id, [words]):
        return Meant(ids=(words,))
    memories = [
        *((other, 0.0) for other in beside.values()),
        *(pair for pair in await _candidates(parts, words[:MAX_QUERY_CHARS], memory) if pair[0].id not in beside),
    ]
    nameable = [_nameable(other, relevance) for other, relevance in memories]
    named = find_named(words, line_of(memory), nameable)
    others = {other.id: other for other, _ in memories}
    if not named.ids:
        scope = memory.scope
        within = Filter(
            user_id=scope.user_id, project_id=scope.project_id, environment=scope.environment, current=True
        )  # fmt: skip
        as_asked = await name(words[:MAX_QUERY_CHARS], within)
        # Of what is not there yet nobody knows what a request would find.
        meant, perhaps = (tuple(id_ for id_ in ids if id_ != memory.id) for ids in (as_asked.ids, as_asked.doubtful))
        sure = meant if beside.keys().isdisjoint(named.doubtful) else ()
        doubtful = tuple(dict.fromkeys((*meant, *named.doubtful))) or perhaps
        named = Named(ids=sure, doubtful=() if sure else doubtful)
        strange = [id_ for id_ in (*named.ids, *named.doubtful) if id_ not in others]
        others |= await parts.store.memories.get(parts.tenant_id, strange)
    if named.ids:
        named = with_later(named, words, _nameable(memory), [_nameable(other) for other in others.values()])
    # What it may not replace unless the user agrees is listed with what is in doubt.
    kept = [id_ for id_ in named.ids if not (row.confirm or may_replace(memory.source_class, others[id_].source_class))]
    return Meant(
        ids=tuple(id_ for id_ in named.ids if id_ not in kept),
        doubtful=tuple(Doubtful(id=id_, text=others[id_].text) for id_ in (*kept, *named.doubtful)),
    )


def _nameable(memory: Memory, relevance: float = 1.0) -> Nameable:
    return Nameable(id=memory.id, line=line_of(memory), relevance=relevance, said_at=memory.created_at)


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
