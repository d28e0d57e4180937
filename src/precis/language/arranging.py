"""People who arrange something with each other: of each kind of value, what they settled on last holds.

A table, a flight and a hotel are different things, and so is a second table once the first is booked. What the two tell
of themselves or of somebody else is no part of what they arrange.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from precis.language import tables
from precis.language.dates import A_MONTH, A_WEEKDAY, NUMBERS
from precis.language.grammar import SINGLE_ATTRIBUTES
from precis.language.reading import Line, Place, Sentence
from precis.language.sentences import is_question
from precis.language.words import stem
from precis.trust import may_displace


def _any_of(place: str) -> re.Pattern[str]:
    listed = sorted(tables.phrases(place), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, listed))})\b", re.IGNORECASE)


_SERVICE, _REQUEST, PROPOSAL, _DONE = (
    _any_of(f"arranging.words.{name}") for name in ("service", "request", "proposal", "done")
)
_THING_OF = {word: thing for thing, listed in tables.section("arranging.things").items() for word in listed.split()}
_THING = re.compile(rf"\b(?:{'|'.join(_THING_OF)})\b", re.IGNORECASE)
_HAS = re.compile(
    r"\W*(?:\w+,? )?(?:I|we)(?:['\u2019]ve| have) (?:\w+ )?(?:got|\w+ed|found|taken|chosen)\b", re.IGNORECASE
)
_AGAIN = re.compile(r"\b(?:another|also|as well|one more|a second|too)\b", re.IGNORECASE)
#: Share of the lines in which people who arrange something say a word of it.
_SHARE = 0.3
#: A reply of at most so many words answers what was asked about the arrangement.
_REPLY = 12

_DIGITS = {word: str(number) for number, word in enumerate(NUMBERS[:11])}
_TIME = re.compile(
    r"\b(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?\s*(?:[ap]\.?m\b\.?|o'clock|in the (?:morning|evening|afternoon))"
    r"|\b(?P<hour2>\d{1,2}):(?P<minute2>\d\d)\b",
    re.IGNORECASE,
)
_DATE = re.compile(
    rf"\b(?:(?:next |this |last )?(?:{A_WEEKDAY})(?: next week)?|today|tomorrow|tonight|(?:the )?day after tomorrow"
    rf"|(?:{A_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{A_MONTH})"
    r"|(?:the )?\d{1,2}(?:st|nd|rd|th)(?: of (?:this|next) month)?)\b",
    re.IGNORECASE,
)
_COUNT = re.compile(rf"\b(?P<many>\d+|{'|'.join(_DIGITS)})\s+(?P<what>[a-z]{{3,}})", re.IGNORECASE)
_PARTY = re.compile(
    rf"\b(?:table|reservation|seats?|tickets?|room|party) (?:for|of) (\d+|{'|'.join(_DIGITS)})\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"\b(?P<place>at|in|to|from|with|try|by|called|named|is|about)\s+(?:the (?:city |restaurant )?)?"
    r"(?P<name>[A-Z0-9][\w'\u2019&.-]*(?:\s+(?:[A-Z0-9&][\w'\u2019.&-]*))*)"
)
#: Units that count on the clock or the calendar.
_UNITS = frozenset("am pm day days week weeks hour hours minute minutes time times more other others".split())
_NO_NAMES = re.compile(rf"(?:i|i'm|{A_WEEKDAY}|{A_MONTH}|\d[\d:.,]*|[ap]m)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Value:
    """One value: which question it answers, and the answer in a form that can be compared."""

    kind: str
    answer: str


@dataclass(kw_only=True, slots=True)
class Arrangement:
    """What was arranged, and which of it was given up."""

    #: The sentences that are about something arranged, to which of the things it is.
    thing_of: dict[Place, int] = field(default_factory=dict)
    #: A value of a thing to the line from which on it no longer holds.
    given_up: dict[tuple[int, Value], int] = field(default_factory=dict)
    #: Sentences with the values that were settled on.
    settled: set[Place] = field(default_factory=set)

    def holds(self, place: Place, text: str) -> bool:
        """Whether a clause of this sentence states no value that was given up."""
        thing = self.thing_of.get(place)
        if thing is None or not self.given_up:
            return True
        return not any(self._is_gone(thing, value, place[0]) for value in values(text))

    def _is_gone(self, thing: int, value: Value, line: int) -> bool:
        if not value.kind.startswith("name"):
            return self.given_up.get((thing, value), -1) > line
        return any(
            until > line and of == thing and old.kind.startswith("name") and _same_name(value.answer, old.answer)
            for (of, old), until in self.given_up.items()
        )


def arrangement(lines: Sequence[Line], texts: Sequence[Sequence[Sentence]]) -> Arrangement:
    """What two people who take turns arrange; nothing where they only talk."""
    settled = Arrangement()
    if not _arranges(lines):
        return settled
    settled.thing_of = dict(_things(texts))
    stated = [
        (place, thing, value)
        for place, thing in settled.thing_of.items()
        for value in sorted(values(texts[place[0]][place[1]].text))
    ]
    last = {(thing, _kind(value)): (value, place) for place, thing, value in stated}
    for place, thing, value in stated:
        final, where = last[thing, _kind(value)]
        if not _agree(value, final) and place[0] < where[0] and _may_displace(lines, where, place):
            settled.given_up[thing, value] = where[0]
    settled.settled = {place for _, place in last.values()}
    return settled


def _may_displace(lines: Sequence[Line], newer: Place, older: Place) -> bool:
    return may_displace(lines[newer[0]].voice, lines[older[0]].voice)


def values(text: str) -> frozenset[Value]:
    """Every value of a sentence."""
    collected = {Value(kind="time", answer=_clock(match)) for match in _TIME.finditer(text)}
    collected |= {
        Value(kind="date", answer=match.group().lower().removeprefix("the ")) for match in _DATE.finditer(text)
    }
    collected |= {Value(kind="count people", answer=_digit(match[1])) for match in _PARTY.finditer(text)}
    for match in _COUNT.finditer(text):
        what = match["what"].lower()
        if what not in _UNITS:
            counted = "people" if what in {"person", "people", "guests", "seats", "us"} else stem(what)
            collected.add(Value(kind=f"count {counted}", answer=_digit(match["many"])))
    return frozenset(collected | set(_names(text)))


def _arranges(lines: Sequence[Line]) -> bool:
    """Whether two people take turns, one asks for something, and one offers to do it."""
    speakers = {line.speaker for line in lines if line.speaker}
    if not 1 < len(speakers) <= len(lines) / 2:
        return False
    if sum(bool(_SERVICE.search(line.text)) for line in lines) < _SHARE * len(lines):
        return False
    return any(_REQUEST.search(line.text) for line in lines) and any(
        is_question(line.text) or re.search(r"\bconfirm", line.text, re.IGNORECASE) for line in lines
    )


def _things(texts: Sequence[Sequence[Sentence]]) -> Iterator[tuple[Place, int]]:
    """The sentences that are about something arranged, each with the number of the thing."""
    number, thing, done, awaited = 0, "", False, False
    for line, text in enumerate(texts):
        for at, sentence in enumerate(text):
            named = [_THING_OF[word.lower()] for word in _THING.findall(sentence.text)]
            wants = bool(_REQUEST.search(sentence.text) or PROPOSAL.search(sentence.text))
            answers = awaited and len(sentence.text.split()) <= _REPLY
            if named and wants and (thing not in {"", *named} or (done and _AGAIN.search(sentence.text))):
                number, done, thing = number + 1, False, named[0]
            thing = thing or (named[0] if named else "")
            # What somebody has got is arranged, and what they want besides is another: "We've got the hotel in Bergen".
            offers = named and (is_question(sentence.text) or not _HAS.match(sentence.text))
            if (wants or answers or offers) and not _tells_of_others(sentence):
                yield (line, at), number
            done = done or bool(_DONE.search(sentence.text))
        awaited = bool(text) and is_question(text[-1].text)


def _tells_of_others(sentence: Sentence) -> bool:
    """Whether it tells something of a person or thing of its own, or where its speaker is at home."""
    return any(
        not stated.attributes.isdisjoint(SINGLE_ATTRIBUTES - {"place"})
        or (
            stated.subject.key != stated.speaker
            and not stated.subject.bare
            and not _SERVICE.search(" ".join(stated.subject.key))
        )
        for stated in sentence.assertions
    )


def _same_name(name: str, other: str) -> bool:
    """Whether one name is the other's beginning: "orso" and "orso grill"."""
    return name == other or name.startswith(other + " ") or other.startswith(name + " ")


def _agree(value: Value, other: Value) -> bool:
    return value.answer in other.answer or other.answer in value.answer


def _kind(value: Value) -> str:
    """Kinds that answer one question: "at Nido", "try Nido" and "change it to Nido" do."""
    return "name at" if value.kind in {"name try", "name about"} else value.kind


def _names(text: str) -> list[Value]:
    collected = []
    for match in _NAME.finditer(text):
        name = match["name"].rstrip(".'\u2019-")
        if not _NO_NAMES.fullmatch(name.split()[0]):
            collected.append(Value(kind=f"name {match['place'].lower()}", answer=name.lower()))
    return collected


def _clock(match: re.Match[str]) -> str:
    """Minutes on a clock of twelve hours: ``7 pm`` is ``7 in the evening``."""
    hour, minute = int(match["hour"] or match["hour2"]), int(match["minute"] or match["minute2"] or 0)
    return f"{hour % 12}:{minute:02}"


def _digit(number: str) -> str:
    return _DIGITS.get(number.lower(), number)
