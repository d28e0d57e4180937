"""What is marked as wrong leaves every summary that says it, inside the caller's transaction; groups are made anew."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from precis.database.connections import Tx
from precis.database.jobs import Hints, note_cause
from precis.engine.forgetting import SILENCED, Marks
from precis.keys.vault import Vault
from precis.store.changes.posting import reposting
from precis.store.changes.redacting import drop_summary, restore_displaced
from precis.store.rows import statement_of
from precis.store.rule_groups import touch_wholes
from precis.summary import Statement

#: Share of the words of a marked statement from which another one over the same memories waits to be made anew.
_ALIKE = 0.5


@dataclass(frozen=True, kw_only=True, slots=True)
class Withdrawal:
    """What feedback took out of which summaries."""

    feedback_id: str
    statements: int
    #: Of summaries that lost a statement.
    summary_ids: tuple[str, ...]
    #: Groups to be made anew, parts first.
    group_ids: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """A statement of a summary that stands."""

    id: str
    node_id: str
    served: bool
    terms: frozenset[int]
    statement: Statement


async def said_on(tx: Tx, vault: Vault, summary_id: str, sources: Sequence[str]) -> list[Said]:
    """What a summary says, and what others say over these memories."""
    rows = await tx.all("said_for_feedback", summary_id=summary_id, ids=list(sources))
    ciphers = await vault.ciphers(tx, {row["user_id"] for row in rows})
    return [
        Said(
            id=row["statement_id"], node_id=row["node_id"], served=row["served"], terms=frozenset(row["terms"]),
            statement=statement_of(row, ciphers[row["user_id"]], tenant_id=tx.tenant_id),
        )
        for row in rows
        if row["user_id"] in ciphers
    ]  # fmt: skip


def to_withdraw(every: Sequence[Said], targets: Sequence[Said], marks: Marks) -> list[Said]:
    """What is withdrawn: the statements meant, those that say the same, and what may be another wording of them.

    The last come back when their summaries are made anew, unless they say the same after all.
    """
    meant = {entry.id for entry in targets}
    return [
        entry
        for entry in every
        if entry.id in meant
        or marks.bars(entry.statement.text, entry.statement.source_ids)
        or any(entry.node_id != other.node_id and _alike(entry, other) for other in targets)
    ]


def _alike(entry: Said, other: Said) -> bool:
    resting = set(entry.statement.source_ids) <= set(other.statement.source_ids)
    return resting and len(entry.terms & other.terms) >= _ALIKE * len(other.terms)


async def withdraw(
    tx: Tx, hints: Hints, feedback_id: str, withdrawn: Sequence[Said], summary_id: str, now: datetime
) -> Withdrawal:
    """Take statements out of the summaries that stand; each is made anew."""
    rows = await tx.all("withdraw_statements", ids=[entry.id for entry in withdrawn])
    await restore_displaced(tx, rows)
    summaries = sorted({summary_id, *(entry.node_id for entry in withdrawn)})
    await tx.run("withdraw_nodes", summaries=summaries)
    await tx.together(*reposting(summaries, ("withdraw_rows", {"summaries": summaries, "now": now})))
    groups = [await tx.one("summary_group", summary_id=id_) for id_ in summaries]
    for row in await tx.all("silent_summaries", summaries=summaries):
        await drop_summary(tx, row["summary_id"])
    ids = [group["group_id"] for group in groups if group is not None]
    return Withdrawal(
        feedback_id=feedback_id, statements=len(withdrawn), summary_ids=tuple(summaries),
        group_ids=await make_anew(tx, hints, ids, now),
    )  # fmt: skip


async def make_anew(
    tx: Tx, hints: Hints, group_ids: Collection[str], now: datetime, *, lifts: bool = False
) -> tuple[str, ...]:
    """The groups are due, and what reads their summaries is stale; answers them, parts first."""
    rows = await tx.all("make_anew", groups=sorted(group_ids), now=now, lifts=lifts, silenced=SILENCED)
    await touch_wholes(tx, {row["part_of"] for row in rows if row["part_of"]}, now)
    await note_cause(tx, [row["group_id"] for row in rows])
    if rows:
        await hints.hint(tx)
    return tuple(row["group_id"] for row in sorted(rows, key=lambda row: (row["part_of"] is None, row["group_id"])))
