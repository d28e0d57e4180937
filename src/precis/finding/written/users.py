"""The user and others as notes speak of them: "the user" is read as "user", and "Hr. Oelze" as "Hr Oelze".

So the user is a subject like a name, and no full stop ends a sentence between a title and the name behind it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from heapq import merge

from precis.finding.reading import folded, read_words
from precis.finding.tables import name_words, sayings
from precis.finding.values import Row, Span
from precis.finding.written.languages import language_of
from precis.language import sentences, tables

_USERS = "|".join(sorted(map(re.escape, tables.words("words.users")), key=len, reverse=True))
_CALLED = re.compile(rf"\b(?P<article>the\s+)(?P<user>{_USERS})(?=\b)", re.IGNORECASE)
#: What may be a title with its full stop, and so much text before it as says whether it is one.
_SHORT = re.compile(r"(?<![^\W_])(?P<word>[^\W\d_][\w-]{0,7})\.(?=[ \t]+[^\W\d_])")
_BEFORE = 40
_LAST = re.compile(r"[^\W\d_][\w'\u2019-]*\W*$")


def with_titles(text: str, likely: str = "en") -> str:
    """A text in which no full stop stands between a title and a name; ``likely`` is the language of a short one."""
    pieces, end = [], 0
    for (first, last), read in merge(_titles(text, likely, initials=True), _parents(text)):
        pieces += [text[end:first], read]
        end = last
    return "".join([*pieces, text[end:]])


def _titles(text: str, likely: str, *, initials: bool = False) -> Iterator[tuple[Span, str]]:
    """Where a title with a full stop stands before a name, and what is read there.

    A single capital is left as it is unless ``initials`` are asked for: in a memory it is passed over like one.
    """
    language = cache(lambda: language_of([word.low for word in read_words(text)], text, likely))
    for match in _SHORT.finditer(text) if "." in text else ():
        before, behind = text[max(0, match.start() - _BEFORE) : match.end("word")], text[match.end() :].lstrip()
        if len(match["word"]) == 1 and match["word"].isupper() and not initials:
            continue
        spelled = match["word"].casefold() in _spelled_somewhere() and (
            behind[0].isupper() and not sentences.opens_sentence(behind) and not _goes_on(before[: -len(match["word"])])
        )
        read = _spelled(language()).get(match["word"].casefold()) if spelled else None
        if read is not None:
            yield (match.start(), match.end() + (not read)), read
        elif sentences.stands_before_name(before, behind):
            yield match.span(), match["word"]


def _parents(text: str) -> Iterator[tuple[Span, str]]:
    """Where a Vietnamese text names a parent of the user's, and how it is read: as "m\u1eb9 t\u00f4i"."""
    for match in _own_parent().finditer(text) if not text.isascii() else ():
        yield match.span(), f"{match['parent']} {sayings('own_behind')[0]}"


@cache
def _own_parent() -> re.Pattern[str]:
    parents, own, others = ("|".join(sayings(it)) for it in ("own_parents", "own_behind", "others_behind"))
    return re.compile(
        rf"(?<!\w)(?<!b\u1ed1 )(?P<parent>(?i:{parents}))(?:(?: c\u1ee7a)? (?:{own})(?!\w))?"
        rf"(?! (?:c\u1ee7a )?(?:{others}|{parents})(?!\w)| [A-Z\u00c0-\u00de\u0110]|\w)"
    )


def _goes_on(before: str) -> bool:
    """Whether a text ends in a name, behind which a letter is one of its initials: "Juan D. Ruiz"."""
    match = _LAST.search(before)
    if match is None:
        return False
    low = folded(match.group().strip())
    inside = match.group()[0].isupper() and match.start() > 0 and not sentences.opens_sentence(match.group())
    return low in name_words("given") or inside


@cache
def _spelled(language: str) -> Mapping[str, str]:
    """By a title of a few letters, which are other words as well: how a language writes it out; empty for no title."""
    rows = (line.split() for line in sayings("spelled_titles"))
    return {short: " ".join(words) for code, short, *words in rows if code == language}


@cache
def _spelled_somewhere() -> frozenset[str]:
    return frozenset(line.split()[1] for line in sayings("spelled_titles"))


class Plain:
    """A row as it is read: without the article before the user and without stops behind titles; and the way back."""

    def __init__(self, row: Row, likely: str = "en") -> None:
        #: Where something else is read than is written: its place as it is read, and as it is written.
        self._read: list[Span] = []
        self._written: list[Span] = []
        text, end = "", 0
        for (first, last), read in merge(_called(row.text), _titles(row.text, likely), _parents(row.text)):
            if first < end:
                continue
            text += row.text[end:first]
            self._read.append((len(text), len(text) + len(read)))
            self._written.append((first, last))
            text, end = text + read, last
        self.row = replace(row, text=text + row.text[end:]) if self._read else row

    def back(self, span: Span) -> Span:
        """Where these characters stand in the text as it is."""
        return self._place(span[0], first=True), self._place(span[1], first=False)

    def _place(self, place: int, *, first: bool) -> int:
        at = bisect_right(self._read, place, key=lambda span: span[0]) - 1
        if at < 0 or (not first and self._read[at][0] == place):
            at -= at >= 0
        if at < 0:
            return place
        (begins, ends), (start, end) = self._read[at], self._written[at]
        if begins <= place < ends or (place == ends and not first):
            return start if first else end  # what begins at the user begins at the article
        return end + place - ends


def _called(text: str) -> Iterator[tuple[Span, str]]:
    """Where the user stands with an article, and without it."""
    for match in _CALLED.finditer(text):
        user = match["user"]
        yield match.span(), user[0].upper() + user[1:] if match["article"][0].isupper() else user
