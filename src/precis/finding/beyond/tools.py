"""A call of a tool and what the tool answered are one: what is asked of one of them takes both, or shows both."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from precis.finding.asked.asking import Request
from precis.finding.beyond.tables import any_language
from precis.finding.reading import folded, read_words
from precis.finding.tables import all_words, name_words
from precis.finding.values import Finding, Level, Row
from precis.language.words import STOP_WORDS

#: How a call is written down (``[calls search {"query": "tea"}]``).
_CALL = re.compile(r"\[calls (?P<tool>[^\s\]{]+)")
_PIECES = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])|[^\W\da-zA-Z_]+")
_SPEAKERS = frozenset("assistant user human ai bot system".split())
_ANSWER, _CALLS, _TOOLS = (
    "it is the answer to a call that is meant",
    "it is the call of what is meant",
    "a tool said it",
)


def with_results(request: Request, rows: Sequence[Row], known: dict[str, Finding]) -> None:
    """Show the answers of calls that are meant, and the calls of answers; what tools said where that is asked for."""
    pairs = [*_pairs(rows)]
    if not pairs or request.keeps:
        return
    asked = _tool_words(request)
    for call, answers, names in pairs:
        named = asked is not None and asked <= names
        if named:
            level = Level.DOUBTFUL if request.bounded or request.unsure else Level.SURE
            for row in (call, *answers):
                _raise(known, row, level, _TOOLS)
        about = {word.low for subject in request.subjects for word in read_words(subject.text)} - STOP_WORDS
        _as_one(call, answers, known, by_name=named or bool(about & names))


def _as_one(call: Row, answers: Sequence[Row], known: dict[str, Finding], *, by_name: bool) -> None:
    """The answers at least as sure as their call, where its tool was named; else neither is surer than in doubt."""
    level = known[call.id].level if call.id in known else Level.NO
    if level is Level.SURE:
        for row in answers:
            _raise(known, row, Level.SURE if by_name else Level.DOUBTFUL, _ANSWER)
        unsure = any(known[row.id].level is not Level.SURE for row in answers)
        if unsure:
            known[call.id] = replace(known[call.id], level=Level.DOUBTFUL)
    elif level is Level.DOUBTFUL:
        for row in answers:
            _raise(known, row, Level.DOUBTFUL, _ANSWER)
    elif any(row.id in known and known[row.id].level is Level.SURE for row in answers):
        _raise(known, call, Level.DOUBTFUL, _CALLS)


def _raise(known: dict[str, Finding], row: Row, level: Level, why: str) -> None:
    before = known.get(row.id)
    if before is None or before.level < level:
        known[row.id] = Finding(id=row.id, level=level, why=why)


def _pairs(rows: Sequence[Row]) -> Iterator[tuple[Row, list[Row], frozenset[str]]]:
    """Each call with what tools answered behind it in its session, and the words of the names of its tools."""
    by_session: dict[str, list[Row]] = {}
    for row in sorted(rows, key=lambda row: (row.created_at, row.id)):
        by_session.setdefault(row.session_id or "", []).append(row)
    for session in by_session.values():
        for at, row in enumerate(session):
            tools = [match["tool"] for match in _CALL.finditer(row.text)]
            if not tools:
                continue
            answers: list[Row] = []
            for behind in session[at + 1 : at + 1 + len(tools)]:
                if not _answers(behind, tools):
                    break
                answers.append(behind)
            yield row, answers, frozenset(piece for tool in tools for piece in _pieces(tool))


def _answers(row: Row, tools: Sequence[str]) -> bool:
    """Whether a row behind a call is what a tool said, and no turn of the talk."""
    if row.speaker is None:
        return row.text.lstrip().startswith(("{", "[")) and not _CALL.search(row.text)
    return row.speaker in tools or folded(row.speaker) == "tool" or folded(row.speaker) not in _SPEAKERS


def _pieces(tool: str) -> frozenset[str]:
    """The words of a tool's name, and the name itself: "bank_balance" is of a bank and a balance."""
    return frozenset({folded(tool)} | {folded(piece) for piece in _PIECES.findall(tool)})


def _tool_words(request: Request) -> frozenset[str] | None:
    """Which tool is meant, by the words beside "tool" and "results"; none where all are; None where tools are not."""
    if not request.subjects or not any_language("tools").search(request.subjects[0].text) or len(request.subjects) > 1:
        return None
    text = any_language("tools").sub(" ", request.subjects[0].text)
    text = any_language("results").sub(" ", text)
    words = re.findall(r"[^\W_][\w-]*", text)
    small = (
        STOP_WORDS | all_words("articles") | all_words("small") | name_words("articles") | name_words("prepositions")
    )
    return frozenset(folded(word) for word in words if folded(word) not in small and len(word) > 2)
