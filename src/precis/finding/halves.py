"""What stays of a memory that speaks of two things, where only one is to be forgotten.

A part stays where it can stand alone: a whole sentence, or a clause with a subject and a verb of its own, that names
nothing of what goes, takes up nobody by a pronoun, and shares no word with what goes. Otherwise the memory goes whole:
half a sentence that cannot be read without the other says something else, or still says what was to be forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from precis.finding.identifiers import identifiers_in
from precis.finding.names import people
from precis.finding.reading import read_words, sentence_spans
from precis.finding.tables import language_of, name_words, words_of
from precis.finding.values import Level, Span
from precis.language.tokens import token, tokens
from precis.language.verbs import form_of, verb_place
from precis.language.words import STOP_WORDS, stem

_JOINT = re.compile(
    r"(?:,\s+|\s+)(?:and|but|while|whereas|und|aber|während|et|mais|y|pero|mientras|e|mas|ma|mentre)\s+|;\s+",
    re.IGNORECASE,
)


def parted(text: str, spans: Sequence[Span]) -> tuple[tuple[Span, ...], Level]:
    """Parts of the text that stay when what stands at these places goes; none where it has to go whole.

    The level says how sure it is that the whole may go then: in doubt where it tells a second thing that cannot be
    parted from the first.
    """
    pieces = [piece for sentence in sentence_spans(text) for piece in _clauses(text, sentence)]
    going = [piece for piece in pieces if _touches(piece, spans)]
    rest = [piece for piece in pieces if not _touches(piece, spans)]
    if not going or not rest:
        return (), Level.DOUBTFUL if any(
            _doubled(text[start:end], start, spans) for start, end in going
        ) else Level.SURE
    lost = _content(" ".join(text[start:end] for start, end in going))
    own = [piece for piece in rest if _has_subject(text[piece[0] : piece[1]])]
    if len(own) == len(rest) and not any(_content(text[start:end]) & lost for start, end in rest):
        return tuple(rest), Level.SURE
    return (), Level.DOUBTFUL if own else Level.SURE


def _doubled(clause: str, start: int, spans: Sequence[Span]) -> bool:
    """Whether somebody else is named behind an "and" that does not join two names: "Ana in Oslo and Ben in Kiel"."""
    named = [(start + first, start + last) for first, last, _ in people(clause)]
    for match in _JOINT.finditer(clause):
        behind = start + match.end()
        before = start + match.start()
        other = any(first == behind and not _touches((first, last), spans) for first, last in named)
        joined = any(last == before for _, last in [*named, *spans])
        if other and not joined and any(last <= before for _, last in spans):
            return True
    return False


def is_shared(text: str, spans: Sequence[Span]) -> bool:
    """Whether it also names somebody else."""
    return any(not _touches((start, end), spans) for start, end, _ in people(text))


def written(text: str, parts: Sequence[Span]) -> str:
    """The parts as a text of their own."""
    pieces = [text[start:end].strip(" ,;") for start, end in parts]
    closed = [piece if piece[-1:] in ".!?\u3002\uff01\uff1f" else f"{piece}." for piece in pieces if piece]
    return " ".join(f"{piece[0].upper()}{piece[1:]}" for piece in closed)


def _touches(piece: Span, spans: Sequence[Span]) -> bool:
    return any(start < piece[1] and end > piece[0] for start, end in spans)


def _clauses(text: str, sentence: Span) -> list[Span]:
    """The clauses of a sentence that each have a subject and a verb; the sentence itself where they do not."""
    start, end = sentence
    joints = [match.span() for match in _JOINT.finditer(text, start, end)]
    pieces, begin = [], start
    for first, last in joints:
        if _is_clause(text[begin:first]) and _is_clause(text[last:end]):
            pieces.append((begin, first))
            begin = last
    return [*pieces, (begin, end)]


def _is_clause(text: str) -> bool:
    """Whether it has a subject of its own and a verb."""
    words = tokens(text)
    if len(words) < 3 or not _has_subject(text):
        return False
    if verb_place(words) is not None or any(form_of(word) is not None for word in words[1:4]):
        return True
    low = [word.low for word in words]
    # Another language than English: a small word behind the subject is taken for its verb.
    return language_of(low, text) != "en" and low[1].isalpha() and words[1].small


def _has_subject(text: str) -> bool:
    """Whether it begins with somebody or something of its own, and takes nobody up by a pronoun."""
    words = read_words(text)
    if not words:
        return False
    language = language_of([word.low for word in words], text)
    if any(word.low in words_of(language, "third") for word in words):
        return False
    opening = words[0]
    if opening.low in name_words("dependent"):
        return False
    if opening.low in name_words("own") | name_words("given") or opening.low in words_of(language, "first"):
        return True
    return opening.capital and (opening.owns or opening.low not in STOP_WORDS)


def _content(text: str) -> frozenset[str]:
    """What would tie one part to another: its words without verbs, and its identifiers."""
    marks = {mark.value for mark in identifiers_in(text)}
    names = {
        word.low
        for word in read_words(text)
        if word.low not in STOP_WORDS and len(word.low) > 2 and form_of(token(word.low)) is None
    }
    return frozenset(map(stem, names)) - _COMMON | marks


#: What two facts may share without sharing anything.
_COMMON = frozenset(map(stem, "number phone email address name user".split()))
