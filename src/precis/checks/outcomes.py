"""What came of a request, an answer or a decision: apart from it, the request would read as open. Pure."""

import re

from precis.language import tables

_ANSWER = re.compile(rf"\W*(?:{tables.in_every_language('outcomes.answers')})\W*", re.IGNORECASE)
_REQUEST = re.compile(rf"\b(?:{tables.in_every_language('outcomes.requests')})", re.IGNORECASE)
_YES_OR_NO = re.compile(
    rf"\W*(?:{tables.choices('statements.yes_or_no')})\b(?:[,.!;\u2026\u2013-]\s*|\s*$)", re.IGNORECASE
)
#: What came of a request is told in at most so many words.
_BRIEF = 8


def is_answer(text: str) -> bool:
    """Whether a clause or sentence says no more than what somebody answered or decided: "They said yes."."""
    return _ANSWER.fullmatch(text) is not None


def completes(before: str, text: str) -> bool:
    """Whether a clause says what came of what is told before it: an answer, or a few words behind a request."""
    return is_answer(text) or (len(text.split()) <= _BRIEF and _REQUEST.search(before) is not None)


def opens_on_answer(text: str) -> bool:
    """Whether a text opens on a yes or no: that answers somebody else, and nothing that its speaker said before."""
    return _YES_OR_NO.match(text) is not None


def only_answers(sentence: str) -> bool:
    """Whether it is a yes or no and nothing else: "Nah."."""
    return _YES_OR_NO.fullmatch(sentence.strip()) is not None
