"""In which other spellings something may be written: "colour", "checkup", "St. Mary", "12.5.2027", "3 pm"."""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache, lru_cache
from pathlib import Path

from precis.language.words import stem

#: A day in figures, its year last: parted by dots the day stands first, by slashes nobody knows.
_FIGURES = re.compile(r"(?<![\w./-])(\d{1,2})(?P<sign>[./-])(\d{1,2})(?P=sign)((?:19|20)?\d\d)(?![\w/-]|\.\d)")
#: A time of day: "3 pm", "15:00", "15h30", "15 Uhr", "three in the afternoon", "noon".
_TIME = re.compile(
    r"(?<![\w:.])(?:at )?(?:(?P<hour>[01]?\d|2[0-3])(?:[:.](?P<minutes>[0-5]\d))? ?(?P<half>[ap])\.?m\b\.?"
    r"|(?P<clock>[01]?\d|2[0-4]):(?P<past>[0-5]\d)\b(?!:)"
    r"|(?P<abroad>[01]?\d|2[0-3]) ?(?:h(?P<beyond>[0-5]\d)?|uhr|heures|horas)\b"
    r"|(?P<spoken>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[01]?\d)(?: o['\u2019]?clock)?"
    r" (?:in the (?P<part>morning|afternoon|evening)|at (?P<night>night))\b|(?P<word>noon|midday|midnight)\b)",
    re.IGNORECASE,
)
_HOURS = {
    word: hour for hour, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
}


#: Words that say a figure twice or three times.
_TIMES = {"double": 2, "doppel": 2, "doble": 2, "triple": 3, "treble": 3}
#: So many figures in words are a number, or fewer before figures; a sign and a figure before figures are.
_SPELLED, _BEFORE_FIGURES = 6, 2


@cache
def _figures() -> Mapping[str, str]:
    return dict(pair.split("=") for pair in _table()["figures"].split())


@cache
def _spoken() -> re.Pattern[str]:
    words = "|".join(sorted(map(re.escape, (*_figures(), *_TIMES)), key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{words})(?:[ -](?:{words}))+(?!\w)(?P<behind> ?\d)?", re.IGNORECASE)


_POINT = re.compile(r"(?<=[A-Z])[\u00b7\u30fb](?=[A-Z0-9])")


def in_figures(text: str) -> str:
    """The same with each number in figures that is spelled out: "plus four four 7911" as "+44 7911".

    A point that only sets the parts of a plate apart is left out.
    """
    return _POINT.sub("", _spoken().sub(_written, text))


def _written(match: re.Match[str]) -> str:
    behind = match["behind"] or ""
    figures, times = "", 1
    for word in re.split("[ -]", match.group().removesuffix(behind).lower()):
        figures += _figures().get(word, "") * times
        times = _TIMES.get(word, 1)
    least = _BEFORE_FIGURES if behind else _SPELLED
    return f"{figures}{behind}" if len(figures) >= least and "+" not in figures[1:] else match.group()


@cache
def _table() -> Mapping[str, str]:
    file = Path(__file__).parent.parent / "words" / "spellings.toml"
    return tomllib.loads(file.read_text("utf-8"))


@cache
def _pairs(what: str) -> Mapping[str, frozenset[str]]:
    known: dict[str, set[str]] = defaultdict(set)
    for pair in _table()[what].split():
        first, _, last = pair.partition("=")
        known[first].add(last)
        known[last].add(first)
    return {word: frozenset(others) for word, others in known.items()}


@cache
def _stems() -> Mapping[str, frozenset[str]]:
    by_stem: dict[str, frozenset[str]] = {}
    for word, others in _pairs("pairs").items():
        by_stem[stem(word)] = by_stem.get(stem(word), frozenset()) | others
    return by_stem


@lru_cache(maxsize=8192)
def respelled(word: str) -> frozenset[str]:
    """How an English word is spelled elsewhere, "color" of "colours"; nothing for nearly all words."""
    return _stems().get(stem(word), frozenset()) - {word}


def respelled_name(name: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """A name with a word of it that is written short or in full, and without its apostrophe: "St. Mary", "OBrien"."""
    for at, word in enumerate(name):
        for other in _pairs("names").get(word, ()):
            yield (*name[:at], other, *name[at + 1 :])
        for sign in ("'", "\u2019"):
            if sign in word:
                yield (*name[:at], word.replace(sign, ""), *name[at + 1 :])


def days_in_figures(text: str) -> Iterator[tuple[date, bool]]:
    """The days that a text writes in figures, and whether day and month may be the other way round."""
    for match in _FIGURES.finditer(text):
        first, second, year = int(match[1]), int(match[3]), int(match[4])
        year += 2000 if year < 100 else 0
        orders = [(first, second)] if match["sign"] == "." else [(first, second), (second, first)]
        days = {date(year, month, day) for day, month in orders if _is_day(year, month, day)}
        yield from ((day, len(days) > 1) for day in sorted(days))


def without_figures(text: str) -> tuple[str, bool]:
    """A text with its first day in figures written from the year on, and whether that may be another day."""
    days = [*days_in_figures(text)]
    match = _FIGURES.search(text)
    if match is None or not days:
        return text, False
    return f"{text[: match.start()]}{days[0][0].isoformat()}{text[match.end() :]}", days[0][1]


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def times_of_day(text: str) -> frozenset[tuple[int, int]]:
    """The times of day that a text has, as hours and minutes; both of "at 3:00"."""
    return frozenset(time for match in _TIME.finditer(text) for time in _times(match))


def without_times(text: str) -> tuple[str, frozenset[tuple[int, int]]]:
    """A text without its times of day, and those."""
    return " ".join(_TIME.sub(" ", text).split()), times_of_day(text)


def _times(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    if match["word"]:
        yield (0 if match["word"].lower() == "midnight" else 12), 0
    elif match["half"]:
        yield int(match["hour"]) % 12 + (12 if match["half"].lower() == "p" else 0), int(match["minutes"] or 0)
    elif match["spoken"]:
        hour = _HOURS.get(match["spoken"].lower()) or int(match["spoken"])
        yield hour % 12 + (0 if (match["part"] or "").lower() == "morning" else 12), 0
    elif match["abroad"]:
        yield int(match["abroad"]), int(match["beyond"] or 0)
    else:
        hour, minutes = int(match["clock"]), int(match["past"])
        yield hour % 24, minutes
        if 0 < hour < 12 and match["clock"][0] != "0":
            yield hour + 12, minutes
