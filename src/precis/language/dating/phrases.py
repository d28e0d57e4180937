"""The English phrases for a time, as patterns."""

import re
from datetime import date

from precis.language import tables
from precis.language.dates import A_WEEKDAY, MONTHS, NUMBERS, SEASONS, WEEKDAYS
from precis.language.dating.tense import Tense, is_perfect, lasted, may_last, recurs, tense_of
from precis.language.grammar import FORMS

_SHORT_DAYS = "Mon|Tues?|Weds?|Thu(?:rs?)?|Fri|Sat|Sun"
SHORT_DAY = f"(?-i:{_SHORT_DAYS})"
WEEKDAY = rf"(?:{A_WEEKDAY}|{SHORT_DAY}\b)(?!['\u2019]?s\b)"
BY_LETTERS = {name[:3]: number for name, number in WEEKDAYS.items()}
#: "may" and "march" in small letters are verbs.
MONTH = (
    rf"(?:(?-i:{'|'.join(name.capitalize() for name in MONTHS)})|"
    rf"{'|'.join(name for name in MONTHS if len(name) > 5)})\b\.?"
)
NO_YEAR = r"(?!,? ?(?:of )?(?:19|20)\d\d|,? ['\u2019]\d\d|,? of (?:that|the same) year|[-/]\d)"
SEASON = "|".join(SEASONS)
HOLIDAYS = {name: tuple(map(int, day.split())) for name, day in tables.section("calendar.holidays").items()}
HOLIDAY = "|".join(sorted((name.replace("'", "['\u2019]") for name in HOLIDAYS), key=len, reverse=True))
TENS = dict(zip(tables.words("numbers.tens"), range(30, 100, 10), strict=True))
TWENTIES = {"twenty": 20} | TENS
COUNTS = (
    {word: value for value, word in enumerate(NUMBERS) if value}
    | TENS
    | {"a": 1, "an": 1, "a couple": 2, "a couple of": 2}
)
_ONES = "|".join(NUMBERS[1:10])
COUNT = (
    rf"(?:\d{{1,3}}|half an?|a couple(?: of)?|an?|(?:{'|'.join(TWENTIES)})[- ](?:{_ONES})"
    rf"|{'|'.join(sorted(COUNTS, key=len, reverse=True))})"
)
ROUGH = r"(?:(?:just )?(?:about|around|roughly|almost|nearly|over|under|more than|less than|at least|some) )?"
UNIT = "(?:day|weekend|week|fortnight|month|year|decade)"
PART = r"(?: (?:morning|afternoon|evening|night))?"
NTH = r"\d{1,2}(?:st|nd|rd|th)"
VERB_OR_END = r"(?= (?:was|were|at|because|when|with|and|but|so|is|will|i|we|he|she|they|it)\b|[.,;!?)]|\s*$)"
#: "Friday week" is another one, and "last week but one".
END = r"(?!\w)(?!\s*[(\[][^)\]]*\d)(?! (?:week|fortnight|but one|mornings|afternoons|evenings|nights)\b)"

PHRASES = {
    "day": (
        r"the day before yesterday|the day after tomorrow|(?:earlier )?today(?!['\u2019]s)|tonight|last night"
        rf"|(?:yesterday|tomorrow){PART}|this (?:morning|afternoon|evening)"
    ),
    "of_week": (
        rf"(?:on )?{WEEKDAY}{PART},?(?: of)? (?:last|next|this) week"
        rf"|(?:last|next|this) week,? (?:on )?{WEEKDAY}"
    ),
    "twice": rf"the (?:week|weekend|month|year|{WEEKDAY}) (?:before last|after next)",
    "since_long": rf"(?:the|these) (?:last|past) (?:(?:{COUNT}) {UNIT}s?|week|month|year)(?! of\b)",
    "near": (
        r"(?:(?<!the )(?:last|past|next)|this(?: past| coming)?|coming) "
        rf"(?:(?:week|weekend|month|year|{SEASON}|{HOLIDAY})|{MONTH}{NO_YEAR}(?! \d)"
        rf"|{WEEKDAY}{PART})(?! of\b)"
    ),
    "ago": (
        rf"(?:(?<!or ){ROUGH}(?:{COUNT}) (?:{UNIT}|night|{WEEKDAY})s?(?: and a half)?"
        rf" (?:ago|from (?:now|today|tomorrow))|(?<!or )an? {UNIT} and a half ago"
        rf"|(?:it['\u2019]s|it has|has it) been {ROUGH}(?:{COUNT}) {UNIT}s?(?= since\b))"
        rf"(?:,? (?:today|yesterday|tomorrow|(?:(?:on|last|this|next) )?{WEEKDAY}))?"
    ),
    "ahead": rf"in {ROUGH}(?:{COUNT}) {UNIT}s?(?:['\u2019]s?)?(?: time)?(?! ago)",
    "lasting": rf"(?:for )?{ROUGH}(?:{COUNT}) {UNIT}s?(?: and a half)? now|for {ROUGH}(?:{COUNT}) {UNIT}s?",
    "month_day": (
        rf"(?:{MONTH} (?:the )?(?:{NTH}|\d{{1,2}})(?![:.]?\d)"
        rf"|(?:the )?(?:{NTH}|\d{{1,2}})(?: of)? {MONTH}){NO_YEAR}"
    ),
    "month": (
        rf"(?:in|since|during|until|till|by|around|early|late|mid[- ]?|(?:end|start|beginning|middle) of)"
        rf" ?(?:early |late |mid[- ]?)?{MONTH}{NO_YEAR}(?! \d)"
    ),
    "weekday_nth": rf"(?:on )?{WEEKDAY},? the {NTH}(?! of\b)",
    "nth": (
        rf"(?:on|by|until|till|since|before|after|around|from|for) the {NTH}"
        r"(?= (?:at|in|with|for|and|to|is|was|we|i|he|she|they|because|so|but|when|if|then|or|it|as|the|my)\b"
        r"|[.,;!?)]|\s*$)"
    ),
    "weekday": (
        rf"(?:on|since|until|till|by|before|after|from) {WEEKDAY}{PART}(?!(?: to| through| until| till) {WEEKDAY})"
        rf"|{WEEKDAY} (?:morning|afternoon|evening|night)"
    ),
    "bare": rf"{WEEKDAY}{VERB_OR_END}",
    "weekend": r"(?:over|at|on|during|for) the weekend",
    "edge": r"(?:end|beginning|start|middle|rest) of (?:the|this) (?:week|month|year)",
}  # fmt: skip
ANY = re.compile(
    r"\b(?:" + "|".join(f"(?P<{name}>{words})" for name, words in PHRASES.items()) + rf"){END}", re.IGNORECASE
)

