"""Words of a table, whole or by how they begin or end. Pure."""

from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from precis.language import tables


class _Listed(NamedTuple):
    """The words at a place of the tables, the beginnings of others and how long those are, and endings."""

    whole: frozenset[str]
    beginnings: frozenset[str]
    lengths: tuple[int, ...]
    endings: tuple[str, ...]


@cache
def _listed(place: str) -> _Listed:
    words = tables.words(place)
    beginnings = frozenset(word[:-1] for word in words if word.endswith("*"))
    return _Listed(
        whole=frozenset(word for word in words if "*" not in word),
        beginnings=beginnings,
        lengths=tuple(sorted(set(map(len, beginnings)))),
        endings=tuple(word[1:] for word in words if word.startswith("*")),
    )


def has_any(place: str, spoken: Collection[str]) -> bool:
    """Whether one of these words, in small letters, is listed there; a star stands for the rest of a word."""
    whole, beginnings, lengths, endings = _listed(place)
    if not whole.isdisjoint(spoken):
        return True
    return any(
        word.endswith(endings) or any(word[:length] in beginnings for length in lengths if len(word) >= length)
        for word in spoken
    )
