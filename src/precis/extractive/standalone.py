"""Sentences that stand alone: who speaks, which date, the question to a bare "yes". Chitchat is left behind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from precis.extractive.conflicts import UPDATE, Conflicts
from precis.extractive.trim import called, capital, trimmed
from precis.language import tables
from precis.language.arranging import PROPOSAL, values
from precis.language.chitchat import KIND, hollow
from precis.language.dates import dated, in_words
from precis.language.reading import Place
from precis.language.sentences import is_question, sentences
from precis.language.words import content, stem, words
from precis.makers import Item

_AFFIRMS = re.compile(rf"(?:{tables.choices('statements.answers')})\b", re.IGNORECASE)
#: Openings that point back at something said before.
_POINTS_BACK = re.compile(
    r"(?:it|it['\u2019](?:s|ll|d)|they|they['\u2019](?:re|ve|ll|d)|he|she|(?:he|she)['\u2019](?:s|ll|d)|them|which"
    r"|that['\u2019]?s?|(?:this|these|those) (?:is|was|are|were|has|have|will|makes?|made|gives?|gave|helps?))\b",
    re.IGNORECASE,
)
#: Openings that speak to the listener.
_TO_LISTENER = re.compile(r"(?:you|your|you['\u2019](?:re|ve|ll|d))\b", re.IGNORECASE)
#: Requests in the form of a question.
_REQUEST = re.compile(
    r"(?:(?:can|could|would|will) (?:you|we)(?: please)?|(?:can|could|may) i (?:get|have)|how about|what about)\b.{8,}",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
#: How many words a bare answer has at most.
_BARE = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """One clause or sentence that may be chosen."""

    #: Index of the item it was said in; number of the sentence in the item, and of the clause in the sentence.
    item: int
    sentence: int
    clause: int
    #: As said, dates added; without the speaker and the closing mark.
    text: str
    #: What stands between the clause before and this one when both are chosen.
    joint: str
    #: What opens the statement: ``Clara: ``, or the question asked before.
    lead: str
    #: Indices of the items it rests on.
    sources: tuple[int, ...]
    #: Stems of its content words.
    terms: frozenset[str]
    #: Words of the text and of the lead.
    length: int
    lead_length: int
    #: Opens with a word that points back, or at the listener.
    dangling: bool = False
    #: Position, in the list of candidates, of the one just before without which it cannot be read.
    points_to: int | None = None
    #: States the value that stands where others were changed.
    standing: bool = False
    #: What a picture shows: "[shares a photo of a dog]".
    caption: bool = False
    #: A statement of a node below: kept as it is.
    derived: bool = False


def candidates(items: Sequence[Item], conflicts: Conflicts, *, uncut: bool = False) -> list[Candidate]:
    """Every clause worth choosing from, in the order of the items; ``uncut`` leaves sentences whole and keeps moods."""
    people = _people(items)
    quiet = {stem(name.casefold()) for name in people} | (frozenset() if uncut else KIND)
    kept: list[list[Candidate]] = []
    for index, item in enumerate(items):
        bare = _bare_answer(items, index)
        if item.derived:
            clauses_of_item = [_verbatim(item, index)]
        else:
            clauses_of_item = [bare] if bare else list(_clauses_of(item, index, people, uncut=uncut))
            clauses_of_item = clauses_of_item if uncut else _as_of(clauses_of_item, item, conflicts)
        kept.append(
            [
                candidate
                for candidate in clauses_of_item
                if not candidate.terms <= quiet and conflicts.holds(_place(candidate), candidate.lead + candidate.text)
            ]
        )
    options: list[Candidate] = []
    for clauses_of_item in kept if uncut else _telling(kept):
        options.extend(_pointing([_standing(candidate, conflicts) for candidate in clauses_of_item], len(options)))
    return options


def _as_of(of_item: list[Candidate], item: Item, conflicts: Conflicts) -> list[Candidate]:
    """With the day on which it was said behind the first clause that tells of a change, unless it names a day."""
    changes = (
        at for at, clause in enumerate(of_item) if _place(clause) in conflicts.changed and UPDATE.search(clause.text)
    )
    at = next(changes, None)
    if at is None or item.day is None or _YEAR.search(of_item[at].text):
        return of_item
    text = f"{of_item[at].text.rstrip(' .!,;')} (as of {in_words(item.day)})"
    return [*of_item[:at], replace(of_item[at], text=text, length=_length(text)), *of_item[at + 1 :]]


def _telling(kept: list[list[Candidate]]) -> list[list[Candidate]]:
    """The candidates without mere encouragement, as long as that leaves any."""
    real = [
        [clause for clause in of_item if clause.derived or len(clause.sources) > 1 or not hollow(clause.text)]
        for of_item in kept
    ]
    return real if any(real) else kept


def _place(candidate: Candidate) -> Place:
    return candidate.item, candidate.sentence


def _standing(candidate: Candidate, conflicts: Conflicts) -> Candidate:
    return replace(candidate, standing=True) if _place(candidate) in conflicts.standing else candidate


def rendered(selected: Iterable[Candidate]) -> str:
    """One statement of the chosen clauses of one item, in order."""
    group = sorted(selected, key=lambda candidate: (candidate.sentence, candidate.clause))
    if group[0].derived:
        return group[0].text
    text = group[0].lead
    for place, candidate in enumerate(group):
        before = group[place - 1] if place else None
        if before and (before.sentence, before.clause + 1) == (candidate.sentence, candidate.clause):
            text += candidate.joint + candidate.text
        else:
            text = (_closed(text) + " " if before else text) + capital(candidate.text)
    return _closed(text)


def _closed(text: str) -> str:
    """The text with a closing mark."""
    stripped = text.rstrip(" ,;:-\u2013\u2014")
    return stripped + "." if stripped and (stripped[-1].isalnum() or stripped[-1] == ")") else stripped


def _people(items: Sequence[Item]) -> frozenset[str]:
    """Names of the speakers, whole and word by word, and the short forms they are called by."""
    full = {item.speaker for item in items if item.speaker}
    parts = {part for name in full for part in name.split() if len(part) > 1}
    short = {part[:size] for part in parts if part.istitle() for size in range(3, len(part))}
    return frozenset(full | parts | short | called(item.text for item in items if not item.derived))


def _verbatim(item: Item, index: int) -> Candidate:
    text = item.text.strip()
    return Candidate(
        item=index,
        sentence=0,
        clause=0,
        text=text,
        joint="",
        lead="",
        sources=(index,),
        terms=content(text),
        length=_length(text),
        lead_length=0,
        derived=True,
    )


def _pointing(of_item: list[Candidate], start: int) -> Iterable[Candidate]:
    """The candidates of one item, those that point back tied to the one just before; ``start`` is the first's place."""
    for place, candidate in enumerate(of_item):
        near = place and (of_item[place - 1].sentence + 1 >= candidate.sentence)
        tied = (candidate.caption and place > 0) or (near and _POINTS_BACK.match(candidate.text))
        yield replace(candidate, points_to=start + place - 1) if tied else candidate


