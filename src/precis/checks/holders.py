"""Which places hold a term."""

from collections.abc import Mapping
from typing import TypeVar, overload

Default = TypeVar("Default")


class Holders:
    """Terms to the places that hold them. They are frozen as they are looked up: most of the terms never are."""

    def __init__(self, places: Mapping[str, set[int]]) -> None:
        self._places = places
        self._frozen: dict[str, frozenset[int]] = {}

    def __contains__(self, term: str) -> bool:
        return term in self._places

    def __getitem__(self, term: str) -> frozenset[int]:
        if term not in self._frozen:
            self._frozen[term] = frozenset(self._places[term])
        return self._frozen[term]

    @overload
    def get(self, term: str) -> frozenset[int] | None: ...

    @overload
    def get(self, term: str, default: Default) -> frozenset[int] | Default: ...

    def get(self, term: str, default: Default | None = None) -> frozenset[int] | Default | None:
        """Those of one term; the default where nothing holds it."""
        return self[term] if term in self._places else default
