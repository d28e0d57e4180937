"""The text of a statement: the clauses chosen of one item, in order."""

import re
from collections.abc import Iterable
from dataclasses import replace

from precis.extractive.candidate import Candidate
from precis.extractive.said_on import once_dated
from precis.extractive.trim import capital

#: What stands before an entry of a list: its heading, or its name.
_LABEL = re.compile(r"[^:.!?\n]{2,80}: (?=\S)")


def rendered(selected: Iterable[Candidate]) -> str:
    """One statement of the chosen clauses of one item, in order."""
    group = sorted(selected, key=lambda candidate: (candidate.sentence, candidate.clause))
    if group[0].derived:
        return group[0].text
    text = group[0].lead
    for place, selection in enumerate(group):
        before = group[place - 1] if place else None
        candidate = _unlabeled(selection, before) if before else selection
        if before and (before.sentence, before.clause + 1) == (candidate.sentence, candidate.clause):
            text += candidate.joint + candidate.text
        else:
            text = (_ended(text, before) + " " if before else text) + _opened(candidate)
    return once_dated(_ended(text, group[-1]))


def _unlabeled(candidate: Candidate, before: Candidate) -> Candidate:
    """The candidate without the heading that the one before it has as well: "Pros: it is cheap. It is small."."""
    label = _LABEL.match(candidate.text)
    if label is None or candidate.clause or not before.text.startswith(label.group()):
        return candidate
    return replace(candidate, text=candidate.text[label.end() :])


def _opened(candidate: Candidate) -> str:
    return candidate.text if candidate.code else capital(candidate.text)


def _ended(text: str, last: Candidate) -> str:
    return text if last.code else closed(text)


def closed(text: str) -> str:
    """The text with a closing mark."""
    stripped = text.rstrip(" ,;:-\u2013\u2014")
    return stripped + "." if stripped and (stripped[-1].isalnum() or stripped[-1] == ")") else stripped
