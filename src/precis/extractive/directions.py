"""What a talk tells of who speaks, in brackets: "(They hug.)". It is said by nobody, and no statement."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from precis import patterns as re
from precis.checks.reactions import to_listener
from precis.language.chitchat import OF_SELF
from precis.language.grammar import FORMS, is_past
from precis.language.words import words
from precis.makers import Item

_IN_BRACKETS = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])\s*")
#: What whoever wrote a talk down marks in it: "{laugh}".
_MARK = re.compile(r"\{[a-z]+\}")
#: A mark stands in so many items at least; one in fewer may be what somebody talks about.
_MARKED = 3
#: Of the first words one is what somebody does: "(Slides the bill back)", "(the duck flaps his wings)".
_OPENING = 6


def directions_in(items: Sequence[Item]) -> frozenset[int]:
    """The places of items that are wholly in brackets, in a talk in which others are not.

    All of a narrator's are, who says nothing else; of what somebody puts in brackets beside what they say, what tells
    in the third person and the present what is done. What has a figure in it, or speaks of "me" or "you", is told.
    """
    bracketed = {at for at, item in enumerate(items) if item.speaker and _IN_BRACKETS.fullmatch(item.text)}
    if not bracketed:
        return frozenset()
    speaking = {item.speaker for at, item in enumerate(items) if at not in bracketed and not item.derived}
    if not speaking:
        return frozenset()
    times = Counter(items[at].speaker for at in bracketed)
    narrators = {speaker for speaker, number in times.items() if number > 1} - speaking
    return frozenset(
        at
        for at in bracketed
        if _is_of_others(items[at].text) and (items[at].speaker in narrators or _directs(items[at].text))
    )


def _is_of_others(text: str) -> bool:
    return not (OF_SELF.search(text) or to_listener(text) or re.search(r"\d", text))


def _directs(text: str) -> bool:
    """Whether its first verb is what somebody does now."""
    for word in list(words(text))[:_OPENING]:
        form = FORMS.get(word)
        if is_past(word):
            return False
        if form is not None and form.kinds == {"third"}:
            return True
    return False


def without_marks(items: Sequence[Item]) -> list[Item]:
    """The items without the marks of who wrote the talk down; of a line of code all signs stay."""
    in_items = [set(_MARK.findall(item.text)) if item.speaker and "`" not in item.text else set() for item in items]
    times = Counter(mark for marks in in_items for mark in marks)
    marking = sorted(mark for mark, number in times.items() if number >= _MARKED)
    if not marking:
        return list(items)
    pattern = re.compile("|".join(map(re.escape, marking)))
    return [
        replace(item, text=" ".join(pattern.sub(" ", item.text).split())) if marks.intersection(marking) else item
        for item, marks in zip(items, in_items, strict=True)
    ]
