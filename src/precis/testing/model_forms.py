"""What the model server says to the other two questions: labels of memories, and rulings on statements."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias

from precis.language import words
from precis.testing.model_answers import Shown, obey, shown, worth
from precis.testing.model_behaviors import Behavior, Kind, distort

#: One label or ruling as the wire has it.
Entry: TypeAlias = dict[str, Any]

_FORM = re.compile(r'Answer with one JSON object and nothing else: \{"(\w+)":')
_STATEMENTS = re.compile(r"^<statements>\n(.*?)^</statements>$", re.MULTILINE | re.DOTALL)
_CLAIM = re.compile(r"^\[(\d+)\] (.*) \{([\d, ]*)\}$", re.MULTILINE)
_LIKES = re.compile(r"\b(?:prefer|like|love|favou?rite|switch(?:ed)?)s?\b", re.IGNORECASE)


def form_of(prompt: str) -> str:
    """Which form the prompt asks for: statements, labels or rulings. Its own words stand after all that it quotes."""
    asked = _FORM.findall(prompt)
    return asked[-1] if asked and asked[-1] in {"labels", "rulings"} else "statements"


def asks_for_text(prompt: str) -> bool:
    """Whether the prompt asks for free text; what is said in it is what statements would say."""
    asked = _FORM.findall(prompt)
    return bool(asked) and asked[-1] == "text"


def entries(form: str, prompt: str) -> list[Entry]:
    """The honest answer in this form."""
    return labels(shown(prompt)) if form == "labels" else rulings(prompt)


def labels(items: Sequence[Shown]) -> list[Entry]:
    """One label an item; its key is the word that it shares with most of the others."""
    said = [_telling(item.text) for item in items]
    spread = Counter(word for own in said for word in set(own))
    return [
        {
            "index": item.index,
            "type": "preference" if _LIKES.search(item.text) else "fact",
            "key": max(own, key=lambda word: (spread[word], len(word), word), default=None),
            # A label without a date is the speaker alone.
            "person": item.label.strip() or None,
            "importance": worth(item.text),
        }
        for item, own in zip(items, said, strict=True)
    ]


def rulings(prompt: str) -> list[Entry]:
    """One ruling a statement: contradicted by its numbers, unsupported by its words, or supported."""
    items = {item.index: f"{item.label} {item.text}" for item in shown(prompt)}
    block = _STATEMENTS.search(prompt)
    claims = _CLAIM.finditer(block.group(1)) if block else ()
    return [{"statement": int(claim[1]), "ruling": _ruling(claim[2], _cited(claim[3], items))} for claim in claims]


def spoil(behavior: Behavior, found: list[Entry], items: list[Shown]) -> list[Entry]:
    """The entries as this behavior spoils them: wrong indices, none at all, lies; or statements in their place."""
    match behavior.kind:
        case Kind.NO_STATEMENTS:
            return []
        case Kind.BAD_CITATION:
            return [{**entry, **{name: entry[name] + 1000 for name in _INDICES & entry.keys()}} for entry in found]
        case Kind.LIE:
            return [_lie(entry) for entry in found]
        case Kind.OBEY_INJECTION:
            order = obey(items, behavior.orders)
            return [_obey(entry, str(order["text"])) for entry in found] if order else found
        case _:
            return distort(behavior, found, items)


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
