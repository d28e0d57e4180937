"""The tables of words that finding goes by: how requests are put, by language, what names are, what words mean."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from precis.finding.reading import HANGUL, UNSPACED, folded
from precis.finding.scripts import apart, inflected, is_inflected
from precis.language.words import MARKS

_FOLDER = Path(__file__).parent / "words"
_APART = re.compile(r";\s+(?![^()]*\))")
_NEVER = re.compile(r"(?!)")


@cache
def _file(name: str) -> Mapping[str, Any]:
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def languages() -> tuple[str, ...]:
    """Those that a request may be in."""
    return tuple(_file("requests"))


@cache
def patterns(language: str, what: str) -> tuple[str, ...]:
    """Regular expressions of a language; none where it has none of that kind."""
    text = _file("requests").get(language, {}).get(what, "")
    ends = r"(?=[\s,]|$)" if what == "except" else r"(?=\s|$)"
    return tuple(part.strip().replace(r"(?=\s)", ends) for part in _APART.split(text) if part.strip())


@cache
def calendar_words() -> frozenset[str]:
    """Names of months and weekdays in the languages of requests."""
    return frozenset(word for it in languages() for what in ("months", "weekdays") for word in words_of(it, what))


@cache
def refusals() -> Mapping[str, Mapping[str, Any]]:
    """By language: how it denies that something is to be forgotten, and takes a request back."""
    return _file("refusals")


def raw(language: str, what: str) -> str:
    """A text of a language as it stands."""
    text: str = _file("requests")[language].get(what, "")
    return text


@cache
def words_of(language: str, what: str) -> tuple[str, ...]:
    """Plain words of a language, parted by spaces or semicolons, folded; none of one that has no such table."""
    text = _file("requests").get(language, {}).get(what, "")
    return tuple(dict.fromkeys(folded(part) for part in re.split(r"[;\s]+", text) if part))


@cache
def all_words(what: str) -> frozenset[str]:
    """The same of every language."""
    return frozenset(word for language in languages() for word in words_of(language, what))


@cache
def times(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Phrases of time of a language, and what they are in English; its months and weekdays last."""
    section = _file("requests")[language]
    pairs = [(re.compile(phrase, re.IGNORECASE), english) for phrase, english in section.get("time", {}).items()]
    if language != "en" and not UNSPACED.search(section["months"]):
        for what in ("months", "weekdays"):
            own, english = (_file("requests")[name][what].split("; ") for name in (language, "en"))
            pairs += [
                (re.compile(inflected(word) if is_inflected(word) else rf"\b{re.escape(word)}\b", re.IGNORECASE), name)
                for word, name in zip(own, english, strict=True)
            ]
    return tuple(pairs)


@cache
def name_words(what: str) -> frozenset[str]:
    """A list of names.toml, folded."""
    return frozenset(map(folded, _file("names")[what].split()))


@cache
def by_language(what: str) -> Mapping[str, frozenset[str]]:
    """A section of names.toml: folded words by the language that they are of."""
    return {language: frozenset(map(folded, text.split())) for language, text in _file("names")[what].items()}


@cache
def sayings(what: str) -> tuple[str, ...]:
    """A list of names.toml, line by line."""
    return tuple(line.strip() for line in _file("names")[what].strip().split("\n"))


@cache
def characters(what: str) -> frozenset[str]:
    """A list of names.toml, character by character."""
    return frozenset(_file("names")[what])


@cache
def groups() -> Mapping[str, tuple[re.Pattern[str], re.Pattern[str]]]:
    """By name: how a request calls a group of words or a kind within one ("pet.dog"), and what memories say of it."""
    named = {name: (entry["names"], entry["words"]) for name, entry in _entries().items()}
    named |= {
        f"{group}.{kind}": (words.partition("|")[0], words.replace(" | ", "; "))
        for group, kinds in _file("groups")["kinds"].items()
        for kind, words in kinds.items()
    }
    return {name: (_alternatives(names), _alternatives(words)) for name, (names, words) in named.items()}


