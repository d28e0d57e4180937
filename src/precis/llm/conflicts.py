"""Newest wins: which sentences state a value that a later sentence changed, and which state the value that stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from precis.engine.ports import Item
from precis.llm.chitchat import KIND, MOOD
from precis.llm.values import Value, frame, values
from precis.sentences import sentences
from precis.words import STOP_WORDS, content

Place = tuple[int, int]

_CUE = re.compile(
    r"\b(?:actually|instead|rather|chang(?:e|ed|ing)|switch(?:ed|ing)?|make (?:it|that)|no longer"
    r"|(?:not|n['\u2019]t) any ?more"
    r"|moved|moving|now|correction|i mean[t]?|sorry|how about|what about|try|used to|these days|renamed|updated?)\b",
    re.IGNORECASE,
)
#: What is so from the day on which it is said.
UPDATE = re.compile(
    r"\b(?:from now on|these days|no longer|any ?more|now|nowadays|switch(?:ed|ing)?|chang(?:ed|es)|gone over"
    r"|mov(?:ed|es|ing) (?:to|from|in|into|on|over|back|it|the|my|our|every\w+|[A-Z]\w+['\u2019]s)"
    r"|(?:back|over|up|down|stays?|shrinks?|grows?|rises?|drops|raised|cut) (?:to|on|at)|goes (?:back )?to"
    r"|settled on|decided|instead|quit|a (?:day|week|month|year) (?:later|earlier)"
    r"|new (?:\w+ )?(?:date|title|job|price|address|number|plan|goal|role))\b",
    re.IGNORECASE,
)
#: A proposal: a question that says what somebody is about to do for the other.
PROPOSAL = re.compile(
    r"\b(?:confirm(?:ing)?|you(?: would|['\u2019]d)? (?:like|want)|shall i|should i|would you like"
    r"|correct\?|right\?|review"
    r"|booking|reserv(?:e|ing)|book(?:ed)?)\b",
    re.IGNORECASE,
)
#: What happened once is not undone by what happened later: only what is can change.
_HAPPENED = re.compile(
    r"\b(?:\w{2,}ed|went|flew|bought|met|saw|had|got|took|ran|made|ate|came|drove|won|sold|gave"
    r"|left|found|read|wrote|did|told"
    r"|said|spent|paid|built|caught|taught|swam|sang|rode|began|spoke|sent"
    r"|lost|grew|wore|drew|broke|felt|heard|held|led)\b",
    re.IGNORECASE,
)
#: Words that say the same of a subject when its value changes.
_SAME = {
    "move": "live",
    "reloc": "live",
    "join": "work",
    "switch": "use",
    "like": "prefer",
    "love": "prefer",
    "favorit": "prefer",
}
_CHANGING = frozenset("actual instead chang switch correct anymor updat renam sorri meant".split())
#: Words of people who arrange something.
_SERVICE = re.compile(
    r"\b(?:book|booked|booking|reserve|reservation|find|found|search|look (?:for|up|in|at)|looking for"
    r"|schedule|order|confirm|flights?"
    r"|tickets?|table for|appointment|available|rent)\b",
    re.IGNORECASE,
)
#: What a sentence speaks of: all before its colon or its verb, or else its first words; and a thing of a number in it.
_SUBJECT = re.compile(
    r"[^:\n]{1,40}(?=:)|.{1,60}?(?=\s(?:is|are|was|were|has|have|had|costs?|will|opens?|leaves?|starts?)\b)"
    r"|(?:\S+\s+){0,2}\S+"
)
_MONTHS = frozenset("january february march april may june july august september october november december".split())
_NUMBERED = re.compile(r"\b([^\W\d_]{2,})[ -]?#?(\d+)\b")
#: Share of the items in which they do.
_SERVICE_SHARE = 0.3
#: Share of the smaller frame that two sentences about one slot have in common.
_ALIKE = 0.6
#: Later sentences looked up for each word.
_NEAREST = 24


@dataclass(frozen=True, kw_only=True, slots=True)
class _Said:
    place: Place
    item: Item
    text: str
    frame: frozenset[str]
    values: frozenset[Value]
    changes: bool
    #: The numbered things it is about, by their word: "room 12".
    numbered: Mapping[str, str]


@dataclass(kw_only=True, slots=True)
class Verdict:
    """What is out of date and what stands."""

    stale: set[Place] = field(default_factory=set)
    standing: set[Place] = field(default_factory=set)
    #: Sentences that tell of a change: true as of the day on which they were said.
    changed: set[Place] = field(default_factory=set)
    #: Value and the item from which on it no longer holds.
    gone: dict[Value, int] = field(default_factory=dict)

    def holds(self, place: Place, text: str) -> bool:
        """Whether a clause of this sentence may still be said."""
        if not self.gone:
            return place not in self.stale
        return place not in self.stale and not any(self._is_gone(value, place[0]) for value in values(text))

    def _is_gone(self, value: Value, item: int) -> bool:
        if not value.kind.startswith("name"):
            return self.gone.get(value, -1) > item
        return any(
            until > item and old.kind.startswith("name") and _same_name(value.said, old.said)
            for old, until in self.gone.items()
        )


def _same_name(one: str, other: str) -> bool:
    """Whether one name is the other's beginning: "orso" and "orso grill"."""
    return one == other or one.startswith(other + " ") or other.startswith(one + " ")


