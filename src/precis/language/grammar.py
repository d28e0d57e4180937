"""The words of which clauses are made, out of the tables: forms of verbs, attributes, cues, kinds, noun phrases."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from precis.language import tables
from precis.language.words import stem

_VOWELS = "aeiou"
#: Endings whose last consonant is not doubled: "listened", "fixed".
_SINGLE_ENDS = ("w", "x", "y", "en", "er", "or", "in", "it", "al", "el")


class Form(NamedTuple):
    """What a spelling of a verb tells."""

    lemma: str
    #: Any of base, third, past, participle, ing.
    kinds: frozenset[str]


class Role(NamedTuple):
    """What a verb with the words behind it says of an attribute."""

    attribute: str
    #: hold, enter or leave.
    part: str
    #: The words right behind the verb.
    particle: tuple[str, ...]


def _by_first_word(phrases: Iterable[str]) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Phrases by their first word, the longest first."""
    split = sorted((tuple(phrase.split()) for phrase in phrases), key=len, reverse=True)
    return {first: tuple(phrase for phrase in split if phrase[0] == first) for first in {phrase[0] for phrase in split}}


def _doubles(base: str) -> bool:
    """Whether the last consonant is written twice before an ending: "stopped"."""
    short = (
        len(base) > 2 and base[-1] not in _VOWELS and base[-2] in _VOWELS and (base[-3] not in _VOWELS or "qu" in base)
    )
    return short and not base.endswith(_SINGLE_ENDS)


def _stretched(base: str, ending: str) -> str:
    if base.endswith("e"):
        return base[:-1] + ending if not base.endswith(("ee", "ye", "oe")) or ending[0] == "e" else base + ending
    if ending == "ed" and base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ied"
    return base + (base[-1] if _doubles(base) else "") + ending


def _third(base: str) -> str:
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + "es"
    return base[:-1] + "ies" if base.endswith("y") and base[-2] not in _VOWELS else base + "s"


def _forms(regular: Iterable[str], irregular: Iterable[str]) -> Mapping[str, Form]:
    seen: dict[str, tuple[str, set[str]]] = {}

    def add(spelling: str, lemma: str, kind: str) -> None:
        seen.setdefault(spelling, (lemma, set()))[1].add(kind)

    for base in regular:
        for spelling, kind in ((base, "base"), (_third(base), "third"), (_stretched(base, "ing"), "ing")):
            add(spelling, base, kind)
        for kind in ("past", "participle"):
            add(_stretched(base, "ed"), base, kind)
            if base.endswith("el"):
                add(base + "led", base, kind)  # as it is written in Britain
    for line in irregular:
        base, past, participle = line.split()
        for spelling, kind in ((base, "base"), (_third(base), "third"), (past, "past"), (participle, "participle")):
            add(spelling, base, kind)
        add(_stretched(base, "ing"), base, "ing")
    return {spelling: Form(lemma, frozenset(kinds)) for spelling, (lemma, kinds) in seen.items()}


def _roles(table: Mapping[str, Mapping[str, Any]]) -> Mapping[str, tuple[Role, ...]]:
    """Verbs to what they say of attributes, the longest first."""
    collected: dict[str, list[Role]] = {}
    for attribute, row in table.items():
        for part in ("hold", "enter", "leave"):
            for phrase in row[part]:
                verb, *rest = phrase.split()
                collected.setdefault(verb, []).append(Role(attribute, part, tuple(rest)))
    return {verb: tuple(sorted(roles, key=lambda role: -len(role.particle))) for verb, roles in collected.items()}


def _kinds(rows: Mapping[str, str]) -> Mapping[str, frozenset[str]]:
    """Stems to the kinds they are of."""
    collected: dict[str, set[str]] = {}
    for kind, listed in rows.items():
        for word in listed.split():
            collected.setdefault(stem(word), set()).add(kind)
    return {word: frozenset(kinds) for word, kinds in collected.items()}


def _some(place: str) -> frozenset[str]:
    return frozenset(tables.words(place))


def _stems(place: str) -> frozenset[str]:
    return frozenset(map(stem, tables.words(place)))


Of = TypeVar("Of")


