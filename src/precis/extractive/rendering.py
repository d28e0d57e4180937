"""The text of a statement: the clauses chosen of one item, in order, and the day on which it was said.

The day stands behind what tells of a change: "as of" it for what holds, else the plain day.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from itertools import pairwise

from precis.extractive.candidate import Candidate, size_of
from precis.extractive.conflicts import UPDATE, Conflicts
from precis.extractive.trim import capital
from precis.extractive.weights.agents import is_agents, is_long
from precis.language import tables
from precis.language.chitchat import untimed
from precis.language.dates import in_words
from precis.language.dating.abroad import names_a_day
from precis.language.dating.resolving import unspaced_at
from precis.language.newest.slots import holds, is_appointed
from precis.language.newest.undone import is_arranged
from precis.language.reading import is_state
from precis.language.script import languages_of
from precis.language.sentences import is_entry, sentences
from precis.language.unmarked import asks_unmarked
from precis.language.words import MARKS, words
from precis.makers import Item

#: What stands before an entry of a list: its heading, or its name.
_LABEL = re.compile(r"[^:.!?\n]{2,80}: (?=\S)")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
#: A relative date with its day behind it says when that was said: "next Tuesday (31 March 2026)".
_DATED = re.compile(r"\([^()]*[^\W\d_] (?:19|20)\d\d\)")
#: What was added behind a day: "on 22 June (2026)".
_OWN_DAY = re.compile(r"\([^()]*(?:19|20)\d\d\)")
#: What a sentence goes on with from the one before it, which is not told.
_GOES_ON = re.compile(r"^And (?=[a-z]|I\b)")
#: Why something is otherwise.
_REASON = re.compile(r",? (?:because|due to|thanks to)\b", re.IGNORECASE)
#: What ends a sentence of Chinese and Japanese, and of Hindi, and what ends it behind a day.
_MARKS = {"\u3002": "\u3002", "\uff01": "\u3002", "\u0964": "\u0964"}
#: What ends a sentence of scripts that have no full stop, and how many letters one of them says as much as.
_STOPS = (
    ("\u3002", re.compile("[\u3005\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]"), 3),
    ("\u0964", re.compile("[\u0900-\u0963]"), 1),
)
#: What a sentence may go on from.
_OPEN_ENDED = re.compile(rf"(?:[^\W_]|[){MARKS}])$")
#: What is to come, goes on, or is thought of: of "he's moving downstairs (13 April)" the day would be that of the move.
_PLANS = re.compile(
    r"(?:\b(?:will|won['\u2019]t|shall)|['\u2019]ll) "
    r"|(?:\b(?:is|are|am)|['\u2019](?:s|m|re)) (?:(?:not|also|now|still|just|already|both) )?"
    r"(?!(?:no|some|any|every)thing\b|morning\b|evening\b|during\b)[^\W\d_]{2,}ing\b"
    rf"|\b(?:{tables.choices('statements.thought_of')})\b",
    re.IGNORECASE,
)
#: A relative day of another language with its day behind it.
_ISO = re.compile(r"\([^()]*\d{4}-\d\d-\d\d\)")
#: How often something is paid or done is no appointment.
_RATE = tables.whole_words("renewed.rates")
#: A word of so few letters is grammar in any language.
_SMALL = 2
_AS_OF = re.compile(r" \(as of [^()]+\)")


def rendered(selected: Iterable[Candidate]) -> str:
    """One statement of the chosen clauses of one item, in order."""
    group = sorted(selected, key=lambda candidate: (candidate.sentence, candidate.clause))
    if group[0].derived:
        return group[0].text
    text = group[0].lead
    for place, selection in enumerate(group):
        before = group[place - 1] if place else None
        candidate = _unlabeled(selection, before) if before else selection
        if before and (before.sentence, before.clause + 1) == (candidate.sentence, candidate.clause):
            text += candidate.joint + candidate.text
        else:
            text = (_ended(text, before) + " " if before else text) + _opened(candidate, after=before)
    return once_dated(_ended(text, group[-1]))


def _unlabeled(candidate: Candidate, before: Candidate) -> Candidate:
    """The candidate without what the one before it says as well: "Pros: it is cheap. It is small.", or all of that."""
    repeated = closed(before.text)
    if candidate.text.casefold().startswith(repeated.casefold()) and (rest := candidate.text[len(repeated) :].lstrip()):
        return replace(candidate, text=rest)
    label = _LABEL.match(candidate.text)
    if label is None or candidate.clause or not before.text.startswith(label.group()):
        return candidate
    return replace(candidate, text=candidate.text[label.end() :])


def _opened(candidate: Candidate, after: Candidate | None) -> str:
    """The clause with a capital; what opens what somebody says in a talk goes on from nothing, unless it answers."""
    if candidate.code:
        return candidate.text
    goes_on = after or candidate.quoted or not candidate.lead
    return capital(candidate.text if goes_on else _GOES_ON.sub("", candidate.text, count=1))


def _ended(text: str, last: Candidate) -> str:
    return text if last.code else closed(text)


def closed(text: str) -> str:
    """The text with a closing mark, of its own script."""
    stripped = text.rstrip(" ,;:-\u2013\u2014\u060c\uff0c\u3001")
    return stripped + _full_stop(stripped) if _OPEN_ENDED.search(stripped) else stripped


def _full_stop(text: str) -> str:
    """What ends a sentence of the script that most of it is written in; one that asks without its mark has that."""
    if asks_unmarked(sentences(text)[-1]):
        return "?"
    letters = sum(map(str.isalpha, text))
    return next((mark for mark, script, weight in _STOPS if (1 + weight) * len(script.findall(text)) > letters), ".")


def said_on(of_item: list[Candidate], item: Item, conflicts: Conflicts, *, english: bool) -> list[Candidate]:
    """With the day on which it was said behind the first clause that tells of a change, or is contested; not twice.

    Where none does, it stands behind the clauses that say what is so until a later day. An entry of a list gets none:
    of something to do it would be the day on which that is due. Nor does a long answer: it explains.
    """
    if item.day is None or (is_agents(item) and is_long(item)):
        return of_item
    english = english and not languages_of(item.text)[1]
    changes = (
        at
        for at, clause in enumerate(of_item)
        if clause.place in conflicts.contested or (clause.place in conflicts.changed and UPDATE.search(clause.text))
    )
    at = next(changes, None)
    beside = [other.text for other in of_item if at is not None and other.sentence == of_item[at].sentence]
    entries = {place for place, sentence in enumerate(sentences(item.text)) if is_entry(sentence)}
    entries = entries if len(entries) > 1 else set()
    if at is not None and (any(map(_DATED.search, beside)) or of_item[at].sentence in entries):
        return [*of_item[:at], replace(of_item[at], changes=True), *of_item[at + 1 :]]
    # Behind a day of its own, in a language whose days are not all read, it would be taken for that.
    if not english:
        own = {clause.sentence for clause in of_item if names_a_day(clause.text)}
        if at is not None and of_item[at].sentence in own:
            return [*of_item[:at], replace(of_item[at], changes=True), *of_item[at + 1 :]]
    if at is not None and not of_item[at].code and not _YEAR.search(of_item[at].text):
        marked = replace(_marked(of_item[at], item.day, english=english), changes=True)
        return [*of_item[:at], marked, *of_item[at + 1 :]]
    return [
        _replaced(clause, item.day, english=english)
        if clause.place in conflicts.taken_up
        and not (clause.code or asks_unmarked(clause.text))
        and clause.sentence not in entries
        and (holds(clause.text) or len(of_item) == 1)
        else clause
        for clause in of_item
    ]


def _marked(clause: Candidate, day: date, *, english: bool) -> Candidate:
    """The clause with the day behind it, unless it names the day, or a day that counts from it."""
    if _names(clause.text, day) or _DATED.search(clause.text):
        return clause
    text, ending = _bare(clause.text)
    mark = in_words(day) if english else day.isoformat()
    # Behind "moved to Thursday" the plain day would be that of the Thursday.
    mark = f"as of {mark}" if english and (_holds(text) or is_appointed(_RATE.sub(" ", text))) else mark
    if english and not mark.startswith("as of") and (reason := _REASON.search(text)) and not _OWN_DAY.search(text):
        # Behind "because of the sound check" it would be the day of that.
        return _with(clause, f"{text[: reason.start()]} ({mark}){text[reason.start() :]}{ending}")
    blank = "" if unspaced_at(text) else " "
    return _with(clause, text if _OWN_DAY.search(text) else f"{text}{blank}({mark}){ending}")


def _replaced(clause: Candidate, day: date, *, english: bool) -> Candidate:
    """The same of what was so until a later day. A day of its own is told from that on which it was said."""
    if _names(clause.text, day) or (not english and _ISO.search(clause.text)):
        return clause
    text, ending = _bare(clause.text)
    appointed = is_appointed(_RATE.sub(" ", text)) and (english or _tells_when(text))
    if not english:
        blank = "" if unspaced_at(text) else " "
        opens = appointed or names_a_day(text)
        return _with(clause, f"({day}) {text}{ending}" if opens else f"{text}{blank}({day}){ending}")
    mark = f"as of {in_words(day)}" if appointed or _holds(text) or is_arranged(text) else in_words(day)
    own = list(_OWN_DAY.finditer(text))
    if own and mark.startswith("as of"):
        return _with(clause, f"{text[: own[-1].end() - 1]}, {mark}{text[own[-1].end() - 1 :]}{ending}")
    return clause if own else _with(clause, f"{text} ({mark}){ending}")


def _tells_when(text: str) -> bool:
    """Whether more than a small word of it may say when: the "en" of "vivo en Vigo" is a number of days elsewhere."""
    timed = set(words(text)) - set(words(untimed(text)))
    return any(map(str.isdigit, text)) or any(len(word) > _SMALL or word[0] > "\u0e00" for word in timed)


def _holds(text: str) -> bool:
    """Whether the last part of a clause, behind which the day stands, says what holds, or is to come."""
    last = text.rpartition(";")[2]
    return is_state(last) or _PLANS.search(last) is not None


def _names(text: str, day: date) -> bool:
    """Whether a text names the day, with a year or without: "since 8 December"."""
    return re.search(rf"(?<!\d){in_words(day).rpartition(' ')[0]}\b", text) is not None


def _bare(text: str) -> tuple[str, str]:
    """A text without its closing mark, and that of scripts whose mark is no full stop."""
    bare = text.rstrip(" .!,;\u3002\uff01\uff0c\u0964")
    mark = text[len(bare) :].strip()
    return bare, _MARKS.get(mark, "")


def _with(clause: Candidate, text: str) -> Candidate:
    return replace(clause, text=text, length=size_of(text))


def once_dated(text: str) -> str:
    """The text of a statement with the day on which it was said once, where it stands last."""
    marks = list(_AS_OF.finditer(text))
    for mark, following in reversed(list(pairwise(marks))):
        if mark.group() == following.group():
            text = text[: mark.start()] + text[mark.end() :]
    return text
