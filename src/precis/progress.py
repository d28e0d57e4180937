"""How far long work is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(kw_only=True, slots=True)
class Progress:
    """Written by whoever works, read by whoever tells."""

    done: int = 0
    total: int = 0
    #: What it is at, in a word or two.
    what: str = ""

    def begin(self, total: int, what: str) -> None:
        """So many more of these are to be done."""
        self.total += total
        self.what = what

    def step(self, by: int = 1) -> None:
        """So many of them are."""
        self.done += by

    def at(self, what: str) -> None:
        """Something that is not counted."""
        self.what = what
