"""Forgetting on real conversations: forget the turns an answer rests on, then look for the answer's words everywhere.

Of LoCoMo's questions those are probed whose answer has words that its evidence turns hold and no other turn of the
conversation does; words of dates are left out, since summaries write when a turn was said. Every text the store can
open is read, statements and segments included, and the question is asked: right after the forget and again after the
refresh. The naive baseline deletes the rows of the turns alone, so that whatever was derived from them stays; it is
counted just before each forget.

    python benchmarks/deletion_probes.py --data ../shared/data
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from precis.app import App
from precis.app.importing import read
from precis.app.refreshing import work
from precis.bootstrap import Runtime, open_runtime
from precis.engine.drafted import Outcome
from precis.keys.cipher import Cipher
from precis.keys.keyring import Keyring
from precis.keys.vault import Vault
from precis.language.labels import extract
from precis.language.words import content
from precis.settings import Settings

_TURN = re.compile(r"D:?(\d+):0*(\d+)")
#: Stems of dates. A summary writes when something was said, so that they may come from any turn.
_DATED = re.compile(
    r"\d{1,2}|(?:19|20)\d\d|januari|februari|march|april|may|june|juli|august|septemb|octob|novemb|decemb|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
)
_BATCH = 500
#: Long enough for any of these conversations.
_WORKING = timedelta(minutes=30)
#: Every encrypted column, of whatever tier, node or kind.
_MEMORIES = """
    SELECT memory_id AS row_id, user_id, text_ciphertext AS text, summary_ciphertext AS summary,
           attributes_ciphertext AS attributes
    FROM memories"""
_STATEMENTS = """
    SELECT s.statement_id AS row_id, g.user_id, n.kind, s.text_ciphertext AS statement
    FROM statements s JOIN nodes n USING (tenant_id, node_id) JOIN groups g USING (tenant_id, group_id)"""
_SEALED = (
    ("memories", ("text", "summary", "attributes"), _MEMORIES),
    ("statements", ("statement",), _STATEMENTS),
)
_KEYED = """
    SELECT 'memories.terms ' || memory_id AS row FROM memories WHERE terms && %(hashes)s
    UNION ALL SELECT 'statements.terms ' || statement_id FROM statements WHERE terms && %(hashes)s"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Probe:
    """A question, the turns that answer it, and what only they say."""

    question: str
    evidence: tuple[str, ...]
    #: Stems of content words, the answer's if not said otherwise, that occur in the evidence and nowhere else.
    words: frozenset[str]
    #: Whether every content word of the answer is among them.
    whole: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Text:
    """One text the store can open."""

    #: memories.text, memories.summary, memories.attributes, or statements.<kind of the node>.
    place: str
    row_id: str
    words: frozenset[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One probe, forgotten."""

    probe: Probe
    #: Derived texts that held one of the words before, by place: what deleting the rows alone leaves.
    naive: Mapping[str, int]
    #: "place row_id" of texts, keyed words and answers that held one of the words afterwards.
    at_once: tuple[str, ...]
    refreshed: tuple[str, ...]
    #: Seconds the forget took.
    took: float


def conversations(path: Path) -> Iterator[tuple[str, list[dict[str, Any]], list[dict[str, Any]]]]:
    """(name, memories to import, questions) of each conversation of the file."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in read(path):
        rows.setdefault(row["user_id"], []).append(row)
    for sample in json.loads(path.read_text(encoding="utf-8")):
        yield sample["sample_id"], rows[sample["sample_id"]], sample["qa"]


def probes(
    name: str,
    rows: Sequence[Mapping[str, Any]],
    questions: Sequence[Mapping[str, Any]],
    *,
    every_word: bool = False,
) -> list[Probe]:
    """Questions that can be probed; turns that an evidence names and that do not exist are left out.

    With ``every_word`` whatever the evidence alone says is looked for, in the answer or not.
    """
    said = {row["id"]: _said(row) for row in rows}
    turns = Counter(word for words in said.values() for word in words)
    found = []
    for asked in questions:
        named = _TURN.findall(" ".join(map(str, asked.get("evidence") or ())))
        evidence = sorted({f"{name}:D{session}:{turn}" for session, turn in named} & said.keys())
        answer = content(str(asked.get("answer", "")))
        held = Counter(word for id_ in evidence for word in said[id_])
        wanted = held.keys() if every_word else answer
        only = frozenset(w for w in wanted if held[w] and held[w] == turns[w] and not _DATED.fullmatch(w))
        if only:
            found.append(
                Probe(
                    question=asked["question"], evidence=tuple(evidence), words=only, whole=only >= answer > frozenset()
                )
            )
    return found


def _said(row: Mapping[str, Any]) -> frozenset[str]:
    """Stems of a turn, of who speaks, and of the subject that its own words name by the rules of extraction."""
    speaker = row["metadata"]["speaker"]
    found = extract(row["text"], speaker=speaker)
    return content(" ".join([row["text"], speaker, found.key or "", found.person or "", found.type]))


async def told(app: App, rows: Sequence[dict[str, Any]]) -> list[Outcome]:
    """Write a conversation and make every summary it is due."""
    for at in range(0, len(rows), _BATCH):
        await app.memories.add(rows[at : at + _BATCH], summarize="deferred")
    return await refreshed(app)


async def refreshed(app: App) -> list[Outcome]:
    """Make everything current."""
    engine = app.parts.engine
    return await work(engine, app.parts.tenant_id, until=engine.clock() + _WORKING)


class Reader:
    """Opens whatever one tenant has stored."""

    def __init__(self, runtime: Runtime, tenant_id: str) -> None:
        self._runtime = runtime
        self._tenant_id = tenant_id
        self._vault = Vault(Keyring(runtime.settings.keys_folder))

    async def texts(self) -> list[Text]:
        """Every text, as the set of its stems."""
        return [one async for one in self._texts()]

    async def _texts(self) -> AsyncIterator[Text]:
        async with self._runtime.database.tx(self._tenant_id, one_moment=True) as tx:
            for table, columns, query in _SEALED:
                rows = await (await tx.connection.execute(query)).fetchall()
                ciphers = await self._vault.ciphers(tx, {row["user_id"] for row in rows})
                for row in rows:
                    for column in columns:
                        if row[column] is not None:
                            place = f"{table}.{row.get('kind', column)}"
                            words = self._open(row, column, ciphers[row["user_id"]])
                            yield Text(place=place, row_id=row["row_id"], words=words)

    def _open(self, row: Mapping[str, Any], column: str, cipher: Cipher) -> frozenset[str]:
        text = cipher.open_text(row[column], tenant_id=self._tenant_id, row_id=row["row_id"], column=column)
        return content(text)

    async def keyed(self, words: frozenset[str]) -> list[str]:
        """Rows whose keyed words hold one of these."""
        hashes = self._vault.keys(self._tenant_id).terms(words)
        async with self._runtime.database.tenant(self._tenant_id) as connection:
            asked = await connection.execute(_KEYED, {"hashes": hashes})
            return [row["row"] for row in await asked.fetchall()]


async def leaks(app: App, reader: Reader, probe: Probe) -> tuple[str, ...]:
    """Whatever still holds one of the probe's words."""
    stored = [f"{text.place} {text.row_id}" for text in await reader.texts() if text.words & probe.words]
    answers = await app.recall.search(probe.question, limit=20)
    served = [
        f"recall {one.memory.id}" for one in answers
        if content(one.memory.text or "") & probe.words or one.memory.id in probe.evidence
    ]  # fmt: skip
    return (*stored, *await reader.keyed(probe.words), *served)


async def probed(app: App, reader: Reader, probe: Probe, gone: set[str]) -> Finding | None:
    """Forget what a probe rests on and look, twice; None where an earlier probe took all of it away."""
    left = [id_ for id_ in probe.evidence if id_ not in gone]
    if not left:
        return None
    own = {"memories.text", "memories.attributes"}
    naive = Counter(text.place for text in await reader.texts() if text.words & probe.words and text.place not in own)
    began = perf_counter()
    await app.memories.forget(left)
    took = perf_counter() - began
    gone.update(left)
    at_once = await leaks(app, reader, probe)
    await refreshed(app)
    return Finding(probe=probe, naive=naive, at_once=at_once, refreshed=await leaks(app, reader, probe), took=took)


async def measure(
    runtime: Runtime, name: str, rows: Sequence[dict[str, Any]], asked: Sequence[Probe], *, limit: int | None = None
) -> list[Finding]:
    """Tell one conversation to a tenant of its own, then forget it probe by probe."""
    tenant_id = f"t-{name}"
    await runtime.store.tenants.create(tenant_id, name=name, now=runtime.engine.clock())
    app, reader, gone = runtime.app(tenant_id), Reader(runtime, tenant_id), set[str]()
    await told(app, rows)
    findings: list[Finding] = []
    for probe in asked:
        if limit is not None and len(findings) == limit:
            break
        found = await probed(app, reader, probe, gone)
        if found:
            findings.append(found)
    return findings


def report(name: str, findings: Sequence[Finding]) -> None:
    """One conversation's figures, and every leak by name."""
    places = Counter[str]()
    for one in findings:
        places.update(one.naive)
    took = sorted(one.took * 1000 for one in findings)
    naive = sum(1 for one in findings if one.naive)
    print(
        f"{name:10} probed {len(findings):4}  leaks at once {sum(bool(one.at_once) for one in findings):3}  "
        f"after refresh {sum(bool(one.refreshed) for one in findings):3}  "
        f"naive: {naive / len(findings):.0%} leak ({', '.join(f'{n} in {p}' for p, n in sorted(places.items()))})  "
        f"forget {median(took):.0f} ms, p95 {took[int(0.95 * (len(took) - 1))]:.0f} ms",
        flush=True,
    )
    for one in findings:
        for when, places_left in (("at once", one.at_once), ("after refresh", one.refreshed)):
            if places_left:
                print(f"  LEAK {when}: {', '.join(places_left)} ({', '.join(one.probe.evidence)})", flush=True)


@contextmanager
def room() -> Iterator[Path]:
    """A data folder for the length of a block, which the database's account can enter."""
    with tempfile.TemporaryDirectory(prefix="precis-probes-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder) / "data"


async def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row a conversation; the exit code is 1 where anything leaked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--limit", type=int, help="probes a conversation; all by default")
    parser.add_argument("--every-word", action="store_true", help="look for all that only the evidence says")
    chosen = parser.parse_args(arguments)
    every: list[Finding] = []
    with room() as folder:
        async with open_runtime(Settings(data_dir=folder)) as runtime:
            for name, rows, questions in conversations(chosen.data / "locomo" / "locomo.json"):
                asked = probes(name, rows, questions, every_word=chosen.every_word)
                whole = sum(probe.whole for probe in asked)
                print(
                    f"{name:10} {len(rows)} turns, {len(questions)} questions: {len(asked)} can be probed, "
                    f"{whole} of them with every word of the answer in the evidence alone",
                    flush=True,
                )
                findings = await measure(runtime, name, rows, asked, limit=chosen.limit)
                report(name, findings)
                every += findings
    report("all", every)
    report("all words", [one for one in every if one.probe.whole])
    return 1 if any(one.at_once or one.refreshed for one in every) else 0


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
