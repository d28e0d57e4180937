"""ROUGE of summaries of opinions: FewSum (8 reviews, people's summaries) and Opinosis (a topic's sentences)."""

from __future__ import annotations

import argparse
import csv
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean

from sumy.summarizers.lex_rank import LexRankSummarizer
from sumy.summarizers.text_rank import TextRankSummarizer

from precis.extractive.summarizer import summarize
from precis.language.sentences import sentences
from precis.language.words import stem
from precis.makers import Aim, Item, Request
from retention import _WORD, by_sumy, content, fill, word_count

_WHEN = datetime(2024, 1, 1, tzinfo=UTC)
Method = Callable[[tuple[Item, ...], int], str]


@dataclass(frozen=True, kw_only=True)
class Group:
    """Texts about one thing and what people made of them."""

    items: tuple[Item, ...]
    references: tuple[str, ...]

    @property
    def budget(self) -> int:
        """Mean length of the references, in words."""
        return round(mean(word_count(reference) for reference in self.references))


def items_of(texts: list[str]) -> tuple[Item, ...]:
    """Texts as items nobody spoke."""
    return tuple(
        Item(text=text, source_ids=(str(number),), created_at=_WHEN)
        for number, text in enumerate(texts)
        if text.strip()
    )


def fewsum(path: Path) -> Iterator[Group]:
    """Groups of a FewSum table."""
    with path.open(newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            references = tuple(row[f"summ{n}"] for n in (1, 2, 3) if row.get(f"summ{n}"))
            yield Group(items=items_of([row[f"rev{n}"] for n in range(1, 9)]), references=references)


def opinosis(folder: Path) -> Iterator[Group]:
    """The topics that are here, their first 100 sentences."""
    for path in sorted((folder / "topics").glob("*.txt.data")):
        gold = folder / "summaries-gold" / path.name.removesuffix(".txt.data")
        references = tuple(one.read_text(encoding="latin-1").strip() for one in sorted(gold.glob("*.gold")))
        if references:
            yield Group(items=items_of(path.read_text(encoding="latin-1").splitlines()[:100]), references=references)


def rouge(text: str, reference: str) -> tuple[float, float]:
    """ROUGE-1 and ROUGE-L F1, stemmed."""
    ours, theirs = ([stem(word) for word in _WORD.findall(one.lower())] for one in (text, reference))
    return _f1((Counter(ours) & Counter(theirs)).total(), ours, theirs), _f1(_common(ours, theirs), ours, theirs)


def _f1(hits: int, ours: list[str], theirs: list[str]) -> float:
    return 2 * hits / (len(ours) + len(theirs)) if ours or theirs else 0.0


def _common(ours: list[str], theirs: list[str]) -> int:
    """Length of the longest common subsequence."""
    row = [0] * (len(theirs) + 1)
    for word in ours:
        diagonal = 0
        for place, other in enumerate(theirs, 1):
            diagonal, row[place] = (
                row[place],
                diagonal + 1 if word == other else max(row[place], row[place - 1]),
            )
    return row[-1]


def ours(items: tuple[Item, ...], budget: int) -> str:
    """The offline summarizer, which finds out itself that these are opinions."""
    request = Request(items=items, max_tokens=budget, prompt="", aim=Aim.AUTO)
    return " ".join(s.text for s in summarize(request, word_count).statements)


def lead(items: tuple[Item, ...], budget: int) -> str:
    """The first sentence of each item, then the second."""
    split = [sentences(item.text) for item in items]
    pool = [one[depth] for depth in range(max(map(len, split))) for one in split if depth < len(one)]
    return " ".join(fill(pool, budget))


def drawn(items: tuple[Item, ...], budget: int) -> str:
    """Sentences by lot."""
    pool = [sentence for item in items for sentence in sentences(item.text)]
    random.Random(0).shuffle(pool)
    return " ".join(fill(pool, budget))


def mmr(items: tuple[Item, ...], budget: int) -> str:
    """Maximal marginal relevance to the centroid over tf-idf, half and half."""
    pool = [sentence for item in items for sentence in sentences(item.text)]
    vectors = _tf_idf([content(sentence) for sentence in pool])
    middle: Counter[str] = Counter()
    for vector in vectors:
        middle.update(vector)
    order: list[int] = []
    left = set(range(len(pool)))
    near = dict.fromkeys(left, 0.0)
    relevance = {index: _cosine(vectors[index], middle) for index in left}
    while left:
        best = max(sorted(left), key=lambda index: 0.5 * relevance[index] - 0.5 * near[index])
        order.append(best)
        left.remove(best)
        for index in left:
            near[index] = max(near[index], _cosine(vectors[index], vectors[best]))
    return " ".join(fill([pool[index] for index in order], budget))


def _tf_idf(bags: list[frozenset[str]]) -> list[dict[str, float]]:
    seen = Counter(word for bag in bags for word in bag)
    return [{word: math.log(1 + len(bags) / seen[word]) for word in bag} for bag in bags]


def _cosine(one: dict[str, float], other: dict[str, float]) -> float:
    dot = sum(weight * other.get(word, 0.0) for word, weight in one.items())
    return dot / (math.hypot(*one.values()) * math.hypot(*other.values()) or 1.0) if one and other else 0.0


def score(method: Method, groups: list[Group]) -> tuple[float, float, float]:
    """Share of the budget used, ROUGE-1 and ROUGE-L, mean over references, then groups."""
    texts = [method(group.items, group.budget) for group in groups]
    rows = [
        [rouge(text, reference) for reference in group.references] for text, group in zip(texts, groups, strict=True)
    ]
    used = mean(word_count(text) / group.budget for text, group in zip(texts, groups, strict=True))
    return (
        used,
        mean(mean(one for one, _ in row) for row in rows),
        mean(mean(long for _, long in row) for row in rows),
    )


def sets(data: Path) -> dict[str, list[Group]]:
    """Every set by name."""
    found = {
        f"{name}.{part}": list(fewsum(data / "fewsum" / f"{name}.{part}.tsv"))
        for name in ("amazon", "yelp")
        for part in ("val", "train")
    }
    return found | {"opinosis": list(opinosis(data / "opinosis"))}


def main() -> None:
    """Print one row a set and method."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--ours", action="store_true", help="leave the baselines out")
    args = parser.parse_args()
    methods: dict[str, Method] = {"precis": ours}
    if not args.ours:
        methods |= {
            "lead": lead,
            "random": drawn,
            "mmr": mmr,
            "LexRank": by_sumy(LexRankSummarizer),
            "TextRank": by_sumy(TextRankSummarizer),
        }
    for name, groups in sets(args.data).items():
        for label, method in methods.items():
            used, one, long = score(method, groups)
            print(f"{name:13} {len(groups):3} {label:9} used {used:.2f}  R-1 {100 * one:.1f}  R-L {100 * long:.1f}")


if __name__ == "__main__":
    main()
