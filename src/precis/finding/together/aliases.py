"""By what other names somebody goes: "Alexandra, whom I call Sasha", as a memory or the request itself says."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache

from precis.finding.framing import only_asks
from precis.finding.names import Name
from precis.finding.reading import folded, read_words
from precis.finding.tables import framed_languages, name_words, sayings
from precis.finding.values import Row
from precis.finding.written.forms import any_of
from precis.finding.written.spellings import respelled_name
from precis.language.words import STOP_WORDS

_CAPITAL = "(?-i:[A-Z\u00c0-\u00de\u0100-\u017d\u0391-\u03a9\u0410-\u042f])"
_NAME = rf"{_CAPITAL}[\w'\u2019-]*(?: {_CAPITAL}[\w'\u2019-]*)?"


_TWO_LETTERS = {
    "\u00e4": "ae", "\u00f6": "oe", "\u00fc": "ue", "\u00e5": "aa", "\u00f8": "oe", "\u00e6": "ae",
}  # fmt: skip
_SIGNED = re.compile(rf"\w*[{''.join(_TWO_LETTERS)}{''.join(_TWO_LETTERS).upper()}]\w*")


@cache
def _expressions() -> tuple[re.Pattern[str], ...]:
    """What is said between two names of one person, and behind the second."""
    return tuple(
        re.compile(
            rf"(?<!\w)(?P<first>{_NAME})" + saying.replace("~", rf"(?P<last>{_NAME})").replace(" ", r"\s+") + r"(?!\w)",
            re.IGNORECASE,
        )
        for saying in sayings("aliases")
    )


def stated(text: str) -> Iterator[tuple[Name, Name, tuple[int, int]]]:
    """Two names of one person, and where the second is told."""
    if not _may_state(text):
        return
    for expression in _expressions():
        for match in expression.finditer(text):
            first, last = _name(match["first"]), _name(match["last"])
            if first and last and first != last:
                yield first, last, (match.end("first"), match.end())


def _may_state(text: str) -> bool:
    low = folded(text)
    return any(sign in low for sign in name_words("alias_signs"))


def without_aliases(text: str) -> tuple[str, tuple[tuple[Name, Name], ...]]:
    """A request without what it says of another name of somebody, and the names."""
    pairs = []
    for first, last, (start, end) in stated(text):
        pairs.append((first, last))
        text = f"{text[:start]}{text[end:]}"
        break
    return text, tuple(pairs)


def aliases_of(
    names: Collection[Name], rows: Sequence[Row], pairs: Collection[tuple[Name, Name]], asked: Iterable[str] = ()
) -> Mapping[Name, tuple[Name, ...]]:
    """By name, the other names that memories or the request give to whoever has it; none that two people share.

    ``asked`` are the subjects of the request as it writes them.
    """
    naming = any_of(names)
    named = [row.text for row in rows if naming.search(folded(row.text))] if names else []
    known = {*pairs, *((first, last) for text in named for first, last, _ in stated(text))}
    known |= {(name, other) for name in names for other in _spellings(name)}
    known |= set(_typed({word for name in names for word in name}, (*asked, *(row.text for row in rows))))
    others: dict[Name, set[Name]] = defaultdict(set)
    for first, last in known:
        others[first].add(last)
        others[last].add(first)
    whole = {name: {full for full in others if full == name or name == full[:1]} for name in names}
    return {
        name: tuple(sorted(other for full in fulls for other in others[full] if others[other] == {full}))
        for name, fulls in whole.items()
        if len(fulls) == 1
    }


def _spellings(name: Name) -> Iterator[Name]:
    """A name of two parts as it may be written as well: "Jean-Luc", "Jean Luc"; "Blue-Bird", "BlueBird"."""
    yield from respelled_name(name)
    parts = tuple(part for word in name for part in word.split("-") if part)
    if len(name) == 1 and len(parts) > 1:
        yield parts
        yield ("".join(parts),)
    elif len(name) == 2 and name == parts:
        yield ("-".join(name),)


def spelled_out(word: str) -> str:
    """A word with two letters for one with a sign on it, as people type it: "mueller" for M\u00fcller."""
    return folded("".join(_TWO_LETTERS.get(char, char) for char in word.lower()))


def _typed(named: Collection[str], texts: Iterable[str]) -> Iterator[tuple[Name, Name]]:
    """A word of a name as texts have it, with its letters and as it is typed without them: M\u00fcller, Mueller."""
    for word in {word for text in texts if not text.isascii() for word in _SIGNED.findall(text)}:
        plain, typed = folded(word), spelled_out(word)
        if word[0].isupper() and plain != typed and not {plain, typed}.isdisjoint(named):
            yield (plain,), (typed,)


def _name(text: str) -> Name:
    """A run of words with capitals without what may only open the sentence."""
    lows = [word.low for word in read_words(text)]
    while lows and (lows[0] in STOP_WORDS or any(only_asks(lows[0], language) for language in framed_languages())):
        del lows[0]
    return tuple(lows)
