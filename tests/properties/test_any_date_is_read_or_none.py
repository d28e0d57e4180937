"""However a date is written, in whatever language: it is read as days that a calendar has, or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from precis.finding.about.times import in_english, match_period
from precis.finding.periods import read_period
from precis.finding.tables import languages
from precis.finding.values import Row
from precis.language import tables
from precis.language.dates import MONTHS, MONTHS_ELSEWHERE, WEEKDAYS, days_in, moments_in, months_between, spelled_out
from precis.language.dating.abroad import ABROAD
from precis.language.dating.elsewhere import TONGUES, meant_elsewhere, without_times
from precis.language.dating.english import meant_in
from precis.language.dating.patterns import PHRASES
from precis.language.dating.resolving import date_keys, dated, resolved
from precis.language.dating.spans import Span, dated_once, of_each_day
from precis.language.newest.slots import holds, is_appointed
from precis.language.reading import is_state
from precis.language.values import typed
from precis.moving.note_dates import When, is_date_alone, led, narrowed
from precis.recall.telling import Told, Wanted


def _spelled(listed: str) -> list[str]:
    """Names as the tables list them, with and without what may be left out in patterns."""
    names = [name for word in listed.split() for name in word.split("|")]
    return [re.sub(r"\(\?.*?\)|\[.*?\]|[?\\]", "", name).replace("_", " ") for name in names]


TABLES = {name: tables.section(f"abroad.{name}") for name in ABROAD}
_ABROAD_MONTHS = [month for rows in TABLES.values() for month in _spelled(rows.get("months", ""))]
NAMES = sorted({*MONTHS, *_ABROAD_MONTHS, *(name for listed in MONTHS_ELSEWHERE.values() for name in listed)})
#: With their short forms.
MONTH_NAMES = sorted(
    {form for name in NAMES for form in (name, name.title(), name[:3], f"{name[:3]}.", f"{name[:4]}.")}
)
WEEKDAY_NAMES = sorted({*WEEKDAYS, *(day for rows in TABLES.values() for day in _spelled(rows.get("weekdays", "")))})
ENDINGS = [
    "", ".", "st", "nd", "th", "er", "\u1d49\u02b3", "e", "ème", "º", ".º", "ª", "\u00b0", "o",
    "ste", "de", "-го", "-е", ":a", ":e", "日", "号", "일", ". ",
]  # fmt: skip
FIRSTS = [
    "first", "the first of", "ersten", "Erster", "premier", "primero", "uno", "primeiro", "primo", "eerste",
    "первого", "pierwszego", "första", "prvního",
    "першого", "पहली", "いちにち",
    "一日", "一号", "ilk", "bir",
]  # fmt: skip
#: Zeros of the figures of other scripts; of the last ones no number can be made.
_ZEROS = "0\u0660\u06f0\u0966\u09e6\uff10\u0e50"
_ODD = ["\u00b2", "\u2460", "\u00bd", "\u4e00", "\u2167", "0", "00", "99", "-1", "1e3", "\u0661\u0967"]


def _in_script(number: int, zero: str) -> str:
    return "".join(chr(ord(zero) + int(figure)) for figure in str(number))


NUMBERS = st.one_of(
    st.builds(_in_script, st.integers(0, 40), st.sampled_from(_ZEROS)),
    st.integers(1, 31).map(str),
    st.sampled_from(_ODD),
)
DAYS = st.one_of(st.builds("".join, st.tuples(NUMBERS, st.sampled_from(ENDINGS))), st.sampled_from(FIRSTS))
YEARS = st.one_of(
    st.builds(_in_script, st.integers(0, 12000), st.sampled_from(_ZEROS)),
    st.integers(1900, 2100).map(str),
    st.sampled_from(["'26", "26", "de 2026", "of that year", "年", "2026年", "r.", "г."]),
)
BETWEEN = st.sampled_from([" ", " ", " ", " de ", " of ", " di ", ". ", "-", "/", ".", "", "  ", "\u00a0", ", "])
JOINS = st.sampled_from(
    " to | au | bis zum | al | по | do | tot | à | t/m |-|\u2013|から|到|부터 | and | und | et ".split("|")
)


MONTHS_WRITTEN, WEEKDAYS_WRITTEN = st.sampled_from(MONTH_NAMES), st.sampled_from(WEEKDAY_NAMES)
BEFORE_YEARS = st.sampled_from([" ", ", ", " de ", ""])


@st.composite
def dates(draw: st.DrawFn) -> str:
    """A day, with a month before it or behind, or in figures, with and without a year and a weekday."""
    day, month = draw(DAYS), draw(MONTHS_WRITTEN)
    between = draw(BETWEEN)
    figures = f"{draw(NUMBERS)}月{draw(NUMBERS)}日"
    korean = f"{draw(NUMBERS)}월 {draw(NUMBERS)}일"
    iso = f"{draw(YEARS)}-{draw(NUMBERS)}-{draw(NUMBERS)}"
    form = draw(
        st.sampled_from([f"{day}{between}{month}", f"{day}{between}{month}", f"{month} {day}", figures, korean, iso])
    )
    form = f"{form}{draw(BEFORE_YEARS)}{draw(YEARS)}" if draw(st.booleans()) else form
    return f"{draw(WEEKDAYS_WRITTEN)}{draw(BETWEEN)}{form}" if draw(st.booleans()) else form


DATES = dates()


@st.composite
def phrases(draw: st.DrawFn) -> str:
    """A date however it may be written, or two with a word between."""
    return draw(DATES) + (draw(JOINS) + draw(DATES) if draw(st.booleans()) else "")


DATE_PHRASES = phrases()


#: By words like these a text is known to be of a language.
FRAMES = [
    "{}", "We moved on {}.", "I will be away from {}.", "Remind me by {} please", "What happened on {}?",
    "Wir sind am {} umgezogen.", "Ich bin ab dem {} weg, und wir haben Zeit.", "Je commence le {}.",
    "Nous avons emménagé le {}, et je suis à Pau.", "Le loyer est de 700 euros à partir du {}.",
    "Nos mudamos el {} y estoy en Jaén.", "Mudamos no dia {} para minha casa.",
    "Ci siamo trasferiti il {} con mio figlio.",
    "Wij hebben op {} een afspraak.", "Мы переехали {}.",
    "Mamy być tam {} i już.", "Ev {} bugün değil.", "Vi flyttar den {} och jag är glad.",
    "Ми переїхали {}.", "My jsme se stěhovali {}, je to v Brně.",
    "우리는 {}에 이사했어요.", "हम {} को गए थे।",
    "انتقلنا في {}.", "{}に引っ越した。", "我们{}搬家了。",
    "Chúng tôi đã chuyển nhà ngày {}.", "- {}: call", "({})",
]  # fmt: skip
IN_FRAMES = st.builds(lambda frame, phrase: frame.replace("{}", phrase), st.sampled_from(FRAMES), DATE_PHRASES)


def _patterns_in(value: object) -> Iterable[re.Pattern[str]]:
    """All patterns that a reader of dates holds, at whatever depth."""
    if hasattr(value, "pattern") and hasattr(value, "flags"):
        # From Python 3.13 on texts cannot be generated from what never matches, where it is written as nothing.
        return (re.compile(value.pattern.replace("(?!)", "(?!x?)"), value.flags),)
    return (pattern for part in value for pattern in _patterns_in(part)) if isinstance(value, list | tuple) else ()


#: What the readers of each language look for, by kind, and words that tell the language.
LOOKED_FOR: dict[str, list[list[re.Pattern[str]]]] = {
    "English": [[re.compile(form, re.IGNORECASE)] for form in PHRASES.values()]
}
MARKS: dict[str, set[str]] = {"English": {"we", "went", "will", "the", "was"}}
for _table in (ABROAD, TONGUES):
    for _name, _reader in _table.items():
        _kinds = ("_dates", "_ranges", "_phrases", "_feasts", "_either", "_any_day")
        _forms = [list(_patterns_in(vars(_reader).get(kind, ()))) for kind in _kinds]
        LOOKED_FOR.setdefault(_name, []).extend(forms for forms in _forms if forms)
        MARKS.setdefault(_name, set()).update(_reader.marks)


def _months(name: str) -> list[str]:
    listed = [*_spelled(TABLES.get(name, {}).get("months", "")), *MONTHS_ELSEWHERE.get(name, ())]
    names = listed or (MONTHS if name == "English" else NAMES)
    return [form for month in names for form in (month, month, month.title(), f"{month[:3]}.")]


NUMBERS_OF_DAYS, DAY_ENDINGS, FIRST_DAYS = st.integers(0, 32), st.sampled_from(ENDINGS), st.sampled_from(FIRSTS)
BEFORE_MONTHS, BEHIND_MONTHS = st.sampled_from([" ", " ", " de "]), st.sampled_from(["", "", " 2026", " de 2025"])


@st.composite
def plain_dates(draw: st.DrawFn, months: st.SearchStrategy[str]) -> str:
    """A day of one of these months as people write it, with and without a year."""
    in_figures = f"{draw(NUMBERS_OF_DAYS)}{draw(DAY_ENDINGS)}"
    day = draw(st.sampled_from([in_figures, in_figures, draw(FIRST_DAYS)]))
    between, behind = draw(BEFORE_MONTHS), draw(BEHIND_MONTHS)
    return f"{day}{between}{draw(months)}{behind}"


@cache
def fitting(pattern: re.Pattern[str]) -> st.SearchStrategy[str]:
    """Texts that a pattern matches from end to end; made once, as it takes longer than to draw one."""
    return st.from_regex(pattern, fullmatch=True)


LEADS = st.sampled_from(["", "", "", "le ", "am ", "el ", "il ", "du ", "from ", "until ", "on "])
BEHIND = st.sampled_from(["", "", "", ".", "-là", "-ci", "-x", "'s", "는", ", ", "。", "!", " to "])
ONE_OR_TWO, BLANK = st.integers(1, 2), st.just(" ")


@cache
def words_and_phrases(name: str) -> tuple[st.SearchStrategy[str], ...]:
    """What one half of a text of a language is put together from, in this order."""
    mark = st.sampled_from(sorted(MARKS[name]) or ["x"])
    matched = st.sampled_from(LOOKED_FOR[name]).flatmap(st.sampled_from).flatmap(fitting)
    plain = plain_dates(st.sampled_from(_months(name)))
    phrase = st.one_of(matched.map(str.lower), matched, plain, DATE_PHRASES)
    return mark, BLANK, LEADS, phrase, BEHIND, BLANK, mark, BLANK


@st.composite
def texts(draw: st.DrawFn, name: str) -> str:
    """Phrases for times among words of a language, mostly its own."""
    return "".join(draw(part) for _ in range(draw(ONE_OR_TWO)) for part in words_and_phrases(name))


@cache
def any_text(name: str) -> st.SearchStrategy[str]:
    """A text of a language, or a date in a sentence of any."""
    own = texts(name)
    return st.one_of(own, own, own, IN_FRAMES)


LANGUAGES = sorted(LOOKED_FOR)
TODAYS = st.one_of(
    st.dates(date(1990, 1, 1), date(2090, 12, 31)),
    st.sampled_from([date.min, date.max, date(2024, 2, 29), date(9999, 1, 3)]),
)
#: Chinese and Japanese set no blank before it.
ADDED = re.compile(r"(?:(?<![\u3005\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]) )?\[[^\[\]]*\]")
#: Scripts without spaces, and Korean, whose particles stand behind what is added to a noun.
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]")


def in_order(spans: Sequence[Span]) -> bool:
    """Whether each is from a day to a later one, or to itself."""
    return bool(spans) and all(date.min <= span.first <= span.last <= date.max for span in spans)


def read_everywhere(text: str, today: date) -> None:
    """Read by all that reads dates, without what keeps a failure from those who are served."""
    for meanings in (meant_in(text, today), meant_elsewhere(text, today)):
        for end, spans in meanings:
            assert 0 < end <= len(text)
            assert in_order(spans)


def shown_well(text: str, today: date, beside: date | None = None) -> None:
    """Whether days are added to a text that take nothing from it, and never within a word."""
    plain = text.replace("[", "(").replace("]", ")")
    shown = resolved(plain, today, beside=beside)
    assert ADDED.sub("", shown) == plain
    for added in ADDED.finditer(shown):
        before, behind = shown[added.start() - 1], shown[added.end() : added.end() + 2]
        assert not re.match(r"[-\u2010\u2011]\w", behind), shown
        assert not (behind and (before + behind[0]).isalpha()) or _UNSPACED.search(before + behind), shown


#: Of each language: their texts take longer to make up than to read.
few = settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@pytest.mark.parametrize("name", LANGUAGES)
@few
@given(st.data(), TODAYS, TODAYS, st.integers(0, 40), st.integers(0, 80))
def test_what_a_text_means_are_days_of_the_calendar(
    name: str, data: st.DataObject, today: date, beside: date, start: int, size: int
) -> None:
    """However it is written; and the days stand behind words of it."""
    text = data.draw(any_text(name))
    read_everywhere(text, today)
    shown_well(text, today)
    shown_well(text, today, beside)
    part = text[start : start + size]
    resolved(part, today, whole=text)
    shown = dated(part, today, whole=text)
    dated_once(shown)
    of_each_day(shown)
    assert all(isinstance(key, str) for key in date_keys(text, today))


@pytest.mark.parametrize(
    "name", sorted(name for name in LANGUAGES if name == "English" or "months" in TABLES.get(name, {}))
)
def test_every_day_of_a_month_is_read_or_not(name: str) -> None:
    """All forms of numbers with all months, in their short forms as well: of none of them reading fails."""
    mark = " ".join(sorted(MARKS[name])[:2])
    numbers = [f"{number}{ending}" for number in (1, 31) for ending in ENDINGS]
    numbers += [*FIRSTS, *_ODD, *(_in_script(1, zero) for zero in _ZEROS)]
    for month in dict.fromkeys(_months(name)):
        for number in numbers:
            of = "de " if name in ("Spanish", "Portuguese") else ""
            text = f"{mark} le {number} {of}{month} {mark} {month} {number}"
            read_everywhere(text, date(2024, 2, 29))


@pytest.mark.parametrize("name", LANGUAGES)
@few
@given(st.data(), st.dates(date(1990, 1, 1), date(2090, 12, 31)))
def test_no_reading_of_times_fails(name: str, data: st.DataObject, today: date) -> None:
    """Those that compare values, ask for a day, and read notes."""
    text = data.draw(any_text(name))
    moments_in(text), typed(text), without_times(text), is_state(text), holds(text), is_appointed(text)
    days_in(text), spelled_out(text), is_date_alone(text)
    assert all(when.written() is None or when.is_known for when in (narrowed(When(), text), led(When(), text)))
    row = Told(text=text, said_at=datetime(today.year, today.month, today.day, 12, tzinfo=UTC))
    for asked in (Wanted("When did we move?"), Wanted(text)):
        asked.has_day(row), asked.told_in(text, today)
    months_between([today, date(2026, 7, 1)])


@pytest.mark.parametrize("name", LANGUAGES)
@few
@given(st.data(), st.sampled_from(sorted(languages())), st.dates(date(1990, 1, 1), date(2090, 12, 31)))
def test_a_period_to_forget_is_read_or_not(name: str, data: st.DataObject, language: str, today: date) -> None:
    """Also in a request of another language, over a memory of any other."""
    lead = data.draw(st.sampled_from(["", "", "older than ", "since ", "before ", "between 3 May and "]))
    request, text = f"{lead}{data.draw(any_text(name))}", data.draw(any_text(name))
    period, _ = read_period(in_english(request, language) if language != "en" else request, today)
    if period is not None:
        assert isinstance(period.first, date)
        assert isinstance(period.last, date)
        row = Row(id="m1", text=text, created_at=datetime(today.year, today.month, today.day, 12, tzinfo=UTC))
        for by_writing in (True, False):
            match_period(period, row, UTC, by_writing=by_writing, language=language)
