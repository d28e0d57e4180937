"""Recall of all rows of an answer that several rows give: rules for the assistant, preferences, counts, order, spans.

Made-up conversations of a person and an assistant in three languages (``kinds_of_questions.toml``): each person gives
the assistant rules, says what they like better, does one thing several times, goes to some places one after the other,
and begins two things, between much talk of the same words. Every second person says rules and preferences in words that
were written when the rules of ``precis.recall.wishes`` were done. Printed for each kind: the share of its rows among
the first 5, 10 and 20, and the share of questions all of whose rows are among the first 10.

    python benchmarks/kinds_of_questions.py [--languages en de zh] [--people 6]

``--types`` asks ten other types in English, German, Spanish, Russian and Japanese (``types_of_questions.toml``): what
came first, how often, instructions, advice, how long, the latest value, yes or no, who, why, what is not so. Each has
its evidence in one to three turns among near misses and talk. Printed: recall, and the share in a context of 500
tokens, of the cases that were read and of the others. ``--absent`` leaves out what every second question asks for, and
prints how often the best row of a question with evidence has more relevance than that of one without (ROC-AUC).

``--forms`` asks in eighteen languages with words in another form than the memory has them (``forms_of_words.toml``),
each among a near miss and forty other rows. Printed for each language: the share whose row is first, among the first
three, and in a context of 100 tokens, and the same ROC-AUC, with half of the cases left out.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import precis
from precis.app import App

DEPTHS = (5, 10, 20)
#: Turns of a session, and sessions of a person.
TURNS, SESSIONS = 14, 18
#: Turns of one who tells all cases of all types; tokens of a context; and so many cases of a type were read.
_TOLD, _BUDGET, _READ = 300, 500, 2
#: Of the words in another form so many cases of a language were read.
_READ_FORMS = 3
Words = dict[str, Any]


@dataclass(kw_only=True)
class Person:
    """One user: what was said, and the questions with the kind of each and the ids of the rows that answer it."""

    user: str
    name: str
    rows: list[dict[str, Any]] = field(default_factory=list)
    questions: list[tuple[str, str, frozenset[str]]] = field(default_factory=list)


def people(language: str, words: Words, number: int) -> Iterator[Person]:
    """So many, each with other things to say; the same ones each time."""
    for at in range(number):
        chance = random.Random(f"{language} {at}")
        person = Person(user=f"{language}-{at}", name=words["names"][at % len(words["names"])])
        things = {name: chance.sample(values, len(values)) for name, values in words["subjects"].items()}
        # The first of each are what the evidence is about; all of them are talked of.
        named = {f"{name}{place}": value for name, values in things.items() for place, value in enumerate(values[:4])}
        # Every second one says it in words that no rule was written by.
        other = words["in_other_words"] if at % 2 else {}
        evidence = {**words["evidence"], **other}
        lines = {kind: [text.format(**named) for text in texts] for kind, texts in evidence.items()}
        order = [kind for kind, texts in lines.items() for _ in texts]
        chance.shuffle(order)
        number_of_turns = SESSIONS * TURNS // 2
        by_turn = dict(zip(sorted(chance.sample(range(number_of_turns), len(order))), order, strict=True))
        left = {kind: iter(texts) for kind, texts in lines.items()}
        ids: dict[str, set[str]] = defaultdict(set)
        for turn in range(number_of_turns):
            kind = by_turn.get(turn)
            about = {name: chance.choice(values) for name, values in things.items()}
            text = next(left[kind]) if kind else chance.choice(words["talk"]).format(**about)
            id_ = _say(person, turn, person.name, text)
            if kind:
                ids[kind].add(id_)
            _say(person, turn, words["assistant"], chance.choice(words["replies"]).format(**about))
        person.questions = [
            (
                f"{kind}, in other words" if kind in other else kind,
                text.format(name=person.name, **named),
                frozenset(ids[kind]),
            )
            for kind, texts in words["questions"].items()
            for text in texts
        ]
        yield person


def told(language: str, words: Words, number: int, *, absent: bool) -> Iterator[Person]:
    """So many who each tell every case of ``types_of_questions.toml``; where some are absent, half of them."""
    for at in range(number):
        chance = random.Random(f"{language}{at}")
        person = Person(user=f"{language}-{at}", name=words["names"][at])
        scripts: list[list[tuple[str, str]]] = []
        for kind, cases in words["kinds"].items():
            for place, case in enumerate(cases):
                if absent and place % 2 == at % 2:
                    continue
                evidence = [(f"{kind} {place}", text) for text in case["a"]]
                near = [("", text) for text in case["n"]]
                # The near miss of the latest value is the one before.
                scripts += [[near[0], *evidence], near[1:]] if kind == "latest" else [evidence, *([n] for n in near)]
        order = [script for script, lines in enumerate(scripts) for _ in lines]
        chance.shuffle(order)
        left = [iter(lines) for lines in scripts]
        spots = set(chance.sample(range(_TOLD), len(order)))
        following = iter(order)
        ids: dict[str, set[str]] = defaultdict(set)
        for turn in range(_TOLD):
            key, text = next(left[next(following)]) if turn in spots else ("", chance.choice(words["talk"]))
            ids[key].add(_say(person, turn, person.name, text))
            _say(person, turn, words["assistant"], chance.choice(words["replies"]))
        person.questions = [
            (f"{kind} {place}", case["q"].format(name=person.name), frozenset(ids.get(f"{kind} {place}", ())))
            for kind, cases in words["kinds"].items()
            for place, case in enumerate(cases)
        ]
        yield person


def _say(person: Person, turn: int, speaker: str, text: str) -> str:
    at = datetime(2025, 1, 6, 9, tzinfo=UTC) + timedelta(days=9 * (turn * 2 // TURNS), minutes=len(person.rows))
    id_ = f"{person.user}:{len(person.rows)}"
    person.rows.append({
        "id": id_, "user_id": person.user, "session_id": f"{person.user}-{turn * 2 // TURNS}", "text": text,
        "created_at": at, "metadata": {"speaker": speaker},
    })  # fmt: skip
    return id_


async def measure(app: App, person: Person, by: dict[str, list[list[float]]]) -> None:
    """Ask one person's questions."""
    await app.memories.add(person.rows, summarize="deferred")
    for kind, query, evidence in person.questions:
        results = await app.recall.search(query, user_id=person.user, limit=max(DEPTHS), summaries="without")
        ids = [result.memory.id for result in results]
        shares = [len(evidence & set(ids[:depth])) / len(evidence) for depth in DEPTHS]
        by[kind].append([*shares, float(evidence <= set(ids[:10]))])


