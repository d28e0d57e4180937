"""The OpenAI wire format as the model server reads and writes it."""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from fastapi.responses import JSONResponse

from precis.language import words
from precis.testing.model_answers import Shown, Statement, echo, extractive, obey, prose, shown, stated_limit, worth
from precis.testing.model_behaviors import REFUSAL, Behavior, Kind, Script, distort

#: Where the prompt states no limit.
DEFAULT_LIMIT = 400
#: As OpenAI frames a conversation: four tokens a message, three to open the answer.
PER_MESSAGE = 4
PER_PROMPT = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """What the model says, before it is put into an envelope."""

    text: str
    outcome: str = "ok"
    refusal: str | None = None
    finish_reason: str = "stop"
    #: Name of the called tool; None answers in the content.
    tool: str | None = None


def contents(body: dict[str, Any]) -> str:
    """The contents of the messages, or the inputs to embed, one after the other."""
    texts = body.get("input") or [message.get("content") or "" for message in body.get("messages", [])]
    return texts if isinstance(texts, str) else "\n".join(map(str, texts))


def format_of(body: dict[str, Any]) -> str:
    """What the caller asked for: json_schema, json_object, tool or plain."""
    format_ = str((body.get("response_format") or {}).get("type", ""))
    return format_ if format_.startswith("json") else "tool" if body.get("tools") else "plain"


def prompt_tokens(body: dict[str, Any], count: Callable[[str], int]) -> int:
    """Input tokens of a chat request: contents and framing."""
    messages = body.get("messages", [])
    return sum(count(str(message.get("content") or "")) + PER_MESSAGE for message in messages) + PER_PROMPT


