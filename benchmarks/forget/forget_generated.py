"""Is what is surely forgotten whose it was asked for of? Cases generated from words (forget_generated.toml).

Families: ``owner`` (my salary, beside that of my wife, of my wife's brother and of somebody who is named),
``of-person`` (my wife's, beside my own and her brother's), ``chain`` (my wife's brother's, beside both), ``of-name``,
``attribute`` (something of somebody, beside whatever else is told of them), ``label`` ("Salary: ..." of nobody, beside
"Wife's salary: ..."), in 14 languages, as the user says it and as notes do; and in some of them ``compound`` ("my
school" beside "school bus"), ``asked`` (what my boss is called or earns, in other words) and ``word`` (names that are
words); in 26 languages ``exception`` (everything except Maribel's e-mail) and in 17 ``spared`` (everything about her
except her number). Things, people, names and languages are held out by their hash, one of four: a case that has none
of those was looked at while rules were written and is ``seen``, any other is ``held``, and its failures are not
printed.

Printed: cases, the share solved (all that was meant surely goes, and nothing else), shown (all that was meant goes or
is in doubt, and nothing else surely goes), and how many memories were lost (surely went and had to stay).

    python benchmarks/forget/forget_generated.py [--failures | --lost] [--family NAME] [--language CODE] [--every N]
"""

from __future__ import annotations

import argparse
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, cycle, islice, product
from pathlib import Path
from typing import Any

from forget_words import NOW, Case, left_over
from precis.finding.values import Row
from precis.models.embeddings import StaticEmbedder

HALVES = ("seen", "held")
_DOCUMENT: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_APART = ("compounds", "attributes", "names", "told_of_names", "exceptions")
LANGUAGES = tuple(name for name in _DOCUMENT if name not in _APART)
#: One of so many languages, things, people and names is held out.
_HELD_OF = 4
_BLOOD = ("A+", "B-", "0+", "AB-", "A-", "B+", "0-", "AB+")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request, what it means and what has to stay; ``of`` are the words by which it is seen or held."""

    family: str
    language: str
    of: tuple[str, ...]
    ask: str
    goes: tuple[str, ...]
    stay: tuple[str, ...]

    @property
    def half(self) -> str:
        """Whether its failures may be read."""
        return HALVES[any(zlib.crc32(word.encode()) % _HELD_OF == 0 for word in (self.language, *self.of))]


class Tongue:
    """How owners and things are said in a language, in the words of the user or in those of notes about them."""

    def __init__(self, code: str, *, first: bool) -> None:
        self.code, self._first = code, first
        self._words: dict[str, Any] = _DOCUMENT[code]
        self.things = {name: line.split("|") for name, line in self._words["things"].items()}
        self.people = {name: line.split("|") for name, line in self._words["people"].items()}
        self.names: list[str] = self._words["names"]
        self._number = count(11)

    def joined(self, thing: str, owner: str) -> str:
        """A thing and its owner, or somebody and whose they are."""
        return str(self._words["join"].format(thing=thing, owner=owner))

    def chain(self, people: Sequence[str], *, first: bool) -> str:
        """The owner at the end of a chain of people: of my wife's brother."""
        owner = self.people[people[0]][0] if first else self.joined(self.people[people[0]][1], self._words["user"])
        for person in people[1:]:
            owner = self.joined(self.people[person][1], owner)
        return owner

    def ask(self, thing: str, *people: str, name: str = "") -> str:
        """A request for a thing of the user's, of somebody of theirs, or of somebody who is named."""
        forms = self.things[thing]
        what = forms[2]
        if people or name:
            what = self.joined(forms[1], name or self.chain(people, first=True))
        which = zlib.crc32((thing + "".join(people) + name).encode()) % len(self._words["ask"])
        return _upper(self._words["ask"][which].format(what=what))

    def note(self, thing: str, *people: str, name: str = "", label: bool = False) -> str:
        """What is noted of a thing of the user's, of somebody of theirs, or of somebody who is named."""
        forms = self.things[thing]
        if name:
            owner = self.joined(self.people[people[0]][1], name) if people else name
            said = self.joined(forms[0], owner)
        elif people:
            said = self.joined(forms[0], self.chain(people, first=self._first))
        else:
            said = forms[3] if self._first else self.joined(forms[0], self._words["user"])
        if label and not (people or name):
            said = forms[4]
        form = "{thing}: {value}." if label else self._words["is"]
        return _upper(form.format(thing=said, value=self._value(thing)))

    def fact(self, person: str) -> str:
        """Something else about somebody of the user's."""
        return _upper(self._words["fact"].format(who=self.people[person][2 if self._first else 3]))

    def _value(self, thing: str) -> str:
        number = next(self._number) % 80 + 11
        match thing:
            case "salary":
                return f"43{number} €"
            case "phone":
                return f"0170 555 01{number}"
            case "blood":
                return _BLOOD[number % 8]
            case "birthday":
                return f"19{number}-03-05"
            case "shoe":
                return f"{number}"
            case _:
                return f"529.982.2{number}-25"


