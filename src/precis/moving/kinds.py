"""The kinds of memory that precis can move in; the file of a kind is read when it is used."""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module
from typing import cast

from precis.moving.arrivals import MoveOptions, Origin


class Kind(StrEnum):
    """What ``--from`` names."""

    AGENT_MEMORY_SERVER = "agent-memory-server"
    MEM0 = "mem0"
    LANGGRAPH = "langgraph"
    HINDSIGHT = "hindsight"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    MARKDOWN = "markdown"


_WRITTEN_IN = {
    Kind.AGENT_MEMORY_SERVER: "agent_memory_server:AgentMemoryServer",
    Kind.MEM0: "mem0:Mem0",
    Kind.LANGGRAPH: "langgraph:LangGraphStore",
    Kind.HINDSIGHT: "hindsight:Hindsight",
    Kind.CHATGPT: "chatgpt:ChatGPT",
    Kind.CLAUDE: "claude:Claude",
    Kind.MARKDOWN: "notes:Notes",
}


def origin_of(kind: Kind, source: str, options: MoveOptions) -> Origin:
    """The memory of that kind and place. Raises InvalidInput."""
    module, _, name = _WRITTEN_IN[kind].partition(":")
    return cast("Origin", getattr(import_module(f"precis.moving.{module}"), name)(source, options))