def speak(body: dict[str, Any], script: Script, behaviors: Sequence[Behavior], count: Callable[[str], int]) -> Reply:
    """The answer to a chat request, spoiled as the behaviors say."""
    ignores = any(b.kind is Kind.IGNORE_TOOLS for b in behaviors)
    tool = None if ignores or not body.get("tools") else str(body["tools"][0]["function"]["name"])
    honest = _content(body, script, behaviors, count)
    spoiled = [b.kind for b in behaviors if b.kind not in {Kind.STALL, Kind.NO_USAGE, Kind.IGNORE_TOOLS}]
    outcome = spoiled[0].value if spoiled else "ok"
    if Kind.REFUSAL in spoiled:
        return Reply(text="", refusal=REFUSAL, outcome=outcome)
    if Kind.EMPTY in spoiled:
        return Reply(text="", outcome=outcome)
    if Kind.REFUSAL_TEXT in spoiled:
        return Reply(text=REFUSAL, outcome=outcome)
    if Kind.TRUNCATED in spoiled:
        return Reply(text=honest[: len(honest) * 2 // 3], outcome=outcome, finish_reason="length", tool=tool)
    if Kind.NOT_JSON in spoiled:
        return Reply(text=_in_prose(honest), outcome=outcome)
    return Reply(text=honest, outcome=outcome, tool=tool, finish_reason="tool_calls" if tool else "stop")


def _content(body: dict[str, Any], script: Script, behaviors: Sequence[Behavior], count: Callable[[str], int]) -> str:
    """JSON where the caller asks for it in any way, a paragraph otherwise."""
    prompt = contents(body)
    items, form = shown(prompt), form_of(prompt)
    answer = _said(form, prompt, script, count)
    if isinstance(answer, str):
        return answer
    for behavior in behaviors:
        answer = distort(behavior, answer, items) if form == "statements" else spoil(behavior, answer, items)
    if asks_for_text(prompt):
        return json.dumps({"text": prose(answer)}, ensure_ascii=False)
    structured = form != "statements" or format_of(body) != "plain" or "JSON" in prompt
    return json.dumps({form: answer}, ensure_ascii=False) if structured else prose(answer)


def _said(form: str, prompt: str, script: Script, count: Callable[[str], int]) -> list[Statement] | str:
    """The answer before anything spoils it, or a scripted content as it stands."""
    items = shown(prompt)
    if script.way.kind is Kind.ECHO and form == "statements":
        return echo(items, script.way.pattern)
    scripted = script.next_scripted() if script.way.kind is Kind.SCRIPTED else None
    if scripted is not None:
        return scripted
    if form != "statements":
        return labels(items) if form == "labels" else rulings(prompt)
    return extractive(items, script.length(stated_limit(prompt) or DEFAULT_LIMIT), count)


def _in_prose(content: str) -> str:
    try:
        answer = json.loads(content)
        text = prose(answer["statements"]) if "statements" in answer else answer.get("text")
        return str(text or "I have looked at all of them.")
    except (ValueError, KeyError, TypeError):
        return content


def usage(
    body: dict[str, Any], reply: Reply, behaviors: Sequence[Behavior], count: Callable[[str], int]
) -> dict[str, Any]:
    """The usage block of a chat answer."""
    tokens_in = prompt_tokens(body, count)
    tokens_out = count(reply.text or reply.refusal or "")
    share = max((b.cached_share for b in behaviors), default=0.0)
    return {
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
        "prompt_tokens_details": {"cached_tokens": round(tokens_in * share)},
    }


def completion(id_: str, model: str, reply: Reply, used: dict[str, Any] | None) -> dict[str, Any]:
    """The envelope of a chat answer."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None, "refusal": reply.refusal}
    if reply.tool:
        function = {"name": reply.tool, "arguments": reply.text}
        message |= {
            "content": None,
            "tool_calls": [{"id": "tool-1", "type": "function", "function": function}],
        }
    choice = {"index": 0, "message": message, "finish_reason": reply.finish_reason, "logprobs": None}
    envelope = {"id": id_, "object": "chat.completion", "created": 0, "model": model, "choices": [choice]}
    return envelope | ({"usage": used} if used else {})


def error(behavior: Behavior) -> JSONResponse:
    """An error as OpenAI-compatible endpoints send it."""
    complaints = {
        Kind.NO_JSON_SCHEMA: ("response_format json_schema is not supported", "response_format"),
        Kind.NO_TOOLS: ("tools are not supported", "tools"),
        Kind.NO_MAX_TOKENS: ("Unsupported parameter: use 'max_completion_tokens' instead.", "max_tokens"),
    }
    message, param = complaints.get(behavior.kind, (f"asked to answer {behavior.status}", None))
    status = 400 if behavior.kind is Kind.NO_MAX_TOKENS else behavior.status
    headers = {} if behavior.retry_after is None else {"Retry-After": f"{behavior.retry_after:g}"}
    wrong = {"message": message, "type": "server_error", "param": param, "code": None}
    return JSONResponse({"error": wrong}, status_code=status, headers=headers)


#: One label or ruling as the wire has it.
Entry: TypeAlias = dict[str, Any]

_FORM = re.compile(r'Answer with one JSON object and nothing else: \{"(\w+)":')
_STATEMENTS = re.compile(r"^<statements>\n(.*?)^</statements>$", re.MULTILINE | re.DOTALL)
_CLAIM = re.compile(r"^\[(\d+)\] (.*) \{([\d, ]*)\}$", re.MULTILINE)
_LIKES = re.compile(r"\b(?:prefer|like|love|favou?rite|switch(?:ed)?)s?\b", re.IGNORECASE)


def form_of(prompt: str) -> str:
    """Which form the prompt asks for: statements, labels or rulings. Its own words stand after all that it quotes."""
    forms = _FORM.findall(prompt)
    return forms[-1] if forms and forms[-1] in {"labels", "rulings"} else "statements"


def asks_for_text(prompt: str) -> bool:
    """Whether the prompt asks for free text; what is said in it is what statements would say."""
    forms = _FORM.findall(prompt)
    return bool(forms) and forms[-1] == "text"


def labels(items: Sequence[Shown]) -> list[Entry]:
    """One label an item; its key is the word that it shares with most of the others."""
    words = [_telling(item.text) for item in items]
    spread = Counter(word for own in words for word in set(own))
    return [
        {
            "index": item.index,
            "type": "preference" if _LIKES.search(item.text) else "fact",
            "key": max(own, key=lambda word: (spread[word], len(word), word), default=None),
            # A label without a date is the speaker alone.
            "person": item.label.strip() or None,
            "importance": worth(item.text),
        }
        for item, own in zip(items, words, strict=True)
    ]


def rulings(prompt: str) -> list[Entry]:
    """One ruling a statement: contradicted by its numbers, unsupported by its words, or supported."""
    items = {item.index: f"{item.label} {item.text}" for item in shown(prompt)}
    block = _STATEMENTS.search(prompt)
    claims = _CLAIM.finditer(block.group(1)) if block else ()
    return [{"statement": int(claim[1]), "ruling": _ruling(claim[2], _cited(claim[3], items))} for claim in claims]


def spoil(behavior: Behavior, entries: list[Entry], items: list[Shown]) -> list[Entry]:
    """The entries as this behavior spoils them: wrong indices, none at all, lies; or statements in their place."""
    match behavior.kind:
        case Kind.NO_STATEMENTS:
            return []
        case Kind.BAD_CITATION:
            return [{**entry, **{name: entry[name] + 1000 for name in _INDICES & entry.keys()}} for entry in entries]
        case Kind.LIE:
            return [_lie(entry) for entry in entries]
        case Kind.OBEY_INJECTION:
            order = obey(items, behavior.orders)
            return [_obey(entry, str(order["text"])) for entry in entries] if order else entries
        case _:
            return distort(behavior, entries, items)


_INDICES = frozenset({"index", "statement"})


def _lie(entry: Entry) -> Entry:
    if "ruling" in entry:
        return {**entry, "ruling": "unsupported" if entry["ruling"] == "supported" else "supported"}
    return {**entry, "type": "event", "person": "Reginald", "key": "llama"}


def _obey(entry: Entry, order: str) -> Entry:
    return {**entry, "ruling": "supported"} if "ruling" in entry else {**entry, "key": order}


def _telling(text: str) -> list[str]:
    return [word for word in words.words(text) if word not in words.STOP_WORDS and word.isalpha() and len(word) > 3]


def _cited(indices: str, items: dict[int, str]) -> str:
    return " ".join(items[int(index)] for index in indices.split(",") if index.strip())


def _ruling(statement: str, evidence: str) -> str:
    if set(words.numbers(statement)) - set(words.numbers(evidence)):
        return "contradicted"
    return "supported" if words.content(statement) <= words.content(evidence) else "unsupported"
