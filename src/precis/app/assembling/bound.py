"""Which of the rows that recall found are relevant enough for a context, and which may give a newer value. Pure."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence

from precis.app.recall import Recalled, is_users, relevant_enough, told_by
from precis.memory import Scope
from precis.recall.assembly import Piece, Section
from precis.recall.newer.likely import likely_newer
from precis.recall.persons import AGENTS, ASSISTANTS
from precis.recall.sought.evidence import NOTHING
from precis.trust import RELAYED

#: Where the caller sets no ``min_relevance``: rows below this are left out, here and in what agents are answered;
#: and where the best row is below the next, the context is empty. Measured in docs/why/relevance.md.
LEAST_RELEVANCE = 0.03
_LEAST_OF_BEST = 0.05
#: Beside a row of this relevance the other turns that were recalled of that day of its conversation stay: who is
#: answered there seldom repeats the words of the question.
_LEAST_BESIDE = 0.1
#: The first rows of an answer stay whatever their relevance, and count as if they had so much at least: what puts them
#: first may be what relevance does not look at.
_FIRST, _OF_FIRST = 3, 0.03
#: The parts of a score that are of the question.
_ASKED = ("keyword", "vector", "stretch", "named", "date", "newest", "telling")
#: A note, or a turn of a talk with an agent, that has less has nothing in common with the question.
_ABOVE_NOTHING = NOTHING + 1e-6
#: What is likely to give the newer value of such a row has so much at least.
_LEAST_RENEWED = 0.03
#: Of so many of the best rows newer values are looked for, which need not be relevant by themselves.
_RENEWED = 10
#: Of a row that is about as relevant as the best.
_NEAR_BEST = 0.5
#: So many notes that share nothing with the question may give newer values: more are only what was told later.
_RENEWING_NOTES = 4
#: Behind a turn that asks the same only so many stay: the others have no part in it.
_ANSWERING = 2


def relevant_rows(
    results: Sequence[Recalled], min_relevance: float | None, with_agent: Collection[Scope]
) -> list[Recalled]:
    """Those that are relevant enough for a context; none where the best of them says nothing on the question.

    ``with_agent`` are the scopes in which an assistant speaks.
    """
    if min_relevance is not None:
        return relevant_enough(results, min_relevance)
    best = max((result.relevance.value for result in results), default=0.0)
    if best < _LEAST_OF_BEST:
        return []
    near = [hit for hit in results if hit.relevance.value >= _LEAST_BESIDE]
    beside = {_conversation(hit) for hit in near if not hit.asks_again}
    beside.discard(None)
    behind = {turn.memory.id for hit in near if hit.asks_again for turn in _behind(hit, results)}
    first = _first(results)

    def is_near(hit: Recalled) -> bool:
        of_agent = _by(hit) in AGENTS or is_with_agent(hit, with_agent)
        # Who answers in a talk of people need not have anything in common with the question.
        least = LEAST_RELEVANCE if hit.memory.session_id is not None and not of_agent else _ABOVE_NOTHING
        return hit.relevance.value >= least

    return [hit for hit in results if is_near(hit) or hit.memory.id in first | behind or _conversation(hit) in beside]


def _by(result: Recalled) -> str:
    return str(result.memory.speaker or result.memory.metadata.get("role") or "").casefold()


def scopes_with_agent(results: Sequence[Recalled]) -> frozenset[Scope]:
    """The scopes in which an assistant speaks: it talks with a user there, who may have a name."""
    return frozenset(hit.memory.scope for hit in results if _by(hit) in ASSISTANTS)


def is_with_agent(hit: Recalled, scopes: Collection[Scope]) -> bool:
    """Whether it is a turn of a talk with an agent, in one of these scopes, or a fact of one."""
    memory = hit.memory
    if memory.is_summary or memory.scope not in scopes:
        return False
    is_of_both = _by(hit) in AGENTS or is_users(memory) or memory.source_class in RELAYED
    return bool(memory.parent_id) or (memory.session_id is not None and is_of_both)


def newer_values(
    results: Sequence[Recalled], relevant: Sequence[Recalled], by_agent: Collection[str]
) -> Mapping[str, Mapping[str, float]]:
    """The memories that may give the newer value of one of the best of the relevant, of which, and how likely.

    Where one user alone tells, that the same tells both is no sign: only what is nearly as relevant as the best has a
    newer value then, the likeliest; of a talk with an agent with a rare word in common, of notes a few.
    """
    told = told_by(results)
    older = [hit for hit in relevant if hit.memory.id in told and not hit.asks_again][:_RENEWED]
    best = max((hit.relevance.value for hit in older), default=0.0)
    near = {hit.memory.id for hit in older if hit.relevance.value >= _NEAR_BEST * best}
    newer = likely_newer([hit.memory.id for hit in older], told, by_agent)
    likeliest: dict[str, float] = {}
    for of_older in newer.values():
        for old, chance in of_older.items():
            likeliest[old] = max(likeliest.get(old, 0.0), chance)
    notes = {hit.memory.id for hit in results if _is_note(hit)} - set(by_agent)

    def is_likely(new: str, old: str, chance: float) -> bool:
        if new in by_agent:
            return old in near and chance >= max(_LEAST_RENEWED, _NEAR_BEST * likeliest[old])
        return old in near or new not in notes

    kept = {
        new: {old: chance for old, chance in of_older.items() if is_likely(new, old, chance)}
        for new, of_older in newer.items()
    }
    chances = {new: max(of_older.values()) for new, of_older in kept.items() if of_older}
    few = sorted(notes & chances.keys(), key=lambda new: (-chances[new], new))[:_RENEWING_NOTES]
    return {new: kept[new] for new in chances if new not in notes or new in few}


def renewed_by(
    piece: Piece, renewing: Mapping[str, Mapping[str, float]], by_agent: Collection[str]
) -> Mapping[str, float]:
    """Of which memories a line may give the newer value: a statement, for what it rests on of a talk with an agent.

    Notes that give newer values have no more in common with the older ones than others have, and a statement of one
    would stand above every older key insight.
    """
    ids = (piece.id,) if piece.section is Section.MEMORIES else piece.source_ids
    return {
        old: chance
        for id_ in ids
        if piece.section is Section.MEMORIES or id_ in by_agent
        for old, chance in renewing.get(id_, {}).items()
        if old not in ids
    }


def _is_note(hit: Recalled) -> bool:
    return hit.memory.session_id is None and hit.memory.speaker is None


def _first(results: Sequence[Recalled]) -> frozenset[str]:
    """The memories that recall put first; a note only for something that the question asks for."""
    memories = [hit for hit in results if not hit.memory.is_summary and not hit.asks_again][:_FIRST]
    return frozenset(hit.memory.id for hit in memories if not _is_note(hit) or any(map(hit.score.parts.get, _ASKED)))


def _behind(asking: Recalled, results: Sequence[Recalled]) -> list[Recalled]:
    """The next turns that were recalled of the conversation in which the same was asked: they may answer it."""
    later = [
        result
        for result in results
        if _conversation(result) == _conversation(asking) and result.memory.created_at > asking.memory.created_at
    ]
    return sorted(later, key=lambda result: (result.memory.created_at, result.memory.id))[:_ANSWERING]


def _conversation(result: Recalled) -> Hashable | None:
    """The conversation that a row is a turn of, and its day: a talk with an agent may go on for months."""
    memory = result.memory
    is_turn = memory.session_id is not None and not memory.is_summary
    return (memory.scope, memory.namespace, memory.session_id, result.day) if is_turn else None


def memory_pieces(results: Sequence[Recalled]) -> list[Piece]:
    """These rows as pieces of a context, but for summaries and what has no text left."""
    first = _first(results)
    return [
        Piece(
            section=Section.MEMORIES,
            id=result.memory.id,
            text=result.memory.text,
            created_at=result.memory.event_date or result.said_at or result.memory.created_at,
            source_ids=(result.memory.id, *result.memory.parent_id),
            score=result.score.total,
            relevance=max(result.relevance.value, _OF_FIRST if result.memory.id in first else 0.0),
            said_on=result.day,
            speaker=result.memory.speaker,
            source_class=result.memory.source_class,
            asks_again=result.asks_again,
            later=result.later,
            overruled=result.overruled,
        )
        for result in results
        if not result.memory.is_summary and result.memory.text
    ]
