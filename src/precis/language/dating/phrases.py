"""An English phrase for a time where it stands, and what stands beside it and may say which day it means."""

import re
from collections.abc import Callable, Sequence
from datetime import date

from precis.language import tables
from precis.language.dates import FEAST_WORDS, MONTHS, SEASONS, WEEKDAYS
from precis.language.dating import doubts, patterns, reports
from precis.language.dating.patterns import BY_LETTERS, COUNTS, MONTH, SHORT_DAY, WEEKDAY
from precis.language.dating.tense import (
    CLAUSE_END,
    SENTENCE_END,
    WORD,
    Tense,
    is_participle,
    is_past,
    stretch,
    telling_verb,
    tense_of,
)
from precis.language.grammar import FORMS

_LASTING, _STATES = (frozenset(tables.words(f"tenses.{name}")) for name in ("lasting", "states"))
#: What makes a weekday behind it another one than the nearest: "every Friday", "the Friday", "Good Friday".
_NOT_BARE = re.compile(rf"(?:\b(?:{tables.choices('calendar.not_bare')})|[^.!?\s\W]*[A-Z]\w{{2,}}) $")
#: Before a number: another one that goes on in it, or is to be told apart: "2-3 weeks ago", "two to three", "1.5".
_COUNTED = re.compile(
    rf"(?:\d|\b(?:{'|'.join(COUNTS)}|hundred|thousand|dozen|point|not|every|once))(?:[\s.,/\u2013-]|\b(?:to|or|and)\b)*$",
    re.IGNORECASE,
)
#: "Three times a week now", "58 pounds a day now": how often or how much, and not since when.
_RATE = re.compile(r"(?:\b(?:times|twice|each)|\d|[^\W\d_]{3,}(?<![\u2019'siu])s) $", re.IGNORECASE)
#: "A week on Tuesday" is another one; so is "second to last week".
_COUNTED_FROM = re.compile(r"\b(?:weeks?|fortnight|week on|(?:second|third|next) to) $", re.IGNORECASE)
#: Marks of quotation, of which the one behind and the one before are not told apart.
_QUOTES = "\"'\u2018\u2019\u201c\u201d\u00ab\u00bb*_"
#: Also where what stands before it is written on to it: "sinceMay", "midAugust".
_NAMED_MONTH = re.compile(rf"({'|'.join(sorted(MONTHS, key=len, reverse=True))})(?![a-z])")
#: Words of a phrase that have a capital wherever they stand.
_CAPITALS = frozenset([*WEEKDAYS, *MONTHS, *SEASONS, *(name[:3] for name in WEEKDAYS), *FEAST_WORDS])

#: To whom something is given.
_WHOM = frozenset("me us him her them you".split())
#: Words of a time that was.
_WAS = frozenset("yesterday ago last past since today".split())

_MONTH = re.compile(rf"\b{MONTH}")
#: Before a month that is named without a day.
_ALONE = re.compile(r"\b(?:in|this|next|for|until|by|coming) $", re.IGNORECASE)
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

#: Asks of a text in which a phrase stands from one place to another.
Test = Callable[[str, int, int], bool]


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
    def month_ahead(self) -> int | None:
        """The one month named before it, in its sentence or the one before, alone and as a time to come; else None.

        "Would you come in August? We marry on the 9th."
        """
        text, start = self._match.string, self._match.start()
        named = list(_MONTH.finditer(text, 0, start))
        between = text[named[0].end() : start] if len(named) == 1 else ""
        alone = between and _ALONE.search(text, 0, named[0].start()) and len(SENTENCE_END.findall(between)) <= 1
        if not alone or any(map(str.isdigit, between)) or tense_of(text, *named[0].span()) is Tense.PAST:
            return None
        return MONTHS[_NAMED_MONTH.findall(named[0].group().lower())[0]]

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


def lasted(text: str, start: int, _end: int) -> bool:
    """Whether the clause up to here tells of what went on: "stayed", "was ill"; and not "was extended"."""
    first, _ = stretch(text, start, start, CLAUSE_END)
    words = [word.lower() for word in WORD.findall(text, first, start)]
    return any(
        word in _LASTING or (word in _STATES and not is_participle(words, place)) for place, word in enumerate(words)
    )


