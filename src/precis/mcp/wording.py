"""Answers as a model reads them, short lines with the ids that the next call takes; and how a conversation tells them.

What precis's own memory tools write or show is stored as memories. A copy of it among the messages would be recalled
before the memory itself, and would be left when the memory is forgotten.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from precis.app.in_words.answers import Confirmed, Meant, Preview
from precis.app.recall import Recalled, is_unsure
from precis.app.summaries import Planned
from precis.engine.forgetting import Receipt
from precis.memory import Memory
from precis.recall.headings import UNSURE, Headings
from precis.store.changes.writing import Added
from precis.store.filtering import Page
from precis.store.forgotten.scan import EVERY_COLUMN, Looked
from precis.summary import Summary
from precis.trust import RELAYED, SourceClass

#: Characters of a text that is shown among others.
_SHOWN = 500
# No longer than an id may be: a long answer of somebody else is looked at in a moment.
_ROW = r"\[[^\n]{1,512}?\] "
_DATED = rf"{_ROW}\d{{4}}-\d\d-\d\d "
_NOTHING = r"Nothing relevant is remembered\."
_UNSURE = "|".join(re.escape(headings.unsure) for headings in Headings.every())
_PART = "|".join(re.escape(title) for headings in Headings.every() for title in headings.titles.values())
_HEADING = r"[^\n]*\(\d+ memories(?:, stale)?\)"
#: How each tool begins what it answers, as far as memories are in the call or in the answer. An error is none of these.
_ANSWERS: Mapping[str, re.Pattern[str]] = {name: re.compile(shape) for name, shape in {
    "recall": rf"{_NOTHING}\Z|(?:{re.escape(UNSURE)}\n)?{_DATED}(?s:.*) \(relevance \d+\.\d\d\)(?: \(see [^\n]*\))?\Z",
    "context": rf"{_NOTHING}\Z|(?:(?:{_UNSURE})\n)?(?:{_PART})\n"
    r"(?:(?:\d{4}\n[^\n]{0,80}\d[^\n]{0,80}|\d{4}-\d\d-\d\d|[^\n]+:)\n)?\[\d+\] ",
    "list_summaries": rf"There are no summaries yet\.\Z|{_ROW}{_HEADING}: ",
    "get_summary": rf"{_HEADING}(?:\n0\. |\Z)",
    "plan": r"Every summary is current: |\d+ to refresh: \d+ calls, ",
    "verify_forgotten": r"Nothing of the words in \d+ places\.|The words still stand here:\n- ",
    "remember": rf"Remembered as [^\s]+\.(?:\Z|\n(?:It replaces|Newer): {_DATED})|This is remembered already: {_DATED}",
    "correct": rf"\d+ statements? rested on the old words, and went\. It says now: {_DATED}|Withdrawn: \d+ statement",
    "forget": r"Forgotten: \d+ memor(?:y|ies); receipt |These would go, and every statement that rests on them\. Ask "
    r"|(?s:.*)Nothing is forgotten yet\. Ask the user, then call forget with preview_id [^\n]{0,200}\Z",
}.items()}  # fmt: skip
#: A tool's name as hosts show it: bare, behind the name of a server and a mark, or behind precis's own.
_NAME = re.compile(rf"(?:.*(?:__|[.:/])|(?:mcp[_-])?precis[_-])?({'|'.join(_ANSWERS)})")


def is_answer(tool: str, text: str) -> bool:
    """Whether a tool of precis answered this: it has the name of one, as hosts show it, and the answer its shape.

    Neither alone says so: others have tools called recall, too.
    """
    named = _NAME.fullmatch(tool)
    return named is not None and _ANSWERS[named[1]].match(text.strip()) is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class Calling:
    """What one message asks of tools, and what it brings from them."""

    #: Names of tools by the ids of their calls.
    asks: Mapping[str, str] = field(default_factory=dict)
    #: Texts by the ids of the calls; None where the tool itself says that it is precis's.
    answers: Mapping[str, str | None] = field(default_factory=dict)


def own_calls(messages: Sequence[Calling]) -> list[frozenset[str]]:
    """For each message the ids of the calls in it that precis's tools have answered, asked there or answered there.

    A call without an answer is anybody's, and so is one that was refused. Ids may come again in later turns.
    """
    own: list[set[str]] = [set() for _ in messages]
    waiting: dict[str, tuple[int, str]] = {}
    for place, message in enumerate(messages):
        for id_, answer in message.answers.items():
            at, name = waiting.pop(id_, (place, ""))
            if at != place and (answer is None or is_answer(name, answer)):
                own[at].add(id_)
                own[place].add(id_)
        waiting |= {id_: (place, name) for id_, name in message.asks.items()}
    return [frozenset(ids) for ids in own]


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number of things: 1 statement, 2 statements."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def told_at(row: Memory | Meant) -> datetime:
    """When what it tells was, as far as its writer said so; else when it was written."""
    return row.event_date or row.created_at


def _day(row: Memory | Meant) -> str:
    return told_at(row).date().isoformat()


def _short(text: str | None, most: int = _SHOWN) -> str:
    """On one line, so that no text can look like the next entry."""
    line = " ".join((text or "(expired: only summaries tell of it)").split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def memory_line(memory: Memory, *, timed: bool = False) -> str:
    """One memory: its id, its day (and its time), who said it, what; and what has replaced it.

    Both are those of the zone that ``created_at`` is in: where its user lives, or UTC.
    """
    speaker = f"{memory.speaker}: " if memory.speaker else ""
    at = f"{_day(memory)}{f' {told_at(memory):%H:%M}' if timed else ''}"
    replaced = f" (replaced by {', '.join(f'[{id_}]' for id_ in memory.superseded_by)})" if memory.superseded_by else ""
    return f"[{memory.id}] {at} {_relayed(memory.source_class)}{speaker}{_short(memory.text)}{replaced}"


def remembered(memory: Added, others: Mapping[str, Memory]) -> str:
    """What became of a fact: its id, what it replaces, and what newer one stands instead of it."""
    lines = [f"Remembered as {memory.id}."]
    for label, ids in (("It replaces", memory.supersedes), ("Newer", memory.superseded_by)):
        lines += [f"{label}: {memory_line(replace(others[id_], superseded_by=()))}" for id_ in ids if id_ in others]
    return "\n".join(lines)


def _relayed(source_class: SourceClass) -> str:
    """What came from outside is not to be taken for what the user said."""
    return f"(from a {source_class}) " if source_class in RELAYED else ""


def recalled(results: Sequence[Recalled]) -> str:
    """Rows of recall, best first; of two of one day the time as well, since one may say what became of the other."""
    if not results:
        return "Nothing relevant is remembered."
    days = Counter(_day(result.at_home) for result in results if not result.memory.is_summary)
    return "\n".join([*([UNSURE] if is_unsure(results) else []), *(_recalled(result, days) for result in results)])


def _recalled(result: Recalled, days: Counter[str]) -> str:
    memory = result.at_home
    kind = f" (summary of {len(result.source_ids)} memories)" if memory.is_summary else ""
    line = memory_line(memory, timed=not memory.is_summary and days[_day(memory)] > 1)
    later = f" (see [{result.later}]: newer, and likely says what became of it)" if result.later else ""
    return f"{line}{kind} (relevance {result.relevance.value:.2f}){later}"


def summary_list(page: Page[Summary]) -> str:
    """A page of summaries."""
    if not page.rows:
        return "There are no summaries yet."
    lines = [f"[{row.id}] {_heading(row)}: {_short(row.text, 160)}" for row in page.rows]
    more = [f"More: call again with cursor {page.next_cursor}"] if page.next_cursor else []
    return "\n".join([*lines, *more])


def _heading(summary: Summary) -> str:
    name = summary.title or summary.extracted_key or summary.tier.value
    span = f", {summary.starts_on} to {summary.ends_on}" if summary.starts_on and summary.ends_on else ""
    state = ", stale" if summary.stale else ""
    return f"{name}{span} ({len(summary.leaf_source_ids)} memories{state})"


def whole_summary(summary: Summary, sources: Mapping[str, Memory]) -> str:
    """A summary, statement by statement, and the memories that each rests on."""
    lines = [_heading(summary)]
    for number, statement in enumerate(summary.statements):
        lines.append(f"{number}. {_relayed(statement.source_class)}{statement.text.strip()}")
        lines += [f"   rests on {memory_line(sources[id_])}" for id_ in statement.source_ids if id_ in sources]
    return "\n".join(lines)


def planned(plans: Iterable[Planned]) -> str:
    """What is stale, and what a refresh takes."""
    waiting = [each for each in plans if each.plan.steps]
    if not waiting:
        return "Every summary is current: a refresh would make no call and cost nothing."
    calls = sum(each.estimate.calls for each in waiting)
    tokens = sum(each.estimate.tokens_in + each.estimate.tokens_out for each in waiting)
    cost = sum(each.estimate.cost for each in waiting)
    lines = [f"- {each.policy}: {len(each.plan.steps)} drafts, {each.plan.reason}" for each in waiting]
    return "\n".join([f"{len(waiting)} to refresh: {calls} calls, {tokens} tokens, ${cost:.4f}", *lines])


def preview_text(preview: Preview) -> str:
    """What a request in words would forget, what is in doubt, and what stays."""
    parts = [
        ("These would go:", preview.forget),
        ("In doubt; they stay unless they are in also, or include_doubtful is given:", preview.doubtful),
        ("These stay, although they are near:", preview.near),
    ]
    lines = [line for heading, rows in parts if rows for line in (heading, *map(_meant, rows))]
    if preview.more_doubtful:
        lines.append(f"{preview.more_doubtful} more are in doubt, less likely meant, and stay: ask more narrowly.")
    count = sum(len(leaving.statements) for leaving in preview.summaries)
    if count:
        lines.append(f"With them {counted(count, 'statement')} leave summaries.")
    if not (preview.forget or preview.doubtful):
        lines.append("Nothing is meant for sure or in doubt, and nothing is forgotten. Ask the user in other words.")
        return "\n".join(lines)
    doubtful = "" if preview.forget or not preview.doubtful else " and also or include_doubtful: nothing of it is sure"
    lines.append(
        f"Nothing is forgotten yet. Ask the user, then call forget with preview_id {preview.preview_id}{doubtful}."
    )
    return "\n".join(lines)


def _meant(row: Meant) -> str:
    keeps = f"; this stays of it: {_short(row.keeps)}" if row.keeps else ""
    return f"- [{row.id}] {_day(row)} {_short(row.text)} ({row.why}{keeps})"


def receipt_text(receipt: Receipt) -> str:
    """What a forget did, without a word of what was forgotten."""
    parts = [f"Forgotten: {counted(len(receipt.forgotten), 'memory', 'memories')}; receipt {receipt.id}."]
    if isinstance(receipt, Confirmed) and receipt.edited:
        parts.append(f"{counted(len(receipt.edited), 'memory', 'memories')} lost a part.")
    if isinstance(receipt, Confirmed) and receipt.changed:
        parts.append(f"{len(receipt.changed)} were changed since they were shown, and stay.")
    if receipt.summaries:
        places = counted(len(receipt.summaries), "summary", "summaries")
        parts.append(f"{counted(receipt.statements_removed, 'statement')} left {places}.")
    pending = [place.where for place in receipt.external if place.state == "pending"]
    if pending:
        parts.append(f"Still pending in {', '.join(pending)}.")
    return " ".join(parts)


def verified(looked: Sequence[Looked], still: Sequence[str]) -> str:
    """Where which of the words still stand."""
    places = [place for place in looked if place.hits]
    if not places:
        notes: dict[str, list[str]] = {}
        for place in looked:
            if not place.read and place.note:
                notes.setdefault(place.note, []).append(place.where.removesuffix(EVERY_COLUMN))
        unread = "".join(f" Not looked at, as {note}: {', '.join(where)}." for note, where in notes.items())
        return f"Nothing of the words in {len(looked)} places.{unread}"
    rows = (f"- {place.where}: {counted(place.hits, 'row')}" for place in places)
    return "\n".join(["The words still stand here:", *rows, f"These do: {', '.join(map(_short, still))}."])
