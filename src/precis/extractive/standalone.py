"""Sentences that stand alone: who speaks, which date, the question to a bare "yes". Chitchat is left behind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from precis.extractive.conflicts import UPDATE, Verdict
from precis.extractive.trim import called, capital, trimmed
from precis.language.arranging import PROPOSAL, values
from precis.language.chitchat import KIND, hollow
from precis.language.dates import dated, in_words
from precis.language.reading import Place
from precis.language.sentences import is_question, sentences
from precis.language.words import content, stem, words
from precis.makers import Item

_AFFIRMS = re.compile(
    r"(?:yes|yeah|yep|yup|no|nope|not yet|not really|sure|of course|definitely|absolutely|never|always|both|neither"
    r"|correct|exactly|right"
    r"|that(?:['\u2019]?s| is| would be) (?:right|correct|fine|good|great)"
    r"|ok(?:ay)?|sounds (?:good|great)|perfect|i do|i am|i did|i have|i will)\b",
    re.IGNORECASE,
)
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


def candidates(items: Sequence[Item], verdict: Verdict, *, whole: bool = False) -> list[Candidate]:
    """Every clause worth choosing from, in the order of the items; ``whole`` leaves sentences whole and keeps moods."""
    people = _people(items)
    quiet = {stem(name.casefold()) for name in people} | (frozenset() if whole else KIND)
    kept: list[list[Candidate]] = []
    for index, item in enumerate(items):
        bare = _bare_answer(items, index)
        if item.derived:
            said = [_verbatim(item, index)]
        else:
            said = [bare] if bare else list(_said(item, index, people, whole=whole))
            said = said if whole else _as_of(said, item, verdict)
        kept.append([one for one in said if not one.terms <= quiet and verdict.holds(_place(one), one.lead + one.text)])
    found: list[Candidate] = []
    for said in kept if whole else _telling(kept):
        found.extend(_pointing([_standing(one, verdict) for one in said], len(found)))
    return found


def _as_of(said: list[Candidate], item: Item, verdict: Verdict) -> list[Candidate]:
    """With the day on which it was said behind the first clause that tells of a change, unless it names a day."""
    changes = (at for at, one in enumerate(said) if _place(one) in verdict.changed and UPDATE.search(one.text))
    at = next(changes, None)
    if at is None or _YEAR.search(said[at].text):
        return said
    text = f"{said[at].text.rstrip(' .!,;')} (as of {in_words(item.created_at.date())})"
    return [*said[:at], replace(said[at], text=text, length=_length(text)), *said[at + 1 :]]


def _telling(kept: list[list[Candidate]]) -> list[list[Candidate]]:
    """The candidates without mere encouragement, as long as that leaves any."""
    real = [[one for one in said if one.derived or len(one.sources) > 1 or not hollow(one.text)] for said in kept]
    return real if any(real) else kept


def _place(one: Candidate) -> Place:
    return one.item, one.sentence


def _standing(one: Candidate, verdict: Verdict) -> Candidate:
    return replace(one, standing=True) if _place(one) in verdict.standing else one


def rendered(chosen: Iterable[Candidate]) -> str:
    """One statement of the chosen clauses of one item, in order."""
    group = sorted(chosen, key=lambda one: (one.sentence, one.clause))
    if group[0].derived:
        return group[0].text
    text = group[0].lead
    for place, one in enumerate(group):
        before = group[place - 1] if place else None
        if before and (before.sentence, before.clause + 1) == (one.sentence, one.clause):
            text += one.joint + one.text
        else:
            text = (_closed(text) + " " if before else text) + capital(one.text)
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


def _pointing(said: list[Candidate], start: int) -> Iterable[Candidate]:
    """The candidates of one item, those that point back tied to the one just before; ``start`` is the first's place."""
    for place, one in enumerate(said):
        near = place and (said[place - 1].sentence + 1 >= one.sentence)
        tied = (one.caption and place > 0) or (near and _POINTS_BACK.match(one.text))
        yield replace(one, points_to=start + place - 1) if tied else one


def _said(item: Item, index: int, people: frozenset[str], *, whole: bool) -> Iterable[Candidate]:
    lead = f"{item.speaker}: " if item.speaker else ""
    for number, sentence in enumerate(sentences(item.text)):
        if is_question(sentence) and not _tells(sentence):
            continue
        kept = trimmed(sentence, people)
        if kept != sentence and _length(kept) == 1 and not re.search(r"\d", kept):
            continue
        for place, (joint, clause) in enumerate([("", kept)] if whole else clauses(kept)):
            text = dated(clause, item.created_at)
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
    asked = _question_before(items, index)
    said = item.text.strip()
    if not asked or item.derived or _length(said) > _BARE or not _AFFIRMS.match(said):
        return None
    lead = f"{items[index - 1].speaker}: {asked} {item.speaker}: "
    return Candidate(
        item=index,
        sentence=0,
        clause=0,
        text=dated(said, item.created_at),
        joint="",
        lead=lead,
        sources=(index - 1, index),
        terms=content(f"{asked} {said}"),
        length=_length(said),
        lead_length=_length(lead),
    )


def _question_before(items: Sequence[Item], index: int) -> str:
    """The question with which another speaker ended the item just before."""
    if index == 0:
        return ""
    before, item = items[index - 1], items[index]
    if before.derived or not before.speaker or not item.speaker or before.speaker == item.speaker:
        return ""
    said = sentences(before.text)
    return said[-1] if said and is_question(said[-1]) else ""


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
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|will|would|can|could|should|must|may|might|do|does|did"
    r"|\w+['\u2019](?:s|re|ve|ll|d|m)|\w+n['\u2019]t|\w{2,}ed|went|came|got|made|took|gave|said|says|told|felt|kept|left"
    r"|lost|won|ran|saw|found|bought|broke|began|became|goes|gets|makes|takes|gives|wants|needs|helps|keeps|costs|means|works"
    r"|loves?|likes?|knows?|thinks?)\b",
    re.IGNORECASE,
)
#: A clause shorter than this many words is no sentence.
_SHORTEST = 3
#: A first clause that opens so needs the second.
_DEPENDENT = re.compile(
    r"\W*(?:if|when|whenever|while|since|because|although|though|even|after|before|as|once|until|unless|whether|given"
    r"|not only|either|besides|apart|aside|instead|despite|due|thanks|unlike|like|in|on|at|for|during|with|without"
    r"|from|by|last|next|this|to|looking|being|having)\b",
    re.IGNORECASE,
)
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
