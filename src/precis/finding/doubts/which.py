"""Which of several is meant, where a request says that beside them: "Chase, the guy from the gym".

So does a clause of its own that names a thing: "I quit the gym, you can forget my membership" means that of the gym.
Where some memories have what it names, those that have it not are in doubt.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from precis.finding.framing import CLAUSE, only_asks, sorts_of
from precis.finding.parts import Subject
from precis.finding.reading import Word, folded, read_words
from precis.finding.tables import framed_languages, languages, name_words, words_of
from precis.finding.values import Finding, Level, Row
from precis.language.words import STOP_WORDS

_WHY = "the request says which one is meant, and it does not say that"
_NAME = r"(?P<name>[^\W\d_][\w'\u2019-]+),\s+"
_ARTICLES = "|".join(sorted({word for language in framed_languages() for word in words_of(language, "articles")}))
#: Somebody, by a word that says no more than that, and behind it from where or by what they are known.
_WHO = re.compile(
    rf"{_NAME}(?:(?:{_ARTICLES})\s+|l['\u2019])?(?:{'|'.join(sorted(name_words('anybody')))})\s+"
    r"(?P<which>[^,;:.!?]+)(?=[,;:.!?]|$)",
    re.IGNORECASE,
)
#: So many letters of a word are the same in all of its forms; a shorter word is whole.
_ROOT, _ENDING = 4, 2
#: Longest clause that says which one is meant, in words.
_MOST = 10


def without_which(text: str) -> tuple[str, tuple[str, ...]]:
    """A request without what says beside a name which one is meant, and the words of that; none where it says none."""
    match = _WHO.search(text)
    if match is None or not match["name"][0].isupper() or _asks(match["name"]):
        return text, ()
    words = tuple(word.low for word in read_words(match["which"]) if _tells(word))
    return (f"{text[: match.end('name')]}{text[match.end() :]}", words) if words else (text, ())


def _asks(word: str) -> bool:
    """Whether it asks to forget in any language: "Vergiss, die Frau ..."."""
    return any(only_asks(folded(word), language) for language in languages())


def named_beside(text: str, subjects: Sequence[Subject], language: str) -> tuple[str, ...]:
    """The things that the clauses of a request name which ask for nothing: of "I quit the gym, ..." the gym."""
    clauses = [clause for clause in CLAUSE.split(text) if clause.strip()]
    own = {word.low for subject in subjects for word in read_words(subject.text)}
    if len(clauses) < 2 or not own or any(subject.names or not subject.parts for subject in subjects):
        return ()
    articles = {*words_of(language, "articles"), *words_of(language, "first"), *name_words("articles_joined")}
    things = list[str]()
    for clause in clauses:
        words = read_words(clause)
        sorts = sorts_of(clause, language) if language in framed_languages() else []
        if (
            not {"keeps", "denies"}.isdisjoint(sorts)
            or len(words) > _MOST
            or not own.isdisjoint(word.low for word in words if _tells(word))
        ):
            continue
        things += [
            word.low
            for before, word in pairwise(words)
            if _tells(word) and (before.low in articles or (word.capital and language != "de"))
        ]
    return tuple(things)


def narrowed(which: Sequence[str], rows: Sequence[Row], known: dict[str, Finding]) -> None:
    """Put in doubt what is sure and does not have what says which one is meant, where something sure has it."""
    meant = [row for row in rows if row.id in known and known[row.id].level >= Level.DOUBTFUL] if which else []
    fitting = {row.id for row in meant if any(_has(folded(row.text), word) for word in which)}
    for row in meant if fitting else ():
        if row.id not in fitting and known[row.id].level is Level.SURE:
            known[row.id] = replace(known[row.id], level=Level.DOUBTFUL, why=_WHY)


def _tells(word: Word) -> bool:
    """Whether it is no small word."""
    return len(word.low) > 1 and word.low not in STOP_WORDS and word.low not in name_words("prepositions")


def _has(low: str, word: str) -> bool:
    root = word[: max(_ROOT, len(word) - _ENDING)]
    return re.search(rf"(?<![^\W_]){re.escape(root)}", low) is not None
