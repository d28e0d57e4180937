"""What is said of the memories that a request in words may mean, and what it is answered: a preview, and a receipt."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any

import numpy as np

from precis.engine.forgetting import Receipt, Touch, TouchedSummary
from precis.finding.asked.asking import Request
from precis.finding.framing import unframed
from precis.finding.parts import Subject
from precis.finding.values import Finding, Findings, Level
from precis.finding.wording import stripped
from precis.makers import Embedder, Proposal, Proposer
from precis.store.forgotten.previews import Candidate
from precis.summary import Statement
from precis.typed import Published

#: So many memories in doubt, the likeliest, a preview lists unless it is asked for more: a person reads them.
MOST_DOUBTFUL = 30
#: So many memories in doubt are named where nothing is sure.
_LISTED = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Meant:
    """A memory that goes, may go, or is near."""

    id: str
    text: str
    created_at: datetime
    #: Why it is listed where it is.
    why: str
    how_sure: Annotated[str, Published(enum=["sure", "doubtful", "near"])]
    #: What stays of its text where only a part goes; None where it goes whole.
    keeps: str | None = None
    #: Whether it speaks of somebody else as well, and goes whole all the same.
    shared: bool = False
    #: What the model would do with it, where it was asked: of what is in doubt or near. Nothing follows from it.
    proposed: Proposal | None = None
    #: Whether the model alone puts it in doubt: by the rules it is only near.
    lifted: bool = False
    #: The day of what it tells, where its writer gave one.
    event_date: datetime | None = None
    #: How likely what is in doubt is meant, 0 to 1; None of what is sure or near.
    chance: Annotated[float | None, Published(description="of what is in doubt, how likely it is meant, 0 to 1")] = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Leaving:
    """What leaves a summary with the memories that go; more may leave that holds words of theirs alone."""

    summary_id: str
    statements: tuple[Statement, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Understood:
    """How the request was read."""

    language: str
    #: Whom or what it is about, any of them; none for everything in the scope.
    about: tuple[str, ...]
    #: What it leaves alone.
    but: tuple[str, ...] = ()
    #: What it names besides, and no memory tells of, in its words.
    not_found: tuple[str, ...] = ()
    #: Days, both included; None is open.
    first_day: Annotated[str, Published(format="date")] | None = None
    last_day: Annotated[str, Published(format="date")] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Preview:
    """What a request in words would forget. Only its id and those of its memories are kept, until ``expires_at``."""

    preview_id: str
    expires_at: datetime
    user_id: str
    understood: Understood
    #: Surely meant, oldest first.
    forget: tuple[Meant, ...]
    #: In doubt, the likeliest first: they stay unless they are chosen.
    doubtful: tuple[Meant, ...]
    #: They stay although they look like it; at most 20.
    near: tuple[Meant, ...]
    #: What leaves the summaries with those that are surely meant.
    summaries: tuple[Leaving, ...]
    #: How many more are in doubt, each less likely meant than those that are listed. They stay.
    more_doubtful: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Confirmed(Receipt):
    """The receipt of a request in words: of what it forgot whole, or of the first memory that lost a part."""

    #: Ids of the receipts of the other memories that lost a part: each has one of its own.
    also: tuple[str, ...] = ()
    #: Memories of which a part went, and the rest stayed.
    edited: tuple[str, ...] = ()
    #: Edited since they were shown, and so left alone.
    changed: tuple[str, ...] = ()
    #: How many were forgotten by somebody else since they were shown.
    gone: int = 0
    #: In doubt, and not asked for.
    doubtful: tuple[str, ...] = ()


def understood(request: Request, findings: Findings) -> Understood:
    """How a request was read, and what it names that no memory tells of."""
    period, bounds = request.period, (request.session, request.origin, request.by)
    return Understood(
        language=request.language,
        about=(*(_called(subject) for subject in request.subjects), *filter(None, bounds)),
        but=tuple(_called(subject) for subject in request.keeps),
        not_found=findings.missing,
        first_day=period.first.isoformat() if period and period.first.year > 1 else None,
        last_day=period.last.isoformat() if period and period.last.year < 9999 else None,
    )


def nothing_sure(preview: Preview) -> str:
    """Why nothing was forgotten, with what is in doubt and how to have it go; no text of a memory."""
    if not preview.doubtful:
        return f"nothing was forgotten: nothing is meant by that, and {len(preview.near)} only near, see the preview"
    listed = ", ".join(f"{row.id} ({row.why})" for row in preview.doubtful[:_LISTED])
    more = len(preview.doubtful) - _LISTED + preview.more_doubtful
    return (
        f"nothing was forgotten: all that may be meant is in doubt: {listed}{f' and {more} more' if more > 0 else ''}. "
        f"Confirm preview {preview.preview_id} with include_doubtful, or forget some of them by id"
    )


def _called(subject: Subject) -> str:
    """What a subject is called in the request, without the verb that asks to forget it."""
    bare = stripped(unframed(subject.text, subject.language)[0], subject.language)
    return bare or subject.text


def joined_receipts(receipts: Sequence[Receipt], **more: Any) -> Confirmed:
    """What several receipts of one request say together, under the id of the first."""
    first = receipts[0]
    return Confirmed(
        id=first.id,
        at=first.at,
        summaries=_each_once(summary for receipt in receipts for summary in receipt.summaries),
        statements_removed=sum(receipt.statements_removed for receipt in receipts),
        segments_removed=sum(receipt.segments_removed for receipt in receipts),
        refreshes_queued=tuple(dict.fromkeys(id_ for receipt in receipts for id_ in receipt.refreshes_queued)),
        number=first.number,
        previous=first.previous,
        signature=first.signature,
        also=tuple(receipt.id for receipt in receipts[1:]),
        **more,
    )


def _each_once(touched: Iterable[TouchedSummary]) -> tuple[TouchedSummary, ...]:
    """What became of each summary in all: what was deleted at last is deleted, and the statements add up."""
    summaries: dict[str, TouchedSummary] = {}
    for summary in touched:
        before = summaries.get(summary.id, summary)
        removed = summary.statements_removed + (before.statements_removed if before is not summary else 0)
        state: Touch = "deleted" if "deleted" in {before.state, summary.state} else "redacted"
        summaries[summary.id] = replace(summary, state=state, statements_removed=removed)
    return tuple(summaries.values())


#: What a model is asked about.
_DISPUTED = (Level.DOUBTFUL, Level.NEAR)


async def likened(
    candidates: list[Candidate], vectors: Sequence[Sequence[float]], embedder: Embedder
) -> list[Candidate]:
    """The candidates, the expired ones with how near they are to the phrases of the request."""
    expired = [candidate for candidate in candidates if candidate.expired]
    if not expired or not vectors:
        return candidates
    embedded = await embedder.embed([candidate.row.text for candidate in expired])
    likeness = np.asarray(embedded, dtype=np.float32) @ np.asarray(vectors, dtype=np.float32).T
    near = {candidate.row.id: tuple(map(float, each)) for candidate, each in zip(expired, likeness, strict=True)}
    return [
        replace(candidate, row=replace(candidate.row, likeness=near.get(candidate.row.id, candidate.row.likeness)))
        for candidate in candidates
    ]


def with_sealed(findings: Findings, candidates: Mapping[str, Candidate]) -> Findings:
    """Of these, what cannot be edited goes whole, or is in doubt."""
    return replace(findings, rows=tuple(_of(finding, candidates[finding.id]) for finding in findings.rows))


def _of(finding: Finding, candidate: Candidate) -> Finding:
    if candidate.expired:
        finding = replace(finding, why=f"{finding.why}; its text has expired, and this is what is still said of it")
    if not finding.keeps or not candidate.sealed:
        return finding
    why = "only a part of it is meant, and it cannot be edited"
    if candidate.expired:
        why = "only a part of what is still said of it is meant, and its text has expired"
    return replace(finding, keeps=(), level=min(finding.level, Level.DOUBTFUL), why=why)


async def with_proposals(
    findings: Findings, candidates: Mapping[str, Candidate], proposer: Proposer | None, what: str, *, tenant_id: str
) -> tuple[Findings, Mapping[str, Proposal]]:
    """What was found, with what the model put in doubt; and what it proposes, by id."""
    disputed = [finding for level in _DISPUTED for finding in findings.of(level)]
    if proposer is None or not disputed:
        return findings, {}
    texts = [candidates[finding.id].row.text for finding in disputed]
    by_place = await proposer.propose(what, texts, tenant_id=tenant_id)
    proposals = {disputed[at].id: proposal for at, proposal in by_place.items()}
    rows = tuple(_doubted(finding, proposals.get(finding.id)) for finding in findings.rows)
    return replace(findings, rows=rows), proposals


def _doubted(finding: Finding, proposal: Proposal | None) -> Finding:
    if proposal is None:
        return finding
    level = max(finding.level, Level.DOUBTFUL) if proposal is Proposal.FORGET else finding.level
    return replace(finding, level=level, why=f"{finding.why}; the model proposes to {proposal} it")