def _upper(text: str) -> str:
    return text[0].upper() + text[1:]


def owned(code: str, *, first: bool) -> Iterator[Asked]:
    """Cases of whose a thing is, in a language."""
    tongue = Tongue(code, first=first)
    people, names, things = list(tongue.people), cycle(tongue.names), list(tongue.things)
    for at, thing in enumerate(things):
        other = things[(at + 1) % len(things)]
        name = next(names)
        for place, person in enumerate(people):
            second = people[(place + 1) % len(people)]
            third = people[(place + 2) % len(people)]
            mine, theirs = tongue.note(thing), tongue.note(thing, person)
            chained, beside = tongue.note(thing, person, second), tongue.note(thing, third)
            named, of_named = tongue.note(thing, name=name), tongue.note(thing, person, name=name)
            listed = (
                ("owner", tongue.ask(thing), (mine,), (theirs, chained, named), (person, second, name)),
                ("of-person", tongue.ask(thing, person), (theirs,), (mine, chained, beside, of_named), (person, name)),
                ("chain", tongue.ask(thing, person, second), (chained,), (mine, theirs, beside), (person, second)),
                ("of-name", tongue.ask(thing, name=name), (named,), (mine, theirs, of_named), (person, name)),
                (
                    "attribute",
                    tongue.ask(thing, person),
                    (theirs,),
                    (tongue.fact(person), tongue.note(other, person), tongue.note(other)),
                    (person, other),
                ),
                (
                    "label",
                    tongue.ask(thing),
                    (tongue.note(thing, label=True),),
                    (tongue.note(thing, person, label=True), tongue.note(other, label=True)),
                    (person, other),
                ),
            )
            for family, ask, goes, stay, of in listed:
                yield Asked(family=family, language=code, of=(thing, *of), ask=ask, goes=goes, stay=stay)


def beside() -> Iterator[Asked]:
    """Cases of compounds, of what is told of somebody in other words, and of names that are words."""
    for code, listed in _DOCUMENT["compounds"].items():
        for thing, (goes, *stay) in listed.items():
            ask = _DOCUMENT[code]["ask"][0].format(what=thing)
            yield Asked(family="compound", language=code, of=(thing,), ask=ask, goes=(goes,), stay=tuple(stay))
    table = _DOCUMENT["attributes"]
    for number, person in enumerate(table["people"]):
        other = table["others"][number % 2]
        for at, (asked, tellings) in enumerate(table["asked"].items()):
            for telling in tellings:
                who = ("My {}", "User's {}")[(number + at) % 2]
                told = table["beside"]["told"]
                stay = (
                    told[(number + at) % 4].replace("{W}", who.format(person)),
                    told[(number + at + 1) % 4].replace("{W}", who.format(person)),
                    tellings[(number + at) % len(tellings)].replace("{W}", who.format(other)),
                )
                yield Asked(
                    family="asked", language="en", of=(person, asked), ask=f"Forget my {person}'s {asked}.",
                    goes=(telling.replace("{W}", who.format(person)),), stay=stay,
                )  # fmt: skip
    for name, stay in _DOCUMENT["names"].items():
        goes = tuple(text.replace("{N}", name) for text in _DOCUMENT["told_of_names"]["goes"])
        for text in goes:
            yield Asked(family="word", language="en", of=(name,), ask=f"Forget {name}.", goes=(text,), stay=tuple(stay))


