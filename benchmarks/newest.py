"""Newest value wins: SGD slots that a user changes during a dialog, in summaries of 30 % of the words."""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sumy.summarizers.lex_rank import LexRankSummarizer
from sumy.summarizers.text_rank import TextRankSummarizer

from precis.extractive.summarizer import summarize
from precis.language.sentences import sentences
from precis.makers import Item, Request
from retention import by_sumy, fill, word_count

_START = datetime(2019, 3, 1, 12, tzinfo=UTC)
Method = Callable[[tuple[Item, ...], int], str]


@dataclass(frozen=True, kw_only=True)
class Change:
    """A slot whose value changed: spellings of the last value, and of those before."""

    dialog: int
    latest: frozenset[str]
    stale: frozenset[str]


def load(path: Path) -> tuple[list[tuple[Item, ...]], list[Change]]:
    """Dialogs as items, and every change whose last value is spelled in its dialog."""
    dialogs = json.loads(path.read_text())
    talks = [items_of(one) for one in dialogs]
    changes = [change for index, one in enumerate(dialogs) for change in changes_of(index, one)]
    text = [" ".join(item.text.lower() for item in talk) for talk in talks]
    return talks, [
        one for one in changes if present(one.latest, text[one.dialog]) and present(one.stale, text[one.dialog])
    ]


def items_of(dialog: dict[str, list[dict[str, str]]]) -> tuple[Item, ...]:
    """The turns of a dialog, a minute apart."""
    return tuple(
        Item(
            text=turn["utterance"],
            source_ids=(str(number),),
            created_at=_START + timedelta(minutes=number),
            speaker=turn["speaker"].capitalize(),
        )
        for number, turn in enumerate(dialog["turns"])
    )


def changes_of(index: int, dialog: dict) -> list[Change]:  # type: ignore[type-arg]
    """Slots with two values or more that share no spelling."""
    history: dict[tuple[str, str], list[frozenset[str]]] = {}
    for turn in dialog["turns"]:
        for frame in turn["frames"]:
            for slot, values in frame.get("state", {}).get("slot_values", {}).items():
                spelled = frozenset(value.lower() for value in values)
                seen = history.setdefault((frame["service"], slot), [])
                if seen and seen[-1] & spelled:
                    seen[-1] |= spelled
                else:
                    seen.append(spelled)
    return [
        Change(dialog=index, latest=values[-1], stale=frozenset().union(*values[:-1]) - values[-1])
        for values in history.values()
        if len(values) > 1 and frozenset().union(*values[:-1]) - values[-1]
    ]


def present(values: frozenset[str], text: str) -> bool:
    """Whether one of the spellings stands in the text as whole words."""
    return any(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text.lower()) for value in values)


def ours(items: tuple[Item, ...], budget: int) -> str:
    """The offline summarizer."""
    request = Request(items=items, max_tokens=budget, prompt="")
    return " ".join(s.text for s in summarize(request, word_count).statements)


def lead(items: tuple[Item, ...], budget: int) -> str:
    """The first sentences."""
    return " ".join(fill([s for item in items for s in sentences(item.text)], budget))


def drawn(items: tuple[Item, ...], budget: int) -> str:
    """Sentences by lot."""
    pool = [s for item in items for s in sentences(item.text)]
    random.Random(0).shuffle(pool)
    return " ".join(fill(pool, budget))


def score(
    method: Method, share: float, talks: list[tuple[Item, ...]], changes: list[Change]
) -> tuple[float, float, float]:
    """Shares of changes whose latest value is kept, whose stale value is there, and with only a stale one."""
    texts = {one.dialog: "" for one in changes}
    for dialog in texts:
        budget = int(share * sum(word_count(item.text) for item in talks[dialog]))
        texts[dialog] = method(talks[dialog], budget)
    hits = [(present(one.latest, texts[one.dialog]), present(one.stale, texts[one.dialog])) for one in changes]
    size = len(hits)
    return (
        sum(new for new, _ in hits) / size,
        sum(old for _, old in hits) / size,
        sum(old and not new for new, old in hits) / size,
    )


def main() -> None:
    """Print one row a method."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--share", type=float, default=0.3)
    parser.add_argument("--ours", action="store_true", help="leave the baselines out")
    args = parser.parse_args()
    talks, changes = load(args.data / "sgd" / "dev_001.json")
    methods: dict[str, Method] = {"precis": ours}
    if not args.ours:
        methods |= {
            "lead": lead,
            "random": drawn,
            "LexRank": by_sumy(LexRankSummarizer),
            "TextRank": by_sumy(TextRankSummarizer),
        }
    print(f"{len(changes)} changes in {len({one.dialog for one in changes})} dialogs")
    for name, method in methods.items():
        new, old, only = score(method, args.share, talks, changes)
        print(f"{name:9} latest {new:.2f}  stale present {old:.2f}  only stale {only:.2f}")


if __name__ == "__main__":
    main()
