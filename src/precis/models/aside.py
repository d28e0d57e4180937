"""A request that waits for a model, or for its own body, gives its place back meanwhile: it takes nothing here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class Seat(Protocol):
    """The place of a request among those that are worked on."""

    def step_aside(self) -> None:
        """Another request may be worked on."""
        ...

    def come_back(self) -> None:
        """Go on, without waiting once more."""
        ...


_seat: ContextVar[Seat | None] = ContextVar("seat", default=None)


@contextmanager
def seated(seat: Seat) -> Iterator[None]:
    """Whatever is done in this block, tasks that it begins included, is done in this place."""
    token = _seat.set(seat)
    try:
        yield
    finally:
        _seat.reset(token)


@contextmanager
def aside() -> Iterator[None]:
    """The place is given back for the length of a block; nothing where there is none, as in a worker."""
    seat = _seat.get()
    if seat is None:
        yield
        return
    seat.step_aside()
    try:
        yield
    finally:
        seat.come_back()
