"""Do subjects of three months find each other in each language: seven, among what has to do with nothing.

The memories of one person in each language (``subjects_abroad.toml``, two halves; ``--second``: six weeks, in which
most notes of a subject have only its name in common), spread over time so that no two of a subject follow each other,
are grouped as writes group them, then as the worker regroups them. Figures: the share of the memories of a subject that
are in a cluster of three or more which is of it for the most part (such a cluster has a summary); of all members of
such clusters, how many are of what most of the others are; how many clusters have a summary, and the largest.

    python benchmarks/subjects_abroad.py [--second] [--show LANGUAGE]
"""

from __future__ import annotations

import argparse
import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

from subjects import Told, grouped

_SUMMARIZED = 3
_DATA = Path(__file__).with_suffix(".toml")
_SECOND = _DATA.with_stem(f"{_DATA.stem}_second")


def memories_of(half: Mapping[str, str]) -> Told:
    """The memories of one half of a language, in the order in which they were said."""
    subjects = [block.splitlines() for block in half["subjects"].strip().split("\n\n")]
    alone = half["unrelated"].strip().splitlines()
    rows = [
        ((at + 0.5) / len(lines) + number / 100, str(number), text)
        for number, lines in enumerate([*subjects, alone])
        for at, text in enumerate(lines)
    ]
    labels = [text if number == str(len(subjects)) else number for _, number, text in sorted(rows)]
    return Told(texts=[text for *_, text in sorted(rows)], speakers=["Ana"] * len(rows), labels=labels)


def figures(about: Told, clusters: Mapping[int, str]) -> tuple[float, float, int, int]:
    """Share covered, purity, clusters that have a summary, and members of the largest."""
    members: dict[str, list[str]] = defaultdict(list)
    for at, id_ in clusters.items():
        members[id_].append(about.labels[at])
    summarized = [Counter(labels).most_common(1)[0] for labels in members.values() if len(labels) >= _SUMMARIZED]
    covered = sum(number for _, number in summarized if number > 1)
    inside = sum(len(labels) for labels in members.values() if len(labels) >= _SUMMARIZED)
    of_subjects = sum(number for number in Counter(about.labels).values() if number > 1)
    largest = max(map(len, members.values()))
    return covered / of_subjects, sum(number for _, number in summarized) / max(1, inside), len(summarized), largest


def show(about: Told, clusters: Mapping[int, str]) -> None:
    """Print what is together, the largest first."""
    members: dict[str, list[int]] = defaultdict(list)
    for at, id_ in clusters.items():
        members[id_].append(at)
    for places in sorted(members.values(), key=lambda places: (-len(places), places)):
        print(f"  {len(places)}")
        for at in places:
            print(f"    {about.labels[at][:1]} {about.texts[at]}")


def _shown(row: tuple[float, float, int, int]) -> list[str]:
    covered, pure, clusters, largest = row
    return [f"{covered:.2f}", f"{pure:.2f}" if clusters else "-", str(clusters), str(largest)]


def main() -> None:
    """A table of all languages and halves."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", help="print the clusters of the first half of this language")
    parser.add_argument("--second", action="store_true", help="the set of six weeks")
    chosen = parser.parse_args()
    halves = tomllib.loads((_SECOND if chosen.second else _DATA).read_text(encoding="utf-8"))
    if chosen.show:
        about = memories_of(halves[chosen.show]["read"])
        show(about, grouped(about, again=True))
        return
    print("| | written: covered | pure | clusters | regrouped: covered | pure | clusters | largest |")
    print("|---|---|---|---|---|---|---|---|")
    for half in ("read", "unread", "later"):
        for language, texts in ((language, texts) for language, texts in halves.items() if half in texts):
            about = memories_of(texts[half])
            first, again = (figures(about, grouped(about, again=later)) for later in (False, True))
            cells = [*_shown(first)[:3], *_shown(again)]
            print(f"| {language} {half} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
