"""The archive over any source: what the settings say of it, which pools it is over, and its pass.

A pass selects what is old, batches it, summarizes each batch and lets originals go. What it does to a store is the
source's own business; the order of the steps is here. A pass that dies is gone on with by the next one, for every
source notes, or finds by state, how far it came.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, Self

from precis import errors, makers, settings_file, summary
from precis.engine import drafted, policy
from precis.memory import OldMemory
from precis.policies.archive import Archive, GroupBy, Schedule, batches
from precis.settings import Settings
from precis.sources.chroma import open_chroma
from precis.sources.cognee import open_cognee
from precis.sources.source import Pool, PoolBatchDone, PoolEmbedder, Source, Tally

#: Seconds an answer of an embedding model may take.
_TIMEOUT = 60.0


async def archive(
    source: Source, rules: Archive, *, now: datetime, user_id: str | None = None
) -> tuple[list[Tally], int]:
    """Make one pass, of all users or of one; answers how many deletions of an earlier pass it finished, besides.

    A model that fails ends the pass: what was stored stays, and nothing uncovered is deleted. Raises PoolUnusable
    before a model is asked where no summary could be stored.
    """
    finished, tallies = await source.begin(), list[Tally]()
    for portion in await source.portions(user_id):
        tally = Tally(user_id=portion)
        tallies.append(tally)
        backlog = await source.backlog(portion, before=rules.archived_before(now))
        await source.summarize(backlog, batches(backlog.memories, rules), tally)
        await source.retire(tally, before=rules.retired_before(now))
        if tally.stopped is not None:
            break
    await source.end()
    return tallies, finished


async def preview(source: Source, rules: Archive, *, now: datetime, user_id: str | None = None) -> list[Tally]:
    """What a pass would summarize and delete, by user, as far as can be told without a call and without a write.

    Of what would be deleted it is the most: an original whose summary leaves some of it out stays.
    """
    before, tallies = rules.retired_before(now), []
    for portion in await source.portions(user_id):
        backlog = await source.backlog(portion, before=rules.archived_before(now))
        covered = {} if before is None else await source.covered(portion, before=before)
        by_user = _by_user(backlog.memories, covered) if portion is None else {portion: backlog.memories}
        for user, memories in by_user.items():
            old = sum(1 for each in memories if before is not None and each.created_at < before and not each.stays)
            planned = [PoolBatchDone.of(batch, "would make") for batch in batches(memories, rules)]
            deletions = covered.get(user, 0) + old
            tallies.append(Tally(user_id=user, details=planned, deletions=deletions, undated=backlog.undated))
    return tallies


def _by_user(memories: Sequence[OldMemory], covered: Mapping[str, int]) -> Mapping[str, Sequence[OldMemory]]:
    users: dict[str, list[OldMemory]] = {
        user: [] for user in sorted({*covered, *(memory.user_id for memory in memories)})
    }
    for memory in memories:
        users[memory.user_id].append(memory)
    return users


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchiveRun:
    """What a pass over precis's own store did."""

    #: Summaries made.
    batches: int
    #: Memories that joined a batch.
    memories: int
    #: Originals whose text is gone.
    deletions: int
    #: Originals that are old enough and stay for now: what they say is not safely kept.
    waiting: int = 0
    #: Of those, the ones that no summary says in full.
    left_out: int = 0
    #: Law 7: what became of the memories of the summaries that were made.
    counts: summary.Counts = summary.Counts()  # noqa: RUF009 - frozen
    #: Batches that got no summary this time.
    failed: int = 0
    usage: makers.Usage = makers.Usage()  # noqa: RUF009 - frozen

    @classmethod
    def of(cls, tally: Tally) -> Self:
        """What the pass came to."""
        return cls(**{each.name: getattr(tally, each.name) for each in fields(cls)})


