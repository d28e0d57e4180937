"""A pool as a source: batches are claimed before they are drafted, and every step in the pool is noted."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b

from precis import errors, ids, makers, work
from precis.checks.fates import fates
from precis.engine import keeping, segments
from precis.engine.draft import InHand, draft
from precis.engine.engine import Engine
from precis.engine.plan import plan_over
from precis.language.written.markdown import visible
from precis.memory import OldMemory
from precis.policies.archive import Batch
from precis.sources import forgetting, settling, source
from precis.store.pools.batches import Original, PoolBatch, Step, Stretch
from precis.store.timetables import PostgresBacklog
from precis.summary import Counts, counts_of

#: What ends the model's work ends the pass; after any other failure it goes on with the next batch.
_ENDS = (errors.ModelUnavailable, errors.BudgetExhausted, errors.NoSlot)


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolSource:
    """One pass over a pool, for one tenant. Nothing of a pool's texts stays in precis, but for what ``kept`` asks."""

    opened: settling.OpenPool
    engine: Engine
    #: How many memories of a user were counted.
    counts: PostgresBacklog
    progress: work.Progress
    #: Summaries go to precis.
    kept: bool = False
    #: Batches whose draft was rejected are tried once more.
    again: bool = False

    @property
    def _definition(self) -> str:
        return self.engine.definition_of(self.engine.policies["archive"])

    async def begin(self) -> int:
        """Finish what was begun; refuse a pool that could not take a summary; free what was rejected otherwise."""
        finished = await settling.settle(self.opened)
        await forgetting.follow(self.opened)
        await self.opened.shelf(kept=self.kept).ready()
        await self.opened.batches.release(definition=self._definition, everything=self.again)
        return finished

    async def portions(self, user_id: str | None) -> Sequence[str | None]:
        """Each user by itself."""
        users = await self.opened.pool.users() if user_id is None else [user_id]
        self.progress.begin(len(users), f"users of {self.opened.pool.name}")
        return users

    async def backlog(self, user_id: str | None, *, before: datetime) -> source.Backlog:
        """Old enough, with a text, neither forgotten nor named by a summary, whoever made that."""
        rows = await self.opened.pool.list(user_id or "")
        summaries = await self.opened.pool.list(user_id or "", summaries=True)
        known = await self.opened.forgets.known([row.id for row in (*rows, *summaries)])
        foreign = [summary for summary in summaries if summary.id not in known.ours]
        taken = known.covered | known.forgotten | {id_ for summary in foreign for id_ in summary.summarized_memory_ids}
        memories = [
            OldMemory(
                id=row.id, created_at=row.created_at, user_id=row.user_id, agent_id=row.agent_id, run_id=row.run_id,
                tokens=self.engine.count(row.text),
            )
            for row in rows
            if row.created_at is not None and row.created_at < before and row.text.strip() and row.id not in taken
        ]  # fmt: skip
        return source.Backlog(
            user_id=user_id,
            memories=memories,
            texts={row.id: row.text for row in rows},
            undated=sum(1 for row in rows if row.created_at is None),
            forgotten=known.forgotten,
        )

    async def summarize(self, backlog: source.Backlog, batches: Sequence[Batch], tally: source.Tally) -> None:
        """Summarize batch by batch, until the model answers no more."""
        tally.undated = backlog.undated
        if backlog.forgotten:
            await self.opened.restored.recognize(backlog.forgotten)
        for batch in batches:
            planned = self._planned(batch, backlog.texts)
            try:
                await self._make(batch, planned, backlog.texts, tally)
            except _ENDS as error:
                await self.opened.batches.note(planned, Step.DROPPED)
                tally.details.append(source.PoolBatchDone.of(batch, "failed", reason=str(error)))
                tally.stopped = str(error)
                return
            except errors.DraftFailed as error:
                await self.opened.batches.note(planned, Step.STATE, state="rejected")
                tally.details.append(source.PoolBatchDone.of(batch, "rejected", reason=str(error)))
            except errors.SourceChanged as error:
                await self.opened.batches.note(planned, Step.DROPPED)
                tally.details.append(source.PoolBatchDone.of(batch, "changed", reason=str(error)))

    async def covered(self, user_id: str | None, *, before: datetime) -> Mapping[str, int]:
        """Originals in the pool whose summary is stored."""
        batches = await self.opened.batches.overdue(before=before, user_id=user_id)
        return {user_id or "": sum(1 for batch in batches for original in batch.sources if original.is_overdue(before))}

    async def retire(self, tally: source.Tally, *, before: datetime | None) -> None:
        """Delete from the pool the originals that are old enough and covered."""
        if before is not None:
            for batch in await self.opened.batches.overdue(before=before, user_id=tally.user_id):
                overdue = [original for original in batch.sources if original.is_overdue(before)]
                with suppress(errors.SourceChanged):  # something of it was forgotten: it is rewritten first
                    tally.deletions += await settling.delete_originals(self.opened, batch, overdue)
        self.progress.step()

    async def end(self) -> None:
        """Take out what was forgotten while the pass went on."""
        await settling.settle(self.opened)
        await forgetting.follow(self.opened)

    async def grown(self, by: int) -> Sequence[tuple[str, int]]:
        """Users with so many more than were counted: the whole pool is read.

        Where fewer are there than were counted, what comes from now on is new.
        """
        pool, grown = self.opened.pool, []
        counts = await self.counts.counts(self.opened.batches.tenant_id, pool.name)
        for user_id in await pool.users():
            memories, before = len(await pool.list(user_id)), counts.get(user_id, 0)
            if memories - before >= by:
                grown.append((user_id, memories))
            elif memories < before:
                await self.counts.counted(self.opened.batches.tenant_id, user_id, memories, pool=pool.name)
        return grown

    async def counted(self, user_id: str, memories: int) -> None:
        """Note how many were there, without those that the pass deleted."""
        pool = self.opened.pool
        remaining = min(memories, len(await pool.list(user_id)))
        await self.counts.counted(self.opened.batches.tenant_id, user_id, remaining, pool=pool.name)

    async def _make(self, batch: Batch, planned: PoolBatch, texts: Mapping[str, str], tally: source.Tally) -> None:
        """Claim, draft, note, add, note again. Raises DraftFailed and kin, NoSlot, and SourceChanged."""
        batches = self.opened.batches
        try:
            await batches.plan(planned, now=self.opened.clock())
        except errors.SourceChanged as error:
            raise errors.SourceChanged("one of these was taken or forgotten meanwhile") from error
        draft = await draft_batch(self.engine, batch.members, texts, tenant_id=batches.tenant_id, batch_id=planned.id)
        tally.usage += draft.usage
        await batches.drafted(planned, draft.text, draft.stretches, capped=draft.capped)
        summary_id = await self.opened.shelf(kept=self.kept).add(settling.summary_of(planned, draft.text, self.opened))
        await batches.note(planned, Step.STORED, summary_id=summary_id)
        tally.details.append(source.PoolBatchDone.of(batch, "made", summary_id=summary_id, counts=draft.counts))

    def _planned(self, batch: Batch, texts: Mapping[str, str]) -> PoolBatch:
        originals = tuple(
            Original(
                memory_id=member.id, position=position, created_at=member.created_at,
                digest=self.opened.batches.digest(texts[member.id]),
            )
            for position, member in enumerate(batch.members)
        )  # fmt: skip
        return PoolBatch(
            id=ids.new_id(), pool=self.opened.pool.name, user_id=batch.user_id, agent_id=batch.agent_id,
            run_id=batch.run_id, state="planned", until=batch.until, kept=self.kept, definition=self._definition,
            sources=originals,
        )  # fmt: skip


