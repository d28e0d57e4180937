"""Times of day and dates as a sentence has them, in a form that can be compared."""

import re

from precis.language.dates import A_MONTH, A_MONTH_OR_SHORT, A_WEEKDAY, MONTHS, WEEKDAYS

_TIME = re.compile(
    r"\b(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?\s*(?P<half>[ap])\.?m\b\.?"
    r"|\b(?P<hour2>\d{1,2}):(?P<minute2>\d\d)\b|\b(?P<hour3>\d{1,2}) o'clock|\b(?P<word>noon|midnight)\b",
    re.IGNORECASE,
)
_IN_FIGURES = r"(?P<iso>\d{4}-\d\d-\d\d)|(?P<ordinal>\d{1,2}(?:st|nd|rd|th))"
_DATE = re.compile(
    rf"\b(?:(?P<weekday>(?:{A_WEEKDAY}))s?|(?P<month>{A_MONTH_OR_SHORT})\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?"
    rf"|(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month2>{A_MONTH_OR_SHORT})"
    rf"|{_IN_FIGURES}|(?<=in )(?P<only>{A_MONTH}))\b",
    re.IGNORECASE,
)
#: A text of ASCII has a time or a date only with one of these in it: looking for them takes a tenth of the time.
_TIMELY = re.compile(r"\d(?:[:.]\d|\s*[ap]| o)", re.IGNORECASE)
_TIMES = ("noon", "midnight")
_FIGURED = re.compile(rf"\b(?:{_IN_FIGURES})\b", re.IGNORECASE)
_DAILY = re.compile(r"\d(?:st|nd|rd|th|-\d\d-)", re.IGNORECASE)
_CALENDAR = tuple(sorted({name[:3] for name in (*WEEKDAYS, *MONTHS)}))


def moments_in(text: str) -> tuple[dict[str, set[str]], str]:
    """Values by the kind of answer they give, and the text without them."""
    collected: dict[str, set[str]] = {}
    low = text.lower()
    beyond = not text.isascii()
    if beyond or _TIMELY.search(text) or any(map(low.__contains__, _TIMES)):
        times, text = _taken_out(_TIME, text)
        for match in times:
            collected.setdefault("time", set()).update(_clock(match))
    named = beyond or any(map(low.__contains__, _CALENDAR))
    if named or _DAILY.search(text):
        dates, text = _taken_out(_DATE if named else _FIGURED, text)
        for match in dates:
            kind, value = _date(match)
            collected.setdefault(kind, set()).add(value)
    return collected, text


def _taken_out(pattern: re.Pattern[str], text: str) -> tuple[list[re.Match[str]], str]:
    """All that fits, and the text with a space in the place of each."""
    matches = list(pattern.finditer(text))
    ends = [0, *(match.end() for match in matches)]
    starts = [*(match.start() for match in matches), len(text)]
    return matches, " ".join(text[end:start] for end, start in zip(ends, starts, strict=True)) if matches else text


def _clock(match: re.Match[str]) -> frozenset[str]:
    """The time on a clock of 24 hours; both, where morning or evening is not said."""
    if match["word"]:
        return frozenset({match["word"].lower()})
    hour = int(match["hour"] or match["hour2"] or match["hour3"])
    minute = int(match["minute"] or match["minute2"] or 0)
    if match["half"]:
        hour = hour % 12 + (12 if match["half"].lower() == "p" else 0)
        return frozenset({f"{hour}:{minute:02}"})
    return frozenset({f"{hour}:{minute:02}", f"{(hour + 12) % 24}:{minute:02}"})


def _date(match: re.Match[str]) -> tuple[str, str]:
    if match["iso"] or match["ordinal"]:
        return "date", match.group().lower()
    if match["weekday"]:
        return "weekday", match["weekday"].lower()
    month, day = match["month"] or match["month2"], match["day"] or match["day2"]
    return ("date", f"{month[:3].lower()} {int(day)}") if month else ("month", match["only"].lower())