def _entries() -> Mapping[str, Any]:
    return {name: entry for name, entry in _file("groups").items() if name not in {"fields", "kinds"}}


def phrases_of(name: str) -> list[str]:
    """What memories say of a group or a kind."""
    group, _, kind = name.partition(".")
    words: str = _file("groups")["kinds"][group][kind] if kind else _file("groups")[name]["words"]
    return words.replace(" | ", "; ").split("; ")


@cache
def any_group(names: frozenset[str], *, plain: bool) -> re.Pattern[str]:
    """What memories say of any of these groups; of a ``plain`` text, in ASCII, only what such a text can say."""
    phrases = [phrase for name in sorted(names) for phrase in phrases_of(name)]
    return _alternatives("; ".join(phrase for phrase in phrases if not plain or folded(phrase).isascii()))


@cache
def request_words() -> frozenset[str]:
    """Words in ASCII that requests and the tables of groups have, of any language: none of them is a slip of typing.

    Of English every text of requests.toml is read, whatever it is for. So a word that is struck from the file counts as
    a slip from then on.
    """
    listed = [entry[what] for entry in _entries().values() for what in ("names", "words")]
    listed += [entry["names"] for entry in _file("groups")["fields"].values()]
    listed += [words for kinds in _file("groups")["kinds"].values() for words in kinds.values()]
    listed += [entry.get(what, "") for entry in _file("requests").values() for what in ("first", "third", "small")]
    asking = [re.sub(r"\\\w|\W+", " ", text) for text in _file("requests")["en"].values() if isinstance(text, str)]
    return frozenset(re.findall(r"(?<![^\s;])[a-z]{3,}(?![^\s;])", " ".join([*listed, *asking])))


@cache
def weak_words() -> re.Pattern[str]:
    """Words of groups that have other senses."""
    return _alternatives("; ".join(word for name in _entries() for word in phrases_of(name) if word[0] == "?"))


@cache
def verbal_groups() -> frozenset[str]:
    """Groups of verbs, and of what is said in their place."""
    return frozenset(name for name, entry in _entries().items() if entry.get("verbal"))


@cache
def fields() -> Mapping[str, tuple[re.Pattern[str], frozenset[str]]]:
    """By name: how a request calls a whole field, and the groups that are parts of it."""
    return {
        name: (_alternatives(entry["names"]), frozenset(entry["groups"].split()))
        for name, entry in _file("groups")["fields"].items()
    }


@cache
def speaking() -> Mapping[str, Mapping[str, str]]:
    """By language: the words of clauses that say only that something was spoken."""
    return _file("speaking")


@cache
def framed_languages() -> frozenset[str]:
    """Those of which it is known how a request is wrapped."""
    return frozenset(_file("frames"))


def frames(language: str) -> Mapping[str, str]:
    """How a request is wrapped in a language: words by sort."""
    listed: Mapping[str, str] = _file("frames")[language]
    return listed


@cache
def ground_languages() -> tuple[str, ...]:
    """Those of which grounds.toml has the words that requests are made of."""
    return tuple(name for name in _file("grounds") if name != "asks")


@cache
def ground_words(language: str, sort: str) -> tuple[str, ...]:
    """Words of one sort by which requests are put in a language, folded; "*" stands for any beginning or ending."""
    listed = str(_file("grounds")[language].get(sort, ""))
    listed += " " + (_file("frames")[language].get(sort, "") if language in framed_languages() else "")
    return tuple(dict.fromkeys(folded(word).strip("'") for word in listed.split()))


def unspaced_groups(text: str) -> Iterator[tuple[int, int, frozenset[str]]]:
    """Where a text names a group of words in a script that sets no spaces, and in Hangul: first, last, and groups."""
    named = ((pattern, frozenset({name})) for name, (pattern, _) in groups().items())
    for pattern, members in chain(named, fields().values()):
        for match in pattern.finditer(text):
            if UNSPACED.search(match.group()) or HANGUL.search(match.group()):
                yield *match.span(), members


