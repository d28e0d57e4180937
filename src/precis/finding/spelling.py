"""Slips of typing in an English request: "forgett everythign about my adress"."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from precis.finding.framing import only_asks
from precis.finding.kinds import is_person
from precis.finding.nouns import english, known, nouns
from precis.finding.reading import read_words
from precis.finding.tables import name_words, request_words, sayings
from precis.finding.written.languages import language_of
from precis.language.tokens import token
from precis.language.verbs import form_of
from precis.language.words import STOP_WORDS

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_WORD = re.compile(r"(?<![\w'\u2019.@/-])[A-Za-z]{4,}(?![\w'\u2019@/-]|\.\w)")
#: "im", "ive", "dont": without their apostrophe.
_CONTRACTED = re.compile(r"(?<![\w'\u2019])(i)(m|ve)(?= [a-z])", re.IGNORECASE)
_IN_LAW = re.compile(r"\b(mother|father|parent|brother|sister|son|daughter) in law(s?)\b", re.IGNORECASE)
#: "my sisters name": the apostrophe is missing there.
_PERSONS = re.compile(rf"(?<=\b)([a-z]{{3,}})s(?= (?:{'|'.join(sorted(name_words('had_by_each')))})\b)", re.IGNORECASE)
_Lists = Sequence[tuple[Callable[[str], bool], int]]
#: Shorter words are one slip away from too many others; those that requests are made of may have this length.
_LONG, _SHORT = 5, 4


#: What most requests are put in.
_ASKED = name_words("request_frame")

#: Before a request, in the languages of it.
_GREETS = re.compile(rf"^(?:{'|'.join(sayings('greets')[0].split())})[,!]\s+(?=\S)", re.IGNORECASE)


def with_known_frame(what: str) -> str:
    """A request without its greeting, and with the words that it is put in corrected: "Hey, delte everythign"."""
    rest = _GREETS.sub("", what)  # of English it is a part of the frame
    language = _language_of(rest)
    if language != "en":
        what = rest
    elif rest != what:
        language = _language_of(what)
    if language == "en":
        what = _IN_LAW.sub(r"\1-in-law\2", what)
        what = _WORD.sub(lambda match: _in_english(match[0]), what)
        what = _PERSONS.sub(lambda match: f"{match[1]}'s" if is_person(match[1].lower()) else match.group(), what)
        what = _CONTRACTED.sub(lambda match: f"{match[1]}'{match[2]}", what)
    return _corrected(what, [(_ASKED.__contains__, _SHORT)], _is_word)


def _language_of(what: str) -> str:
    return language_of([word.low for word in read_words(what)], what)


def corrected(what: str, whole: Callable[[str], bool]) -> tuple[str, bool]:
    """A request with each word corrected that is none and is one slip from just one that is, and whether that is sure.

    ``whole`` knows what is a word. Where another letter was meant it is in doubt: "salery" may be salary and celery.
    """
    text = with_known_frame(what)
    lists = [(request_words().__contains__, _LONG), (lambda word: whole(word) and known(word), _LONG)]
    is_word = lambda word: whole(word) or _is_word(word)  # noqa: E731
    sure = _corrected(text, lists, is_word, kinds=3)
    every = _corrected(text, lists, is_word)
    return every, sure == every


def _corrected(what: str, lists: _Lists, is_word: Callable[[str], bool], kinds: int = 4) -> str:
    if not what.isascii() or language_of([word.low for word in read_words(what)], what) != "en":
        return what
    return _WORD.sub(
        lambda match: (
            match.group()
            if is_word(match.group().lower()) or (match.group()[0].isupper() and match.start())
            else _word(match.group(), lists, kinds)
        ),
        what,
    )


def _word(word: str, lists: _Lists, kinds: int) -> str:
    """What was meant by a word that is none; the word itself where that is not clear."""
    for is_listed, shortest in lists:
        for kind in slips(word.lower())[:kinds] if len(word) >= shortest else ():
            near = {form for form in kind if form != word.lower() and is_listed(form)}
            if near:
                return min(near) if len({_lemma(form) for form in near}) == 1 else word
    return word


def _lemma(word: str) -> str:
    """What a word is a form of: "forget" and "forgot" ask the same."""
    form = form_of(token(word))
    return form.lemma if form else word


@lru_cache(maxsize=1024)
def slips(word: str) -> tuple[frozenset[str], ...]:
    """What may have been meant, by the slip, the likeliest first; hardly anybody mistypes the first letter."""
    cuts = [(word[:at], word[at:]) for at in range(1, len(word) + 1)]
    turned = frozenset(f"{a}{b[1]}{b[0]}{b[2:]}" for a, b in cuts if len(b) > 1)
    doubled = frozenset(_doubled(word))
    missed = frozenset(f"{a}{letter}{b}" for a, b in cuts for letter in _LETTERS)
    more = frozenset(f"{a}{b[1:]}" for a, b in cuts if b)
    other = frozenset(f"{a}{letter}{b[1:]}" for a, b in cuts if b for letter in _LETTERS)
    return turned, doubled, missed | more, other


def _doubled(word: str) -> Iterator[str]:
    """A letter twice in place of once, or once in place of twice."""
    for at, letter in enumerate(word):
        yield f"{word[: at + 1]}{letter}{word[at + 1 :]}"
        if word[at + 1 : at + 2] == letter:
            yield f"{word[:at]}{word[at + 1 :]}"


def _in_english(word: str) -> str:
    """What only a table of another language has, with the letter doubled or turned that English has so: "adress"."""
    if word in STOP_WORDS or word in english() or known(word) or form_of(token(word)) or word not in request_words():
        return word
    near = {it for kind in slips(word)[:2] for it in kind if it != word and it in request_words() and known(it)}
    return near.pop() if len(word) >= _LONG and len(near) == 1 else word


@lru_cache(maxsize=4096)
def _is_word(low: str) -> bool:
    return (
        low in STOP_WORDS
        or only_asks(low, "en")
        or low in request_words()
        or form_of(token(low)) is not None
        or low.endswith("ly")
        or low in nouns().deeds
        or low in name_words("given")
        or low in name_words("weak")
        or low in english()
        or known(low)
    )
