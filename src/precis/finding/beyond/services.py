"""Two things of one kind in one memory: "30 seconds for tracking-api, 45 for dispatch-api" is not of one alone."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace

from precis.finding.request import Request
from precis.finding.values import Finding, Level, Row

#: A name of several words written as one: a service, a host, a branch, a package.
_COMPOUND = re.compile(r"(?<![\w@./:-])[^\W\d_][^\W_]*(?:[-_][^\W_]+)+(?![\w@-])")
_WHY = "it also tells something else, which cannot be parted from it"


def without_others(request: Request, rows: Sequence[Row], known: dict[str, Finding]) -> None:
    """Put in doubt what would go whole and tells of another thing of the kind of one that was asked for."""
    asked = {match.group().casefold() for match in _COMPOUND.finditer(request.text)}
    names = {" ".join(name) for subject in request.subjects for name in subject.names} | asked
    for row in rows:
        finding = known.get(row.id)
        if finding is None or finding.level is not Level.SURE or finding.keeps:
            continue
        if any(_is_beside(row.text, name) for name in asked) or (names and _has_other_entries(row.text, names)):
            known[row.id] = replace(finding, level=Level.DOUBTFUL, why=_WHY, shared=True)


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