# --- the summary of one batch: drafted, checked, laid out so that its statements are found again ---


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolDraft:
    """A checked summary of a batch."""

    text: str
    stretches: tuple[Stretch, ...]
    #: Memories that were read in part, or that the summary does not say in full: they stay.
    capped: frozenset[str]
    #: Law 7: what became of the memories.
    counts: Counts
    usage: makers.Usage


async def draft_batch(
    engine: Engine, memories: Sequence[OldMemory], texts: Mapping[str, str], *, tenant_id: str, batch_id: str
) -> PoolDraft:
    """A summary that says all of these memories, as far as it is shorter than they are.

    Nothing stands in for a model that does not answer: the originals may go on the strength of this summary. Raises
    DraftFailed and kin, and NoSlot.
    """
    positions = {memory.id: position for position, memory in enumerate(memories)}
    items = {
        memory.id: makers.Item(text=visible(texts[memory.id]), source_ids=(memory.id,), created_at=memory.created_at)
        for memory in memories
    }
    policy = engine.policies["archive"]
    plan = plan_over(
        policy, [_leaf(memory, texts[memory.id]) for memory in memories], definition=engine.definition_of(policy),
        tenant_id=tenant_id, group_id=batch_id,
    )  # fmt: skip
    drafted = await draft(plan, InHand(known=items), makers=engine.without_stand_in())
    served = [statement for statement in drafted.root.statements if statement.superseded_by is None]
    if not served:
        raise errors.DraftFailed("the draft says nothing")
    originals = list(items.values())
    statements = keeping.completed(originals, served, room=keeping.room_of(originals, engine.count), count=engine.count)
    verdicts = dict(zip(items, fates(originals, statements), strict=True))
    capped = drafted.root.capped
    text, stretches = settling.composed(
        (statement.text.strip(), tuple(sorted(positions[id_] for id_ in statement.source_ids)))
        for statement in statements
    )
    return PoolDraft(
        text=text,
        stretches=stretches,
        capped=capped.union(id_ for id_, verdict in verdicts.items() if verdict is None),
        counts=counts_of(
            items, statements, {id_: verdict.fate for id_, verdict in verdicts.items() if verdict is not None},
            unread=0, capped=len(capped),
        ),
        usage=drafted.usage,
    )  # fmt: skip


def _leaf(memory: OldMemory, text: str) -> segments.Leaf:
    fingerprint = blake2b(f"{memory.id}\0{text}".encode(), digest_size=16).digest()
    return segments.Leaf(id=memory.id, created_at=memory.created_at, fingerprint=fingerprint, tokens=memory.tokens)
