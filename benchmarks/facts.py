"""How many of the facts that people say about themselves the rules find, and how much else they take for one.

Lists of sentences (``facts.toml``, ``facts_elsewhere.toml``): some that were read while the rules were written, some
that were not. Prints for each the share of facts found, the share of those that are put in the third person, and the
sentences wrongly taken.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from precis.facts.rules import facts_in

NAME = "Ana"
_FOLDER = Path(__file__).parent


def main() -> None:
    """Print one line for each list."""
    for label, rows in _lists("facts.toml").items():
        _print(label, rows)
    for language, lists in _lists("facts_elsewhere.toml").items():
        for label, rows in lists.items():
            _print(f"{language} {label}", rows)


def _lists(name: str) -> Mapping[str, Any]:
    return tomllib.loads((_FOLDER / name).read_text(encoding="utf-8"))


def _print(label: str, rows: Mapping[str, str]) -> None:
    facts, others = rows["facts"].strip().splitlines(), rows["none"].strip().splitlines()
    picked = [fact for sentence in facts for fact in facts_in(sentence, name=NAME, role="user")[:1]]
    wrong = [sentence for sentence in others if facts_in(sentence, name=NAME, role="user")]
    print(
        f"{label:9} found {len(picked)} of {len(facts)}, {sum(fact.speaker is None for fact in picked)} in the third "
        f"person; wrong {len(wrong)} of {len(others)}"
    )
    for sentence in wrong:
        print(f"          wrong: {sentence}")


if __name__ == "__main__":
    main()
