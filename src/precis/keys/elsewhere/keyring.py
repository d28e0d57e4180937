"""The keys of tenants as documents that several machines share, each wrapped by a key of its own, that by the provider.

    the provider's key  wraps  a document key  wraps  a tenant key (in versions)  wraps  the data keys in the database

A document is replaced only where it is still the one that was read, so no machine undoes what another one did. Each
write makes a new document key: what an older copy of the document holds, no newer key opens.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import NoReturn

from precis.errors import ConfigurationError, StoreUnavailable
from precis.keys.cipher import TenantFile, TenantKeys, framed, new_data_key
from precis.keys.elsewhere.objects import Objects, Stored, digest_of
from precis.keys.elsewhere.providers import Provider
from precis.keys.keyring import PLAIN_NAME

_FOLDER = "keys/"
#: Seconds after which an opened document is looked at again beside the work, and those after which the work waits for
#: that: for so long a machine goes on without the object storage.
SOON, LATEST = 5.0, 30.0
_TRIES = 50


@dataclass(frozen=True, kw_only=True, slots=True)
class _Opened:
    """A document in memory."""

    file: TenantFile
    version: str
    #: When it was last seen to be the one that lies there.
    at: float


class RemoteKeyring:
    """Does for several machines what ``Keyring`` does for one. Calls are synchronous; a first use waits for answers.

    Raises StoreUnavailable where the place or the provider does not answer.
    """

    def __init__(self, objects: Objects, provider: Provider, *, timer: Callable[[], float] = time.monotonic) -> None:
        self._objects = objects
        self._provider = provider
        self._timer = timer
        self._opened: dict[str, _Opened] = {}
        self._lock = threading.Lock()
        self._looking: set[str] = set()
        #: What lay there once: where it is missing now it was lost, and nothing is made in its place.
        self._names = set(objects.names(_FOLDER))
        self.watch = KeyWatch(objects, provider, self._opened, self._opened_from, self._look, timer)

    @property
    def where(self) -> str:
        """Where the documents lie, and who wraps them."""
        return f"{self._objects.where}, wrapped by {self._provider.where}"

    def open_tenant(self, tenant_id: str, *, create: bool = True) -> TenantKeys:
        """The tenant's keys, made on first use. Raises ConfigurationError."""
        if tenant_id not in self._opened and create and not self.has_tenant(tenant_id):
            # None where another machine was faster.
            stored = self._objects.add(_name(tenant_id), self._sealed(TenantFile.new(tenant_id)))
            if stored is not None:
                self._remember(tenant_id, stored)
        return TenantKeys(tenant_id, partial(self._read, tenant_id))

    def has_tenant(self, tenant_id: str) -> bool:
        """Whether there are keys of this tenant, or were."""
        return _name(tenant_id) in self._names or self._objects.read(_name(tenant_id)) is not None

    def take_over(self, file: TenantFile) -> None:
        """Begin with what a folder has. Raises ConfigurationError where there are other keys here."""
        stored = self._objects.add(_name(file.tenant_id), self._sealed(file))
        if stored is None and self._look(file.tenant_id).secrets != file.secrets:
            raise ConfigurationError(f"{self._objects.where} has other keys of tenant {file.tenant_id!r} already")

    def begin_rotation(self, tenant_id: str) -> int:
        """See Keyring."""

        def longer(file: TenantFile) -> TenantFile:
            return replace(file, versions={**file.versions, max(file.versions) + 1: new_data_key()})

        return max(self._change(tenant_id, longer)[1].versions)

    def finish_rotation(self, tenant_id: str, *, keep: int) -> tuple[int, ...]:
        """See Keyring. Raises ConfigurationError where the document is older than the database."""

        def shorter(file: TenantFile) -> TenantFile:
            if max(file.versions) < keep:
                raise ConfigurationError(f"tenant {tenant_id!r} has no key version {keep}: nothing was erased")
            return replace(file, versions={n: key for n, key in file.versions.items() if n >= keep})

        before, after = self._change(tenant_id, shorter)
        return tuple(sorted(set(before.versions) - set(after.versions)))

    def rotate_master(self) -> None:
        """Wrap every document anew, by the newest version of the provider's key; no text and no row is touched."""
        for name in self._objects.names(_FOLDER):
            stored = self._objects.read(name)
            if stored is not None:
                self._change(self._opened_from(stored).tenant_id, lambda file: replace(file, stamp=None))

    def check(self) -> None:
        """Whether place and provider answer, the first document opens, and another could be wrapped and opened.

        Raises ConfigurationError.
        """
        self.watch.check()

    def is_fresh(self, tenant_id: str) -> bool:
        """Whether nobody will have to wait for this tenant's keys within the next seconds."""
        opened = self._opened.get(tenant_id)
        return opened is not None and self._timer() - opened.at < LATEST / 2

    def let_go(self) -> None:
        """Look at each document again before it is used again."""
        self._opened.clear()

    def _change(self, tenant_id: str, change: Callable[[TenantFile], TenantFile]) -> tuple[TenantFile, TenantFile]:
        """What lay there before and what lies there now; whoever was faster is taken into account."""
        for _ in range(_TRIES):
            stored = self._objects.read(_name(tenant_id)) or self._missing(tenant_id)
            before = self._opened_from(stored, tenant_id)
            after = change(before)
            if after != before:
                written = self._objects.replace(_name(tenant_id), self._sealed(after), version=stored.version)
                if written is None:
                    time.sleep(0.01)  # in a thread of its own
                    continue
                stored = written
            self._remember(tenant_id, stored)
            return before, after
        raise StoreUnavailable("the keys are being changed by others all the time; try again")

    def _read(self, tenant_id: str, *, again: bool = False) -> TenantFile:
        """The tenant's keys; from memory for as long as they were looked at a short while ago."""
        opened = self._opened.get(tenant_id)
        age = self._timer() - opened.at if opened is not None else LATEST
        if opened is None or again or age >= LATEST:
            return self._look(tenant_id)
        if age >= SOON and tenant_id not in self._looking:
            self._looking.add(tenant_id)
            threading.Thread(target=self._look_beside, args=(tenant_id,), daemon=True).start()
        return opened.file

    def _look_beside(self, tenant_id: str) -> None:
        try:
            self._look(tenant_id)
        except (StoreUnavailable, ConfigurationError):
            pass  # whoever needs it later waits, and is told
        finally:
            self._looking.discard(tenant_id)

    def _look(self, tenant_id: str) -> TenantFile:
        at, opened = self._timer(), self._opened.get(tenant_id)
        stored = self._objects.read(_name(tenant_id)) or self._missing(tenant_id)
        is_same = opened is not None and opened.version == stored.version
        file = opened.file if opened is not None and is_same else self._opened_from(stored, tenant_id)
        with self._lock:
            now = self._opened.get(tenant_id)
            if now is not opened and now is not None and now.at >= at:
                return now.file  # another thread has seen a newer one meanwhile
            self._opened[tenant_id] = _Opened(file=file, version=stored.version, at=at)
        return file

    def _remember(self, tenant_id: str, stored: Stored) -> None:
        """What was written, or read to be changed, just now."""
        file = self._opened_from(stored, tenant_id)
        self._names.add(_name(tenant_id))
        with self._lock:
            self._opened[tenant_id] = _Opened(file=file, version=stored.version, at=self._timer())

    def _sealed(self, file: TenantFile) -> bytes:
        key = new_data_key()
        document = {**json.loads(file.sealed(key)), "wrapped": self._provider.wrap(key)}
        return json.dumps(document, indent=1).encode()

    def _opened_from(self, stored: Stored, tenant_id: str | None = None) -> TenantFile:
        try:
            document = json.loads(stored.body)
            wrapped, named = str(document["wrapped"]), str(document["tenant"])
        except (ValueError, KeyError, TypeError) as error:
            reason = f"a document of keys in {self._objects.where} is damaged"
            raise ConfigurationError(f"{reason}: restore it from a copy of the keys") from error
        if tenant_id is not None and named != tenant_id:
            raise ConfigurationError(f"where the keys of tenant {tenant_id!r} should lie are those of {named!r}")
        key = self._provider.unwrap(wrapped)
        stamp = (int(digest_of(stored.body)[:16], 16),)
        return TenantFile.opened(document, key, stamp)

    def _missing(self, tenant_id: str) -> NoReturn:
        raise ConfigurationError(
            f"the keys of tenant {tenant_id!r} are missing in {self._objects.where}: restore them from a copy. "
            "Without them the tenant's texts cannot be opened"
        )


