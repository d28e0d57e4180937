"""An English phrase for a time where it stands."""

import re
from collections.abc import Sequence
from datetime import date

from precis.language import tables
from precis.language.dates import A_WEEKDAY, MONTHS, SEASONS, WEEKDAYS
from precis.language.dating import doubts, habits, reports
from precis.language.dating.beside import Beside
from precis.language.dating.feasts import WORDS
from precis.language.dating.patterns import BY_LETTERS, COUNT, COUNTS, SHORT_DAY, SHORT_DAYS, UNIT
from precis.language.dating.tense import Tense, is_past, is_perfect, lasted, may_last, recurs, telling_verb, tense_of
from precis.language.grammar import FORMS

#: What makes a weekday behind it another one than the nearest: "every Friday", "the Friday", "Good Friday".
_NOT_BARE = re.compile(rf"(?:\b(?:{tables.choices('calendar.not_bare')})|[^.!?\s\W]*[A-Z]\w{{2,}}) $")
#: Before a number: another one that goes on in it, or is to be told apart: "2-3 weeks ago", "two to three", "1.5".
_COUNTED = re.compile(
    rf"(?:\d|\b(?:{'|'.join(COUNTS)}|hundred|thousand|dozen|point|not|every|once))(?:[\s.,/\u2013-]|\b(?:to|or|and)\b)*$",
    re.IGNORECASE,
)
#: "A week on Tuesday" is another one; so is "second to last week".
_COUNTED_FROM = re.compile(r"\b(?:weeks?|fortnight|week on|(?:second|third|next) to) $", re.IGNORECASE)
#: Marks of quotation, of which the one behind and the one before are not told apart.
_QUOTES = "\"'\u2018\u2019\u201c\u201d\u00ab\u00bb*_"
#: Also where what stands before it is written on to it: "sinceMay", "midAugust".
_NAMED_MONTH = re.compile(rf"({'|'.join(sorted(MONTHS, key=len, reverse=True))})(?![a-z])")
#: Words of a phrase that have a capital wherever they stand.
_CAPITALS = frozenset([*WEEKDAYS, *MONTHS, *SEASONS, *(name[:3] for name in WEEKDAYS), *WORDS])

#: To whom something is given.
_WHOM = frozenset("me us him her them you".split())
#: Words of a time that was.
_WAS = frozenset("yesterday ago last past since today".split())


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
        if self.text[0].isdigit() and (is_object or before[-1:] in (["with"], ["for"])):
            return Tense.UNKNOWN
        return tense_of(self._match.string, self._match.start(), self._match.end())

    @staticmethod
    def _is_given(before: Sequence[str]) -> bool:
        """Whether a date stands behind whom it was offered to, or behind who picked it."""
        last = before[-1].lower() if before else ""
        return last in _WHOM or (last.endswith("ed") and is_past(last))

    @property
    def recurs(self) -> bool:
        """Whether it may be any year's, or another year's than this one."""
        return recurs(self._match.string, self._match.start(), self._match.end())

    @property
    def lasts(self) -> bool:
        """Whether it may be how long something takes: "I can run it in two weeks"."""
        text, start, end = self._match.string, self._match.start(), self._match.end()
        return may_last(text, start) or doubts.is_measured(text, start, end)

    @property
    def awaited(self) -> bool:
        """Whether a sentence without a verb begins as one of a time to come."""
        return doubts.is_awaited(self._match.string, self._match.start())

    @property
    def means_no_day(self) -> bool:
        """Whether it is part of a saying, or what is told is made up; a day that was is none of these."""
        text, start, end = self._match.string, self._match.start(), self._match.end()
        if doubts.is_saying(text, start, end) or habits.is_title(text, start, end):
            return True
        if reports.is_denied(text, start, end):
            return True
        return _WAS.isdisjoint(self.words) and doubts.is_supposed(text, start, end)

    @property
    def is_reported(self) -> bool:
        """Whether it stands in what somebody told on another day."""
        return reports.is_reported(self._match.string, self._match.start(), self._match.end())

    @property
    def was_moved(self) -> bool:
        """Whether what was set for it has another day."""
        return reports.is_moved(self._match.string, self._match.start(), self._match.end())

    @property
    def was_only_set(self) -> bool:
        """Whether what was done may have been done on another day: it was picked or planned for it."""
        return reports.is_set(self._match.string, self._match.start(), self._match.end())

    @property
    def was_found(self) -> bool:
        """Whether what was got may be for it, or was got on it."""
        return reports.is_found(self._match.string, self._match.start(), self._match.end())

    @property
    def is_chosen(self) -> bool:
        """Whether it is what somebody picked: "she picked Friday"."""
        last = self.before.split()[-1:]
        return bool(last) and self.verb == last[0].lower() and self.was_only_set

    @property
    def is_over(self) -> bool:
        """Whether what is told of it cannot be still to come."""
        return reports.is_over(self._match.string, self._match.start(), self._match.end())

    @property
    def is_weekly(self) -> bool:
        """Whether it may be that weekday of each week."""
        return habits.is_weekly(self._match.string, self._match.start(), self._match.end())

    @property
    def is_no_date(self) -> bool:
        """Whether its number is that of a floor, a rank, or of each month."""
        text, start, end = self._match.string, self._match.start(), self._match.end()
        return habits.is_floor_or_rank(text, start, end) or habits.is_monthly(text, start, end)

    @property
    def of_any_year(self) -> bool:
        """Whether it may be any year's: what recurs, and what is always so."""
        return self.recurs or doubts.is_general(self._match.string, self._match.start(), self._match.end())

    @property
    def is_custom(self) -> bool:
        """Whether the verb in the present may tell of any such day: "we eat carp on Christmas Eve"."""
        return doubts.is_custom(self._match.string, self._match.start(), self._match.end())

    @property
    def is_watched(self) -> bool:
        """Whether it is the title of what is watched or read."""
        return doubts.is_watched(self._match.string, self._match.start())

    @property
    def before(self) -> str:
        """What stands before it, as far as it may matter."""
        return self._match.string[max(0, self._match.start() - 30) : self._match.start()]

    @property
    def verb(self) -> str:
        """The verb that it hangs on, in small letters."""
        return telling_verb(self._match.string, self._match.start(), self._match.end())

    @property
    def lasted(self) -> bool:
        """Whether what is told went on."""
        return lasted(self._match.string, self._match.start())

    @property
    def perfect(self) -> bool:
        """Whether what began then goes on."""
        return is_perfect(self._match.string, self._match.start())

    @property
    def is_part(self) -> bool:
        """Whether it is a part of something else: of a longer number, of "a week on Tuesday", or of a title."""
        before = self._match.string[max(0, self._match.start() - 30) : self._match.start()]
        if self._match.lastgroup in ("ago", "lasting") and _COUNTED.search(before):
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
        """The first number in figures."""
        figures = re.search(r"\d+", self.text)
        return int(figures.group()) if figures else 0

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


WORD_AGO = re.compile(rf"({COUNT}) ({UNIT}|night|{A_WEEKDAY}|(?:{SHORT_DAYS})\b)", re.IGNORECASE)
#: "Over a year ago" is by then.
MORE = ("over", "more", "least")


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
    return "by" if any(word in text.split() for word in MORE) else "about"
