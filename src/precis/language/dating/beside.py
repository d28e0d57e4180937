"""What stands beside a phrase for a time and may say which day it means."""

import re

from precis.language.dating.patterns import BY_LETTERS, MONTH, WEEKDAY
from precis.language.dating.tense import lasted

_MONTH = re.compile(rf"\b{MONTH}")
#: Behind its beginning, the end of a time: it may lie in another year than the nearest.
_RANGE = re.compile(
    rf"\b(?:from|between) (?:the )?(?:\d{{1,2}}\w* (?:of )?)?{MONTH}(?: \d{{1,2}}\w*)?"
    r" (?:to|until|till|through|and) (?:the )?$",
    re.IGNORECASE,
)
#: A date of its own beside a weekday: "Friday, 12 June", "June 12 (Friday)", "Fri 2024-06-14".
_DATE_BEHIND = re.compile(
    rf"[\s,(]*(?:the )?(?:\d{{1,4}}(?:(?:st|nd|rd|th)?(?: of)? {MONTH}|[-/]\d|\.\d{{1,2}}\b)|{MONTH} (?:the )?\d)",
    re.IGNORECASE,
)
_DATE_BEFORE = re.compile(
    rf"(?:{MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?|\d(?:st|nd|rd|th)?(?: of)? {MONTH}|\d[-/.]\d{{1,4}})"
    r"(?:,? (?:19|20)\d\d| ?\((?:19|20)\d\d\))?[\s,(]*(?:on )?$",
    re.IGNORECASE,
)
#: Days that come back every week: "Mon-Fri, closed Sat".
_DAYS_OF_WEEKS = re.compile(rf"\b{WEEKDAY} ?[-\u2013] ?{WEEKDAY}", re.IGNORECASE)
#: "Today is Sunday": the day of which it is said, whatever calendar its writer had.
_IS_TODAY = re.compile(r"\b(?:today(?:['\u2019]s| is)|(?:it['\u2019]s|it is)(?: today)?)(?: an?)? $", re.IGNORECASE)
_ON = re.compile("on ", re.IGNORECASE)
_WEEKDAY_BEFORE = re.compile(rf"\b({WEEKDAY})[\s,(]*(?:the )?$", re.IGNORECASE)
_WEEKDAY_BEHIND = re.compile(rf"[\s,(]*({WEEKDAY})", re.IGNORECASE)
#: Words before a day that something was done for, and those before one at which that ends.
_ENDS = frozenset(["until", "till", "til", "through", "thru"])
_LEADS = rf"\b({'|'.join(sorted(_ENDS))}|to|for|from|by)"
_LEAD = re.compile(rf"{_LEADS}\b", re.IGNORECASE)
_LEAD_BEFORE = re.compile(rf"{_LEADS} (?:{WEEKDAY},? )?(?:the )?$", re.IGNORECASE)


class Beside:
    """What stands beside a phrase and may say which day it means."""

    def __init__(self, match: re.Match[str]) -> None:
        self._match = match

    @property
    def has_date(self) -> bool:
        """Whether a date beside it, or "today is", tells which day is meant, or it is among days of every week."""
        text, start, end = self._match.string, self._match.start(), self._match.end()
        before = text[max(0, start - 40) : start]
        return (
            _DATE_BEHIND.match(text, end) is not None
            or _DATE_BEFORE.search(before) is not None
            or (_IS_TODAY.search(before) is not None and not _ON.match(text, start))
            or _DAYS_OF_WEEKS.search(text) is not None
        )

    @property
    def weekday(self) -> int | None:
        """The weekday, from 0, that stands with a date."""
        start = self._match.start()
        before = _WEEKDAY_BEFORE.search(self._match.string[max(0, start - 20) : start])
        named = before or _WEEKDAY_BEHIND.match(self._match.string, self._match.end())
        return BY_LETTERS[named[1].lower()[:3]] if named else None

    @property
    def has_month_before(self) -> bool:
        """Whether a month is named before it."""
        return _MONTH.search(self._match.string, 0, self._match.start()) is not None

    @property
    def ends_range(self) -> bool:
        """Whether it ends a time that began at another date: "from 22 August to 12 September"."""
        return _RANGE.search(self._match.string, 0, self._match.start()) is not None

    @property
    def leads_on(self) -> bool:
        """Whether it may be for a day to come that something was done: "a ticket for 14 June"."""
        return self._lead is not None

    @property
    def was_set(self) -> bool:
        """Whether something was done that goes on until then: lent, but not lasted."""
        return self._lead in _ENDS and not lasted(self._match.string, self._match.start(), self._match.end())

    @property
    def _lead(self) -> str | None:
        text, start = self._match.string, self._match.start()
        lead = _LEAD.match(text, start) or _LEAD_BEFORE.search(text[max(0, start - 40) : start])
        return lead[1].lower() if lead else None
