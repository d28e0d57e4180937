"""A text with the days that its phrases mean, on the day on which it was written. Pure."""

import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from difflib import SequenceMatcher
from pathlib import Path

import structlog

from precis import patterns as re
from precis.language import dates, tables, words
from precis.language.dating.elsewhere import meant_elsewhere
from precis.language.dating.english import meant_in
from precis.language.dating.spans import Span, Unit, in_figures, written
from precis.metrics import DATES_UNREAD

#: (where the phrase ends, the days it means)
_Meaning = tuple[int, Sequence[Span]]
#: Reads a text of a day.
_Read = Callable[[str, date], Sequence[_Meaning]]
_TOKEN = re.compile(rf"{words.WORDED}(?:['\u2019]{words.WORDED})*")
#: Characters of a text that is read whole, and of a longer one to either side of the part.
_READ_WHOLE, _BESIDE = 2000, 500
#: A part that has less of its words in the whole is none of it.
_SHARED = 0.5
_log = structlog.get_logger(__name__)


def _kept_where_short(read: _Read) -> _Read:
    """A write, its summary, the checks of it and each answer that shows a text read the same phrases."""

    @words.kept
    def once(dated_text: tuple[str, date]) -> Sequence[_Meaning]:
        return read(*dated_text)

    return lambda text, day: once((text, day)) if len(text) <= _READ_WHOLE else read(text, day)


def or_nothing(read: _Read) -> _Read:
    """The same reading, which reads nothing where it fails: what is written and served does not fail with it.

    The log and a counter tell that it did, and no text.
    """

    def reads(text: str, day: date) -> Sequence[_Meaning]:
        try:
            return read(text, day)
        except Exception as error:  # noqa: BLE001 - whatever it is, the text itself is there to be served
            where = traceback.extract_tb(error.__traceback__)[-1]
            _log.warning(
                "dates_unread", error=type(error).__name__, where=f"{Path(where.filename).name}:{where.lineno}"
            )
            DATES_UNREAD.labels(type(error).__name__).inc()
            return ()

    return reads


_in_english = _kept_where_short(or_nothing(meant_in))
_elsewhere = _kept_where_short(or_nothing(meant_elsewhere))


def _meant(text: str, day: date, whole: str) -> tuple[Sequence[_Meaning], Sequence[_Meaning]]:
    """What the phrases mean as English ones, and those of other languages where the whole has no English ones."""
    english = _meant_within(_in_english, text, day, whole)
    if english or (whole and len(whole) <= _READ_WHOLE and _in_english(whole, day)):
        return english, ()
    return (), _meant_within(_elsewhere, text, day, whole)


def _meant_within(read: _Read, text: str, day: date, whole: str) -> Sequence[_Meaning]:
    """The meanings of the phrases of a text, which is a part of the whole or what is left of one."""
    if not whole or text == whole or (len(whole) > _READ_WHOLE and not read(text, day)):
        return read(text, day)
    at = whole.find(text)
    if len(whole) > _READ_WHOLE:
        if at < 0:
            return read(text, day)
        start = max(0, at - _BESIDE)
        whole, at = whole[start : at + len(text) + _BESIDE], at - start
    meanings = read(whole, day)
    if at < 0:
        return _aligned(text, whole, meanings) if _is_part(text, whole) else read(text, day)
    own = {end for end, _ in read(text, day)}
    within = [(end - at, spans) for end, spans in meanings if at < end <= at + len(text)]
    # "Between the 3rd / and the 7th" began before the part.
    return [
        (end, spans)
        for end, spans in within
        if end in own or spans[0].first == spans[0].last or spans[0].unit is not Unit.DAYS
    ]


def _tokens(text: str) -> list[tuple[str, int]]:
    return [(match.group().casefold(), match.end()) for match in _TOKEN.finditer(text)]


def _is_part(text: str, whole: str) -> bool:
    own, others = [word for word, _ in _tokens(text)], {word for word, _ in _tokens(whole)}
    return sum(word in others for word in own) >= _SHARED * len(own)


