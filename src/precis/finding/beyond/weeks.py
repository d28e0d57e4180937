"""A week as a request names it: "the week of 23 March", "calendar week 13", "the last week of March"; seven days."""

import re
from dataclasses import replace
from datetime import date, timedelta
from functools import cache

from precis.finding.beyond.tables import listed
from precis.finding.periods import Period
from precis.language.dates import MONTHS

_ENGLISH = "january february march april may june july august september october november december".split()
_UNSPACED = {
    "zh": (r"(?:周|星期|礼拜)", r"月(?:份)?", r"(?:日|号)?", r"(?:的|那|这|当|起|开始)*(?:一)?个?"),
    "ja": ("(?:週間?)", "月", "日", "(?:の|から|に|始まる|その)*"),
    "ko": (r"주간?", r"월\s*", r"일\s*", r"(?:의|부터|에|시작하는|\s)*"),
}
#: What stands behind a week in these scripts and belongs to it.
_BEHIND = {"zh": "(?:里|内|中)?(?:的)?", "ja": "(?:間)?(?:に|の)?", "ko": r"(?:에|의|동안)?"}
_NUMBERS = {"一": 1, "二": 2, "三": 3, "四": 4, "첫째": 1, "첫": 1, "둘째": 2, "셋째": 3, "넷째": 4}
_WEEK = timedelta(days=6)


def with_week(text: str, language: str, today: date) -> tuple[Period | None, str]:
    """The week that a request names, and the request without it; None and the request where it names none."""
    if language in _UNSPACED:
        return _unspaced(text, language, today)
    plain = _in_english(text, language)
    for pattern, read in zip(_patterns(language), (_dated, _dated, _numbered, _numbered, _of_month), strict=True):
        match = pattern.search(plain)
        period = read(match, language, today) if match else None
        if match and period is not None:
            return period, " ".join(f"{plain[: match.start()]} {plain[match.end() :]}".split())
    return None, text


def _in_english(text: str, language: str) -> str:
    """A text with the names of months as English has them."""
    for pattern, name in zip(listed("months", language) or _ENGLISH, _ENGLISH, strict=True):
        text = re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", name, text, flags=re.IGNORECASE)
    return text


def _small(section: str, language: str) -> str:
    words = listed(section, language)
    return "|".join(words) if words else "(?!)"


@cache
def _patterns(language: str) -> tuple[re.Pattern[str], ...]:
    """A week and its first day, a day and "week"; a week and its number, and the reverse; which week of a month."""
    month, ending = "|".join(_ENGLISH), r"(?:st|nd|rd|th|er|\.|º|ª|-?го|-?е|['\u2019]\w+)?"
    year = r"(?:,?\s+(?:del?\s+|of\s+|do\s+|г\.?\s*)?(?P<year>(?:19|20)\d\d)(?!\d))?"
    day = (
        rf"(?:(?P<day>\d{{1,2}}){ending}\s+(?:of\s+|del?\s+|di\s+|do\s+)?(?P<month>{month})"
        rf"|(?P<month2>{month})\s+(?P<day2>\d{{1,2}}){ending})"
    )
    to = rf"\s*(?:-|\u2013|(?:\s(?:{_small('to_day', language)}))+\s)\s*"
    first = rf"(?:(?P<from>\d{{1,2}}){ending}(?:\s+(?:del?\s+|of\s+)?(?P<from_month>{month}))?{to})?"
    before = rf"(?<!\w)(?:(?:{_small('before_week', language)})\s+)*"
    week, into = _small("weeks", language), rf"(?:\s+(?:{_small('into_week', language)}))*\s+"
    dated = rf"{first}{day}(?!\w){year}"
    behind = r"(?:\s+(?:का|की|के|में|से|का|तक))*(?!\w)"
    number = (
        r"(?P<number>\d{1,2})(?!\d)(?!\s*(?:of|von|de|di|do|van|av)\s(?!(?:19|20)\d\d))"
        r"(?:\s*/\s*(?P<short>(?:19|20)\d\d))?"
    )
    numbered = rf"{before}(?:{_small('calendar_weeks', language)}|{week})\s*{number}(?:\s+of)?{year}"
    turned = (
        rf"{before}(?P<number>\d{{1,2}})(?:\.|-?[йяюе]\w?|th|st|nd|rd|[aeª])?\s+"
        rf"(?:{_small('calendar_weeks', language)}|{week}){behind}{year}"
    )
    which = "|".join(rf"(?P<n{at}>{it})" for at, it in enumerate(listed("ordinals", language), start=1))
    article = r"(?:(?:of|in|im|des|de|del|du|di|do|van|i|w|в|من|في|के)\s+|d')?"
    of_month = rf"(?:{which})\s+(?:{week})\s+{article}(?:the\s+)?(?P<month>{month})(?!\w){year}"
    turned_month = rf"(?P<month2>{month})\w*(?:\s+(?:के|की))?\s+(?:{which.replace('(?P<n', '(?P<m')})\s+(?:{week})"
    return tuple(
        re.compile(each, re.IGNORECASE)
        for each in (
            rf"{before}(?:{week}){into}{dated}",
            rf"{before}{dated}(?:\s+(?:{_small('into_week', language)}))*\s+(?:{week}){behind}",
            numbered,
            turned if language in {"tr", "ru", "de", "pl"} else numbered,
            rf"{before}(?:{of_month}|{turned_month}){behind}",
        )
    )


