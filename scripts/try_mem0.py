"""A real mem0 store, on disk and without a model, moved into precis: ``make mem0``.

mem0 brings some forty packages, so this runs in an environment of its own and not among the tests.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ["MEM0_TELEMETRY"] = "False"

PEOPLE = 3
FACTS = 40


def main() -> None:
    """Fill the store with mem0's own calls, move it in twice through the command line, and compare."""
    with tempfile.TemporaryDirectory(prefix="precis-mem0-") as folder:
        Path(folder).chmod(0o755)
        os.environ["MEM0_DIR"] = f"{folder}/home"
        config = Path(folder) / "mem0.json"
        config.write_text(json.dumps(configuration(Path(folder))))
        expected = fill(config)
        data = Path(folder) / "precis"
        dry = run("import", "--from", "mem0", config, "--dry-run", data=data)
        expect(dry["memories"]["written"] == len(expected) + 1, "dry run", dry)
        first = run("import", "--from", "mem0", config, data=data)
        expect(first["memories"]["written"] == len(expected) + 1, "written", first)
        expect(first["in_precis"] == len(expected) + 1, "counted afterwards", first)
        second = run("import", "--from", "mem0", config, data=data)
        expect(second["memories"]["written"] == 0, "nothing twice", second)
        asyncio.run(compare(data, expected))
        update(config)
        third = run("import", "--from", "mem0", config, data=data)
        expect(third["memories"]["written"] == 1, "an update since", third)
    print(f"mem0: {len(expected)} memories of {PEOPLE} users, an agent and a run moved, with what they replaced")


def configuration(folder: Path) -> dict[str, Any]:
    """Qdrant on disk; embedder and model are named and never asked."""
    return {
        "vector_store": {
            "provider": "qdrant",
            "config": {"path": f"{folder}/qdrant", "on_disk": True, "collection_name": "memories",
                       "embedding_model_dims": 16},
        },
        "embedder": {"provider": "openai", "config": {"api_key": "none", "embedding_dims": 16}},
        "llm": {"provider": "openai", "config": {"api_key": "none"}},
        "history_db_path": f"{folder}/history.db",
    }  # fmt: skip


def opened(config: Path) -> Any:
    """mem0 with vectors that cost nothing: reading a store embeds nothing."""
    import mem0  # noqa: PLC0415 - reads its environment when it is imported

    memory = mem0.Memory.from_config(json.loads(config.read_text()))
    memory.embedding_model.embed = lambda text, *_, **__: [float((hash(text) >> at) & 7) + 1 for at in range(16)]
    memory.embedding_model.embed_batch = lambda texts, *_, **__: [memory.embedding_model.embed(text) for text in texts]
    return memory


def fill(config: Path) -> dict[str, tuple[str, str, str]]:
    """Text, owner and date of each memory, by id."""
    memory = opened(config)
    rows: dict[str, tuple[str, str, str]] = {}
    for person in range(PEOPLE):
        for number in range(FACTS):
            text = f"Person {person} planted {number} quince trees."
            memory.add(text, user_id=f"user-{person}", infer=False, metadata={"row": number})
    memory.add("The agent prefers short answers.", agent_id="scribe", infer=False)
    memory.add("This run waters on Tuesdays.", run_id="r-7", infer=False)
    changed = memory.get_all(filters={"user_id": "user-0"}, top_k=1)["results"][0]
    memory.update(changed["id"], "Person 0 sold the orchard.")
    for owner in ([("user_id", f"user-{person}") for person in range(PEOPLE)] + [("agent_id", "scribe"), ("run_id", "r-7")]):  # fmt: skip  # noqa: E501
        for row in memory.get_all(filters=dict([owner]), top_k=1000)["results"]:
            rows[row["id"]] = (row["memory"], row.get("user_id") or "", row["created_at"])
    memory.vector_store.client.close()
    return rows


def update(config: Path) -> None:
    """One more memory says something else now."""
    memory = opened(config)
    changed = memory.get_all(filters={"user_id": "user-1"}, top_k=1)["results"][0]
    memory.update(changed["id"], "Person 1 grafted medlars.")
    memory.vector_store.client.close()


def run(*arguments: str | Path, data: Path) -> Any:
    """A verb of precis, as a process of its own."""
    command = [sys.executable, "-m", "precis.cli", *map(str, arguments), "--data-dir", str(data), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    expect(done.returncode == 0, "exit code", done.stderr)
    return json.loads(done.stdout)


async def compare(data: Path, expected: dict[str, tuple[str, str, str]]) -> None:
    """Every memory stands here with its text and owner; the one that was updated under its number."""
    from precis.bootstrap import open_runtime  # noqa: PLC0415 - after the environment is set
    from precis.keys.tenants import DEFAULT_TENANT  # noqa: PLC0415
    from precis.settings import Settings  # noqa: PLC0415

    async with open_runtime(Settings(data_dir=data)) as runtime:
        app = runtime.app(DEFAULT_TENANT)
        for id_, (text, user, at) in expected.items():
            standing = await app.memories.get(id_)
            if text == "Person 0 sold the orchard.":
                expect("quince" in (standing.text or ""), "the text before", standing)
                standing = await app.memories.get(f"{id_}@2")
            else:
                expect(standing.created_at.isoformat()[:19] == at[:19], "date", (standing, at))
            expect((standing.text, standing.scope.user_id) == (text, user), "memory", (standing, text, user))
        hits = await app.recall.search("Who sold the orchard?", user_id="user-0")
        expect(hits[0].memory.text == "Person 0 sold the orchard.", "recall", hits[0])


def expect(holds: bool, what: str, seen: Any) -> None:  # noqa: FBT001 - reads like an assertion
    """Raise with what was seen where it does not hold."""
    if not holds:
        raise SystemExit(f"{what}: {seen}")


if __name__ == "__main__":
    main()
