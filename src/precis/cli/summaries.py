"""precis summaries list, show, expand, refresh, feedback and delete."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from precis.app import App
from precis.cli.options import DEFAULT_TENANT, DataDir, Json, Tenant, User
from precis.cli.printing import citation, counted, counts_line, day, output, plain, subject_of, write_json
from precis.cli.running import opened_app, run
from precis.cli.tables import print_table, table
from precis.engine.commit import Result
from precis.errors import DraftFailed
from precis.memory import Memory
from precis.rest.answers import (
    CountsBody,
    FeedbackAnswer,
    FeedbackBody,
    FeedbackPage,
    MemoryBody,
    SourceList,
    SummaryBody,
    SummaryPage,
)
from precis.summary import Summary

verbs = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
SummaryId = Annotated[str, typer.Argument(help="As `precis summaries list` shows it.")]


@verbs.command("list")
def list_(
    *,
    user_id: User = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 50,
    cursor: Annotated[str | None, typer.Option(help="Where the last page ended.")] = None,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """List summaries, the newest refresh first."""
    run(_list(user_id, limit, cursor, tenant, data_dir, as_json=as_json))


async def _list(
    user_id: str | None, limit: int, cursor: str | None, tenant: str, data_dir: Path | None, *, as_json: bool
) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        page = await app.summaries.list(user_id=user_id, limit=limit, cursor=cursor)
    if as_json:
        write_json(SummaryPage(summaries=[SummaryBody.of(one) for one in page.rows], next_cursor=page.next_cursor))
        return
    if not page.rows:
        output.print("No summaries yet: a cluster gets one with its third memory.")
        return
    made = table("Summaries", "id", "about", "of", "state", "begins", right=("of",), unbroken=("id", "state"))
    for one in page.rows:
        about = subject_of(one.extracted_type, one.extracted_key)
        made.add_row(one.id, plain(about), str(len(one.parent_id)), _state(one), plain(_beginning(one)))
    print_table(made)
    if page.next_cursor:
        output.print(f"More: --cursor {page.next_cursor}", style="dim", soft_wrap=True)


def _state(summary: Summary) -> str:
    state = "fallback" if summary.fallback else "stale" if summary.stale else "current"
    return f"{state}, rejected" if summary.rejected else state


def _beginning(summary: Summary, width: int = 60) -> str:
    return summary.text if len(summary.text) <= width else summary.text[: width - 1].rstrip() + "…"


@verbs.command()
def show(
    summary_id: SummaryId, *, tenant: Tenant = DEFAULT_TENANT, data_dir: DataDir = None, as_json: Json = False
) -> None:
    """Show a summary: each statement with the memories it rests on."""
    run(_show(summary_id, tenant, data_dir, as_json=as_json))


async def _show(summary_id: str, tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        summary = await app.summaries.get(summary_id)
        if as_json:
            write_json(SummaryBody.of(summary))
        else:
            await print_summary(app, summary)


async def print_summary(app: App, summary: Summary) -> None:
    """A heading and the statements, cited."""
    sources = await app.memories.get_many(summary.leaf_source_ids)
    about = subject_of(summary.extracted_type, summary.extracted_key, speaker_of(summary, sources))
    made = f"{summary.made_by}, quality {summary.quality:.2f}, {_state(summary)}, refreshed {day(summary.updated_at)}"
    output.print(plain(f"{about} ({len(summary.parent_id)} memories)", "bold"))
    output.print(plain(f"{summary.id}: {made}", "dim"), soft_wrap=True)
    output.print(plain(counts_line(summary.counts), "dim"), soft_wrap=True)
    for number, statement in enumerate(summary.statements):
        cited = " ".join(citation(sources[id_]) for id_ in statement.source_ids if id_ in sources)
        output.print(plain(f"  {number} • {statement.text} "), plain(cited, "dim"), sep="", soft_wrap=True)


def speaker_of(summary: Summary, sources: Mapping[str, Memory]) -> str | None:
    """Who said it all; None when several did."""
    speakers = {sources[id_].speaker for id_ in summary.leaf_source_ids if id_ in sources}
    return speakers.pop() if len(speakers) == 1 else None


@verbs.command()
def expand(
    summary_id: SummaryId, *, tenant: Tenant = DEFAULT_TENANT, data_dir: DataDir = None, as_json: Json = False
) -> None:
    """Show the memories a summary was made of, oldest first."""
    run(_expand(summary_id, tenant, data_dir, as_json=as_json))


async def _expand(summary_id: str, tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        sources = await app.summaries.expand(summary_id)
        counts = (await app.summaries.get(summary_id)).counts
    if as_json:
        write_json(SourceList(memories=[MemoryBody.of(one) for one in sources], counts=CountsBody.of(counts)))
        return
    output.print(plain(counts_line(counts), "dim"), soft_wrap=True)
    for one in sources:
        output.print(plain(citation(one) + " ", "dim"), plain(one.text or "(expired)"), sep="", soft_wrap=True)


@verbs.command()
def refresh(
    summary_id: SummaryId,
    *,
    force: Annotated[bool, typer.Option("--force", help="Make it anew although nothing changed.")] = False,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Make a summary current now; without changes this calls no model."""
    run(_refresh(summary_id, tenant, data_dir, force=force, as_json=as_json))


