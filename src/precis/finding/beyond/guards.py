"""What all of what was found is looked through for at last: secrets, answers of tools, and things told as one."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from precis.finding.asked.asking import Request
from precis.finding.asked.corrections import doubt_others
from precis.finding.asked.standing import leave_now
from precis.finding.beyond.dropped import without_dropped
from precis.finding.beyond.pasted import pasted_in
from precis.finding.beyond.rubble import INSEPARABLE, without_rubble
from precis.finding.beyond.secrets import with_secrets
from precis.finding.beyond.tools import with_results
from precis.finding.doubts.which import narrowed
from precis.finding.reading import UNSPACED, folded
from precis.finding.tables import name_words
from precis.finding.values import Finding, Findings, Level, Row
from precis.finding.written.speaking import is_being
from precis.language import tables

# Two things of one kind in one memory: "30 seconds for tracking-api, 45 for dispatch-api" is not of one alone.
#: A name of several words written as one: a service, a host, a branch, a package.
_COMPOUND = re.compile(r"(?<![\w@./:-])[^\W\d_][^\W_]*(?:[-_][^\W_]+)+(?![\w@-])")


def without_others(request: Request, rows: Sequence[Row], known: dict[str, Finding]) -> None:
    """Put in doubt what would go whole and tells of another thing of the kind of one that was asked for."""
    asked = {match.group().casefold() for match in _COMPOUND.finditer(request.text)}
    names = {" ".join(name) for subject in request.subjects for name in subject.names} | asked
    for row in rows:
        finding = known.get(row.id)
        if finding is None or finding.level is not Level.SURE or finding.keeps:
            continue
        if any(_is_beside(row.text, name) for name in asked) or (names and _has_other_entries(row.text, names)):
            known[row.id] = replace(finding, level=Level.DOUBTFUL, why=INSEPARABLE, shared=True)


def _is_beside(text: str, name: str) -> bool:
    """Whether a text has the name, and another that has its first or last part: "dispatch-api" of "tracking-api"."""
    known = {match.group().casefold().removesuffix("'s") for match in _COMPOUND.finditer(text)}
    first, last = re.split("[-_]", name)[0], re.split("[-_]", name)[-1]
    others = (re.split("[-_]", other) for other in known - {name})
    return name in known and any(parts[0] == first or parts[-1] == last for parts in others)


def _has_other_entries(text: str, names: set[str]) -> bool:
    """Whether a text is JSON with a list of several objects of which some do not have any of the names."""
    try:
        document = json.loads(text) if text.lstrip()[:1] in {"{", "["} else None
    except ValueError:
        return False
    lists = [document, *document.values()] if isinstance(document, dict) else [document]
    for listed in lists:
        entries = [json.dumps(it, ensure_ascii=False).casefold() for it in listed] if isinstance(listed, list) else []
        having = [any(name in entry for name in names) for entry in entries]
        if len(entries) > 1 and any(having) and not all(having):
            return True
    return False


# A Chinese or Japanese sentence that goes whole, and tells in another clause of somebody of the user's.
_CLAUSES = re.compile("[,;!?.\uff0c\uff1b\u3001\u3002\uff01\uff1f\n]")
#: In other languages a joining word may part them as well; what it joins is looked at with it.
_SPACED_CLAUSES = re.compile(
    r"[,;!?.\n]|(?<=\s)(?=(?:and|but|und|aber|y|pero|et|mais|e|ma|mas|en|maar|i|a|ale|\u0438|\u0430|\u043d\u043e|ve)\s)"
)
_OWNER = re.compile("^(?:\u6211\u4eec?\u7684?|\u4ffa|\u79c1\u306e|\u3046\u3061\u306e|\u50d5\u306e)?")
#: Kin as they are called by one sign.
_KIN = re.compile(
    "^(?:\u6211\u4eec?|\u4ffa)[\u5988\u7238\u7237\u5976\u54e5\u59d0\u5f1f\u59b9\u8205\u59e8\u53d4\u59d1\u513f\u5973\u5a46\u5a92]"
)
#: So many signs say who somebody is.
_MOST = 3


def without_clauses(request: Request, rows: Sequence[Row], known: dict[str, Finding]) -> None:
    """Put in doubt what would go whole for a name, where a clause without the name opens with somebody else."""
    names = ["".join(name) for subject in request.subjects for name in subject.names]
    if not names or any(subject.parts for subject in request.subjects):
        return
    for row in rows:
        finding = known.get(row.id)
        sure = finding is not None and finding.level is Level.SURE and not finding.keeps
        if finding and sure and UNSPACED.search(row.text) and not pasted_in(row.text):
            low = folded(row.text)
            if any(not _names(it, names) and _opens_with_another(it) for it in _CLAUSES.split(low)):
                known[row.id] = replace(finding, level=Level.DOUBTFUL, why=INSEPARABLE, shared=True)


@cache
def _own() -> re.Pattern[str]:
    """How a clause opens that tells of a thing of whoever writes, and does not name it: "mine is 650", "mine don't"."""
    before, mine, articles, behind = (
        "|".join(map(re.escape, sorted(name_words(name))))
        for name in ("before_own", "own_alone", "articles_of_own", "own_behind_article")
    )
    is_so = "|".join(map(folded, tables.words("kin.subject.copulas")))
    return re.compile(
        rf"\W*(?:(?:{before})\s+)*(?:(?:{mine})|(?:{articles})\s+(?:{behind}))"
        rf"(?:\s+(?:{is_so}|are|were|(?:do|does|did|have|has|had|can|could|will|would)(?:n['\u2019]t)?)\b|\s*[-\u2013\u2014:=]|\s+\d)"
    )


def without_own(request: Request, rows: Sequence[Row], known: dict[str, Finding]) -> None:
    """Put in doubt what would go whole for somebody's name, where another clause is of a thing of the user's."""
    names = ["".join(name) for subject in request.subjects for name in subject.names if not subject.mine]
    for row in rows if names else ():
        finding = known.get(row.id)
        if finding is not None and finding.level is Level.SURE and not finding.keeps:
            clauses = map(folded, _SPACED_CLAUSES.split(row.text.lower()))
            if any(not _names(clause, names) and _own().match(clause) for clause in clauses):
                known[row.id] = replace(finding, level=Level.DOUBTFUL, why=INSEPARABLE, shared=True)


def _names(clause: str, names: Sequence[str]) -> bool:
    return any(folded(name) in clause for name in names)


def _opens_with_another(clause: str) -> bool:
    """Whether a clause opens with somebody of the user's, or with the user's own doing."""
    bare = clause.strip()
    rest = _OWNER.sub("", bare, count=1)
    return _KIN.match(bare) is not None or any(is_being(rest[:cut]) for cut in range(1, min(_MOST, len(rest)) + 1))


_STEPS = (
    without_dropped,
    without_clauses,
    without_own,
    with_secrets,
    without_others,
    with_results,
    without_rubble,
    doubt_others,
    leave_now,
)


def guarded(request: Request, rows: Sequence[Row], findings: Findings) -> Findings:
    """The findings, with what no word of the request finds, and in doubt what would take more than was asked for."""
    known = {finding.id: finding for finding in findings.rows}
    for step in _STEPS:
        step(request, rows, known)
    narrowed(request.which, rows, known)
    listed = tuple(known[row.id] for row in rows if row.id in known)
    return replace(findings, rows=listed)
