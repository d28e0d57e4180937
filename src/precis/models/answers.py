"""Reading a model's answer: what it says, or the reason why it is unusable, without a word of the answer."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from precis.errors import DraftFailed
from precis.language.script import foreign_language, foreign_script
from precis.makers import DraftStatement, Item
from precis.models.rendering import CLOSE, OPEN

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


class WrittenStatement(BaseModel):
    """One statement as the model is asked to write it."""

    model_config = ConfigDict(extra="forbid")

    text: str
    importance: float
    sources: list[int]


class WrittenAnswer(BaseModel):
    """The whole answer as the model is asked to write it."""

    model_config = ConfigDict(extra="forbid")

    statements: list[WrittenStatement]


class WrittenText(BaseModel):
    """Free text as the model is asked to write it."""

    model_config = ConfigDict(extra="forbid")

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
