"""Does a correction count, and a new value of what several people share, and only there? Cases in corrections.toml.

Of a talk (``talk``) the summary is looked at: where something is corrected, the overruled value stands in none of its
statements by itself; where nothing is, all is told. Of what one says and another says later (``group``) the newer one
replaces the older, or both stay. Of each list one half was not looked at.

    python benchmarks/corrections.py [--failures]
"""

from __future__ import annotations

import argparse
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from precis.engine.repeating import as_meant
from precis.extractive.summarizer import summarize
from precis.language.newest.timeline import leaves_nothing_of
from precis.language.reading import Line, read
from precis.makers import Item, Request
from precis.models.tokens import count
from precis.trust import SourceClass, class_of_role, voice_of

_AT = datetime(2026, 4, 23, 7, 40, tzinfo=UTC)
_APART = timedelta(seconds=40)


def replaces(case: dict[str, Any]) -> bool:
    """Whether the newer memory of a case leaves nothing of the older one."""
    older, newer = (read(_line(*case[name])) for name in ("older", "newer"))
    return leaves_nothing_of(older, newer)


def _line(speaker: str, text: str) -> Line:
    relayed = class_of_role(speaker) in {SourceClass.TOOL, SourceClass.DOCUMENT}
    return Line(text=text, speaker=speaker or None, voice=voice_of({class_of_role(speaker if relayed else "user")}))


def told(case: dict[str, Any]) -> list[str]:
    """The statements of a summary of a talk that has room for all of it."""
    items = tuple(
        Item(text=text, source_ids=(str(at),), created_at=_AT + at * _APART, speaker=speaker)
        for at, (speaker, text) in enumerate(case["turns"])
    )
    draft = summarize(Request(items=tuple(as_meant(items)), max_tokens=400, prompt=""), count)
    return [statement.text for statement in draft.statements]


def is_right(case: dict[str, Any], statements: list[str]) -> bool:
    """Whether what counts is told, and what was overruled not without it."""
    every = " ".join(statements)
    stale = [text for text in statements if (then := case.get("then")) and then in text.replace(case["now"][0], "")]
    return all(value in every for value in case["now"]) and all(case["now"][0] in text for text in stale)


def main() -> None:
    """Print a row a list and half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--failures", action="store_true", help="print what failed, of the halves that are read only")
    options = parser.parse_args()
    document = tomllib.loads(Path(__file__).with_name("corrections.toml").read_text("utf-8"))
    for half in ("read", "unread"):
        talks = [(case, told(case)) for case in document["talk"][half]]
        for name, listed in (
            ("corrected", [pair for pair in talks if "then" in pair[0]]),
            ("stands", [pair for pair in talks if "then" not in pair[0]]),
        ):
            right = [pair for pair in listed if is_right(*pair)]
            print(f"{half:8}{name:10}{len(right):3} of {len(listed)}")
            for case, statements in listed if options.failures and half == "read" else ():
                if (case, statements) not in right:
                    print(f"    {case['turns']}\n      {statements}")
        for name, expected in (("replaced", True), ("both", False)):
            cases = [case for case in document["group"][half] if case["replaced"] is expected]
            right_cases = [case for case in cases if replaces(case) is expected]
            print(f"{half:8}{name:10}{len(right_cases):3} of {len(cases)}")
            for case in cases if options.failures and half == "read" else ():
                if case not in right_cases:
                    print(f"    {case['older']} | {case['newer']}")


if __name__ == "__main__":
    main()
