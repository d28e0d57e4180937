"""What says of a memory only that it was spoken or written: "quello che ci siamo detti", "我们聊的内容".

Such a clause is no topic. It is known by a verb of speaking in any person, or a noun of what is said, among words that
are all of such clauses (``words/speaking.toml``).
"""

import re
from collections.abc import Callable, Collection, Iterator
from enum import IntEnum
from functools import cache

from precis.finding.reading import folded
from precis.finding.tables import speaking, whole_words
from precis.language.words import MARKS

_SORTS = ("told", "forms", "does", "talks", "persons", "both", "mine", "ours", "passive", "light")
_OF_OTHERS = ("others", "about")
_ABOUT = re.compile(
    "(?<=[\uac00-\ud7a3])\uc5d0 (?=(?:\ub300\ud574\uc11c?|\uad00\ud574\uc11c?|\uad00\ub828\ud574)(?!\\w))"
)
#: A person of Japanese who is no owner.
_ACTS = re.compile(r"[\u304c\u306f\u3082\u3067\u3068]\s*$")
WORD = re.compile(rf"[^\W_][\w{MARKS}]*")
#: Scripts that set no spaces.
JOINED = frozenset({"zh", "ja"})
#: Languages whose verbs say nothing of who speaks, and need not have it beside them.
_LEAVES_OUT = JOINED | {"ko", "hi", "vi"}


class Speaker(IntEnum):
    """Who said what is meant."""

    #: Nothing is asked of who said it.
    UNASKED = 0
    USER = 1
    #: The language leaves out who: the user, or whoever spoke.
    LEFT_OUT = 2
    #: The user and whoever they spoke with: "what we said".
    BOTH = 3
    ANYBODY = 4


def without_speaking(text: str, language: str, bare: Callable[[str], str]) -> tuple[str, Speaker]:
    """A text without the clause of speaking in it, and who speaks; ``bare`` is what is left of a request to be read.

    Where nobody is named who speaks, it is one only where nothing else is left.
    """
    if language not in speaking():
        return text, Speaker.UNASKED
    text = without_particle(text)
    opening = (0, 0)
    acting: frozenset[str] = frozenset()
    for start, end, own in _runs(text, language):
        spoken = bool(own & {"told", "forms"}) or own.issuperset({"does", "talks"})
        if not (spoken or "talks" in own):
            if own & {"persons", "both"} and "brackets" in speaking()[language] and _may_act(text[start:end], language):
                opening, acting = (start, end), own & {"persons", "both"}
            continue
        sorts = own | acting if spoken else own
        before = f"{text[: opening[0]]} {text[opening[1] : start]}" if spoken else text[:start]
        rest = " ".join(f"{before} {text[end:]}".split())
        named = bool(sorts & {"told", "persons", "both", "passive"})
        if (spoken and named) or ((language in _LEAVES_OUT or not spoken) and not bare(rest)):
            return rest, _speaker(sorts, spoken=spoken)
    return text, Speaker.UNASKED


@cache
def speaking_words(language: str) -> frozenset[str]:
    """Words for whoever speaks, or for nobody, which are no names."""
    listed = speaking().get(language, {})
    return frozenset(folded(it) for sort in ("persons", "both", "passive") for it in listed.get(sort, "").split())


def without_particle(text: str) -> str:
    """A Korean text without what stands behind a topic before "about"."""
    return _ABOUT.sub(" ", text)


def _speaker(sorts: frozenset[str], *, spoken: bool) -> Speaker:
    if sorts & {"both", "ours"}:
        return Speaker.BOTH
    if "passive" in sorts:
        return Speaker.ANYBODY
    if sorts & {"told", "persons", "mine"}:
        return Speaker.USER
    return Speaker.LEFT_OUT if spoken else Speaker.ANYBODY


def _may_act(words: str, language: str) -> bool:
    return language != "ja" or _ACTS.search(words) is not None


def _runs(text: str, language: str) -> Iterator[tuple[int, int, frozenset[str]]]:
    """Where words stand together that are all of such clauses, and of which sorts they are."""
    if language in JOINED:
        for match in _joined(language).finditer(text):
            words = [each.group() for each in _tokens(language).finditer(match.group())]
            yield match.start(), match.end(), frozenset[str]().union(*(sorts_of_word(word, language) for word in words))
        return
    start, end, sorts = 0, 0, set[str]()
    for match in WORD.finditer(text):
        own = sorts_of_word(match.group(), language).difference(_OF_OTHERS)
        if not own:
            if sorts:
                yield start, end, frozenset(sorts)
            sorts = set()
            continue
        start = start if sorts else match.start()
        end = match.end()
        sorts |= own
    if sorts:
        yield start, end, frozenset(sorts)


@cache
def _expressions(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    listed = speaking()[language]
    words = {sort: [folded(it) for it in listed.get(sort, "").split()] for sort in (*_SORTS, *_OF_OTHERS)}
    return tuple((sort, whole_words(own)) for sort, own in words.items())


def sorts_of_word(word: str, language: str) -> set[str]:
    """Of what sorts a word is, as the table has them."""
    low = folded(word)
    return {sort for sort, pattern in _expressions(language) if pattern.fullmatch(low)}


def expression_of(language: str, sorts: Collection[str]) -> re.Pattern[str]:
    """Words of these sorts in a script without spaces, the longest first."""
    words = {word for sort in sorts for word in speaking()[language].get(sort, "").split()}
    return re.compile("|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word)))))


@cache
def _tokens(language: str) -> re.Pattern[str]:
    return expression_of(language, _SORTS)


@cache
def _joined(language: str) -> re.Pattern[str]:
    return re.compile(rf"(?:(?:{_tokens(language).pattern})\s*)+")
