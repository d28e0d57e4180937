"""``/metrics`` as Prometheus reads it: over HTTP, by the package's own parser."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from pydantic import SecretStr

from precis.app import App
from precis.bootstrap import Runtime
from precis.ids import new_id
from precis.makers import Item, Request, Usage
from precis.rest.auth import Keys
from precis.rest.server import listening
from precis.watch.census import BELIEVED

pytestmark = pytest.mark.asyncio(loop_scope="session")
ROOT = Path(__file__).parents[2]
SECRET = "a-scraper-of-this-test-and-of-no-other"
#: What a label may be called: nothing that names a person or a text.
LABELS = {
    "lane",
    "error",
    "route",
    "method",
    "status",
    "policy",
    "outcome",
    "made_by",
    "le",
    "state",
    "kind",
    "version",
    "python",
}
Samples = dict[str, list[tuple[dict[str, str], float]]]


class _Timer:
    """Seconds that pass when the test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def scraping(runtime: Runtime, timer: _Timer, **settings: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A server with these settings, called by its scraper."""
    changes = {"metrics_key": SecretStr(SECRET), **settings}
    changed = replace(runtime, settings=runtime.settings.model_copy(update=changes))
    headers = {"Authorization": f"Bearer {SECRET}"}
    async with listening(changed, timer=timer) as url, httpx.AsyncClient(base_url=url, headers=headers) as call:
        yield call


async def scraped(call: httpx.AsyncClient) -> Samples:
    """Every sample, by its name."""
    answer = await call.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    samples: Samples = {}
    for family in text_string_to_metric_families(answer.text):
        assert family.documentation
        for sample in family.samples:
            samples.setdefault(sample.name, []).append((sample.labels, sample.value))
    return samples


async def names_in(call: httpx.AsyncClient) -> set[str]:
    """Names of what is told, also of what nothing was counted of yet."""
    endings = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"], "summary": ["_sum", "_count"]}
    families = text_string_to_metric_families((await call.get("/metrics")).text)
    return {family.name + ending for family in families for ending in ["", *endings.get(family.type, [])]}


def value(samples: Samples, name: str, **labels: str) -> float:
    """The value of the one sample with these labels; 0 where none has them."""
    return sum(number for has, number in samples.get(name, []) if labels.items() <= has.items())


async def spend(runtime: Runtime, tenant_id: str) -> None:
    """A call of a model, as the ledger has it."""
    item = Item(text="I paint.", source_ids=("1",), created_at=None)
    request = Request(items=(item,), max_tokens=50, prompt="", tenant_id=tenant_id, policy="clusters")
    token = await runtime.ledger.reserve(request, Usage(cost=0.5))
    await runtime.ledger.settle(token, Usage(tokens_in=70, tokens_out=11, cost=0.25), "ok", 0.1)


async def test_requests_are_counted_by_template(runtime: Runtime, tenant: str, key: str) -> None:
    """Neither an id, nor a key, nor a method that somebody made up is a label."""
    route, secret_id = "/v1/memories/{memory_id}", f"m-{new_id()}"
    labels = {"route": route, "method": "GET", "status": "404"}
    async with scraping(runtime, _Timer()) as call:
        before = await scraped(call)
        for _ in range(3):
            await call.get(f"/v1/memories/{secret_id}", headers={"Authorization": f"Bearer {key}"})
        await call.request("MADE-UP", f"/{secret_id}", headers={"Authorization": f"Bearer {key}"})
        after, text = await scraped(call), (await call.get("/metrics")).text
    assert value(after, "precis_http_requests_total", **labels) == (
        value(before, "precis_http_requests_total", **labels) + 3
    )
    timed = {"route": route, "method": "GET"}
    assert value(after, "precis_http_request_seconds_count", **timed) >= 3
    assert value(after, "precis_http_requests_total", route="none", method="other") >= 1
    assert not [hidden for hidden in (secret_id, key, tenant, "MADE-UP", SECRET) if hidden in text]


async def test_what_a_refresh_does_is_counted(runtime: Runtime, app: App) -> None:
    """How it ended and who made the summary; what the embedder and the database took meanwhile."""
    async with scraping(runtime, _Timer()) as call:
        before = await scraped(call)
        texts = ("I cycle to work.", "I cycle home, too.", "I cycle on Sundays.")
        await app.memories.add([{"text": text, "user_id": "ines", "type": "fact", "key": "cycling"} for text in texts])
        after = await scraped(call)
    for name, labels in {
        "precis_refreshes_total": {"policy": "clusters", "outcome": "committed"},
        "precis_summaries_made_total": {"policy": "clusters", "made_by": "offline"},
        "precis_embedding_seconds_count": {},
        "precis_database_statement_seconds_count": {},
    }.items():
        assert value(after, name, **labels) > value(before, name, **labels), name


async def test_what_waits_is_counted_over_all_tenants(runtime: Runtime, app: App, tenant: str) -> None:
    """One figure for all of them, or one a tenant by a setting; believed for a few seconds."""
    timer = _Timer()
    async with scraping(runtime, timer, metrics_by_tenant=True) as by_name, scraping(runtime, timer) as call:
        before = await scraped(call)
        rows = [{"text": f"I grow {name}.", "user_id": "ines", "key": "garden"} for name in ("kale", "figs", "peas")]
        await app.memories.add(rows, summarize="deferred")
        assert (await scraped(call))["precis_jobs"] == before["precis_jobs"]
        timer.now += BELIEVED
        after, named = await scraped(call), await scraped(by_name)
    assert value(after, "precis_jobs", state="waiting") > value(before, "precis_jobs", state="waiting")
    assert value(after, "precis_oldest_waiting_job_seconds") > 0
    assert value(after, "precis_tenants", state="uncounted") == 0
    assert value(named, "precis_jobs", state="waiting", tenant=tenant) == 1
    assert value(named, "precis_stale_summaries", tenant=tenant) == 0
    labels = {name for samples in after.values() for has, _ in samples for name in has}
    assert labels <= LABELS
    assert len(after["precis_jobs"]) == 2


async def test_what_models_took_is_told_by_policy(runtime: Runtime, tenant: str) -> None:
    """Out of the ledger: of this month, in tokens and US dollars."""
    async with scraping(runtime, _Timer(), metrics_by_tenant=True) as call:
        await spend(runtime, tenant)
        samples = await scraped(call)
    labels = {"policy": "clusters", "tenant": tenant}
    assert value(samples, "precis_model_calls_this_month", **labels) == 1
    assert value(samples, "precis_model_dollars_this_month", **labels) == 0.25
    assert value(samples, "precis_model_tokens_this_month", kind="in", **labels) == 70
    assert value(samples, "precis_model_tokens_this_month", kind="out", **labels) == 11


async def test_process_and_pool_are_described(runtime: Runtime) -> None:
    """Which release serves, and how many of its connections are in use."""
    async with scraping(runtime, _Timer()) as call:
        samples = await scraped(call)
    assert value(samples, "precis_build_info") == 1
    assert value(samples, "precis_database_up") == 1
    assert value(samples, "precis_database_connections", state="at_most") == runtime.database.pool.max_size
    assert value(samples, "process_resident_memory_bytes") > 0


async def test_the_dashboard_asks_for_what_is_told(runtime: Runtime, app: App, tenant: str) -> None:
    """Every name and label in a query of a panel is one of ours; every table in the how-to names what is told."""
    async with scraping(runtime, _Timer()) as call:
        rows = [{"text": f"I water {name}.", "user_id": "ines", "key": "pots"} for name in ("basil", "mint", "sage")]
        await app.memories.add(rows)
        await spend(runtime, tenant)
        names_told = await names_in(call)
    panels = json.loads((ROOT / "deploy/grafana.json").read_text())["panels"]
    queries = [target["expr"] for panel in panels for target in panel["targets"]]
    assert len(queries) > len(panels) > 10
    for query in queries:
        names = set(re.findall(r"\b(?:precis|process)_\w+", query))
        assert names, query
        assert names <= names_told, query
        labels = {label for group in re.findall(r"\b(?:by|on) \(([^)]*)\)", query) for label in group.split(", ")}
        assert labels <= {*LABELS, "instance"}, query
    page = (ROOT / "docs/howto/watch-it.md").read_text()
    assert set(re.findall(r"^\| `(precis_\w+)` \|", page, re.MULTILINE)) <= names_told


async def test_whoever_has_the_scrapers_key_waits_for_no_other(
    runtime: Runtime, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether there are keys is a question to the database, and while that is away each question waits for seconds."""
    assert key
    monkeypatch.setattr(Keys, "exist", None)
    async with scraping(runtime, _Timer()) as call:
        assert (await call.get("/metrics")).status_code == 200
        assert (await call.get("/metrics", headers={"Authorization": "Bearer other"})).status_code == 401


async def test_only_the_scraper_reads_them(runtime: Runtime, key: str) -> None:
    """The figures are of all tenants: no tenant's key opens them, and neither does half of the scraper's."""
    async with scraping(runtime, _Timer()) as call:
        for sent in (
            {"Authorization": f"Bearer {key}"},
            {"Authorization": f"Bearer {SECRET[:-1]}"},
            {"X-API-Key": key},
        ):
            headers = {"Authorization": "", **sent}
            answer = await call.get("/metrics", headers=headers)
            assert answer.status_code == 401
            assert "PRECIS_METRICS_KEY" in answer.json()["detail"]
        assert (await call.post("/metrics")).status_code == 405
        assert (await call.get(f"/t/{key}/metrics", headers={"Authorization": ""})).status_code == 401
    async with scraping(runtime, _Timer(), metrics_key=None) as call:
        assert (await call.get("/metrics")).status_code == 401
    async with scraping(runtime, _Timer(), metrics=False) as call:
        assert (await call.get("/metrics")).status_code == 404
