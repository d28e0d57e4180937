"""What of a message stands together: halves of a contrast or a choice, a limit, a laugh with what it is about.

A short memory is told whole or not at all: what would be cut from it is what the rest is about.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from precis.checks.answering import answers_anew, is_answer
from precis.checks.asides import hangs, tells_only_when
from precis.checks.reactions import is_fragment, lacks_verb, states
from precis.extractive.candidate import Candidate, size_of
from precis.extractive.rendering import closed, rendered
from precis.extractive.trim import trimmed
from precis.language import tables
from precis.language.dating.resolving import dated
from precis.language.newest.taken_back import laughs, takes_back, taking_back
from precis.language.sentences import is_entry, is_question, sentences
from precis.language.words import content
from precis.makers import Item

_OPENS = re.compile(
    rf"\W*(?:(?:{tables.in_every_language('turns.opens')})(?!\w)|{tables.in_every_language('turns.opens_unspaced')})",
    re.IGNORECASE,
)
_JOINT = re.compile(r"(?<!\w)(?:but|though|although|yet|or)(?!\w)", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:though|tho)\W*$", re.IGNORECASE)
_ALLOWS, _LIMITS = (
    re.compile(tables.in_every_language(f"turns.{name}"), re.IGNORECASE) for name in ("allows", "limits")
)
#: What stands together has at most so many words.
_MOST = 60
#: Between a scrap and its neighbor one sentence may be left out that tells nothing.
_BETWEEN = 2
#: A memory of no more words is short.
_SHORT = 40
#: A question that asks the listener, in a talk: the words behind it are no answer to it.
_ASKS = re.compile(
    r"\W*(?:(?:and|so|but|oh|hey|well) )*(?:who|whom|whose|what|when|where|why|which|how|any|are|is|was|were|do|does"
    r"|did|have|has|had|can|could|would|will|should|ever)(?:['\u2019](?:s|re|d|ve|ll))?\b|.*\byou(?:r|rs)?\b",
    re.IGNORECASE,
)


def together(of_item: Sequence[Candidate], item: Item) -> list[Candidate]:
    """The candidates of an item; halves that turn each other are one."""
    if len(of_item) <= 1:
        return list(of_item)
    parts = sentences(item.text)
    groups: list[list[Candidate]] = [[of_item[0]]]
    for before, part in pairwise(of_item):
        size = sum(other.length for other in groups[-1]) + part.length
        if size <= _MOST and turns(before, part, parts):
            groups[-1].append(_reopened(part, parts))
        else:
            groups.append([part])
    return _as_ones(groups)


def _as_ones(groups: Sequence[Sequence[Candidate]]) -> list[Candidate]:
    return [group[0] if len(group) == 1 else united(group) for group in groups]


def _is_apart(part: Candidate) -> bool:
    """Whether a candidate is no clause that may be put beside another: a picture, code, a statement, an answer."""
    return part.caption or part.code or part.derived or len(part.sources) > 1


def with_scraps(of_item: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of a message; a scrap, which nobody understands alone, is one with its neighbor.

    "Tablets twice a day for life" is of "Biscuit's thyroid.", and nobody knows of whom without that.
    """
    groups: list[list[Candidate]] = []
    cut = {part.sentence for part in of_item if part.clause}
    for part in of_item:
        before = groups[-1][-1] if groups else None
        if (
            before
            and cut.isdisjoint({before.sentence, part.sentence})
            and _is_scrap_beside(before, part)
            and sum(each.length for each in (*groups[-1], part)) <= _SHORT
        ):
            groups[-1].append(part)
        else:
            groups.append([part])
    return _as_ones(groups)


def _is_scrap_beside(before: Candidate, part: Candidate) -> bool:
    """Whether of two sentences that follow each other one is a scrap."""
    if part.clause or part.sentence > before.sentence + _BETWEEN or before.aside or part.aside:
        return False
    if _is_apart(before) or _is_apart(part):
        return False
    return is_fragment(before.text) or is_fragment(part.text) or (states(part.text) and lacks_verb(part.text))


