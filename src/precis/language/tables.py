"""The tables of words beside this file, read once: verbs with their forms, attributes, cues, kinds and phrases."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from precis.language.words import stem

_FOLDER = Path(__file__).parent / "en"
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


def _table(name: str) -> Mapping[str, Any]:
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def _phrases(text: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Phrases by their first word, the longest first."""
    split = sorted((tuple(part.split()) for part in text.split(";") if part.strip()), key=len, reverse=True)
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
    return MappingProxyType({spelling: Form(lemma, frozenset(kinds)) for spelling, (lemma, kinds) in seen.items()})


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


_verbs, _attributes, _things, _cues, _kind_rows, _phrase_rows, _degrees = map(
    _table, ("verbs", "attributes", "things", "cues", "kinds", "phrases", "degrees")
)

FORMS = _forms(_verbs["regular"].split(), _verbs["irregular"].replace("\n", " ").rstrip("; ").split(";"))
BE, HAVE, DO = (frozenset(_verbs[name].split()) for name in ("be", "have", "do"))
PAST_BE = frozenset(_verbs["past_be"].split())
REPORTS, NEARLY = (frozenset(_verbs[name].split()) for name in ("reports", "nearly"))
OPINIONS = frozenset(_verbs["opinions"].split())
UNREAL = frozenset(_verbs["unreal"].split())
ROLES = _roles(_attributes)
SINGLE_ATTRIBUTES = frozenset(name for name, row in _attributes.items() if row["single"])
NOUNS_OF = {name: frozenset(map(stem, row["nouns"].split())) for name, row in _attributes.items()}
SINGLE = frozenset(map(stem, _things["single"].split()))
WORDED = frozenset(map(stem, _things["words"].split())) | {stem("favorite"), stem("favourite")}
SINGLE_VERBS = frozenset(_things["verbs"].split())
CHANGED = tuple(sorted((tuple(line.split()) for line in _things["change"]), key=len, reverse=True))
COPULAS = tuple(sorted((tuple(line.split()) for line in _things["copula"]), key=len, reverse=True))
ACTS, OWN_ACTS = (frozenset(_things[name].split()) for name in ("act", "own"))
SAME_THINGS = {tuple(name.split()): tuple(same.split()) for name, same in _things["same"].items()}
EVENTS, TEAMS = (frozenset(map(stem, _things[name].split())) for name in ("events", "teams"))
NAME_NOUNS = frozenset(map(stem, _things["names"].split()))
CHANGES, ADDS, NEUTRAL, DENIES = (
    _phrases(_cues[name].replace("\n", " ")) for name in ("changes", "adds", "neutral", "denies")
)
#: What ended: verb and particle to the verbs of what somebody did until then.
ENDS = {tuple(phrase.split()): frozenset(verbs.split()) for phrase, verbs in _cues["ends"].items()}
STATES, CHOICES = _kinds(_kind_rows["states"]), _kinds(_kind_rows["choices"])
WITHOUT = {stem(trait): frozenset(map(stem, foods.split())) for trait, foods in _kind_rows["without"].items()}
FIRST, OWN, THIRD, THEIR, SECOND, ARTICLES, VAGUE, BREAKS, ENDINGS, CONDITIONS, PEOPLE, SEVERAL, ONLY = (
    frozenset(_phrase_rows[name].split())
    for name in (
        "first", "own", "third", "their", "second", "articles", "vague", "breaks", "ends", "conditions", "people",
        "several", "only",
    )
)  # fmt: skip
#: Adjectives and adverbs that have degrees.
DEGREES = frozenset(_degrees["degrees"].split())
