"""precis demo: a conversation goes in, and everything precis promises is shown on it."""

import fcntl
import shutil
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from precis.app import App
from precis.app.recall import Recalled
from precis.app.receipts import Evidence, Verification
from precis.bootstrap import Runtime, open_runtime
from precis.cli import forgetting, moving, receipts
from precis.cli.printing import citation, counted, output, plain, print_hanging, print_receipt, progress, subject_of
from precis.cli.summaries import newest_statement, speaker_of
from precis.cli.verb import settings_for, tell_progress, verb
from precis.demo import Question, Story, Wish, first_meant, questions_about, story_of, wishes, worth_showing
from precis.engine.forgetting import Receipt
from precis.errors import ConfigurationError
from precis.keys.tenants import DEFAULT_TENANT
from precis.memory import Memory
from precis.summary import Summary

_BATCH = 200
_SHOWN = 5
#: Where the settings may lead that are not the demo's.
_ELSEWHERE = (
    "database_url",
    "database_owner_url",
    "keys_dir",
    "keys_url",
    "forgotten_dir",
    "forgotten_url",
    "master_key",
)


@dataclass(frozen=True, kw_only=True)
class _Stage:
    """What the scenes of the demo share."""

    runtime: Runtime
    app: App
    story: Story
    tally: moving.Tally

    @property
    def user_id(self) -> str:
        """Whose conversation it is."""
        return str(self.story.rows[0]["user_id"])

    async def summaries(self) -> tuple[Summary, ...]:
        """All of them."""
        return (await self.app.summaries.list(limit=1000)).rows

    async def memories(self, summaries: Sequence[Summary]) -> Mapping[str, Memory]:
        """The sources of these summaries."""
        return await self.app.memories.get_many([id_ for summary in summaries for id_ in summary.leaf_source_ids])


@verb
async def demo(
    *,
    file: Annotated[
        Path | None, typer.Option(envvar="DEMO_FILE", help="A conversation of yours; else the one precis brings.")
    ] = None,
    data_dir: Annotated[Path, typer.Option("--data-dir", help="Emptied at the start, kept at the end.")] = Path(
        ".demo"
    ),
) -> None:
    """See what precis does: summaries with citations, recall, forgetting with proof. Takes about half a minute."""
    story = story_of(file)
    started = time.monotonic()
    async with _fresh(data_dir) as runtime:
        stage = _Stage(runtime=runtime, app=runtime.app(DEFAULT_TENANT), story=story, tally=moving.Tally())
        await _write(stage)
        await _show_summaries(stage)
        await _ask(stage)
        await _forget(stage)
        await _refresh_nothing(stage)
        _close(stage, data_dir, time.monotonic() - started)


@asynccontextmanager
async def _fresh(data_dir: Path) -> AsyncIterator[Runtime]:
    """precis over an empty folder of its own, whatever database the settings name."""
    _empty(data_dir)
    own = dict.fromkeys(_ELSEWHERE) | {"replica_urls": [], "key_provider": "folder"}
    settings = settings_for(data_dir).model_copy(update=own)
    async with open_runtime(settings, progress=tell_progress) as runtime:
        yield runtime


def _empty(data_dir: Path) -> None:
    """Remove what the last demo left. Raises ConfigurationError for a folder that is not a demo's, or in use."""
    if not data_dir.exists():
        return
    users = data_dir / "users.lock"
    if not users.exists():
        if any(data_dir.iterdir()):
            raise ConfigurationError(f"{data_dir} is not a data folder of precis: name another, or an empty one")
        return
    with users.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ConfigurationError(f"{data_dir} is in use by another precis: name another folder") from error
        shutil.rmtree(data_dir)


def _scene(title: str, explanation: str) -> None:
    output.print()
    output.rule(plain(title, "bold"), align="left", style="cyan")
    output.print(explanation, style="italic", markup=False)
    output.print()


# --- the scenes ---


