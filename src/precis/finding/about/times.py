"""When: whether a memory is of a period, is among the newest, or lies before or after what happened to the user."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, tzinfo

from precis.finding import parts, periods, reading
from precis.finding.tables import languages, patterns, times
from precis.finding.together.pronouns import MACHINES
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written.spellings import days_in_figures, times_of_day
from precis.language.dates import A_MONTH, MONTH_NAMES, MONTHS, days_in, spelled_out

#: A year that is told as one, and is no number.
_IN_YEAR = re.compile(
    r"\b(?:in|of|since|from|during|until|till|by|around|about|spring|summer|autumn|fall|winter|year|early|mid|late)[ -]"
    r"((?:19|20)\d\d)\b(?![-./]\d)",
    re.IGNORECASE,
)
#: From one year to another.
_YEARS = re.compile(
    r"(?<![\d.-])((?:19|20)\d\d)\s?(?:-|\u2013|\u2014|to|until|till|through|bis|hasta|a|\u00e0|au|al|at\u00e9|\u043f\u043e)\s?((?:19|20)\d\d)\b(?![-./]\d)",
    re.IGNORECASE,
)
_YEARLY = re.compile(
    r"\b(?:birthdays?|anniversar\w+|name day|born|every year|yearly|annual\w*|geburtstag\w*|jahrestag\w*"
    r"|anniversaire\w*|cumplea\u00f1os|aniversario\w*|anivers\u00e1rio\w*|compleanno"
    r"|verjaardag\w*|urodziny|do\u011fum g\u00fcn\w*)\b",
    re.IGNORECASE,
)
_SHORT = "|".join(sorted(name for name in MONTHS if name not in MONTH_NAMES.values()))
_SHORT_MONTH = re.compile(rf"(?<=\d )(?:{_SHORT})\b\.?|\b(?:{_SHORT})\b\.?(?= \d)", re.IGNORECASE)


def match_period(
    period: periods.Period, row: Row, zone: tzinfo, *, by_writing: bool, said: bool = False, language: str = "en",
    since: date = date.min,
) -> Match:  # fmt: skip
    """Whether a row is of that time: was written then, or, where the request does not say ``said``, tells of then.

    Of "the flight on 3 March" it is the one whose text has that day, whenever it was written. Its months may be in the
    language of the request. A time before anything was written, ``since``, is only told of.
    """
    row = replace(row, text=in_english(row.text, language)) if language != "en" else row
    written = period.holds(row.created_at.astimezone(zone).date())
    if by_writing and period.is_day and period.first > row.created_at.astimezone(zone).date():
        by_writing = False  # nothing was written on a day that is still to come
    by_writing = by_writing and (said or period.last >= since)
    speaks = None if by_writing else _speaks_of(period, row, zone)
    told = None if by_writing or said or row.event_date else _of_years(period, row.text)
    if told is None and not said and period.last < since and not period.is_day:
        level = Level.DOUBTFUL if period.vague else Level.SURE
        speaks = speaks or any(period.holds(date(int(year), 7, 1)) for year in _IN_YEAR.findall(row.text))
        told = Match(level=level, why="it tells of that time") if speaks else Match(level=Level.NO)
    if told is not None:
        return told
    if not said and period.is_day and _names(period, row):
        dated = not _is_yearly(row.text) and str(period.first.year) in row.text
        if (period.past or by_writing) and not written and not dated:
            return Match(level=Level.DOUBTFUL, why="it names that day, perhaps of another year")
        return Match(level=Level.DOUBTFUL if period.vague else Level.SURE, why="it names that day")
    if not by_writing and not written and period.phrase and _says_it(period.phrase, row.text):
        return Match(level=Level.DOUBTFUL, why="it names that time, and was written at another")
    if speaks is None or speaks == written:
        level = (Level.DOUBTFUL if period.vague else Level.SURE) if written else Level.NO
        return Match(level=level, why="it was written then" if written else "it was written at another time")
    return Match(
        level=Level.DOUBTFUL, why="it was written at one time and tells of another, and the request names one of them"
    )


def _of_years(period: periods.Period, text: str) -> Match | None:
    """Whether what was from one year to another was in that time; in doubt where it was so outside of it as well."""
    spans = [(int(first), int(last)) for first, last in _YEARS.findall(text)]
    if not spans:
        return None
    inside = [period.holds(date(first, 12, 31)) and period.holds(date(last, 1, 1)) for first, last in spans]
    meets = [date(first, 1, 1) <= period.last and period.first <= date(last, 12, 31) for first, last in spans]
    if all(inside) and not period.vague:
        return Match(level=Level.SURE, why="it tells of that time")
    if any(meets):
        return Match(level=Level.DOUBTFUL, why="it tells of a time that goes beyond the one that was asked for")
    return Match(level=Level.NO, why="it tells of another time")


def _says_it(phrase: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text, re.IGNORECASE) is not None


def in_english(text: str, language: str) -> str:
    """A text with the months, weekdays and phrases of time of a language in English."""
    for pattern, phrase in times(language) if language in languages() else ():
        text = pattern.sub(rf" {phrase} ", text)
    return " ".join(text.split())


def _in_full(text: str) -> str:
    """A text with its days and months in words: "2023-03-04" and "4 Mar 2023" are "4 March 2023"."""
    return _SHORT_MONTH.sub(lambda match: MONTH_NAMES[MONTHS[match.group().rstrip(".").lower()]], spelled_out(text))


def _names(period: periods.Period, row: Row) -> bool:
    """Whether its text has this day, of this year or of a year that it does not say."""
    day = period.first
    years = {None, day.year, *([day.year + 1] if period.yearless else [])}
    named = [(told.year, told.month, told.day) for told in days_in(_in_full(row.text))]
    named += [(told.year, told.month, told.day) for told, either in days_in_figures(row.text) if not either]
    return any((month, number) == (day.month, day.day) and year in years for year, month, number in named)


def _is_yearly(text: str) -> bool:
    """Whether it tells of what comes every year."""
    return _YEARLY.search(text) is not None


def _speaks_of(period: periods.Period, row: Row, zone: tzinfo) -> bool | None:
    if row.event_date is not None:
        return period.holds(row.event_date.astimezone(zone).date())
    days = [period.holds(day) for day in _spoken(row, zone)]
    return any(days) if days else None


def _spoken(row: Row, zone: tzinfo) -> Iterator[date]:
    """The days that its text names in full, or as a month near its own date."""
    written = row.created_at.astimezone(zone).date()
    if not any(char.isdigit() for char in row.text) and not re.search(
        rf"\b(?:{A_MONTH}|{_SHORT})\b", row.text, re.IGNORECASE
    ):
        return
    for day in days_in(_in_full(row.text)):
        if day.month is None and day.day is None:
            continue
        try:
            yield date(day.year or written.year, day.month or 1, day.day or 15)
        except ValueError:
            continue


def match_times(times: Collection[tuple[int, int]], row: Row) -> Match:
    """Whether a row tells of one of these times of day, however it writes it; in doubt where it names none."""
    named = times_of_day(row.text)
    if not named:
        return Match(level=Level.DOUBTFUL, why="it names no time of day")
    if named.isdisjoint(times):
        return Match(level=Level.NO, why="it names another time of day")
    return Match(level=Level.SURE, why="it names that time of day")


_NUMBERS = (
    "one", "two zwei deux dos due dois iki", "three drei trois tres tre tr\u00eas \u00fc\u00e7",
    "four vier quatre cuatro quattro quatro d\u00f6rt", "five f\u00fcnf cinq cinco cinque be\u015f",
)  # fmt: skip
_COUNTS = {reading.folded(word): number for number, words in enumerate(_NUMBERS, start=1) for word in words.split()}


def newest_asked(what: str) -> int:
    """How many of the newest memories a request asks for, and nothing else; 0 where it does not."""
    text = " ".join(what.split()).strip(" .!?\u3002")
    for language in languages():
        for pattern in patterns(language, "newest"):
            match = re.fullmatch(pattern, text, re.IGNORECASE)
            if match:
                return _number((match.groupdict().get("count") or "").strip())
    return 0


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _COUNTS.get(reading.folded(word), 1)


def with_newest(rows: Sequence[Row], matches: dict[str, Match], count: int) -> None:
    """Leave meant only the newest so many, the oldest first, in doubt where another was written in the same moment.

    What an assistant said is none that the user has told.
    """
    told = [row for row in rows if matches[row.id].level is Level.SURE]
    told = [row for row in told if row.speaker is None or reading.folded(row.speaker) not in MACHINES]
    newest = told[-count:]
    before = told[-count - 1] if len(told) > count else None
    for row in rows:
        if row not in newest:
            matches[row.id] = Match(level=Level.NO)
        elif before is not None and newest[0].created_at == before.created_at:
            matches[row.id] = Match(level=Level.DOUBTFUL, why="another was written in the same moment")
        else:
            matches[row.id] = Match(level=Level.SURE, why="it is the newest memory")
    if before is not None and newest[0].created_at == before.created_at:
        same = (row for row in told if row.created_at == before.created_at)
        why = "another was written in the same moment"
        matches.update((row.id, Match(level=Level.DOUBTFUL, why=why)) for row in same)


Bound = Callable[[Row], Match]
#: Behind these words it is only spoken of, and was before: "since the divorce".
_SINCE = re.compile(
    r"\b(?:since|after|following|seit|nach|nachdem|depuis|apr\u00e8s|desde|despu\u00e9s de|tras|dopo|ap\u00f3s"
    r"|depois d[aeo]|sinds|na|sedan|efter|od|po|\u043f\u043e\u0441\u043b\u0435|\u0441)\s+(?:[\w'\u2019]+\s+){0,2}$",
    re.IGNORECASE,
)
#: Words that begin alike in so many letters may tell of the same: "divorce", "divorced".
_BEGINS = 5


def by_event(rows: Sequence[Row], event: parts.Subject, about: Callable[[Row], Match], *, before: bool) -> Bound:
    """Whether a row lies before, or after, what some rows tell; in doubt between the first and the last of them.

    It is dated by when those rows say that it was, else by when they were written. What tells of it is near itself, and
    everything is where no row tells of it. Where all of them only say what is so since then, it was earlier, and nobody
    knows when: what was written before the first of them is in doubt.
    """
    matches = {row.id: about(row) for row in rows}
    telling = {row.id: row for row in rows if matches[row.id].level is Level.SURE}
    if not telling:
        return lambda _: Match(level=Level.NEAR, why="when that was is not known")
    moments = [row.event_date or row.created_at for row in telling.values()]
    first, last = min(moments), max(moments)
    vague = all(_is_since(row.text, matches[row.id].spans) for row in telling.values())
    heads = tuple(part.word[:_BEGINS] for part in event.parts if len(part.word) >= _BEGINS)

    def bound(row: Row) -> Match:
        if row.id in telling:
            return Match(level=Level.NEAR, why="it tells of that itself")
        match = _between(row.created_at, first, last, before=before)
        if vague and row.created_at < first:
            return Match(level=Level.DOUBTFUL, why="when that was is not known")
        if match.level is Level.SURE and heads and _has(reading.folded(row.text), heads):
            return Match(level=Level.DOUBTFUL, why="it may tell of that itself")
        return match

    return bound


def _is_since(text: str, spans: Sequence[Span]) -> bool:
    """Whether it only says what is so since then, wherever it has the words for it."""
    return bool(spans) and all(_SINCE.search(text[:start]) for start, _ in spans)


def _has(low: str, heads: Sequence[str]) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(head)}", low) for head in heads)


def _between(moment: datetime, first: datetime, last: datetime, *, before: bool) -> Match:
    sure = moment < first if before else moment > last
    outside = moment > last if before else moment < first
    if sure:
        return Match(level=Level.SURE, why="it was written before that" if before else "it was written after that")
    if outside:
        return Match(level=Level.NO, why="it was written after that" if before else "it was written before that")
    return Match(level=Level.DOUBTFUL, why="it was written about then")