async def _refresh(summary_id: str, tenant: str, data_dir: Path | None, *, force: bool, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        outcome = await app.summaries.refresh(summary_id, force=force)
    if outcome.result is Result.FAILED:
        raise DraftFailed(f"{summary_id} was not refreshed, what stood stays: {outcome.reason}")
    if as_json:
        write_json(outcome)
        return
    used = outcome.usage
    output.print(
        f"{outcome.result}: {outcome.reason} ({used.calls} calls, {used.tokens_in + used.tokens_out} tokens, "
        f"US$ {used.cost:.4f})",
        markup=False, soft_wrap=True,
    )  # fmt: skip


@verbs.command()
def feedback(
    summary_id: Annotated[str | None, typer.Argument(help="The summary; without one, feedback is listed.")] = None,
    verdict: Annotated[str | None, typer.Argument(help="wrong or good; without one, feedback is listed.")] = None,
    *,
    statement: Annotated[
        int | None, typer.Option("--statement", min=0, help="Its number, as `show` prints it; else the whole summary.")
    ] = None,
    note: Annotated[str | None, typer.Option("--note", help="Why.")] = None,
    take_back: Annotated[
        str | None, typer.Option("--take-back", help="Take this feedback back, as if it had never been given.")
    ] = None,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Mark a summary or a statement as wrong or good; what is wrong is withdrawn, and not said again."""
    if take_back is not None:
        if summary_id is not None or verdict is not None:
            raise typer.BadParameter("--take-back names the feedback by its own id, and nothing else is given with it")
        run(_take_back(take_back, tenant, data_dir, as_json=as_json))
    elif summary_id is None or verdict is None:
        run(_list_feedback(summary_id, tenant, data_dir, as_json=as_json))
    elif verdict not in ("wrong", "good"):
        raise typer.BadParameter(f"{verdict!r} is not wrong or good", param_hint="VERDICT")
    else:
        about = {"statement": statement, "note": note}
        run(_give_feedback(summary_id, verdict, about, tenant, data_dir, as_json=as_json))


async def _give_feedback(
    summary_id: str, verdict: Any, about: dict[str, Any], tenant: str, data_dir: Path | None, *, as_json: bool
) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        given = await app.feedback.give(summary_id, verdict, **about)
    if as_json:
        write_json(FeedbackAnswer.of(given))
        return
    output.print(f"Noted as {given.feedback.id}.", markup=False)
    if verdict == "wrong":
        statements = counted(given.withdrawn, "statement")
        summaries = counted(len(given.summary_ids), "summary", "summaries")
        output.print(f"{statements} withdrawn from {summaries}, made anew without it.", markup=False)


async def _take_back(feedback_id: str, tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        outcomes = await app.feedback.take_back(feedback_id)
    if as_json:
        write_json({"id": feedback_id, "outcomes": list(outcomes)})
    else:
        output.print(f"{feedback_id} is taken back; {counted(len(outcomes), 'summary', 'summaries')} made anew.")


async def _list_feedback(summary_id: str | None, tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        page = await app.feedback.list(summary_id=summary_id, limit=1000)
    if as_json:
        write_json(FeedbackPage(feedback=[FeedbackBody.of(row) for row in page.rows], next_cursor=page.next_cursor))
        return
    made = table("Feedback", "id", "summary", "verdict", "of", "note", unbroken=("id", "summary"))
    for row in page.rows:
        text = "the whole summary" if row.whole else next((one.text for one in row.statements), None) or "(forgotten)"
        made.add_row(row.id, row.summary_id, row.verdict, plain(text), plain(row.note or ""))
    output.print(made)


@verbs.command()
def delete(
    summary_id: SummaryId, *, tenant: Tenant = DEFAULT_TENANT, data_dir: DataDir = None, as_json: Json = False
) -> None:
    """Remove a summary; its memories stay, and none is made of them until they change."""
    run(_delete(summary_id, tenant, data_dir, as_json=as_json))


async def _delete(summary_id: str, tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        await app.summaries.delete(summary_id)
    if as_json:
        write_json({"id": summary_id, "deleted": True})
    else:
        output.print(f"{summary_id} is deleted; its memories are untouched.")
