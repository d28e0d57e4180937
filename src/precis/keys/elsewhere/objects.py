"""A place of small named bytes that several machines write: nobody overwrites what somebody else has written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Protocol


@dataclass(frozen=True, kw_only=True, slots=True)
class Stored:
    """What lies under a name."""

    body: bytes = field(repr=False)
    #: Another one after each change.
    version: str


class Objects(Protocol):
    """What S3 and PostgreSQL have in common. Every call is synchronous. Raises StoreUnavailable."""

    @property
    def where(self) -> str:
        """How a person would find it; without a secret."""

    def check(self, *, erases: bool) -> None:
        """Raise ConfigurationError where this place may not be used; ``erases``: what is replaced has to be gone."""

    def read(self, name: str) -> Stored | None:
        """What lies there now."""

    def add(self, name: str, body: bytes) -> Stored | None:
        """Put it where nothing lies, durably; None where something does."""

    def replace(self, name: str, body: bytes, *, version: str) -> Stored | None:
        """Put it in the place of this version, durably; None where another one lies there."""

    def names(self, prefix: str, *, limit: int | None = None) -> Sequence[str]:
        """The names that begin so, in order; the first of them."""


def digest_of(body: bytes) -> str:
    """Tells contents apart."""
    return sha256(body).hexdigest()
