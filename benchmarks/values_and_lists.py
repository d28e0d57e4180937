"""GoodAI's benchmark: of a color that changes the last is told and no other, of names that were given all, in order."""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from precis.extractive.summarizer import summarize
from precis.makers import Item, Request
from precis.models.tokens import count

_START = datetime(2024, 1, 1, 12, tzinfo=UTC)
#: There is room for everything: what is left out was overruled.
_ROOM = 1_000


def load(folder: Path) -> list[dict[str, Any]]:
    """The tests of a kind."""
    return [json.loads(path.read_text()) for path in sorted(folder.glob("*.def.json"))]


def summary(test: dict[str, Any]) -> str:
    """What is made of all that was said before the question, a day apart."""
    said = [text for text, asks in zip(test["script"], test["is_question"], strict=True) if not asks]
    items = tuple(
        Item(text=text, source_ids=(str(at),), created_at=_START + timedelta(days=at), speaker="User")
        for at, text in enumerate(said)
    )
    draft = summarize(Request(items=items, max_tokens=_ROOM, prompt=""), count)
    return " ".join(statement.text for statement in draft.statements)


def newest_only(test: dict[str, Any], colors: set[str]) -> bool:
    """The expected color is told, and no other."""
    text = summary(test)
    (expected,) = test["expected_responses"]
    return expected in text and not any(color in text for color in colors - {expected})


def all_in_order(test: dict[str, Any]) -> bool:
    """Each name is told, one behind the other."""
    text = summary(test)
    places = [text.find(name) for name in test["expected_responses"]]
    return -1 not in places and places == sorted(places)


def main() -> None:
    """Print one row a kind of test."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    args = parser.parse_args()
    folder = args.data / "goodai_ltm" / "b1"
    changed, listed = load(folder / "Colours"), load(folder / "NameList")
    colors = {"Red", "Green", "Blue", "Yellow", "Orange", "Purple", "Pink", "Black", "White", "Brown", "Gray", "Grey"}
    print(f"Colours: the last value, and no other  {sum(newest_only(t, colors) for t in changed)} of {len(changed)}")
    print(f"NameList: all names, in their order    {sum(map(all_in_order, listed))} of {len(listed)}")


if __name__ == "__main__":
    main()