def _dated(match: re.Match[str], language: str, today: date) -> Period | None:  # noqa: ARG001 - as the others are called
    month = MONTHS[(match["month"] or match["month2"]).lower()]
    last = _day(match["year"], month, int(match["day"] or match["day2"]), today)
    if last is None:
        return None
    if match["from"]:
        before = MONTHS[match["from_month"].lower()] if match["from_month"] else month
        first = _day(str(last.year), before, int(match["from"]), today)
        return Period(first=first, last=last, phrase=match.group()) if first and first <= last else None
    return _week_of(last, match.group())


def _week_of(day: date, phrase: str) -> Period:
    """The week from Monday to Sunday that has a day; in doubt where another day opens it."""
    monday = day - timedelta(days=day.weekday())
    return Period(first=monday, last=monday + _WEEK, phrase=phrase, vague=day != monday)


def _numbered(match: re.Match[str], language: str, today: date) -> Period | None:
    groups = match.groupdict()
    week = _calendar_week(int(match["number"]), groups.get("year") or groups.get("short"), today, match.group())
    sure = re.search(_small("calendar_weeks", language), match.group(), re.IGNORECASE) or groups.get("year")
    # "In week 13" may be that of a course or of a pregnancy.
    return replace(week, vague=not sure) if week else None


def _calendar_week(number: int, year: str | None, today: date, phrase: str) -> Period | None:
    try:
        monday = date.fromisocalendar(int(year or today.year), number, 1)
        if not year and monday > today:
            monday = date.fromisocalendar(today.year - 1, number, 1)
    except ValueError:
        return None
    return Period(first=monday, last=monday + _WEEK, phrase=phrase)


def _of_month(match: re.Match[str], language: str, today: date) -> Period | None:  # noqa: ARG001
    groups = match.groupdict()
    which = next(int(name[1:]) for name, it in groups.items() if it and name[1:].isdigit() and name[0] in "nm")
    month = MONTHS[(match["month"] or match["month2"]).lower()]
    return _nth(which, month, groups.get("year"), today, match.group())


def _nth(which: int, month: int, year: str | None, today: date, phrase: str) -> Period | None:
    """The first seven days of a month, the next, ...; and its last seven (5)."""
    opening = _day(year, month, 1, today)
    if opening is None:
        return None
    behind = (opening + timedelta(days=32)).replace(day=1)
    first = behind - timedelta(days=7) if which == 5 else opening + timedelta(days=7 * (which - 1))
    return Period(first=first, last=first + _WEEK, phrase=phrase)


def _day(year: str | None, month: int, day: int, today: date) -> date | None:
    """A day; without a year the last one that has begun."""
    try:
        return date(int(year) if year else today.year - ((month, day) > (today.month, today.day)), month, day)
    except ValueError:
        return None


def _unspaced(text: str, language: str, today: date) -> tuple[Period | None, str]:
    week, of_month, of_day, into = _UNSPACED[language]
    year, behind = r"(?:(?P<year>(?:19|20)\d\d)[年년]\s*)?", _BEHIND[language]
    to = "(?:到|至|から|부터|~|\uff5e|-|\u2013)\\s*"
    month = rf"{year}(?P<month>\d{{1,2}}){of_month}"
    last = rf"{to}(?:(?P<last_month>\d{{1,2}}){of_month})?(?P<last>\d{{1,2}}){of_day}(?:まで|까지)?"
    dated = rf"(?:从)?{month}(?P<day>\d{{1,2}}){of_day}(?:{last})?{into}{week}{behind}"
    number = rf"{year}(?:第|제)?(?P<number>\d{{1,2}})(?:{week}차?|個?週目){behind}"
    which = "|".join(sorted(_NUMBERS, key=len, reverse=True))
    ordinal = rf"(?:(?P<last>最后|最終|最後の|마지막)|第?(?P<which>{which}|[1-4]))"
    nth = rf"{month}(?:の|的)?\s*{ordinal}\s*(?:一|1)?个?\s*{week}目?{behind}"
    match = re.search(dated, text)
    if match:
        first = _day(match["year"], int(match["month"]), int(match["day"]), today)
        period = (
            _to_last(match, first) if first and match["last"] else _week_of(first, match.group()) if first else None
        )
    elif match := re.search(nth, text):
        at = 5 if match["last"] else _NUMBERS.get(match["which"]) or int(match["which"])
        period = _nth(at, int(match["month"]), match["year"], today, match.group())
    elif match := re.search(number, text):
        period = _calendar_week(int(match["number"]), match["year"], today, match.group())
    else:
        return None, text
    return (period, f"{text[: match.start()]} {text[match.end() :]}".strip()) if period else (None, text)


def _to_last(match: re.Match[str], first: date) -> Period | None:
    """From a first day to the last one that is named."""
    last = _day(str(first.year), int(match["last_month"] or match["month"]), int(match["last"]), first)
    return Period(first=first, last=last, phrase=match.group()) if last and last >= first else None
