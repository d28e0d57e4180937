"""Words of a table, whole or by their beginnings. Pure."""

from collections.abc import Collection
from functools import cache

from precis.language import tables


@cache
def _listed(place: str) -> tuple[frozenset[str], frozenset[str], tuple[int, ...]]:
    """The words at a place of the tables, the beginnings of others, and how long those are."""
    words = tables.words(place)
    beginnings = frozenset(word[:-1] for word in words if word.endswith("*"))
    whole = frozenset(word for word in words if not word.endswith("*"))
    return whole, beginnings, tuple(sorted(set(map(len, beginnings))))


def has_any(place: str, spoken: Collection[str]) -> bool:
    """Whether one of these words, in small letters, is listed there, or begins as one that ends with a star."""
    whole, beginnings, lengths = _listed(place)
    if not whole.isdisjoint(spoken):
        return True
    return any(word[:length] in beginnings for word in spoken for length in lengths if len(word) >= length)
