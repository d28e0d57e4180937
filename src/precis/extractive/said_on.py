"""The day on which something was said, behind what tells of a change: "as of" it for what holds, else the plain day."""

import re
from dataclasses import replace
from datetime import date
from itertools import pairwise

from precis.extractive.candidate import Candidate, size_of
from precis.extractive.conflicts import UPDATE, Conflicts
from precis.language.dates import in_words
from precis.language.dating.states import is_state
from precis.language.newest.slots import holds
from precis.makers import Item

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
#: A relative date with its day behind it says when that was said: "next Tuesday (31 March 2026)".
_DATED = re.compile(r"\([^()]*[^\W\d_] (?:19|20)\d\d\)")
#: A day behind a day: "on 22 June (2026)".
_ENDS_DATED = re.compile(r"\((?P<own>[^()]*(?:19|20)\d\d)\)$")
_AS_OF = re.compile(r" \(as of [^()]+\)")


def said_on(of_item: list[Candidate], item: Item, conflicts: Conflicts, *, english: bool) -> list[Candidate]:
    """With the day on which it was said behind the first clause that tells of a change, or is contested; not twice.

    Where none does, it stands behind the clauses that say what is so until a later day.
    """
    if item.day is None:
        return of_item
    changes = (
        at
        for at, clause in enumerate(of_item)
        if clause.place in conflicts.contested or (clause.place in conflicts.changed and UPDATE.search(clause.text))
    )
    at = next(changes, None)
    if at is not None and not of_item[at].code and not _YEAR.search(of_item[at].text):
        marked = replace(_marked(of_item[at], item.day, english=english), changes=True)
        return [*of_item[:at], marked, *of_item[at + 1 :]]
    return [
        _marked(clause, item.day, english=english)
        if clause.place in conflicts.taken_up and not clause.code and holds(clause.text)
        else clause
        for clause in of_item
    ]


def _marked(clause: Candidate, day: date, *, english: bool) -> Candidate:
    """The clause with the day behind it, unless it names the day, or a day that counts from it."""
    on_it = in_words(day).rpartition(" ")[0]
    if re.search(rf"(?<!\d){on_it}\b", clause.text) or _DATED.search(clause.text):
        return clause
    text = clause.text.rstrip(" .!,;")
    mark = in_words(day) if english else day.isoformat()
    mark = f"as of {mark}" if english and is_state(text) else mark
    own = _ENDS_DATED.search(text)
    if own and mark.startswith("as of"):
        text = f"{text[: own.start()]}({own['own']}, {mark})"
    elif not own:
        text = f"{text} ({mark})"
    return replace(clause, text=text, length=size_of(text))


def once_dated(text: str) -> str:
    """The text of a statement with the day on which it was said once, where it stands last."""
    marks = list(_AS_OF.finditer(text))
    for mark, following in reversed(list(pairwise(marks))):
        if mark.group() == following.group():
            text = text[: mark.start()] + text[mark.end() :]
    return text
