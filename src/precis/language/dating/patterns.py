"""The English phrases for a time, as patterns, and where a day is one of many, or none: each week, a floor, a title."""

from collections.abc import Iterable

from precis import patterns as re
from precis.language import tables
from precis.language.dates import A_WEEKDAY, DAY_OF_FEAST, FEAST, FEASTS, MONTHS, NUMBERS, SEASONS, WEEKDAYS
from precis.language.dating import doubts
from precis.language.dating.tense import CLAUSE_END, SENTENCE_END, cues_of, stretch

SHORT_DAYS = "Mon|Tues?|Weds?|Thu(?:rs?)?|Fri|Sat|Sun"
SHORT_DAY = f"(?-i:{SHORT_DAYS})"
WEEKDAY = rf"(?:{A_WEEKDAY}|{SHORT_DAY}\b)(?!['\u2019]?s\b)"
BY_LETTERS = {name[:3]: number for name, number in WEEKDAYS.items()}
#: "may" and "march" in small letters are verbs.
MONTH = (
    rf"(?:(?-i:{'|'.join(name.capitalize() for name in MONTHS)})|"
    rf"{'|'.join(name for name in MONTHS if len(name) > 5)})\b\.?"
)
NO_YEAR = r"(?!,? ?(?:of )?(?:19|20)\d\d|,? ['\u2019]\d\d|,? of (?:that|the same) year| (?:last|this|next) year|[-/]\d)"
SEASON = "|".join(SEASONS)
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
ROUGH = (
    r"(?:(?:just )?(?:about|exactly|precisely|around|roughly|almost|nearly|over|under|more than|less than"
    r"|at least|some) )?"
)
UNIT = "(?:day|weekend|week|fortnight|month|year|decade)"
PART = r"(?: (?:morning|afternoon|evening|night))?"
NTH = r"\d{1,2}(?:st|nd|rd|th)"
VERB_OR_END = r"(?= (?:was|were|at|because|when|with|and|but|so|is|will|i|we|he|she|they|it)\b|[.,;!?)]|\s*$)"
#: "On Christmas Eve we", and not "for Christmas dinner".
NO_NAME = (
    r"(?= (?:was|were|at|because|when|with|and|but|so|is|are|will|if|as|since|until|who|that|in|on|to|for|or|the|an?|my"
    r"|our|your|his|her|their|this|there|i|we|you|he|she|they|it|everyone|everybody|someone|nobody|please)\b"
    r"|[.,;:!?)\u2026]|\s*$)"
)
_TO = "(?:to|until|till|through|thru)"
#: "Friday week" is another one, and "last week but one".
END = r"(?!\w)(?!\s*[(\[][^)\]]*\d)(?! (?:week|fortnight|but one|mornings|afternoons|evenings|nights)\b)"