def united(parts: Sequence[Candidate]) -> Candidate:
    """Candidates of one item, in their order, as one; behind a clause of its sentence it opens in small letters."""
    text = rendered([replace(part, lead="") for part in parts])
    return replace(
        parts[0],
        text=f"{parts[0].text[:1]}{text[1:]}" if parts[0].clause else text,
        terms=frozenset().union(*(part.terms for part in parts)),
        length=sum(part.length for part in parts),
        standing=any(part.standing for part in parts),
        changes=any(part.changes for part in parts),
        of_listener=all(part.of_listener for part in parts),
        aside=all(part.aside for part in parts),
    )


def turns(before: Candidate, part: Candidate, parts: Sequence[str]) -> bool:
    """Whether a candidate stands right behind another and turns, limits or completes it."""
    if before.caption or part.caption or before.code or part.code or part.derived or len(part.sources) > 1:
        return False
    if part.sentence == before.sentence:
        return part.clause == before.clause + 1 and _JOINT.search(part.joint) is not None
    if part.sentence != before.sentence + 1 or part.clause:
        return False
    opening = parts[part.sentence]
    if is_entry(opening) and is_entry(parts[before.sentence]):
        return True
    if _OPENS.match(opening) or _ENDS.search(opening) or is_answer(opening) or tells_only_when(opening):
        return True
    return answers_anew(parts[before.sentence], opening) or limits(before, part, parts)


def limits(before: Candidate, part: Candidate, parts: Sequence[str]) -> bool:
    """Whether a sentence says how far goes, or who is to be asked about, what the one before it says to be allowed."""
    return _LIMITS.match(parts[part.sentence]) is not None and _ALLOWS.search(before.text) is not None


def _reopened(part: Candidate, parts: Sequence[str]) -> Candidate:
    """The candidate with the word that turns, which it lost by itself: "But I sold it"."""
    if part.clause:
        return part
    opening = _OPENS.match(parts[part.sentence])
    if opening is None or _OPENS.match(part.text):
        return part
    rest = parts[part.sentence][opening.end() :].lstrip(" ,")
    text = part.text[:1].lower() + part.text[1:] if rest[:1].islower() else part.text
    return replace(part, text=f"{opening.group().strip(' ,').capitalize()} {text}", length=part.length + 1)


def with_laughs(of_item: Sequence[Candidate], item: Item) -> Iterator[Candidate]:
    """The candidates of an item, each with the laugh in its sentence and with what takes it back behind it."""
    parts = sentences(item.text)
    for candidate in of_item:
        at = candidate.sentence
        if candidate.derived or candidate.caption or len(candidate.sources) > 1:
            yield candidate
            continue
        behind = _taking_back(parts, at)
        if at and takes_back(parts[at]) and any(other.sentence < at for other in of_item):
            continue
        if not behind and not laughs(parts[at]):
            yield candidate
            continue
        text = candidate.text
        if laughs(parts[at]):
            text = dated(parts[at], item.day, whole=item.text)
        text = f"{closed(text)} {behind}" if behind else text
        yield replace(candidate, text=text, length=size_of(text))


def _taking_back(parts: Sequence[str], at: int) -> str:
    """The sentences right behind this one that laugh or take it back, but for those that are told with it anyway."""
    back = taking_back(tuple(parts))
    behind = next((place for place in range(at + 1, len(parts)) if place not in back), len(parts))
    return " ".join(takewhile(takes_back, parts[behind:]))


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


def behind_taken_back(parts: Sequence[str], item: Item, index: int, number: int) -> Candidate:
    """A sentence with those behind it that take it back, or may: neither is told without the other."""
    lead = f"{item.speaker}: " if item.speaker else ""
    text = " ".join(closed(dated(part, item.day, whole=item.text)) for part in parts)
    said = " ".join(parts)
    return Candidate(
        item=index, sentence=number, clause=0, text=text, joint="", lead=lead, sources=(index,), terms=content(said),
        length=size_of(said), lead_length=size_of(lead),
    )  # fmt: skip
