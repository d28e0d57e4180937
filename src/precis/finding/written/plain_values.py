"""A sentence that only says what something is by a figure, and names nobody: "Adesso l'affitto è di 780 euro"."""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from precis.finding.reading import UNSPACED, Word, folded, read_words
from precis.finding.tables import all_words, name_words, words_of
from precis.finding.values import Span
from precis.finding.written.speaking import OF
from precis.language.values import unit_of

#: What may stand beside it where no space sets words apart: figures, units, times and endings.
_UNSPACED = re.compile(
    "[\\d\\s,.:\uff0e\uff0c\u3001\u3002\u306e\u306f\u3067\u3059\u3060\u3063\u305f\u4eca\u524d\u6708\u5e74\u65e5\u5186\u4e07\u5343\u767e\u5143\u5757\u516c\u65a4\u30ad\u30ed\u671d\u6628\u6bce\u5206\u6642\u662f\u73b0\u5728]*"
)
_YES = re.compile("^(?:\u306f\u3044|\u3046\u3093|\u3048\u3048|\u55ef)\u3001?")


def tells_only_a_value(sentence: str, subject: Collection[Span]) -> bool:
    """Whether a sentence has what was asked for and a figure, and else only small words and words of time."""
    if not subject or not any(map(str.isdigit, sentence)):
        return False
    if UNSPACED.search(sentence):
        rest = "".join(sign for at, sign in enumerate(sentence) if not any(s <= at < e for s, e in subject))
        return _UNSPACED.fullmatch(_YES.sub("", rest)) is not None
    words = [word for word in read_words(sentence) if not any(s < word.end and word.start < e for s, e in subject)]
    return all(map(_says_little, words))


def _says_little(word: Word) -> bool:
    if any(map(str.isdigit, word.text)):
        return True
    small = (
        name_words("articles") | all_words("articles") | OF | name_words("copulas") | name_words("hindi_verbs")
        | name_words("present") | name_words("alike_now") | name_words("beside_values") | name_words("caseless_of")
    )  # fmt: skip
    return word.low in small or bool(unit_of(word.low)) or folded(word.text).strip("$\u20ac\u00a3") == ""


def behind_all(words: Sequence[Word], spans: Collection[Span]) -> int | None:
    """Where the word begins that follows what was found."""
    ends = {end for _, end in spans}
    return next((word.start for before, word in pairwise(words) if before.end in ends), None)


def only_object(words: Sequence[Word], own: Collection[str], subject: Collection[Span], language: str) -> bool:
    """Whether something with an article does something to the user, and is not called theirs: "El perro me sigue"."""
    owners = [word for word in words if word.low in own]
    objects, articles = words_of(language, "objects"), words_of(language, "articles")
    acting = words[0].low in articles and any(start == words[min(1, len(words) - 1)].start for start, _ in subject)
    return acting and bool(owners) and all(word.low in objects for word in owners)
