"""What the model server answers: drafts, rulings, labels and vectors, the same on any machine."""

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precis.language import words
from precis.language.words import normal

#: One statement as the wire has it: text, importance, sources.
Statement: TypeAlias = dict[str, Any]

_ITEM = re.compile(r"^\[(\d+)\] (?:\(([^)\n]*)\) ?)?(.*)$", re.MULTILINE)
_BLOCK = re.compile(r"^<memories>\n(.*?)^</memories>$", re.MULTILINE | re.DOTALL)
_LIMIT = re.compile(r"at most (\d+) tokens", re.IGNORECASE)
_SENTENCE = re.compile(r".+?[.!?\u3002\uff01\uff1f]+(?=\s|$)|.+$", re.DOTALL)
_INJECTION = re.compile(
    r"(?:ignore|disregard|forget)\b[^.:!?]*\b(?:instructions?|rules?|prompts?)\b[^a-z0-9]*"
    r"(?:(?:and|then|instead)\b,?\s*)*"
    r"(?:(?:say|write|reply|answer|output|respond|state)\b(?:\s+(?:that|with|only|exactly))*[:,]?\s*)?(.+)",
    re.IGNORECASE,
)
#: What ``echo`` takes for the id of a fact unless told otherwise: F12, fact-12, FACT_0012.
FACT_ID = r"\b(?:fact|f)[-_#]?\d+\b"


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """One numbered item as the model reads it."""

    index: int
    #: Date and speaker as rendered, e.g. ``2023-05-08, Clara``.
    label: str
    text: str

    @property
    def speaker(self) -> str:
        """Who said it, empty when the label is only a date."""
        return self.label.partition(",")[2].strip()


def shown(prompt: str) -> list[Shown]:
    """The numbered items of a prompt: between the memory tags, or anywhere when there are no tags."""
    block = _BLOCK.search(prompt)
    matches = _ITEM.finditer(block.group(1) if block else prompt)
    return [Shown(index=int(m.group(1)), label=m.group(2) or "", text=m.group(3).strip()) for m in matches]


def stated_limit(prompt: str) -> int | None:
    """The length the prompt allows, in tokens, as it states it."""
    match = _LIMIT.search(prompt)
    return int(match.group(1)) if match else None


def extractive(items: Sequence[Shown], limit: int, count: Callable[[str], int]) -> list[Statement]:
    """One statement an item, condensed to whole sentences; over the limit the newest stay.

    Items with the same text become one statement that cites them all.
    """
    if not items:
        return []
    share = max(12, limit // len(items))
    merged: dict[str, Statement] = {}
    for item in items:
        text = _alone(item, _condense(item.text, share, count))
        entry = merged.setdefault(text, {"text": text, "importance": worth(text), "sources": []})
        entry["sources"].append(item.index)
    return _newest_within(list(merged.values()), limit, count)


def echo(items: Iterable[Shown], pattern: str) -> list[Statement]:
    """Every fact id of each item, and nothing else: shows what reached the model, at any depth."""
    matches = ((item, re.findall(pattern, item.text, re.IGNORECASE)) for item in items)
    return [
        {"text": f"{' '.join(dict.fromkeys(ids))}.", "importance": 0.5, "sources": [item.index]}
        for item, ids in matches
        if ids
    ]


def obey(items: Iterable[Shown], orders: Iterable[tuple[str, str]] = ()) -> Statement | None:
    """What a gullible model says: the text an item orders it to say; None when no item gives an order.

    ``orders`` are pairs: a word of an item that gives one, and what is said then.
    """
    known = tuple(orders)
    for item in items:
        for word, answer in known:
            if word.casefold() in normal(item.text).casefold():
                return {"text": answer, "importance": 1.0, "sources": [item.index]}
        order = _INJECTION.search(item.text)
        if order:
            return {"text": order.group(1).strip(" \"'"), "importance": 1.0, "sources": [item.index]}
    return None


def prose(statements: Iterable[Statement]) -> str:
    """The statements as a paragraph, for prompts that do not ask for JSON."""
    return " ".join(str(s["text"]) for s in statements) or "There is nothing to summarize."


def lie(statements: list[Statement]) -> list[Statement]:
    """The same statements with the first number or name exchanged for another one."""
    for position, statement in enumerate(statements):
        changed = _swap(str(statement["text"]))
        if changed is not None:
            return [*statements[:position], {**statement, "text": changed}, *statements[position + 1 :]]
    return [{**statements[0], "text": f"{statements[0]['text']} Reginald owns 47 llamas."}] if statements else []


def _swap(text: str) -> str | None:
    number = re.search(r"\d+", text)
    if number:
        return f"{text[: number.start()]}{int(number.group()) + 7}{text[number.end() :]}"
    names = words.names(text)
    return re.sub(rf"\b{re.escape(names[0])}\b", "Reginald", text, count=1) if names else None


def _alone(item: Shown, text: str) -> str:
    """Who speaks comes first, unless the text already says so."""
    named = not item.speaker or text.casefold().startswith(item.speaker.casefold())
    return text if named else f"{item.speaker}: {text}"


def _condense(text: str, limit: int, count: Callable[[str], int]) -> str:
    """Leading sentences within the limit, at least the first."""
    kept = ""
    for sentence in _SENTENCE.findall(text):
        longer = f"{kept} {sentence.strip()}".strip()
        if kept and count(longer) > limit:
            break
        kept = longer
    return kept


def _newest_within(statements: list[Statement], limit: int, count: Callable[[str], int]) -> list[Statement]:
    """The newest that fit, at least one, in their first order."""
    room = limit
    kept: list[Statement] = []
    for statement in sorted(statements, key=lambda s: max(s["sources"]), reverse=True):
        room -= count(str(statement["text"]))
        if kept and room < 0:
            break
        kept.append(statement)
    return [s for s in statements if s in kept]


def worth(text: str) -> float:
    """Importance: names and numbers make a text worth more; the same text always scores the same."""
    return min(0.9, 0.4 + 0.1 * len(words.numbers(text)) + 0.1 * len(words.names(text)))


def hashed_vector(text: str, dimensions: int) -> npt.NDArray[np.float32]:
    """The unit vector of a text by feature hashing of its stemmed content words (Weinberger et al., 2009)."""
    vector = np.zeros(dimensions, dtype=np.float32)
    for term in words.terms(text) or [text.strip().casefold()]:
        digest = hashlib.blake2b(term.encode(), digest_size=8).digest()
        sign = 1.0 if digest[7] & 1 else -1.0
        vector[int.from_bytes(digest[:6], "big") % dimensions] += sign
    length = float(np.linalg.norm(vector))
    if length == 0.0:
        # Two words of opposite sign fell into the same place: any fixed direction will do.
        vector[0] = length = 1.0
    return vector / np.float32(length)


def encode(vector: npt.NDArray[np.float32], *, packed: bool) -> list[float] | str:
    """As the wire has it: a list, or base64 of little-endian 32-bit floats."""
    return base64.b64encode(vector.astype("<f4").tobytes()).decode() if packed else vector.tolist()
