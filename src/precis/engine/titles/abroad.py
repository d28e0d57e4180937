"""What a summary of another language is about: nouns behind what stands before them, and what is none. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from precis import patterns as re
from precis.checks.asides import Manners
from precis.engine.titles.names import NO_SUBJECTS, in_full, kin_in
from precis.engine.titles.noun_phrases import body
from precis.engine.titles.tellings import apart
from precis.language import tables
from precis.language.dates import MONTHS_ELSEWHERE
from precis.language.languages import names_nothing, told_by_letters
from precis.language.script import (
    basic_forms,
    is_common_in,
    is_english,
    is_foreign,
    languages_of,
    spoken_in,
    without_case,
)
from precis.language.sentences import sentences
from precis.language.values import unit_of
from precis.language.words import names, stem

#: A shorter word says too little by itself.
_SHORTEST = 4
#: The point and the space of "St. Josef", which end no sentence.
_SHORT = re.compile(r"(?<=\b[^\W\d_a-z][^\W\d_])\. (?=[^\W\d_a-z])")
#: Of languages that set words apart, the word behind a figure, and what makes that larger: "15 bin lira".
COUNTED = re.compile(
    rf"\d[\d.,\u00a0\u202f ]* (?:(?:{tables.choices('titles.thousands')}) )?"
    r"[a-z\u00df-\u024f\u0370-\u052f\u0900-\u0963]+",
    re.IGNORECASE,
)
#: Most names of a title, and in how many texts each of them stands.
_MOST, _OFTEN = 2, 2
_TOKENS = re.compile(r"\w+['\u2019](?=\w)|[\w-]+|[.!?:;,]")


#: How the nouns of other languages are found, and the months and days of all of them, which are no subjects.
_ABROAD: Mapping[str, Mapping[str, Any]] = tables.entry("titles_abroad")
_CALENDAR = frozenset(
    re.findall(
        r"[^\W\d_]+",
        " ".join(
            [month for months in MONTHS_ELSEWHERE.values() for month in months]
            + [tables.entry(f"elsewhere.{name}.weekdays") for name in _ABROAD if "marked" not in _ABROAD[name]]
        ).casefold(),
    )
)
#: Behind an apostrophe stands an ending in these.
_HANGING, _HUNG = frozenset({"Turkish"}), re.compile(r"(?<=\w)['\u2019]\w+")
#: What is told of nearly anybody stands behind all else.
_FAR = 9
#: What only has a capital is farther than what something stands before.
_BY_CAPITAL = 3
_MARK = re.compile(r"[.!?:;,]")


#: Characters of Chinese, and those that a noun may have: no numeral, and none of what joins words or ends a sentence.
_HAN = "\u4e00-\u9fff"
_OF_NOUNS = f"(?![{_ABROAD['Chinese']['no_noun']}])[{_HAN}]"


@cache
def _marked_in(language: str) -> tuple[re.Pattern[str], ...]:
    """Where a noun stands, the surest place first, of a language without capitals and articles."""
    patterns = _ABROAD.get(language, {}).get("marked", ())
    return tuple(re.compile(pattern.replace("[NOUN]", f"(?:{_OF_NOUNS})").replace("HAN", _HAN)) for pattern in patterns)


class _Before(NamedTuple):
    """What stands around the nouns of a language."""

    before: frozenset[str]
    pronouns: frozenset[str]
    behind: frozenset[str]
    then: frozenset[str]
    adjectives: frozenset[str]
    anything: frozenset[str]
    capitals: bool
    described: tuple[str, ...]
    named: tuple[str, ...]
    infinitive: tuple[str, ...]
    of_place: tuple[str, ...]

    @property
    def nothing(self) -> frozenset[str]:
        """What is no subject, though it may come back: "par contre" has no "contre"."""
        return self.before | self.pronouns | self.behind | self.anything


@cache
def _before_in(language: str) -> _Before:
    listed = _ABROAD[language]
    lists = {key: frozenset(listed.get(key, "").split()) for key in _Before.__annotations__}
    endings = {key: tuple(sorted(lists[key])) for key in ("described", "named", "infinitive", "of_place")}
    return _Before(**lists | endings | {"capitals": lists["capitals"] == {"yes"}})  # type: ignore[arg-type]


def is_in_english(texts: Sequence[str], among: Sequence[str]) -> bool:
    """Whether these texts are English: by their words, or where those are too few by those around them."""
    text = " ".join(texts)
    if is_foreign(text) and languages_of(text)[1]:  # "Te la porto io", with two words that English has as well
        return False
    return is_english(text) or (not is_foreign(text) and is_english(" ".join(among)))


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
    who somebody is to another; each as its text has it. Empty where none is, and where in a language without articles
    nobody speaks: of notes one noun of one of them says too little.
    """
    if language not in _ABROAD or (_marked_in(language) and not people):
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
            # Where no article tells what a sentence opens with, what weighs most comes first.
            place = (place[0] - worth, at * _FAR + worth) if _marked_in(language) else place
            if noun.casefold() not in of_people and place < found.get(noun, (2 * _FAR, 0)):
                found[noun] = place
    order = sorted(found, key=lambda noun: found[noun])
    if order and not people and _stands_in_most(order[0], bodies):
        return order[0]
    others = [
        noun for noun in order if (len(texts) == 1 or found[noun][1] != found[order[0]][1]) and apart(noun, order[0])
    ]
    return ", ".join([*order[:1], *others[:1]])


