"""A clause of a request in a language whose words no space sets apart, or that writes what it says to their ends."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from precis.finding.grounded.clauses import Clause, says_who
from precis.finding.identifiers import identifiers_in, named_number
from precis.finding.names import Name
from precis.finding.parts import Part, Subject
from precis.finding.reading import HANGUL, UNSPACED, folded, read_words
from precis.finding.tables import all_words, ground_asks, ground_words, patterns, unspaced_groups, words_of
from precis.finding.values import Row
from precis.finding.written.unspaced import narrowed, things_among

_SORTS = ("denies", "forgets", "keeps", "every", "small")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f][\w'\u2019.-]*(?: [A-Z\u00c0-\u024f][\w'\u2019.-]*)*")
_HAN = re.compile("[\u3400-\u9fff]")
#: Between the word for the user and what is theirs.
_JOINTS = "的の"
_SIGNS = re.compile(r"[\s\W]+")


def read_phrases(clause: str, language: str, rows: Sequence[Row]) -> Clause:
    """What it is about, and whether it asks to forget or to keep that."""
    marks = tuple(identifiers_in(clause))
    rest = clause
    for mark in reversed(marks):
        rest = f"{rest[: mark.start]} {rest[mark.end :]}"
    rest, old = _without(rest, patterns(language, "old"))
    rest, current = _without(rest, patterns(language, "current"))
    sorts = {sort for sort in ("denies", "forgets", "keeps") if _phrases(language, sort).search(rest)}
    verb = "forgets" if "forgets" in sorts else "keeps" if "keeps" in sorts else ""
    purpose = None if not verb else (verb == "forgets") != ("denies" in sorts)
    clear = purpose is not None or "denies" not in sorts
    parts, rest = _asked(rest)
    number = named_number(rest)
    if number:
        rest = rest.replace(number, " ")
        parts += [Part(word=number, groups=frozenset({"phone"}))] if all(map(says_who, parts)) else []
    names, unknown = _names(rest, language, rows)
    parts = [part for part in parts if not (names and says_who(part))]
    if (old or current) and not parts and language in {"zh", "ja"}:
        listed, things = things_among(names, rest)
        names, parts = list(listed), list(things)
    subject = Subject(
        text=clause.strip(), names=tuple(names), parts=() if marks else tuple(parts), identifiers=marks,
        mine=_is_mine(clause, language, names), language=language,
        old=old, current=current,
    )  # fmt: skip
    takes_up = not names and any(word in clause for word in all_words("third") if UNSPACED.search(word))
    return Clause(
        subjects=() if subject.empty else (subject,), forgets=purpose, clear=not unknown and clear, takes_up=takes_up
    )


def _is_mine(clause: str, language: str, names: Sequence[Name]) -> bool:
    """Whether it is of the user: a thing may be taken for a name, but stands right behind the word for "my"."""
    firsts = words_of(language, "first")
    if not names:
        return any(word in clause for word in firsts)
    low, called = folded(clause), "".join(names[0])
    return any(f"{first}{joint}{called}" in low for first in firsts for joint in ("", " ", *_JOINTS))


def _without(text: str, expressions: Sequence[str]) -> tuple[str, bool]:
    match = next(filter(None, (re.search(expression, text) for expression in expressions)), None)
    if match is None or not match.group():
        return text, False
    return f"{text[: match.start()]} {text[match.end() :]}", True


@cache
def _phrases(language: str, sort: str) -> re.Pattern[str]:
    listed = sorted(ground_words(language, sort), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, listed)) or r"(?!)")


@cache
def _long(language: str) -> re.Pattern[str]:
    """Every phrase of more than one sign by which requests are put, the longest first."""
    listed = {word for sort in _SORTS for word in ground_words(language, sort) if len(word) > 1}
    return re.compile("|".join(map(re.escape, sorted(listed, key=len, reverse=True))))


@cache
def _short(language: str) -> frozenset[str]:
    """Phrases of one sign, and what is written to the end of a word."""
    listed = {word for sort in _SORTS for word in ground_words(language, sort) if len(word) == 1}
    return frozenset(listed) | frozenset(words_of(language, "behind"))


def _asked(text: str) -> tuple[list[Part], str]:
    """What people tell of that a clause names, and the rest of it."""
    parts: list[Part] = []
    for verb, group in sorted(ground_asks().items(), key=lambda item: -len(item[0])):
        if (UNSPACED.search(verb) or HANGUL.search(verb)) and verb in text:
            parts.append(Part(word=verb, groups=frozenset({group})))
            text = text.replace(verb, " ")
    called: dict[tuple[int, int], set[str]] = {}
    for start, end, names in unspaced_groups(text):
        called.setdefault((start, end), set()).update(names)
    for (start, end), groups in sorted(called.items(), key=lambda item: item[0][0] - item[0][1]):
        alone = not any(_HAN.match(sign) for sign in (text[max(0, start - 1) : start], text[end : end + 1]))
        if text[start:end].strip() and (len(text[start:end]) > 1 or alone):
            parts.append(Part(word=text[start:end], groups=narrowed(groups)))
            text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return parts, text


def _names(text: str, language: str, rows: Sequence[Row]) -> tuple[list[Name], bool]:
    """The words that memories have, and whether others are left that are of no known sort."""
    names: list[Name] = [tuple(word.low for word in read_words(match.group())) for match in _LATIN.finditer(text)]
    rest = _LATIN.sub(" ", text)
    unknown = False
    lows = [folded(row.text) for row in rows]
    for piece in _SIGNS.split(_long(language).sub(" ", rest)):
        for word in _trimmed(piece, language, rows):
            if any(word in low for low in lows):
                names.append((word,))
            else:
                unknown = unknown or len(word) > 1
    return names, unknown


def _trimmed(piece: str, language: str, rows: Sequence[Row]) -> Iterator[str]:
    """What is left of a piece without the phrases of one sign at its ends; parted by them where no memory has it."""
    short = sorted(_short(language), key=len, reverse=True)
    before = None
    while piece != before:
        before = piece
        for end in short:
            if len(piece) > len(end) and piece.endswith(end) and len(piece) - len(end) >= (2 if len(piece) > 2 else 0):
                piece = piece.removesuffix(end)
            if language != "ko" and piece.startswith(end) and len(piece) - len(end) >= 2:
                piece = piece.removeprefix(end)
    if piece in short or not piece:
        return
    if language == "ko" or any(piece in row.text for row in rows):
        yield piece
    else:
        yield from filter(None, re.split("|".join(map(re.escape, short)), piece))
