"""Does a request in words find what it means, and nothing else? Generated cases (forget_cases.toml), two figures.

``solved`` is the share of cases in which, after forgetting what is sure, everything that was meant is gone and
everything beside it is still there. ``lost`` counts memories, or halves of them, that went although nobody asked for
it. ``shown`` are the cases that were looked at while the rules were written, ``kept`` those that were not. ``apart`` is
forget_cases_apart.toml, as people type into a chat, ``talk`` forget_cases_talk.toml, wishes and complaints, ``notes``
forget_cases_notes.toml, memories as engines note them, ``desk`` forget_cases_desk.toml, requests that reach a desk, and
``trades`` forget_cases_trades.toml, people of six trades who talk of each other, and ``crossed``
forget_cases_crossed.toml, each mechanism met with five worlds in five wordings: of each one half, by the hash of the
request, was read while rules were written (``-read``), and the other was not. ``after`` is forget_cases_after.toml,
written last and not read.
``tenth``, ``eleventh`` and ``twelfth`` are by another hand that knew no rule; of the twelfth the six cases were read
that lost a neighbor; then all of it was. ``thirteenth``, ``fourteenth`` and ``fifteenth`` are by a third hand; of the
unread half of the fourteenth only cases were read that lost a neighbor; the other two were read in the end, and so were
the sixteenth and seventeenth. Of the ``eighteenth`` and ``nineteenth`` only cases were read that lost a neighbor.
``twentieth`` and ``twentyfirst`` are by a fourth hand, and parts of them were looked at. ``plain`` are plain requests
by a fifth; of its unread half only cases were read that lost a neighbor. ``tongues`` are requests in Arabic and Hindi,
and across languages, by whoever wrote the tables of these, and read throughout.
``plainer`` and ``plainest`` are plain requests in English and in fourteen languages by three more hands, ``candid`` (in
English) and ``foreign`` (in fifteen languages) by two more, ``honest`` (in English) by another, all read in the same
way. ``sales`` are requests of people who sell, written before the rules that they ask for by whoever wrote these, and
so are ``errands`` (notes) and ``visits`` (talks in sessions), in seven languages, of which nothing was read.
``borrowed`` are what a request takes beyond its words (pasted mails, secrets, weeks), one half with the rules and the
other at once with it in other names and languages, not read.
``twentysecond`` are by another hand in fourteen languages, in halves by lot; of the unread one only four cases were
read, which lost a neighbor.
``households`` are requests over the same notes of nine people, in twelve languages, ``relatives`` over those of seven
in six languages, by relation, thing, time, place and old value; of each one half was read.
``shown`` beside a share is that of the cases in which all that was meant is at least in doubt, so that a reader of the
preview sees it.

``--outcomes`` counts instead what became of the cases: ``refused`` are requests that were read as none, ``unseen``
those of which something meant is not even in doubt, ``doubtful`` those of which it is, ``taken`` those that lost a
neighbor, and ``with`` and ``taken with`` are the cases solved, and the neighbors lost, where the doubtful ones are
confirmed as well.

    python benchmarks/forget/forget_words.py [--family NAME] [--half NAME …] [--failures | --outcomes]
"""

from __future__ import annotations

import argparse
import hashlib
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from precis.finding.asked.asking import Request
from precis.finding.finder import find
from precis.finding.grounded.findings import in_doubt, joined, leaves_to_memories, with_versions
from precis.finding.grounded.requests import grounded, leaves_open
from precis.finding.grounded.versions import versions
from precis.finding.halves import written
from precis.finding.request import read_request
from precis.finding.spelling import corrected
from precis.finding.values import Findings, Level, Row
from precis.models.embeddings import StaticEmbedder
from precis.models.embeddings.nearness import kin_by

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
_PARTED = (
    "apart", "talk", "notes", "desk", "trades", "crossed", "tenth", "eleventh", "thirteenth", "fourteenth", "fifteenth",
    "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth", "twentyfirst", "plain", "plainer", "plainest",
    "candid", "foreign", "honest", "sales", "households", "relatives",
)  # fmt: skip
_UNREAD = ("after", "twelfth", "errands", "visits", "twentysecond")
_SETS = ("", *(f"_{name}" for name in (*_PARTED, *_UNREAD)), "_tongues", "_borrowed")
_ROW = re.compile(
    r"(?P<mark>[-+*])(?:#(?P<session>\S+?))?(?:%(?P<speaker>\w+))?"
    r"(?:~(?P<origin>\S+))?(?:@(?P<ago>\d+))?(?:=(?P<date>\S+))? (?P<text>.*)$",
    re.DOTALL,
)


@dataclass(frozen=True, kw_only=True)
class Case:
    """A request, the memories it meets, and what has to be gone and to stay afterwards."""

    half: str
    family: str
    ask: str
    rows: tuple[Row, ...]
    gone: tuple[str, ...]
    stay: tuple[str, ...]


