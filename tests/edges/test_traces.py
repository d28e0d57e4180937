"""Traces, as OpenTelemetry's own SDK collects them: from a request to its statements, and no text in any of them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import httpx
import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from test_chat import ITEMS, MODEL, PRICES, QUICK, REQUEST

from precis.app import App
from precis.app.refreshing import work
from precis.bootstrap import Runtime
from precis.errors import InvalidInput
from precis.models.chat import ChatSummarizer
from precis.models.embeddings import EndpointEmbedder
from precis.testing.model_server import model_server
from precis.tracing import is_on, span, traceparent

#: Words that no attribute may hold: of texts, of a question, of whose it is and of what is asked for by id.
TEXT, QUESTION, PERSON, SESSION, ID = "zanzibarite", "quillwort", "ottoline-76", "session-hesperides", "memory-galoshes"
CANARIES = (TEXT, QUESTION, PERSON, SESSION, ID)
#: What a client of ours sent with its request.
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
TRACEPARENT = f"00-{TRACE}-00f067aa0ba902b7-01"


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """What a provider collects that is set for the length of a test."""
    collected, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(collected))
    # The API lets a process set it once; the tests beside this one run without.
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)
    yield collected
    provider.shutdown()


def named(spans: Sequence[ReadableSpan], name: str) -> ReadableSpan:
    """The first span of a name."""
    return next(each for each in spans if each.name == name)


def asking(spans: Sequence[ReadableSpan], query: str) -> ReadableSpan:
    """The first span of a statement, alone or with others that are sent at once."""
    return next(each for each in spans if query in str((each.attributes or {}).get("db.query.summary", "")).split())


def above(spans: Sequence[ReadableSpan], each: ReadableSpan | None) -> list[str]:
    """The names of what a span lies in, the nearest first."""
    by_id = {other.context.span_id: other for other in spans if other.context}
    names: list[str] = []
    while each is not None and each.parent is not None:
        each = by_id.get(each.parent.span_id)
        names += [each.name] if each is not None else []
    return names


def written(spans: Sequence[ReadableSpan]) -> str:
    """Everything that leaves the process with them."""
    return "\n".join(each.to_json() for each in spans)


async def write(api: httpx.AsyncClient, **fields: Any) -> httpx.Response:
    """Three memories of one subject, with a canary in each place that a caller fills."""
    rows = [
        {
            "id": f"{ID}-{at}", "text": f"I grow {TEXT} beside the {plant} in my garden.", "user_id": PERSON,
            "key": f"{TEXT} garden", "type": "fact", "session_id": SESSION,
        }
        for at, plant in enumerate(("lavender", "rosemary", "thyme"))
    ]  # fmt: skip
    headers = {"traceparent": TRACEPARENT}
    return await api.post("/v1/memories", json={"memories": rows, **fields}, headers=headers)


@pytest.mark.asyncio(loop_scope="session")
async def test_from_request_to_statement(api: httpx.AsyncClient, exporter: InMemorySpanExporter) -> None:
    """A statement lies in a verb, that in a request, and all in the trace that the client named."""
    answer = await write(api, summarize="deferred")
    assert answer.status_code == 201, answer.text
    spans = exporter.get_finished_spans()
    assert {f"{each.context.trace_id:032x}" for each in spans if each.context} == {TRACE}
    request = named(spans, "POST /v1/memories")
    assert request.kind is trace.SpanKind.SERVER
    assert request.attributes is not None
    assert request.attributes["http.response.status_code"] == 201
    assert request.attributes["precis.request_id"] == answer.headers["X-Request-Id"]
    for each in (asking(spans, "insert_memory"), named(spans, "embed"), named(spans, "select")):
        assert above(spans, each)[-2:] == ["memories.add", "POST /v1/memories"], each.name


@pytest.mark.asyncio(loop_scope="session")
async def test_the_steps_of_a_refresh(
    api: httpx.AsyncClient, runtime: Runtime, tenant: str, exporter: InMemorySpanExporter
) -> None:
    """Each lies in the refresh, which lies in a verb and a request; a statement has its name and nothing else."""
    await write(api, summarize="deferred")
    await work(runtime.engine, tenant, until=runtime.engine.clock() + timedelta(seconds=60))
    (summary,) = (await runtime.app(tenant).summaries.list()).rows
    exporter.clear()
    answer = await api.post(f"/v1/summaries/{summary.id}/refresh", json={"force": True})
    assert answer.status_code == 200, answer.text
    spans = exporter.get_finished_spans()
    outer = ["refresh", "summaries.refresh_group", "summaries.refresh", "POST /v1/summaries/{summary_id}/refresh"]
    for step in ("plan", "summarize", "check", "commit"):
        assert above(spans, named(spans, step)) == outer, step
    statement = asking(spans, "group_leaves")
    assert above(spans, statement)[:2] == ["claim", "summaries.refresh_group"]
    assert (statement.attributes or {}).keys() == {"db.system.name", "db.query.summary"}
    assert (statement.attributes or {})["db.system.name"] == "postgresql"


@pytest.mark.asyncio(loop_scope="session")
async def test_nobody_is_in_them(api: httpx.AsyncClient, exporter: InMemorySpanExporter) -> None:
    """No text, id or name that a caller sent is in any span, whatever was asked and however it ended."""
    await write(api)
    asked = {"query": f"Where does {QUESTION} grow?", "user_id": PERSON}
    for path, body in (
        ("/v1/recall", asked), ("/v1/context", asked | {"token_budget": 300}), ("/v1/recall", asked | {"limit": TEXT}),
        ("/v1/memories", {"memories": [{"text": TEXT, "user_id": PERSON, "created_at": QUESTION}]}),
        ("/v1/forget", {"what": f"everything about {TEXT}", "user_id": PERSON}),
    ):  # fmt: skip
        await api.post(path, json=body)
    await api.get(f"/v1/memories/{ID}-0?{QUESTION}=1")
    await api.get(f"/v1/memories/{ID}-9")
    await api.request(TEXT.upper(), f"/v1/memories/{ID}-0")
    await api.delete(f"/v1/memories/{ID}-0")
    await api.delete(f"/v1/users/{PERSON}")
    everything = written(exporter.get_finished_spans())
    assert "recall.search" in everything
    assert "error.type" in everything
    assert [canary for canary in CANARIES if canary.lower() in everything.lower()] == []


@pytest.mark.asyncio(loop_scope="session")
async def test_a_refresh_is_linked_to_the_write(
    api: httpx.AsyncClient, runtime: Runtime, tenant: str, exporter: InMemorySpanExporter
) -> None:
    """What a worker refreshes later, in a trace of its own, names the write that made it stale; and only once."""
    await write(api, summarize="deferred")
    assert "refresh" not in {each.name for each in exporter.get_finished_spans()}
    insert = named(exporter.get_finished_spans(), "memories.add")
    outcomes = await work(runtime.engine, tenant, until=runtime.engine.clock() + timedelta(seconds=20))
    assert [outcome.result for outcome in outcomes] == ["committed"]
    refresh = named(exporter.get_finished_spans(), "refresh")
    assert refresh.context is not None
    assert insert.context is not None
    assert refresh.context.trace_id != insert.context.trace_id
    assert [link.context.trace_id for link in refresh.links] == [insert.context.trace_id]
    assert dict(refresh.attributes or {}) == {"precis.policy": "clusters", "precis.outcome": "committed"}
    app = runtime.app(tenant)
    (group,) = (await app.clusters.list()).rows
    exporter.clear()
    await app.summaries.refresh_group(group.group_id, force=True)
    assert named(exporter.get_finished_spans(), "refresh").links == ()


@pytest.mark.asyncio(loop_scope="session")
async def test_a_model_is_told_the_trace(exporter: InMemorySpanExporter) -> None:
    """A call goes out with the span it is, which has its tokens and no word of what was said."""
    async with model_server() as server:
        chat = ChatSummarizer(model=MODEL, base_url=server.base_url, prices=PRICES, patience=QUICK)
        embedder = EndpointEmbedder(server.base_url, "k", "table", 256)
        try:
            with span("above"):
                draft = await chat.summarize(REQUEST)
                await embedder.embed([ITEMS[0].text])
        finally:
            await chat.aclose()
            await embedder.aclose()
    spans = exporter.get_finished_spans()
    call = named(spans, f"chat {MODEL}")
    assert call.context is not None
    assert call.attributes is not None
    assert call.attributes["gen_ai.usage.input_tokens"] == draft.usage.tokens_in > 0
    assert call.attributes["gen_ai.usage.output_tokens"] == draft.usage.tokens_out > 0
    parents = [headers.get("traceparent", "") for headers in server.headers]
    sender = f"00-{call.context.trace_id:032x}-{call.context.span_id:016x}-"
    assert [each for each in parents if each.startswith(sender)]
    assert all(each.split("-")[1] == f"{call.context.trace_id:032x}" for each in parents)
    everything = written(spans)
    assert [word for word in ("Boston", "Marlene", "Lisbon") if word in everything] == []


async def test_an_error_is_told_by_its_type(exporter: InMemorySpanExporter) -> None:
    """Its message may quote what was sent."""
    with pytest.raises(InvalidInput, match=TEXT), span("a verb"):
        raise InvalidInput(TEXT)
    (each,) = exporter.get_finished_spans()
    assert dict(each.attributes or {}) == {"error.type": "InvalidInput"}
    assert TEXT not in each.to_json()


async def test_without_a_provider(app: App) -> None:
    """Nothing is begun and nothing is stored for a link."""
    del app
    assert not is_on()
    with span("nothing") as nothing:
        nothing.note({"precis.outcome": "none"})
        assert traceparent() is None
    await asyncio.sleep(0)


def test_the_api_is_not_imported_by_us() -> None:
    """Whoever does not trace pays for no import, and needs no package."""
    program = (
        "import sys; sys.modules['opentelemetry'] = None\n"
        "from precis import tracing\n"
        "with tracing.span('x') as it: it.note({'a': 1})\n"
        "assert not tracing.is_on() and tracing.sent() == {} and 'opentelemetry.trace' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