async def _write(stage: _Stage) -> None:
    rows, by = stage.story.rows, stage.runtime.engine.summarizer.name
    offline = "offline: no key, no network, no model" if stage.runtime.engine.offline else f"with {by}"
    _scene("1  Memories go in", f"Everything below happens on this computer, {offline}.")
    began = stage.runtime.engine.clock()
    with progress() as bar:
        task = bar.add_task("reading memories", total=len(rows))
        for start in range(0, len(rows), _BATCH):
            batch = [dict(row) for row in rows[start : start + _BATCH]]
            written = await stage.app.memories.add(batch, summarize="deferred")
            stage.tally.created += sum(1 for memory in written.memories if memory.created)
            bar.advance(task, len(batch))
        await moving.refresh_due(stage.runtime, stage.app, stage.tally, since=began, bar=bar)
    dates = sorted(str(row["created_at"])[:10] for row in rows if row.get("created_at"))
    span = f", said between {dates[0]} and {dates[-1]}" if dates else ""
    stats = await stage.app.summaries.stats()
    output.print(f"{stage.story.name}: {stage.tally.created} memories{span}.", markup=False)
    output.print(
        f"By person, kind and subject they fell into {stats.clusters} clusters; the {stats.summaries} with three "
        f"memories or more have a summary now. The other {stats.sparse} stay as they are: they are short enough."
    )


async def _show_summaries(stage: _Stage) -> None:
    _scene(
        "2  Summaries, and where each sentence comes from",
        "A summary is made of statements, and each names the memories it rests on: [date speaker id].",
    )
    summaries = await stage.summaries()
    memories = await stage.memories(summaries)
    for summary in worth_showing(summaries)[:_SHOWN]:
        _print_statements(summary, memories)
        output.print()
    count = stage.runtime.engine.count
    before = sum(memories[id_].tokens for summary in summaries for id_ in summary.leaf_source_ids if id_ in memories)
    after = sum(count(summary.text) for summary in summaries)
    if before:
        output.print(
            f"All {len(summaries)} summaries: {after:,} tokens in place of {before:,}, that is {after / before:.0%}."
        )


def _print_statements(summary: Summary, memories: Mapping[str, Memory]) -> None:
    who = speaker_of(summary, memories)
    title = subject_of(summary.extracted_type, summary.extracted_key, who, summary.title)
    output.print(plain(f"{title}  ({len(summary.parent_id)} memories)", "bold"))
    for statement in summary.statements:
        cited = " ".join(citation(memories[id_]) for id_ in statement.source_ids if id_ in memories)
        print_hanging("  • ", statement.text, cited)


async def _ask(stage: _Stage) -> None:
    _scene(
        "3  Questions, answered by recall", "Recall finds raw memories and summaries together; nothing is generated."
    )
    questions = list(stage.story.questions)
    if not questions:
        summaries = await stage.summaries()
        memories = await stage.memories(summaries)
        questions = questions_about([(summary, speaker_of(summary, memories)) for summary in summaries])
    for number, question in enumerate(questions):
        if number:
            output.print()
        results = await stage.app.recall.search(question.text, limit=5, expand=True, user_id=stage.user_id)
        await _print_answer(stage, question, results)


async def _print_answer(stage: _Stage, question: Question, results: Sequence[Recalled]) -> None:
    output.print(plain(f"“{question.text}”", "bold"))
    if question.expected is not None:
        output.print(plain(f"  the file's own answer: {question.expected}", "dim"))
    for result in results:
        text, where = result.memory.text, citation(result.memory)
        if result.memory.is_summary:
            summary = await stage.app.summaries.get(result.memory.id)
            newest = newest_statement(summary, result.sources)
            cited = " ".join(citation(source) for source in result.sources if source.id in newest.source_ids)
            text, where = newest.text, f"{cited} the newest of {len(summary.statements)} statements of a summary"
        print_hanging(f"  {result.score.total:.2f}  ", text or "(expired)", where)