def _stands_in_most(noun: str, bodies: Sequence[str]) -> bool:
    """Whether half of the texts have it, also in a longer noun: "Torte" and "Kirschtorte"."""
    standing = sum(noun.casefold() in text.casefold() for text in bodies)
    return standing >= max(_OFTEN, len(bodies) / 2)


def entities(texts: Sequence[str], people: Sequence[str], language: str | None, manners: Manners | None) -> list[str]:
    """The names that come back, most often first, of nobody who speaks: where no noun phrases are known."""
    speakers = {word for who in people for word in who.split()}
    bare = [_SHORT.sub(" ", COUNTED.sub(" ", body(text))) for text in texts]
    inside = [set(names(text)) for text in bare]
    every = set().union(*inside)
    # The first word of a sentence has its capital from there, unless it has one elsewhere too.
    roots = set(map(without_case, every))
    opens = [{part.split()[0].rstrip(".,:!?") for part in sentences(text) if part.split()} for text in bare]
    opening = [{word for word in words if without_case(word) in roots and word[:1].isupper()} for words in opens]
    basic = basic_forms(every.union(*opening), bare)
    seen = Counter(
        name for text, own, first in zip(bare, inside, opening, strict=True)
        for name in dict.fromkeys(basic[name] for name in sorted(own | first, key=text.index))
    )  # fmt: skip
    known = (name for name in seen if name not in speakers and may_be_a_subject(name, language, manners))
    often = sorted((name for name in known if seen[name] >= _OFTEN), key=lambda name: -seen[name])
    # "St." of "St. Josef" is no name by itself.
    often = [
        name for name in often if len(name) > _OFTEN or any(f"{name}." not in text for text in texts if name in text)
    ]
    full = list(dict.fromkeys(in_full(name, texts) for name in often))
    return [name for at, name in enumerate(full) if all(apart(name, other) for other in full[:at])][:_MOST]


def mentioned_abroad(texts: Sequence[str], people: Sequence[str], language: str | None) -> str:
    """The first name inside a sentence of the texts, of nobody who speaks, with the ones right behind it."""
    spoken = {part for who in people for part in who.split()}
    for text in map(body, texts):
        for name in names(text):
            if name.istitle() and name not in spoken and len(name) > _OFTEN and may_be_a_subject(name, language):
                longer = re.search(rf"(?<!\w){re.escape(name)}(?: [^\W\d_a-z][^\W\d_]+)*", text)
                return longer.group() if longer else name
    return ""


