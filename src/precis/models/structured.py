"""Structured output of an endpoint: how it is asked for, and what an answer says.

It is asked for in the strictest way the endpoint knows, down to a plain request. Of an unusable answer the reason is
told, without a word of the answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from precis.errors import DraftFailed
from precis.language.script import foreign_language, foreign_script
from precis.makers import DraftStatement, Item
from precis.models.rendering import CLOSE, OPEN


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


_Form = TypeVar("_Form", bound=BaseModel)


class Unusable(DraftFailed):
    """The model answered, but not what it was asked for."""

    def __init__(self, outcome: str, reason: str, *, repairable: bool = True) -> None:
        super().__init__(f"The model gave no usable answer: {reason}.")
        #: One word or two for the ledger, e.g. ``bad citation``.
        self.outcome = outcome
        #: What was wrong, without a word of the answer.
        self.reason = reason
        #: False where asking again is a waste: a model that refuses goes on refusing.
        self.repairable = repairable


class Written(BaseModel):
    """What a model is asked to write: these fields and no others."""

    model_config = ConfigDict(extra="forbid")


class WrittenStatement(Written):
    """One statement as the model is asked to write it."""

    text: str
    importance: float
    sources: list[int]


class WrittenAnswer(Written):
    """The whole answer as the model is asked to write it."""

    statements: list[WrittenStatement]


class WrittenText(Written):
    """Free text as the model is asked to write it."""

    text: str


_FENCE = re.compile(r"^\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*$", re.DOTALL | re.IGNORECASE)
_REFUSAL = re.compile(
    r"^\W*(?:(?:i[' ]?a?m|we[' ]?a?re) (?:very |so |really )?(?:sorry|afraid|unable|not able)\b"
    r"|sorry,? (?:but )?i\b|i (?:apologi[sz]e|can(?:no|')t|could ?n[o']t|won't) (?:but|for|that|help|assist|"
    r"comply|provide|summari[sz]e|fulfil|do that|process|answer|,)|i apologi[sz]e\b|my apologies|as an ai\b|"
    r"unfortunately, i (?:can|am|do|was)\b)"
)
_TALK = re.compile(
    r"^\W*(?:(?:sure|certainly|of course|absolutely)\b\W+here\b"
    r"|here(?: is|'s| are) (?:the|a|an|your|my|some)\b.{0,40}\b(?:summar|statements?|overview|key points)"
    r"|(?:summary|statements?|answer|output)\s*:)"
    r"|\b(?:the|these|those) (?:provided|given|supplied|above|numbered) "
    r"(?:memories|items|texts?|messages|list|notes)\b"
    r"|\b(?:my|the|your|these|previous|prior) (?:system prompt|prompts?|instructions)\b"
    r"|\bas an ai (?:language )?model\b|\bas (?:you )?requested\b"
)


def read(answer: str, items: Sequence[Item]) -> tuple[DraftStatement, ...]:
    """The statements of an answer. Raises Unusable with the reason where there is no summary in it."""
    written = validated(parsed(answer, alone="statements"), WrittenAnswer)
    if not written.statements:
        raise Unusable("empty", "the answer holds no statement")
    drafts = tuple(_checked(number, s, items) for number, s in enumerate(written.statements, start=1))
    language = foreign_language(" ".join(d.text for d in drafts), (item.text for item in items))
    if language:
        raise Unusable("wrong language", f"the answer is in {language}, its sources are not")
    return drafts


def read_text(answer: str, items: Sequence[Item]) -> str:
    """The text of an answer. Raises Unusable with the reason where there is none that can be used."""
    written = validated(parsed(answer, alone="text"), WrittenText).text.replace("\x00", " ").strip()
    if not written:
        raise Unusable("empty", "the text is empty")
    if not encodable(written):
        raise Unusable("wrong shape", "the text has broken characters")
    cited = [f"{item.speaker or ''} {item.text}" for item in items]
    _refuse_talk(1, written, cited)
    return written


def parsed(answer: str, *, alone: str) -> Any:
    """The JSON of an answer, also inside a code fence or between words of politeness.

    A bare list is taken for the field ``alone`` of the object asked for.
    """
    if not answer.strip():
        raise Unusable("empty", "the answer is empty")
    fenced = _FENCE.match(answer)
    body = (fenced.group(1) if fenced else answer).strip()
    start, end = body.find("{"), body.rfind("}")
    for candidate in (body, body[start : end + 1] if 0 <= start < end else ""):
        try:
            value = json.loads(candidate)
        except ValueError:
            continue
        return {alone: value} if isinstance(value, list) else value
    if _REFUSAL.match(_plain(answer)):
        raise Unusable("refusal", "the model refused", repairable=False)
    raise Unusable("not JSON", "the answer is not JSON")


def validated(value: Any, form: type[_Form]) -> _Form:
    """The answer in its form. Raises Unusable with the places where it has another one."""
    places: list[str] = []
    try:
        return form.model_validate(value)
    except ValidationError as wrong:
        # The error itself quotes the answer, so only the places and kinds of what is wrong go on.
        errors = wrong.errors(include_input=False, include_url=False)[:3]
        known = _fields(form)
        places = [f"{_place(error['loc'], known)} ({error['type']})" for error in errors]
    raise Unusable("wrong shape", f"the JSON does not have the form asked for: {', '.join(places)}")


def _fields(form: type[BaseModel]) -> set[str]:
    schema = form.model_json_schema()
    return {name for part in (schema, *schema.get("$defs", {}).values()) for name in part.get("properties", {})}


def _place(path: tuple[int | str, ...], known: set[str]) -> str:
    """A field's path, but no key that the model made up."""
    named = [str(part) if isinstance(part, int) or part in known else "unknown field" for part in path]
    return ".".join(named) or "answer"


