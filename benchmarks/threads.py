"""What a summary tells of a matter that went on: the later note, the earlier one alone, both or none.

Five matters of two notes each (``threads.toml``), the later ones after the earlier ones, among other notes; thirty
draws by lot for each share of the words. Every second matter was not looked at while the weights were chosen.
"""

from __future__ import annotations

import asyncio
import random
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import precis

DRAWS, MATTERS, OTHERS = 30, 5, 6
SHARES = (0.2, 0.35, 0.5)


async def outcomes(matters: Sequence[Sequence[str]], others: Sequence[str], *, draw: int, share: float) -> Counter[str]:
    """What one summary tells of each of its matters."""
    lot = random.Random(draw)
    drawn = lot.sample(list(matters), MATTERS)
    places = [(lot.random() / 2, earlier) for earlier, _ in drawn] + [
        (0.5 + lot.random() / 2, later) for _, later in drawn
    ]
    texts = [text for _, text in sorted(places + [(lot.random(), text) for text in lot.sample(list(others), OTHERS)])]
    words = sum(len(text.split()) for text in texts)
    summary = await precis.summarize(texts, max_words=int(words * share))
    sources = {texts[source] for statement in summary.statements for source in statement.sources}
    names = {(False, False): "none", (False, True): "later", (True, False): "earlier alone", (True, True): "both"}
    return Counter(names[earlier in sources, later in sources] for earlier, later in drawn)


async def main() -> None:
    """Print one line for each half and share."""
    rows = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    for half, matters in (("looked at", rows["pairs"][::2]), ("apart", rows["pairs"][1::2])):
        for share in SHARES:
            total: Counter[str] = Counter()
            for draw in range(DRAWS):
                total += await outcomes(matters, rows["other"], draw=draw, share=share)
            print(
                f"{half:9} {share:4.0%}  ",
                "  ".join(f"{name} {total[name] / total.total():.2f}" for name in sorted(total)),
            )


if __name__ == "__main__":
    asyncio.run(main())
