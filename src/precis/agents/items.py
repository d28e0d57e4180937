"""What an item of a LangGraph store is as a memory: its id, its label, its metadata. It needs no LangGraph."""

import json
from collections.abc import Sequence
from functools import partial
from hashlib import blake2b
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from precis.app.inputs import UnownedInput
from precis.ids import checked_json

Namespace = tuple[str, ...]
#: How many bytes of JSON a value may take.
MAX_VALUE_BYTES = 4_000_000
#: Between the labels of a namespace; no label may hold a full stop, so this cannot be confused.
_JOIN = "."
#: A namespace is stored as a label of so many characters; the item knows all of it.
_LABEL = 512
#: Under these keys of a value the words of a memory are looked for.
TEXTS = ("text", "content", "memory")
_BETWEEN = "\x1f"
#: The longest text that is searched.
MAX_TEXT_CHARS = 200_000


Metadata = Annotated[dict[str, Any], AfterValidator(partial(checked_json, limit=MAX_VALUE_BYTES))]


class ItemInput(UnownedInput):
    """An item as a memory to write: its value may be longer than other metadata."""

    metadata: Metadata = Field(default_factory=dict)


def id_of(namespace: Sequence[str], key: str) -> str:
    """The id of its memory: another for every namespace and key."""
    parts = [*namespace, "", key]
    plain = not any(_BETWEEN in part for part in parts)
    named = _BETWEEN.join(parts) if plain else json.dumps(parts)
    return blake2b(named.encode("utf-8", "surrogatepass"), digest_size=16, person=b"precis-item").hexdigest()


def label_of(namespace: Sequence[str]) -> str | None:
    """The namespace as memories have it; None where it has no label."""
    return _JOIN.join(namespace)[:_LABEL] or None
