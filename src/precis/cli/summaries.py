"""precis summaries list, show, history, expand, refresh, feedback and delete."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from precis.app import App
from precis.app.summaries import Verdict
from precis.cli.printing import (
    citation,
    counted,
    counts_line,
    day,
    output,
    plain,
    print_dim,
    print_more,
    print_table,
    subject_of,
    table,
)  # fmt: skip
from precis.cli.verb import Answer, AsOf, Cursor, Limit, Opening, User, group, verb
from precis.engine.drafted import Result
from precis.errors import DraftFailed
from precis.memory import Memory
from precis.rest import summary_answers as bodies
from precis.rest.answers import MemoryBody
from precis.store.feedback import Feedback
from precis.summary import Statement, Summary

verbs = group()
SummaryId = Annotated[str, typer.Argument(help="As `precis summaries list` shows it.")]


@verbs.command("list")
@verb
async def list_(
    app: App, *, user_id: User = None, as_of: AsOf = None, limit: Limit = 50, cursor: Cursor = None
) -> Answer:
    """List summaries, the newest refresh first."""
    page = await app.summaries.list(user_id=user_id, as_of=as_of, limit=limit, cursor=cursor)

    def words() -> None:
        if not page.rows:
            yet = "No summaries yet: a cluster gets one with its third memory."
            output.print(yet if as_of is None else "No summary stood then that is still kept.")
            return
        rows = [
            (
                row.id,
                plain(subject_of(row.extracted_type, row.extracted_key, title=row.title)),
                str(len(row.parent_id)),
                _state(row),
                plain(_beginning(row)),
            )
            for row in page.rows
        ]
        columns = ("id", "about", "of", "state", "begins")
        print_table(table("Summaries", *columns, rows=rows, right=("of",), unbroken=("id", "state")))
        print_more(page.next_cursor)

    body = bodies.SummaryPage(summaries=[bodies.SummaryBody.of(row) for row in page.rows], next_cursor=page.next_cursor)
    return Answer(json=body, words=words)


def _state(summary: Summary) -> str:
    state = "fallback" if summary.fallback else "stale" if summary.stale else "current"
    return f"{state}, rejected" if summary.rejected else state


def _beginning(summary: Summary, width: int = 60) -> str:
    return summary.text if len(summary.text) <= width else summary.text[: width - 1].rstrip() + "…"


@verbs.command()
@verb
async def show(app: App, summary_id: SummaryId, *, as_of: AsOf = None) -> Answer:
    """Show a summary: each statement with the memories it rests on."""
    summary = await app.summaries.get(summary_id, as_of=as_of)
    sources = await app.memories.get_many(summary.leaf_source_ids)
    return Answer(json=bodies.SummaryBody.of(summary), words=lambda: _print_summary(summary, sources))


def _print_summary(summary: Summary, sources: Mapping[str, Memory]) -> None:
    """A heading and the statements, cited."""
    about = subject_of(summary.extracted_type, summary.extracted_key, speaker_of(summary, sources), summary.title)
    output.print(plain(f"{about} ({len(summary.parent_id)} memories)", "bold"))
    quality, refreshed = f"quality {summary.quality:.2f}", f"refreshed {day(summary.updated_at)}"
    print_dim(f"{summary.id}: {summary.made_by}, {quality}, {_state(summary)}, {refreshed}")
    print_dim(counts_line(summary.counts))
    for number, statement in enumerate(summary.statements):
        cited = " ".join(citation(sources[id_]) for id_ in statement.source_ids if id_ in sources)
        output.print(plain(f"  {number} • {statement.text} "), plain(cited, "dim"), sep="", soft_wrap=True)


@verbs.command()
@verb
async def history(app: App, summary_id: SummaryId) -> Answer:
    """Show the last refreshes of a summary, the newest first: when, why, what came and went, what it cost."""
    past = await app.summaries.history(summary_id)

    def words() -> None:
        for refreshed in past.refreshes:
            came, went = (counted(len(ids), "memory", "memories") for ids in (refreshed.came, refreshed.went))
            title = f"{refreshed.number}  {refreshed.refreshed_at:%Y-%m-%d %H:%M}  {refreshed.reason}"
            output.print(plain(title, "bold"), soft_wrap=True)
            cost = f"{counted(refreshed.calls, 'call')}, {refreshed.tokens:,} tokens, US$ {refreshed.cost:.4f}"
            print_dim(f"   {came} came, {went} went; {refreshed.made_by}, {cost}")
            for sign, statements in (("+", refreshed.added), ("-", refreshed.dropped)):
                for statement in statements:
                    output.print(plain(f"   {sign} {statement.text}"), soft_wrap=True)
        if not past.refreshes:
            output.print("No refresh of it is kept.")

    return Answer(json=bodies.HistoryAnswer.of(past), words=words)


def speaker_of(summary: Summary, sources: Mapping[str, Memory]) -> str | None:
    """Who said it all; None when several did."""
    speakers = {sources[id_].speaker for id_ in summary.leaf_source_ids if id_ in sources}
    return speakers.pop() if len(speakers) == 1 else None


def newest_statement(summary: Summary, sources: Sequence[Memory]) -> Statement:
    """The statement with the newest source."""
    told_at = {source.id: source.created_at for source in sources}
    return max(
        summary.statements,
        key=lambda each: max((told_at[id_] for id_ in each.source_ids if id_ in told_at), default=summary.created_at),
    )


@verbs.command()
@verb
async def expand(app: App, summary_id: SummaryId) -> Answer:
    """Show the memories a summary was made of, oldest first."""
    sources = await app.summaries.expand(summary_id)
    counts = (await app.summaries.get(summary_id)).counts

    def words() -> None:
        print_dim(counts_line(counts))
        for memory in sources:
            text = plain(memory.text or "(expired)")
            output.print(plain(citation(memory) + " ", "dim"), text, sep="", soft_wrap=True)

    body = bodies.SourceList(
        memories=[MemoryBody.of(memory) for memory in sources], counts=bodies.CountsBody.of(counts)
    )
    return Answer(json=body, words=words)


@verbs.command()
@verb
async def refresh(
    app: App,
    summary_id: SummaryId,
    *,
    force: Annotated[bool, typer.Option("--force", help="Make it anew although nothing changed.")] = False,
) -> Answer:
    """Make a summary current now; without changes this calls no model."""
    outcome = await app.summaries.refresh(summary_id, force=force)
    if outcome.result is Result.FAILED:
        raise DraftFailed(f"{summary_id} was not refreshed, what stood stays: {outcome.reason}")
    usage = outcome.usage
    tokens = usage.tokens_in + usage.tokens_out
    text = f"{outcome.result}: {outcome.reason} ({usage.calls} calls, {tokens} tokens, US$ {usage.cost:.4f})"
    return Answer(json=outcome, words=lambda: output.print(text, markup=False, soft_wrap=True))


@verbs.command()
@verb
async def feedback(
    opening: Opening,
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
) -> Answer:
    """Mark a summary or a statement as wrong or good; what is wrong is withdrawn, and not said again."""
    if take_back is not None and (summary_id is not None or verdict is not None):
        raise typer.BadParameter("--take-back names the feedback by its own id, and nothing else is given with it")
    mark = _verdict(verdict)
    async with opening() as (_, app):
        if take_back is not None:
            return await _take_back(app, take_back)
        if summary_id is None or mark is None:
            return await _list_feedback(app, summary_id)
        return await _give_feedback(app, summary_id, mark, statement, note)


def _verdict(name: str | None) -> Verdict | None:
    match name:
        case None | "wrong" | "good":
            return name
        case _:
            raise typer.BadParameter(f"{name!r} is not wrong or good", param_hint="VERDICT")


async def _give_feedback(
    app: App, summary_id: str, verdict: Verdict, statement: int | None, note: str | None
) -> Answer:
    noted = await app.feedback.give(summary_id, verdict, statement=statement, note=note)

    def words() -> None:
        output.print(f"Noted as {noted.feedback.id}.", markup=False)
        if verdict == "wrong":
            statements = counted(noted.withdrawn, "statement")
            summaries = counted(len(noted.summary_ids), "summary", "summaries")
            output.print(f"{statements} withdrawn from {summaries}, made anew without it.", markup=False)

    return Answer(json=bodies.FeedbackAnswer.of(noted), words=words)


async def _take_back(app: App, feedback_id: str) -> Answer:
    outcomes = await app.feedback.take_back(feedback_id)
    text = f"{feedback_id} is taken back; {counted(len(outcomes), 'summary', 'summaries')} made anew."
    return Answer(json={"id": feedback_id, "outcomes": outcomes}, words=lambda: output.print(text))


async def _list_feedback(app: App, summary_id: str | None) -> Answer:
    page = await app.feedback.list(summary_id=summary_id, limit=1000)
    rows = [(row.id, row.summary_id, row.verdict, plain(_marked(row)), plain(row.note or "")) for row in page.rows]
    columns = ("id", "summary", "verdict", "of", "note")
    filled = table("Feedback", *columns, rows=rows, unbroken=("id", "summary"))
    body = bodies.FeedbackPage(
        feedback=[bodies.FeedbackBody.of(row) for row in page.rows], next_cursor=page.next_cursor
    )
    return Answer(json=body, words=lambda: print_table(filled))


def _marked(feedback: Feedback) -> str:
    """What of a summary was marked."""
    if feedback.whole:
        return "the whole summary"
    return next((statement.text for statement in feedback.statements), None) or "(forgotten)"


@verbs.command()
@verb
async def delete(app: App, summary_id: SummaryId) -> Answer:
    """Remove a summary; its memories stay, and none is made of them until they change."""
    await app.summaries.delete(summary_id)
    return Answer(
        json={"id": summary_id, "deleted": True},
        words=lambda: output.print(f"{summary_id} is deleted; its memories are untouched."),
    )