@dataclass(frozen=True, kw_only=True, slots=True)
class ArchivePreview:
    """What a pass would do for one user."""

    user_id: str
    batches: int
    memories: int
    #: Of the originals' texts.
    tokens: int
    #: Created_at of the oldest and the newest; None without any.
    first: datetime | None
    last: datetime | None
    #: Originals that would go: the ones covered already, and those the new summaries would cover.
    deletions: int

    @classmethod
    def of(cls, tally: Tally) -> Self:
        """What was found for one user."""
        return cls(
            user_id=tally.user_id or "",
            batches=len(tally.details),
            memories=sum(batch.memories for batch in tally.details),
            tokens=sum(batch.tokens for batch in tally.details),
            first=min((batch.first for batch in tally.details), default=None),
            last=max((batch.last for batch in tally.details), default=None),
            deletions=tally.deletions,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolUser:
    """What a pass over a pool did, or would do, for one user."""

    user_id: str
    batches: tuple[PoolBatchDone, ...]
    #: Originals deleted from the pool.
    deletions: int
    #: Why these, or why none.
    reason: str = ""
    #: Memories left alone because nobody knows how old they are.
    undated: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolPass:
    """A pass over a pool."""

    pool: str
    #: Nothing was called, stored or deleted.
    dry_run: bool
    users: tuple[PoolUser, ...]
    #: Deletions that an earlier pass had begun.
    finished: int = 0
    usage: makers.Usage = makers.Usage()  # noqa: RUF009 - frozen
    #: Why the pass ended before its end: the model is down, or the budget is spent.
    stopped: str | None = None

    @classmethod
    def of(
        cls, pool: str, rules: Archive, tallies: Sequence[Tally], *, finished: int = 0, dry_run: bool = False
    ) -> Self:
        """What the pass did, user by user."""
        users = [
            PoolUser(
                user_id=tally.user_id or "", batches=tuple(tally.details), deletions=tally.deletions,
                reason=_reason(rules), undated=tally.undated,
            )
            for tally in tallies
        ]  # fmt: skip
        return cls(
            pool=pool, dry_run=dry_run, users=tuple(users), finished=finished,
            usage=drafted.total([tally.usage for tally in tallies]), stopped=tallies[-1].stopped if tallies else None,
        )  # fmt: skip

    @property
    def batches(self) -> int:
        """Summaries made."""
        return sum(batch.made for user in self.users for batch in user.batches)

    @property
    def memories(self) -> int:
        """Originals they cover."""
        return sum(batch.memories for user in self.users for batch in user.batches if batch.made)

    @property
    def deletions(self) -> int:
        """Originals deleted."""
        return self.finished + sum(user.deletions for user in self.users)


def _reason(rules: Archive) -> str:
    """Which originals go, in words."""
    if rules.originals is policy.Originals.KEEP:
        return "originals are kept"
    if rules.originals is policy.Originals.DELETE:
        return "originals go as soon as a summary covers them"
    return f"originals go when a summary covers them and they are older than {rules.keep_original_days} days"


# --- what the settings say ---


def archive_settings(settings: Settings) -> Archive:
    """What the deployment set, as the policy takes it."""
    return changed(Archive(), **{each.name: getattr(settings, f"archive_{each.name}") for each in fields(Archive)})


def changed(rules: Archive, **changes: Any) -> Archive:
    """The settings with these in place of their own, for one pass. Raises InvalidInput."""
    kinds = {"schedule": Schedule, "originals": policy.Originals, "group_by": GroupBy}
    values = dict(changes)
    for name in kinds.keys() & changes.keys():
        try:
            values[name] = kinds[name](changes[name])
        except ValueError as error:
            raise errors.InvalidInput(f"{name}: {changes[name]!r} is none of its values", field=name) from error
    for name in ("min_age_days", "keep_original_days", "max_memories_per_batch"):
        least = int(name == "max_memories_per_batch")
        if name in values and (type(values[name]) is not int or not least <= values[name] <= 36_500):
            raise errors.InvalidInput(f"{name}: {values[name]!r} is not within {least} to 36500", field=name)
    return replace(rules, **values)


def pools_of(settings: Settings, tenant_id: str) -> Sequence[settings_file.PoolSettings]:
    """The pools of one tenant."""
    return [pool for pool in settings.archive_pools if pool.tenant == tenant_id]


def open_pool(named: settings_file.PoolSettings, settings: Settings) -> Pool:
    """The store itself. Raises ConfigurationError."""
    archive = archive_settings(settings)
    if named.kind == "cognee":
        return open_cognee(marker=archive.marker, marks=archive.marks)
    if named.path is None:
        raise errors.ConfigurationError("--path: name the folder of the Chroma store")
    return open_chroma(named.path, collection=named.collection, embed=_embedder(named, settings), marks=archive.marks)


def _embedder(named: settings_file.PoolSettings, settings: Settings) -> PoolEmbedder | None:
    """The model named, asked with the key that belongs to its endpoint."""
    if named.embed_model is None:
        return None
    if named.embed_url in (None, settings.model_base_url):
        key = settings.archive_embed_api_key or settings.model_api_key
    else:
        key = settings.archive_embed_api_key  # the key of one endpoint is not for another to see
    return endpoint_embedder(
        named.embed_model, base_url=named.embed_url or settings.model_base_url,
        api_key=key.get_secret_value() if key else None,
    )  # fmt: skip


def endpoint_embedder(model: str, *, base_url: str, api_key: str | None = None) -> PoolEmbedder:
    """Ask this model of an OpenAI-compatible endpoint for vectors. Errors are those of the client."""

    def ask(texts: list[str]) -> list[list[float]]:
        import openai  # noqa: PLC0415 - heavy, and needed here only

        with openai.OpenAI(base_url=base_url, api_key=api_key or "none", timeout=_TIMEOUT) as client:
            answer: Any = client.embeddings.create(model=model, input=texts, encoding_format="float")
        return [list(row.embedding) for row in sorted(answer.data, key=lambda row: row.index)]

    async def embed(texts: list[str]) -> list[list[float]]:
        return await asyncio.to_thread(ask, texts)

    return embed
