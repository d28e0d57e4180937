"""S1.4: enabled, scheduleTime, retainDays and model, as the document writes them."""

from __future__ import annotations

from datetime import UTC, datetime, time
from pathlib import Path

import pytest
from nights import NOTES, SUNDAY, Nights, Scoring
from pydantic import ValidationError

from precis.app.passes import rollup_settings
from precis.bootstrap import build_policies
from precis.policies.rollups import Rollups
from precis.settings import Settings

pytestmark = pytest.mark.asyncio(loop_scope="session")
#: The document's block, word for word.
BLOCK = """settings:
  memory:
    summarization:
      enabled: true
      scheduleTime: "05:00"     # Nightly compaction time (UTC)
      retainDays: 30            # How many days of raw daily notes to keep before compaction
      model: gpt-4o-mini        # LLM used for consolidation (cheaper models work well here)
"""


@pytest.fixture
def configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A settings file that precis reads."""
    file = tmp_path / "precis.yaml"
    monkeypatch.setenv("PRECIS_CONFIG", str(file))
    return file


async def test_the_defaults_are_the_documents(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Enabled, at five, thirty days."""
    monkeypatch.chdir(tmp_path)
    assert Rollups() == rollup_settings(Settings())
    assert (True, time(5), 30) == (Rollups().enabled, Rollups().schedule_time, Rollups().retain_days)


async def test_the_documents_block_loads_unchanged(configured: Path) -> None:
    """And its model is the one that is asked for days, weeks and months."""
    configured.write_text(BLOCK)
    assert Rollups(model="gpt-4o-mini") == rollup_settings(Settings())
    policies = build_policies(Settings())
    assert {"gpt-4o-mini"} == {policies[name].summarize.model for name in ("day", "week", "month")}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("enabled: false", Rollups(enabled=False)),
        ('scheduleTime: "23:30"', Rollups(schedule_time=time(23, 30))),
        ("scheduleTime: 10:30", Rollups(schedule_time=time(10, 30))),
        ("retainDays: 7", Rollups(retain_days=7)),
    ],
)
async def test_each_of_its_names_is_read(configured: Path, written: str, meant: Rollups) -> None:
    """One at a time; a time may be written without quotes."""
    configured.write_text(f"settings: {{memory: {{summarization: {{{written}}}}}}}")
    assert meant == rollup_settings(Settings())


@pytest.mark.parametrize(
    "block",
    [
        "settings: {memory: {summarization: {retaindays: 3}}}",
        "settings: {memory: {summarisation: {enabled: false}}}",
        "settings: {memories: {}}",
        "settings: 3",
        'settings: {memory: {summarization: {scheduleTime: "5 in the morning"}}}',
        "settings: {memory: {summarization: {retainDays: -1}}}",
    ],
)
async def test_a_misspelled_name_is_an_error(configured: Path, block: str) -> None:
    """In the block as anywhere in the file."""
    configured.write_text(block)
    with pytest.raises(ValidationError):
        Settings()


async def test_the_environment_is_stronger_than_the_file(configured: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the names of precis."""
    configured.write_text(BLOCK)
    monkeypatch.setenv("PRECIS_ROLLUPS_RETAIN_DAYS", "90")
    monkeypatch.setenv("PRECIS_ROLLUPS_SCHEDULE_TIME", "01:15")
    assert Rollups(retain_days=90, schedule_time=time(1, 15), model="gpt-4o-mini") == rollup_settings(Settings())


async def test_disabled_nothing_is_made_by_its_date(nights: Nights) -> None:
    """Neither week nor month nor day, however late it is; on request it is."""
    off = nights.set(rollups_enabled=False)
    await off.week()
    await off.nightly(SUNDAY.replace(day=22), 40)
    assert [] == [summary for kind in ("day", "week", "month") for summary in await off.summaries(kind)]
    made = await off.app.rollups.summarize("mara", "weekly", day=SUNDAY)
    assert ("complete", 7) == (made.status, made.notes_consolidated)


async def test_switched_on_again_what_was_left_is_made_up(nights: Nights) -> None:
    """The week of the time when rollups were off, and one noted before they were switched off."""
    await nights.note(NOTES[0], SUNDAY)
    off = nights.set(rollups_enabled=False)
    await off.note(NOTES[1], SUNDAY.replace(day=24))
    await off.nightly(SUNDAY.replace(day=22), 10)
    assert () == await off.summaries("week")
    on = nights.set(rollups_enabled=True)
    await on.nightly(datetime(2026, 3, 5, tzinfo=UTC).date(), 2)
    assert [SUNDAY, SUNDAY.replace(day=22)] == [week.starts_on for week in await on.summaries("week")]


async def test_another_time_of_the_night(nights: Nights) -> None:
    """Half past eleven in the evening of Sunday."""
    late = nights.set(rollups_schedule_time="23:30")
    await late.week()
    await late.until(datetime(2026, 2, 22, 23, 29, tzinfo=UTC))
    assert () == await late.summaries("week")
    await late.until(datetime(2026, 2, 22, 23, 30, tzinfo=UTC))
    assert 1 == len(await late.summaries("week"))


async def test_the_model_is_the_one_configured(nights: Nights) -> None:
    """Each request for a rollup names it; other summaries have their own."""
    model = Scoring({})
    named = nights.set(rollups_model="gpt-4o-mini").but(summarizer=model)
    await named.week()
    await named.until(datetime(2026, 2, 22, 5, tzinfo=UTC))
    assert {"gpt-4o-mini"} == {request.model for request in model.requests if request.policy == "week"}
    assert {None} >= {request.model for request in model.requests if request.policy == "clusters"}


async def test_a_shorter_retention_takes_hold_of_notes_written_before(nights: Nights) -> None:
    """Lowered from 30 days to 7: the days that are old enough now are compacted in the next night."""
    await nights.week()
    short = nights.set(rollups_retain_days=7)
    await short.until(datetime(2026, 3, 3, 12, tzinfo=UTC))
    assert () == await short.summaries("day")
    await short.until(datetime(2026, 3, 4, 5, tzinfo=UTC))
    assert 7 == len(await short.summaries("day"))
