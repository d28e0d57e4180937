"""Whether what a memory tells is called another's than the request asks for: "user's wife's salary", of "my salary"."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise, takewhile, zip_longest

from precis.finding import kinds, nouns, scripts, wording
from precis.finding.names import people
from precis.finding.parts import NAMING, Subject
from precis.finding.reading import HANGUL, UNSPACED, folded, places_of, read_words, users_of
from precis.finding.tables import all_words, name_words, patterns
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written.chains import chain_of
from precis.finding.written.languages import language_of
from precis.finding.written.speaking import OF, beings_of, is_being, own_words, relations_of
from precis.finding.written.unspaced import JOINTS, Chain
from precis.language.words import STOP_WORDS
from precis.language.written.spoken import has_lock

#: Languages in which a word has other endings in another case; so much of two forms is the same.
_CASES, _SHARED, _ENDING = frozenset("de tr ru pl cs uk ar".split()), 3, 3
#: Those in which an owner is marked for such, and few names are known.
_UNKNOWN = frozenset("zh ja ko tr".split())


def of_another_owner(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether all of it that is called somebody's is called another's than was asked for."""
    asked = _asked(subject)
    if asked is None:
        return False
    low = folded(text)
    language = language_of([word.low for word in read_words(text)], text, subject.language)
    verdicts = set[bool]()
    placed = _as_written(text, low)
    if any(part.groups == NAMING for part in subject.parts):
        return _names_another(subject, asked, text, spans, language)
    for span in dict.fromkeys((*spans, *_places(subject, asked, low, language))):
        if _is_owner(subject, low[slice(*span)].strip()) or low[slice(*span)] in _users():
            continue
        chain = chain_of(text, placed(span), language, _users(), _known(subject))
        owners = _kept(subject, asked, chain, language)
        told = tuple(it for it in owners if it in asked or not (has_lock(it) and UNSPACED.search(it)))
        told = told or _who_does(text, placed(span), language)
        if told or chain.users:
            verdicts.add(_are_same(subject, asked, told, language))
    return verdicts == {False}


def _who_does(text: str, span: Span, language: str) -> tuple[str, ...]:
    """Who stands right before what somebody does, and is called the user's: of "Ma femme (gagne 4 100)" the wife."""
    before = [word for word in read_words(text) if word.end <= span[0]][-2:]
    own = all_words("first") | own_words(language, "mine")
    called = len(before) > 1 and before[0].low in own and before[1].gap == " " and not text[span[0]].isupper()
    return (before[1].low,) if called and relations_of(before[1]) else ()


