"""What a finished draft hands to the store, and what the store answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from precis.engine.ports import Usage
from precis.engine.segments import Node
from precis.lineage import Statement
from precis.summary import served_of


@dataclass(frozen=True, kw_only=True, slots=True)
class Counts:
    """Law 7: every selected source is one of these."""

    #: Selected, and in the input of a node of the tree.
    read: int = 0
    #: In the lineage of a served statement.
    represented: int = 0
    #: Read, but no served statement rests on it.
    set_aside: int = 0
    #: Selected and not read.
    left_out: int = 0
    #: Read in part: longer than one item may be. Counted in one of the others as well.
    capped: int = 0

    @property
    def total(self) -> int:
        """How many sources were selected."""
        return self.read + self.left_out


@dataclass(frozen=True, kw_only=True, slots=True)
class MadeNode:
    """A drafted and checked node, ready to be committed."""

    node: Node
    statements: tuple[Statement, ...]
    definition: str
    made_by: str
    fallback: bool
    #: Score of the checks, 0..1.
    quality: float
    #: Tokens of the statements.
    tokens: int
    usage: Usage
    #: Ids of sources that were read in part.
    capped: frozenset[str] = frozenset()
    #: Of a root or a frozen node: how many more the standing nodes read in part whose words it goes by.
    capped_below: int = 0
    #: Of a root: free prose in place of the statements, which are its companion; and a title.
    prose: str | None = None
    title: str | None = None

    @property
    def capped_count(self) -> int:
        """How many sources were read in part."""
        return len(self.capped) + self.capped_below


class Result(StrEnum):
    """How a refresh ended."""

    COMMITTED = "committed"
    UNCHANGED = "unchanged"
    DROPPED = "dropped"
    #: The draft did not pass the checks; what stood stays.
    REJECTED = "rejected"
    #: A source changed or left while the draft was made; what stood stays and the group is still stale.
    DISCARDED = "discarded"
    FAILED = "failed"
    #: Somebody else holds the lease.
    BUSY = "busy"


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What one refresh did."""

    group_id: str
    result: Result
    reason: str = ""
    summary_id: str | None = None
    usage: Usage = Usage()  # noqa: RUF009 - frozen
    nodes_made: int = 0


def count_sources(root: MadeNode, total: int, *, served_from: float = 0.0) -> Counts:
    """The counts of a summary from its root node."""
    read = {leaf.id for leaf in root.node.leaves()}
    cited = {id_ for s in served_of(root.statements, served_from) for id_ in s.source_ids}
    represented = len(read & cited)
    return Counts(
        read=len(read),
        represented=represented,
        set_aside=len(read) - represented,
        left_out=max(0, total - len(read)),
        # A source that was cut here may rest in a statement that was cut below.
        capped=min(len(read), root.capped_count),
    )
