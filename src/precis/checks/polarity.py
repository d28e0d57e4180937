"""Whether a statement denies, or turns around, what its best matching passage says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from precis.checks.evidence import Claim, Evidence
from precis.checks.reading import Kind, Sentence
from precis.language import tables
from precis.language.vocabulary import ANTONYMS, MODALS

#: Content words after a denial that it is about.
_DENIED = 3
_FUTURE = frozenset(tables.words("roles.future"))
#: Of the words under which something is only possible, those that say nobody knows.
_DOUBTS = MODALS - frozenset(tables.words("roles.wishes"))


def flips(claim: Claim, close: Sequence[int], sources: frozenset[int], evidence: Evidence) -> tuple[str, ...]:
    """What the statement turns around: ``negation``, ``antonym``, or ``modality`` where it makes a maybe a fact.

    A denial must be found near: some passage of the sources denies one of the words the statement denies. Where the
    statement denies nothing, one of its best passages must leave undenied what the two share.
    """
    passages = [evidence.passages[place].sentence for place in close]
    flipped = []
    if _denies_alone(claim, sources, evidence) or _all(_drops_denial(claim, passage) for passage in passages):
        flipped.append("negation")
    if _all(_asserts_more(claim.sentences, passage) for passage in passages):
        flipped.append("modality")
    if _all(_opposed(claim, passage) for passage in passages):
        flipped.append("antonym")
    return tuple(flipped)


def _all(findings: Iterable[bool]) -> bool:
    """Whether there are some, and each is so."""
    counted = list(findings)
    return bool(counted) and all(counted)


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
    """What the passage calls possible, the statement calls so. What is planned, it may say will be."""
    if passage.question or (_has_any(sentences, _FUTURE) and not _has_any([passage], _DOUBTS)):
        return False
    statement, source = _flags(sentences, "modal"), _flags([passage], "modal")
    shared = statement.keys() & source.keys()
    return bool(shared) and not any(statement.values()) and sum(source[key] for key in shared) * 2 > len(shared)


def _has_any(sentences: Iterable[Sentence], words: frozenset[str]) -> bool:
    return any(
        token.word in words and token.kind is not Kind.CALENDAR for sentence in sentences for token in sentence.tokens
    )


def _opposed(claim: Claim, passage: Sentence) -> bool:
    """The statement has a word whose opposite the passage has, and the passage lacks the word itself."""
    in_passage = {token.family for token in passage.tokens}
    in_claim = {token.family for sentence in claim.sentences for token in sentence.tokens}
    return any(ANTONYMS[key] & (in_passage - in_claim) for key in in_claim - in_passage if key in ANTONYMS)
