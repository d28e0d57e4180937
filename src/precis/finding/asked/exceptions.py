"""What a request for everything leaves alone, in any of the languages of ``words/beyond.toml``.

"Forget everything except Ana's e-mail" has nothing beside the exception but words that requests are made of. Where that
is so it is read here; where words for an exception are read as none by anything, what is found may be what stays.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from precis import patterns as re
from precis.finding.about.bounds import kept_thing
from precis.finding.about.denials import without_mine
from precis.finding.asked.refusals import may_be_of_somebody
from precis.finding.beyond.tables import listed
from precis.finding.grounded.clauses import sort_of
from precis.finding.parts import Subject
from precis.finding.reading import read_words
from precis.finding.subjects import subjects_of
from precis.finding.tables import ground_languages, ground_phrases, ground_words, languages, patterns, words_of
from precis.finding.wording import EDGE

#: One of several is meant, and nobody knows which: "everything in this chat".
_POINTING = re.compile(r"\b(?:this|that|these|those) [a-z]", re.IGNORECASE)
#: What stays, in a phrase of the table.
_KEPT = "_"
_SORTS = ("denies", "forgets", "keeps", "every", "small")
#: Words of a request for everything: none of them names anything.
_WRAPPING = frozenset("forgets every small wraps judges tells stores first articles knows".split())


class Excepted(NamedTuple):
    """What a request for everything leaves alone, and the language of requests in which that is read."""

    keeps: tuple[Subject, ...]
    language: str
    #: The request without the exception.
    rest: str
    #: Whether it may mean all of somebody, or of one talk: "everything except her number".
    unclear: bool


def all_but(text: str) -> Excepted | None:
    """What stays where everything else is asked for; None where anything else is asked for, or all that is not mine."""
    language, kept, rest = next(_kept(text), ("", "", ""))
    if not kept or without_mine(f", not {kept}")[1]:
        return None
    language = language if language in languages() else "en"
    thirds = {*words_of(language, "third")} - {*words_of(language, "articles")}
    unclear = may_be_of_somebody(text) or any(word.low in thirds for word in read_words(kept))
    unclear = unclear or _POINTING.search(rest) is not None
    subjects = subjects_of(kept_thing(kept, language), language)
    return Excepted(tuple(subject for subject in subjects if not subject.empty), language, rest, unclear)


def _kept(text: str) -> Iterator[tuple[str, str, str]]:
    """The language of a request for everything, what stays in its words, and the rest."""
    for language, rest, kept in _splits(text):
        if _topic(kept, language):
            continue
        if _asks_for_all(rest, language):
            yield language, kept, rest
        taken, behind = _without_end(kept, language)
        if taken and _asks_for_all(f"{rest} {behind}", language):
            yield language, taken, f"{rest} {behind}"


def excepts(text: str) -> bool:
    """Whether a request has a word for everything, and words for an exception from it, of one language."""
    split = (_has(f"{rest} {kept}", "every", language) for language, rest, kept in _splits(text))
    return any(split) and not without_mine(text)[1]


def without_kept(text: str) -> tuple[str, str, str]:
    """The language of an exception from all of something, what stays, and the rest of the request; else nothing.

    "Except for her number, forget all about Ana": what stays goes on to a comma, or to a word that asks for the rest.
    """
    for language, rest, kept in _splits(text):
        stays, asks = _parted(kept, rest, language)
        if stays.strip(EDGE) and _has(asks, "every", language):
            return language, stays.strip(EDGE), asks.strip(EDGE)
    return "", "", text


def _parted(kept: str, rest: str, language: str) -> tuple[str, str]:
    """What stays, and the rest with the words before or behind that which ask for more of it."""
    topic = _topic(kept, language)
    words = read_words(kept)
    end = next((at for at, word in enumerate(words) if _asks(word.low, language)), len(words))
    if topic or ground_phrases(language) or end == len(words):
        return kept[topic:], f"{kept[:topic]} {rest}"
    while end and sort_of(words[end - 1].low, language) in _WRAPPING:
        end -= 1
    return kept[: words[end].start], f"{rest} {kept[words[end].start :]}"


def _topic(kept: str, language: str) -> int:
    """Where whom all of it is about ends, before what stays: "all about Min but the address"."""
    return max((match.end() for it in patterns(language, "topic") if (match := re.search(it, f"{kept} "))), default=0)


def _asks(low: str, language: str) -> bool:
    return _is(low, "forgets", language) or _is(low, "every", language)


def _splits(text: str) -> Iterator[tuple[str, str, str]]:
    """Each way to read an exception in it: the language, the rest, and what stays."""
    for language in ground_languages():
        for pattern in _patterns(language):
            match = pattern.search(text)
            kept = match["kept"].strip(EDGE) if match else ""
            if match and kept:
                yield language, f"{text[: match.start()]} {text[match.end() :]}".strip(), kept


@cache
def _patterns(language: str) -> Sequence[re.Pattern[str]]:
    """The phrases of a language, those with more words first; what stays behind one goes on to the end of a clause."""
    spaced = not ground_phrases(language)
    edges = (r"(?<![^\W_])", r"(?![^\W_])") if spaced else ("", "")
    read = []
    for phrase in sorted(listed("exceptions", language), key=len, reverse=True):
        before, _, behind = (re.escape(part.strip()).replace(r"\ ", r"\s+") for part in phrase.partition(_KEPT))
        gap = r"\s*" if before.endswith("'") or not spaced else r"\s+"
        opening = f"{edges[0]}{before}{gap}" if before else ""
        ending = rf"\s*{behind}{edges[1]}" if behind else ""
        kept = r"(?P<kept>[^,;:!?。，、；؛،]+?)"
        start = "" if opening else r"(?:^|(?<=[,;:。，、]))\s*"
        end = "" if ending else r"(?=[,;:!?。，、；،]|[.]?\s*$)"
        read.append(re.compile(rf"{start}{opening}{kept}{ending}{end}", re.IGNORECASE))
    return read


def _asks_for_all(rest: str, language: str) -> bool:
    """Whether it asks to forget everything, and names nothing."""
    if ground_phrases(language):
        left = _phrases(language).sub(" ", rest)
        return not re.search(r"\w", left) and _has(rest, "every", language) and _has(rest, "forgets", language)
    words = read_words(rest)
    if any(word.low in words_of(language, "third") or word.low in words_of("en", "third") for word in words):
        return False  # "everything about him"
    sorts = [sort_of(word.low, language) for word in words]
    return _WRAPPING.issuperset(sorts) and _has(rest, "every", language) and "forgets" in sorts


def _without_end(kept: str, language: str) -> tuple[str, str]:
    """What stays, and the words behind it that ask for the rest: "except Ana's e-mail please forget everything"."""
    words = read_words(kept)
    if ground_phrases(language) or not words:
        return "", ""
    first = len(words)
    while first and sort_of(words[first - 1].low, language) in _WRAPPING:
        first -= 1
    return (kept[: words[first].start].strip(EDGE), kept[words[first].start :]) if 0 < first < len(words) else ("", "")


def _has(text: str, sort: str, language: str) -> bool:
    """Whether a text has a word of this sort."""
    if ground_phrases(language):
        return any(phrase in text for phrase in ground_words(language, sort))
    return any(_is(word.low, sort, language) for word in read_words(text))


def _is(low: str, sort: str, language: str) -> bool:
    """Whether a word is of this sort, though it may also say nothing: "all"."""
    return low in ground_words(language, sort) or sort_of(low, language) == sort


@cache
def _phrases(language: str) -> re.Pattern[str]:
    """All phrases of which requests are made, the longest first."""
    listed = {phrase for sort in _SORTS if sort != "denies" for phrase in ground_words(language, sort)}
    return re.compile("|".join(map(re.escape, sorted(listed, key=len, reverse=True))))
