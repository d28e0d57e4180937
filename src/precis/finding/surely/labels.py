"""A note that is a label and what it stands for, and says of nobody whose that is: "Card PIN: 7306"."""

import re
from collections.abc import Collection, Sequence

from precis.finding.kinds import is_person
from precis.finding.names import people
from precis.finding.parts import Subject
from precis.finding.reading import folded, read_words, sentence_spans
from precis.finding.tables import name_words
from precis.finding.values import Span
from precis.finding.written.beings import is_being
from precis.language.words import STOP_WORDS, stem

#: A label, what parts it from its value, and the value.
_LABEL = re.compile(r"\s*([^:：=\n]{2,40}?)\s*[:：=]\s*(\S[^\n]*)$")
#: A label has at most so many words, and says what a number is as well.
_MOST, _NUMBERS = 4, frozenset("number no nr num".split())


def labels_it(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether a note of one sentence begins with what was asked for as a label, and names nobody else."""
    match = _LABEL.match(text)
    if match is None or len(sentence_spans(text)) > 1:
        return False
    label, value = read_words(match[1]), match[2]
    if not label or len(label) > _MOST or not any(start <= match.start(1) < end for start, end in spans):
        return False
    if subject.numbered and not any(map(str.isdigit, value)):
        return False
    asked = {stem(word.low) for word in read_words(subject.text)}
    plain = all(stem(word.low) in asked or word.low in _NUMBERS for word in label)
    return plain and not _names_another(value, asked)


def _names_another(value: str, asked: Collection[str]) -> bool:
    """Whether somebody is spoken of behind a label, or it is said of what or whom it is."""
    words = read_words(value)
    if people(value) or any(word.owns for word in words):
        return True
    others = (word for word in words if not word.text[0].isdigit() and stem(word.low) not in asked)
    of = name_words("prepositions") | {"of", "for"}
    return any(
        word.low in of
        or (word.low not in STOP_WORDS and not word.capital and (is_person(word.low) or is_being(word.low)))
        for word in others
        if folded(word.text) not in {"e", "a", "b"}
    )