def led_by_noun(noun: str, names_back: Sequence[str], texts: Sequence[str], language: str | None) -> list[str]:
    """Names that come back, behind a noun of the language that does so in more of the texts than the first of them."""
    if not names_back or not language or language not in _ABROAD or not apart(noun, names_back[0]):
        return list(names_back)
    standing = [sum(word.casefold() in body(text).casefold() for text in texts) for word in (noun, names_back[0])]
    nouns = {other for text in texts for _, other in _nouns_abroad(body(text), language)}
    return [noun, names_back[0]] if noun in nouns and standing[0] > standing[1] else list(names_back)


def stands_as_no_noun(word: str, texts: Sequence[str], language: str | None) -> bool:
    """Whether a small word has an article in none of the texts, in a language that has them: a verb, "pago".

    A preposition does as well, but before what a verb is called by: "di ceramica", and not "di pagare".
    """
    known = _before_in(language) if language in _ABROAD else None
    if known is None or not known.pronouns or not word.islower():
        return False
    behind = frozenset[str]() if word.endswith(known.infinitive) else known.behind
    return not any(
        before.casefold() in known.before | known.pronouns | known.adjectives | behind
        for text in texts
        for tokens in [_TOKENS.findall(text)]
        for before, token in pairwise(tokens)
        if token.casefold() == word
    )


def is_noun_abroad(word: str, texts: Sequence[str], language: str) -> bool:
    """Whether a word stands behind what stands before nouns, as a name does not."""
    if language not in _ABROAD:
        return False
    nouns = (noun for text in texts for far, noun in _nouns_abroad(body(text), language) if far < _BY_CAPITAL)
    capitals = _before_in(language).capitals
    return word.casefold() in (noun.casefold() for noun in nouns if capitals or noun.islower())


def _nouns_abroad(text: str, language: str) -> Iterator[tuple[int, str]]:
    """Nouns behind what stands before them, each with how far it is from what its sentence is about, 0 the nearest."""
    known = _before_in(language)
    for far, place in enumerate(_marked_in(language)):
        yield from ((far, match[1]) for match in place.finditer(text) if _may_be_noun(match[1], known, language))
    tokens = _TOKENS.findall(text)
    for at, token in enumerate(tokens):
        low, behind = token.casefold(), tokens[at + 1 : at + 4]
        before = "".join(tokens[at - 1 : at])
        opens = not at or _MARK.match(before) is not None
        inside = known.capitals and not opens and token[0].isupper()
        if inside and not _is_of_place(tokens[at:], known) and _may_be_noun(token, known, language):
            yield _BY_CAPITAL, token
        if low not in known.before and low not in known.pronouns:
            continue
        while behind and (
            _is_adjective(behind[0].casefold(), known)
            or (known.capitals and behind[0].islower())
            or _is_of_place(behind, known)
        ):
            behind = behind[1:]
        noun, then = "".join(behind[:1]), "".join(behind[1:2])
        is_sure = low in known.before or before.casefold() in known.behind or (opens and then.casefold() in known.then)
        if is_sure and _may_be_noun(noun, known, language):
            yield (0 if opens else 1 if low[:1] == "m" else 2), noun


def _may_be_noun(word: str, known: _Before, language: str) -> bool:
    low = word.casefold()
    is_none = low in known.anything or _is_adjective(low, known) or not may_be_a_subject(word, language)
    is_none = is_none or (known.named != () and word[0].islower() and not low.endswith(known.named))
    shortest = int(_ABROAD[language].get("shortest", _SHORTEST))
    return len(word) >= shortest and word[0].isalpha() and not is_none and (word[0].isupper() or not known.capitals)


def _is_of_place(words: Sequence[str], known: _Before) -> bool:
    """Whether the first word says of where the second one is, and is no noun: "Schwarzwälder Kirschtorte"."""
    return len(words) > 1 and words[0].endswith(known.of_place) and words[0].istitle() and words[1].istitle()


def _is_adjective(word: str, known: _Before) -> bool:
    """Whether it stands between article and noun, as it is or as several have it."""
    return not known.adjectives.isdisjoint({word, word.removesuffix("s")}) or word.endswith(known.described)
