"""A short memory is told whole or not at all: what would be cut from it is what the rest is about."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from precis.checks.leaning import hangs
from precis.checks.reactions import states
from precis.extractive.candidate import Candidate, size_of
from precis.extractive.together import united
from precis.extractive.trim import trimmed
from precis.language.dating.resolving import dated
from precis.language.sentences import is_question, sentences
from precis.language.words import content
from precis.makers import Item

#: A memory of no more words is short.
_SHORT = 40
#: A question that asks the listener, in a talk: the words behind it are no answer to it.
_ASKS = re.compile(
    r"\W*(?:(?:and|so|but|oh|hey|well) )*(?:who|whom|whose|what|when|where|why|which|how|any|are|is|was|were|do|does"
    r"|did|have|has|had|can|could|would|will|should|ever)(?:['\u2019](?:s|re|d|ve|ll))?\b|.*\byou(?:r|rs)?\b",
    re.IGNORECASE,
)


def whole(of_item: Sequence[Candidate], item: Item, people: Collection[str]) -> list[Candidate]:
    """The clauses of a short note as one candidate, with the questions they answer; those of a longer one as they are.

    Of what somebody says in a talk it is all from the first to the last sentence that has a figure, a date or a name.
    """
    own = [candidate for candidate in of_item if not (candidate.aside or candidate.caption)]
    if not own or any(candidate.code or candidate.derived or len(candidate.sources) > 1 for candidate in own):
        return list(of_item)
    parts = sorted([*own, *_questions(own, item, people)], key=_order)
    if item.speaker:
        stating = [at for at, part in enumerate(parts) if states(part.text)]
        first = stating[0] if stating else 0
        while first and hangs(parts[first].text, item.text):
            first -= 1
        parts = parts[first : stating[-1] + 1] if stating else []
    size = sum(part.length for part in parts)
    if len(parts) <= 1 or size > _SHORT:
        return list(of_item)
    return sorted([united(parts), *(candidate for candidate in of_item if candidate not in parts)], key=_order)


def _order(candidate: Candidate) -> tuple[int, int]:
    return candidate.sentence, candidate.clause


def _questions(own: Sequence[Candidate], item: Item, people: Collection[str]) -> Iterator[Candidate]:
    """The questions before its sentences, which these answer; in a talk those that only sound like questions."""
    stated = {candidate.sentence for candidate in own}
    for number, sentence in enumerate(sentences(item.text)[: max(stated)]):
        if number in stated or not is_question(sentence) or (item.speaker and _ASKS.match(sentence)):
            continue
        text = dated(trimmed(sentence, people), item.day, whole=item.text)
        yield replace(
            own[0], sentence=number, clause=0, joint="", text=text, terms=content(sentence), length=size_of(sentence),
            dangling=False, standing=False, changes=False,
        )  # fmt: skip
