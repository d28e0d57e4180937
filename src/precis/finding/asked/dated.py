"""The year of a month, wherever a request has it: "2025年7月", "July of the year 2025", "July last year"."""

from datetime import date
from functools import cache

from precis import patterns as re
from precis.finding.tables import sayings
from precis.language.dates import MONTH_NAMES

_MONTHS = "|".join(name.lower() for name in MONTH_NAMES.values())
_MONTH = rf"(?P<month>{_MONTHS})"
#: East Asia has the year first, in two figures or by an emperor as well; the month is English by now.
_YEAR_FIRST = re.compile(
    rf"(?<!\d)(?:\u4ee4\u548c(?P<reiwa>\d{{1,2}}|\u5143)|(?P<year>(?:19|20)?\d\d))\s*[\u5e74\ub144]"
    rf"\s*(?:[\u306e\u7684\uc758\ub3c4]\s*)*(?:in\s+)?\b{_MONTH}\b",
    re.IGNORECASE,
)
#: A whole year, where what stands behind it says that it is a time.
_YEAR_ALONE = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)\s*(?:\ub144(?:\ub3c4)?(?:\uc5d0(?!\w)|\s(?=\uc804\ubd80|\ubaa8\ub450|\ub2e4\s))"
    r"|\u5e74(?:[\u306b\u91cc\u5185]|\u7684?(?=\u6240\u6709|\u5168\u90e8|\u4e00\u5207|\u5185\u5bb9|\u4e8b)))",
)
#: What Turkish writes behind a month that stands for "in", and its word for a month.
_IN_MONTH = re.compile(
    rf"\b{_MONTH}(?:\s*['\u2019](?:[\u0131iu\u00fc]n)?d[ae](?:ki)?|\s+ay\u0131(?:nda(?:ki)?|n\u0131n)?)(?!\w)",
    re.IGNORECASE,
)
#: From one month to another, as East Asia writes it; where only the first has its year, it is that of both.
_RANGE = re.compile(
    rf"\bin\s+(?P<first>{_MONTHS})(?:\s+(?P<year>\d{{4}}))?\s*(?:\u304b\u3089|\ubd80\ud130|\u5230|\u81f3|[~\uff5e\u301c-])"
    rf"\s*in\s+(?P<last>{_MONTHS})(?:\s+(?P<until>\d{{4}}))?(?:\s*(?:\u307e\u3067|\uae4c\uc9c0)(?:\u306b|\u306e|\uc758)?)?",
    re.IGNORECASE,
)
_REIWA, _CENTURY = 2018, 2000
_COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3}
_RELATIVE = (
    r"(?:the )?(?P<which>last|previous|past|this|current) year(?:['\u2019]s)?"
    rf"|(?P<count>\d|{'|'.join(_COUNTS)}) years? ago"
)
_RELATIVE_FIRST = re.compile(
    rf"\b(?:in )?(?:{_RELATIVE}),?\s+(?:(?:in|of|from)\s+)?{_MONTH}\b(?!\s+\d{{4}})", re.IGNORECASE
)
_RELATIVE_BEHIND = re.compile(
    rf"\b(?P<month>(?:{_MONTHS})(?:\s+\d{{1,2}}(?:st|nd|rd|th)?)?),?\s+(?:(?:in|of|from)\s+)?(?:{_RELATIVE})(?!\w)",
    re.IGNORECASE,
)


def with_years(text: str) -> str:
    """A request whose months are English by now, with the year right behind the month that it is of."""
    text = _YEAR_FIRST.sub(lambda match: f" in {match['month']} {_year(match)} ", text)
    text = _YEAR_ALONE.sub(r" in \g<year> ", text)
    text = _RANGE.sub(_from_to, text)
    text = _IN_MONTH.sub(r"in \g<month>", text)
    behind, before = _worded()
    text = behind.sub(r"\g<month> \g<year>", text)
    return before.sub(r"in \g<month> \g<year>", text)


def with_relative_year(text: str, today: date) -> str:
    """An English request with the year in figures of a month of "last year", "this year" or "two years ago"."""

    def dated(match: re.Match[str]) -> str:
        which, count = match["which"], match["count"]
        back = int(_COUNTS.get(count.lower(), count)) if count else int(which.lower() not in {"this", "current"})
        return f"{match['month']} {today.year - back}"

    text = _RELATIVE_FIRST.sub(lambda match: f"in {dated(match)}", text)
    return _RELATIVE_BEHIND.sub(dated, text)


def _from_to(match: re.Match[str]) -> str:
    year = f" {match['year']}" if match["year"] else ""
    until = f" {match['until']}" if match["until"] else year
    return f" from {match['first']}{year} to {match['last']}{until} "


def _year(match: re.Match[str]) -> int:
    if match["reiwa"]:
        return _REIWA + (1 if match["reiwa"] == "\u5143" else int(match["reiwa"]))
    return int(match["year"]) + (_CENTURY if len(match["year"]) == 2 else 0)


@cache
def _worded() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A year behind its month and before it, with words between that only say that it is one."""
    words, joints = "|".join(sayings("year_words")), "|".join(sayings("year_joints"))
    between = rf"(?:\s*(?<!\w)(?:{joints}|{words})(?:(?<=['\u2019])|(?!\w)))"
    year = r"(?P<year>(?:19|20)\d\d)(?!\w)"
    named = rf"(?:\s+(?:{words})(?!\w)\.?)?"
    behind = rf"\b{_MONTH}{between}{{0,4}}\s*(?<!\w){year}{named}"
    before = (
        rf"(?<![\w-])(?<!january )(?<!february )(?<!march )(?<!april )(?<!may )(?<!june )(?<!july )(?<!august )"
        rf"(?<!september )(?<!october )(?<!november )(?<!december )"
        rf"(?:(?:{words})\s+)?{year}{between}{{0,3}}\s+(?:in\s+)?{_MONTH}\b(?!\s+\d)"
    )
    return re.compile(behind, re.IGNORECASE), re.compile(before, re.IGNORECASE)
