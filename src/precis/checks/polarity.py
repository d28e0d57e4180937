"""Whether a statement denies, or turns around, what its best matching passage says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from precis.checks.evidence import Evidence
from precis.checks.reading import Claim, Kind, Sentence
from precis.language.vocabulary import ANTONYMS

#: Passages this close to the best one are as good a reading of the statement.
_AS_GOOD = 0.8
#: Content words after a denial that it is about.
_DENIED = 3


def best_places(sources: frozenset[int], evidence: Evidence, overlap: dict[int, float]) -> list[int]:
    """The passages of the sources that hold most of the statement, best first."""
    places = [place for place in overlap if evidence.passages[place].item in sources]
    if not places:
        return []
    limit = _AS_GOOD * max(overlap[place] for place in places)
    return sorted((place for place in places if overlap[place] >= limit), key=lambda place: -overlap[place])[:4]


def flips(claim: Claim, places: Sequence[int], sources: frozenset[int], evidence: Evidence) -> tuple[str, ...]:
    """What the statement turns around: ``negation``, ``antonym``, or ``modality`` where it makes a maybe a fact.

    A denial must be found near: some passage of the sources denies one of the words the statement denies. Where the
    statement denies nothing, one of its best passages must leave undenied what the two share.
    """
    passages = [evidence.passages[place].sentence for place in places]
    if not passages:
        return ()
    flipped = []
    if _denies_alone(claim, sources, evidence) or all(_drops_denial(claim, passage) for passage in passages):
        flipped.append("negation")
    if all(_asserts_more(claim.sentences, passage) for passage in passages):
        flipped.append("modality")
    if all(_opposed(claim, passage) for passage in passages):
        flipped.append("antonym")
    return tuple(flipped)


def _denies_alone(claim: Claim, sources: frozenset[int], evidence: Evidence) -> bool:
    """The statement denies something that no passage of its sources denies."""
    for sentence in claim.sentences:
        denied = [token.family for token in sentence.content if token.negated][:_DENIED]
        if denied and not any(
            evidence.passages[place].item in sources and evidence.passages[place].denies(key)
            for key in denied
            for place in evidence.postings.get(key, ())
        ):
            return True
    return False


def _drops_denial(claim: Claim, passage: Sentence) -> bool:
    """The passage denies most of what it shares with the statement, which denies nothing."""
    if passage.question:
        return False
    statement, source = _flags(claim.sentences, "negated"), _flags([passage], "negated")
    shared = statement.keys() & source.keys()
    return not any(statement.values()) and sum(source[key] for key in shared) * 2 > len(shared)


def _flags(sentences: Iterable[Sentence], flag: str) -> dict[str, bool]:
    """Family to whether any occurrence carries the flag."""
    marks: dict[str, bool] = {}
    for sentence in sentences:
        for token in sentence.tokens:
            if token.kind in (Kind.WORD, Kind.PLAIN, Kind.NUMBER):
                marks[token.family] = marks.get(token.family, False) or getattr(token, flag)
    return marks


def _asserts_more(sentences: Sequence[Sentence], passage: Sentence) -> bool:
    """What the passage calls possible, the statement calls so."""
    statement, source = _flags(sentences, "modal"), _flags([passage], "modal")
    shared = statement.keys() & source.keys()
    return (
        not passage.question
        and bool(shared)
        and not any(statement.values())
        and sum(source[key] for key in shared) * 2 > len(shared)
    )


def _opposed(claim: Claim, passage: Sentence) -> bool:
    """The statement has a word whose opposite the passage has, and the passage lacks the word itself."""
    in_passage = {token.family for token in passage.tokens}
    in_claim = {token.family for sentence in claim.sentences for token in sentence.tokens}
    return any(ANTONYMS[key] & (in_passage - in_claim) for key in in_claim - in_passage if key in ANTONYMS)
