"""Where a request says that what is meant comes from: a session, a source or a speaker that a memory knows.

What follows "everything that came from" is a source only where a memory has it as one; else it is whatever it is.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

from precis.finding import reading, tables, values
from precis.finding.asked.asking import Request
from precis.finding.asked.speech import Speaker
from precis.finding.together.pronouns import MACHINES

_APART, _QUOTES = re.compile(r"[\s_-]+"), "\"'\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb.,;:!? "
#: Before what is left alone; and before what is asked for of that session or source.
_EXCEPTED = re.compile(
    r"\b(?:except|but|besides|than|apart from|au\u00dfer|ausser|excepto|salvo|menos|sauf|hormis|not)\b"
    r"(?: (?:for|from|in|of|the|all|what|everything))*\W*$",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"\b(?:about|of|on|regarding|concerning|\u00fcber|sobre|acerca|su|sur)\s+\w", re.IGNORECASE)


def by_source(request: Request, rows: Sequence[values.Row]) -> Request | None:
    """The request with the session, the source or the speaker that it names; None where no memory has one so called."""
    if request.session or request.origin or request.by or request.refuses:
        return None
    sessions = _known(row.session_id for row in rows)
    speakers = _known(row.speaker for row in rows)
    origins = _known(origin for row in rows for origin in row.origins)
    for what, known in (("session", sessions), ("origin", origins), ("by", speakers)):
        for pattern in _shapes(what):
            for match in pattern.finditer(request.text):
                called = known.get(_plain(next(filter(None, match.groupdict().values()))))
                if called is not None and not _EXCEPTED.search(request.text[: match.start()]):
                    return _within(request, match.group(), what, called)
    return None


def _known(names: Iterable[str | None]) -> dict[str, str]:
    """By its plain form how something is called; no machine and no user, whom other rules know."""
    aside = MACHINES | {"user"}
    return {_plain(name): name for name in names if name and reading.folded(name) not in aside and _plain(name)}


def _plain(name: str) -> str:
    """A name without what it is written in and what stands before it: "my e-mails" is "email"."""
    words = reading.folded(name).strip(_QUOTES).split()
    before = tables.name_words("articles") | tables.all_words("first")
    while len(words) > 1 and words[0] in before:
        words = words[1:]
    return _APART.sub("", " ".join(words)).removesuffix("s")


@cache
def _shapes(what: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(rf"(?<!\w)(?:{shape})", re.IGNORECASE) for shape in tables.sayings(f"{what}_shapes"))


def _within(request: Request, named: str, what: str, called: str) -> Request:
    """The request within that, about what it names besides."""
    aside = {word.low for word in reading.read_words(named)}
    subjects = (
        replace(
            subject,
            names=tuple(name for name in subject.names if not aside.issuperset(name)),
            parts=tuple(part for part in subject.parts if not aside.issuperset(part.word.split())),
            identifiers=tuple(mark for mark in subject.identifiers if mark.value not in reading.folded(named)),
            states=False,
        )
        for subject in request.subjects
    )
    kept = tuple(subject for subject in subjects if not subject.empty)
    # "In session law about the will": what nothing is left of was asked for all the same.
    partly = not kept and _ABOUT.search(request.text.replace(named, " ")) is not None
    return replace(
        request, subjects=kept, unclear=False, partly=partly, said=request.said or Speaker(what == "by"),
        session=called if what == "session" else None, origin=called if what == "origin" else None,
        by=called if what == "by" else None,
    )  # fmt: skip
