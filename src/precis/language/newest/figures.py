"""The days, hours and figures of a sentence, and whether they are of what is or will be. Pure."""

import re

from precis.language import tables
from precis.language.dates import MONTHS, MONTHS_ELSEWHERE, NUMBERS, WEEKDAYS
from precis.language.dating.tense import Tense, tense_of
from precis.language.script import is_foreign
from precis.language.values import typed
from precis.language.words import words

_WEEKDAY = {
    day: f"weekday {at}"
    for name in tables.entry("elsewhere")
    for at, day in enumerate(str(tables.entry(f"elsewhere.{name}").get("weekdays", "")).split())
    if day.isalpha()
}
DAYS_ELSEWHERE = frozenset(_WEEKDAY) | {
    month.casefold() for months in MONTHS_ELSEWHERE.values() for month in months
} - frozenset((*MONTHS, *WEEKDAYS))
#: Words of days, months and numbers: two sentences that share one are not about one thing for that.
TIMES = frozenset(_WEEKDAY) | frozenset(MONTHS) | frozenset(WEEKDAYS) | frozenset(NUMBERS)
_FIGURE = re.compile(rf"\w*\d[\d.,:]*|\b(?:{'|'.join((*NUMBERS, *WEEKDAYS))})\b", re.IGNORECASE)


def figures_of(sentence: str) -> dict[str, frozenset[str]]:
    """Its figures by what they count, and its days of the week in whatever language."""
    figures = {kind: values for kind, values in typed(sentence).items() if kind != "amount"}
    days = frozenset(_WEEKDAY[word] for word in words(sentence) if word in _WEEKDAY)
    return figures | ({"weekday": days} if days and "weekday" not in figures else {})


def is_present(sentence: str) -> bool:
    """Whether one of its figures is of what is or will be: only the verbs of English are known."""
    if is_foreign(sentence):
        return False
    places = [match.span() for match in _FIGURE.finditer(sentence)] or [(len(sentence), len(sentence))]
    return any(tense_of(sentence, *place) is not Tense.PAST for place in places)
