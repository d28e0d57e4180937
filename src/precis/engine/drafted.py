"""What is drafted, what of it is committed, and how a refresh ended: values."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from precis.engine.segments import Node
from precis.makers import Usage
from precis.summary import Counts, Fate, Statement, counts_of, served_of


@dataclass(frozen=True, kw_only=True, slots=True)
class NodeContent:
    """What a node says, and what became of its sources in that, by id; a source without a fate may be left out."""

    statements: tuple[Statement, ...] = ()
    fates: Mapping[str, Fate] = field(default_factory=dict)


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
    #: What became of each source, by id; what is not here may be left out.
    fates: Mapping[str, Fate] = field(default_factory=dict)
    #: Ids of sources that were read in part.
    capped: frozenset[str] = frozenset()
    #: Of a root or a frozen node: how many more sources the standing nodes below it have read in part.
    capped_below: int = 0
    #: Of a root: free prose in place of the statements, which are its companion; and a title.
    prose: str | None = None
    title: str | None = None
    #: Why the draft of the model was rejected for which this one stands in, if one was.
    rejected: str | None = None

    @property
    def content(self) -> NodeContent:
        """What a node above reads of it."""
        return NodeContent(statements=self.statements, fates=self.fates)

    @property
    def capped_count(self) -> int:
        """How many sources were read in part."""
        return len(self.capped) + self.capped_below


@dataclass(frozen=True, kw_only=True, slots=True)
class Drafted:
    """Every node of a plan, drafted and checked."""

    #: The summary.
    root: MadeNode
    #: The nodes below it that were made, children first.
    below: tuple[MadeNode, ...] = ()

    @property
    def usage(self) -> Usage:
        """What all of them took."""
        return total(node.usage for node in (*self.below, self.root))

    @property
    def nodes_made(self) -> int:
        """How many they are."""
        return len(self.below) + 1


class Result(StrEnum):
    """How a refresh ended."""

    COMMITTED = "committed"
    UNCHANGED = "unchanged"
    DROPPED = "dropped"
    #: No source tells anything: there is no summary, and none is missing.
    EMPTY = "empty"
    #: The model gave no draft that passes the checks: what stood stays, or a stand-in takes the empty place.
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


def total(usages: Iterable[Usage]) -> Usage:
    """The sum of what several drafts took."""
    return sum(usages, start=Usage())


def count_sources(root: MadeNode, selected: int, *, served_from: float = 0.0) -> Counts:
    """The counts of a summary from its root node; ``selected`` sources were selected."""
    read = {leaf.id for leaf in root.node.leaves()}
    return counts_of(
        read, served_of(root.statements, served_from), root.fates, unread=max(0, selected - len(read)),
        # A source that was cut here may rest in a statement that was cut below.
        capped=min(len(read), root.capped_count),
    )  # fmt: skip
