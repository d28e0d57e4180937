"""A policy: one frozen value with a field for each step of the engine. The five live in precis/policies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from hashlib import blake2b

from precis.checks import Thresholds
from precis.engine.grouping import Grouping
from precis.engine.segments import Kind, Leaf, Shape
from precis.makers import Aim
from precis.memory import Memory, MemoryType, Tier
from precis.summary import Fate, Statement
from precis.view import View


class Originals(StrEnum):
    """What happens to the sources once a checked summary stands."""

    KEEP = "keep"
    REPLACE = "replace"
    TTL = "ttl"
    DELETE = "delete"


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
#: From so many notes on a summary is worth reading only where it is much shorter than they are.
MANY = 10
#: Tokens of the shortest summary.
SHORTEST = 40


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """A filter over raw memories."""

    memory_types: frozenset[MemoryType] = field(default_factory=lambda: frozenset(MemoryType))
    #: Types that carry nothing worth a summary.
    without: frozenset[str] = frozenset({"smalltalk", "question"})
    #: By ``metadata.kind``: the messages of a conversation are its policy's alone.
    without_kinds: frozenset[str] = frozenset({"turn"})
    #: Tells by its text whether a message of a talk is left out: one that only answers means nothing without what it
    #: answers, and that may be in another group.
    passes_over: Callable[[str], bool] | None = None

    def takes(self, memory: Memory) -> bool:
        """Whether the policy reads this row."""
        return (
            not memory.is_summary
            and memory.memory_type in self.memory_types
            and memory.extracted_type not in self.without
            # A caller may write anything there, also what cannot be looked up in a set.
            and memory.metadata.get("kind") not in list(self.without_kinds)
            and not (self.passes_over and memory.speaker and self.passes_over(memory.text or ""))
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Trigger:
    """By count of changes since the last refresh."""

    #: Below this many members there is no summary (SUMMARY_MIN_CLUSTER_ITEMS).
    min_members: int = 3
    #: How many new members a refresh waits for once a summary stands; losing one never waits.
    refresh_after: int = 1
    #: Groups that refresh by themselves do so at multiples of this since 1970; None: as soon as they are due.
    every: timedelta | None = None

    def tick(self, now: datetime) -> datetime:
        """When a group that changed now is due: all processes mean the same moment."""
        return _EPOCH + ((now - _EPOCH) // self.every + 1) * self.every if self.every is not None else now

    def is_due(self, *, members: int, has_summary: bool, added: int, lost: bool) -> bool:
        """Whether a group with these figures wants a refresh now."""
        if not has_summary:
            return members >= self.min_members and (added > 0 or lost)
        return lost or members < self.min_members or added >= self.refresh_after


@dataclass(frozen=True, kw_only=True, slots=True)
class Budget:
    """Token limits of one call."""

    #: Items of one prompt, instruction excluded.
    prompt_tokens: int = 4000
    #: One item; a longer one keeps its head and tail and is counted as capped.
    item_tokens: int = 1000
    #: Text of the summary itself.
    summary_tokens: int = 250
    #: Text of a segment, as a share of what it reads.
    segment_share: float = 0.22
    #: Text of a node over nodes: what it reads is condensed already, so more of it stays.
    merge_share: float = 0.4
    #: Upper limit of a node's text.
    node_tokens: int = 200

    def for_kind(self, kind: Kind, tokens_read: int, *, sources: int = 1, condensed_from: int | None = None) -> int:  # noqa: ARG002
        """How long a node of this kind over this many tokens may be.

        It stands for so many ``sources``; where some of what it reads are statements of nodes, these have
        ``condensed_from`` tokens. Both are for budgets that are a share.
        """
        if kind is Kind.ROOT:
            return self.summary_tokens
        share = self.segment_share if kind in (Kind.SEGMENT, Kind.FROZEN) else self.merge_share
        return max(SHORTEST, min(self.node_tokens, int(tokens_read * share)))


@dataclass(frozen=True, kw_only=True, slots=True)
class ShareBudget(Budget):
    """A summary is a share of what it reads, unless that is little: a day that is no shorter replaces nothing."""

    #: Under half of the words: who speaks and when is named as well.
    summary_share: float = 0.45
    #: The share where statements are read that were condensed before; None: all the room there is.
    condensed_share: float | None = None
    #: So much of what was condensed before stays, as far as that share goes; and of many notes.
    condensed_tokens: int = 0
    condensed_of_many: int = 0
    #: What is shorter is not made shorter still at the price of a fact; where nothing is said twice, the notes stay.
    short_tokens: int = 120
    #: From so many notes on the share holds, however short they are; None: never.
    many: int | None = MANY

    def for_kind(self, kind: Kind, tokens_read: int, *, sources: int = 1, condensed_from: int | None = None) -> int:
        """How long a node of this kind over this many tokens, or this many notes, may be.

        However often it was condensed on the way, it is no longer than if all of its sources were read at once.
        """
        if kind is not Kind.ROOT:
            return Budget.for_kind(self, kind, tokens_read)
        limit = int(tokens_read * self.summary_share)
        if condensed_from is not None:
            if self.condensed_share is None:
                return self.summary_tokens
            stays = self.condensed_tokens if sources < 2 * MANY else self.condensed_of_many
            whole = max(stays, int(condensed_from * self.summary_share))
            limit = min(int(tokens_read * self.condensed_share), whole)
        least = self.short_tokens if self.many is None or sources < self.many else SHORTEST
        return min(self.summary_tokens, max(least, limit))


@dataclass(frozen=True, kw_only=True, slots=True)
class Instruction:
    """The prompts of a policy, by their text: a changed word is a changed definition."""

    #: For the summary itself.
    summary: str
    #: For a segment of sources.
    segment: str
    #: For a node over nodes.
    merge: str
    aim: Aim = Aim.AUTO
    #: Overrides the configured model.
    model: str | None = None
    #: The summary is free prose, with its statements as companion.
    prose: bool = False
    #: The prompt of a title, where the summary has one; and its model, where that is another.
    title: str | None = None
    title_model: str | None = None

    def for_kind(self, kind: Kind) -> str:
        """The prompt of a node of this kind."""
        if kind is Kind.ROOT:
            return self.summary
        return self.segment if kind in (Kind.SEGMENT, Kind.FROZEN) else self.merge


@dataclass(frozen=True, kw_only=True, slots=True)
class Policy:
    """How one kind of summary is made, step by step."""

    name: str
    tier: Tier
    trigger: Trigger
    select: Selection
    group: Grouping = field(default_factory=Grouping)
    shape: Shape = field(default_factory=Shape)
    budget: Budget
    summarize: Instruction
    checks: Thresholds = field(default_factory=Thresholds)
    originals: Originals = Originals.KEEP
    #: The groups that follow a rule; None where rows join by nearness, or only when a pass puts them there.
    place: Placer | None = None
    #: Messages join its groups by that rule in the turn that writes them.
    reads_turns: bool = False
    #: Statements less important than this are kept and not served.
    served_from: float = 0.0
    #: A summary has a title of noun phrases of its statements, without asking a model.
    named: bool = False
    #: What is so now comes first in the summary, the rest by time.
    now_first: bool = False
    #: How an assistant is to work from now on comes first in it, the rest by time.
    orders_first: bool = False
    #: Its groups are kept up, and refreshed on request only.
    paused: bool = False
    #: A source that no prompt holds is read in parts; else it is capped, and counted as capped.
    splits: bool = False
    #: Where no source tells anything, nothing is made of them; else a draft decides.
    skips_small_talk: bool = False
    #: What a summary says where no source tells anything; without it there is no summary then. With it, a draft made
    #: offline is kept as far as it passes: it would be the same at each try, and what it was to sum up only grows.
    of_nothing: Callable[[Sequence[Leaf], Mapping[str, Fate]], Statement] | None = None

    def places_of(self, memory: Memory, placing: Placing) -> Sequence[Place]:
        """The groups that a memory belongs to by the policy's rule; none where the policy does not read it."""
        nothing_declared = self.tier is Tier.VIEW and not placing.views
        if self.place is None or nothing_declared or not self.select.takes(memory):
            return ()
        return self.place(memory, placing)

    def for_view(self, view: View | None) -> Policy:
        """The policy with a view's own prompt and model."""
        if view is None or (view.prompt is None and view.model is None):
            return self
        instruction = replace(
            self.summarize,
            summary=view.prompt or self.summarize.summary,
            model=view.model or self.summarize.model,
            prose=view.prompt is not None,
        )
        return replace(self, summarize=instruction)


