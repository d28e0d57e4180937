"""Which facts of a long conversation a model still has: one fact a message, and a summarizer that loses nothing.

400 messages, each with an id of its own, go through precis's LangGraph nodes and through LangChain's
SummarizationMiddleware, LangMem and LlamaIndex. The summarizer is the same behind all of them: it answers every id it
was shown. So what is missing at the end was never shown to it, or was cut from what it said. Counted in one run:
ids in the context, ids that can be reached (for precis: in the context, or among the messages that a statement or the
summary expands to), both of all and of the oldest hundred.

Needs ``pip install langgraph langchain langmem llama-index-core``; what is not installed is said, not skipped silently.
"""

# ruff: noqa: PLC0415 - a package is imported where it is measured: the others run without it

from __future__ import annotations

import asyncio
import importlib.util
import logging
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import precis
from precis.app import App, app_over
from precis.makers import Draft, DraftStatement, Request
from precis.policies.conversations import Limits, Size

MESSAGES = 400
OLDEST = 100
_ID = re.compile(r"F\d{4}")
_FILLER = (
    "the harbor was quiet when the ferry came in and nobody on the pier had seen the crates before, so the clerk "
    "wrote the number down and asked the captain to wait until the morning"
)


def text(number: int) -> str:
    """A message with its id."""
    return f"Crate F{number:04} is on the list: {_FILLER}."


