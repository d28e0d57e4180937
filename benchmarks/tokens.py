"""How wrong four characters a token is, by language and for code: error against the tokenizer that precis ships.

Run ``python benchmarks/tokens.py --data DIR``.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterator
from pathlib import Path

from precis.models.tokens import counter


def texts(data: Path) -> Iterator[tuple[str, list[str]]]:
    """(name, texts): news prose in each language, chat in Chinese and English, JSON, Python."""
    for path in sorted((data / "sib200").glob("*.test.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            yield f"news {path.name[:8]}", [row["text"] for row in csv.DictReader(file, delimiter="\t")]
    for language in ("zh", "en"):
        chat = (data / "memorybank" / f"{language}.json").read_text(encoding="utf-8")
        yield f"chat {language}", list(strings(json.loads(chat)))
        yield f"JSON of that chat, {language}", [chat]
    code = sorted(Path(__file__).parents[1].joinpath("src").rglob("*.py"))
    yield "Python", [path.read_text(encoding="utf-8") for path in code]


def strings(value: object) -> Iterator[str]:
    """Every text of a JSON document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)


def main() -> None:
    """Print one row a kind of text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    count = counter()
    print("| text | tokens | characters a token | error of 4 characters a token |")
    print("|---|---|---|---|")
    for name, found in texts(parser.parse_args().data):
        characters = sum(map(len, found))
        tokens = sum(map(count, found))
        print(f"| {name} | {tokens:,} | {characters / tokens:.2f} | {characters / 4 / tokens - 1:+.0%} |")


if __name__ == "__main__":
    main()
