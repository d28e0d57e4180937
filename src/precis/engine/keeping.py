"""What must stand of originals before they may go: all that they say, in as few words as a check lets pass. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from precis.checks.fates import Told, fates, unsaid
from precis.checks.quoting import quote_of, quotes
from precis.checks.repeats import united_statements
from precis.language.orders import is_order
from precis.lineage import Fate, Statement
from precis.makers import Item, TokenCounter

#: Of the tokens of originals, how many may say them once they are gone: what saves nothing replaces nothing.
ROOM = 0.9


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """What stands of some originals."""

    #: What is served, then what comes back when that is withdrawn.
    statements: tuple[Statement, ...]
    #: Of those originals that may go, by id.
    fates: Mapping[str, Fate]


def keeping(items: Sequence[Item], statements: Sequence[Statement], *, room: int, count: TokenCounter) -> Kept:
    """What to keep of these originals, given the statements of their summary, in at most ``room`` tokens.

    A statement is taken over where it rests on nothing but originals that may go with it; what is unsaid is quoted. An
    original with a sentence that is not said even then does not go.
    """
    own = [replace(one, superseded_by=None) for one in statements if one.superseded_by is None]
    going = {item.source_ids[0] for item in items}
    while True:
        own = [one for one in own if going.issuperset(one.source_ids)]
        told_by = completed(items, own, room=room, count=count)
        found = fates(items, told_by)
        left = {item.source_ids[0] for item, told in zip(items, found, strict=True) if told is None}
        if all(left.isdisjoint(one.source_ids) for one in told_by):
            break
        # What a statement says of one that stays leaves with that one: the others need words of their own.
        own = [one for one in own if left.isdisjoint(one.source_ids)]
        going -= left
        items = [item for item in items if item.source_ids[0] not in left]
    pairs = [(item, told) for item, told in zip(items, found, strict=True) if told is not None]
    return Kept(
        statements=(*told_by, *_beneath(pairs, told_by)),
        fates={item.source_ids[0]: told.fate for item, told in pairs},
    )


def completed(
    items: Sequence[Item], statements: Sequence[Statement], *, room: int, count: TokenCounter
) -> tuple[Statement, ...]:
    """The statements with quotes of what they leave out, oldest first, as far as ``room`` tokens go.

    An original of which a part is said is quoted whole, in place of the statements that rest on it alone, so that
    nothing is said twice; where there is no room for it, those stay.
    """
    partly = {item.source_ids[0] for item, left in zip(items, unsaid(items, statements), strict=True) if left}
    whole = [one for one in statements if not partly.issuperset(one.source_ids) or len(one.source_ids) > 1]
    spent = sum(count(one.text) for one in whole)
    more = quotes(items, whole, room=room - spent, count=count)
    quoted = {items[one.sources[0]].source_ids[0] for one in more}
    kept = [one for one in statements if one in whole or quoted.isdisjoint(one.source_ids)]
    dates = {item.source_ids[0]: item.created_at for item in items}
    every = [*kept, *(_statement(items, one.sources[0], one.text) for one in more)]
    return united_statements(sorted(every, key=lambda one: max(dates[id_] for id_ in one.source_ids)))


def _statement(items: Sequence[Item], at: int, text: str) -> Statement:
    return Statement(text=text, importance=items[at].importance, source_ids=items[at].source_ids)


def _beneath(pairs: Sequence[tuple[Item, Told]], statements: Sequence[Statement]) -> list[Statement]:
    """Quotes that are kept unserved: of whom only a statement speaks that goes when another original is forgotten."""
    return [
        Statement(text=quote_of(item), importance=item.importance, source_ids=item.source_ids, superseded_by=shared)
        for item, told in pairs
        if (shared := _shared(item.source_ids, told, statements)) is not None and not is_order(item.text)
    ]


def _shared(ids: Collection[str], told: Told, statements: Sequence[Statement]) -> int | None:
    """The first statement an original goes by that rests on others, too."""
    return next((at for at in told.every if not set(statements[at].source_ids) <= set(ids)), None)
