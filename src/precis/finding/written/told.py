"""How people tell what a request asks for by a noun, in verbs and words of their language (``words/told.toml``)."""

import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

from precis.finding.reading import HANGUL, UNSPACED, folded, read_words
from precis.finding.tables import groups, words_of
from precis.finding.values import Span
from precis.finding.written.languages import language_of
from precis.language.words import kept

_FILE = Path(__file__).parent.parent / "words" / "told.toml"
#: Why a row is in doubt that has a word of the request in such a phrase alone.
ONLY_MEANS = "it may only say by what something was told"
_SORTS = ("mine", "theirs", "told")
#: A number; up to two words; and one word, as phrases of the table stand for them.
_NUMBER = r"(?:[a-z]{0,2}[$\u20ac\u00a3\u20b9\u00a5]\s?)?\d[\w.,]*(?:\s\d{3}(?!\d))*"
_SOME, _WORD = r"(?:[^\W\d]\w*\s+){0,2}", r"\w+"
#: Signs of words that may be another's.
_QUOTING = frozenset(':"\u201c\u201d\u00ab')
#: The user tells somebody of theirs what they do or have themselves.
_TELLS = re.compile(
    r"^(?:i|we) (?:\w+ )?(?:told|asked|texted|wrote|informed|warned|promised) (?:my|our) [\w-]+(?: that)?"
    r" (?=(?:i|we|my|our)\b)"
)


@cache
def _table() -> Mapping[str, Mapping[str, Mapping[str, Sequence[str]]]]:
    """By language, sort and group: the phrases, folded; of those that may mean something else with their mark."""
    document = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {
        language: {
            sort: {
                group: [folded(phrase.replace("\\d", "\0")) for phrase in phrases.split("; ")]
                for groups, phrases in listed.items()
                for group in groups.split()
            }
            for sort, listed in sorts.items()
        }
        for language, sorts in document.items()
    }


def told_spans(
    groups: frozenset[str], low: str, languages: Callable[[], Collection[str]]
) -> Iterator[tuple[Span, bool]]:
    """Where a text in one of some languages tells what any of these groups asks for; true where nothing else."""
    anywhere = _anywhere(groups)
    if anywhere is None or not anywhere.search(low):
        return
    for language in languages():
        for group in groups:
            for surely in (True, False):
                pattern = _pattern(language, _SORTS, group, surely=surely)
                if pattern is not None:
                    yield from ((match.span(), surely) for match in pattern.finditer(low))


@lru_cache(maxsize=512)
def _anywhere(groups: frozenset[str]) -> re.Pattern[str] | None:
    """What tells any of these groups in any language: few texts have to be read in theirs."""
    listed = (sorts.get(sort, {}).get(group, ()) for sorts in _table().values() for sort in _SORTS for group in groups)
    phrases = [phrase.lstrip("?") for phrases in listed for phrase in phrases]
    return _any_of(phrases) if phrases else None


def tells_own(low: str, spoken: Collection[str], spans: Collection[Span]) -> int | None:
    """Where the user says in the first person what stands at one of these places; None where no table knows it."""
    for pattern in (pattern for language in spoken for pattern in _first(language)):
        for match in pattern.finditer(low):
            if any(start < match.end() and end > match.start() for start, end in spans):
                return match.start()
    return None


def tells_of_others(low: str, groups: Collection[str], spoken: Collection[str], spans: Collection[Span]) -> bool:
    """Whether all that stands at these places is said in the third person: "gana 15,000 pesos"."""
    listed = [_pattern(language, ("theirs",), group, surely=it)
              for language in spoken for group in groups for it in (True, False)]  # fmt: skip
    places = [match.span() for pattern in listed if pattern is not None for match in pattern.finditer(low)]
    return bool(spans) and all(any(start <= first and last <= end for start, end in places) for first, last in spans)


@kept
def by_means(low: str) -> tuple[Span, ...]:
    """Where a text says by what something was told or sent: "over the phone", "per Mail"."""
    return tuple(match.span() for match in _means().finditer(low))


