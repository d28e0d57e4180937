"""The text of a statement: the clauses chosen of one item, in order."""

from collections.abc import Iterable

from precis.extractive.candidate import Candidate
from precis.extractive.said_on import once_dated
from precis.extractive.trim import capital


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
            text = (_ended(text, before) + " " if before else text) + _opened(candidate)
    return once_dated(_ended(text, group[-1]))


def _opened(candidate: Candidate) -> str:
    return candidate.text if candidate.code else capital(candidate.text)


def _ended(text: str, last: Candidate) -> str:
    return text if last.code else closed(text)


def closed(text: str) -> str:
    """The text with a closing mark."""
    stripped = text.rstrip(" ,;:-\u2013\u2014")
    return stripped + "." if stripped and (stripped[-1].isalnum() or stripped[-1] == ")") else stripped
