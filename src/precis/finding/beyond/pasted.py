"""What somebody else wrote and the user pasted: it stays with whoever wrote it, or goes with them.

Of "Here is what Julia wrote: «We marry on 12 December. My new number is ...»" the quotation without its introduction
would be read as the user's own.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from precis.checks.pasted import parts_of_mail
from precis.finding.about.theirs import leans
from precis.finding.beyond.tables import any_language
from precis.finding.halves import Places
from precis.finding.reading import UNSPACED, read_words, sentence_spans
from precis.finding.values import Level, Span
from precis.finding.written.languages import language_of

#: What opens a quotation, and what closes it.
_QUOTED = re.compile(
    "\u00ab[^\u00bb]*(?:\u00bb|$)|\u00bb[^\u00ab]*\u00ab|[\u201e\u201c][^\u201c\u201d]*(?:[\u201c\u201d]|$)"
    '|"[^"]*(?:"|$)|\u300c[^\u300d]*(?:\u300d|$)|\u300e[^\u300f]*(?:\u300f|$)|\u2018[^\u2018\u2019]{9,}(?:\u2019(?!\\w)|$)'
)
#: Lines that mail marks as somebody else's.
_MARKED = re.compile(r"^[ \t]*>[^\n]*(?:\n[ \t]*>[^\n]*)*", re.MULTILINE)
_ANNOUNCES = re.compile(r"[:\uff1a]\s*$")
_CLOSERS = '\u00bb\u00ab\u201c\u201d"\u300d\u300f\u2019'
_DIGITS = re.compile(r"\d{2}")
#: The longest introduction, and the longest clause behind that says who spoke; the shortest quotation.
_MOST, _BEHIND, _LEAST = 160, 60, 6


class Pasted(NamedTuple):
    """Who is said to have written something, the words, and whether it is known where those end."""

    introduction: Span
    words: Span
    ends: bool


def pasted_in(text: str) -> list[Pasted]:
    """What a text has of others' words, each with the clause that says whose they are."""
    quoted = [*_quoted(text)]
    return quoted or [*_signed(text)] or [*_announced(text)]


def _quoted(text: str) -> Iterator[Pasted]:
    before = 0
    places = sorted([*(it.span() for it in _QUOTED.finditer(text)), *(it.span() for it in _MARKED.finditer(text))])
    sent = any_language("sent")
    for start, end in places:
        if start < before or end - start < _LEAST:
            continue
        head = _head(text, before, start)
        tail = text[end : end + _BEHIND].partition("\n")[0]
        tail = tail[: next((at for at, sign in enumerate(tail) if sign in ".!?;\u3002"), len(tail))]
        closed = text[end - 1] in _CLOSERS or text[start:].lstrip().startswith(">")
        if text[head:start].strip() and (_ANNOUNCES.search(text[head:start]) or sent.search(text[head:start])):
            yield Pasted((head, start), (start, end), closed)
        elif tail.strip() and sent.search(tail):
            yield Pasted((end, end + len(tail)), (start, end), closed)
        before = end


def _head(text: str, before: int, start: int) -> int:
    """Where the sentence or line begins that stands before a quotation, which may open a line of its own."""
    last = len(text[before:start].rstrip()) + before
    line = max(before, text.rfind("\n", before, last) + 1)
    opening = max((first for first, _ in sentence_spans(text[:last]) if first < last), default=line)
    return max(line, opening, start - _MOST)


def _signed(text: str) -> Iterator[Pasted]:
    """A mail with a greeting and the name of whoever signed it: the name is what says whose it is."""
    parts = parts_of_mail(text, None)
    mail = next((part for part in parts if part.speaker), None)
    if mail is None:
        return
    start = text.find(mail.text)
    end = start + len(mail.text)
    behind = parts[-1].text if parts[-1] is not mail else ""
    last = text.rfind(behind) if behind else len(text)
    if 0 <= start < end <= last:
        yield Pasted((end, last), (start, end), ends=True)


def _announced(text: str) -> Iterator[Pasted]:
    """What stands below a line that ends in a colon and says that somebody sent it."""
    for match in re.finditer(r"^[^\n]{1,160}[:\uff1a][ \t]*\n", text, re.MULTILINE):
        start = max((first for first, _ in sentence_spans(match.group()) if first < match.end()), default=0)
        if any_language("sent").search(match.group()[start:]) and text[match.end() :].strip():
            yield Pasted((match.start() + start, match.end()), (match.end(), len(text)), ends=False)
            return