def only_means(low: str, spans: Collection[Span]) -> bool:
    """Whether all that was found only says by what something was told."""
    means = by_means(low) if spans else ()
    return bool(means) and all(any(first <= start and end <= last for first, last in means) for start, end in spans)


@cache
def _means() -> re.Pattern[str]:
    listed = (sorts.get("means", {}).get("any", ()) for sorts in _table().values())
    return _any_of([phrase for phrases in listed for phrase in phrases])


def asked_spans(low: str, language: str) -> Iterator[tuple[Span, str]]:
    """Where a request in a language asks for a group by other words, and the group."""
    for group in _table().get(language, {}).get("asked", {}):
        pattern = _pattern(language, ("asked",), group, surely=True)
        if pattern is not None:
            yield from ((match.span(), group) for match in pattern.finditer(low))


def is_weak(low: str, spoken: Collection[str], roots: Collection[str] = ()) -> bool:
    """Whether a phrase of one of some languages may mean something else; a sum does not, of money."""
    if "amount" in roots and groups()["amount"][1].fullmatch(low):
        return False
    return any(pattern.fullmatch(low) for language in spoken for pattern in _weak(language))


@cache
def _weak(language: str) -> tuple[re.Pattern[str], ...]:
    sorts = _table().get(language, {})
    groups = (group for sort in _SORTS for group in sorts.get(sort, {}).values())
    phrases = [phrase[1:] for group in groups for phrase in group if phrase.startswith("?")]
    return (_any_of(phrases),) if phrases else ()


@lru_cache(maxsize=4096)
def _pattern(language: str, sorts: Sequence[str], group: str, *, surely: bool) -> re.Pattern[str] | None:
    listed = (_table().get(language, {}).get(sort, {}).get(group, ()) for sort in sorts)
    phrases = [phrase for phrases in listed for phrase in phrases]
    phrases = [phrase.lstrip("?") for phrase in phrases if phrase.startswith("?") != surely]
    return _any_of(phrases) if phrases else None


@cache
def _first(language: str) -> tuple[re.Pattern[str], ...]:
    listed = _table().get(language, {}).get("mine", {})
    phrases = [phrase.lstrip("?") for group in listed.values() for phrase in group]
    return (_any_of(phrases),) if phrases else ()


def _any_of(phrases: Sequence[str]) -> re.Pattern[str]:
    """One expression of phrases, the longest first."""
    written = sorted(dict.fromkeys(map(_written, phrases)), key=len, reverse=True)
    return re.compile("|".join(written))


def _written(phrase: str) -> str:
    words = phrase.split()
    parts = [_SOME if word == "~" else _one(word) + (r"\s+" if at + 1 < len(words) else "")
             for at, word in enumerate(words)]  # fmt: skip
    unspaced = UNSPACED.search(phrase) or HANGUL.search(phrase)
    return "".join(parts) if unspaced else rf"(?<!\w){''.join(parts)}(?!\w)"


def _one(word: str) -> str:
    if word == "\0\0":
        return r"\d\d"
    return _WORD if word == "*" else re.escape(word).replace(r"\*", r"\w*").replace("\0", _NUMBER)


def is_called_own(sentence: str, subject: Collection[Span], likely: str) -> bool:
    """Whether "my" stands right before one of these places: "Ada's rent is 700 and my rent is 650"."""
    words, starts = read_words(sentence), {start for start, _ in subject}
    first = words_of(language_of([word.low for word in words], sentence, likely), "first")
    return any(word.start in starts and word.gap == " " and before.low in first for before, word in pairwise(words))


def are_called_own(sentence: str, subject: Collection[Span]) -> bool:
    """Whether "my" stands right before all of them in a sentence that quotes nobody: "Doctor says my pulse is high"."""
    befores = [sentence[:start].lower() for start, _ in subject]
    return all(before.endswith((" my ", " our ")) for before in befores) and _QUOTING.isdisjoint(sentence)


def without_listener(low: str) -> str:
    """A sentence with blanks for whom the user tells what follows: "I told my manager I want a raise"."""
    told = _TELLS.match(low)
    return f"{' ' * told.end()}{low[told.end() :]}" if told else low
