"""Where a phrase counts from another day than that of its text, or its day is denied, moved, or only set."""

import re

from precis.language import tables
from precis.language.dating.patterns import ANY
from precis.language.dating.tense import CLAUSE_END, SENTENCE_END, cues_of, stretch, telling_verb

_TELLING, _THEN, _NOT_PASSED, _DENIED_NOT, _SETTING, _FINDING, _HELD, _OVER, _OVER_THINGS = (
    tables.whole_words(f"habits.{name}")
    for name in ("telling", "then", "not_passed", "denied_not", "setting", "finding", "held", "over", "over_things")
)
_THAT = re.compile(rf"[:\"\u201c\u201e\u00ab]|\b(?:i|we|he|she|they|{tables.choices('habits.that')})\b", re.IGNORECASE)
_AND = re.compile(r";|(?:\b(?:and|but|so)|,) ", re.IGNORECASE)
_DENIED = re.compile(rf"\b(?:{tables.choices('habits.denied')}) $", re.IGNORECASE)
_MOVED = re.compile(rf"(?: [\w'\u2019]+){{0,2}}? ?(?:{tables.choices('habits.moved')})\b", re.IGNORECASE)
_MOVED_ON = re.compile(r" (?:to|forward|back|on to|onto)\b", re.IGNORECASE)
#: Verbs of what is moved to another day.
MOVING = frozenset(tables.words("doubts.moving"))
#: Behind what was told: who told it.
_TOLD_BEHIND = re.compile(
    rf"[^.!?\"\u201d]{{0,80}}(?:[\"\u201d\u00bb],?|,) (?:[\w'\u2019]+ ){{1,3}}(?={_TELLING.pattern})"
)
_TOLD_BEFORE = re.compile(r"\b(?:said|told (?:me|us|him|her|them|[A-Z]\w+)) $")
_TOLD_NEXT = re.compile(r"\s*(?:[.!?:,\"\u201c]|$)| (?:that|to|about|how|why|when|if|whether)\b")
#: Characters of a quotation, at most.
_QUOTED = 400
_QUOTES = (('"', '"'), ("\u201c", "\u201d"), ("\u201e", "\u201c"), ("\u00ab", "\u00bb"))


def is_reported(text: str, start: int, end: int) -> bool:
    """Whether it stands in what somebody told on another day: "Tom said on Sunday that he starts tomorrow"."""
    first, last = stretch(text, start, end, SENTENCE_END)
    opened = _quote_before(text, start)
    if opened >= 0 and start - opened < _QUOTED:
        first = min(first, stretch(text, opened, opened, SENTENCE_END)[0])
    left = text[first:start]
    telling = list(_TELLING.finditer(left))
    if telling:
        earlier, later = left[: telling[-1].start()], left[telling[-1].end() :]
        if _is_told(later) and (_is_another_day(earlier) or _is_another_day(_up_to_told(later))):
            return True
    behind = _TOLD_BEHIND.match(text, end, last)
    return behind is not None and _is_another_day(text[behind.end() : last])


def _quote_before(text: str, start: int) -> int:
    """Where the quotation began in which a place is; -1 where it is in none."""
    opened = -1
    for left, right in _QUOTES:
        at = text.rfind(left, 0, start)
        within = text.count(left, 0, start) % 2 if left == right else at > text.rfind(right, 0, start)
        opened = max(opened, at) if within else opened
    return opened


def _is_told(between: str) -> bool:
    """Whether what follows a verb of telling is what was told, and no clause beside it: "he called and tomorrow"."""
    joint = _AND.search(between)
    before = between[: joint.start()] if joint else between
    return _THAT.search(before) is not None or any(cues_of(before))


def _up_to_told(between: str) -> str:
    """What stands before that which was told: "on Sunday that he"."""
    told = _THAT.search(between)
    return between[: told.start()] if told else between


def _is_another_day(told: str) -> bool:
    """Whether a time is named that was before today."""
    if _THEN.search(told):
        return True
    return any(
        not _NOT_PASSED.match(match.group())
        for match in ANY.finditer(told)
        if match.lastgroup not in ("lasting", "ahead")
    )


def is_when_told(text: str, start: int) -> bool:
    """Whether "said" or "told me" stands right before a place."""
    return _TOLD_BEFORE.search(text, max(0, start - 40), start) is not None


def ends_telling(text: str, end: int) -> bool:
    """Whether what was told begins behind a place, or nothing does: "told me on Sunday: I start"."""
    return _TOLD_NEXT.match(text, end) is not None


def is_denied(text: str, start: int, end: int) -> bool:
    """Whether the day is denied: "not this Friday", "it isn't on Thursday"."""
    return _DENIED.search(text, max(0, start - 30), start) is not None and not _DENIED_NOT.match(text, start, end)


def is_moved(text: str, start: int, end: int) -> bool:
    """Whether what was set for the day has another: "the meeting on the 9th was moved"."""
    if _MOVED.match(text, end):
        return True
    return telling_verb(text, start, end) in MOVING and _MOVED_ON.match(text, end) is not None


def is_set(text: str, start: int, end: int) -> bool:
    """Whether the verb may be of another day: "I picked 26 October"; so may that of another clause."""
    return _is_by(_SETTING, text, start, end)


def is_picked(text: str, start: int, end: int) -> bool:
    """Whether it is what somebody picked: "she picked Friday"."""
    last = text[max(0, start - 30) : start].split()[-1:]
    return bool(last) and telling_verb(text, start, end) == last[0].lower() and is_set(text, start, end)


def is_found(text: str, start: int, end: int) -> bool:
    """Whether what was got may be for that day, or was got on it: "I found a seat on 26 October"."""
    return _is_by(_FINDING, text, start, end)


def is_held(text: str, start: int, end: int) -> bool:
    """Whether what was got or set is held for its day: "I found flights to Lisbon on 4 July", "a table on 9 May"."""
    if not (is_found(text, start, end) or is_set(text, start, end)):
        return False
    verb = telling_verb(text, start, end)
    first, _ = stretch(text, start, end, CLAUSE_END)
    at = text.lower().rfind(verb, first, start)
    return at >= 0 and _HELD.search(text, at + len(verb), start) is not None


def is_to_be_done(text: str, start: int, end: int) -> bool:
    """Whether a participle opens the clause: "60 rates, delivered on 18 March" may be what will be."""
    first, _ = stretch(text, start, end, CLAUSE_END)
    opening = text[first:start].split()[:1]
    return bool(opening) and opening[0].lower().endswith("ed") and opening[0].lower() == telling_verb(text, start, end)


def _is_by(verbs: re.Pattern[str], text: str, start: int, end: int) -> bool:
    verb = telling_verb(text, start, end)
    first, _ = stretch(text, start, end, SENTENCE_END)
    if not verb:
        return any(cues_of(text[first:start]))
    at = text.lower().rfind(verb, first, start)
    return (verbs.search(text, at, start) if at >= 0 else verbs.fullmatch(verb)) is not None


def is_over(text: str, start: int, end: int) -> bool:
    """Whether it is told of what nobody knows before: a death, a birth, an accident."""
    verb = telling_verb(text, start, end)
    first, _ = stretch(text, start, end, CLAUSE_END)
    if verb in ("has", "have", "had"):
        return _OVER.search(text, first, start) is not None
    return _OVER.search(verb) is not None if verb else _OVER_THINGS.search(text, first, start) is not None