def with_sender(
    text: str, going: Sequence[Span], keeps: tuple[Span, ...], most: Level, *, facts: bool
) -> tuple[tuple[Span, ...], Level]:
    """What stays of a text and how surely the rest goes, where nothing pasted stays without whose it is.

    Where everything of somebody is meant, their words go with their introduction; where a fact of theirs is, the
    sentences with that fact go and the rest stays with its introduction.
    """
    places = Places(going)
    for part in pasted_in(text) if going else ():
        if facts and places.touch(part.words):
            keeps, most = _without_fact(text, part, places, keeps, most)
            continue
        left = any(start < part.words[1] and end > part.words[0] for start, end in keeps)
        behind = next(
            (span for span in sentence_spans(text) if span[0] >= max(part.words[1], part.introduction[1])), None
        )
        if left and behind and places.touch(behind) and not places.touch(part.introduction):
            keeps, most = tuple(_outside(text, keeps, part)), Level.DOUBTFUL  # "That was from Julia."
            continue
        lost = not any(start <= part.introduction[0] and part.introduction[1] <= end + 1 for start, end in keeps)
        if part.ends and not (facts or keeps) and places.touch(part.introduction):
            keeps, most = _parted(text, part, places, most)
        if not left or not (lost and places.touch(part.introduction)):
            continue
        keeps = tuple(_outside(text, keeps, part))
        most = most if part.ends and not facts else min(most, Level.DOUBTFUL)
    return keeps, most


def _around(text: str, part: Pasted) -> tuple[Span, Span]:
    """What stands before and behind pasted words and their introduction."""
    first, last = min(part.introduction[0], part.words[0]), max(part.introduction[1], part.words[1])
    return (0, first), (last, len(text))


def _parted(text: str, part: Pasted, places: Places, most: Level) -> tuple[tuple[Span, ...], Level]:
    """What stays around pasted words that go, where that has nothing of what goes and can be read alone."""
    rest = [span for span in _around(text, part) if any(map(str.isalnum, text[slice(*span)]))]
    language = language_of([word.low for word in read_words(text)], text)
    leaning = any(start >= part.words[0] and leans(text, (start, end), language) for start, end in rest)
    return ((), most) if leaning or any(map(places.touch, rest)) else (tuple(rest), Level.SURE)


def _outside(text: str, keeps: Sequence[Span], part: Pasted) -> Iterator[Span]:
    """What stays of these without the words and their introduction."""
    (_, first), (last, _) = _around(text, part)
    for start, end in keeps:
        for span in ((start, min(end, first)), (max(start, last), end)):
            if any(map(str.isalnum, text[slice(*span)])):
                yield span


def _without_fact(
    text: str, part: Pasted, places: Places, keeps: tuple[Span, ...], most: Level
) -> tuple[tuple[Span, ...], Level]:
    """What stays of pasted words without a fact of whoever wrote them: the introduction stays with the rest."""
    pieces = [span for span in sentence_spans(text) if span[0] < part.words[1] and span[1] > part.words[0]]
    inside = [(max(start, part.words[0]), min(end, part.words[1])) for start, end in pieces]
    rest = [piece for piece in inside if any(map(str.isalnum, text[slice(*piece)])) and not places.touch(piece)]
    left = any(start < part.words[1] and end > part.words[0] for start, end in keeps)
    if not rest or not (left or (most is Level.SURE and not keeps and UNSPACED.search(text))):
        return keeps, most
    if any(before < start and places.touch((before, start)) and _DIGITS.search(text[start:end])
           for (before, _), (start, end) in pairwise(inside) if (start, end) in rest):  # fmt: skip
        return (), Level.DOUBTFUL  # the value itself may stand in the sentence behind
    gone = [piece for piece in inside if places.touch(piece)]
    whole = (0, *(place for start, end in gone for place in (start, end)), len(text))
    spans = zip(whole[::2], whole[1::2], strict=True)
    return tuple(span for span in spans if any(map(str.isalnum, text[slice(*span)]))), most
