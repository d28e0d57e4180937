"""A circuit breaker: an endpoint that keeps failing is left alone for a while, then tried with one call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from precis.errors import ModelUnavailable

Verdict = Literal["succeeded", "failed"]


class Permit:
    """Leave to make one call. Say how it went; an abandoned call counts neither way."""

    def __init__(self, *, probe: bool) -> None:
        #: True for the one call that tries whether an open breaker may close.
        self.probe = probe
        self.verdict: Verdict | None = None

    def succeeded(self) -> None:
        """The endpoint answered."""
        self.verdict = "succeeded"

    def failed(self) -> None:
        """The endpoint could not be reached, broke down or took too long."""
        self.verdict = "failed"


class Breaker:
    """Closed: calls pass. Open: they are refused at once. After ``cooldown`` seconds one probe passes."""

    def __init__(self, *, monotonic: Callable[[], float], failures: int = 5, cooldown: float = 30.0) -> None:
        self._monotonic = monotonic
        self._limit = failures
        self._cooldown = cooldown
        self._failures = 0
        self._opened_at: float | None = None
        self._probing = False

    @property
    def state(self) -> Literal["closed", "open", "half-open"]:
        """As the next call would find it."""
        if self._opened_at is None:
            return "closed"
        rested = self._monotonic() - self._opened_at >= self._cooldown
        return "half-open" if rested and not self._probing else "open"

    @contextmanager
    def permit(self) -> Iterator[Permit]:
        """Leave to make one call. Raises ModelUnavailable when open."""
        state = self.state
        if state == "open":
            failed = f"failed {self._failures} times in a row"
            raise ModelUnavailable(f"The model {failed} and is left alone for {self._cooldown:g} s.")
        permit = Permit(probe=state == "half-open")
        self._probing = self._probing or permit.probe
        try:
            yield permit
        finally:
            self._note(permit)

    def _note(self, permit: Permit) -> None:
        if permit.probe:
            self._probing = False
        if permit.verdict == "succeeded":
            self._failures, self._opened_at = 0, None
        elif permit.verdict == "failed":
            self._failures += 1
            # A straggler from before the opening must not prolong it.
            if permit.probe or (self._opened_at is None and self._failures >= self._limit):
                self._opened_at = self._monotonic()
