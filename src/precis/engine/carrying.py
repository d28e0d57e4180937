"""A summary that lets originals go says all that its frozen nodes serve: nothing else speaks for what is gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from precis.checks.fates import Told, fates
from precis.checks.repeats import united_statements
from precis.engine.commit import MadeNode
from precis.engine.fates import Below, node_fates
from precis.engine.segments import Kind, Node, node
from precis.engine.summarization import items_of_node, tokens_of
from precis.lineage import Fate, Statement
from precis.makers import Item, TokenCounter


@dataclass(frozen=True, kw_only=True, slots=True)
class Frozen:
    """A frozen node as it stands."""

    node: Node
    statements: tuple[Statement, ...]
    fates: Mapping[str, Fate]


def carried(
    root: MadeNode, frozen: Sequence[Frozen], *, read: Sequence[Item], below: Below, count: TokenCounter
) -> MadeNode:
    """The summary with what it does not say of its frozen nodes, word for word, and oldest first.

    ``read`` are the items it was drafted from, ``below`` the fates in the nodes it reads. What a newer statement
    overrules is kept beneath that, unserved. The fates of what is frozen go by the frozen nodes, whatever nodes lie in
    between. The limit of the policy binds what is drafted, not what is carried.
    """
    if not frozen:
        return root
    items = [item for one in frozen for item in items_of_node(one.node, one.statements)]
    told = fates(items, root.statements)
    missing = [
        _statement(item, by) for item, by in zip(items, told, strict=True) if not _is_said(item, by, root.statements)
    ]
    statements = united_statements((*root.statements, *missing))
    if missing:
        statements = _by_age(statements, {leaf.id: leaf.created_at for leaf in root.node.leaves()})
    own = node_fates(
        node(Kind.ROOT, [one.node for one in frozen]), items, statements, {one.node.key: one.fates for one in frozen}
    )
    kept = {leaf.id for one in frozen for leaf in one.node.leaves()}
    drafted = node_fates(root.node, read, statements, below) if read else root.fates
    others = {id_: fate for id_, fate in drafted.items() if id_ not in kept}
    return replace(root, statements=statements, fates=others | own, tokens=tokens_of(statements, count))


def _is_said(item: Item, told: Told | None, statements: Sequence[Statement]) -> bool:
    """Whether the summary says a statement of a frozen node, on all that it rests on."""
    if told is None or told.by is None or told.fate is not Fate.SAID:
        return False
    return set(item.source_ids) <= set(statements[told.by].source_ids)


def _statement(item: Item, told: Told | None) -> Statement:
    newer = told.by if told is not None and told.fate is Fate.OVERRULED else None
    return Statement(text=item.text, importance=item.importance, source_ids=item.source_ids, superseded_by=newer)


def _by_age(statements: Sequence[Statement], dates: Mapping[str, datetime]) -> tuple[Statement, ...]:
    """Oldest first, by the newest source of each."""
    newest = max(dates.values(), default=None)

    def age(at: int) -> tuple[datetime | None, int]:
        return max((dates[id_] for id_ in statements[at].source_ids if id_ in dates), default=newest), at

    order = sorted(range(len(statements)), key=age)
    place = {old: new for new, old in enumerate(order)}
    moved = (statements[at] for at in order)
    return tuple(
        replace(one, superseded_by=None if one.superseded_by is None else place[one.superseded_by]) for one in moved
    )