def has_such(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether who is said to be somebody's has one there: "Ben's cousin", of "that Ben is my cousin"."""
    names = {word for name in subject.names for word in name}
    if not subject.states or any(word.owns and word.low in names for word in read_words(subject.text)):
        return False
    words, starts = read_words(text), {start for start, _ in spans}
    return any(word.owns and word.low in names and it.start in starts for word, it in pairwise(words))


def only_of_theirs(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether another who is named meets somebody of theirs: "Jon met Tim's sister", of all about Tim."""
    names = _names(subject)
    if subject.parts or subject.clause or not names:
        return False
    words, starts = read_words(text), {start for start, _ in spans}
    placed = [at for at, word in enumerate(words) if word.start in starts]
    theirs = bool(placed) and all(
        words[at].owns and at + 1 < len(words) and is_being(words[at + 1].low) and not words[at].opens for at in placed
    )
    return theirs and any(start == 0 and low not in names for start, _, low in people(text))


def _names_another(subject: Subject, asked: Sequence[str], text: str, spans: Sequence[Span], language: str) -> bool:
    """Whether each of those of whom it says what they are called is another's than was asked for."""
    low = folded(text)
    placed, verdicts = _as_written(text, low), set[bool]()
    for span in spans:
        word = low[slice(*span)].strip()
        if is_being(word) or any(map(is_being, word.split())):
            chain = chain_of(text, placed(span), language, _users(), _known(subject))
            told = (word, *_kept(subject, asked, chain, language))
            verdicts.add(_are_same(subject, asked, told, language))
    return verdicts == {False}


def _as_written(text: str, low: str) -> Callable[[Span], Span]:
    """What says where a place of a folded text stands in the text: "\u00df" is two letters there."""
    if len(low) == len(text):
        return lambda span: span
    places = [at for at, sign in enumerate(text) for _ in folded(sign)]
    if len(places) != len(low):
        return lambda span: span
    places += [len(text)] * 2
    return lambda span: (places[min(span[0], len(low))], places[min(span[1], len(low))])


@lru_cache(maxsize=1)
def _users() -> frozenset[str]:
    return users_of(())


def without_others(subjects: Sequence[Subject], rows: Sequence[Row], matches: Mapping[str, Match]) -> dict[str, Match]:
    """The matches, in doubt where a memory is called another's than each of the subjects: "el celular de Yadira"."""
    texts = {row.id: row.text for row in rows}
    why = "it is called somebody else's"
    return {
        id_: replace(match, level=Level.DOUBTFUL, why=why)
        if match.level is Level.SURE
        and subjects
        and all(
            of_another_owner(subject, texts[id_], match.spans) or _is_called_after(subject, texts[id_], match.spans)
            for subject in subjects
        )
        else match
        for id_, match in matches.items()
    }


def _is_called_after(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether "of" somebody or something with a capital stands behind it, and nothing there is called the user's."""
    words = read_words(text)
    own, ends = all_words("first") | _users(), {end for _, end in spans}
    asked = {word.low for word in read_words(subject.text)}
    if not subject.mine or any(word.low in own for word in words):
        return False
    triples = zip(words, words[1:], (*words[2:], *words[2:3]), strict=False)
    return any(it.end in ends and of.low in OF and who.capital and who.low not in asked for it, of, who in triples)


@lru_cache(maxsize=64)
def _asked(subject: Subject) -> tuple[str, ...] | None:
    """The owners that a request names, without the user; None where it says of nobody whose it is, or asks for them."""
    aside = subject.others or subject.each or subject.value or subject.identifiers or subject.quotes
    beings = [part for part in subject.parts if is_being(part.word)]
    named = bool(subject.names) and subject.language != "en"
    if aside or (len(beings) == len(subject.parts) > 0 and not named):
        return None
    if subject.clause:
        return None if beings or subject.names or not subject.mine else ()
    chain = _longest(subject)
    theirs = not (subject.mine or chain.users)
    within = {word for part in subject.parts for word in part.word.split()[1:] if not is_being(word)}  # "день рождения"
    owners = [owner for owner in chain.owners if owner not in within]
    kept = tuple(owner for owner in owners if theirs or _is_owner(subject, owner) or _is_given(owner))
    if kept or beings:
        return kept or None
    if subject.names and not chain.users:
        return None
    return () if subject.mine or chain.users else None


@lru_cache(maxsize=64)
def _longest(subject: Subject) -> Chain:
    """The longest chain of owners in a request."""
    text, language = subject.text, subject.language
    if language in {"zh", "ja"} and (subject.old or subject.current):
        # "\u524d\u306e": the one before is no owner
        text = wording.without(text, (*patterns(language, "old"), *patterns(language, "current")), anywhere=True)[0]
    places = [(word.start, word.end) for word in read_words(text)]
    if language in {"zh", "ja"}:
        joints = [(joint.end(), len(text)) for joint in JOINTS.finditer(text)]
        parts = (text.find(part.word) for part in subject.parts if not is_being(part.word))
        places = joints[-1:] or [(at, len(text)) for at in parts if at > 0]
    chains = [chain_of(text, place, language, _users(), _known(subject)) for place in places]
    return max(chains, key=lambda chain: (len(chain.owners), chain.users), default=Chain())


def _places(subject: Subject, asked: Collection[str], low: str, language: str) -> Iterator[Span]:
    """Where a memory has words of a request that are none of its owners."""
    for part in subject.parts:
        if part.word not in asked and not is_being(part.word):
            yield from places_of(part.word, low, language)


def _names(subject: Subject) -> frozenset[str]:
    return frozenset(word for name in subject.names for word in name)


def _known(subject: Subject) -> frozenset[str]:
    """Names of people who may own something; of one full name no word owns the other."""
    return _names(subject) if subject.parts or len(subject.names) > 1 else frozenset()


def _is_owner(subject: Subject, low: str) -> bool:
    """Whether it is somebody, or a name that was asked for.

    In languages of which few words are known a thing is taken for a name as well; it owns nothing in the request.
    """
    if any(map(is_being, low.split("|"))):
        return True
    named = any(
        name.startswith(word) and len(name) - len(word) <= 1 for name in _names(subject) for word in low.split("|")
    )
    if not named or subject.language == "en":
        return named
    chain = _longest(subject)
    return not (chain.owners or chain.users) or any(_is_same(low, owner, subject.language) for owner in chain.owners)


def _is_given(owner: str) -> bool:
    return not name_words("given").isdisjoint(owner.split("|"))


def _kept(subject: Subject, asked: Collection[str], chain: Chain, language: str) -> Iterator[str]:
    """The owners of a chain who are somebody, or may be, as they own or are owned in turn."""
    before = False
    for at, owner in enumerate(chain.owners):
        if _is_asked_thing(subject, asked, owner, language) or (language == "en" and owner in STOP_WORDS):
            continue
        if language in {"zh", "ja"} and owner in name_words("topics_of_time"):
            continue
        further = at + 1 < len(chain.owners) or chain.users
        thing = language == "en" and nouns.names_thing(owner) and not kinds.is_person(owner)
        thing = thing or (language == "en" and _opens_thing(subject, owner))
        # One of which nothing is known may be a place or a time; it only says that it is not simply the user's.
        unknown = language in _UNKNOWN and not asked
        between = (further or before or unknown) and not thing
        if _is_owner(subject, owner) or between or _is_given(owner):
            before = True
            yield owner


def _opens_thing(subject: Subject, owner: str) -> bool:
    """Whether passwords were asked for, and this is what one of them is for: "the password of my mail"."""
    secrets = bool(subject.parts) and all(part.roots == {"secret"} for part in subject.parts)
    return secrets and nouns.known(owner) and not (kinds.is_person(owner) or is_being(owner))


def _is_asked_thing(subject: Subject, asked: Collection[str], owner: str, language: str) -> bool:
    """Whether it is a word of the request, and none of the owners there: the shoe of "the shoe's size"."""
    if is_being(owner) or any(_is_same(owner, other, language) for other in asked):
        return False
    if language in {"zh", "ja"}:
        return owner in folded(subject.text) and not is_being(owner)
    return any(owner == word.low or _is_same(owner, word.low, language) for word in read_words(subject.text))


def _are_same(subject: Subject, asked: Sequence[str], told: Sequence[str], language: str) -> bool:
    called = bool(told) and not _names(subject).isdisjoint(told[0].split("|"))
    if len(asked) <= 1 and called and (len(told) == 1 or "|" in told[0]):
        return True
    return all(
        one is not None and other is not None and _is_same(one, other, language)
        for one, other in zip_longest(asked, told)
    )


@lru_cache(maxsize=16384)
def _is_same(one: str, other: str, language: str) -> bool:
    """Whether two words say the same of who somebody is, perhaps in two cases; "anna|boss" is one of two words."""
    return any(_are_forms(first, second, language) for first in one.split("|") for second in other.split("|"))


def _are_forms(one: str, other: str, language: str) -> bool:
    if one == other:
        return True
    first, second = beings_of(one), beings_of(other)
    if first and second:
        return not first.isdisjoint(second)
    if UNSPACED.search(one) or HANGUL.search(one):
        return abs(len(one) - len(other)) <= 1 and (one.startswith(other) or other.startswith(one))
    if language not in _CASES and not scripts.is_inflected(one):
        return False
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return shared >= max(_SHARED, min(len(one), len(other)) - _ENDING)
