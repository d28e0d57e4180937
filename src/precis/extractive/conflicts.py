"""Newest wins among the items of a prompt: which sentences are out of date, stand, tell of a change, or will last."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from precis.checks.standing import lasts
from precis.extractive.candidate import Candidate
from precis.extractive.weights.instructions import outdated
from precis.language import tables
from precis.language.arranging import Arrangement, arrangement
from precis.language.chitchat import KIND, MOOD
from precis.language.labels import extract
from precis.language.newest.followed import followed, overtaken, reverses
from precis.language.newest.slots import Said, outlived, taken_up, turns
from precis.language.newest.timeline import contested_in, overruled_in
from precis.language.reading import Line, Place, Sentence, read
from precis.language.words import content
from precis.makers import Item

#: What is so from the day on which it is said.
UPDATE = re.compile(rf"\b(?:{tables.choices('statements.update')})\b", re.IGNORECASE)
#: Of several days, what lasts is worth so many times as much as the color of one of them.
_LASTING = 1.5
_DAYS = 2
_CHANGING = content(" ".join(tables.words("statements.changing")))


@dataclass(frozen=True, kw_only=True, slots=True)
class Conflicts:
    """What is out of date and what stands, by item and sentence; a statement of a node is one sentence."""

    stale: frozenset[Place] = frozenset()
    standing: frozenset[Place] = frozenset()
    #: Sentences that tell of a change: true as of the day on which they were said.
    changed: frozenset[Place] = frozenset()
    #: The same of other languages than English, in which nothing is written behind them.
    turned: frozenset[Place] = frozenset()
    #: Sentences of which a tool or a document says otherwise, and those that say so: both stand, with their dates.
    contested: frozenset[Place] = frozenset()
    #: Sentences that say what was so until a later one took it up: both are told, these with their date.
    taken_up: frozenset[Place] = frozenset()
    arranged: Arrangement = field(default_factory=Arrangement)

    def holds(self, place: Place, text: str) -> bool:
        """Whether a clause of this sentence may still be said."""
        return place not in self.stale and self.arranged.holds(place, text)


def judge(items: Sequence[Item], labelled: Collection[int] = (), newer: Collection[Place] = ()) -> Conflicts:
    """Compare each sentence with those before it; of the items at ``labelled`` the text said who speaks.

    What stands at ``newer`` is known to say what became of something.
    """
    lines = [
        Line(text=item.text, speaker=item.speaker, voice=item.voice, labelled=at in labelled)
        for at, item in enumerate(items)
    ]
    texts = [read(line) for line in lines]
    by, instructions = overruled_in(texts), outdated(items)
    stale = frozenset(place for place in by if _is_stale(place, items, texts, frozenset(by))) | instructions.keys()
    arranged = Arrangement() if any(item.derived for item in items) else arrangement(lines, texts)
    contested = frozenset((at, 0 if items[at].derived else number) for at, number in contested_in(texts))
    changed, turned = _changed(items, texts)
    standing = {(at, 0 if items[at].derived else number) for at, number in by.values()} | arranged.settled | contested
    standing |= {*instructions.values(), *newer}
    return Conflicts(
        stale=stale, standing=frozenset(standing) - stale, contested=contested, arranged=arranged,
        changed=frozenset(changed), turned=frozenset(turned), taken_up=_taken_up(items, texts),
    )  # fmt: skip


def _is_stale(
    place: Place, items: Sequence[Item], texts: Sequence[Sequence[Sentence]], stale: frozenset[Place]
) -> bool:
    """A statement of a node is kept or dropped whole: it goes when each of its sentences did."""
    at = place[0]
    return not items[at].derived or all((at, number) in stale for number in range(len(texts[at])))


def _changed(items: Sequence[Item], texts: Sequence[Sequence[Sentence]]) -> tuple[set[Place], set[Place]]:
    """Sentences which tell that something spoken of on an earlier day is different now, in English and elsewhere."""
    first_day: dict[str, date] = {}
    changed, turned = set[Place](), set[Place]()
    for at, item in enumerate(items):
        if (day := item.day) is None:
            continue  # nobody knows what was said before it
        for number, sentence in enumerate(texts[at]):
            telling = content(sentence.text) - KIND - MOOD - _CHANGING
            if not item.derived and any(first_day.get(term, day) < day for term in telling):
                if UPDATE.search(sentence.text):
                    changed.add((at, number))
                if turns(sentence.text):
                    turned.add((at, number))
            for term in telling:
                first_day.setdefault(term, day)
    return changed, turned


def _taken_up(items: Sequence[Item], texts: Sequence[Sequence[Sentence]]) -> frozenset[Place]:
    """Sentences that say what is so, of which a sentence of a later day says what became of it."""
    if len({item.day for item in items}) < _DAYS:
        return frozenset()
    days = {day: rank for rank, day in enumerate(sorted({item.day for item in items if item.day is not None}))}
    lines = {
        (at, number): Said(sentence.text, item.speaker, days[item.day])
        for at, item in enumerate(items)
        if item.day is not None and not item.derived
        for number, sentence in enumerate(texts[at])
    }
    places = list(lines)
    spoken = list(lines.values())
    later = overtaken(spoken) | followed(spoken)
    older = (*taken_up(spoken), *outlived(spoken), *(at for at, _ in later))
    return frozenset(places[at] for at in older)


def lasting(options: Sequence[Candidate], items: Sequence[Item]) -> list[Candidate]:
    """The candidates of several days, those worth more that decide something or say what is so from then on.

    Not where their matter was taken up again on a later day, which lowers their share. Turns of one day are not
    compared: there, everything is as new.
    """
    if len({item.day for item in items}) < _DAYS or any(item.derived for item in items):
        return list(options)
    return [
        replace(option, share=_LASTING * option.share) if _lasts(option, items[option.item]) else option
        for option in options
    ]


def _lasts(option: Candidate, item: Item) -> bool:
    if option.share < 1 or option.aside or option.caption or option.code:
        return False
    if reverses(option.text):
        return True
    return lasts(option.text, item.speaker) or extract(option.text, speaker=item.speaker).type == "decision"