@cache
def ground_phrases(language: str) -> bool:
    """Whether the lists of a language are of phrases, which no space need set apart."""
    return bool(_file("grounds")[language].get("phrases", False))


@cache
def ground_cases(language: str) -> bool:
    """Whether names are declined in it."""
    return bool(_file("grounds")[language].get("cases", False))


@cache
def ground_asks() -> Mapping[str, str]:
    """By a verb of any language: the group of words that a request asks for with it."""
    return {folded(verb): group for group, verbs in _file("grounds")["asks"].items() for verb in verbs.split()}


@cache
def kind_words(what: str) -> frozenset[str]:
    """A list of kinds.toml: "many.broad", "by_verb.drink"."""
    section, _, name = what.partition(".")
    return frozenset(_file("kinds")[section].get(name, "").split())


@cache
def kind_names() -> Mapping[str, re.Pattern[str]]:
    """By the English name of a kind: what other languages call it."""
    return {name: _alternatives(called) for name, called in _file("kinds")["names"].items()}


def english_words(group: str) -> str:
    """The first words of a group: what a vector of it is made of."""
    return " ".join(phrases_of(group)[: 2 if "." in group else 8]).replace("*", "").replace("?", "")


def whole_words(listed: Sequence[str]) -> re.Pattern[str]:
    """Each of these words, for ``fullmatch``; "*" is any more letters, written once, since that takes long to read."""
    ending = rf"[\w{MARKS}]*"
    begun = [re.escape(word[:-1]) for word in listed if word.find("*") == len(word) - 1]
    others = [re.escape(word).replace(r"\*", ending) for word in listed if word.find("*") != len(word) - 1]
    expressions = [*others, *([f"(?:{'|'.join(begun)}){ending}"] if begun else [])]
    return re.compile("|".join(expressions)) if expressions else _NEVER


def _alternatives(text: str) -> re.Pattern[str]:
    """One expression of phrases; "*" is any ending, and any word where it stands alone."""
    spaced: list[str] = []
    unspaced: list[str] = []
    joined: list[str] = []
    for phrase in dict.fromkeys(part.strip().lstrip("?") for part in text.split(";") if part.strip()):
        bare = folded(phrase.replace("\\d", "\0"))
        if own := apart(bare):
            unspaced.append(own)
            continue
        if is_inflected(bare):
            joined.append(inflected(bare).replace("\0", r"\d"))
            continue
        written = re.escape(bare).replace(r"\ \*\ ", r"\s+\w+\s+").replace(r"\*", r"\w*")
        written = re.sub(r"\0(?:\\w\*)?", r"\\d\\w*", written)
        written = written.replace(r"\ ", r"\s+")
        (unspaced if UNSPACED.search(phrase) or HANGUL.search(phrase) else spaced).append(written)
    words = _branches([_UNIT.findall(each) for each in spaced])
    parts = [rf"(?<!\w){words}(?!\w)" if spaced else "", "|".join(unspaced)]
    parts += [f"(?=[\u0600-\u06ff\u0900-\u097f])(?:{'|'.join(joined)})" if joined else ""]
    return re.compile("|".join(filter(None, parts))) if any(parts) else _NEVER


#: What one step of a phrase's expression is.
_UNIT = re.compile(r"\\s\+\\w\+\\s\+|\\s\+|\\w\*|\\.|.", re.DOTALL)


def _branches(phrases: Sequence[Sequence[str]]) -> str:
    """Phrases as one expression in which those that begin alike part where they differ: a long list is read at once."""
    below: dict[str, list[Sequence[str]]] = {}
    for phrase in phrases:
        if phrase:
            below.setdefault(phrase[0], []).append(phrase[1:])
    # "email address" before "email" and any ending: the longer one is meant.
    ordered = sorted(below.items(), key=lambda branch: branch[0] == r"\w*")
    inner = "|".join(f"{unit}{_branches(rest)}" for unit, rest in ordered)
    if not inner:
        return ""
    return f"(?:{inner})?" if any(not phrase for phrase in phrases) else f"(?:{inner})" if len(below) > 1 else inner
