"""Whether the mix of words and vectors is ever worse than the words alone: other languages, other kinds of text.

Dialogues (MemoryBank, English and Chinese): the answers of one user are the rows, and what was said before an answer is
the question. News (SIB-200, six languages): half of a sentence is the question for the whole one; and a sentence is the
question for others on its topic. Nothing is made with a model. Figures: the share of questions whose row is among the
first ten, and for topics the share of the first ten that are on it.

    python benchmarks/languages.py --data ../shared/data
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import precis
from precis.app import App
from precis.recall.question import Pool
from precis.recall.ranking import Weights, rank
from precis.store.filtering import Filter

FIRST = 10
LANGUAGES = ("eng_Latn", "rus_Cyrl", "arb_Arab", "hin_Deva", "zho_Hans", "jpn_Jpan")
#: Written without spaces.
UNSPACED = ("zho_Hans", "jpn_Jpan")
#: Without what has to do with who, when and what is newest.
ARMS = Weights(
    stretch=0,
    shortness=0,
    speaker=0,
    date=0,
    summary=0,
    newest=0,
    newest_asked=0,
    importance=0,
    importance_unread=0,
    recency=0,
    preference=0,
)
WAYS = {
    "words": replace(ARMS, vector=0),
    "vectors": replace(ARMS, keyword=0),
    "mix": ARMS,
    "all parts": Weights(),
}


@dataclass(frozen=True, kw_only=True)
class Task:
    """Rows of one user, numbered, and questions with the ids of the rows that answer them."""

    name: str
    texts: list[str]
    asked: list[tuple[str, frozenset[str]]]
    #: The share of the answers that is right, where many are; else whether the right one is among them.
    precision: bool = False


def dialogues(folder: Path) -> Iterator[Task]:
    """A task a language: all users' answers, asked for with what was said before them."""
    for language in ("en", "zh"):
        texts, questions = [], []
        for told in json.loads((folder / f"{language}.json").read_text()).values():
            for turn in (turn for turns in told["history"].values() for turn in turns):
                texts.append(turn["response"])
                questions.append(turn["query"])
        name = f"dialogues-{language}"
        asked = [(question, frozenset([f"{name}-{at}"])) for at, question in enumerate(questions)]
        yield Task(name=name, texts=texts, asked=asked)


def news(folder: Path) -> Iterator[Task]:
    """Two tasks a language."""
    for language in LANGUAGES:
        with (folder / f"{language}.test.tsv").open(newline="") as file:
            lines = [line for line in csv.DictReader(file, delimiter="\t") if line["text"].strip()]
        texts = [line["text"] for line in lines]
        name = f"half-{language}"
        asked = [(half(text, language), frozenset([f"{name}-{at}"])) for at, text in enumerate(texts)]
        yield Task(name=name, texts=texts, asked=asked)
        name = f"topic-{language}"
        topics: dict[str, set[str]] = defaultdict(set)
        for at, line in enumerate(lines):
            topics[line["category"]].add(f"{name}-{at}")
        asked = [
            (line["text"], frozenset(topics[line["category"]] - {f"{name}-{at}"})) for at, line in enumerate(lines)
        ]
        yield Task(name=name, texts=texts, asked=asked, precision=True)


def half(text: str, language: str) -> str:
    """Every other word, or every other five characters where words are not set apart."""
    if language in UNSPACED:
        return " ".join(text[at : at + 5] for at in range(0, len(text), 10))
    return " ".join(text.split()[::2])


async def measure(app: App, task: Task) -> None:
    """Print how often each way answers."""
    rows = [{"id": f"{task.name}-{at}", "text": text, "user_id": task.name} for at, text in enumerate(task.texts)]
    await app.memories.add(rows, summarize="deferred")
    found: dict[str, list[float]] = defaultdict(list)
    for at, (query, right) in enumerate(task.asked):
        for way, ids in (await ranked(app, query, task.name)).items():
            # A sentence finds itself first; that says nothing of its topic.
            best = [id_ for id_ in ids if not task.precision or id_ != f"{task.name}-{at}"][:FIRST]
            hits = sum(id_ in right for id_ in best)
            found[way].append(hits / FIRST if task.precision else float(hits > 0))
    figures = ", ".join(f"{way} {sum(shares) / len(shares):.3f}" for way, shares in found.items())
    print(f"{task.name}: {len(task.asked)} questions: {figures}", flush=True)


async def ranked(app: App, query: str, user: str) -> dict[str, list[str]]:
    """The first rows of each way, from the candidates that recall goes by."""
    parts = app.recall._parts  # noqa: SLF001 - the benchmark weighs anew what the verb mixes
    asking = await app.recall._ask(query, "without", FIRST + 1, Filter(user_id=user))  # noqa: SLF001
    pools: list[Pool] = []

    def keep(pool: Pool) -> list[str]:
        pools.append(pool)
        return []

    await parts.store.search.read(parts.tenant_id, asking.filter_, asking.request, keep)
    asked, now, trust = asking.request.question, parts.engine.clock(), asking._trust  # noqa: SLF001
    return {
        way: [one.id for one in rank(asked, pools[0], now=now, trust=trust, weights=weights, limit=FIRST + 1)]
        for way, weights in WAYS.items()
    }


async def main() -> None:
    """All tasks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="precis-languages-") as folder:
        Path(folder).chmod(0o755)
        async with precis.open(data_dir=Path(folder) / "data") as app:
            for task in (*dialogues(given.data / "memorybank"), *news(given.data / "sib200")):
                await measure(app, task)


if __name__ == "__main__":
    asyncio.run(main())