async def ask_types(app: App, languages: list[str], number: int, *, absent: bool) -> None:
    """Print the types of each language, or how well relevance tells the questions that have evidence."""
    tables = tomllib.loads((Path(__file__).parent / "types_of_questions.toml").read_text())
    for language in languages:
        by: dict[str, list[list[float]]] = defaultdict(list)
        best: dict[bool, list[float]] = {True: [], False: []}
        for person in told(language, tables[language], number, absent=absent):
            await app.memories.add(person.rows, summarize="deferred")
            if not absent:
                await app.summaries.refresh_all()
            for key, query, evidence in person.questions:
                results = await app.recall.search(query, user_id=person.user, limit=20, summaries="without")
                best[bool(evidence)].append(results[0].relevance.value if results else 0.0)
                if absent:
                    continue
                ids = [result.memory.id for result in results]
                context = await app.context.assemble(query, user_id=person.user, token_budget=_BUDGET)
                there = {id_ for line in context.lines for id_ in line.piece.source_ids}
                kind, place = key.split()
                half = f"{'read' if int(place) < _READ else 'other'} {kind}"
                by[half].append([len(evidence & set(held)) / len(evidence) for held in (ids[:5], ids[:10], there)])
        if absent:
            pairs = [(with_, without) for with_ in best[True] for without in best[False]]
            auc = sum((with_ > without) + 0.5 * (with_ == without) for with_, without in pairs) / len(pairs)
            print(
                f"{language}: {len(best[True])} with evidence, {len(best[False])} without: ROC-AUC {auc:.3f}",
                flush=True,
            )
        for half in ("read", "other"):
            every = [row for name, rows in by.items() if name.startswith(half) for row in rows]
            for name, rows in [*((n, r) for n, r in by.items() if n.startswith(half)), (f"{half}, all", every)]:
                figures = " ".join(f"{sum(column) / len(rows):.3f}" for column in zip(*rows, strict=True))
                if rows:
                    print(f"{language}, {name}: {len(rows)} questions, recall@5/10, context {figures}", flush=True)


