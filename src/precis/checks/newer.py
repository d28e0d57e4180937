"""Newest wins: a statement all of whose values a newer item has replaced. What replaces what is `precis.language`'s."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from precis.language.assertions import Assertion
from precis.language.newest import overrules, says_the_same
from precis.language.reading import Line, Sentence, read
from precis.makers import Item


class Slot(NamedTuple):
    """What an assertion speaks of: whose, and which attribute or verb."""

    name: str
    assertion: Assertion
    #: Whether all that its text says is known. What is not known is never displaced.
    clear: bool


class Known:
    """What the items say of each subject, oldest first."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._of: dict[tuple[str, ...], list[Assertion]] = {}
        for index in sorted(range(len(items)), key=lambda at: (items[at].created_at, at)):
            for assertion in _assertions(read(Line(text=items[index].text, speaker=items[index].speaker))):
                self._of.setdefault(assertion.subject.key, []).append(assertion)

    def __len__(self) -> int:
        """How many subjects the items speak of."""
        return len(self._of)

    def displacing(self, old: Assertion) -> Assertion | None:
        """The newest assertion that overruled what an item said before, unless a later item says it again."""
        displaced: Assertion | None = None
        was_said = False
        for assertion in self._of.get(old.subject.key, ()):
            if says_the_same(assertion, old):
                was_said, displaced = True, None
            elif was_said and overrules(assertion, old):
                displaced = assertion
        return displaced


def slots_of(text: str, speaker: str | None = None) -> list[Slot]:
    """What a statement asserts, under each of the names it may be displaced by."""
    read_text = read(Line(text=text, speaker=speaker))
    clear = all(sentence.clear for sentence in read_text)
    return [
        Slot(name, assertion, clear)
        for sentence in read_text
        for assertion in sentence.assertions
        for name in _names(assertion)
    ]


def newest_values(items: Sequence[Item]) -> Known:
    """What the items assert."""
    return Known(items)


def speaker_of(sources: Iterable[int], items: Sequence[Item]) -> str | None:
    """The one speaker of these items, if they have one."""
    speakers = {items[index].speaker for index in sources}
    return speakers.pop() if len(speakers) == 1 else None


def displaced_slot(slots: Sequence[Slot], newest: Known) -> Slot | None:
    """What displaced the statement: nothing, where anything in it still holds or is not understood."""
    if not slots or not all(slot.clear for slot in slots):
        return None
    by = [newest.displacing(slot.assertion) for slot in slots]
    last = by[-1]
    return None if last is None or None in by else Slot(_names(last)[0], last, clear=True)


def _assertions(text: Iterable[Sentence]) -> Iterable[Assertion]:
    return (assertion for sentence in text for assertion in sentence.assertions)


def _names(assertion: Assertion) -> list[str]:
    subject = " ".join(assertion.subject.key)
    return [f"{subject}|{name}" for name in (*sorted(assertion.attributes), f"verb {assertion.verb}")]
