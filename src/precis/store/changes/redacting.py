"""Law 4 in PostgreSQL, inside the caller's transaction: what rests on rows goes.

The rule is in engine/forgetting.py; the table of every derived column and what happens to it is in
docs/reference/forgetting.md.

What people marked as wrong goes, too: statements with a mark.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from typing import Any

from precis.database.connections import Call, Row, Tx
from precis.database.jobs import Hints, note_cause
from precis.engine.drafted import MadeNode
from precis.engine.forgetting import Mark, Marks, Receipt, TouchedSummary, wording
from precis.engine.plan import Plan
from precis.engine.policy import Policy
from precis.errors import Conflict, SourceChanged
from precis.ids import new_id
from precis.keys.cipher import TenantKeys
from precis.language.words import let_go
from precis.store.changes.posting import delete_memories, reposting
from precis.summary import standing


class Leaves(Enum):
    """Which groups a row leaves."""

    ALL = auto()
    #: Those it joined by nearness.
    CLUSTERS = auto()
    NONE = auto()


@dataclass(frozen=True, kw_only=True, slots=True)
class Redaction:
    """What was taken out of which groups."""

    tenant_id: str
    #: The ids asked for, in order, and those of them that exist.
    requested: tuple[str, ...]
    ids: list[str]
    groups: list[str]
    #: Whose they are.
    users: set[str]
    #: Summaries that had read one of them.
    summaries: list[str]
    #: Statements removed, by node.
    statements: Counter[str]
    segments: int
    now: datetime
    #: When the last of the rows had been written; now where that is later. Clocks of two machines may differ.
    until: datetime


class Redacting:
    """What rests on rows, and leaves with them. Each method works in the caller's transaction."""

    def __init__(self, hints: Hints, policies: Mapping[str, Policy]) -> None:
        self._hints = hints
        self._policies = policies

    async def redact(self, tx: Tx, ids: Sequence[str], *, leaves: Leaves, now: datetime) -> Redaction:
        """What rests on these rows goes; the rows themselves stay.

        Locks the rows, then their groups, and looks lineage up only then, so that no draft in flight brings them back.
        ``leaves`` says which groups the rows leave; after an edit they may stay. Call ``settle`` once the rows are what
        they shall be.
        """
        if ids:
            let_go()
        memory_ids = sorted(set(ids))
        rows = await tx.all("lock_memories", ids=memory_ids)
        if any(row["is_summary"] for row in rows):
            raise Conflict("a summary cannot be forgotten: forget its sources, or delete the summary")
        existing = [row["memory_id"] for row in rows]
        parameters = {"ids": existing}
        back = await _come_back(tx, existing) if leaves is Leaves.ALL else []
        groups = await tx.all("lock_groups_of", ids=existing + back)
        group_ids = [group["group_id"] for group in groups]
        segments = await tx.all("delete_live_nodes", **parameters)
        terms = sorted({term for row in rows for term in row["terms"]})
        removed = await tx.all("delete_statements", terms=terms, **parameters)
        statements = Counter(row["node_id"] for row in removed)
        read = {row["node_id"] for row in await tx.all("redact_nodes", **parameters)}
        await restore_displaced(tx, removed)
        await forget_marks(tx, existing)
        await tx.run("forget_past", terms=terms, groups=group_ids, **parameters)
        if leaves is not Leaves.NONE:
            await tx.run("forget_past_ids", groups=group_ids, **parameters)
        await tx.run("detach_sources", **parameters)
        if leaves is not Leaves.NONE:
            await tx.run("detach_members", **parameters, clusters=leaves is Leaves.CLUSTERS)
        return Redaction(
            tenant_id=tx.tenant_id,
            requested=tuple(dict.fromkeys(ids)),
            ids=existing,
            groups=group_ids,
            users={row["user_id"] for row in rows},
            summaries=sorted({group["summary_id"] for group in groups if group["summary_id"]} & read),
            statements=statements,
            segments=len(segments),
            now=now,
            until=max([now, *(row["updated_at"] for row in rows)]),
        )

    async def settle(self, tx: Tx, redaction: Redaction) -> Receipt:
        """Recompute what the groups and their summaries are without what left; answers the receipt."""
        parameters = {"groups": redaction.groups}
        await tx.run("delete_empty_frozen", **parameters)
        await redact_summaries(tx, redaction.ids, redaction.summaries, redaction.now)
        remaining = await tx.all("summaries_left", summaries=redaction.summaries)
        silent = set(redaction.summaries) - {row["summary_id"] for row in remaining if row["served"]}
        rows = await tx.all("regroup", ids=redaction.ids, dropped=sorted(silent), **parameters)
        dropped = silent | {row["summary_id"] for row in rows if row["summary_id"] and not self._enough(row)}
        last = await tx.all("summaries_left", summaries=sorted(dropped))
        removed = redaction.statements + Counter({row["summary_id"]: row["statements"] for row in last})
        for summary_id in sorted(dropped):
            await drop_summary(tx, summary_id)
        queued = sorted(row["group_id"] for row in rows if self._enough(row))
        await tx.run("set_due", queued=queued, groups=redaction.groups, now=redaction.now)
        # A partition of a view that lost its last member is still one: it answers that it is empty.
        empty = [row["group_id"] for row in rows if row["members"] == 0 and row["view_id"] is None]
        await tx.run("delete_groups", groups=empty)
        await note_cause(tx, queued)
        if queued:
            await self._hints.hint(tx)
        return receipt_of(redaction, removed, dropped, queued)

    def _enough(self, group: Mapping[str, Any]) -> bool:
        """Whether what is left of a group is still worth a summary."""
        policy = self._policies.get(group["policy"])
        return bool(group["members"] >= (policy.trigger.min_members if policy else 1))


