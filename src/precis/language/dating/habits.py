"""Where a day is one of many, or none: what is so each week or month, a floor, a rank, a title."""

from precis import patterns as re
from precis.language import tables
from precis.language.dating import doubts
from precis.language.dating.patterns import PART, WEEKDAY
from precis.language.dating.tense import CLAUSE_END, SENTENCE_END, cues_of, stretch


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
    if subject and not _ONCE.search(subject["subject"]):
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
