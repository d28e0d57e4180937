"""What is chosen last in a talk: advice, offers, and truths about everybody. In doubt a sentence is none of them."""

from __future__ import annotations

import re

from precis.checks.reactions import (
    advises,
    is_reaction,
    is_scrap,
    speaks_of_somebody,
    states,
    tells_listener,
    to_listener,
    without_offer,
)
from precis.language import tables
from precis.language.chitchat import hollow
from precis.language.grammar import FORMS
from precis.language.sentences import is_question, sentences
from precis.language.words import content, words

_JOINTS = r"\W*(?:(?:and|but|so|also|well|sometimes|however|additionally|besides|finally|moreover|of course)\b\W*)*"
_IS = r"(?:['\u2019]s|\s(?:is|are|isn['\u2019]t|aren['\u2019]t|(?:can|may|might|must) be|feels|seems|sounds))"
_OWN = r"(?:has|have) (?:(?:his|her|its|their) )?(?:\w+ )?own"
_DOES = rf"(?:can|can['\u2019]t|cannot|may|might|should|must|helps?|makes?|brings?|takes?|gives?|means?|allows?|{_OWN})"
#: "Life", "Saving money", "Safety", "Small steps", "Warm weather": whom or what a truth about everybody is about.
_EVERYBODY = (
    rf"(?:(?:{tables.choices('reactions.everybody')})\b|\w{{2,}}ing\b"
    rf"|(?:\w+[ -])?(?:(?:{tables.choices('reactions.abstract')})"
    r"|\w{3,}(?:tion|ness|ment|ity|ship|ance|ence|ety|ism|ery)s?)\b)"
)
_PLURAL = r"[^\W\d_]{3,}(?<![su])s (?:and )?(?:[^\W\d_]+ )?"
_ADVERBS = r"(?:\w+ly |indeed |also |all |always |never |not |so |very |really |quite |just |often )*"
_VALUED = rf"{_ADVERBS}(?:{tables.choices('reactions.valued')})\b"
_FRAMED = rf"{_ADVERBS}(?:{tables.choices('reactions.framed')})\b"
_GENERAL = tuple(
    re.compile(_JOINTS + pattern, re.IGNORECASE)
    for pattern in (
        rf"{_EVERYBODY}[^,;:]*?(?:\s{_DOES}\b|{_IS} (?:(?:such )?{_VALUED}|{_ADVERBS}(?:such )?an? \w))",
        r"an? (?:[^\W\d_]+ ){1,3}(?:always|often|usually|never|sometimes) ",
        rf"{_PLURAL}(?:(?:bring|make|take|give|help|mean|allow|matter|count|have (?:such|so))\b|are {_VALUED})",
        rf"{_EVERYBODY} (?:{tables.choices('reactions.does')})\b",
        # Whatever it is of which is said what it is to anybody: "Yoga is a great way to relax."
        rf"[^\W\d_][^,;:]{{1,60}}?{_IS} {_FRAMED}",
    )
)
#: What people say of everybody, word for word.
_SAYING = re.compile(rf"{_JOINTS}(?:{tables.choices('reactions.sayings')})\W*$", re.IGNORECASE)
#: "Friends" and "kids" are anybody's where nobody owns them.
_ANYBODY = re.compile(rf"^{_JOINTS}(?:friends|kids|children|parents|families|we all)\b", re.IGNORECASE)
#: Something in particular, or a moment: no truth about everybody.
_PARTICULAR = re.compile(
    rf"^{_JOINTS}(?:the|this|that|these|those|it|they|there|here|what|all|both|your)\b"
    r"|\b(?:today|now|currently|lately|recently|here|already|yet|still|this|these|those|anymore|due|ready)\b"
    r"|(?<!^)\bthe\b(?! (?:most|best|only|same|right|key|first|\w+est)\b)",
    re.IGNORECASE,
)


def tells_of_nobody(message: str) -> bool:
    """Whether each sentence of a message in a talk reacts, asks, advises, or is a figure, a name or a cry alone."""
    parts = sentences(message)
    return bool(parts) and all(
        hollow(part) or is_question(part) or is_scrap(part) or is_reaction(part) or is_aside(part) for part in parts
    )


def is_aside(sentence: str) -> bool:
    """Whether it says nothing of anybody: what the other may do, what is offered, what holds of everybody."""
    if is_general(sentence):
        return True
    if "[" in sentence or states(sentence) or speaks_of_somebody(without_offer(sentence)):
        return False
    return advises(sentence) or commands(sentence) or (to_listener(sentence) and not tells_listener(sentence))


def is_general(sentence: str) -> bool:
    """Whether a sentence without a person, a figure or a name says in the present what holds of everybody."""
    if _SAYING.match(sentence):
        return True
    if "[" in sentence or states(sentence) or speaks_of_somebody(_ANYBODY.sub("", sentence)):
        return False
    if _PARTICULAR.search(sentence) or any(map(_past, words(sentence))):
        return False
    return any(pattern.match(sentence) for pattern in _GENERAL)


def commands(sentence: str) -> bool:
    """Whether it is an order of one word: "Wake up". "Keep answers short" and "Use emojis" are what somebody wants."""
    form = FORMS.get(next(words(sentence), ""))
    return form is not None and form.kinds == {"base"} and len(content(sentence)) <= 1


def _past(word: str) -> bool:
    form = FORMS.get(word)
    return form is not None and "past" in form.kinds and form.kinds.isdisjoint({"base", "participle"})
