"""A text with the days that its phrases mean, on the day on which it was written. Pure."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date

from precis.language import tables
from precis.language.dates import MONTH_NAMES, MONTHS, SEASONS, WEEKDAYS
from precis.language.dating.elsewhere import meant_elsewhere
from precis.language.dating.english import meant_in
from precis.language.dating.spans import Span, Unit, in_figures, written
from precis.language.words import kept, stem

_Meaning = tuple[int, Sequence[Span]]
#: Characters of a text whose phrases are kept for a while.
_KEPT = 2000


def _kept_where_short(read: Callable[[str, date], Sequence[_Meaning]]) -> Callable[[str, date], Sequence[_Meaning]]:
    """A write, its summary, the checks of it and each answer that shows a text read the same phrases."""

    @kept
    def once(dated_text: tuple[str, date]) -> Sequence[_Meaning]:
        return read(*dated_text)

    return lambda text, day: once((text, day)) if len(text) <= _KEPT else read(text, day)


_in_english = _kept_where_short(meant_in)
_elsewhere = _kept_where_short(meant_elsewhere)


def dated(text: str, day: date | None) -> str:
    """The text of a statement with the calendar date behind each relative one: ``yesterday (7 May 2023)``.

    Each date once. In other languages than English it stands in figures, behind what means one day: ``hier
    (2023-05-07)``. A text of no known day is left as it is.
    """
    if day is None:
        return text
    meanings = _in_english(text, day)
    if meanings:
        return _with(text, meanings, written, " ({})")
    return _with(text, _days_elsewhere(text, day), in_figures, " ({})")


def _days_elsewhere(text: str, day: date) -> list[_Meaning]:
    """Phrases of other languages than English that mean one day, and have it behind them not yet."""
    return [
        (end, spans) for end, spans in _elsewhere(text, day) if not _IN_FIGURES.match(text, end) and _is_a_day(spans)
    ]


def _is_a_day(spans: Sequence[Span]) -> bool:
    return len(spans) == 1 and spans[0].unit is Unit.DAYS and spans[0].first == spans[0].last and not spans[0].lead


def resolved(text: str, day: date | None, *, beside: date | None = None) -> str:
    """The text as it is served beside what was written: ``last weekend [11\u201312 March 2023]``.

    What stands in square brackets is added. The day ``beside`` stands above the text already, and is not added.
    """
    if day is None:
        return text
    above = (Span(first=beside, last=beside),) if beside else ()
    meanings = [meaning for meaning in _in_english(text, day) if tuple(meaning[1]) != above]
    if meanings:
        return _with(text, meanings, written, " [{}]")
    others = [m for m in _elsewhere(text, day) if tuple(m[1]) != above and not _IN_FIGURES.match(text, m[0])]
    return _with(text, others, in_figures, " [{}]")


def _with(text: str, meanings: Iterable[_Meaning], write: Callable[[Sequence[Span]], str], form: str) -> str:
    parts, start = [], 0
    seen: set[str] = set()
    for end, spans in meanings:
        meaning = write(spans)
        if meaning not in seen:
            seen.add(meaning)
            # A month may be written with a period, which here ends the sentence.
            place = end - 1 if _SENTENCE_END.match(text, end - 1) else end
            parts += [text[start:place], form.format(meaning)]
            start = place
    return "".join([*parts, text[start:]])


_IN_FIGURES = re.compile(r" \(\d{4}-\d\d-\d\d\)")
_SENTENCE_END = re.compile(r"\.(?=\s*$|\s+[^\Wa-z_])")
_MEANT = {phrase: tuple(map(int, days.split())) for phrase, days in tables.section("calendar.meant").items()}


def date_keys(text: str, today: date | None) -> set[str]:
    """The days that a text's own date and its relative words name: stems of calendar words, ``#day`` and ``#year``.

    A text of no known day names none.
    """
    if today is None:
        return set()
    lowered = text.lower()
    steps = {0}
    for phrase, (first, last) in _MEANT.items():
        if phrase in lowered:
            steps.update(range(first, last + 1))
    # The last day of that name: what "on Friday" means in most notes.
    steps.update(-((today.weekday() - number) % 7) for name, number in WEEKDAYS.items() if name in lowered)
    ordinals = (today.toordinal() + step for step in steps)
    days = [date.fromordinal(ordinal) for ordinal in ordinals if 1 <= ordinal <= date.max.toordinal()]
    weekday_names = tuple(WEEKDAYS)
    keys: set[str] = set()
    for day in days:
        keys |= {MONTH_NAMES[day.month], weekday_names[day.weekday()], f"#{day.day}", f"#{day.year}"}
        keys.update(season for season, months in SEASONS.items() if day.month in months)
    for _, spans in _in_english(text, today) or _elsewhere(text, today):
        meant = re.findall(r"\w+", written(spans).lower())
        keys |= {f"#{part}" for part in meant if part.isdigit()}
        keys |= {MONTH_NAMES[MONTHS[part]] for part in meant if part in MONTHS}
    return {stem(key) for key in keys} | _years(lowered, today)


def _years(lowered: str, today: date) -> set[str]:
    years = {f"#{today.year - 1}"} if "last year" in lowered or "year ago" in lowered else set()
    if "years ago" in lowered:
        years |= {f"#{today.year - back}" for back in range(1, 30)}
    return years | ({f"#{today.year + 1}"} if "next year" in lowered else set())