def _by_verb(rows: Iterable[tuple[str, Of]]) -> Mapping[str, Sequence[tuple[tuple[str, ...], Of]]]:
    """Phrases by the verb that each opens with: the words behind it, and what the phrase is of, in their order."""
    collected: dict[str, list[tuple[tuple[str, ...], Of]]] = {}
    for phrase, of in rows:
        verb, *rest = phrase.split()
        collected.setdefault(verb, []).append((tuple(rest), of))
    return collected


def _longest_first(phrases: Iterable[str]) -> list[str]:
    return sorted(phrases, key=lambda phrase: -len(phrase.split()))


SOMEBODY_ELSE = re.compile(r"\b(?:s?he|his|hers?|him)\b", re.IGNORECASE)
FORMS = _forms(tables.words("verbs.regular"), tables.phrases("verbs.irregular"))
#: Forms of words that are verbs behind "I" and mostly nouns elsewhere.
AMBIGUOUS_FORMS = _forms(tables.words("verbs.ambiguous"), ())
BE, HAVE, DO, PAST_BE = (_some(f"verbs.{name}") for name in ("be", "have", "do", "past_be"))
REPORTS, NEARLY, OPINIONS, UNREAL = (_some(f"verbs.{name}") for name in ("reports", "nearly", "opinions", "unreal"))

_ATTRIBUTES: Mapping[str, Mapping[str, Any]] = tables.entry("attributes")
ROLES = _roles(_ATTRIBUTES)
SINGLE_ATTRIBUTES = frozenset(name for name, row in _ATTRIBUTES.items() if row["single"])
NOUNS_OF = {name: frozenset(map(stem, row["nouns"].split())) for name, row in _ATTRIBUTES.items()}

WEIGHTS, TARIFFS = _stems("things.weights"), _some("things.tariffs")
SINGLE, EVENTS, TEAMS, NAME_NOUNS = (_stems(f"things.{name}") for name in ("single", "events", "teams", "names"))
#: Things that are anybody's own, though "the" stands before them, unless they are of one of the others.
OF_EACH = _stems("things.of_each") | _stems("phrases.people")
OF_ALL = _stems("things.of_all")
#: Things whose value may be any word, and the favorite of anything.
PREFERRED = _stems("things.preferred")
WORDED = _stems("things.words") | PREFERRED
SINGLE_VERBS, ACTS, OWN_ACTS, FIGURED_ACTS = (_some(f"things.{name}") for name in ("verbs", "act", "own", "figured"))
CHANGED, CALLED_OFF, COPULAS = (
    _by_verb((phrase, None) for phrase in _longest_first(tables.phrases(f"things.{name}")))
    for name in ("change", "off", "copula")
)
#: What somebody does to what they have one of.
HELD = _by_verb(
    (phrase, tables.section("things.held")[phrase]) for phrase in _longest_first(tables.section("things.held"))
)
SAME_THINGS = {tuple(name.split()): tuple(same.split()) for name, same in tables.section("things.same").items()}

CHANGES, ADDS, NEUTRAL, DENIES = (
    _by_first_word(tables.phrases(f"cues.{name}")) for name in ("changes", "adds", "neutral", "denies")
)
#: Before a colon they say that somebody goes on speaking.
LEADS = _some("cues.leads")
#: What ended: verb and particle to the verbs of what somebody did until then.
ENDS = _by_verb((phrase, frozenset(verbs.split())) for phrase, verbs in tables.section("cues.ends").items())

STATES, CHOICES = _kinds(tables.section("kinds.states")), _kinds(tables.section("kinds.choices"))
WITHOUT = {stem(trait): frozenset(map(stem, foods.split())) for trait, foods in tables.section("kinds.without").items()}

FIRST, OWN, THIRD, THEIR, SECOND, SEVERAL, ONLY = (
    _some(f"phrases.{name}") for name in ("first", "own", "third", "their", "second", "several", "only")
)
ARTICLES, VAGUE, BREAKS, ENDINGS, CONDITIONS, PEOPLE = (
    _some(f"phrases.{name}") for name in ("articles", "vague", "breaks", "ends", "conditions", "people")
)
#: Adjectives and adverbs that have degrees.
DEGREES = _some("degrees.degrees")


def is_past(word: str) -> bool:
    """Whether the form of a verb is of the past and of nothing else: "went"."""
    form = FORMS.get(word)
    return form is not None and "past" in form.kinds and form.kinds.isdisjoint({"base", "participle"})