PHRASES = {
    "day": (
        r"the day before yesterday|the night before last|the day after tomorrow|(?:earlier )?today"
        r"(?!['\u2019]s(?! (?:the|my|our|his|her|their)\b))|tonight|last night"
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
        rf"(?:(?:week|weekend|month|year|{SEASON}|{FEAST})|{MONTH}{NO_YEAR}(?! \d)"
        rf"|{WEEKDAY}{PART})(?! of\b)"
    ),
    "feast": (
        rf"(?:(?:(?:on|for|before|after|since|until|till|by|over|at|around|during|from) (?:{FEAST})|{DAY_OF_FEAST})"
        rf"{PART}(?: (?:last|this|next) year)?{NO_YEAR}){NO_NAME}"
    ),
    "further": (
        r"(?:an?|one|two|three|four|\d) (?:week|fortnight)s?"
        rf" (?:today|tomorrow|yesterday|(?:on |last |this )?{WEEKDAY})"
        rf"|(?:on )?(?:today|tomorrow|{WEEKDAY}) (?:week|fortnight)(?! \d)"
    ),
    "ago": (
        rf"(?:(?<!or ){ROUGH}(?:{COUNT}) (?:{UNIT}|night|{A_WEEKDAY}|{SHORT_DAY}\b)s?(?: and a half)?"
        rf" (?:ago|from (?:now|today|tomorrow|{WEEKDAY}))|(?<!or )an? {UNIT} and a half ago"
        rf"|(?:it['\u2019]s|it has|has it) been {ROUGH}(?:{COUNT}) {UNIT}s?(?= since\b))"
        rf"(?:,? (?:today|yesterday|tomorrow|(?:(?:on|last|this|next) )?{WEEKDAY}))?"
    ),
    "ahead": rf"in {ROUGH}(?:{COUNT}) {UNIT}s?(?:['\u2019]s?)?(?: time)?(?! ago)",
    "lasting": rf"(?:for )?{ROUGH}(?:{COUNT}) {UNIT}s?(?: and a half)? now|for {ROUGH}(?:{COUNT}) {UNIT}s?",
    "range": (
        rf"(?:from|between) the {NTH} (?:{_TO}|and) the {NTH}|the {NTH} {_TO} the {NTH}"
        rf"|(?:from|between) {WEEKDAY}{PART} (?:{_TO}|and) {WEEKDAY}{PART}|{WEEKDAY}{PART} {_TO} {WEEKDAY}{PART}"
    ),
    "month_day": (
        rf"(?:{MONTH} (?:the )?(?:{NTH}|\d{{1,2}})(?![:.]?\d)"
        rf"|(?:the )?(?:{NTH}|\d{{1,2}})(?: of)? {MONTH}|the first of {MONTH}){NO_YEAR}"
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
#: With these words phrases begin; most places of a text are passed over by their first letters.
_FIRST = frozenset(
    [*tables.words("calendar.first"), *WEEKDAYS, *MONTHS, *COUNTS, *TWENTIES, *(name.split()[0] for name in FEASTS)]
)


def _opening(words: Iterable[str]) -> str:
    """What looks at the first three letters of words; a letter in both cases is looked for faster than in any."""
    by_letter: dict[str, set[str]] = {}
    for word in words:
        by_letter.setdefault(word[0], set()).add(word[1:3])
    return "|".join(
        f"(?-i:[{letter}{letter.upper()}])(?:{'|'.join(sorted(ends))})" for letter, ends in sorted(by_letter.items())
    )


ANY = re.compile(
    rf"\b(?=\d|{_opening(_FIRST)})(?:"
    + "|".join(f"(?P<{name}>{words})" for name, words in PHRASES.items())
    + rf"){END}",
    re.IGNORECASE,
)


def _of(name: str) -> str:
    return tables.choices(f"habits.{name}")


_BE = r"(?: (?:is|are)|['\u2019]s)(?: (?:now|still|always|usually|mostly))? $"
_OF_WEEK = re.compile(
    rf"(?:^|\s)(?P<subject>(?:[\w'\u2019-]+ )*(?:{_of('of_week')}))"
    rf"(?: off)?(?: (?:in|at|with|for)(?: [\w'\u2019]+){{1,2}})?{_BE}",
    re.IGNORECASE,
)
_WEEKLY = re.compile(rf"^(?:[\w'\u2019]+ ){{0,2}}(?:{_of('weekly')})(?: (?:in|at) [\w'\u2019]+)?{_BE}", re.IGNORECASE)
_ONCE = re.compile(rf"\b(?:{_of('once')})\b", re.IGNORECASE)
#: Behind a weekday that opens a clause: what that day is of all days. "Saturday is the busiest."
_OF_DAYS = re.compile(rf" (?:is|['\u2019]s) (?:\w+ly )?(?:{_of('of_days')})\b", re.IGNORECASE)
#: The same without such a word, by what it is: "Monday is laundry day", "Wednesday is choir", "... the wind section".
_IS_WEEKLY = re.compile(
    rf"(?: is|['\u2019]s)(?: (?:now|still|always|usually|mostly))? (?P<what>(?:[\w'\u2019-]+ )*(?:{_of('of_week')})"
    rf"|for [\w'\u2019-]+|(?:{_of('weekly')})(?: (?:in|at|with|for) [\w'\u2019:]+)?"
    r"|(?:the|our|my|your|his|her|their)(?: [\w'\u2019-]+){1,3})"
    r"(?= *(?:[.,;:!?]|$|(?:and|but|so|because|as)\b))",
    re.IGNORECASE,
)
_EVENT = re.compile(rf"\b(?:{'|'.join(tables.words('tenses.entries'))})s?\b", re.IGNORECASE)
_AND = r",? (?:and|or|&|\+) (?P<between>(?:[\w'\u2019-]+ ){0,3}?)"
_AND_BEHIND = re.compile(rf"{_AND}(?:on )?{WEEKDAY}", re.IGNORECASE)
_AND_BEFORE = re.compile(rf"\b{WEEKDAY}{PART}{_AND}$", re.IGNORECASE)
_LISTED = re.compile(rf", (?:(?:on )?{WEEKDAY}{PART},? )*(?:and |or |& )?(?:on )?{WEEKDAY}", re.IGNORECASE)
#: Three weekdays in a row are those of each week, whatever is done then.
_THREE = re.compile(rf"\b(?:{WEEKDAY}{PART}(?:, and|, or|,| and| or| &) (?:on )?){{2,}}{WEEKDAY}", re.IGNORECASE)
_PARTICULAR = re.compile(rf"\b(?:{_of('particular')})\b", re.IGNORECASE)
_HAS = re.compile(r"(?:is|are|am|has|have|(?:[\w]+)['\u2019](?:s|m|re|ve))(?: got)?|got", re.IGNORECASE)
_MONTHLY = re.compile(rf"(?:\b|(?<=\w)(?=['\u2019]))(?:{_of('monthly')})\b", re.IGNORECASE)
_WILL = re.compile(rf"\b(?:{tables.choices('doubts.will')})\b", re.IGNORECASE)
_FLOOR = re.compile(rf"\b(?:{_of('floor')})\b", re.IGNORECASE)
_ON_FLOOR = re.compile(rf"\b(?:{_of('on_floor')}) $", re.IGNORECASE)
_RANKING = re.compile(rf"\b{_of('ranking')} $", re.IGNORECASE)
_CONTEST = re.compile(rf"[^,;]*\b(?:{_of('contests')})\b", re.IGNORECASE)
_BY_WHOM = re.compile(r" by (?:the )?[A-Z]\w")


def is_weekly(text: str, start: int, end: int) -> bool:
    """Whether a weekday may be that of each week: "bin day is Wednesday", "she has yoga on Monday and Friday"."""
    first, last = stretch(text, start, end, SENTENCE_END)
    inner, _ = stretch(text, start, end, CLAUSE_END)
    clause = text[max(first, inner) : start].lstrip()
    subject = _OF_WEEK.search(clause)
    if (subject and not _ONCE.search(subject["subject"])) or any(
        three.start() <= start < three.end() for three in _THREE.finditer(text, first, last)
    ):
        return True
    if not clause.strip(" \"'") and (_OF_DAYS.match(text, end) or _is_of_each_week(text, end)):
        return True
    return _WEEKLY.match(clause) is not None or _is_among_several(text[first:start], text[end:last])


def _is_of_each_week(text: str, end: int) -> bool:
    """Whether behind a weekday stands what it is each week: "laundry day", "the wind section"; and no event."""
    weekly = _IS_WEEKLY.match(text, end)
    if weekly is None or _ONCE.search(weekly["what"]):
        return False
    pointed = weekly["what"].lower().split()[0] in ("the", "our", "my", "your", "his", "her", "their")
    return not (pointed and _EVENT.search(weekly["what"]))


def _is_among_several(left: str, right: str) -> bool:
    """Whether it is one of several weekdays of a verb that tells what is so now, and not of an appointment."""
    joint = _AND_BEFORE.search(left) or _AND_BEHIND.match(right)
    between = joint["between"] if joint else ""
    if (joint is None and not _LISTED.match(right)) or any(cues_of(between)) or _PARTICULAR.search(between):
        return False
    verb = max(cues_of(left), key=lambda cue: (cue.end, cue.weight), default=None)
    if verb is None or _PARTICULAR.search(left, verb.end):
        return False
    spoken = left[verb.start : verb.end]
    return _HAS.fullmatch(spoken) is not None or doubts.is_custom_of(spoken.lower())


def is_monthly(text: str, start: int, end: int) -> bool:
    """Whether a day is that of each month: "rent is due on the 1st"."""
    first, _ = stretch(text, start, end, CLAUSE_END)
    clause = text[first:start]
    return _MONTHLY.search(clause) is not None and not _WILL.search(clause)


def is_floor_or_rank(text: str, start: int, end: int) -> bool:
    """Whether "on the 5th" is a floor, or where somebody came in."""
    if not text[start:end].lower().startswith("on the"):
        return False
    first, last = stretch(text, start, end, SENTENCE_END)
    if _FLOOR.search(text, first, last) or _ON_FLOOR.search(text, first, start):
        return True
    return _RANKING.search(text, first, start) is not None and _CONTEST.match(text, end, last) is not None


def is_title(text: str, start: int, end: int) -> bool:
    """Whether a name with a maker behind it is meant: "Yesterday by the Beatles"."""
    return text[start : start + 1].isupper() and _BY_WHOM.match(text, end) is not None
