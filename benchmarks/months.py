"""What a month tells: the main things and not the trifles; and whether its weights hold where they were not chosen.

Months of notes and of chats in four languages are made from ``months.toml``, with names, places and sums by lot; of
every list one half by lot is read, and the other only counted. The ten streams are a second data set. A note is told
where a statement has seven tenths of its content. Each month is drafted from its weeks, as the calendar does.

    python benchmarks/months.py                 main things and trifles, by language and half
    python benchmarks/months.py --show 3        and so many months of the read half
    python benchmarks/months.py --weights       each weight of a month moved, with one month, and one data set, left out

For each weight the best of its factors is chosen on all months but one (or all data sets but one), and measured on that
one. What ``left out`` gains is what the choice is worth elsewhere; where ``neutral`` loses nothing, the rule is not
needed.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
import random
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import mean
from typing import Any

from digest import Made, made_of, numbered, part_of
from precis.language.words import content
from precis.makers import Item
from precis.policies.rollups import PeriodKind, Rollups, period_of, rollups

_BANK = tomllib.loads(Path(__file__).with_name("months.toml").read_text("utf-8"))
_STREAMS = Path(__file__).with_name("streams")
_LANGUAGES = ("en", "de", "es", "ru")
_HALVES = ("read", "unread")
#: So much of what a note says has a statement that tells it.
_TOLD = 0.7
_BEST = 3
_EVERY = 7
#: Matters, facts and trifles of a month, as far as there are.
_SIZES = {"matters": 4, "facts": 5, "trifles": 12}
#: A weight: its module, its name, and the value with which it does nothing.
_WEIGHTS = (
    ("importance", "_EVERYDAY", 1.0), ("importance", "_LIFE", 0.0), ("importance", "_SMALL", 1.0),
    ("weights.agents", "_LIFE", 1.0), ("weights.decisions", "_DECIDES", 1.0), ("weights.decisions", "_A_WORD", 0.0),
    ("weights.decisions", "_FOLLOWED", 1.0), ("weights.decisions", "_LATEST", 1.0), ("conflicts", "_LASTING", 1.0),
)  # fmt: skip
_FACTORS = (0.5, 2.0)


@dataclass(frozen=True, kw_only=True)
class Month:
    """The notes of a month, each with its worth from 0 to 3."""

    name: str
    data_set: str
    half: str
    items: tuple[Item, ...]
    worths: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Score:
    """What of a month is told, and what is among its key insights, as shares; and what it takes."""

    main: float
    main_insights: float
    trifles: float
    trifle_insights: float
    statements: int
    words: float

    @property
    def worth(self) -> float:
        """One figure: main things told and among the key insights, less the trifles."""
        return (self.main + self.main_insights - self.trifles - self.trifle_insights) / 2


def halves_of(rows: Sequence[Any], half: str, seed: int) -> list[Any]:
    """The rows of one half, by lot."""
    shuffled = random.Random(seed).sample(list(rows), len(rows))
    return shuffled[_HALVES.index(half) :: 2]


def made_month(language: str, half: str, seed: int, *, chat: bool) -> Month:
    """A month of notes, or of a chat of two."""
    bank, lot = _BANK[language], random.Random(f"{language} {half} {seed} {chat}")
    some = {kind: halves_of(bank[kind], half, 3) for kind in (*_SIZES, "replies")}
    names = halves_of(_BANK["names"].split(), half, 4)
    writer, friend = lot.sample(names, 2)

    def filled(text: str, who: Mapping[str, str]) -> str:
        return text.format(**who)

    notes: list[tuple[int, int, str]] = []
    for matter in lot.sample(some["matters"], min(_SIZES["matters"], len(some["matters"]))):
        who = _filling(lot, [name for name in names if name not in (writer, friend)])
        for row in matter:
            day, worth, text = row.split("|")
            notes.append((int(day), int(worth), filled(text, who)))
    for kind, worth in (("facts", 1), ("trifles", 0)):
        texts = lot.sample(some[kind], min(_SIZES[kind], len(some[kind])))
        notes += [(lot.randint(1, 27), worth, filled(text, _filling(lot, names))) for text in texts]
    notes.sort(key=lambda note: note[0])
    items, worths = [], []
    for at, (day, worth, text) in enumerate(notes):
        when = datetime(2026, 3, day, 9, tzinfo=UTC) + timedelta(minutes=17 * at)
        items.append(_note(text, when, writer if chat else None))
        worths.append(worth)
        if chat and lot.random() < 0.5:
            items.append(_note(lot.choice(some["replies"]), when + timedelta(minutes=1), friend))
            worths.append(0)
    return Month(
        name=f"{language}-{half}-{seed}{'-chat' if chat else ''}", data_set=language, half=half,
        items=tuple(numbered(items)), worths=tuple(worths),
    )  # fmt: skip


def _filling(lot: random.Random, names: Sequence[str]) -> dict[str, str]:
    return {
        "name": lot.choice(names), "place": lot.choice(_BANK["places"].split()),
        "firm": lot.choice(_BANK["firms"].split()), "sum": f"{lot.randint(8, 60)}50",
    }  # fmt: skip


def _note(text: str, when: datetime, speaker: str | None) -> Item:
    return Item(text=text, source_ids=("",), created_at=when, speaker=speaker)


def streams() -> Iterator[Month]:
    """The months of the ten streams that have main things; of every second one the texts were read."""
    for at, path in enumerate(sorted(_STREAMS.glob("*.json"))):
        rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in json.loads(path.read_text("utf-8"))["memories"]:
            rows[row["at"][:7]].append(row)
        for month, notes in rows.items():
            if any(note["keep"] == _BEST for note in notes):
                items = [_note(note["text"], datetime.fromisoformat(note["at"]), note["speaker"]) for note in notes]
                yield Month(
                    name=f"{path.stem}-{month}", data_set="streams", half=_HALVES[at % 2], items=tuple(numbered(items)),
                    worths=tuple(0 if note["courtesy"] else note["keep"] for note in notes),
                )  # fmt: skip


async def drafted(month: Month) -> tuple[Made | None, list[Made]]:
    """The month as it is read, from its weeks."""
    policies, weeks = rollups(), defaultdict(list)
    for item in month.items:
        if item.day is not None:
            weeks[period_of(PeriodKind.WEEK, item.day).name].append(item)
    made = [await made_of(f"{month.name} {week}", notes, policies["week"]) for week, notes in weeks.items()]
    parts = [each for each in made if each is not None]
    statements = [part_of(part, at, number) for at, part in enumerate(parts) for number in range(len(part.statements))]
    whole = await made_of(month.name, statements, policies["month"], notes=len(month.items)) if statements else None
    return whole, parts


def share_told(month: Month, texts: Sequence[str], worth: Callable[[int], bool]) -> float:
    """Of the notes of such a worth the share that one of these texts tells."""
    stems = [content(text) for text in texts]
    notes = [content(item.text) for item, value in zip(month.items, month.worths, strict=True) if worth(value)]
    notes = [note for note in notes if note]
    return sum(any(len(note & each) >= _TOLD * len(note) for each in stems) for note in notes) / max(1, len(notes))


def scored(month: Month) -> Score:
    """What the month tells."""
    made, _ = asyncio.run(drafted(month))
    statements = () if made is None else made.statements
    texts, best = [each.text for each in statements], Rollups().key_insights(statements)
    words = sum(len(item.text.split()) for item in month.items)
    return Score(
        main=share_told(month, texts, _BEST.__eq__), main_insights=share_told(month, best, _BEST.__eq__),
        trifles=share_told(month, texts, (0).__eq__), trifle_insights=share_told(month, best, (0).__eq__),
        statements=len(texts), words=sum(len(text.split()) for text in texts) / words,
    )  # fmt: skip


def months(times: int) -> list[Month]:
    """Every month that is measured."""
    made = [
        made_month(language, half, seed, chat=chat)
        for language in _LANGUAGES
        for half in _HALVES
        for seed in range(times)
        for chat in (False, True)
    ]
    return [*made, *streams()]


def report(every: Sequence[Month], scores: Sequence[Score]) -> None:
    """A line a data set and half."""
    print(f"{'':16} months  main  of insights  trifles  of insights  statements  words")
    for data_set in dict.fromkeys(month.data_set for month in every):
        for half in _HALVES:
            some = [
                score
                for month, score in zip(every, scores, strict=True)
                if (month.data_set, month.half) == (data_set, half)
            ]
            print(
                f"{data_set:8} {half:8} {len(some):5} {mean(s.main for s in some):6.2f}"
                f" {mean(s.main_insights for s in some):9.2f}"
                f" {mean(s.trifles for s in some):11.2f} {mean(s.trifle_insights for s in some):9.2f}"
                f" {mean(s.statements for s in some):13.1f} {mean(s.words for s in some):8.2f}"
            )


def weighed(every: Sequence[Month]) -> None:
    """What each weight is worth, where it was chosen and where it was not."""
    base = [scored(month).worth for month in every]
    print(f"all {mean(base):.3f}")
    print(
        f"{'weight':30} {'now':>6} {'best':>6} {'gain':>7} {'month left out':>15} {'set left out':>13} {'neutral':>8}"
    )
    for place, name, neutral in _WEIGHTS:
        module = importlib.import_module(f"precis.extractive.{place}")
        now = getattr(module, name)
        table: dict[float, list[float]] = {now: base}
        for value in dict.fromkeys((neutral, *(round(now * factor, 3) for factor in _FACTORS))):
            setattr(module, name, value)
            table[value] = [scored(month).worth for month in every]
        setattr(module, name, now)
        best = max(table, key=lambda value: (mean(table[value]), value == now))
        by_month = left_out(table, now, [month.name for month in every])
        by_set = left_out(table, now, [month.data_set for month in every])
        print(
            f"{place}.{name:<{29 - len(place)}} {now:6.2f} {best:6.2f} {mean(table[best]) - mean(base):+7.3f}"
            f" {by_month:+15.3f} {by_set:+13.3f} {mean(table[neutral]) - mean(base):+8.3f}",
            flush=True,
        )


def left_out(table: Mapping[float, Sequence[float]], now: float, groups: Sequence[str]) -> float:
    """What the value that is best without a group gains in that group, beside the value of now."""
    gains = []
    for group in dict.fromkeys(groups):
        own = [at for at, other in enumerate(groups) if other == group]
        rest = [at for at, other in enumerate(groups) if other != group]
        best = max(table, key=lambda value: (mean(table[value][at] for at in rest), value == now))
        gains.append(mean(table[best][at] - table[now][at] for at in own))
    return mean(gains)


def main() -> None:
    """Print the table, and what is asked for besides."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="months of each language, half and form")
    parser.add_argument("--show", type=int, default=0, help="print so many months of the read half")
    parser.add_argument("--weights", action="store_true")
    args = parser.parse_args()
    every = months(args.times)
    if args.weights:
        weighed(every)
        return
    report(every, [scored(month) for month in every])
    for month in random.Random(args.show).sample([each for each in every if each.half == "read"], args.show):
        made, _ = asyncio.run(drafted(month))
        print(f"\n--- {month.name}: {len(month.items)} notes, title {made and made.title}")
        for item, worth in zip(month.items, month.worths, strict=True):
            print(f"   {worth} {item.day} {item.speaker or ''}: {item.text}")
        for statement in () if made is None else made.statements:
            print(f"  {statement.importance:.2f} {statement.text}")
        print("  KEY:", *Rollups().key_insights(() if made is None else made.statements), sep="\n    * ")


if __name__ == "__main__":
    main()