def cases() -> Iterator[Case]:
    """Every case of both halves, and of the set that another hand wrote."""
    document: dict[str, Any] = {}
    for name in _SETS:
        document |= tomllib.loads(Path(__file__).with_name(f"forget_cases{name}.toml").read_text("utf-8"))
    for half, families in document.items():
        shared = {name: words.split() for name, words in families["values"].items()}
        for family, templates in families.items():
            if family not in {"values", "people"}:
                for template in templates:
                    yield from _filled(half, family, _met(template, families.get("people", {})), shared)


def _met(template: dict[str, Any], people: dict[str, list[str]]) -> dict[str, Any]:
    """A template whose rows are the notes of the person that it names, marked by what it says has to go of them."""
    if "of" not in template:
        return template
    marks = {**dict.fromkeys(template["gone"], "-"), **dict.fromkeys(template.get("maybe", []), "*")}
    parts = {int(place): f" || {part}" for place, part in template.get("halves", {}).items()}
    return template | {
        "rows": [
            f"{'*' if place in parts else marks.get(place, '+')}{note}{parts.get(place, '')}"
            for place, note in enumerate(people[template["of"]], 1)
        ]
    }


def _part(half: str, ask: str) -> str:
    """The later sets in two parts: the failures of the first were read while rules were written."""
    if half not in _PARTED:
        return "tongues-read" if half == "tongues" else half
    return f"{half}-read" if hashlib.sha256(ask.encode()).digest()[0] % 2 == 0 else half


def _filled(half: str, family: str, template: dict[str, Any], shared: dict[str, list[str]]) -> Iterator[Case]:
    lists = {**shared, **template.get("lists", {})}
    used = set(re.findall(r"\{(\w+)\}", " ".join([template["ask"], *template["rows"]])))
    for place in range(max((len(lists[name]) for name in used), default=1)):
        values = {name: words[place % len(words)] for name, words in lists.items()}
        # In the last sets each kind of thing is in a half of its own; cases that differ in names alone are in one.
        unnamed = values | {name: name for name in shared}
        ask = template["ask"]
        if half in {"notes", "desk"}:
            ask = _put(ask, unnamed)
        elif half == "crossed":
            ask = _put(ask, values)
        yield _case(
            _part(half, ask), family, _put(template["ask"], values), [_put(row, values) for row in template["rows"]]
        )


def _put(text: str, values: dict[str, str]) -> str:
    """A template with its values, which may name others."""
    return text.format(**values).format(**values)


def _case(half: str, family: str, ask: str, lines: list[str]) -> Case:
    rows, gone, stay = [], [], []
    for number, line in enumerate(lines):
        match = _ROW.match(re.sub(r"^([-+*]) @(\d+) ", r"\1@\2 ", line))
        if match is None:
            raise ValueError(line)
        text, *halves = match["text"].split(" || ")
        gone += [part.casefold() for part in ([halves[0]] if halves else [text] if match["mark"] == "-" else [])]
        stay += [part.casefold() for part in ([halves[1]] if halves else [text] if match["mark"] == "+" else [])]
        at = (
            datetime.fromisoformat(match["date"]).replace(tzinfo=UTC)
            if match["date"]
            else NOW - timedelta(days=int(match["ago"] or 60 - number))
        )
        origins = frozenset({match["origin"]}) if match["origin"] else frozenset()
        rows.append(
            Row(id=f"m{number}", text=text, created_at=at, session_id=match["session"], origins=origins,
                speaker=match["speaker"])
        )  # fmt: skip
    return Case(half=half, family=family, ask=ask, rows=tuple(rows), gone=tuple(gone), stay=tuple(stay))


def left_over(case: Case, embedder: StaticEmbedder, *, doubtful: bool = False) -> str:
    """What is still there once what is sure was forgotten."""
    findings = findings_of(case, embedder)
    least = Level.DOUBTFUL if doubtful else Level.SURE
    meant = {finding.id: finding for finding in findings.rows if finding.level >= least}
    texts = [row.text if row.id not in meant else written(row.text, meant[row.id].keeps) for row in case.rows]
    return "\n".join(texts).casefold()


def findings_of(case: Case, embedder: StaticEmbedder) -> Findings:
    """What a preview would list."""
    findings = _findings(case, case.ask, embedder)
    again, clear = corrected(case.ask, embedder.is_word)
    if again != case.ask and not findings.of(Level.SURE):
        findings = joined(findings, _findings(case, again, embedder), clear=clear)
    if leaves_open(case.ask, read_request(case.ask, NOW.date())):
        findings = in_doubt(findings)
    if leaves_to_memories(findings):
        findings = _by_memories(case, again if clear else case.ask, findings, embedder)
    return with_versions(findings, versions(case.ask, read_request(case.ask, NOW.date()), case.rows, ()))


