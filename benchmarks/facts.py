"""How many of the facts that people say about themselves the rules find, and how much else they take for one.

Two lists of sentences (``facts.toml``): one that was read while the rules were written, one that was not. Prints for
each the share of facts found, the share of those that are put in the third person, and the sentences wrongly taken.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from precis.facts.rules import facts_in

NAME = "Ana"


def main() -> None:
    """Print one line for each list."""
    lists = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    for label, rows in lists.items():
        facts, others = rows["facts"].strip().splitlines(), rows["none"].strip().splitlines()
        picked = [fact for sentence in facts for fact in facts_in(sentence, name=NAME, role="user")[:1]]
        wrong = [sentence for sentence in others if facts_in(sentence, name=NAME, role="user")]
        turned = sum(fact.speaker is None for fact in picked)
        print(
            f"{label:6} found {len(picked)} of {len(facts)}, {turned} in the third person; "
            f"wrong {len(wrong)} of {len(others)}"
        )
        for sentence in wrong:
            print(f"       wrong: {sentence}")


if __name__ == "__main__":
    main()
