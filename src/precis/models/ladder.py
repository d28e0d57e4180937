"""How an endpoint is asked for structured output: the strictest way it knows, down to a plain request."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Protocol

from pydantic import BaseModel

from precis.makers import Request, Usage


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """The form an answer is asked for in."""

    #: Name of the schema, and of the tool where the answer is the arguments of one.
    name: str
    #: What the tool does, in the words the model reads.
    purpose: str
    schema: type[BaseModel]


class Rung(IntEnum):
    """Ways to ask, the strictest first."""

    JSON_SCHEMA = 0
    TOOL = 1
    PROMPT = 2


class Ladder:
    """What one endpoint is known to take, by model and form. Only an answer teaches it anything."""

    def __init__(self) -> None:
        #: By model and name of the form: a schema may use what another of the same model does not.
        self._rungs: dict[tuple[str, str], Rung] = {}
        self._limits: dict[str, str] = {}

    def dialect(self, model: str, form: Form) -> Dialect:
        """Where to start with this model: what worked last, else the strictest way."""
        known = self._rungs.get((model, form.name))
        limit = self._limits.get(model, "max_tokens")
        return Dialect(Rung.JSON_SCHEMA if known is None else known, proven=known is not None, limit=limit)

    def worked(self, model: str, form: Form, dialect: Dialect) -> None:
        """The endpoint took a request in this dialect."""
        self._rungs[model, form.name] = dialect.rung
        self._limits[model] = dialect.limit
        dialect.proven = True


class Dialect:
    """How the requests of one call are put; it moves down as the endpoint refuses."""

    def __init__(self, rung: Rung, *, proven: bool, limit: str) -> None:
        self.rung = rung
        #: The endpoint has answered on this rung before.
        self.proven = proven
        #: Name of the parameter that limits the answer's length.
        self.limit = limit
        self._breakdowns = 0

    def refused(self, *, wants_other_limit: bool) -> bool:
        """The endpoint called the request bad. True when there is another way to put it."""
        if wants_other_limit and self.limit == "max_tokens":
            self.limit = "max_completion_tokens"
            return True
        return self._lower()

    def broke_down(self) -> bool:
        """The endpoint answered 500. True when another way should be tried: twice where none ever worked.

        llama.cpp's server answers so to a json_schema; once may be an accident.
        """
        self._breakdowns += 1
        return not self.proven and self._breakdowns > 1 and self._lower()

    def _lower(self) -> bool:
        if self.rung is Rung.PROMPT:
            return False
        self.rung, self.proven, self._breakdowns = Rung(self.rung + 1), False, 0
        return True

    def parameters(self, form: Form, limit: int) -> dict[str, Any]:
        """The request's parameters on this rung; the messages are the same on all."""
        schema = form.schema.model_json_schema()
        match self.rung:
            case Rung.JSON_SCHEMA:
                named = {"name": form.name, "strict": True, "schema": schema}
                output: dict[str, Any] = {"response_format": {"type": "json_schema", "json_schema": named}}
            case Rung.TOOL:
                function = {"name": form.name, "description": form.purpose, "parameters": schema}
                choice = {"type": "function", "function": {"name": form.name}}
                output = {"tools": [{"type": "function", "function": function}], "tool_choice": choice}
            case Rung.PROMPT:
                output = {}
        return {self.limit: limit, **output}


class Meter(Protocol):
    """Reserves the price of an attempt before it is made, and settles it afterwards."""

    async def reserve(self, request: Request, estimate: Usage) -> object:
        """Set aside what the attempt may take at most. Raises BudgetExhausted when there is not enough."""
        ...

    async def settle(self, token: object, usage: Usage, outcome: str, latency: float) -> None:
        """What it took. ``outcome`` is ``ok`` or what went wrong; ``latency`` is in seconds."""
        ...


class Unmetered:
    """The meter of somebody who does not count."""

    async def reserve(self, request: Request, estimate: Usage) -> object:
        """Always granted."""
        del request, estimate
        return None

    async def settle(self, token: object, usage: Usage, outcome: str, latency: float) -> None:
        """Nothing to note."""
        del token, usage, outcome, latency
