"""What may be quoted in place of a statement, and equal statements as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from precis.checks.fates import unsaid
from precis.checks.gate import check
from precis.language.dating.resolving import dated
from precis.language.sentences import sentences
from precis.language.words import normal
from precis.lineage import Statement, flatten
from precis.makers import Draft, DraftStatement, Item, TokenCounter


def quotes(
    items: Sequence[Item], statements: Sequence[Statement], *, room: int, count: TokenCounter
) -> list[DraftStatement]:
    """Each item's sentences that have no fate in these statements, as far as ``room`` tokens go: what matters first.

    Oldest first in the answer. What the checks refuse, as an order to a model, is not quoted.
    """
    open_ = {at: parts for at, parts in enumerate(unsaid(items, statements)) if parts}
    drafts = [_quote(items[at], parts, at) for at, parts in open_.items()]
    verdicts = check(Draft(statements=tuple(drafts), made_by=""), items).verdicts if drafts else ()
    order = sorted(range(len(verdicts)), key=lambda place: (-drafts[place].importance, place))
    quoted = set()
    for place in order:
        size = count(drafts[place].text)
        if verdicts[place].kept and size <= room:
            room -= size
            quoted.add(place)
    return [drafts[place] for place in sorted(quoted)]


def quote_of(item: Item) -> str:
    """The whole item as a statement: who speaks, and the calendar date behind a relative one."""
    return _rendered(item, [item.text])


def _quote(item: Item, parts: Sequence[str], at: int) -> DraftStatement:
    return DraftStatement(text=_rendered(item, parts), importance=item.importance, sources=(at,))


def _rendered(item: Item, parts: Sequence[str]) -> str:
    text = " ".join(" ".join(parts).split())
    if item.derived:
        return text
    lead = f"{item.speaker}: " if item.speaker else ""
    return lead + dated(text, item.day)


#: Signs at the end and the beginning of a statement that say nothing. A question mark does.
_EDGES = ' .!;,\u2026\u3002"\u201c\u201d\u00ab\u00bb*'


def united(draft: Draft) -> Draft:
    """The draft with each sentence of a statement once, and equal statements as one that rests on all their sources."""
    kept: dict[str, DraftStatement] = {}
    for statement in draft.statements:
        text = once(statement.text)
        key = alike(text) or text
        first = kept.get(key)
        kept[key] = (
            replace(statement, text=text)
            if first is None
            else replace(
                first,
                importance=max(first.importance, statement.importance),
                sources=tuple(dict.fromkeys((*first.sources, *statement.sources))),
            )
        )
    return replace(draft, statements=tuple(kept.values()))


def once(text: str) -> str:
    """The text with each of its sentences once; as it was where none comes twice."""
    parts = sentences(text)
    kept = {alike(part) or part: part for part in reversed(parts)}
    return text if len(kept) == len(parts) else " ".join(reversed(kept.values()))


def united_statements(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """The same of statements that rest on base memories; displaced ones stay where they are."""
    place: dict[str, int] = {}
    kept: list[Statement] = []
    moved: dict[int, int] = {}
    for at, statement in enumerate(statements):
        key = alike(statement.text)
        first = place.get(key) if statement.superseded_by is None and key else None
        if first is None:
            moved[at] = len(kept)
            kept.append(statement)
            if statement.superseded_by is None and key:
                place[key] = moved[at]
            continue
        moved[at] = first
        older = kept[first]
        kept[first] = replace(
            older,
            importance=max(older.importance, statement.importance),
            source_ids=flatten([older.source_ids, statement.source_ids]),
        )
    return tuple(replace(s, superseded_by=None if s.superseded_by is None else moved[s.superseded_by]) for s in kept)


def alike(text: str) -> str:
    """What two spellings of one statement share: all but case, space, quotation marks and the full stop."""
    return " ".join(normal(text).casefold().split()).strip(_EDGES)