def _clauses_of(item: Item, index: int, people: frozenset[str], *, uncut: bool) -> Iterable[Candidate]:
    lead = f"{item.speaker}: " if item.speaker else ""
    for number, sentence in enumerate(sentences(item.text)):
        if is_question(sentence) and not _tells(sentence):
            continue
        kept = trimmed(sentence, people)
        if kept != sentence and _length(kept) == 1 and not re.search(r"\d", kept):
            continue
        for place, (joint, clause) in enumerate([("", kept)] if uncut else clauses(kept)):
            text = dated(clause, item.day)
            yield Candidate(
                item=index,
                sentence=number,
                clause=place,
                text=text,
                joint=joint,
                lead=lead,
                sources=(index,),
                terms=content(clause),
                length=_length(text),
                lead_length=_length(lead),
                caption=clause.startswith("["),
                dangling=bool(_POINTS_BACK.match(clause) or _TO_LISTENER.match(clause)),
            )


def _tells(question: str) -> bool:
    """Whether the question says what is wanted: a request, or a proposal with its values."""
    return bool(_REQUEST.match(question) or (PROPOSAL.search(question) and values(question)))


def _bare_answer(items: Sequence[Item], index: int) -> Candidate | None:
    """The item as an answer with its question, if it is no more than a yes, a no or a few words to a question."""
    item = items[index]
    question = _question_before(items, index)
    answer = item.text.strip()
    if not question or item.derived or _length(answer) > _BARE or not _AFFIRMS.match(answer):
        return None
    lead = f"{items[index - 1].speaker}: {question} {item.speaker}: "
    return Candidate(
        item=index,
        sentence=0,
        clause=0,
        text=dated(answer, item.day),
        joint="",
        lead=lead,
        sources=(index - 1, index),
        terms=content(f"{question} {answer}"),
        length=_length(answer),
        lead_length=_length(lead),
    )


