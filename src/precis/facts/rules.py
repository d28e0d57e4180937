"""Which sentences of a message are facts about a person that stand alone. In doubt none: the message stays as it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from precis.checks.reactions import is_fragment, is_reaction, tells_listener
from precis.facts import elsewhere
from precis.facts.naming import in_third_person, may_be_another, speaks_english
from precis.language import tables
from precis.language.chitchat import hollow, is_small_talk, telling_in, uncalled
from precis.language.grammar import FORMS
from precis.language.labels import extract
from precis.language.script import is_english
from precis.language.sentences import asks, is_question, sentences
from precis.language.words import STOP_WORDS, names, numbers, words

_I = re.compile(r"\bI\b")
_FIRST = re.compile(r"\b(?:I|I['\u2019]\w+|[Mm]y|[Mm]e)\b")
#: Types of sentences that tell something of somebody.
_TELLING = frozenset({"preference", "fact", "relationship", "plan", "event"})
_POINTS_BACK = re.compile(rf"(?:{tables.choices('statements.points_back')})\b", re.IGNORECASE)
#: Words whose meaning stands in another sentence, or that only the listener knows.
_POINTS = re.compile(
    r"\b(?:it|its|they|them|their|he|him|his|she|her|hers|this|these|those|that|there|then|here|such|same|one|ones|"
    r"you|your|yours|yourself|we|us|our|ours|too|either|neither|so|else)\b",
    re.IGNORECASE,
)
#: Of those, what joins the halves of a sentence, or belongs to somebody named before it in the same sentence.
_WITHIN = frozenset("its their his her that so then there".split())
#: And what opens a half of a sentence and stands for something named in the other: "a bike, and it is red".
_OPENS_HALF = re.compile(
    r"(?:[,;:\u2013\u2014-]|\b(?:and|but|because|since|so|that|when|as|though|while))\s+$", re.IGNORECASE
)
_SUBJECTS = frozenset("it they he she".split())
#: What is not yet so, or only thought.
_UNSURE = re.compile(
    r"\b(?:if|unless|maybe|perhaps|probably|possibly|wish|guess|suppose|wonder|hopefully|would|wouldn't|should|"
    r"might|could|not sure|i think|i feel|i hope|let['\u2019]?s|let me)\b|\bI['\u2019]d\b|\b(?-i:may)\b"
    r"|\b(?:kidding|joking|all ears)\b|\bhave (?:\w+ ){1,2}(?:questions?|remarks?|comments?|suggestions?|options?)\b",
    re.IGNORECASE,
)
#: What stands before a fact and is no part of it.
_OPENS = re.compile(
    r"^(?:(?:oh|ah|well|yes|yeah|yep|no|ok|okay|actually|by the way|btw|and|but|also|so|hi|hey|hello"
    r"|(?:please )?(?:remember|note) that|just so you know)\b[,!. ]*)+",
    re.IGNORECASE,
)
_FEWEST_WORDS, _MOST_WORDS = 3, 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """One fact, and who is quoted with it where it is not in the third person."""

    text: str
    speaker: str | None
    #: The type that the rules see in it.
    type: str


def facts_in(text: str, *, name: str | None, role: str) -> Sequence[Fact]:
    """The facts of one message; ``name`` is its speaker's, where anybody knows it.

    What an assistant says is no fact about the person it speaks to, unless it is a person with a name.
    """
    if role != "user" and name is None:
        return ()
    english = is_english(text)
    facts = (_read(" ".join(sentence.split()), name, role, english) for sentence in sentences(text))
    return list(dict.fromkeys(fact for fact in facts if fact is not None))


def _read(sentence: str, name: str | None, role: str, english: bool) -> Fact | None:  # noqa: FBT001 - of the message
    if speaks_english(sentence):
        return _fact(sentence, name, role)
    english = english and not _I.search(sentence) and not may_be_another(sentence)
    fact = _fact(sentence, name, role) if english else None
    return fact or _fact_elsewhere(sentence, name, role)


def _fact_elsewhere(sentence: str, name: str | None, role: str) -> Fact | None:
    """The fact in a sentence of another language."""
    telling = elsewhere.telling(sentence)
    if telling is None:
        return None
    about = telling.in_third_person(name) if name else None
    return Fact(text=about or telling.text, speaker=None if about else name or role, type=telling.type)


def _fact(sentence: str, name: str | None, role: str) -> Fact | None:
    plain = _OPENS.sub("", uncalled(sentence)).strip()
    plain = plain.lstrip(" ,;:.-!")
    plain = plain[:1].upper() + plain[1:]
    if not _stands_alone(plain):
        return None
    labels = extract(plain, speaker=name or role)
    if labels.type not in _TELLING or labels.person is None:
        return None
    about = in_third_person(plain, name) if name else None
    return Fact(text=about or plain, speaker=None if about else name or role, type=labels.type)


def _stands_alone(sentence: str) -> bool:
    if is_question(sentence) or asks(sentence) or is_small_talk(sentence) or hollow(sentence):
        return False
    if is_reaction(sentence) or is_fragment(sentence) or tells_listener(sentence) or _POINTS_BACK.match(sentence):
        return False
    number = sum(1 for _ in words(sentence))
    if not _FEWEST_WORDS <= number <= _MOST_WORDS or _UNSURE.search(sentence) or "[" in sentence:
        return False
    tells = bool(telling_in(sentence)) or (number > _FEWEST_WORDS and bool(numbers(sentence)))
    return tells and _of_somebody(sentence) and not _asks_for(sentence) and not _points(sentence)


def _of_somebody(sentence: str) -> bool:
    """Whether its speaker or somebody with a name is in it: what is so of a thing is so of nobody."""
    return _FIRST.search(sentence) is not None or bool(names(sentence))


def _asks_for(sentence: str) -> bool:
    """Whether it is, or may be, a request: it opens with a verb, with "don't" or with "please"."""
    first = next(iter(words(sentence)), "").replace("\u2019", "'")
    return first in {"please", "don't", "do"} or (first in FORMS and "base" in FORMS[first].kinds)


def _points(sentence: str) -> bool:
    """Whether a word of it has its meaning elsewhere."""
    for match in _POINTS.finditer(sentence):
        word, before = match[0].casefold(), sentence[: match.start()]
        joins = word in _WITHIN or (word in _SUBJECTS and _OPENS_HALF.search(before) is not None)
        nouns = (other for other in words(before) if other not in FORMS and other not in STOP_WORDS)
        if not joins or not any(len(noun) > 2 for noun in nouns):
            return True
    return False
