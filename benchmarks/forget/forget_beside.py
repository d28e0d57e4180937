"""Does a plain request leave alone what stands beside what it means? Generated memories (forget_beside.toml).

Each thing, each way of telling it and each clause is asked for of the user, of somebody and of the user's brother,
beside the same thing of the others and something else of the same person. Printed for each kind of request: how many of
the memories that were meant went, and of those that had to stay how many went as well. Written beside the rules: it
shows what is safe, and not what carries over.

    python benchmarks/forget/forget_beside.py [--examples]
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forget_words import NOW, Case, left_over
from precis.finding.values import Row
from precis.models.embeddings import StaticEmbedder

USER, SOMEBODY, BROTHER = "the user", "Tove", "the user's brother"
_ASKED = {USER: "Forget my {noun}.", SOMEBODY: "Delete Tove's {noun}.", BROTHER: "Please erase my brother's {noun}."}
_BESIDE = ("Tove likes long walks.", "The user likes to bake bread.", "The user's brother restores clocks.")
NAMES = ("Hannelore", "Anna", "Ren", "Tom", "Mr. Baker", "Sinead", "Mercy", "Ngozi")


@dataclass(frozen=True)
class Asked:
    """A request of a kind, what it means, and what stands beside it."""

    kind: str
    ask: str
    goes: tuple[str, ...]
    stay: tuple[str, ...]


def requests(document: dict[str, Any]) -> Iterator[Asked]:
    """Every request."""
    forms = {noun: [told] for noun, told in document["called"].items()}
    for kind, listed in (("called", forms), ("told", document["told"])):
        for noun, tellings in listed.items():
            for telling in tellings:
                said = {whose: _of(telling, whose) for whose in _ASKED}
                for whose, ask in _ASKED.items():
                    others = tuple(text for other, text in said.items() if other != whose)
                    yield Asked(kind, ask.format(noun=noun), (said[whose],), (*others, *_BESIDE))
    for mine, theirs in document["said"].items():
        said = {whose: _of(f"{{W}} {theirs}.", whose) for whose in _ASKED}
        asks = {USER: mine, SOMEBODY: f"Tove {theirs}", BROTHER: f"my brother {theirs}"}
        for whose, clause in asks.items():
            others = tuple(text for other, text in said.items() if other != whose)
            yield Asked("said", f"Forget that {clause}.", (said[whose],), (*others, *_BESIDE))
    for name in NAMES:
        for clause in document["clauses"]["of_somebody"]:
            beside = (f"{name} keeps eleven hens in the yard.", f"Yesterday the user had lunch with {name}.")
            yield Asked("clauses", f"Forget that {name} {clause}.", (), beside)


def _of(telling: str, whose: str) -> str:
    """The note, of somebody; a thing is theirs."""
    text = telling.replace("{W}", f"{whose}'s" if telling in _CALLED else whose)
    return text[0].upper() + text[1:]


_DOCUMENT = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_CALLED = frozenset(_DOCUMENT["called"].values())


def main() -> None:
    """Ask, and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", action="store_true", help="print what went and had to stay")
    examples = parser.parse_args().examples
    embedder = StaticEmbedder()
    counts: dict[str, list[int]] = {}
    for asked in requests(_DOCUMENT):
        texts = (*asked.goes, *asked.stay)
        rows = tuple(Row(id=f"m{at}", text=text, created_at=NOW) for at, text in enumerate(texts))
        left = left_over(Case(half=asked.kind, family=asked.kind, ask=asked.ask, rows=rows, gone=(), stay=()), embedder)
        lost = [text for text in asked.stay if text.casefold() not in left]
        gone = sum(text.casefold() not in left for text in asked.goes)
        row = counts.setdefault(asked.kind, [0, 0, 0, 0])
        for at, number in enumerate((gone, len(asked.goes), len(lost), len(asked.stay))):
            row[at] += number
        if examples and lost:
            print(asked.ask, lost)
    for kind, (gone, meant, lost_, stay) in counts.items():
        print(f"{kind:10} meant and gone {gone:4} of {meant:4}   lost {lost_:3} of {stay:5}")


if __name__ == "__main__":
    main()
