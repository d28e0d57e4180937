"""Does a correction count, and a new value of what several people share, and only there? Cases in corrections.toml.

Of a talk (``talk``) the summary is looked at: where something is corrected, the overruled value stands in none of its
statements by itself; where nothing is, all is told. Of who excuses themselves or denies a value (``slip``) the
overruled value stands in none at all. Of what one says and another says later (``group``) the newer one replaces the
older, or both stay. Of what was booked or estimated, and what became of it days later (``outcome``), the newer stands
first in a summary of a cluster, and the older has its day or is left out (``became``); else all is told (``kept``), and
as it was said (``no day``). Of each list one half was not looked at.

    python benchmarks/corrections.py [--failures]
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from precis.checks import check
from precis.checks.fates import fates
from precis.checks.standing import now_first
from precis.engine.repeating import as_meant
from precis.extractive.summarizer import summarize
from precis.language.newest.timeline import leaves_nothing_of
from precis.language.reading import Line, read
from precis.makers import Item, Request
from precis.models.tokens import count
from precis.summary import Statement
from precis.trust import SourceClass, class_of_role, voice_of

_AT = datetime(2026, 4, 23, 7, 40, tzinfo=UTC)
_APART = timedelta(seconds=40)
_LATER = timedelta(days=3)
#: A day that was added to what was said.
_DAY = re.compile(r"\((?:[^()]*\d \w+ 2026|2026-\d\d-\d\d)[^()]*\)")
#: Whoever excuses themselves took a while to see it.
_SEEN_LATER = timedelta(minutes=2)


def replaces(case: dict[str, Any]) -> bool:
    """Whether the newer memory of a case leaves nothing of the older one."""
    older, newer = (read(_line(*case[name])) for name in ("older", "newer"))
    return leaves_nothing_of(older, newer)


def _line(speaker: str, text: str) -> Line:
    relayed = class_of_role(speaker) in {SourceClass.TOOL, SourceClass.DOCUMENT}
    return Line(text=text, speaker=speaker or None, voice=voice_of({class_of_role(speaker if relayed else "user")}))


def told(case: dict[str, Any], apart: timedelta = _APART) -> list[str]:
    """The statements of a summary of a talk, its turns so far apart, that has room for all of it."""
    items = tuple(
        Item(text=text, source_ids=(str(at),), created_at=_AT + at * apart, speaker=speaker)
        for at, (speaker, text) in enumerate(case["turns"])
    )
    draft = summarize(Request(items=tuple(as_meant(items)), max_tokens=400, prompt=""), count)
    return [statement.text for statement in draft.statements]


def is_right(case: dict[str, Any], statements: list[str]) -> bool:
    """Whether what counts is told, and what was overruled not without it."""
    every = " ".join(statements)
    stale = [text for text in statements if (then := case.get("then")) and then in text.replace(case["now"][0], "")]
    return all(value in every for value in case["now"]) and all(case["now"][0] in text for text in stale)


def became(case: dict[str, Any]) -> list[str]:
    """The served statements of a cluster of what was told days apart, in their order."""
    items = tuple(
        Item(text=text, source_ids=(str(at),), created_at=_AT + at * _LATER, speaker=speaker)
        for at, (speaker, text) in enumerate(case["lines"])
    )
    draft = summarize(Request(items=items, max_tokens=400, prompt="", picked=True), count)
    statements = check(draft, items).statements
    ordered = now_first(statements, items, fates(items, statements))
    return [statement.text for statement in ordered if not _is_gone(statement)]


def _is_gone(statement: Statement) -> bool:
    return statement.superseded_by is not None


def is_replaced(case: dict[str, Any], statements: list[str]) -> bool:
    """Whether what is so is told, and what was so not without its day, nor before it."""
    if not is_told(case, statements, bare=False):
        return False
    places = [at for at, text in enumerate(statements) if case["now"][0] in text]
    stale = [at for at, text in enumerate(statements) if case["then"] in text]
    return all(places[0] <= at and _DAY.search(statements[at]) for at in stale)


def is_told(case: dict[str, Any], statements: list[str], *, bare: bool) -> bool:
    """Whether each of its values is told; if ``bare``, with no day added."""
    return all(any(value in text and not (bare and _DAY.search(text)) for text in statements) for value in case["now"])


def is_put_right(case: dict[str, Any], statements: list[str]) -> bool:
    """The same, and what was overruled not even beside it."""
    overruled = case.get("then")
    return is_right(case, statements) and not (overruled and any(overruled in text for text in statements))


def slips(cases: list[dict[str, Any]], half: str, *, failures: bool) -> None:
    """Print two rows: of what somebody takes back, and of what only looks so."""
    for name, is_corrected in (("put right", True), ("stands", False)):
        listed = [case for case in cases if ("then" in case) is is_corrected]
        pairs = [
            (case, told(case, timedelta(minutes=case["apart"]) if "apart" in case else _SEEN_LATER)) for case in listed
        ]
        wrong = [pair for pair in pairs if not is_put_right(*pair)]
        print(f"{half:8}slip {name:10}{len(pairs) - len(wrong):3} of {len(pairs)}")
        for case, statements in wrong if failures and half == "read" else ():
            print(f"    {case['turns']}\n      {statements}")


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
        _print_outcomes(document["outcome"][half], half, failures=options.failures and half == "read")
        slips(document["slip"][half], half, failures=options.failures)
        for name, expected in (("replaced", True), ("both", False)):
            cases = [case for case in document["group"][half] if case["replaced"] is expected]
            right_cases = [case for case in cases if replaces(case) is expected]
            print(f"{half:8}{name:10}{len(right_cases):3} of {len(cases)}")
            for case in cases if options.failures and half == "read" else ():
                if case not in right_cases:
                    print(f"    {case['older']} | {case['newer']}")


def _print_outcomes(cases: Sequence[dict[str, Any]], half: str, *, failures: bool) -> None:
    for name, languages in (("", {"en"}), (" abroad", {"de", "fr", "es", "it", "pt"})):
        pairs = [(case, became(case)) for case in cases if case.get("language", "en") in languages]
        over = [(case, is_replaced(case, texts)) for case, texts in pairs if "then" in case]
        kept = [(case, is_told(case, texts, bare=False)) for case, texts in pairs if "then" not in case]
        plain = [(case, is_told(case, texts, bare=True)) for case, texts in pairs if "then" not in case]
        for row, listed in (("became", over), ("kept", kept), ("no day", plain)):
            print(f"{half:8}{row + name:15}{sum(right for _, right in listed):3} of {len(listed)}")
        wrong = [case for case, right in (*over, *kept, *plain) if not right]
        for case, texts in pairs if failures else ():
            if case in wrong:
                print(f"    {case['lines']}\n      {texts}")


if __name__ == "__main__":
    main()
