"""Rollups: a user's notes by day, week and month, in the user's calendar. Old days are compacted.

Where that is set, weeks and months read also what users say in conversations; no day does, so no message is compacted.

Key insights are the few statements that somebody would tell of a period, spread over its people and subjects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from functools import partial

from precis.engine.policy import Instruction, Originals, Place, Placer, Placing, Policy, Selection, ShareBudget, Trigger
from precis.engine.segments import Shape
from precis.ids import zone_of
from precis.memory import TURN, Memory, MemoryType, Tier
from precis.policies.insights import insights
from precis.prompts import load
from precis.summary import Statement, served_of
from precis.trust import SourceClass

_DAY = timedelta(days=1)
#: Weekday of the last day of a week: the run is on Sunday, and a week is the 7 whole days before it.
_SATURDAY = 5


class PeriodKind(StrEnum):
    """What is summarized as a whole; each is a policy of the same name."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


@dataclass(frozen=True, kw_only=True, slots=True)
class Period:
    """One day, week or month."""

    kind: PeriodKind
    starts_on: date
    #: Inclusive.
    ends_on: date

    @property
    def name(self) -> str:
        """``2026-02-17`` for a day, ``2026-02-15`` for the week that begins then, ``2026-02`` for a month."""
        return self.starts_on.isoformat()[: 7 if self.kind is PeriodKind.MONTH else 10]

    def runs_on(self, *, retain_days: int) -> date:
        """The date of its run: a week's Sunday, the first after a month, and for a day when all of it is old enough."""
        wait = retain_days if self.kind is PeriodKind.DAY else 0
        return self.ends_on + _DAY * (wait + 1)

    def before(self) -> Period:
        """The period before this one."""
        return period_of(self.kind, self.starts_on - _DAY)


def period_of(kind: PeriodKind, day: date) -> Period:
    """The period of this kind that a day lies in."""
    match kind:
        case PeriodKind.DAY:
            return Period(kind=kind, starts_on=day, ends_on=day)
        case PeriodKind.WEEK:
            end = day + _DAY * ((_SATURDAY - day.weekday()) % 7)
            return Period(kind=kind, starts_on=end - 6 * _DAY, ends_on=end)
        case PeriodKind.MONTH:
            return Period(kind=kind, starts_on=day.replace(day=1), ends_on=_month_end(day))


def periods_of(kind: PeriodKind, day: date) -> tuple[Period, ...]:
    """The periods of this kind that read what was noted on a day: one day, one week, and one or two months.

    A month reads the weeks that end in it. The days after its last week are told in it day by day, and once more in
    the next month, as a part of the week that ends there.
    """
    own = period_of(kind, day)
    if kind is not PeriodKind.MONTH:
        return (own,)
    of_week = month_of_week(day)
    return (own,) if own == of_week else (own, of_week)


def month_of_week(day: date) -> Period:
    """The month that reads the week of a day: the one in which the week ends."""
    return period_of(PeriodKind.MONTH, period_of(PeriodKind.WEEK, day).ends_on)


def run_at(day: date, zone: tzinfo, at: time) -> datetime:
    """The moment, in UTC, of the run of a local date.

    A time that the change of clocks leaves out comes as much later as the clocks were put forward; of one that comes
    twice, it is the first.
    """
    return datetime.combine(day, at, tzinfo=zone).astimezone(UTC)


def next_run(now: datetime, zone: tzinfo, at: time) -> datetime:
    """The first run after ``now``."""
    today = now.astimezone(zone).date()
    return next(run for step in range(-1, 4) if (run := run_at(today + _DAY * step, zone, at)) > now)


def last_whole(kind: PeriodKind, now: datetime, zone: tzinfo) -> Period:
    """The last period of this kind that is over."""
    return period_of(kind, now.astimezone(zone).date()).before()


def _month_end(day: date) -> date:
    next_month = day.replace(day=28) + 4 * _DAY
    return next_month - _DAY * next_month.day