def _aligned(text: str, whole: str, meanings: Sequence[_Meaning]) -> list[_Meaning]:
    """The meanings of the words that both have, in the same order, where these end in the text."""
    own, others = _tokens(text), _tokens(whole)
    matcher = SequenceMatcher(None, [word for word, _ in others], [word for word, _ in own], autojunk=False)
    places = {
        others[block.a + step][1]: own[block.b + step][1]
        for block in matcher.get_matching_blocks()
        for step in range(block.size)
    }
    return [(places[end], spans) for end, spans in meanings if end in places]


def dated(text: str, day: date | None, *, whole: str = "") -> str:
    """The text of a statement with the calendar date behind each relative one: ``yesterday (7 May 2023)``.

    Each date once. In other languages than English it stands in figures, behind what means a day, a week or a weekend:
    ``hier (2023-05-07)``. A text of no known day is left as it is. A part of a ``whole`` text means what it means in
    that.
    """
    if day is None:
        return text
    return (_dated_once if len(text) + len(whole) <= _READ_WHOLE else _dated)(text, day, whole)


def _dated(text: str, day: date, whole: str) -> str:
    english, others = _meant(text, day, whole)
    if english:
        return _with(text, english, written, " ({})")
    days = [(end, spans) for end, spans in others if not _IN_FIGURES.match(text, end) and _is_known(spans)]
    return _with(text, days, in_figures, " ({})")


_dated_once = words.kept(_dated)


def _is_known(spans: Sequence[Span]) -> bool:
    """Whether it is one day, a week or a weekend, and not only about then."""
    return len(spans) == 1 and spans[0].unit is Unit.DAYS and (spans[0].first == spans[0].last or not spans[0].lead)


def resolved(text: str, day: date | None, *, beside: date | None = None, whole: str = "") -> str:
    """The text as it is served beside what was written: ``last weekend [11\u201312 March 2023]``.

    What stands in square brackets is added. The day ``beside`` stands above the text already, and is not added. A part
    of a ``whole`` text means what it means in that.
    """
    if day is None:
        return text
    above = (Span(first=beside, last=beside),) if beside else ()
    english, others = _meant(text, day, whole)
    if english:
        return _with(text, [meaning for meaning in english if tuple(meaning[1]) != above], written, " [{}]")
    others = [m for m in others if tuple(m[1]) != above and not _IN_FIGURES.match(text, m[0])]
    return _with(text, others, in_figures, " [{}]")


def _with(text: str, meanings: Iterable[_Meaning], write: Callable[[Sequence[Span]], str], form: str) -> str:
    parts, start = [], 0
    seen: set[str] = set()
    for phrase_end, spans in _uncontradicted(text, meanings):
        meaning, end = write(spans), _rest(text, phrase_end)
        if meaning not in seen and not _JOINED.match(text, end):
            seen.add(meaning)
            # A month may be written with a period, which here ends the sentence.
            place = end - 1 if _SENTENCE_END.match(text, end - 1) else end
            parts += [text[start:place], form.format(meaning).lstrip(" " if unspaced_at(text, place) else "")]
            start = place
    return "".join([*parts, text[start:]])


def _uncontradicted(text: str, meanings: Iterable[_Meaning]) -> Iterator[_Meaning]:
    """The meanings without days that the sentence itself says otherwise: "next Friday, the 20th", "from Monday ..."."""
    begins: tuple[int, date] | None = None
    for end, spans in meanings:
        number = _OF_MONTH.match(text, end)
        standing = [span for span in spans if not (number and _is_day(span)) or span.first.day == int(number["day"])]
        if begins and _SENTENCE.search(text, begins[0], end):
            begins = None
        # What begins on Monday is on no Saturday before it.
        if not standing or (begins and any(_is_day(span) and span.first < begins[1] for span in standing)):
            continue
        if _is_day(standing[0]) and _BEGINS.search(text, 0, end):
            begins = end, standing[0].first
        yield end, standing


