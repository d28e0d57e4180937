"""What became of every source of a node, through what the nodes below it say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from precis.checks.fates import Told, fates
from precis.engine.segments import Leaf, Node
from precis.lineage import Fate, Statement
from precis.makers import Item

#: The fates of the sources of nodes, by key.
Below = Mapping[bytes, Mapping[str, Fate]]


def node_fates(
    node: Node, items: Sequence[Item], statements: Sequence[Statement], below: Below | None = None
) -> dict[str, Fate]:
    """The fate of each source, by id, in what a node serves; a source without one may be left out.

    ``items`` is everything the node reads, uncut; ``below`` has the fates in the nodes it reads.
    """
    told = fates(items, statements)
    own = {item.source_ids[0]: one for item, one in zip(items, told, strict=True) if not item.derived}
    resting: dict[str, list[Told | None]] = defaultdict(list)
    for item, one in zip(items, told, strict=True):
        if item.derived:
            for id_ in item.source_ids:
                resting[id_].append(one)
    every = all(one is not None for item, one in zip(items, told, strict=True) if item.derived)
    found: dict[str, Fate] = {}
    for child in node.children:
        if isinstance(child, Leaf):
            one = own.get(child.id)
            fate = one.fate if one is not None else None
            found |= {child.id: fate} if fate is not None else {}
            continue
        lower = (below or {}).get(child.key, {})
        for leaf in child.leaves():
            fate = _through(lower.get(leaf.id), resting[leaf.id], every=every)
            found |= {leaf.id: fate} if fate is not None else {}
    return found


def _through(lower: Fate | None, resting: Sequence[Told | None], *, every: bool) -> Fate | None:
    """The fate of a source above a node in which it has one; ``every`` statement below is told here, or not."""
    if lower in (None, Fate.SMALL_TALK, Fate.QUESTION):
        return lower
    if lower is not Fate.SAID:
        # It goes by some statement below, and nobody knows by which.
        return lower if every else None
    told = [one.fate for one in resting if one is not None]
    if not resting or len(told) < len(resting):
        return None
    return Fate.SAID if Fate.SAID in told else told[0]
