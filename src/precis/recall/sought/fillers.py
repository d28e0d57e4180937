"""Turns of a talk that say nothing of what is asked, or hardly anything: a name called out, praise, "It was". Pure."""

import re
from collections.abc import Mapping, Sequence

from precis.checks.asides import Manners
from precis.checks.reactions import is_fragment, is_reaction, speaks_of_somebody, states
from precis.language.chitchat import MAY_TELL, telling_in
from precis.language.sentences import is_question
from precis.language.words import content
from precis.recall.pieces import Piece, is_filler

#: A sentence whose subject was named before, if at all: "It was a pop."
_POINTS = re.compile(
    r"\W*(?:(?:and|but|so|well|oh|yeah|yes|ah)\b\W*)?(?:it|that|this|they|these|those)"
    r"(?:['\u2019](?:s|re)\b|\s+(?:is|was|are|were)\b)",
    re.IGNORECASE,
)
#: Words that tell something which praise, and what points back, may have.
_HARDLY_ANY = 1
#: So many turns before may have asked what a turn answers.
_BEFORE = 2
#: A turn of more words says something in one of its sentences.
_LONGEST = 12
#: What points back at nothing that matters is worth so much: it may be an answer in other words ("It's a ferret."), so
#: it has its place where there is room.
_POINTING = 0.05


def worths(
    memories: Sequence[Piece], parts_by_id: Mapping[str, Sequence[str]], query_terms: frozenset[str],
    manners: Manners | None = None,
) -> dict[str, float]:  # fmt: skip
    """What turns that hardly say anything are worth in a context, 0..1, by id; the others count whole.

    Calls and praise are worth nothing, what points back little. All count whole where one of the two turns recalled
    before them that day asks, and where they hold a word of the question, a stem of ``query_terms``, that is no
    speaker's name; what points back also beside a turn that holds one. So does the first that was recalled of a day,
    unless it points back.
    """
    turns = sorted(memories, key=lambda piece: (piece.created_at, piece.id))
    speakers = content(" ".join({piece.speaker for piece in turns if piece.speaker}))
    about = query_terms - speakers
    by_id = {}
    for at, turn in enumerate(turns):
        parts = parts_by_id[turn.id]
        before = [other for other in turns[max(0, at - _BEFORE) : at] if other.day == turn.day]
        # Nobody knows what the first that was recalled of a day answers; what points back needs something, though.
        is_known = before or any(_POINTS.match(part) for part in parts)
        if turn.speaker is None or len(turn.text.split()) > _LONGEST or not is_known:
            continue
        if any(is_question(part) for other in before for part in parts_by_id[other.id]):
            continue
        beside = [*before[-1:], *(other for other in turns[at + 1 : at + 2] if other.day == turn.day)]
        pointing = _POINTING if all(content(other.text).isdisjoint(about) for other in beside) else 1.0
        by_id[turn.id] = max(_worth(part, about, speakers, pointing, manners) for part in parts)
    return by_id


def _worth(
    part: str, about: frozenset[str], speakers: frozenset[str], pointing: float, manners: Manners | None
) -> float:
    stems = content(part)
    if stems & about:
        return 1.0
    telling = telling_in(part) - speakers
    if is_filler(part, manners) or (not telling and _only_calls(part, speakers)):
        return 0.0
    if len(telling) > _HARDLY_ANY or (not telling and stems & speakers) or _tells(part, speakers):
        return 1.0
    if is_reaction(part):
        return 0.0
    return pointing if _POINTS.match(part) else 1.0


def _tells(part: str, speakers: frozenset[str]) -> bool:
    """Whether it refuses, asks, or has a figure, a name that is no speaker's, a picture, or somebody it speaks of."""
    if "[" in part or MAY_TELL.search(part) or is_question(part):
        return True
    return states(_without(part, speakers)) or speaks_of_somebody(part)


def _only_calls(part: str, speakers: frozenset[str]) -> bool:
    """Whether it is "JONAH." or "Oh Jonah."; "With Jonah." and "You must be Jonah." tell, and so may his name."""
    bare = _without(part, speakers)
    if bare == " ".join(part.split()):
        return False
    return part.isupper() or ("," not in part and bool(content(bare)) and is_fragment(bare))


def _without(part: str, names: frozenset[str]) -> str:
    return " ".join(word for word in part.split() if not content(word) & names)