def receipt_of(
    redaction: Redaction, removed: Counter[str], dropped: Collection[str] = (), queued: Collection[str] = ()
) -> Receipt:
    """The receipt of it, not signed yet: ``removed`` statements by summary, ``dropped`` ones, ``queued`` groups."""
    existing = set(redaction.ids)
    return Receipt(
        id=new_id(),
        at=redaction.now,
        forgotten=tuple(id_ for id_ in redaction.requested if id_ in existing),
        not_found=tuple(id_ for id_ in redaction.requested if id_ not in existing),
        summaries=tuple(
            TouchedSummary(id=id_, state="deleted" if id_ in dropped else "redacted", statements_removed=removed[id_])
            for id_ in sorted({*redaction.summaries, *dropped})
        ),
        statements_removed=removed.total(),
        segments_removed=redaction.segments,
        refreshes_queued=tuple(queued),
    )


async def redact_summaries(tx: Tx, ids: Sequence[str], summaries: Sequence[str], now: datetime) -> None:
    """Take out of the rows of summaries what rested on these memories, once their statements are gone."""
    if summaries:
        redact: Call = "redact_summaries", {"ids": ids, "summaries": summaries, "now": now}
        await tx.together(*reposting(summaries, redact))


async def drop_summary(tx: Tx, summary_id: str | None) -> None:
    """A summary goes: its node and statements, its place in the group, and its row."""
    if summary_id:
        await tx.run("drop_summary", summary_id=summary_id)
        await delete_memories(tx, [summary_id])


async def _come_back(tx: Tx, ids: Sequence[str]) -> list[str]:
    """Memories leave: what they replaced comes back, unless something else replaces it; answers what they replaced."""
    pairs = await tx.all("pairs_touching", ids=list(ids))
    if not pairs:
        return []
    olders = sorted({pair["older_id"] for pair in pairs} - set(ids))
    await tx.all("hold_superseded", ids=olders)
    bridges = await tx.all("bridges", ids=list(ids))
    if bridges:
        await tx.run(
            "put_supersessions", older=[row["older_id"] for row in bridges],
            newer=[row["newer_id"] for row in bridges], since=[row["since"] for row in bridges],
            bases=[row["basis"] for row in bridges],
        )  # fmt: skip
    await tx.run("delete_supersessions", ids=list(ids))
    await tx.all("mark_superseded", ids=sorted({*olders, *ids}))
    return olders


async def restore_displaced(tx: Tx, removed: Iterable[Row]) -> None:
    """Serve again what the statements ``removed`` had displaced, unless what displaced them stands.

    Each row has its node_id, its position and, in superseded_by, the position of what had displaced it.
    """
    nodes: dict[str, dict[int, int | None]] = defaultdict(dict)
    for row in removed:
        nodes[row["node_id"]][row["position"]] = row["superseded_by"]
    moved = [(node, at, standing(at, places)) for node, places in nodes.items() for at in places]
    if moved:
        await tx.run(
            "restore_displaced", nodes=[node for node, _, _ in moved],
            positions=[at for _, at, _ in moved], newer=[newer for _, _, newer in moved],
        )  # fmt: skip


def new_marks(
    feedback_id: str, texts: Sequence[tuple[str, tuple[str, ...]]], inputs: frozenset[str], keys: TenantKeys
) -> Marks:
    """What feedback marks as wrong: texts with the memories they rest on."""
    marks = tuple(
        Mark(
            id=mark_id(feedback_id, position), wording=keys.fingerprint("mark", *wording(text)),
            sources=frozenset(sources), inputs=inputs,
        )
        for position, (text, sources) in enumerate(texts)
    )  # fmt: skip
    return Marks(marks=marks, key=lambda words: keys.fingerprint("mark", *words))


def marks_of(rows: Sequence[Row], keys: TenantKeys) -> Marks:
    """What people marked as wrong of what rests on members of a group: rows of marks_of_group."""
    marks = tuple(
        Mark(
            id=mark_id(row["feedback_id"], row["position"]), wording=row["wording"],
            sources=frozenset(row["sources"]), inputs=frozenset(row["inputs"]),
        )
        for row in rows
    )  # fmt: skip
    return Marks(marks=marks, key=lambda wording: keys.fingerprint("mark", *wording))


def marks_on(root: MadeNode) -> Call:
    """Asks for the marks on what a draft rests on, behind the locks of the sources: whoever marks locks them, too."""
    leaves = {leaf.id for leaf in root.node.leaves()}
    return "marks_on", {"ids": sorted({id_ for s in root.statements for id_ in s.source_ids} & leaves)}


def refuse_unheard(plan: Plan, rows: Sequence[Row]) -> None:
    """Raises SourceChanged where something that a draft rests on was marked after it was planned."""
    if not plan.marks.ids.issuperset(mark_id(row["feedback_id"], row["position"]) for row in rows):
        raise SourceChanged


async def forget_marks(tx: Tx, ids: Sequence[str]) -> None:
    """Marks leave with the memories they rest on, in the transaction that forgets these, before the rows go.

    One whose every word another memory it rests on holds stays, without its text: it says nothing of what went.
    """
    names = {"ids": list(ids)}
    await tx.run("forget_texts", **names)
    await tx.run("forget_marks", **names)
    await tx.run("forget_sources", **names)
    await tx.run("forget_inputs", **names)
    await tx.run("forget_feedback")


def mark_id(feedback_id: str, position: int) -> str:
    """A mark in one word."""
    return f"{feedback_id}.{position}"
