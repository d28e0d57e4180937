"""Forgetting on a real conversation: what only the forgotten turns said is nowhere, at once and after the refresh."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from precis.bootstrap import Runtime

pytestmark = pytest.mark.asyncio(loop_scope="session")

ROOT = Path(__file__).parents[2]
LOCOMO = ROOT.parent / "shared" / "data" / "locomo" / "locomo.json"
#: Long enough for segments below its summaries.
CONVERSATION = "conv-42"
PROBES = 15


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    """The steps of the benchmark, which does the same over all conversations and questions."""
    path = ROOT / "benchmarks" / "deletion_probes.py"
    spec = importlib.util.spec_from_file_location("deletion_probes", path)
    assert spec
    assert spec.loader
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(not LOCOMO.exists(), reason="the evaluation data is not here: no ../shared/data/locomo")
async def test_nothing_of_a_forgotten_answer_is_left(runtime: Runtime, benchmark: ModuleType) -> None:
    """Fifteen answers forgotten one after the other: no text, keyed word or answer holds their words any more.

    Of the same answers, more than a third stand in summaries before: deleting the rows alone would leave them there.
    """
    ((name, rows, questions),) = [one for one in benchmark.conversations(LOCOMO) if one[0] == CONVERSATION]
    asked = benchmark.probes(name, rows, questions)
    findings = await benchmark.measure(runtime, name, rows, asked, limit=PROBES)
    assert len(findings) == PROBES
    assert [(one.probe.evidence, one.at_once) for one in findings if one.at_once] == []
    assert [(one.probe.evidence, one.refreshed) for one in findings if one.refreshed] == []
    assert sum(1 for one in findings if one.naive) > PROBES // 3
    assert {"memories.summary", "statements.root"} <= {p for one in findings for p in one.naive}


async def test_a_probe_that_was_not_forgotten_is_found(runtime: Runtime, benchmark: ModuleType, tenant: str) -> None:
    """The search itself: before the forget it finds the row, its keyed words, the summary and the answer."""
    texts = ("Ana keeps bees.", "Ana sold a jar of heather honey.", "Ana repairs hives in winter.")
    speaker = {"metadata": {"speaker": "Ana"}, "user_id": "ana", "type": "fact", "key": "bees"}
    rows = [{"id": f"{tenant}:D1:{at}", "text": text} | speaker for at, text in enumerate(texts, start=1)]
    question = {"question": "What did Ana sell?", "answer": "heather honey", "evidence": ["D1:2; D1:9", "D"]}
    (probe,) = benchmark.probes(tenant, rows, [question])
    assert probe.evidence == (f"{tenant}:D1:2",)
    assert probe.words == {"heather", "honey"}
    app, reader = runtime.app(tenant), benchmark.Reader(runtime, tenant)
    await benchmark.told(app, rows)
    places = {place.split()[0] for place in await benchmark.leaks(app, reader, probe)}
    assert places == {
        "memories.text", "memories.summary", "statements.root", "memories.terms", "statements.terms", "recall",
    }  # fmt: skip
    finding = await benchmark.probed(app, reader, probe, set())
    assert finding.naive == {"memories.summary": 1, "statements.root": 1}
    assert (finding.at_once, finding.refreshed) == ((), ())
