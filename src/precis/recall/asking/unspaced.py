"""A question in a script without spaces, without the small words and endings that it is put with. Pure.

Cut into pairs of characters, an ending such as "ました" would be found in any sentence that tells of what is over.
"""

import re
from collections.abc import Collection, Mapping

from precis.language import tables
from precis.language.words import kept_where_short

_KANA, _IDEOGRAPH = re.compile(r"[\u3040-\u30ff]"), re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_CHINESE = re.compile(tables.choices("questions.small_unspaced.Chinese"))
_ASKING = re.compile(tables.choices("questions.small_unspaced.Japanese"))
_GRAMMAR = tables.choices("questions.small_unspaced.Japanese_grammar")
#: A run of hiragana, and whether it stands behind a character that may be of the same word: there a verb begins its
#: ending with up to three of its own.
_RUN = re.compile(r"(?P<before>[\u30a0-\u30ff\u4e00-\u9fffA-Za-z0-9])?(?P<run>[\u3041-\u309f]+)")
_ALL, _ENDING = re.compile(rf"(?:{_GRAMMAR})+"), re.compile(rf".{{0,3}}?(?:{_GRAMMAR})+")
_OPENS = re.compile(tables.choices("questions.small_unspaced.Japanese_particles"))
_CLOSES = re.compile(rf"(?:{tables.choices('questions.small_unspaced.Japanese_ending')})+$")


#: What is put with several words, by the one to look for.
_AS_ONE = {
    word: re.compile(tables.choices(f"questions.measures_unspaced.{word}"))
    for word in tables.section("questions.measures_unspaced")
}


@kept_where_short
def bare(text: str) -> str:
    """A text without the small words of Chinese or Japanese; as it is where it is in neither, or has nothing else."""
    if text.isascii() or not _IDEOGRAPH.search(text):
        return text
    for word, put in _AS_ONE.items():
        text = put.sub(f" {word} ", text)
    rest = _RUN.sub(_without_grammar, _ASKING.sub(" ", text)) if _KANA.search(text) else _CHINESE.sub(" ", text)
    return rest if re.search(r"\w", rest) else text


def _without_grammar(match: re.Match[str]) -> str:
    before, run = match["before"] or "", match["run"]
    if _ALL.fullmatch(run) or (before and _ENDING.fullmatch(run)):
        return f"{before} "
    rest = _CLOSES.sub(" ", run)
    return f"{before}{_OPENS.sub(' ', rest, count=1) if before and _OPENS.match(rest) else rest}"


def without_parts(terms: Collection[str], told: Mapping[str, str]) -> list[str]:
    """The terms of a question without single characters of a word that may be told in others."""
    parts = frozenset("".join(term for term in set(told.values()) if _IDEOGRAPH.search(term) and len(term) > 1))
    return [term for term in terms if term not in parts]


def parts_of_words(terms: Collection[str]) -> frozenset[str]:
    """Those of the terms that are single characters of longer ones: they may be of another word, as 母 of 祖母."""
    longer = "".join(term for term in terms if len(term) > 1)
    return frozenset(term for term in terms if len(term) == 1 and _IDEOGRAPH.match(term) and term in longer)