def with_forms(language: str, words: Words, *, left_out: int | None = None) -> Person:
    """Who tells every case of ``forms_of_words.toml``; where a half is left out, only its near misses."""
    person = Person(user=f"{language}-{left_out}", name="")
    kept = [(at, case) for at, case in enumerate(words["cases"]) if at % 2 != left_out]
    texts = [text.format(n=noun) for text in words["talk"] for noun in words["nouns"]]
    texts += [case[0] for _, case in kept] + [case[2] for case in words["cases"]]
    random.Random(language).shuffle(texts)
    ids = {text: _say(person, turn, "", text) for turn, text in enumerate(texts)}
    person.questions = [
        ("read" if at < _READ_FORMS else "other", asked, frozenset({ids[text]} if text in ids else ()))
        for at, (text, asked, _) in enumerate(words["cases"])
    ]
    return person


async def ask_forms(app: App, languages: list[str]) -> None:
    """Print how often a question reaches a row that has its words in another form."""
    tables = tomllib.loads((Path(__file__).parent / "forms_of_words.toml").read_text())
    apart = tables.pop("apart")
    halves: dict[str, list[list[float]]] = defaultdict(list)
    for language in languages or list(tables):
        rows: list[list[float]] = []
        best: dict[bool, list[float]] = {True: [], False: []}
        for left_out in (None, 0, 1):
            person = with_forms(language, tables[language], left_out=left_out)
            await app.memories.add(person.rows, summarize="deferred")
            for half, asked, evidence in person.questions:
                results = await app.recall.search(asked, user_id=person.user, limit=10, summaries="without")
                if left_out is not None:
                    best[bool(evidence)].append(results[0].relevance.value if results else 0.0)
                    continue
                ids = [result.memory.id for result in results]
                context = await app.context.assemble(asked, user_id=person.user, token_budget=100)
                there = {id_ for line in context.lines for id_ in line.piece.source_ids}
                rows.append([float(evidence <= set(among)) for among in (ids[:1], ids[:3], there)])
                halves["apart" if language in apart else half].append(rows[-1])
        pairs = [(with_ > without) + 0.5 * (with_ == without) for with_ in best[True] for without in best[False]]
        print(f"{language}: {_figures(rows)}, ROC-AUC {sum(pairs) / len(pairs):.3f}", flush=True)
    for half, rows in halves.items():
        print(f"{half}: {len(rows)} questions, first, of three, context {_figures(rows)}", flush=True)


def _figures(rows: list[list[float]]) -> str:
    return " ".join(f"{sum(column) / len(rows):.3f}" for column in zip(*rows, strict=True))


async def main() -> None:
    """Every language."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--languages", nargs="*")
    parser.add_argument("--people", type=int)
    parser.add_argument("--types", action="store_true", help="the ten types of types_of_questions.toml")
    parser.add_argument("--absent", action="store_true", help="with --types: relevance where nobody said it")
    parser.add_argument("--forms", action="store_true", help="the words in other forms of forms_of_words.toml")
    options = parser.parse_args()
    tables = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
    with tempfile.TemporaryDirectory(prefix="precis-kinds-") as folder:
        Path(folder).chmod(0o755)
        async with precis.open(data_dir=Path(folder) / "data") as app:
            if options.forms:
                await ask_forms(app, options.languages or [])
                return
            if options.types:
                languages = options.languages or ["en", "de", "es", "ru", "ja"]
                await ask_types(app, languages, options.people or 2, absent=options.absent)
                return
            for language in options.languages or ["en", "de", "zh"]:
                by: dict[str, list[list[float]]] = defaultdict(list)
                for person in people(language, tables[language], options.people or 6):
                    await measure(app, person, by)
                for kind, rows in by.items():
                    *shares, every = (sum(column) / len(rows) for column in zip(*rows, strict=True))
                    figures = " ".join(f"{share:.3f}" for share in shares)
                    counted = f"{language}, {kind}: {len(rows)} questions"
                    print(f"{counted}, recall@5/10/20 {figures}, all@10 {every:.3f}", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
