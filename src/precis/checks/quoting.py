"""What may be quoted in place of a statement."""

from __future__ import annotations

from collections.abc import Sequence

from precis.checks.fates import unsaid
from precis.checks.gate import check
from precis.language.dating.resolving import dated
from precis.makers import Draft, DraftStatement, Item, TokenCounter
from precis.summary import Statement


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