def _is_day(span: Span) -> bool:
    return span.unit is Unit.DAYS and span.first == span.last


def unspaced_at(text: str, end: int | None = None) -> bool:
    """Whether the sign before a place, or the last, is of Chinese or Japanese, which set nothing apart by a blank."""
    return _UNSPACED.fullmatch(text[:end][-1:]) is not None


#: The day of a month behind a day that is named, with what leads to it; and a day on which something begins.
_OF_MONTH = re.compile(
    rf",?\s+(?:{tables.choices('pointing.of_month')})\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th|[.\u00ba])?(?![\w:%])",
    re.IGNORECASE,
)
_BEGINS = re.compile(rf"\b(?:{tables.choices('pointing.begins')})\s+{words.WORDED}$", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?;](?=\s)")
_UNSPACED = re.compile("[\u3005\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


def _rest(text: str, end: int) -> int:
    """Where the word ends that a phrase is the beginning of."""
    rest = _REST.match(text, end) if text[end - 1 : end].isalpha() else None
    return rest.end() if rest else end


#: Of a word with a hyphen, as "heute-Journal" and "last week-end", it may mean anything.
_JOINED = re.compile(r"[-\u2010\u2011]\w")
#: What is written on to a word: "tomorrow'll", "cette semaine-ci". A particle of Korean stands behind what is added.
_WRITTEN_ON = "|".join(tables.words("pointing.written_on"))
_REST = re.compile(rf"['\u2019]\w+|[-\u2010\u2011](?:{_WRITTEN_ON})(?!\w)")
_IN_FIGURES = re.compile(r" ?\(~?\d{4}-\d\d-\d\d(?:\u2013\d{4}-\d\d-\d\d)?\)")
_SENTENCE_END = re.compile(r"\.(?=\s*$|\s+[^\Wa-z_])")
_MEANT = {phrase: tuple(map(int, days.split())) for phrase, days in tables.section("calendar.meant").items()}


def date_keys(text: str, today: date | None) -> frozenset[str]:
    """The days that a text's own date and its relative words name: stems of calendar words, ``#day`` and ``#year``.

    A text of no known day names none.
    """
    if today is None:
        return frozenset()
    return _date_keys(text, today)


@words.kept_where_short
def _date_keys(text: str, today: date) -> frozenset[str]:
    lowered = text.lower()
    steps = {0}
    for phrase, (first, last) in _MEANT.items():
        if phrase in lowered:
            steps.update(range(first, last + 1))
    # The last day of that name: what "on Friday" means in most notes.
    steps.update(-((today.weekday() - number) % 7) for name, number in dates.WEEKDAYS.items() if name in lowered)
    ordinals = (today.toordinal() + step for step in steps)
    days = [date.fromordinal(ordinal) for ordinal in ordinals if 1 <= ordinal <= date.max.toordinal()]
    weekday_names = tuple(dates.WEEKDAYS)
    keys: set[str] = set()
    for day in days:
        keys |= {dates.MONTH_NAMES[day.month], weekday_names[day.weekday()], f"#{day.day}", f"#{day.year}"}
        keys.update(season for season, months in dates.SEASONS.items() if day.month in months)
    for _, spans in _in_english(text, today) or _elsewhere(text, today):
        meant = re.findall(r"\w+", written(spans).lower())
        keys |= {f"#{part}" for part in meant if part.isdigit()}
        keys |= {dates.MONTH_NAMES[dates.MONTHS[part]] for part in meant if part in dates.MONTHS}
    return frozenset(map(words.stem, keys)) | _years(lowered, today)


def _years(lowered: str, today: date) -> set[str]:
    years = {f"#{today.year - 1}"} if "last year" in lowered or "year ago" in lowered else set()
    if "years ago" in lowered:
        years |= {f"#{today.year - back}" for back in range(1, 30)}
    return years | ({f"#{today.year + 1}"} if "next year" in lowered else set())