class Phrase:
    """One phrase where it stands."""

    def __init__(self, match: re.Match[str], today: date) -> None:
        self._match = match
        self.beside = Beside(match)
        self.today = today
        self.text = match.group().lower().replace("\u2019", "'")
        self.words = self.text.replace(",", " ").split()

    @property
    def tense(self) -> Tense:
        """Whether what is told has happened, as far as the words around tell.

        "We replaced 6 May" tells when nothing was: what happened on a day has "on" before a number.
        """
        before = self._match.string[max(0, self._match.start() - 20) : self._match.start()].split()
        if self.text.startswith("on ") and reports.is_when_told(self._match.string, self._match.start()):
            ends = reports.ends_telling(self._match.string, self._match.end())
            return Tense.PAST if ends else Tense.UNKNOWN
        form = FORMS.get(before[-1].lower()) if before else None
        is_object = (form is not None and "past" in form.kinds and form.lemma != "be") or self._is_given(before)
        if self.text[0].isdigit() and (is_object or before[-1:] in (["with"], ["for"], ["of"])):
            return Tense.UNKNOWN
        return tense_of(self._match.string, self._match.start(), self._match.end())

    @staticmethod
    def _is_given(before: Sequence[str]) -> bool:
        """Whether a date stands behind whom it was offered to, or behind who picked it."""
        last = before[-1].lower() if before else ""
        return last in _WHOM or (last.endswith("ed") and is_past(last))

    def stands(self, *tests: Test) -> bool:
        """Whether one of these tests is true of where it stands: ``phrase.stands(reports.is_moved)``."""
        where = self._match.string, self._match.start(), self._match.end()
        return any(test(*where) for test in tests)

    @property
    def means_no_day(self) -> bool:
        """Whether it is part of a saying, or what is told is made up; a day that was is none of these."""
        if self.stands(doubts.is_saying, doubts.is_by_whom, patterns.is_title, reports.is_denied):
            return True
        return _WAS.isdisjoint(self.words) and self.stands(doubts.is_supposed)

    @property
    def before(self) -> str:
        """What stands before it, as far as it may matter."""
        return self._match.string[max(0, self._match.start() - 30) : self._match.start()]

    @property
    def verb(self) -> str:
        """The verb that it hangs on, in small letters."""
        return telling_verb(self._match.string, self._match.start(), self._match.end())

    @property
    def is_part(self) -> bool:
        """Whether it is a part of something else: of a longer number, of "a week on Tuesday", or of a title."""
        before = self._match.string[max(0, self._match.start() - 30) : self._match.start()]
        if self._match.lastgroup in ("ago", "lasting") and _COUNTED.search(before):
            return True
        if self._match.lastgroup == "lasting" and self.words[0] in ("a", "an") and _RATE.search(before):
            return True
        return _COUNTED_FROM.search(before) is not None or self._is_title(before) or self._is_quoted

    @property
    def _is_quoted(self) -> bool:
        """Whether it is all that is quoted: a name of something."""
        text, start, end = self._match.string, self._match.start(), self._match.end()
        return start > 0 and text[start - 1] in _QUOTES and text[end : end + 1] != "" and text[end] in _QUOTES

    def _is_title(self, before: str) -> bool:
        """Whether capitals show it: "The Day After Tomorrow", "the Tonight Show"."""
        first, *others = map(_is_capital, self._match.group().split())
        return any(others) or (first and re.search(r"\w $", before) is not None)

    @property
    def bare(self) -> bool:
        """Whether nothing before it makes it another one than the nearest of its name."""
        before = self._match.string[max(0, self._match.start() - 20) : self._match.start()]
        return _NOT_BARE.search(before) is None

    def number(self) -> int:
        """The first number in figures, or "the first"."""
        figures = re.search(r"\d+", self.text)
        return int(figures.group()) if figures else int(self.words[:2] == ["the", "first"])

    def month(self) -> int:
        """Of the month it names, from 1."""
        return MONTHS[_NAMED_MONTH.findall(self.text)[0]]

    def weekday(self) -> int | None:
        """Of the weekday it names, from 0, a Monday."""
        return next((BY_LETTERS[word[:3]] for word in self.words if is_weekday(word)), None)


def _is_capital(word: str) -> bool:
    plain = re.split(r"['\u2019]s?$|[.,]$", word)[0]
    return plain.istitle() and len(plain) > 1 and _CAPITALS.isdisjoint({plain.lower(), plain.lower().rstrip("s")})


def is_weekday(word: str) -> bool:
    """Whether it names a weekday, in full or in short."""
    return word.rstrip("s") in WEEKDAYS or re.fullmatch(SHORT_DAY, word.capitalize()) is not None


def weekday_of(word: str) -> int:
    """The number of the weekday that a word names."""
    return BY_LETTERS[word[:3]]