def _checked(number: int, written: WrittenStatement, items: Sequence[Item]) -> DraftStatement:
    text = " ".join(written.text.replace("\x00", " ").split())
    sources = tuple(dict.fromkeys(written.sources))
    cited = _cited(number, sources, items)
    if not text:
        raise Unusable("empty", f"statement {number} is empty")
    if not encodable(text) or not 0.0 <= written.importance <= 1.0:
        raise Unusable("wrong shape", f"statement {number} has broken characters or an importance outside 0 to 1")
    _refuse_talk(number, text, cited)
    script = foreign_script(text, cited)
    if script:
        raise Unusable("wrong language", f"statement {number} is in {script} script, its sources are not")
    return DraftStatement(text=text, importance=written.importance, sources=sources)


def _cited(number: int, sources: Sequence[int], items: Sequence[Item]) -> list[str]:
    """The texts a statement rests on, as it claims, with their speakers."""
    if not sources:
        raise Unusable("bad citation", f"statement {number} cites no item")
    missing = [index for index in sources if not 0 <= index < len(items)]
    if missing:
        last = len(items) - 1
        raise Unusable("bad citation", f"statement {number} cites {missing[0]}, the items are 0 to {last}")
    return [f"{items[index].speaker or ''} {items[index].text}" for index in sources]


def _refuse_talk(number: int, text: str, cited: Sequence[str]) -> None:
    """Words about the task instead of the memories; words the memories themselves hold are no such talk."""
    memories = " ".join(map(_plain, cited))
    for pattern, outcome, repairable in ((_REFUSAL, "refusal", False), (_TALK, "preamble", True)):
        match = pattern.search(_plain(text))
        if match and match.group() not in memories:
            what = "refuses or apologizes" if pattern is _REFUSAL else "talks about the task, not the memories"
            raise Unusable(outcome, f"statement {number} {what}", repairable=repairable)
    if OPEN in text or CLOSE in text:
        raise Unusable("preamble", f"statement {number} repeats the marks of the prompt")


def _plain(text: str) -> str:
    return " ".join(text.replace("\u2019", "'").casefold().split())


def encodable(text: str) -> bool:
    """False for lone surrogates, which JSON can spell and no database stores."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
