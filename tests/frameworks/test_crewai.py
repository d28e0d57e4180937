"""The memory in CrewAI's own crew, with a scripted model."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from crewai import Agent, Crew, Task
from crewai.llms.base_llm import BaseLLM
from door_contract import DoorContract, Talk

from precis.agents.crewai import PrecisMemory
from precis.app import App
from precis.errors import WrongLoop

pytestmark = pytest.mark.asyncio(loop_scope="session")


class Scripted(BaseLLM):
    """Sees, and remembers what it was shown."""

    shown: list[str] = []  # noqa: RUF012 - pydantic copies it

    def call(self, messages: Any, *args: Any, **how: Any) -> str:
        """The answer to everything."""
        self.shown.append(messages if isinstance(messages, str) else "\n".join(str(row["content"]) for row in messages))
        return "Thought: I now can give a great answer\nFinal Answer: I see."


@dataclass
class Staffed:
    """A talk: each thing that is said is a task for a crew."""

    memory: PrecisMemory
    llm: Scripted = field(default_factory=lambda: Scripted(model="scripted"))

    def crew(self, text: str) -> Crew:
        """A crew of one."""
        agent = Agent(role="clerk", goal="Help", backstory="Has seen it all.", llm=self.llm)
        task = Task(description=text, expected_output="An answer.", agent=agent)
        return Crew(agents=[agent], tasks=[task], memory=self.memory)

    async def say(self, text: str) -> None:
        """One run of the crew."""
        await self.crew(text).kickoff_async()

    async def say_again(self, text: str) -> None:
        """The same."""
        await self.say(text)

    async def ask(self, question: str) -> str:
        """The memories that CrewAI puts before the model."""
        await self.say(question)
        remembered = self.llm.shown[-1].partition("Relevant memories:")[2]
        return "\n".join(line for line in remembered.splitlines() if question not in line)


class TestCrewAI(DoorContract):
    """The contract."""

    def open(self, app: App, *, user: str, session: str) -> Talk:
        """A crew that works for that user; CrewAI has no sessions."""
        return Staffed(PrecisMemory(app, user_id=user))


async def test_crewais_own_verbs(app: App) -> None:
    """Scopes, categories, sources, updates and deletions, as its storages have them."""
    memory = PrecisMemory(app, user_id="tove")

    def use() -> None:
        memory.remember("The kestrel nests in the tower.", scope="/birds/raptors", categories=["nests"], importance=0.9)
        memory.remember("The heron fishes at the weir.", scope="/birds", metadata={"seen": 3})
        memory.remember("The tower has nine floors.", scope="/birdsong", source="clerk", private=True)
        assert (memory.list_scopes(), memory.list_scopes("/birds")) == (["/birds", "/birdsong"], ["/birds/raptors"])
        assert memory.info("/birds").record_count == 2
        assert memory.list_categories() == {"nests": 1}
        (kestrel,) = memory.recall("Where does the kestrel nest?", scope="/birds", limit=1)
        assert (kestrel.record.content, kestrel.record.importance) == ("The kestrel nests in the tower.", 0.9)
        assert [match.record.scope for match in memory.recall("tower", categories=["nests"])] == ["/birds/raptors"]
        assert "nine" not in str(memory.recall("How many floors has the tower?"))
        assert "nine" in str(memory.recall("How many floors has the tower?", source="clerk"))
        memory.update(kestrel.record.id, content="The kestrel nests in the old mill.")
        assert "mill" in str(memory.recall("Where does the kestrel nest?", scope="/birds/raptors"))
        assert memory.forget(scope="/birds", older_than=datetime.now(UTC) - timedelta(days=1)) == 0
        assert memory.forget(scope="/birds", metadata_filter={"seen": 3}) == 1
        assert memory.forget(record_ids=[kestrel.record.id]) == 1
        assert [record.scope for record in memory.list_records()] == ["/birdsong"]
        memory.reset()
        assert memory.list_records() == []

    await asyncio.to_thread(use)


async def test_a_root_scope_is_kept_to(app: App) -> None:
    """What one crew filed under its root, another root does not find; the user's memory does."""
    mills, weirs = (PrecisMemory(app, user_id="tove", root_scope=f"/crew/{name}") for name in ("mill", "mills"))
    await asyncio.to_thread(mills.remember, "The miller is called Aart.")
    assert await asyncio.to_thread(weirs.recall, "What is the miller called?") == []
    (match,) = await asyncio.to_thread(mills.recall, "What is the miller called?")
    assert match.record.scope == "/crew/mill"
    assert len(await app.recall.search("What is the miller called?", user_id="tove")) == 1


async def test_summaries_are_among_what_is_recalled(app: App) -> None:
    """They stand for many results at once."""
    memory = PrecisMemory(app, user_id="tove")
    rows = ["I drink oat milk.", "I stopped eating sugar.", "I eat at seven."]
    await app.memories.add([{"user_id": "tove", "type": "fact", "key": "meals", "text": text} for text in rows])
    matches = await asyncio.to_thread(memory.recall, "What does Tove eat, with sugar or at seven?")
    assert any("oat" in match.record.content and "seven" in match.record.content for match in matches)


async def test_a_crew_in_the_loop_of_the_app_is_told_so(app: App, caplog: pytest.LogCaptureFixture) -> None:
    """At once, and not after a wait for itself."""
    memory = PrecisMemory(app, user_id="tove")
    for call in (memory.recall, memory.remember):
        with pytest.raises(WrongLoop, match=r"asyncio\.to_thread"):
            call("The heron fishes at the weir.")
    with pytest.raises(WrongLoop, match=r"asyncio\.to_thread"):
        memory.remember_many(["The heron fishes at the weir."])


async def test_results_of_any_length(app: App, caplog: pytest.LogCaptureFixture) -> None:
    """A report of 90,000 characters is kept and found; none, and odd characters, stop no crew."""
    memory = PrecisMemory(app, user_id="tove \N{DODO}")
    report = "The kestrel nests in the tower of Ås \ud83d\0. " + "It was seen again and again. " * 3_000
    odd: dict[str, Any] = {"kg": float("nan"), "at": datetime(2024, 5, 1, tzinfo=UTC), "tags": {"a"}}

    def use() -> None:
        for content in (report, "", "  "):
            memory.remember(content, metadata=odd)
        memory.remember_many([report, "", "The heron fishes at the weir."], metadata=odd)
        memory.drain_writes()
        (match, *_) = memory.recall("Where does the kestrel nest?", limit=1)
        assert match.record.content.startswith("The kestrel nests in the tower of Ås")
        assert "heron" in str(memory.recall("Where does the heron fish?", limit=1))

    await asyncio.to_thread(use)
    assert len((await app.memories.list(user_id="tove \N{DODO}")).rows) == 2
