"""One column of the table: memories go into a store that is gone at the end, are summarized, measured, forgotten.

Meanwhile it is counted what the checks say of every draft.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from precis import errors, makers, typed
from precis.app import App, app_over, passes, refreshing
from precis.checks import check
from precis.evaluation.measures import Measures, Share, measure
from precis.evaluation.sampling import Leaks, Row, forget_and_look, marked, texts_of, unheard, verification_of
from precis.memory import Memory
from precis.settings import Settings
from precis.summary import Counts, Summary
from precis.testing.temporary import temporary
from precis.texts import drafting
from precis.texts.inputs import SummarizeInput

#: After so many requests without any answer nobody is there.
_SILENT = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Drafts:
    """What became of the drafts."""

    #: Answers that could be read.
    drafts: int = 0
    #: Requests without one, by kind of error.
    failed: Mapping[str, int] = field(default_factory=dict)
    #: Drafts that the checks rejected as a whole.
    rejected: Share = Share()  # noqa: RUF009 - frozen
    #: Statements that the checks dropped, and by which reasons; a statement may have several.
    dropped: Share = Share()  # noqa: RUF009
    reasons: Mapping[str, int] = field(default_factory=dict)


class Counted:
    """A summarizer whose drafts are kept until they are counted: the checks take no time of what is measured."""

    def __init__(self, summarizer: makers.Summarizer) -> None:
        self.name = summarizer.name
        self._summarizer = summarizer
        self._drafts: list[tuple[makers.Draft, makers.Request]] = []
        self._failed: Counter[str] = Counter()
        #: What was wrong with the last request that failed.
        self.last_error = ""

    async def summarize(self, request: makers.Request) -> makers.Draft:
        """What the summarizer answers."""
        try:
            draft = await self._summarizer.summarize(request)
        except errors.DraftFailed as error:
            self._failed[type(error).__name__] += 1
            self.last_error = str(error)
            raise
        self._drafts.append((draft, request))
        return draft

    @property
    def is_silent(self) -> bool:
        """Whether several requests in a row, from the first on, got no answer at all."""
        return not self._drafts and self._failed["ModelUnavailable"] >= _SILENT

    def count(self) -> Drafts:
        """What the checks say of all drafts so far."""
        every = [check(draft, request.items) for draft, request in self._drafts if draft.statements]
        verdicts = [verdict for checked in every for verdict in checked.verdicts]
        dropped = [verdict for verdict in verdicts if not verdict.kept]
        return Drafts(
            drafts=len(self._drafts),
            failed=dict(self._failed),
            rejected=Share(hits=sum(not checked.passed for checked in every), of=len(every)),
            dropped=Share(hits=len(dropped), of=len(verdicts)),
            # The most frequent first.
            reasons=dict(Counter(reason for verdict in dropped for reason in verdict.reasons).most_common()),
        )


#: Says what goes on.
Tell = Callable[[str], None]
#: The settings that shape summaries; the others have their defaults, so that a run means the same everywhere.
_ALWAYS = ("min_cluster_items", "refresh_after", "cluster_distance", "max_text_chars")
_WITH_A_MODEL = (
    "model_base_url", "model_api_key", "tokenizer", "extraction", "judge", "monthly_ceiling", "ceiling_kept_share",
    "reservation_lasts", "prices",
)  # fmt: skip
#: How long summaries are refreshed before it is said how far they are.
_SLICE = timedelta(seconds=2)
_PAGE = 1_000
_Pair = tuple[Sequence[str], Sequence[str]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Summarized:
    """Summaries of one kind, measured."""

    measures: Measures
    #: Texts or subjects without one, by what ended the attempt.
    without: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Cost:
    """What the ledger booked."""

    calls: int
    failed: int
    tokens_in: int
    tokens_out: int
    #: US dollars.
    cost: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """What was measured with one summarizer."""

    name: str
    #: Whole conversations, or a user's memories fifty at a time, each in a fifth of its words; not stored.
    texts: Summarized
    #: The summaries by subject that a write makes.
    subjects: Summarized
    #: Memories that a summary by subject was made of.
    in_summaries: Share
    #: What became of those.
    counts: Counts
    drafts: Drafts
    leaks: Leaks
    cost: Cost


async def evaluate(
    rows: Sequence[Row], *, settings: Settings, model: str | None, forget: int, seed: int, tell: Tell
) -> Column:
    """Everything over these rows, which have ids; offline where no model is named.

    ``forget`` memories are forgotten at the end. Raises InvalidInput for a row that cannot be written, with its place
    in ``rows``, and ModelUnavailable where the model never answers.
    """
    async with temporary(**_overrides(settings, model)) as opened:
        app, counted = _counting(opened)
        marks = await unheard(verification_of(app), marked(rows, seed=seed), number=2 * forget)
        began = time.monotonic()
        added = await app.memories.add([dict(row) for row in rows], summarize="deferred")
        memories = await app.memories.get_many([memory.id for memory in added.memories])
        writing = time.monotonic() - began
        texts = await _whole_texts(app, counted, _read_together(rows, memories), tell)
        subjects, summaries = await _subjects(app, counted, memories, writing, tell)
        tell("forgetting, and looking for what is forgotten")
        leaks = await forget_and_look(
            app, marks, memories, summaries, number=forget, refresh=lambda: _refresh_due(app, tell)
        )
        return Column(
            name=model or "offline",
            texts=texts,
            subjects=subjects,
            in_summaries=Share(hits=len({id_ for each in summaries for id_ in each.leaf_source_ids}), of=len(memories)),
            counts=sum((each.counts for each in summaries), start=Counts()),
            drafts=counted.count(),
            leaks=leaks,
            cost=await _cost(app),
        )


def _overrides(settings: Settings, model: str | None) -> dict[str, Any]:
    named = _ALWAYS if model is None else (*_ALWAYS, *_WITH_A_MODEL)
    return {name: getattr(settings, name) for name in named} | {"model": model, "log_level": settings.log_level}


def _counting(app: App) -> tuple[App, Counted]:
    """precis with a summarizer whose drafts are counted."""
    engine = app.parts.engine
    counted = Counted(engine.summarizer)
    stand_in = counted if engine.offline else engine.fallback
    return app_over(replace(app.parts, engine=replace(engine, summarizer=counted, fallback=stand_in))), counted


# --- whole texts ---


def _read_together(rows: Sequence[Row], memories: Mapping[str, Memory]) -> list[list[dict[str, Any]]]:
    """The texts as ``precis summarize`` reads them; dated where every memory of one came with a date."""
    together = texts_of(rows)
    return [[_input(memories[row["id"]], dated=_are_dated(each)) for row in each] for each in together]


def _are_dated(rows: Sequence[Row]) -> bool:
    return all(row.get("created_at") is not None for row in rows)


def _input(memory: Memory, *, dated: bool) -> dict[str, Any]:
    text = {"text": memory.text, "speaker": memory.speaker, "created_at": memory.created_at if dated else None}
    return {name: value for name, value in text.items() if value}


async def _whole_texts(app: App, counted: Counted, texts: Sequence[Sequence[dict[str, Any]]], tell: Tell) -> Summarized:
    engine, pairs, failed, seconds = app.parts.engine, list[_Pair](), Counter[str](), 0.0
    for number, text in enumerate(texts, start=1):
        tell(f"summarizing text {number} of {len(texts)}")
        inputs = typed.validated(SummarizeInput, {"texts": list(text)})
        began = time.monotonic()
        try:
            summary = await drafting.summarize(
                inputs, summarizer=None if engine.offline else counted, count=engine.count,
                tenant_id=app.parts.tenant_id,
            )  # fmt: skip
        except (errors.DraftFailed, errors.InvalidInput) as error:
            failed[type(error).__name__] += 1
        else:
            pairs.append(([each["text"] for each in text], [statement.text for statement in summary.statements]))
        seconds += time.monotonic() - began
        _stop_if_silent(counted)
    return Summarized(measures=measure(pairs, engine.count), without=dict(failed), seconds=seconds)


def _stop_if_silent(counted: Counted) -> None:
    """Raise ModelUnavailable where nothing but silence came so far: all that follows would be paid for in waiting."""
    if counted.is_silent:
        raise errors.ModelUnavailable(f"the model gave no answer to any of the first calls: {counted.last_error}")


# --- summaries by subject ---


async def _subjects(
    app: App, counted: Counted, memories: Mapping[str, Memory], writing: float, tell: Tell
) -> tuple[Summarized, list[Summary]]:
    """What a worker has made after its first look.

    What the offline summarizer made in place of a model is not measured under its name.
    """
    began = time.monotonic()
    await passes.regroup(app.parts, app.parts.engine.clock())
    await _refresh_due(app, tell)
    seconds = writing + time.monotonic() - began
    _stop_if_silent(counted)
    summaries = await _every_summary(app)
    own = [summary for summary in summaries if not summary.fallback]
    pairs = [
        (
            [memories[id_].text or "" for id_ in summary.leaf_source_ids],
            [statement.text for statement in summary.statements],
        )
        for summary in own
    ]
    without = {"stand-in": len(summaries) - len(own)} if len(own) < len(summaries) else {}
    return Summarized(measures=measure(pairs, app.parts.engine.count), without=without, seconds=seconds), summaries


async def _refresh_due(app: App, tell: Tell) -> None:
    """Make every summary that is due."""
    engine, refreshed = app.parts.engine, 0
    while outcomes := await refreshing.work(engine, app.parts.tenant_id, until=engine.clock() + _SLICE):
        refreshed += len(outcomes)
        tell(f"{refreshed} subjects summarized")


async def _every_summary(app: App) -> list[Summary]:
    page = await app.summaries.list(policy="clusters", limit=_PAGE)
    summaries = list(page.rows)
    while page.next_cursor:
        page = await app.summaries.list(policy="clusters", limit=_PAGE, cursor=page.next_cursor)
        summaries += page.rows
    return summaries


async def _cost(app: App) -> Cost:
    rows = await app.costs.spending()
    return Cost(
        calls=sum(row.calls for row in rows),
        failed=sum(row.failed for row in rows),
        tokens_in=sum(row.tokens_in for row in rows),
        tokens_out=sum(row.tokens_out for row in rows),
        cost=sum(row.cost for row in rows),
    )