def _question_before(items: Sequence[Item], index: int) -> str:
    """The question with which another speaker ended the item just before."""
    if index == 0:
        return ""
    before, item = items[index - 1], items[index]
    if before.derived or not before.speaker or not item.speaker or before.speaker == item.speaker:
        return ""
    parts = sentences(before.text)
    return parts[-1] if parts and is_question(parts[-1]) else ""


def _length(text: str) -> int:
    return sum(1 for _ in words(text))


_SUBJECT = (
    r"(?:I|we|he|she|it|they|you|my|our|his|her|their|the|there|this|that|these|those)"
    r"(?:['\u2019](?:s|m|re|ve|d|ll))?\b"
)
_BREAK = re.compile(
    rf"\s+[-\u2013\u2014]+\s+(?=\w)|\s*[;\u2014]\s*(?=\w)"
    rf"|(?:,?\s+(?:and|but)|,\s+so)\s+(?={_SUBJECT})|,\s+(?={_SUBJECT})|\s+(?=\[)",
    re.IGNORECASE,
)
#: A clause that opens with a noun is one only if one of these follows: else it is the next of a list.
_NOUN = re.compile(r"(?:my|our|his|her|their|the|this|that|these|those)\s", re.IGNORECASE)
_VERB = re.compile(rf"\b(?:{tables.choices('statements.verbs')})\b", re.IGNORECASE)
#: A clause shorter than this many words is no sentence.
_SHORTEST = 3
#: A first clause that opens so needs the second.
_DEPENDENT = re.compile(rf"\W*(?:{tables.choices('statements.dependent')})\b", re.IGNORECASE)
#: So does one whose last part opens so: "..., so if I sound grumpy, that is why".
_HANGING = re.compile(
    r"[,;]\s*(?:(?:and|but|so)\s+)?(?:if|when|whenever|while|although|though|after|before|once|until|unless)\b[^,;]*$",
    re.IGNORECASE,
)


def clauses(sentence: str) -> list[tuple[str, str]]:
    """Pairs of (separator before, text) which joined give the sentence; one pair when it cannot be cut."""
    parts: list[tuple[str, str]] = []
    start, separator = 0, ""
    for cut in _BREAK.finditer(sentence):
        head = sentence[start : cut.start()]
        if not _parts(head, sentence[cut.end() :]):
            continue
        parts.append((separator, head))
        start, separator = cut.end(), cut.group()
    return [*parts, (separator, sentence[start:])]


def _parts(head: str, rest: str) -> bool:
    """Whether both sides could be sentences."""
    if min(len(head.split()), len(rest.split())) < _SHORTEST or _DEPENDENT.match(head) or _HANGING.search(head):
        return False
    return not _NOUN.match(rest) or _VERB.search(rest) is not None
