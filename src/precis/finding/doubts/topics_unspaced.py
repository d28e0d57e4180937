"""Whether a memory without spaces tells of its topic what a request says of the user: "Kenta keeps a dog" of "I do"."""

import re
from collections.abc import Sequence

from precis.finding.parts import Subject
from precis.finding.reading import HANGUL, UNSPACED, folded, sentence_spans, users_of
from precis.finding.tables import name_words, words_of
from precis.finding.values import Span

#: What marks whom a Japanese or Korean sentence is about, and the most signs before it.
_TOPIC = {
    "ja": re.compile("^\\W*(?P<who>[^\\s\u3001\u3002,]{1,12}?)(?:\u306f|\u304c|\u3082)"),
    "ko": re.compile("^\\W*(?P<who>[^\\s,]{1,8}?)(?:\uc740|\ub294|\uc774|\uac00|\ub3c4)(?=\\s)"),
}


def topic_of(text: str) -> str | None:
    """Whom or what a Japanese clause is about; None where it has no topic."""
    topic = _TOPIC["ja"].match(folded(text))
    return topic["who"] if topic else None


def told_of_topic(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether all that fits a clause about the user is told of somebody else, by whom the sentence opens."""
    topic = _TOPIC.get(subject.language)
    if topic is None or not (UNSPACED.search(text) or HANGUL.search(text)):
        return False
    first = tuple(filter(None, (*words_of(subject.language, "first"), *users_of(()), *name_words("users_unspaced"))))
    asked = folded(subject.text)
    opening = topic.match(asked)
    if opening is None or not opening["who"].startswith(first):
        return False
    told = [
        text[start:end] for start, end in sentence_spans(text) if any(start < last and at < end for at, last in spans)
    ]
    return bool(told) and all(_is_of_another(topic.match(folded(it)), first, asked) for it in told)


def _is_of_another(opening: re.Match[str] | None, first: tuple[str, ...], asked: str) -> bool:
    """Whether a sentence opens with whom it is about, who is neither the user nor a word of the request."""
    if opening is None or opening["who"].startswith(first):
        return False
    return opening["who"] not in asked
