"""Reads the tables of words, in ``en/*.toml`` where no folder is named.

What should not be is refused: what is absent, empty, or listed twice.
"""

import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from precis import patterns as re

_FOLDER = Path(__file__).parent / "en"
_ESCAPED_OR_SET = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]")
_BRACKETS = re.compile(r"\([^()]*\)")


def _marks() -> str:
    """The marks that stand on letters, as ranges of a regular expression."""
    marks = (code for code in range(0x300, 0x20000) if unicodedata.category(chr(code)) in {"Mn", "Mc"})
    runs = (list(run) for _, run in groupby(enumerate(marks), lambda placed: placed[1] - placed[0]))
    return "".join(f"{chr(run[0][1])}-{chr(run[-1][1])}" for run in runs)


#: What a word goes on with and does not begin with.
MARKS = _marks()
#: Letters of alphabets that write vowels as such marks.
_WITH_MARKS = re.compile("[\u0590-\u1fff]")


@cache
def _file(name: str) -> Mapping[str, Any]:
    folder = _FOLDER.parent if "/" in name else _FOLDER
    return tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))


def languages_in(folder: str) -> list[str]:
    """The languages that have a table of their own in a folder beside ``en``, by their two letters."""
    return sorted(path.stem for path in (_FOLDER.parent / folder).glob("??.toml"))


def entry(place: str) -> Any:
    """What stands at ``file.key`` or ``file.section.key``; a whole file at ``file`` or ``folder/file``.

    Raises LookupError.
    """
    name, *keys = place.split(".")
    value: Any = _file(name)
    for key in keys:
        if not isinstance(value, Mapping) or key not in value:
            raise LookupError(f"{place}: {name}.toml has no {key}")
        value = value[key]
    return value


def words(place: str) -> tuple[str, ...]:
    """Words parted by white space, in their order. Raises ValueError for none, or for a word that is listed twice."""
    return _checked(place, _text(place).split())


def phrases(place: str) -> tuple[str, ...]:
    """Phrases parted by semicolons, in their order; they may go over line ends. Raises ValueError as ``words`` does."""
    return _checked(place, [" ".join(part.split()) for part in _text(place).split(";") if part.strip()])


def choices(place: str) -> str:
    """Phrases, each a regular expression, as the alternatives of one."""
    return "|".join(phrases(place))


def whole(pattern: str) -> str:
    """A regular expression where it is whole words: before a vowel sign of Hindi or Tamil no word ends.

    Only where it has letters of such an alphabet are those signs looked at: that takes longer to compile.
    """
    word = rf"\w{MARKS}" if _WITH_MARKS.search(pattern) else r"\w"
    return rf"(?<![{word}])(?:{pattern})(?![{word}])"


def whole_words(*places: str) -> re.Pattern[str]:
    """Any of these phrases where they are whole words, in any case."""
    return re.compile(whole("|".join(map(choices, places))), re.IGNORECASE)


def in_every_language(*places: str) -> str:
    """The same of all texts of these sections, each of which has one a language."""
    return "|".join(choices(f"{place}.{language}") for place in places for language in section(place))


def any_of(patterns: Sequence[str]) -> str:
    """Regular expressions, in their order, as the alternatives of one.

    Where several that follow each other begin a word, its beginning is looked for once: that takes a third of the time.
    """
    parts = []
    for opens, group in groupby(patterns, _opens_word):
        alternatives = "|".join(pattern.removeprefix(r"\b") if opens else pattern for pattern in group)
        parts.append(rf"\b(?:{alternatives})" if opens else alternatives)
    return "|".join(parts)


def _opens_word(pattern: str) -> bool:
    """Whether all that fits a pattern begins where a word does: it has no second alternative outside of brackets."""
    outside = _ESCAPED_OR_SET.sub("", pattern)
    while (shorter := _BRACKETS.sub("", outside)) != outside:
        outside = shorter
    return pattern.startswith(r"\b") and "|" not in outside


def section(place: str) -> Mapping[str, str]:
    """A section of texts by their names. Raises ValueError where there are none, or one of them is no text."""
    rows = entry(place)
    if not isinstance(rows, Mapping) or not rows or not all(isinstance(row, str) for row in rows.values()):
        raise ValueError(f"{place} is no section of texts")
    return rows


def _text(place: str) -> str:
    text = entry(place)
    if not isinstance(text, str):
        raise ValueError(f"{place} is no text")  # noqa: TRY004 - the table is wrong, not the call
    return text


def _checked(place: str, listed: list[str]) -> tuple[str, ...]:
    """The list itself. Raises ValueError where it is empty or says something twice."""
    twice = sorted({word for word in listed if listed.count(word) > 1}) if len(set(listed)) < len(listed) else []
    if not listed or twice:
        raise ValueError(f"{place} is empty" if not listed else f"{place} lists twice: {', '.join(twice)}")
    return tuple(listed)