def exceptions() -> Iterator[Asked]:
    """Cases of what stays of everything, told in its words or others, and of everything about somebody."""
    for code, words in _DOCUMENT["exceptions"].items():
        for at, frame in enumerate(words["asks"]):
            for place, told in enumerate(words["told"]):
                name = words["names"][(at + place) % len(words["names"])]
                kept = words["kept"].format(N=name)
                of = kept.replace("o e-mail", "do e-mail").replace("la mail", "della mail")
                stay = told.format(N=name, M=f"{'qrt'[place]}{at}@vale.org")
                ask = _upper(frame.format(K=kept, D=of))
                yield Asked(
                    family="exception", language=code, of=(name,), ask=ask, goes=tuple(words["own"]), stay=(stay,)
                )
        for frame, name in product(words.get("about", ()), words["names"]):
            goes = tuple(fact.format(N=name) for fact in words["facts"])
            stay = (words["number"].format(N=name), words["other"])
            yield Asked(
                family="spared", language=code, of=(name,), ask=frame.format(N=name), goes=goes, stay=tuple(stay)
            )


def cases() -> Iterator[Asked]:
    """All of them."""
    for code in LANGUAGES:
        for first in (True, False):
            yield from owned(code, first=first)
    yield from beside()
    yield from exceptions()


def judged(asked: Asked, embedder: StaticEmbedder) -> tuple[list[str], list[str], list[str]]:
    """What remains although it was meant, what is hidden of that, and what was lost."""
    rows = tuple(Row(id=f"m{at}", text=text, created_at=NOW) for at, text in enumerate((*asked.goes, *asked.stay)))
    case = Case(half=asked.half, family=asked.family, ask=asked.ask, rows=rows, gone=(), stay=())
    sure = left_over(case, embedder)
    remains = [text for text in asked.goes if text.casefold() in sure]
    hidden = [text for text in remains if text.casefold() in left_over(case, embedder, doubtful=True)]
    return remains, hidden, [text for text in asked.stay if text.casefold() not in sure]


def main() -> None:
    """Ask, and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--failures", action="store_true", help="print what failed, of what is seen only")
    parser.add_argument("--lost", action="store_true", help="of the failures only what lost something")
    parser.add_argument("--family", help="only this one")
    parser.add_argument("--language", help="only this one")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th case")
    options = parser.parse_args()
    embedder = StaticEmbedder()
    counts: Counter[tuple[str, str, str]] = Counter()
    for asked in islice(cases(), 0, None, options.every):
        if options.family not in {None, asked.family} or options.language not in {None, asked.language}:
            continue
        remains, hidden, lost = judged(asked, embedder)
        for row in (asked.family, f"~ {asked.language}", "~~ all"):
            counts.update(
                {
                    (row, asked.half, "cases"): 1,
                    (row, asked.half, "solved"): not (remains or lost),
                    (row, asked.half, "shown"): not (hidden or lost),
                    (row, asked.half, "lost"): len(lost),
                }
            )
        if (options.failures or options.lost) and asked.half == "seen" and (lost or (remains and not options.lost)):
            print(
                f"{asked.family} {asked.language}: {asked.ask!r}: still there {remains}, hidden {hidden}, lost {lost}"
            )
    print(f"{'':12}" + "".join(f"{half:>10}   solved    shown  lost" for half in HALVES))
    for row in sorted({row for row, _, _ in counts}):
        cells = []
        for half in HALVES:
            number = counts[row, half, "cases"]
            shares = [counts[row, half, name] / max(1, number) for name in ("solved", "shown")]
            cells.append(f"{number:10}{shares[0]:9.3f}{shares[1]:9.3f}{counts[row, half, 'lost']:6}")
        print(f"{row:12}" + "".join(cells))


if __name__ == "__main__":
    main()
