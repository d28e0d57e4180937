"""Recall of evidence that lies in one paragraph of a long answer, in haystacks of 100,000 to a million tokens.

An assistant's answers of 300 to 800 words are made of what was said in meetings (QMSum), one after the other; before
each stands a short turn that names a topic of it. The questions are those of the meetings, and their evidence the
answers that hold it. A haystack is one user: as many meetings as fit, filled up with answers made of dialogues, reviews
and chats. Beside precis stands plain BM25 over the same rows.

    python benchmarks/long_answers.py --data ../shared/data [--sizes 100000 1000000]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

import precis
from precis.app import App
from precis.language.words import index_terms

DEPTHS = (5, 10, 20)
SHORTEST, LONGEST = 300, 800
WORDS_PER_TOKEN = 0.75


@dataclass(kw_only=True)
class Haystack:
    """One user's rows, and questions with the ids of the answers that hold the evidence."""

    user: str
    rows: list[dict[str, Any]] = field(default_factory=list)
    questions: list[tuple[str, frozenset[str]]] = field(default_factory=list)
    words: int = 0

    def add(self, session: str, asked: str, answer: str) -> str:
        """A short turn and the long one that answers it; the id of the long one."""
        at = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(minutes=len(self.rows))
        for speaker, text in (("user", asked), ("assistant", answer)):
            self.rows.append({
                "id": f"{self.user}:{len(self.rows)}", "user_id": self.user, "session_id": f"{self.user}-{session}",
                "text": text, "created_at": at + timedelta(seconds=len(self.rows)), "metadata": {"speaker": speaker},
            })  # fmt: skip
        self.words += len(answer.split())
        return str(self.rows[-1]["id"])


def answers(lines: Sequence[tuple[Any, str]], chance: random.Random) -> Iterator[tuple[list[Any], str]]:
    """Lines joined to long answers, each with the keys of its lines."""
    keys, parts, words, enough = [], [], 0, chance.randint(SHORTEST, LONGEST)
    for key, text in lines:
        keys.append(key)
        parts.append(text)
        words += len(text.split())
        if words >= enough:
            yield keys, "\n\n".join(parts)
            keys, parts, words, enough = [], [], 0, chance.randint(SHORTEST, LONGEST)
    if parts:
        yield keys, "\n\n".join(parts)


def fillers(folder: Path) -> list[str]:
    """Paragraphs of other kinds."""
    dialogues = [json.loads(line)["dialogue"] for line in (folder / "dialogsum/dev.jsonl").read_text().splitlines()]
    reviews = [
        cell
        for kind in ("amazon", "yelp")
        for line in (folder / "fewsum" / f"{kind}.train.tsv").read_text().splitlines()[1:]
        for cell in line.split("\t")
        if len(cell.split()) > SHORTEST // 15
    ]
    chats = [
        f"{turn['query']} {turn['response']}"
        for person in json.loads((folder / "memorybank/en.json").read_text()).values()
        for turns in person["history"].values()
        for turn in turns
    ]
    return [*dialogues, *reviews, *chats]


def haystacks(folder: Path, tokens: int) -> Iterator[Haystack]:
    """Haystacks of so many tokens, until no meetings are left."""
    chance, other = random.Random(11), fillers(folder)
    enough = tokens * WORDS_PER_TOKEN
    meetings = [json.loads(line) for line in (folder / "qmsum" / "val.jsonl").read_text().splitlines()]
    hay = Haystack(user=f"hay-{tokens}-0")
    for number, meeting in enumerate(meetings):
        _add_meeting(hay, str(number), meeting, chance)
        if hay.words >= enough:
            yield hay
            hay = Haystack(user=f"hay-{tokens}-{number + 1}")
    while hay.questions and hay.words < enough:
        lines = [(None, text) for text in chance.sample(other, 40)]
        for _, text in answers(lines, chance):
            hay.add(f"other-{hay.words // 5_000}", " ".join(text.split()[: chance.randint(6, 40)]), text)
    if hay.questions:
        yield hay


def _add_meeting(hay: Haystack, name: str, meeting: dict[str, Any], chance: random.Random) -> None:
    topics = {
        at: topic["topic"]
        for topic in meeting["topic_list"]
        for first, last in topic["relevant_text_span"]
        for at in range(int(first), int(last) + 1)
    }
    holding = {}
    lines = [(at, turn["content"]) for at, turn in enumerate(meeting["meeting_transcripts"])]
    for number, (keys, text) in enumerate(answers(lines, chance)):
        topic = next((topics[at] for at in keys if at in topics), "what comes next")
        id_ = hay.add(f"{name}-{number // 10}", f"Tell me about {topic}.", text)
        holding |= dict.fromkeys(keys, id_)
    for entry in meeting["specific_query_list"]:
        spans = [range(int(first), int(last) + 1) for first, last in entry["relevant_text_span"]]
        ids = frozenset(holding[at] for span in spans for at in span if at in holding)
        if 0 < len(ids) <= 6:
            hay.questions.append((entry["query"], ids))


class Plain:
    """BM25 over the rows by themselves (k1 1.5, b 0.75)."""

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self._ids = [row["id"] for row in rows]
        counts = [Counter(index_terms(row["text"])) for row in rows]
        self._lengths = np.asarray([count.total() for count in counts], dtype=float)
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for at, count in enumerate(counts):
            for term, frequency in count.items():
                self._postings[term].append((at, frequency))

    def best(self, query: str) -> list[str]:
        """The first rows."""
        scores = np.zeros(len(self._ids))
        for term in set(index_terms(query)):
            rows = self._postings.get(term, [])
            weight = math.log(1 + (len(scores) - len(rows) + 0.5) / (len(rows) + 0.5))
            for at, frequency in rows:
                damping = 1.5 * (0.25 + 0.75 * self._lengths[at] / self._lengths.mean())
                scores[at] += weight * frequency * 2.5 / (frequency + damping)
        return [self._ids[at] for at in np.argsort(-scores, kind="stable")[: max(DEPTHS)] if scores[at] > 0]


def shares(ids: Sequence[str], evidence: frozenset[str]) -> list[float]:
    """Of the evidence, at each depth."""
    return [len(evidence & set(ids[:depth])) / len(evidence) for depth in DEPTHS]


async def measure(app: App, hay: Haystack, by: dict[str, list[list[float]]], most: int) -> None:
    """Ask the first questions of one haystack."""
    for start in range(0, len(hay.rows), 250):
        await app.memories.add(hay.rows[start : start + 250], summarize="deferred")
    plain = Plain(hay.rows)
    for query, evidence in random.Random(3).sample(hay.questions, min(most, len(hay.questions))):
        results = await app.recall.search(query, user_id=hay.user, limit=max(DEPTHS), summaries="without")
        by["precis"].append(shares([result.memory.id for result in results], evidence))
        by["BM25"].append(shares(plain.best(query), evidence))


async def main() -> None:
    """Every size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000, 500_000, 1_000_000])
    parser.add_argument("--most", type=int, default=300, help="questions of one haystack")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="precis-long-") as folder:
        Path(folder).chmod(0o755)
        async with precis.open(data_dir=Path(folder) / "data") as app:
            for size in options.sizes:
                by: dict[str, list[list[float]]] = defaultdict(list)
                for hay in haystacks(options.data, size):
                    await measure(app, hay, by, options.most)
                for way, rows in by.items():
                    figures = " ".join(f"{mean:.3f}" for mean in np.mean(rows, axis=0))
                    print(f"{size} tokens, {way}: {len(rows)} questions, recall@5/10/20 {figures}", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