def _by_memories(case: Case, ask: str, findings: Findings, embedder: StaticEmbedder) -> Findings:
    """What a request finds that is read by what the memories say, where rules make nothing of it sure."""
    read = grounded(ask, read_request(case.ask, NOW.date()), case.rows)
    return joined(findings, _look(case, read[0], embedder), clear=read[1]) if read else findings


def _findings(case: Case, ask: str, embedder: StaticEmbedder) -> Findings:
    request = read_request(ask, NOW.date())
    return Findings() if request.empty or request.refuses else _look(case, request, embedder)


def _look(case: Case, request: Request, embedder: StaticEmbedder) -> Findings:
    vectors = embedder.vectors([row.text for row in case.rows])
    likeness = vectors @ embedder.vectors(list(request.phrases)).T if request.phrases else None
    rows = [
        replace(row, likeness=tuple(map(float, likeness[at])) if likeness is not None else ())
        for at, row in enumerate(case.rows)
    ]
    return find(request, rows, kin=kin_by(embedder))


def _outcome(case: Case, embedder: StaticEmbedder) -> Iterator[str]:
    """What became of a case: each name that ``--outcomes`` counts and that holds of it."""
    sure, both = left_over(case, embedder), left_over(case, embedder, doubtful=True)
    request = read_request(case.ask, NOW.date())
    remains, unseen = (any(text in rest for text in case.gone) for rest in (sure, both))
    taken = any(text not in sure for text in case.stay)
    if not remains and not taken:
        yield "solved"
    if taken:
        yield "taken"
    if remains:
        refused = unseen and (request.empty or request.refuses)
        yield "refused" if refused else "unseen" if unseen else "doubtful"
    if not unseen and all(text in both for text in case.stay):
        yield "with"
    for _ in (text for text in case.stay if text not in both):
        yield "taken with"


def _print_outcomes(selected: list[Case], embedder: StaticEmbedder, halves: list[str]) -> None:
    """The outcomes by half and by family, of the families those that are not read together; no text of any case."""
    names = ("solved", "doubtful", "unseen", "refused", "taken", "with", "taken with")
    total: Counter[tuple[str, str]] = Counter()
    for case in selected:
        groups = [case.half] if case.half.endswith("-read") else [case.half, f"unread {case.family}", "unread"]
        for group in groups:
            total.update([(group, "cases"), *((group, name) for name in _outcome(case, embedder))])
    print(f"{'':22}{'cases':>8}" + "".join(f"{name:>12}" for name in names))
    families = sorted({group for group, _ in total if group.startswith("unread")})
    for group in (*halves, *families):
        print(f"{group:22}{total[group, 'cases']:8}" + "".join(f"{total[group, name]:12}" for name in names))


def main() -> None:
    """Print the figures, by family or by outcome."""
    halves = (
        "shown",
        "kept",
        "tongues-read",
        *(name for part in _PARTED for name in (f"{part}-read", part)),
        "twentysecond-read",
        *_UNREAD,
        "borrowed-read",
        "borrowed",
    )
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--family", help="only this one")
    parser.add_argument("--half", nargs="*", default=halves, choices=halves, help="only these")
    parser.add_argument("--failures", action="store_true", help="print what failed, of the halves that are read only")
    parser.add_argument("--outcomes", action="store_true", help="count what became of the cases, by half and family")
    options = parser.parse_args()
    embedder = StaticEmbedder()
    if options.outcomes:
        selected = [case for case in cases() if case.half in options.half and options.family in {None, case.family}]
        _print_outcomes(selected, embedder, list(options.half))
        return
    total, solved, lost, seen = (Counter[tuple[str, str]]() for _ in range(4))
    for case in cases():
        if case.half not in options.half or (options.family and case.family != options.family):
            continue
        rest = left_over(case, embedder)
        remaining = [text for text in case.gone if text in rest]
        missing = [text for text in case.stay if text not in rest]
        shown = not remaining or not any(text in left_over(case, embedder, doubtful=True) for text in remaining)
        for name in (case.family, "all"):
            key = case.half, name
            total[key] += 1
            solved[key] += not remaining and not missing
            lost[key] += len(missing)
            seen[key] += shown
        if options.failures and (remaining or missing) and (case.half == "shown" or case.half.endswith("-read")):
            print(f"{case.family}: {case.ask!r}: {'in doubt' if shown else 'still there'} {remaining}, lost {missing}")
    print(f"{'family':14} " + " ".join(f"{half:>10} {'solved':>6} {'shown':>6} {'lost':>4}" for half in options.half))
    for family in sorted({name for _, name in total}):
        cells = [(half, family) for half in options.half]
        shares = [
            (total[key], solved[key] / max(1, total[key]), seen[key] / max(1, total[key]), lost[key]) for key in cells
        ]
        print(f"{family:14} " + " ".join(f"{n:10} {a:6.1%} {b:6.1%} {gone:4}" for n, a, b, gone in shares))


if __name__ == "__main__":
    main()