def ids_in(texts: Iterable[str]) -> set[str]:
    """The ids they hold."""
    return {id_ for one in texts for id_ in _ID.findall(one)}


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Where the ids are in the end."""

    name: str
    context: set[str]
    reachable: set[str]

    def line(self) -> str:
        """Shares of all and of the oldest."""
        oldest = {f"F{number:04}" for number in range(OLDEST)}
        figures = (
            len(self.context) / MESSAGES, len(self.context & oldest) / OLDEST,
            len(self.reachable) / MESSAGES, len(self.reachable & oldest) / OLDEST,
        )  # fmt: skip
        return f"{self.name:58}" + "".join(f"{100 * one:9.1f} %" for one in figures)


class Echo:
    """Every id it is shown, as a statement of its own."""

    name = "echo@1"

    async def summarize(self, request: Request) -> Draft:
        """One statement an id, citing every item that holds it."""
        held: dict[str, list[int]] = {}
        for at, item in enumerate(request.items):
            for id_ in _ID.findall(item.text):
                held.setdefault(id_, []).append(at)
        statements = tuple(
            DraftStatement(text=f"Crate {id_}.", importance=0.5, sources=tuple(at)) for id_, at in held.items()
        )
        return Draft(statements=statements, made_by=self.name)


# --- precis ---


async def ours(app: App, limits: Limits, name: str) -> Outcome:
    """Through the five nodes, two messages a turn."""
    from langchain_core.messages import AIMessage, HumanMessage
    from langgraph.checkpoint.memory import InMemorySaver

    from precis.agents.langgraph import ConversationNodes, ConversationState

    numbers = iter(range(1, MESSAGES, 2))

    async def model(_: ConversationState) -> dict[str, Any]:
        return {"messages": [AIMessage(text(next(numbers)))]}

    graph = ConversationNodes(app, limits=limits).graph(model).compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": name, "user_id": "ana"}}
    for number in range(0, MESSAGES, 2):
        await graph.ainvoke({"messages": [HumanMessage(text(number))]}, config)
    context = await app.conversations.context(name, limits=limits)
    shown = ids_in([context.summary, *(one.text for one in context.messages)])
    expanded = ids_in(one.text for one in await app.conversations.expand(name))
    return Outcome(name=f"precis, {name}", context=shown, reachable=shown | expanded)


async def precis_lines() -> list[Outcome]:
    """Three configurations."""
    folder = Path(tempfile.mkdtemp(prefix="precis-coverage-"))
    folder.chmod(0o755)
    found = []
    try:
        for number, (tokens, triggers, keep) in enumerate(
            (
                (800, ("20 messages", "4000 tokens"), "4 messages"),
                (800, ("60 messages",), "20 messages"),
                (4000, ("20 messages", "4000 tokens"), "4 messages"),
            )
        ):
            settings = {"data_dir": folder / str(number), "conversation_summary_tokens": tokens}
            async with precis.open(**settings) as plain:
                app = app_over(replace(plain.parts, engine=replace(plain.parts.engine, summarizer=Echo())))
                limits = Limits(
                    triggers=tuple(map(Size.parse, triggers)), keep=Size.parse(keep), summary_tokens=tokens, deadline=60
                )
                found.append(await ours(app, limits, f"over {' or '.join(triggers)}, keep {keep}, {tokens} tokens"))
    finally:
        shutil.rmtree(folder)
    return found


# --- the others ---


def chat_model() -> Any:
    """A chat model of LangChain that answers every id in its prompt."""
    from langchain_core.language_models.chat_models import BaseChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.outputs import ChatGeneration, ChatResult

    class EchoChat(BaseChatModel):
        """See above."""

        @property
        def _llm_type(self) -> str:
            return "echo"

        def _generate(self, messages: list[Any], *_: Any, **__: Any) -> ChatResult:
            said = " ".join(sorted(ids_in(str(one.text) for one in messages)))
            return ChatResult(generations=[ChatGeneration(message=AIMessage(said))])

    return EchoChat()


def langchain(trigger: Any, **how: Any) -> Outcome:
    """Its middleware in its own agent, defaults but for the trigger, which has none."""
    from langchain.agents import create_agent
    from langchain.agents.middleware import SummarizationMiddleware
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage, HumanMessage
    from langgraph.checkpoint.memory import InMemorySaver

    model = GenericFakeChatModel(messages=iter(AIMessage(text(number)) for number in range(1, MESSAGES + 1, 2)))
    middleware = SummarizationMiddleware(chat_model(), trigger=trigger, **how)
    agent = create_agent(model, [], middleware=[middleware], checkpointer=InMemorySaver())
    state: Any = {}
    for number in range(0, MESSAGES, 2):
        state = agent.invoke({"messages": [HumanMessage(text(number))]}, {"configurable": {"thread_id": "t"}})
    shown = ids_in(str(one.text) for one in state["messages"])
    more = "".join(f", {key}={value}" for key, value in how.items())
    return Outcome(name=f"LangChain middleware, trigger {trigger}{more}", context=shown, reachable=shown)


def langmem(max_tokens: int, per_run: int) -> Outcome:
    """``summarize_messages`` with its defaults, called with the whole history every ``per_run`` messages."""
    from langchain_core.messages import AIMessage, HumanMessage
    from langmem.short_term import summarize_messages

    history: list[Any] = []
    running, seen = None, set[str]()
    for number in range(MESSAGES):
        history.append((HumanMessage, AIMessage)[number % 2](text(number), id=f"m{number}"))
        if (number + 1) % per_run == 0:
            done = summarize_messages(history, running_summary=running, model=chat_model(), max_tokens=max_tokens)
            running = done.running_summary or running
            seen = ids_in(str(one.text) for one in done.messages)
    return Outcome(name=f"LangMem, max_tokens {max_tokens}, every {per_run} messages", context=seen, reachable=seen)


def llamaindex(token_limit: int) -> Outcome:
    """ChatSummaryMemoryBuffer with its defaults."""
    from llama_index.core.base.llms.types import ChatMessage, ChatResponse
    from llama_index.core.llms import MockLLM
    from llama_index.core.memory import ChatSummaryMemoryBuffer

    class EchoLLM(MockLLM):
        """Answers every id in its prompt."""

        def chat(self, messages: Any, **_: Any) -> ChatResponse:
            said = " ".join(sorted(ids_in(str(one.content) for one in messages)))
            return ChatResponse(message=ChatMessage(role="assistant", content=said))

    memory = ChatSummaryMemoryBuffer.from_defaults(llm=EchoLLM(), token_limit=token_limit)
    kept: Any = []
    for number in range(MESSAGES):
        memory.put(ChatMessage(role=("user", "assistant")[number % 2], content=text(number)))
        if number % 2:
            kept = memory.get()
    seen = ids_in(str(one.content) for one in kept)
    return Outcome(name=f"LlamaIndex, token_limit {token_limit}", context=seen, reachable=seen)


def others() -> Iterable[tuple[str, Callable[[], Outcome]]]:
    """Package and run."""
    yield "langchain", lambda: langchain(("tokens", 4000))
    yield "langchain", lambda: langchain(("tokens", 16000))
    yield "langchain", lambda: langchain(("messages", 21), keep=("messages", 4))
    yield "langmem", lambda: langmem(4000, 2)
    yield "langmem", lambda: langmem(4000, MESSAGES // 2)
    yield "langmem", lambda: langmem(1000, 2)
    yield "llama_index", lambda: llamaindex(4000)


def main() -> None:
    """Print the table."""
    logging.disable(logging.WARNING)
    print(f"{MESSAGES} messages, one id each; a summarizer that answers every id it is shown")
    print(f"{'':58}{'in the context':>22}{'reachable':>22}")
    print(f"{'':58}{'all':>11}{f'oldest {OLDEST}':>11}{'all':>11}{f'oldest {OLDEST}':>11}")
    for outcome in asyncio.run(precis_lines()):
        print(outcome.line(), flush=True)
    for package, run in others():
        if importlib.util.find_spec(package) is None:
            print(f"{package}: not installed, not run")
            continue
        print(run().line(), flush=True)


if __name__ == "__main__":
    main()