_MONTH = re.compile(rf"\b{MONTH}")
#: Behind its beginning, the end of a time: it may lie in another year than the nearest.
_RANGE = re.compile(
    rf"\b(?:from|between) (?:the )?(?:\d{{1,2}}\w* (?:of )?)?{MONTH}(?: \d{{1,2}}\w*)?"
    r" (?:to|until|till|through|and) (?:the )?$",
    re.IGNORECASE,
)
#: What makes a weekday behind it another one than the nearest: "every Friday", "the Friday", "Good Friday".
_NOT_BARE = re.compile(rf"(?:\b(?:{tables.choices('calendar.not_bare')})|[^.!?\s\W]*[A-Z]\w{{2,}}) $")
#: Before a number: another one that goes on in it, or is to be told apart: "2-3 weeks ago", "two to three", "1.5".
_COUNTED = re.compile(
    rf"(?:\d|\b(?:{'|'.join(COUNTS)}|hundred|thousand|dozen|point|not|every|once))(?:[\s.,/\u2013-]|\b(?:to|or|and)\b)*$",
    re.IGNORECASE,
)
#: "A week on Tuesday" is another one; so is "second to last week".
_COUNTED_FROM = re.compile(r"\b(?:weeks?|fortnight|week on|(?:second|third|next) to) $", re.IGNORECASE)
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
_WEEKDAY_BEFORE = re.compile(rf"\b({WEEKDAY})[\s,(]*(?:the )?$", re.IGNORECASE)
_WEEKDAY_BEHIND = re.compile(rf"[\s,(]*({WEEKDAY})", re.IGNORECASE)
#: Marks of quotation, of which the one behind and the one before are not told apart.
_QUOTES = "\"'\u2018\u2019\u201c\u201d\u00ab\u00bb*_"
#: Words of a phrase that have a capital wherever they stand.
_DAYS_OF_FEASTS = [part for name in HOLIDAYS for part in name.split()]
#: Also where what stands before it is written on to it: "sinceMay", "midAugust".
_NAMED_MONTH = re.compile(rf"({'|'.join(sorted(MONTHS, key=len, reverse=True))})(?![a-z])")
_CAPITALS = frozenset([*WEEKDAYS, *MONTHS, *SEASONS, *(name[:3] for name in WEEKDAYS), *_DAYS_OF_FEASTS])
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
            or _IS_TODAY.search(before) is not None
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
        return self._lead in _ENDS and not lasted(self._match.string, self._match.start())

    @property
    def _lead(self) -> str | None:
        text, start = self._match.string, self._match.start()
        lead = _LEAD.match(text, start) or _LEAD_BEFORE.search(text[max(0, start - 40) : start])
        return lead[1].lower() if lead else None


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
        form = FORMS.get(before[-1].lower()) if before else None
        is_object = form is not None and "past" in form.kinds and form.lemma != "be"
        if self.text[0].isdigit() and (is_object or before[-1:] in (["with"], ["for"])):
            return Tense.UNKNOWN
        return tense_of(self._match.string, self._match.start(), self._match.end())

    @property
    def recurs(self) -> bool:
        """Whether it may be any year's, or another year's than this one."""
        return recurs(self._match.string, self._match.start(), self._match.end())

    @property
    def lasts(self) -> bool:
        """Whether it may be how long something takes: "I can run it in two weeks"."""
        return may_last(self._match.string, self._match.start())

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


WORD_AGO = re.compile(rf"({COUNT}) ({UNIT}|night|{A_WEEKDAY}|(?:{_SHORT_DAYS})\b)", re.IGNORECASE)
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
