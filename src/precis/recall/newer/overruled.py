"""Of two notes on something like it, whether the newer one says what became of what the older one tells. Pure.

Both are read sentence by sentence: one of the older note tells what is so no longer, one of the newer what became of
it. Where these may be of two things ("the cache timeout", "the webhook timeout") nothing did: in doubt both stand as
they are, each with its day.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from precis.language import tables
from precis.language.dates import A_MONTH, A_WEEKDAY
from precis.language.grammar import FORMS
from precis.language.newest.parallel import by_others
from precis.language.newest.signs import TIMES
from precis.language.script import is_grammar, languages_of
from precis.language.values import typed
from precis.language.words import STOP_WORDS, content, index_terms, kept, numbers, stem, words
from precis.recall.asking.unspaced import bare
from precis.recall.pieces import parts_of
from precis.recall.question import Question, as_asked, without_now
from precis.recall.telling import ASKS, UNSPACED, matches, tells_of_change

#: A value with something behind it, and one that goes on to the end of its clause.
_CLAUSE = r"(?:[^;:,()!?\u3002\uff0c\u3001.]|[.,](?=\d))"
_PART, _REST = rf"({_CLAUSE}{{1,40}}?)", rf"({_CLAUSE}{{2,40}})"
_LAST = re.compile(rf"({_CLAUSE}{{1,40}})$")
_TIMED = re.compile(rf"\b(?:{A_MONTH}|{A_WEEKDAY})\b|\d:\d", re.IGNORECASE)
_ANY_OF_IT = frozenset(" ".join(tables.section("overruled.any_of_it").values()).split())
_OWNER = re.compile(
    r"([A-Z\u00c0-\u00de][^\W\d_]+)['\u2019]s\b|\b(?:of|von|de|di|du|da|do|van) ([A-Z\u00c0-\u00de][^\W\d_]+)"
)
#: What tells that something became otherwise, beside words of change.
_TURNING = ("off", "became", "no_more", "succeeds", "home_turned", "work_turned", "partner_turned")
#: Letters with which a word may be a part of a longer one: "Zahnarzt" of "Zahnarzttermin".
_LONG = 4
_VERBAL, _ENGLISH = ("ed", "ing"), "English"
_NO_UNIT, _MONEY = "amount", "money"
#: A word of several, of which the first says which: "tracking-api".
_COMPOUND = re.compile(r"\w+(?:-\w+)+")


class Overruled(NamedTuple):
    """Which sentences of an older note are so no longer, and which of a newer one say so, by their places."""

    old: frozenset[int]
    new: frozenset[int]


def overruled(older: str, newer: str, question: Question) -> Overruled | None:
    """Which sentences of a note are so no longer since a newer one; None where they may be of two things."""
    languages, named = _languages_of(question), question.named - question.own
    olds, news = parts_of(older), parts_of(newer)
    told = told_in(older, newer, question)
    asked = frozenset(question.terms) - question.own
    displaced = {at for at, old in enumerate(olds) if any(displaces(new, old, languages, asked) for new in news)}
    pairs = [
        (at, by)
        for at in told.old | displaced
        for by in told.new
        if _may_be_of_one(olds[at], news[by], asked, named, languages)
        and not _shares_act_alone(olds[at], news[by], question, languages)
    ]
    return Overruled(frozenset(at for at, _ in pairs), frozenset(by for _, by in pairs)) if pairs else None


def told_in(older: str, newer: str, question: Question) -> Overruled:
    """Which sentences of an older note hold most of a question, and which of a newer one tell of a change, if any."""
    languages, asked = _languages_of(question), frozenset(question.terms) - question.own
    news = parts_of(newer)
    held = [len(_held(asked, part, question)) for part in parts_of(older)]
    # "The guest room stays at 8,800." beside what turned is of another thing.
    turning = [by for by, new in enumerate(news) if _turns(new, languages)]
    telling = turning or [by for by, new in enumerate(news) if numbers(new)] or range(len(news))
    most = max(held)
    is_of_it = most or not _held(asked, newer, question)
    old = [at for at, count in enumerate(held) if is_of_it and count == most]
    return Overruled(frozenset(old), frozenset(telling))


def _held(asked: frozenset[str], text: str, question: Question) -> frozenset[str]:
    """The words of the question that a text holds, perhaps as a part of a longer one."""
    stems = frozenset(as_asked(index_terms(text), question.forms))
    return frozenset(term for term in asked if has_part(stems, term))


def is_of_compound(text: str, query: str) -> bool:
    """Whether a note tells of "dispatch-api" and of no compound of the question, which asks of "tracking-api"."""
    told, asked = (frozenset(map(str.casefold, _COMPOUND.findall(each))) for each in (text, query))
    ends = {word.rpartition("-")[2] for word in asked}
    return asked.isdisjoint(told) and any(word.rpartition("-")[2] in ends for word in told)


def has_part(stems: Collection[str], term: str) -> bool:
    """Whether a word is among these, perhaps as a part of a longer one, or with one of them as a part."""
    if term in stems or len(term) < _LONG:
        return term in stems
    return any(stem_.startswith(term) or (len(stem_) >= _LONG and term.startswith(stem_)) for stem_ in stems)


def displaces(newer: str, older: str, languages: Sequence[str], asked: frozenset[str] = frozenset()) -> bool:
    """Whether a note names what another one tells as what was so before: "white rather than green".

    What is ``asked`` for is no value: "the coffee machine does not work".
    """
    values = [value - asked for value in _telling(newer, tuple(languages), "before")]
    if any(values):
        # Whose something is, is not what it is: "Leon's team" is no Leon.
        terms = content(_OWNER.sub(" ", older))
        if any(value and value <= terms for value in values):
            return True
    return fails(newer, older, languages, asked)


def fails(newer: str, older: str, languages: Sequence[str], asked: frozenset[str] = frozenset()) -> bool:
    """Whether a note says of what another one tells that it did not do: "The syrup didn't help"."""
    values = [value - asked for value in _telling(newer, tuple(languages), "failed")]
    return any(values) and any(value and value <= content(older) for value in values)


@kept
def _telling(text: str, languages: tuple[str, ...], key: str) -> tuple[frozenset[str], ...]:
    """The words of each value that a text names, without grammar and days: "o omeprazol", "Ried since Monday"."""
    spoken = (words(bare(value)) for value in _values_before(text, languages, key))
    return tuple(
        frozenset(stem(word) for word in value if not (word in STOP_WORDS or word in TIMES or is_grammar(word)))
        for value in spoken
    )


def is_of_other_value(newer: str, older: str, languages: Sequence[str]) -> bool:
    """Whether a note names the figures that were so before, and another one has none of them: "from 3 to 6 seconds"."""
    before = [
        figures
        for value in _values_before(newer, tuple(languages))
        if (figures := frozenset(numbers(value))) and not _TIMED.search(value)
    ]
    if not before or any(_values_before(older, tuple(languages))):
        return False
    return not any(figures <= frozenset(numbers(older)) for figures in before)


def _may_be_of_one(old: str, new: str, asked: frozenset[str], named: frozenset[str], languages: Sequence[str]) -> bool:
    """Whether two sentences may tell of one thing: of the same kind of value, of the same owner and by one name."""
    if displaces(new, old, languages, asked):
        return True
    if is_of_other_value(new, old, languages) or _counts_other(old, new, languages):
        return False
    if bool(numbers(old)) != bool(numbers(new)) and not _ends(new, languages):
        return False
    olds, news = frozenset(map(stem, words(old))), frozenset(map(stem, words(new)))
    whom = named & news
    if whom and not whom & olds and _owners(old):
        return False
    if named & olds and not whom and _owners(new) - olds:
        return False
    return not any(_is_another(term, old, new) for term in olds & news & asked)


def _shares_act_alone(old: str, new: str, question: Question, languages: Sequence[str]) -> bool:
    """Whether of what is asked ("Is the export finished?") the newer one has but the last word, of a thing of its own.

    "The receipt is finished" tells nothing of an export; "It is finished" may.
    """
    if not question.text.rstrip().endswith(ASKS) or matches("what_asked", languages, question.text):
        return False
    asked = frozenset(question.terms) - question.own
    last = [term for term in map(stem, words(question.text)) if term in asked][-1:]
    olds, news = _held(asked, old, question), _held(asked, new, question)
    spoken = [
        {stem(word) for word in words(without_now(text, languages)) if not is_grammar(word)} for text in (old, new)
    ]
    others = (spoken[1] & content(new)) - asked
    return bool(last) and news == set(last) < olds and bool(others) and others.isdisjoint(spoken[0])


def _counts_other(old: str, new: str, languages: Sequence[str]) -> bool:
    """Whether both have figures, and of nothing that they count in common, or the prices of two who are named."""
    if _MONEY in typed(old) and _MONEY in typed(new) and by_others(old, new, languages):
        return True
    kinds = [
        {kind for kind in typed(text) if kind == _MONEY or (kind.startswith(_NO_UNIT) and kind != _NO_UNIT)}
        for text in (without_now(old, languages), without_now(new, languages))  # "670 now" counts nothing
    ]
    return all(kinds) and kinds[0].isdisjoint(kinds[1])


def _is_another(term: str, old: str, new: str) -> bool:
    """Whether what stands right before a word says that it is two things: "cache timeout", "webhook timeout"."""
    befores = [frozenset(_which(term, text)) for text in (old, new)]
    # What both have says of neither that it is another: "Petra works", "Petra now works".
    both = frozenset(map(stem, words(old))) & frozenset(map(stem, words(new)))
    befores = [before - both for before in befores]
    return all(befores) and befores[0].isdisjoint(befores[1])


def _which(term: str, text: str) -> Iterator[str]:
    spoken = list(words(text))
    for before, word in pairwise(spoken):
        if stem(word) == term and not _is_small(before):
            yield stem(before)


@kept
def _is_small(word: str) -> bool:
    """Whether a word before a thing says nothing of which one it is."""
    if word in STOP_WORDS or word in _ANY_OF_IT or word in FORMS or is_grammar(word):
        return True
    return word.endswith(_VERBAL) or not word.isalpha() or not word.isascii()


def _owners(text: str) -> frozenset[str]:
    """Whose something is, by name."""
    return frozenset(stem((by or of).casefold()) for by, of in _OWNER.findall(text))


def _turns(sentence: str, languages: Sequence[str]) -> bool:
    if any(_values_before(sentence, tuple(languages))):
        return True
    if matches("stays", languages, sentence, "overruled"):
        return False
    if tells_of_change(sentence, tuple(languages)):
        return True
    return _ends(sentence, languages)


def _ends(sentence: str, languages: Sequence[str]) -> bool:
    """Whether it tells that something is over, at another time, or somewhere else."""
    over = any(matches(key, languages, sentence, "standing") for key in ("ends", "ends_of"))
    return over or any(matches(key, languages, sentence) for key in _TURNING)


def _languages_of(question: Question) -> tuple[str, ...]:
    return (*languages_of(question.text)[0], _ENGLISH)


@kept
def _values_before(text: str, languages: tuple[str, ...], key: str = "before") -> tuple[str, ...]:
    """What a text says was so before."""
    values = []
    for language in languages:
        for pattern, is_behind in _before(language, key):
            for match in pattern.finditer(text):
                before = _LAST.search(text[: match.start()]) if is_behind else match
                values.append(before[1].strip() if before else "")
    return tuple(filter(None, values))


@cache
def _before(language: str, key: str) -> tuple[tuple[re.Pattern[str], bool], ...]:
    """How a language names what was so before; and whether that is what stands right before."""
    if language not in tables.section(f"overruled.{key}"):
        return ()
    closes = "" if language in UNSPACED else r"(?!\w)"
    patterns = []
    for phrase in tables.phrases(f"overruled.{key}.{language}"):
        is_behind = phrase.startswith("{part}")
        pattern = phrase.removeprefix("{part}").replace("{part}", _PART).replace("{rest}", _REST)
        opens = "" if is_behind or language in UNSPACED else r"(?<!\w)"
        patterns.append((re.compile(f"{opens}{pattern}{closes}", re.IGNORECASE), is_behind))
    return tuple(patterns)