def definition(policy: Policy, made_by: str) -> str:
    """The hash of everything that shapes a draft besides its sources: prompts, limits, model."""
    parts = (policy.name, policy.summarize, policy.budget, policy.shape, policy.checks, made_by)
    return blake2b(repr(parts).encode(), digest_size=8).hexdigest()


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """One group that a memory is a member of."""

    policy: str
    #: Unique within the policy and the scope.
    name: str
    #: Whose data key seals what is derived; empty for several users, whose texts lie under a key of the tenant.
    user_id: str
    project_id: str = ""
    environment: str = ""
    #: First and last local day of a period.
    starts_on: date | None = None
    ends_on: date | None = None
    #: The values that name a view's partition.
    labels: Mapping[str, str] | None = None
    view_id: str | None = None
    #: When this member makes the group want a refresh; None: on request only.
    due_at: datetime | None = None
    #: When the memory leaves the group by itself.
    leaves_at: datetime | None = None
    #: Policy and name of the group, in the same scope, that reads this one's summary: the month of a week.
    part_of: tuple[str, str] | None = None

    @property
    def group_id(self) -> str:
        """The same place is the same group."""
        return self._id(self.policy, self.name)

    @property
    def whole_id(self) -> str | None:
        """The group this one is a part of."""
        return self._id(*self.part_of) if self.part_of else None

    def _id(self, policy: str, name: str) -> str:
        parts = (policy, self.user_id, self.project_id, self.environment, name)
        return blake2b("\x1f".join(parts).encode(), digest_size=16, person=b"precis-place").hexdigest()


@dataclass(frozen=True, kw_only=True, slots=True)
class Placing:
    """What placing needs besides the memory; read in the writer's transaction."""

    now: datetime
    #: IANA names by user id; the tenant's own under the empty name.
    zones: Mapping[str, str] = field(default_factory=dict)
    views: tuple[View, ...] = ()


#: The groups of one policy that a memory belongs to.
Placer = Callable[[Memory, Placing], Sequence[Place]]
