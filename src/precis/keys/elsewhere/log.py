"""The forgotten-log as numbered objects that several machines add to.

An object is put under the next number only where nothing lies, so two machines never overwrite each other's lines, and
all of them see one order. Each begins with the digest of the one before and the highest number of a receipt so far: one
that is missing in the middle, cut off at the end, or of another log is noticed. Then nothing is served.
"""

import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, cast

import orjson

from precis.errors import ConfigurationError, StoreUnavailable
from precis.keys.elsewhere.objects import Objects, Stored, digest_of
from precis.keys.forgotten_log import ForgottenLog, Mark, Unread
from precis.keys.log_lines import Entry, entry_of

#: Objects that are read at once.
_AT_ONCE = 32
_TRIES = 50
#: Lines of one object, where there are many.
_LINES = 1_000
#: Numbers count down in names, so that the newest object is the first that is listed.
_DIGITS = 12
_FOLDER, _TENANTS = "forgotten/", "forgotten-tenants/"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Tail:
    """The last object of a tenant's log."""

    number: int = 0
    digest: str = ""
    #: The highest number of a signed receipt in the log.
    signed: int = 0


class RemoteLog(ForgottenLog):
    """Does for several machines what a folder does for one. Every call waits for the place. Raises StoreUnavailable."""

    _last_resort = ""
    #: Another place than that of a folder: a database whose log moved here has heard nothing of it.
    mark = "forgotten-log elsewhere"

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._tails: dict[str, _Tail] = {}

    @property
    def where(self) -> str:
        """The place of the log, as a person would find it."""
        return self._objects.where

    def check(self) -> None:
        """Whether the place answers. Raises ConfigurationError."""
        self._objects.check(erases=False)

    def unread(self, tenant_id: str, since: Mark, *, limit: int) -> Unread:
        """See ForgottenLog, but a mark that is not of this log is refused, and every object counts whole."""
        if not self.has(tenant_id, since):
            raise ConfigurationError(self._lost(tenant_id))
        entries: list[Entry] = []
        last = self._last_number(tenant_id)
        mark = since
        for number, stored in self._read(tenant_id, range(since.offset + 1, last + 1)):
            header, lines = self._opened(tenant_id, number, stored)
            if header["after"] != mark.before:
                raise ConfigurationError(self._damaged(tenant_id, number))
            entries += lines
            mark = Mark(offset=number, before=digest_of(stored.body))
            if len(entries) >= limit:
                break
        return Unread(entries=tuple(entries), mark=mark)

    def has(self, tenant_id: str, mark: Mark) -> bool:
        """See ForgottenLog."""
        if mark.offset == 0:
            return True
        stored = self._objects.read(_name(tenant_id, mark.offset))
        return stored is not None and digest_of(stored.body) == mark.before

    def prove(self, tenant_id: str, *, signed: int, heard: Mark | None = None) -> None:
        """Raise ConfigurationError where the log lacks a receipt that the database has told it of."""
        if self._tail(tenant_id).signed < signed or (heard is not None and not self.has(tenant_id, heard)):
            raise ConfigurationError(self._lost(tenant_id))

    def tenants(self) -> list[str]:
        """See ForgottenLog."""
        return [bytes.fromhex(name.removeprefix(_TENANTS)).decode() for name in self._objects.names(_TENANTS)]

    def begin_again(self, tenant_id: str, entries: Sequence[Entry]) -> None:
        """Its objects are numbered, and of those that are lost nobody knows what they said."""
        del tenant_id, entries
        raise ConfigurationError("a forgotten-log in object storage or a database is put back from its own copies")

    def take_over(self, tenant_id: str, lines: Sequence[Mapping[str, object]]) -> None:
        """Begin with what a folder has, or go on with it. Raises ConfigurationError where another log lies here."""
        lies = self.unread(tenant_id, Mark(), limit=sys.maxsize).entries
        both = min(len(lies), len(lines))
        if lies[:both] != tuple(entry_of(line) for line in lines[:both]):
            raise ConfigurationError(f"{self.where} has another forgotten-log of tenant {tenant_id!r} already")
        for start in range(both, len(lines), _LINES):
            self._append(tenant_id, *lines[start : start + _LINES])

    def _append(self, tenant_id: str, *lines: Mapping[str, object]) -> None:
        if not lines:
            return
        for attempt in range(_TRIES):
            tail = self._tails.get(tenant_id) or self._tail(tenant_id)
            if tail.number == 0:
                # First, so that a log whose objects are lost is missed.
                self._objects.add(_TENANTS + tenant_id.encode().hex(), b"")
            signed = max([tail.signed, *(number for line in lines for number in _numbers(line))])
            body = _written({"number": tail.number + 1, "after": tail.digest, "signed": signed}, lines)
            if self._objects.add(_name(tenant_id, tail.number + 1), body) is not None:
                self._tails[tenant_id] = _Tail(number=tail.number + 1, digest=digest_of(body), signed=signed)
                return
            self._tails.pop(tenant_id, None)  # another machine was faster
            time.sleep(random.random() * 0.01 * (attempt + 1))  # noqa: S311 - so that they do not meet again
        raise StoreUnavailable("the forgotten-log is being written by others all the time; try again")

    def _tail(self, tenant_id: str) -> _Tail:
        number = self._last_number(tenant_id)
        if number == 0:
            return _Tail()
        stored = self._objects.read(_name(tenant_id, number))
        if stored is None:
            raise ConfigurationError(self._damaged(tenant_id, number))
        header, _ = self._opened(tenant_id, number, stored)
        return _Tail(number=number, digest=digest_of(stored.body), signed=int(header["signed"]))

    def _last_number(self, tenant_id: str) -> int:
        names = self._objects.names(_prefix(tenant_id), limit=1)
        try:
            return _number(names[0].removeprefix(_prefix(tenant_id))) if names else 0
        except ValueError as error:
            raise ConfigurationError(self._damaged(tenant_id, 0)) from error

    def _read(self, tenant_id: str, numbers: range) -> Iterator[tuple[int, Stored]]:
        """Some at a time, in order."""
        with ThreadPoolExecutor(_AT_ONCE) as readers:
            for start in range(0, len(numbers), _AT_ONCE):
                some = numbers[start : start + _AT_ONCE]
                bodies = readers.map(self._objects.read, [_name(tenant_id, number) for number in some])
                for number, stored in zip(some, bodies, strict=True):
                    if stored is None:
                        raise ConfigurationError(self._damaged(tenant_id, number))
                    yield number, stored

    def _opened(self, tenant_id: str, number: int, stored: Stored) -> tuple[Mapping[str, Any], list[Entry]]:
        try:
            header, *lines = [orjson.loads(line) for line in stored.body.splitlines()]
            if header["number"] != number:
                raise ValueError("it is another one's")  # noqa: TRY301 - damaged, like the others
            return cast("Mapping[str, Any]", {"after": str(header["after"]), "signed": int(header["signed"])}), [
                entry_of(line) for line in lines
            ]
        except (ValueError, KeyError, TypeError) as error:
            raise ConfigurationError(self._damaged(tenant_id, number)) from error

    def _damaged(self, tenant_id: str, number: int) -> str:
        return (
            f"the forgotten-log of tenant {tenant_id!r} in {self.where} is damaged: entry {number:,} is missing or was "
            "changed. Put it back from a copy of the log: a database that has not followed it so far is not served, "
            "for nobody knows what it must not tell"
        )


def _written(header: Mapping[str, object], lines: Sequence[Mapping[str, object]]) -> bytes:
    return b"".join(orjson.dumps(line) + b"\n" for line in (header, *lines))


def _numbers(line: Mapping[str, object]) -> Iterator[int]:
    document = line.get("signed")
    if isinstance(document, Mapping):
        yield int(document["number"])


def _prefix(tenant_id: str) -> str:
    return f"{_FOLDER}{tenant_id.encode().hex()}/"


def _name(tenant_id: str, number: int) -> str:
    return f"{_prefix(tenant_id)}{10**_DIGITS - number:0{_DIGITS}}"


def _number(name: str) -> int:
    most: int = 10**_DIGITS
    return most - int(name)
