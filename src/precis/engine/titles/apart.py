"""What is added to a title that another summary of the same user has too, or that is only a name. Pure."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from precis.checks.asides import Manners
from precis.engine.titles.names import GENERAL, NO_SUBJECTS, kin_in
from precis.engine.titles.noun_phrases import TOKEN, Phrase, body, phrases_of, single_nouns_of
from precis.engine.titles.tellings import apart, capitals, listing, particular, without_sayings, works
from precis.language import tables
from precis.language.dates import MONTHS, MONTHS_ELSEWHERE, WEEKDAYS
from precis.language.grammar import AMBIGUOUS_FORMS, FORMS, STATES, WITHOUT
from precis.language.languages import names_nothing, told_by_letters
from precis.language.script import is_common_in, is_english, spoken_in
from precis.language.values import unit_of
from precis.language.vocabulary import ADJECTIVES, NO_NOUNS, UNITS, is_noun, may_name_a_kind
from precis.language.words import names, stem
from precis.makers import WordRank

_PHRASES = 2
#: A shorter word says too little by itself.
_SHORTEST = 4
#: What comes back in another statement is worth so many times as much.
_AGAIN = 1.5
#: And a general noun is worth this share.
_GENERAL = 0.5
#: A word of several tokens is as rare as one of this rank.
_RARE = 100_000
_NO_NAMES = frozenset((*MONTHS, *WEEKDAYS, *tables.words("titles.no_subjects")))
#: A name that somebody is called by, and one behind a form of address.
_CALLED = re.compile(r"\b[A-Z][\w'-]+(?=[,!])|(?<=, )[A-Z][\w'-]+(?=[.!?]|$)")
_ADDRESSED = re.compile(rf"\b(?:{'|'.join(tables.words('titles.no_subjects'))})\b\.? [A-Z][\w'-]+", re.IGNORECASE)
_QUANTITIES = frozenset("no some any more".split())
#: What somebody is, at the end of a clause.
_IS = re.compile(
    r"(?:\b(?:is|am|are)|['\u2019](?:s|m|re)) (?:an? )?([a-z-]{4,})(?=\s*(?:[.,;!]|$| and\b| since\b| now\b))"
)
_TOKENS = re.compile(r"\w+['\u2019](?=\w)|[\w-]+|[.!?:;,]")
#: From when to when, behind the last comma.
_SPAN = re.compile(r", [^,:]*\d{4}(?:-\d\d)?(?:[\u2013 ][^,:]*\d{4}(?:-\d\d)?)?$")


def notable(texts: Sequence[str], people: Sequence[str], rank: WordRank) -> str:
    """The two rarest nouns of different statements, for a summary of which nothing comes back: "cake, script and more".

    Rarest by how often people write the words; where only one statement has any, its rarest: "Lisbon and more". Where
    nothing is surely a noun, it is what they mention, and empty where there is none of that either.
    """
    texts = [without_sayings(text) for text in texts]
    names_of_people = {stem(part.casefold()) for who in people for part in who.split()}
    spoken = [{stem(word.casefold()) for word in TOKEN.findall(body(text))} for text in texts]
    places: dict[str, int] = {}
    worth: dict[str, float] = {}
    sure: set[str] = set()
    for at, text in enumerate(texts):
        for phrase in _nouns(text):
            wording = capitals(phrase.text, texts)
            if names_of_people.isdisjoint(phrase.stems) and wording not in places:
                again = sum(phrase.stems[-1] in words for words in spoken) > 1
                places[wording] = at
                sure |= {wording} if phrase.sure else set()
                # "Community" is listed as a noun, and stands in what many of somebody's summaries are about.
                general = not GENERAL.isdisjoint(phrase.stems)
                worth[wording] = _rarity(wording, rank) * (_AGAIN if again else 1.0) * (_GENERAL if general else 1.0)
    order = sorted(places, key=lambda wording: (-worth[wording], wording))
    second = next((it for it in order if places[it] != places[order[0]] and apart(it, order[0])), "")
    if second:
        return listing([order[0], second], len(texts))
    # A capital may be that of a sentence, unless a preposition or a determiner stands before it.
    alone = next((wording for wording in order if wording.islower() or wording in sure), "")
    return f"{alone} and more" if alone else _mentioned(texts, names_of_people)


def _mentioned(texts: Sequence[str], spoken: Collection[str]) -> str:
    """What somebody tells of where nothing is surely a noun: a work or a name, two nouns, or what they are, "vegan".

    The first of each kind of different statements: "Greek and more". Empty where there is none.
    """
    for kind in (_named, _compounds, _states):
        places: dict[str, int] = {}
        for at, text in enumerate(texts):
            for wording in kind(text):
                if not any(stem(word.casefold()) in spoken for word in wording.split()):
                    places.setdefault(wording, at)
        first = next(iter(places), "")
        second = next((it for it in places if places[it] != places[first] and apart(it, first)), "") if first else ""
        if first:
            return listing([first, second], len(texts)) if second else f"{first} and more"
    return ""


def _named(text: str) -> Iterator[str]:
    """Works in quotation marks, and names, of a statement; not who is spoken to ("Aww Bo, no!"), nor "Mrs Roe"."""
    yield from (phrase.text for phrase in works(text))
    rest = _CALLED.sub(" ", _ADDRESSED.sub(" ", body(text)))
    yield from (name for name in names(rest) if name.istitle() and name.casefold() not in _NO_NAMES)


def _compounds(text: str) -> Iterator[str]:
    """Two small words that may be one thing, where a sentence opens or behind a verb or "no": "no ice cream"."""
    for phrase in phrases_of(text):
        kind, *_ = phrase.text.split()
        before = re.search(rf"([\w'\u2019]+) {re.escape(phrase.text)}", body(text))
        stands = before is None or before[1].casefold() in FORMS.keys() | AMBIGUOUS_FORMS.keys() | _QUANTITIES
        if len(phrase.stems) == _PHRASES and phrase.text.islower() and stands and _is_telling(phrase):
            yield from [phrase.text] if may_name_a_kind(kind) else []


def _states(text: str) -> Iterator[str]:
    """What somebody is, of which there are a few: "vegetarian", "married"."""
    for match in _IS.finditer(body(text)):
        if stem(match[1].casefold()) in STATES.keys() | WITHOUT.keys():
            yield match[1]


def told_apart(named: str, texts: Sequence[str], people: Sequence[str], taken: Collection[str], rank: WordRank) -> str:
    """The title with what only this summary tells, where another one of the user has the same."""
    others = {_SPAN.sub("", title).casefold() for title in taken}
    if named.casefold() not in others:
        return named
    for phrase in _further(named, texts, people, rank):
        longer = f"{named} and {phrase}" if ": " in named else f"{named}: {phrase}"
        if longer.casefold() not in others:
            return longer
    return named


def _further(named: str, texts: Sequence[str], people: Sequence[str], rank: WordRank) -> Iterator[str]:
    words = re.split(r"[\s:,]+", named)
    if is_english(" ".join(texts)):
        yield from particular(texts, besides=words)
        yield from filter(None, [re.split(r",| and ", notable(texts, [*people, *words], rank))[0]])
    seen = Counter(name for text in texts for name in names(body(text)) if apart(name, named))
    yield from (name for name, _ in seen.most_common(_PHRASES))


def _nouns(text: str) -> Iterator[Phrase]:
    for phrase in (*phrases_of(text), *single_nouns_of(text)):
        if (phrase.sure or phrase.is_object) and len(phrase.stems) <= _PHRASES and _is_telling(phrase):
            yield phrase


def _is_telling(phrase: Phrase) -> bool:
    """Whether each of its words may be a noun, or says of what kind it is; no verb, no feeling, no unit."""
    *kinds, head = phrase.text.split()
    word = head.casefold()
    form = FORMS.get(word) or AMBIGUOUS_FORMS.get(word)
    verb = form is not None and not is_noun(word) and not (phrase.is_object and form.kinds == {"ing"})
    general = not (is_noun(word) or GENERAL.isdisjoint(phrase.stems)) or word in NO_NOUNS or word in UNITS
    return not (verb or general or len(word) < _SHORTEST or word.endswith((*ADJECTIVES, "ic")) or kinds[:1] == ["own"])


# --- in other languages ---

#: How the nouns of other languages are found, and the months and days of all of them, which are no subjects.
_ABROAD: Mapping[str, Mapping[str, str]] = tables.entry("titles_abroad")
_CALENDAR = frozenset(
    re.findall(
        r"[^\W\d_]+",
        " ".join(
            [month for months in MONTHS_ELSEWHERE.values() for month in months]
            + [tables.entry(f"elsewhere.{name}.weekdays") for name in _ABROAD]
        ).casefold(),
    )
)
#: Behind an apostrophe stands an ending in these.
_HANGING, _HUNG = frozenset({"Turkish"}), re.compile(r"(?<=\w)['\u2019]\w+")
#: What is told of nearly anybody stands behind all else.
_FAR = 9
_MARK = re.compile(r"[.!?:;,]")


class _Before(NamedTuple):
    """What stands around the nouns of a language."""

    before: frozenset[str]
    pronouns: frozenset[str]
    behind: frozenset[str]
    then: frozenset[str]
    adjectives: frozenset[str]
    anything: frozenset[str]
    capitals: bool

    @property
    def nothing(self) -> frozenset[str]:
        """What is no subject, though it may come back: "par contre" has no "contre"."""
        return self.before | self.pronouns | self.behind | self.anything


@cache
def _before_in(language: str) -> _Before:
    listed = _ABROAD[language]
    lists = {key: frozenset(listed.get(key, "").split()) for key in _Before.__annotations__}
    return _Before(**lists | {"capitals": lists["capitals"] == {"yes"}})  # type: ignore[arg-type]


def language_of(texts: Sequence[str], manners: Manners | None) -> str | None:
    """The language that most common words of all texts are of; where several have as many, none is plain."""
    text = " ".join(map(body, texts))
    if by_letters := told_by_letters(text):
        return by_letters
    spoken = spoken_in(text)
    return spoken[0] if len(spoken) == 1 else None if spoken else manners.language if manners else None


def may_be_a_subject(name: str, language: str | None, manners: Manners | None = None) -> bool:
    """Whether it is no way to address somebody, no month with an ending behind it, and nothing that is counted in.

    Nor a pronoun or an article of the language, which has its capital from a sentence or a name ("Sie", "La Granja"),
    nor a word of courtesy: "Guten Morgen".
    """
    first = re.split(r"['\u2019]", name.casefold())[0]
    is_sign = len(name) == 1 and name.lower() != name.upper()  # as the R of "R$ 900"
    is_none = first in NO_SUBJECTS or first in _CALENDAR or unit_of(first) or is_common_in(first, language or "")
    is_none = is_none or (language is not None and names_nothing(name, language))
    is_none = is_none or (language in _ABROAD and first in _before_in(language).nothing)
    is_aside = manners is not None and manners.spaced and (manners.is_kind(first) or manners.is_grammar(first))
    return not (is_sign or is_none or is_aside)


def without_likening(text: str, language: str) -> str:
    """The text without what something in it is like, "drives like the devil", and endings of names: "Leo'nun"."""
    text = _HUNG.sub("", text) if language in _HANGING else text
    likened = _ABROAD.get(language, {}).get("likened")
    return re.sub(likened, " ", text) if likened else text


def notable_abroad(texts: Sequence[str], people: Sequence[str], language: str) -> str:
    """Two nouns of different statements, in another language, for a summary of which nothing comes back often enough.

    What another statement has as well, then what a sentence opens with, then what is somebody's own, then others, last
    who somebody is to another; each as its text has it. Empty where none is.
    """
    if language not in _ABROAD:
        return ""
    of_people = {part.casefold() for who in people for part in who.split()}
    bodies = [without_likening(body(text), language) for text in texts]
    spoken = [{stem(word.casefold()) for word in _TOKENS.findall(text)} for text in bodies]
    found: dict[str, tuple[int, int]] = {}
    for at, text in enumerate(bodies):
        for worth, noun in _nouns_abroad(text, language):
            again = sum(stem(noun.casefold()) in words for words in spoken) > 1
            is_kin = len(texts) > 1 and kin_in(language).match(noun)
            place = (_FAR if is_kin else 0 if again else 1) + worth, at
            if noun.casefold() not in of_people and place < found.get(noun, (2 * _FAR, 0)):
                found[noun] = place
    order = sorted(found, key=lambda noun: found[noun])
    others = [
        noun for noun in order if (len(texts) == 1 or found[noun][1] != found[order[0]][1]) and apart(noun, order[0])
    ]
    return ", ".join([*order[:1], *others[:1]])


def led_by_noun(noun: str, names_back: Sequence[str], texts: Sequence[str], language: str | None) -> list[str]:
    """Names that come back, behind a noun of the language that does so in more of the texts than the first of them."""
    if not names_back or not language or language not in _ABROAD or not apart(noun, names_back[0]):
        return list(names_back)
    standing = [sum(word.casefold() in body(text).casefold() for text in texts) for word in (noun, names_back[0])]
    nouns = {other for text in texts for _, other in _nouns_abroad(body(text), language)}
    return [noun, names_back[0]] if noun in nouns and standing[0] > standing[1] else list(names_back)


def _nouns_abroad(text: str, language: str) -> Iterator[tuple[int, str]]:
    """Nouns behind what stands before them, each with how far it is from what its sentence is about, 0 the nearest."""
    known = _before_in(language)
    tokens = _TOKENS.findall(text)
    for at, token in enumerate(tokens):
        low, behind = token.casefold(), tokens[at + 1 : at + 4]
        before = "".join(tokens[at - 1 : at])
        opens = not at or _MARK.match(before) is not None
        if known.capitals and not opens and token[0].isupper() and _may_be_noun(token, known, language):
            yield 3, token
        if low not in known.before and low not in known.pronouns:
            continue
        while behind and (behind[0].casefold() in known.adjectives or (known.capitals and behind[0].islower())):
            behind = behind[1:]
        noun, then = "".join(behind[:1]), "".join(behind[1:2])
        is_sure = low in known.before or before.casefold() in known.behind or (opens and then.casefold() in known.then)
        if is_sure and _may_be_noun(noun, known, language):
            yield (0 if opens else 1 if low[:1] == "m" else 2), noun


def _may_be_noun(word: str, known: _Before, language: str) -> bool:
    low = word.casefold()
    is_none = low in known.anything or low in known.adjectives or not may_be_a_subject(word, language)
    return len(word) >= _SHORTEST and word[0].isalpha() and not is_none and (word[0].isupper() or not known.capitals)


def _rarity(wording: str, rank: WordRank) -> float:
    """How seldom its rarest word is written; two words tell more than one."""
    words = wording.casefold().split()
    return max(math.log(rank(word) or _RARE) for word in words) * (1.0 + 0.2 * (len(words) - 1))