#: The three policies, as the request of the document names them.
PERIODS = {"daily": PeriodKind.DAY, "weekly": PeriodKind.WEEK, "monthly": PeriodKind.MONTH}
#: A usual day or week of notes is one prompt, one call.
_WHOLE = 3_000
#: The calendar begins here: a week needs room before its first day, and a zone may put a date back.
_FIRST_YEAR = 2
_NOTES = Selection(memory_types=frozenset({MemoryType.EPISODIC}), without=frozenset())
#: The same with the messages of conversations.
_NOTES_AND_TURNS = Selection(
    memory_types=_NOTES.memory_types | {MemoryType.MESSAGE}, without=frozenset(), without_kinds=frozenset()
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rollups:
    """What can be set; the defaults are the document's."""

    enabled: bool = True
    #: Local time of the nightly run.
    schedule_time: time = time(5)
    #: Days for which raw notes are kept before their day is compacted.
    retain_days: int = 30
    #: Instead of the configured model.
    model: str | None = None
    #: Statements below are left out of weeks, months and key insights.
    min_importance: float = 0.5
    #: Most key insights of a summary.
    max_insights: int = 10
    #: What ``metadata.kind`` of an episodic memory says when it is a note.
    note_kinds: tuple[str, ...] = ("note",)
    #: Whether weeks and months read also what users say in conversations.
    messages: bool = False

    def is_note(self, memory: Memory) -> bool:
        """Whether the memory is a daily note."""
        return _NOTES.takes(memory) and memory.metadata.get("kind") in self.note_kinds

    def is_told_by(self, kind: PeriodKind, memory: Memory) -> bool:
        """Whether periods of this kind read the memory: a note, or a message of a user where messages are read."""
        return self.is_note(memory) or (self.reads_turns(kind) and _is_users_message(memory))

    def reads_turns(self, kind: PeriodKind) -> bool:
        """Whether periods of this kind read what users say in conversations."""
        return self.messages and kind is not PeriodKind.DAY

    def due_at(self, period: Period, now: datetime, zone: tzinfo) -> datetime | None:
        """The run of the period; once that is past, the next one: a late note is not told before the night."""
        if not self.enabled:
            return None
        run = run_at(period.runs_on(retain_days=self.retain_days), zone, self.schedule_time)
        return run if run > now else next_run(now, zone, self.schedule_time)

    def told_until(self, kind: PeriodKind, run: date) -> date:
        """The last day that the run of this date, or one before it, tells under a policy."""
        wait = self.retain_days if kind is PeriodKind.DAY else 0
        return date.fromordinal(max(1, run.toordinal() - wait - 1))

    def key_insights(self, statements: Sequence[Statement]) -> tuple[str, ...]:
        """What somebody would tell of the period, best first, for lists."""
        served = served_of(statements, self.min_importance)
        return tuple(statement.text for statement in insights(served, most=self.max_insights))


def _is_users_message(memory: Memory) -> bool:
    """Whether a user says it in a conversation, and it is not kept out of recall, which answers weeks and months."""
    is_message = memory.memory_type is MemoryType.MESSAGE and memory.metadata.get("kind") == TURN
    return is_message and memory.source_class is SourceClass.USER and memory.embedding_version is not None


def rollups(settings: Rollups | None = None) -> dict[str, Policy]:
    """The policies ``day``, ``week`` and ``month`` with these settings."""
    rollup_settings = settings or Rollups()
    day = ShareBudget(
        prompt_tokens=2 * _WHOLE, summary_tokens=1_200, node_tokens=1_200,
        # What a compacted day leaves out is lost, so much of it is kept at every level.
        summary_share=0.7, condensed_share=0.7, segment_share=0.7, merge_share=0.9, many=None,
    )  # fmt: skip
    week = ShareBudget(
        prompt_tokens=2 * _WHOLE, summary_tokens=500, node_tokens=400,
        # Less than half in words: who speaks is named as well. Of a long week the segments are as short already.
        summary_share=0.42, condensed_share=1.0,
    )  # fmt: skip
    month = ShareBudget(
        prompt_tokens=2 * _WHOLE, summary_tokens=700, node_tokens=400,
        # What is of every day is left out of it; the rest of few notes stays, of twenty or more less.
        summary_share=0.5, condensed_share=0.9, condensed_tokens=400, condensed_of_many=240,
    )  # fmt: skip
    budgets = {PeriodKind.DAY: day, PeriodKind.WEEK: week, PeriodKind.MONTH: month}
    return {kind.value: _policy(kind, rollup_settings, budget) for kind, budget in budgets.items()}


def _policy(kind: PeriodKind, settings: Rollups, budget: ShareBudget) -> Policy:
    is_day, reads_turns = kind is PeriodKind.DAY, settings.reads_turns(kind)
    return Policy(
        name=kind.value,
        tier=Tier(kind.value),
        trigger=Trigger(min_members=1),
        select=_NOTES_AND_TURNS if reads_turns else _NOTES,
        shape=Shape(segment_tokens=1_200, segment_limit=_WHOLE, small_tokens=_WHOLE),
        budget=budget,
        summarize=Instruction(
            summary=load(kind.value), segment=load("segment"), merge=load("prefix"), model=settings.model
        ),
        originals=Originals.REPLACE if is_day else Originals.KEEP,
        place=placer(kind, settings),
        reads_turns=reads_turns,
        served_from=0.0 if is_day else settings.min_importance,
        paused=not settings.enabled,
        skips_small_talk=True,
    )


def placer(kind: PeriodKind, settings: Rollups) -> Placer:
    """Where notes belong under one of the policies."""
    return partial(places, kind=kind, settings=settings)


def places(memory: Memory, placing: Placing, *, kind: PeriodKind, settings: Rollups) -> tuple[Place, ...]:
    """The day, the week, or the one or two months of a note or message; nothing for what these do not read."""
    if not settings.is_told_by(kind, memory) or memory.created_at.year < _FIRST_YEAR:
        return ()
    zone = zone_of(placing.zones, memory.scope.user_id)
    day = memory.created_at.astimezone(zone).date()
    return tuple(_place(memory, period, settings.due_at(period, placing.now, zone)) for period in periods_of(kind, day))


def _place(memory: Memory, period: Period, due_at: datetime | None) -> Place:
    scope = memory.scope
    month = month_of_week(period.ends_on) if period.kind is PeriodKind.WEEK else None
    return Place(
        policy=period.kind.value,
        name=_name(period, memory.namespace),
        user_id=scope.user_id,
        project_id=scope.project_id,
        environment=scope.environment,
        starts_on=period.starts_on,
        ends_on=period.ends_on,
        due_at=due_at,
        part_of=(month.kind.value, _name(month, memory.namespace)) if month else None,
    )


def _name(period: Period, namespace: str | None) -> str:
    """Notes of a namespace have days, weeks and months of their own: nothing of them is told elsewhere."""
    return f"{period.name} {namespace}" if namespace else period.name
