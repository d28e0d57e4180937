"""Whether what a memory tells is called another's than the request asks for: "user's wife's salary", of "my salary"."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from os.path import commonprefix

from precis.finding.kinds import is_person
from precis.finding.nouns import names_thing
from precis.finding.parts import Subject
from precis.finding.reading import HANGUL, UNSPACED, folded, places_of, read_words, users_of
from precis.finding.scripts import is_inflected
from precis.finding.tables import name_words
from precis.finding.values import Span
from precis.finding.written.beings import beings_of, is_being
from precis.finding.written.chains import Chain, chain_of
from precis.finding.written.languages import language_of

#: Languages in which a word has other endings in another case; so much of two forms is the same.
_CASES, _SHARED, _ENDING = frozenset("de tr ru pl cs uk ar".split()), 3, 3
#: Those in which an owner is marked for such.
_MARKED = frozenset("zh ja ko hi tr".split())
#: Of so many names one may be a thing, in languages of which few words are known.
_TWO = 2


def of_another_owner(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether all of it that is called somebody's is called another's than was asked for."""
    asked = _asked(subject)
    low = folded(text)
    if asked is None or len(low) != len(text):
        return False
    language = language_of([word.low for word in read_words(text)], text, subject.language)
    verdicts = set[bool]()
    for span in dict.fromkeys((*spans, *_places(subject, asked, low, language))):
        if _is_owner(subject, low[slice(*span)].strip()):
            continue
        chain = chain_of(text, span, language, _users(), _names(subject))
        told = tuple(_kept(subject, asked, chain, language))
        if told or chain.users:
            verdicts.add(_are_same(subject, asked, told, language))
    return verdicts == {False}


@lru_cache(maxsize=1)
def _users() -> frozenset[str]:
    return users_of(())


@lru_cache(maxsize=64)
def _asked(subject: Subject) -> tuple[str, ...] | None:
    """The owners that a request names, without the user; None where it says of nobody whose it is, or asks for them."""
    aside = subject.others or subject.each or subject.value or subject.identifiers or subject.quotes
    beings = [part for part in subject.parts if is_being(part.word)]
    if aside or len(beings) == len(subject.parts) > 0 or (not subject.parts and len(subject.names) < _TWO):
        return None
    people = bool(beings or subject.names)
    if subject.clause:
        return None if people or not subject.mine else ()
    chain = _longest(subject)
    kept = tuple(
        owner
        for owner in chain.owners
        if is_being(owner) or _is_owner(subject, owner) or owner in name_words("given")
    )
    if kept or not people:
        return kept if kept or chain.users or subject.mine else None
    return None


def _longest(subject: Subject) -> Chain:
    """The longest chain of owners in a request."""
    text, language = subject.text, subject.language
    places = [(word.start, word.end) for word in read_words(text)]
    if language in {"zh", "ja"}:
        places = [(at, at + 1) for at in range(len(text))]
    chains = [chain_of(text, place, language, _users(), _names(subject)) for place in places]
    return max(chains, key=lambda chain: (len(chain.owners), chain.users), default=Chain())


def _places(subject: Subject, asked: Collection[str], low: str, language: str) -> Iterator[Span]:
    """Where a memory has words of a request that are none of its owners."""
    for part in subject.parts:
        if part.word not in asked and not is_being(part.word):
            yield from places_of(part.word, low, language)


def _names(subject: Subject) -> frozenset[str]:
    return frozenset(word for name in subject.names for word in name)


def _is_owner(subject: Subject, low: str) -> bool:
    """Whether it is somebody, or a name that was asked for."""
    return is_being(low) or any(name.startswith(low) and len(name) - len(low) <= 1 for name in _names(subject))


def _kept(subject: Subject, asked: Collection[str], chain: Chain, language: str) -> Iterator[str]:
    """The owners of a chain who are somebody, or may be, as they own or are owned in turn."""
    before = False
    for at, owner in enumerate(chain.owners):
        if _is_asked_thing(subject, asked, owner, language):
            continue
        further = at + 1 < len(chain.owners) or chain.users
        thing = language == "en" and names_thing(owner) and not is_person(owner)
        between = (further or before or language in _MARKED) and not thing
        if _is_owner(subject, owner) or between or owner in name_words("given"):
            before = True
            yield owner


def _is_asked_thing(subject: Subject, asked: Collection[str], owner: str, language: str) -> bool:
    """Whether it is a word of the request, and none of the owners there: the shoe of "the shoe's size"."""
    if any(_is_same(owner, other, language) for other in asked):
        return False
    if language in {"zh", "ja"}:
        return owner in folded(subject.text) and not is_being(owner)
    return any(owner == word.low or _is_same(owner, word.low, language) for word in read_words(subject.text))


def _are_same(subject: Subject, asked: Collection[str], told: Collection[str], language: str) -> bool:
    if len(told) == 1 and _names(subject).issuperset(told):
        return True
    return all(
        one is not None and other is not None and _is_same(one, other, language)
        for one, other in zip_longest(asked, told)
    )


@lru_cache(maxsize=16384)
def _is_same(one: str, other: str, language: str) -> bool:
    """Whether two words say the same of who somebody is, perhaps in two cases."""
    if one == other:
        return True
    first, second = beings_of(one), beings_of(other)
    if first and second:
        return not first.isdisjoint(second)
    if UNSPACED.search(one) or HANGUL.search(one):
        return one in other or other in one
    if language not in _CASES and not is_inflected(one):
        return False
    shared = len(commonprefix([one, other]))
    return shared >= max(_SHARED, min(len(one), len(other)) - _ENDING)
