"""Facts kept by summaries of a fifth of the words: LoCoMo answers found in the summaries of their evidence sessions."""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence
from sumy.summarizers.lex_rank import LexRankSummarizer
from sumy.summarizers.text_rank import TextRankSummarizer

from precis.evaluation.measures import recall
from precis.extractive.summarizer import summarize
from precis.language.sentences import sentences
from precis.language.words import STOP_WORDS, stem
from precis.makers import Aim, Item, Request

_WORD = re.compile(r"[a-z0-9]+")
_STOPPED = frozenset(part for word in STOP_WORDS for part in _WORD.findall(word))
Method = Callable[[tuple[Item, ...], int], str]


@dataclass(frozen=True, kw_only=True)
class Question:
    """One question: where its evidence is and which words its answer has."""

    conversation: int
    sessions: frozenset[int]
    answer: frozenset[str]


def word_count(text: str) -> int:
    """Words as the protocol counts them."""
    return len(_WORD.findall(text.lower()))


def content(text: str) -> frozenset[str]:
    """Stems of the content words."""
    return frozenset(stem(word) for word in _WORD.findall(text.lower()) if word not in _STOPPED)


def load(path: Path) -> list[dict[int, tuple[Item, ...]]]:
    """Conversations as sessions of items."""
    return [
        {number: session_items(one["conversation"], number) for number in session_numbers(one["conversation"])}
        for one in json.loads(path.read_text())
    ]


def session_numbers(conversation: dict[str, object]) -> Iterator[int]:
    """Numbers of the sessions that were held."""
    for key in conversation:
        if match := re.fullmatch(r"session_(\d+)", key):
            yield int(match[1])


def session_items(conversation: dict[str, object], number: int) -> tuple[Item, ...]:
    """The turns of a session."""
    when = parse_when(str(conversation[f"session_{number}_date_time"]))
    turns = conversation[f"session_{number}"]
    return tuple(
        Item(text=turn_text(turn), source_ids=(turn["dia_id"],), created_at=when, speaker=turn["speaker"])
        for turn in turns  # type: ignore[attr-defined]
    )


def turn_text(turn: dict[str, str]) -> str:
    """What was said, and the caption of the picture that was sent."""
    caption = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return turn.get("text", "") + caption


def parse_when(said: str) -> datetime:
    """``1:56 pm on 8 May, 2023``."""
    return datetime.strptime(said, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


def questions(path: Path, sessions: list[dict[int, tuple[Item, ...]]]) -> list[Question]:
    """Questions of categories 1 and 4 whose answer's words all occur in the evidence sessions."""
    found = []
    for index, one in enumerate(json.loads(path.read_text())):
        for asked in one["qa"]:
            if asked["category"] not in (1, 4):
                continue
            numbers = {int(n) for e in asked["evidence"] for n in re.findall(r"D:?(\d+):", e)} & set(sessions[index])
            answer = content(str(asked["answer"]))
            said = content(" ".join(f"{i.speaker}: {i.text}" for n in numbers for i in sessions[index][n]))
            if answer and answer <= said:
                found.append(Question(conversation=index, sessions=frozenset(numbers), answer=answer))
    return found


def ours(items: tuple[Item, ...], budget: int) -> str:
    """The offline summarizer, told nothing but the budget."""
    request = Request(items=items, max_tokens=budget, prompt="", aim=Aim.AUTO)
    return " ".join(s.text for s in summarize(request, word_count).statements)


def random_sentences(items: tuple[Item, ...], budget: int) -> str:
    """Sentences by lot."""
    pool = [sentence for item in items for sentence in sentences(item.text)]
    random.Random(0).shuffle(pool)
    return " ".join(fill(pool, budget))


def by_sumy(summarizer_class: type) -> Method:
    """LexRank or TextRank of sumy, over our sentences."""

    def method(items: tuple[Item, ...], budget: int) -> str:
        return " ".join(fill(ranked(summarizer_class, [s for i in items for s in sentences(i.text)]), budget))

    return method


def ranked(summarizer_class: type, pool: list[str]) -> list[str]:
    """The sentences, best first."""
    tokenizer = _Words()
    document = ObjectDocumentModel([Paragraph([Sentence(s, tokenizer) for s in pool])])
    summarizer = summarizer_class(stem)
    summarizer.stop_words = _STOPPED
    scores = summarizer.rate_sentences(document) if hasattr(summarizer, "rate_sentences") else None
    if scores is None:
        matrix_scores = _lexrank_scores(summarizer, document)
        scores = dict(zip(document.sentences, matrix_scores, strict=True))
    order = sorted(range(len(pool)), key=lambda i: -scores[document.sentences[i]])
    return [pool[i] for i in order]


def _lexrank_scores(summarizer: Any, document: ObjectDocumentModel) -> list[float]:
    """Scores of all sentences; the public call gives only the best, in the order of the text."""
    words = [summarizer._to_words_set(sentence) for sentence in document.sentences]  # noqa: SLF001
    metrics = summarizer._compute_tf(words), summarizer._compute_idf(words)  # noqa: SLF001
    matrix = summarizer._create_matrix(words, summarizer.threshold, *metrics)  # noqa: SLF001
    return list(summarizer.power_method(matrix, summarizer.epsilon))


class _Words:
    def to_words(self, text: str) -> tuple[str, ...]:
        return tuple(_WORD.findall(text.lower()))


def fill(pool: list[str], budget: int) -> list[str]:
    """Sentences in order of the pool, those that no longer fit left out."""
    taken = []
    for sentence in pool:
        cost = word_count(sentence)
        if cost <= budget:
            taken.append(sentence)
            budget -= cost
    return taken


def score(
    method: Method, share: float, sessions: list[dict[int, tuple[Item, ...]]], asked: list[Question]
) -> tuple[float, float, float]:
    """Share of words used, token recall, share of answers that are complete."""
    kept: dict[tuple[int, int], frozenset[str]] = {}
    used = total = 0
    for index, one in enumerate(sessions):
        for number, items in one.items():
            words = sum(word_count(item.text) for item in items)
            text = method(items, int(share * words))
            used, total = used + word_count(text), total + words
            kept[index, number] = content(text)
    hits = [(q.answer, frozenset().union(*(kept[q.conversation, n] for n in q.sessions))) for q in asked]
    kept_words = sum(recall(a, got) for a, got in hits) / len(hits)
    return used / total, kept_words, sum(a <= got for a, got in hits) / len(hits)


def main() -> None:
    """Print one row a method and share."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--shares", type=float, nargs="+", default=[0.1, 0.2, 0.3])
    parser.add_argument("--ours", action="store_true")
    args = parser.parse_args()
    path = args.data / "locomo" / "locomo.json"
    sessions = load(path)
    asked = questions(path, sessions)
    methods: dict[str, Method] = {"precis": ours}
    if not args.ours:
        methods |= {
            "random": random_sentences,
            "LexRank": by_sumy(LexRankSummarizer),
            "TextRank": by_sumy(TextRankSummarizer),
        }
    print(f"{len(asked)} questions")
    for name, method in methods.items():
        for share in args.shares:
            used, kept_words, full = score(method, share, sessions, asked)
            print(f"{name:10} {share:.0%}  words {used:.3f}  token recall {kept_words:.3f}  full {full:.3f}")


if __name__ == "__main__":
    main()
