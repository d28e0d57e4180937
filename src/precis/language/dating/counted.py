"""What "two weeks ago", "in a month", "for three years" and "since a decade" mean: units counted from today."""

import re
from datetime import date

from precis.language.dates import A_WEEKDAY
from precis.language.dating import doubts
from precis.language.dating.patterns import COUNT, COUNTS, SHORT_DAYS, UNIT
from precis.language.dating.phrases import Phrase
from precis.language.dating.spans import DAY, Span, Spans, day_before, days, month_of, weekend_of, year
from precis.language.dating.tense import Tense, is_perfect, may_last

WORD_AGO = re.compile(rf"({COUNT}) ({UNIT}|night|{A_WEEKDAY}|(?:{SHORT_DAYS})\b)", re.IGNORECASE)
#: "Over a year ago" is by then.
_MORE = ("over", "more", "least")


def count_of(text: str) -> tuple[float, str]:
    """How many, and of what."""
    amount, unit = WORD_AGO.findall(text)[0]
    in_words = COUNTS.get(amount) or sum(COUNTS.get(part, 0) for part in re.split("[- ]", amount))
    value = 0.5 if amount.startswith("half") else float(amount if amount.isdigit() else in_words)
    value += 0.5 if "and a half" in text else 0.0
    if unit == "decade":
        return 10 * value, "year"
    return (2 * value, "week") if unit == "fortnight" else (value, "day" if unit == "night" else unit)


def lead_of(text: str) -> str:
    """How exact a number is: "over a year ago" is by then."""
    return "by" if any(word in text.split() for word in _MORE) else "about"


def _away(text: str, today: date, way: int, lead: str) -> Span | None:
    """The time so many units from today; what is not counted in days is not exact."""
    value, unit = count_of(text)
    # "A year ago" is about this month, "ten years ago" is a year.
    if unit == "year" and (value != int(value) or value == 1 or lead == "by"):
        value, unit = 12 * value, "month"
    if value != int(value) and unit != "week":
        return None
    step = way * int(value)
    if unit == "year":
        return year(today.year + step, lead)
    if unit == "month":
        return month_of(today, step, lead)
    if unit == "day":
        return days(today + step * DAY, lead=lead.removesuffix("about").strip())
    if unit == "week":
        return days(today + round(7 * way * value) * DAY, lead=lead)
    return None


def ago(phrase: Phrase) -> Spans:
    """Read "two weeks ago", "a week from tomorrow", "two weeks ago Tuesday"."""
    way = -1 if {"ago", "been"} & set(phrase.words) else 1
    value, unit = count_of(phrase.text)
    weekday = phrase.weekday()
    start = phrase.today + {"yesterday": -1, "tomorrow": 1}.get(phrase.words[-1], 0) * DAY
    if way < 0 and not {"ago", "been"} & {phrase.words[-1], phrase.words[1]}:
        # "A week ago today" is that very day; "two weeks ago Tuesday" may be either.
        exact = {"week": 7, "day": 1}.get(unit, 0) * value
        return () if weekday is not None or not exact or exact % 1 else (days(start - int(exact) * DAY),)
    if weekday is not None:
        return (days(day_before(phrase.today, weekday) - 7 * int(value - 1) * DAY),) if way < 0 else ()
    if unit == "weekend":
        return (weekend_of(phrase.today + 7 * way * int(value) * DAY),)
    if {"under", "less"} & set(phrase.words) or (way > 0 and lead_of(phrase.text) == "by"):
        return ()
    span = _away(phrase.text, start, way, lead_of(phrase.text))
    return (span,) if span else ()


def ahead(phrase: Phrase) -> Spans:
    """Read "in two weeks", "in a month's time": only of what is to come."""
    if not phrase.text.endswith("time"):
        is_awaited = phrase.tense is Tense.UNKNOWN and phrase.stands(doubts.is_awaited)
        lasts = phrase.stands(may_last, doubts.is_measured, doubts.is_of_terms)
        if not (phrase.tense is Tense.FUTURE or is_awaited) or lasts or phrase.stands(doubts.is_of_any):
            return ()
    is_exact = {"exactly", "precisely"} & set(phrase.words)
    span = _away(phrase.text, phrase.today, 1, "" if is_exact else "about")
    return (span,) if span else ()


def lasting(phrase: Phrase) -> Spans:
    """Read "for three years": since when, only where it goes on, as "now" or the verb tells."""
    if phrase.words[-1] != "now" and not phrase.stands(is_perfect):
        return ()
    if phrase.stands(doubts.is_wanted):
        return ()
    if lead_of(phrase.text) == "by" or {"under", "less"} & set(phrase.words):
        return ()
    span = _away(phrase.text, phrase.today, -1, "since about")
    return (span,) if span else ()


def since_long(phrase: Phrase) -> Spans:
    """Read "the past year", "these last three months": since then."""
    text = phrase.text if WORD_AGO.search(phrase.text) else f"a {phrase.words[-1]}"
    span = _away(text, phrase.today, -1, "since about")
    return (span,) if span else ()