class KeyWatch:
    """Whether the keys can be used now: what a health check, the doctor and a start look at."""

    def __init__(
        self, objects: Objects, provider: Provider, opened: Mapping[str, _Opened],
        open_document: Callable[[Stored], TenantFile], look: Callable[[str], TenantFile], timer: Callable[[], float],
    ) -> None:  # fmt: skip
        self._objects, self._provider = objects, provider
        self._opened, self._open_document, self._look, self._timer = opened, open_document, look, timer

    def check(self) -> None:
        """See RemoteKeyring."""
        self._objects.check(erases=True)
        first = self._first()
        if first is not None:
            self._open_document(first)
        self._try_provider()

    def other_key(self) -> str | None:
        """The key that wraps the first document, where it is another one than that which wraps the next. See check."""
        first = self._first()
        return None if first is None else self._provider.other_key(str(json.loads(first.body)["wrapped"]))

    def look_around(self) -> None:
        """Whether place and provider answer now; what was seen last is looked at again. Raises what check raises."""
        self._objects.check(erases=True)
        latest = max(self._opened.items(), key=lambda item: item[1].at, default=None)
        if latest is not None:
            self._look(latest[0])
        self._try_provider()

    def serves(self) -> bool:
        """Whether there is a tenant whose keys were looked at a short while ago: its requests are served."""
        return any(self._timer() - opened.at < LATEST for opened in list(self._opened.values()))

    def _first(self) -> Stored | None:
        return next((self._objects.read(name) for name in self._objects.names(_FOLDER, limit=1)), None)

    def _try_provider(self) -> None:
        """Have a key wrapped that nothing is wrapped by, and opened again."""
        key = new_data_key()
        if self._provider.unwrap(self._provider.wrap(key)) != key:
            raise ConfigurationError(f"{self._provider.where} opens something else than it has wrapped")


def _name(tenant_id: str) -> str:
    plain = PLAIN_NAME.fullmatch(tenant_id) is not None
    return f"{_FOLDER}{tenant_id if plain else '~' + hashlib.sha256(framed(tenant_id)).hexdigest()}.json"
