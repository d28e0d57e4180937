"""What somebody of the user's is called, where their name was asked for: "My boss is called Ana"."""

import re
from collections.abc import Sequence

from precis.finding.parts import NAMING, Subject
from precis.finding.reading import (
    UNSPACED,
    Word,
    folded,
    is_caseless,
    read_words,
    sentence_spans,
    word_from,
    words_before,
)
from precis.finding.tables import all_words, name_words
from precis.finding.values import Span
from precis.finding.written.beings import is_being
from precis.finding.written.named import PEOPLE

#: Verbs and nouns behind somebody that say what they are called.
_CALLED = frozenset("called named name".split())
_FORMER = frozenset("old former previous ex late first".split())
#: So many words may stand between somebody and what says that a name follows: "is now called".
_BETWEEN = 2
#: A name has so many words at most.
_NAME = 4
#: "\u79c1\u306e\u6b6f\u533b\u8005\u306f\u5c0f\u91ce\u5bfa\u5148\u751f\u3067\u3059", of the dentist.
_UNSPACED_NAME = re.compile(
    "[\u306f\u53eb\u662f][^\u3001\u3002\uff0c]{1,12}"
    "(?:(?:\u5148\u751f|\u3055\u3093|\u6c0f|\u69d8)(?:\u3067\u3059|\u3060)?|\u533b\u751f|\u8001\u5e08)[\u3002.!\uff01]?$"
)


def tells_name(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether somebody who was asked for is said to be called so, and nobody of theirs."""
    if not any(part.groups == NAMING for part in subject.parts):
        return False
    words = read_words(text)
    for start, end in spans:
        if not is_being(folded(text[start:end]).removesuffix("'s")):
            continue
        at, behind = word_from(words, start), words_before(words, end)
        if at and words[at - 1].low in _FORMER:
            continue
        if _is_called(words[behind : behind + _BETWEEN + 2]):
            return True
    return False


def is_name_of(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether a text says who somebody of the user's is, by a name, and nothing else: "Mi dentista es la dra. Sol".

    Of two sentences it is one that says so.
    """
    if not subject.mine or not any(part.groups == NAMING for part in subject.parts):
        return False
    if not any(is_being(part.word) or not PEOPLE.isdisjoint(part.roots) for part in subject.parts):
        return False
    asked = set(spans)
    sentences = [(start, end) for start, end in sentence_spans(text) if any(start <= at < end for at, _ in asked)]
    return bool(sentences) and all(_says_who(text, sentence, asked) for sentence in sentences)


def _says_who(text: str, sentence: Span, asked: set[Span]) -> bool:
    start, end = sentence
    if UNSPACED.search(text[start:end]):
        first = tuple(filter(None, all_words("first")))
        return folded(text[start:end]).startswith(first) and _UNSPACED_NAME.search(text[start:end]) is not None
    words = [word for word in read_words(text) if start <= word.start < end]
    at = next((place for place, word in enumerate(words) if (word.start, word.end) in asked), 0)
    before, behind = words[:at], words[at + 1 :]
    articles = name_words("articles") | all_words("articles")
    own = bool(before) and before[-1].low in all_words("first") and all(it.low in articles for it in before[:-1])
    if not own or not behind:
        return False
    copulas = name_words("copulas") | name_words("hindi_verbs")
    joined = behind[0].low in copulas or "\u2014" in behind[0].gap or "\u2013" in behind[0].gap
    called = [word for word in behind if word.low not in copulas | articles]
    titled = [word for word in called if word.low in name_words("titles")]
    names = [word for word in called if word not in titled]
    caseless = all(is_caseless(word.text) for word in called)
    named = 0 < len(names) <= _NAME and (caseless or all(word.capital for word in names))
    # "My dentist is Norwegian" names nobody.
    named = named and (bool(titled) or (not caseless and (len(names) > 1 or names[0].low in name_words("given"))))
    return named and (joined or caseless) and not any("," in word.gap for word in called[1:])


def _is_called(words: Sequence[Word]) -> bool:
    """Whether a verb of naming follows, and then a name."""
    place = next((at for at, word in enumerate(words) if word.low in _CALLED), None)
    if place is None or any(word.gap != " " for word in words[: place + 1]):
        return False
    before = all(word.low in name_words("copulas") | name_words("present") for word in words[:place])
    behind = [word for word in words[place + 1 :] if word.low not in name_words("copulas")]
    return before and bool(behind) and behind[0].capital