def judge(items: Sequence[Item]) -> Verdict:
    """Compare each sentence with those before it."""
    said = [one for index, item in enumerate(items) for one in _read(item, index)]
    verdict = Verdict()
    seen: dict[str, list[_Said]] = {}
    for new in said:
        near = _near(new, seen)
        for old in near:
            if _replaces(new, old):
                verdict.stale.add(old.place)
                verdict.standing.add(new.place)
        if _turns(new, near):
            verdict.changed.add(new.place)
        for term in new.frame:
            seen.setdefault(term, []).append(new)
    if _arranges(items):
        _settle(said, verdict)
    verdict.standing -= verdict.stale
    return verdict


def _read(item: Item, index: int) -> Iterator[_Said]:
    for number, text in enumerate([item.text] if item.derived else sentences(item.text)):
        stated = values(text)
        bare = frozenset(_SAME.get(term, term) for term in frame(content(text), stated))
        yield _Said(
            place=(index, number),
            item=item,
            text=text,
            frame=bare - _CHANGING,
            values=stated,
            changes=bool(_CUE.search(text)),
            numbered=_numbered(text),
        )


def _numbered(text: str) -> Mapping[str, str]:
    subject = _SUBJECT.match(text)
    found = {word.lower(): number for word, number in _NUMBERED.findall(subject[0] if subject else "")}
    return {word: number for word, number in found.items() if word not in STOP_WORDS and word not in _MONTHS}


def _listed(new: _Said, old: _Said) -> bool:
    """Whether they speak of two things of one kind: what holds of item 4 does not change item 3."""
    return any(old.numbered.get(word, number) != number for word, number in new.numbered.items())


def _near(new: _Said, seen: dict[str, list[_Said]]) -> list[_Said]:
    """Earlier sentences that share a word of the frame, each once, in order."""
    found = {old.place: old for term in new.frame for old in seen.get(term, [])[-_NEAREST:]}
    return [found[place] for place in sorted(found)]


def _turns(new: _Said, near: Sequence[_Said]) -> bool:
    """Whether it tells that something spoken of on an earlier day is different now."""
    if new.item.derived or not UPDATE.search(new.text):
        return False
    telling, day = new.frame - KIND - MOOD, new.item.created_at.date()
    return any(old.item.created_at.date() < day and not telling.isdisjoint(old.frame) for old in near)


def _replaces(new: _Said, old: _Said) -> bool:
    """Whether two sentences say the same of one subject with another value."""
    if _listed(new, old):
        return False
    shared = new.frame & old.frame
    smaller = min(len(new.frame), len(old.frame))
    alike = len(shared) >= _ALIKE * smaller and (len(shared) > 1 or smaller == 1)
    if alike and new.item.speaker == old.item.speaker and _differ(new, old):
        larger = max(len(new.frame), len(old.frame))
        return new.changes or (len(shared) >= larger / 2 and not _HAPPENED.search(new.text))
    if not new.changes or new.item.speaker != old.item.speaker:
        return False
    return len(shared) >= max(1, smaller - 1) and len(old.frame - shared) <= 1 and 0 < len(new.frame - shared) <= 2


def _differ(new: _Said, old: _Said) -> bool:
    """Whether both state values of one kind and share none of them."""
    ours, theirs = _by_kind(new, merged=new.changes), _by_kind(old, merged=new.changes)
    return any(ours[kind].isdisjoint(theirs[kind]) for kind in ours.keys() & theirs.keys())


def _by_kind(one: _Said, *, merged: bool) -> dict[str, set[str]]:
    """Values by kind; ``merged`` takes where somebody is and where somebody went for one kind."""
    found: dict[str, set[str]] = {}
    for value in one.values:
        kind = "name in" if merged and value.kind in {"name at", "name in", "name to"} else value.kind
        found.setdefault(kind, set()).add(value.said)
    return found


def _arranges(items: Sequence[Item]) -> bool:
    """Whether people arrange something together (book, order, find): then each kind of value has one answer."""
    speakers = {item.speaker for item in items if item.speaker and not item.derived}
    asking = sum(bool(_SERVICE.search(item.text)) for item in items)
    if 2 * sum(bool(_numbered(item.text)) for item in items) > len(items):
        return False  # a list: each of its entries has values of its own
    return 1 < len(speakers) <= len(items) / 2 and asking >= _SERVICE_SHARE * len(items)


def _settle(said: Sequence[_Said], verdict: Verdict) -> None:
    """Of each kind of value only the last one stands."""
    last: dict[str, tuple[Value, _Said]] = {}
    for one in said:
        for value in sorted(one.values):
            last[_kind(value)] = (value, one)
    for one in said:
        for value in one.values:
            final, where = last[_kind(value)]
            if not _agree(value, final) and one.place[0] < where.place[0]:
                verdict.gone[value] = where.place[0]
    verdict.standing |= {one.place for _, one in last.values()}


def _agree(one: Value, other: Value) -> bool:
    return one.said in other.said or other.said in one.said


def _kind(value: Value) -> str:
    """Kinds that answer one question: "at Nido", "try Nido" and "change it to Nido" do."""
    return "name at" if value.kind in {"name try", "name about"} else value.kind
