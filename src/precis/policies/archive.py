"""Archive: old memories in batches, each made into one summary that is kept; the originals retire."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import blake2b

from precis.engine.policy import Budget, Instruction, Originals, Policy, Selection, Trigger
from precis.engine.segments import Shape
from precis.memory import OldMemory, Tier
from precis.prompts import load

#: Opens a summary in a pool that keeps no metadata. Ours is a setting; the one of the document is always recognized.
MARKER = "[HomeClaw summary] "
#: As much as a usual batch has: one prompt, one call.
_WHOLE = 6_000


#: What is younger is never summarized, whatever the settings say.
_LAST_DAY = timedelta(days=1)


class Schedule(StrEnum):
    """How the next run is reckoned from this one."""

    DAILY = "daily"
    WEEKLY = "weekly"
    #: Every ``interval_days``.
    NEXT_RUN = "next_run"


class GroupBy(StrEnum):
    """Whose memories share a batch."""

    USER = "user"
    AGENT = "agent"
    RUN = "run"


@dataclass(frozen=True, kw_only=True, slots=True)
class Archive:
    """What can be set; the defaults are the document's."""

    enabled: bool = False
    schedule: Schedule = Schedule.DAILY
    #: Days between two runs of ``daily`` and ``next_run``.
    interval_days: int = 1
    #: With ``ttl``: an original that is older and covered by a summary goes.
    keep_original_days: int = 365
    #: Younger memories are left alone.
    min_age_days: int = 7
    max_memories_per_batch: int = 50
    #: So many new memories of a user begin a pass for that user, besides the timetable; 0: they do not.
    after_memories: int = 50
    originals: Originals = Originals.TTL
    group_by: GroupBy = GroupBy.USER
    marker: str = MARKER

    def archived_before(self, now: datetime) -> datetime:
        """Memories from before this moment are old enough for a batch; the last day never is."""
        return now - max(_LAST_DAY, timedelta(days=self.min_age_days))

    def retired_before(self, now: datetime) -> datetime | None:
        """Originals from before this moment go once a summary covers them; None: none go."""
        if self.originals is Originals.KEEP:
            return None
        return now if self.originals is Originals.DELETE else now - timedelta(days=self.keep_original_days)

    def next_run(self, now: datetime) -> datetime:
        """When the run after one that ended now is due.

        Reckoned from now and not from when it was due: what was missed is made up once, not once a day missed.
        """
        return now + timedelta(days=7 if self.schedule is Schedule.WEEKLY else max(1, self.interval_days))

    def marks(self, text: str) -> bool:
        """Whether a text says of itself that it is a summary."""
        return text.startswith((MARKER, self.marker)) if self.marker else text.startswith(MARKER)


@dataclass(frozen=True, kw_only=True, slots=True)
class Batch:
    """Memories that become one summary, oldest first."""

    members: tuple[OldMemory, ...]

    @property
    def id(self) -> str:
        """The same members are the same batch, however often it is planned."""
        digest = blake2b(digest_size=12, person=b"precis-batch")
        for member in self.members:
            digest.update(member.id.encode() + b"\0")
        return f"{self.members[0].created_at:%Y-%m-%d}-{digest.hexdigest()}"

    @property
    def user_id(self) -> str:
        """Whose memories they are."""
        return self.members[0].user_id

    @property
    def tokens(self) -> int:
        """Of their texts."""
        return sum(member.tokens for member in self.members)

    @property
    def until(self) -> datetime:
        """``summarized_until``: when the newest of them was made."""
        return self.members[-1].created_at

    @property
    def agent_id(self) -> str | None:
        """The agent they all came from; None when several did."""
        return shared(member.agent_id for member in self.members)

    @property
    def run_id(self) -> str | None:
        """The run they all came from; None when several did."""
        return shared(member.run_id for member in self.members)


def shared(values: Iterable[str | None]) -> str | None:
    """The value that all have; None when they differ."""
    distinct = set(values)
    return distinct.pop() if len(distinct) == 1 else None


def batches(backlog: Iterable[OldMemory], settings: Archive) -> list[Batch]:
    """The whole backlog in batches: per user, project, environment and namespace, oldest first; oldest batch first."""
    scopes: dict[tuple[str | None, ...], list[OldMemory]] = defaultdict(list)
    for memory in sorted(backlog, key=lambda memory: memory.order):
        scopes[_scope(memory, settings.group_by)].append(memory)
    cut = [batch for members in scopes.values() for batch in _cut(members, settings.max_memories_per_batch)]
    return sorted(cut, key=lambda batch: (batch.members[0].created_at, batch.id))


def _scope(memory: OldMemory, by: GroupBy) -> tuple[str | None, ...]:
    scope = (memory.user_id, memory.project_id, memory.environment, memory.namespace or "")
    if by is GroupBy.USER:
        return scope
    return (*scope, memory.agent_id) if by is GroupBy.AGENT else (*scope, memory.agent_id, memory.run_id)


def _cut(members: Sequence[OldMemory], size: int) -> list[Batch]:
    return [Batch(members=tuple(members[at : at + size])) for at in range(0, len(members), size)]


def archive(settings: Archive | None = None, *, model: str | None = None) -> Policy:
    """The policy with these settings.

    A batch never grows, so it is one prompt as long as it fits one; and it is all that may be left one day, so more of
    it is kept than of a cluster.
    """
    archive_settings = settings or Archive()
    return Policy(
        name="archive",
        tier=Tier.ARCHIVE,
        trigger=Trigger(min_members=1),
        # Small talk is in the batch, too: the summary leaves it out, and it retires with the rest.
        select=Selection(without=frozenset()),
        shape=Shape(segment_tokens=2_000, segment_limit=_WHOLE, small_tokens=_WHOLE),
        budget=Budget(prompt_tokens=_WHOLE + 2_000, summary_tokens=800, node_tokens=600),
        summarize=Instruction(summary=load("archive"), segment=load("segment"), merge=load("prefix"), model=model),
        originals=archive_settings.originals,
        skips_small_talk=True,
    )