async def _forget(stage: _Stage) -> None:
    summaries = await stage.summaries()
    memories = await stage.memories(summaries)
    possible = [stage.story.wish] if stage.story.wish else wishes(stage.story.rows, summaries, memories)
    meant = await first_meant(stage.app, stage.user_id, possible)
    if meant is None:
        output.print("\nNo statement here rests on one memory that a word of its own names: the demo forgets nothing.")
        return
    wish, preview = meant
    _scene(
        "4  Forgetting, in words",
        f"Somebody asks precis to forget “{wish.words}”. It shows what that means, and forgets nothing until somebody "
        "agrees. Of a memory that says something else as well, the rest stays.",
    )
    forgetting.print_preview(preview)
    going = {row.id for row in preview.forget}
    touched = [summary for summary in summaries if going & set(summary.leaf_source_ids)]
    output.print(plain("Before", "bold"))
    for summary in touched:
        _print_statements(summary, memories)
    verification = Verification(stage.runtime.database, stage.runtime.settings, DEFAULT_TENANT)
    before = sum(place.hits for place in await verification.look([wish.word]))
    ids = [row.id for row in preview.forget if row.keeps is None]
    evidence = await verification.record(ids, now=stage.runtime.engine.clock())
    search = f"A search for “{wish.word}” finds it {before} times; its bytes on disk are written down."
    output.print(plain(f"\n{search}\n"))
    output.print(plain("Somebody agrees: what was shown goes", "bold"))
    receipt = await stage.app.memories.forget(preview)
    print_receipt(receipt)
    with progress() as bar:
        await moving.refresh_due(stage.runtime, stage.app, stage.tally, bar=bar)
    await _show_after(stage, touched)
    await _prove(verification, wish, evidence)
    await _verify(stage, receipt)


async def _show_after(stage: _Stage, touched: Sequence[Summary]) -> None:
    output.print(plain("\nAfter: the same summaries, derived anew from what is left", "bold"))
    standing = {summary.id: summary for summary in await stage.summaries()}
    for summary in touched:
        if summary.id in standing:
            _print_statements(standing[summary.id], await stage.memories([standing[summary.id]]))
        else:
            output.print("Too little was left for a summary: it is gone, the other memories stay.")


async def _prove(verification: Verification, wish: Wish, evidence: Evidence) -> None:
    _scene(
        "5  The proof, and the receipt",
        "Every row is decrypted and searched, every column of every table, and the database's files byte by byte, "
        "after they were rewritten. The recorded bytes were found in these files before.",
    )
    forgetting.print_looked(await verification.look([wish.word], evidence=evidence, deep=True), repr(wish.word))


async def _verify(stage: _Stage, receipt: Receipt) -> None:
    """The receipt as it was signed, and what a verification says of all of them."""
    output.print(f"\nReceipt number {receipt.number} is signed; each names the one before it by its hash:")
    print_hanging("  signature  ", str(receipt.signature))
    output.print("What `precis receipts verify` says of every receipt so far:", markup=False)
    receipts.tell_verdict(await stage.app.receipts.verify(), stored=True)


async def _refresh_nothing(stage: _Stage) -> None:
    _scene("6  A refresh without changes", "Every cluster is asked to be made current once more.")
    outcomes = await stage.app.summaries.refresh_all(stale_only=False)
    numbers = Counter(str(outcome.result) for outcome in outcomes)
    results = ", ".join(f"{number} {result}" for result, number in numbers.items())
    drafts = sum(outcome.nodes_made for outcome in outcomes)
    calls = sum(outcome.usage.calls for outcome in outcomes)
    tokens = sum(outcome.usage.tokens_in for outcome in outcomes)
    taken = f"{counted(calls, 'model call')}, {tokens} tokens"
    output.print(f"{len(outcomes)} clusters: {results}. {drafts} drafts made, {taken}.")


def _close(stage: _Stage, data_dir: Path, seconds: float) -> None:
    tally = stage.tally
    _scene("What it took", f"{seconds:.0f} seconds, starting and rewriting the database included.")
    output.print(
        f"{tally.refreshed} summaries made or refreshed, {counted(tally.calls, 'model call')}, "
        f"{tally.tokens_in + tally.tokens_out:,} tokens, US$ {tally.cost:.2f}."
    )
    output.print()
    output.print("Look around in it:", style="bold")
    for command in ("summaries list", "recall 'what changed this summer?'", "receipts list", "plan --all"):
        output.print(f"  precis {command} --data-dir {data_dir}", markup=False, soft_wrap=True)
    output.print()
    output.print("Or in a browser: start this, and open http://127.0.0.1:8766", style="bold")
    output.print(f"  precis serve --data-dir {data_dir}", markup=False, soft_wrap=True)
