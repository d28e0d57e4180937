"""A service that may be away or hang: nobody waits for it longer than a few seconds, and the next one not at all.

Keys are opened while requests are served, in the event loop as well, so what waits for such a service waits for all.
"""

import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from threading import BoundedSemaphore, Lock, Thread
from typing import TypeVar

from precis.errors import StoreUnavailable

T = TypeVar("T")
NEEDS_AWS = "S3 and AWS KMS need pip install 'precis-memory[aws]'"
#: Seconds within which a service has to answer.
SECONDS = 3.0
#: Seconds to connect, and between two pieces of an answer: for the clients' own threads, which end soon after that.
CONNECT_SECONDS, READ_SECONDS = 2, 2
#: Seconds between two looks whether a service that was away is back, and those for which one who asks waits for that.
_PAUSE, _GRACE = 1.0, 0.25
#: Calls under way at once, those that nobody waits for any more included.
_AT_ONCE = 64


def away_words(name: str, error: BaseException) -> str:
    """What is told of a service that could not be asked; of the error its kind, for its message may hold anything."""
    kind = type(error).__name__
    return f"{name} {'does not answer' if 'Timeout' in kind else 'cannot be asked'} ({kind})"


class Service:
    """Calls a service for a few seconds, and while it is away, only to see whether it is back.

    ``probe`` changes nothing; ``away`` are the errors by which the client says that the service could not be asked, and
    ``words`` what is told of one.
    """

    def __init__(
        self, name: str, probe: Callable[[], object], *, away: tuple[type[Exception], ...],
        words: Callable[[BaseException], str],
    ) -> None:  # fmt: skip
        self._name, self._probe, self._away, self._words = name, probe, away, words
        self._turns = BoundedSemaphore(_AT_ONCE)
        self._lock = Lock()
        #: Why it is away; None while it answers.
        self._reason: str | None = None
        #: The last look whether it is back, and when that began.
        self._looking: Future[object] | None = None
        self._looked = 0.0

    def ask(self, call: Callable[[], T]) -> T:
        """What the call answers, or the error that it raises. Raises StoreUnavailable where that takes too long."""
        reason = self._still_away()
        if reason is not None:
            raise StoreUnavailable(reason)
        begun = time.monotonic()
        if not self._turns.acquire(timeout=SECONDS):
            raise StoreUnavailable(f"{self._name} has too many calls under way; try again")
        future = self._started(call, then=self._turns.release)
        try:
            error = future.exception(timeout=max(0.0, SECONDS - (time.monotonic() - begun)))
        except TimeoutError as late:
            self._reason = f"{self._name} does not answer within {SECONDS:.0f} seconds"
            raise StoreUnavailable(self._reason) from late
        self._note(error)
        return future.result()

    def _note(self, error: BaseException | None) -> None:
        """Whether it answered: an answer that refuses is one, too."""
        self._reason = self._words(error) if isinstance(error, self._away) else None

    def _still_away(self) -> str | None:
        """Why it is; after a short wait for a look whether it is back, of which one is under way at a time."""
        if self._reason is None:
            return None
        with self._lock:
            now, looking = time.monotonic(), self._looking
            if looking is None or (looking.done() and now - self._looked >= _PAUSE):
                self._looked = now
                looking = self._looking = self._started(self._look)
        with suppress(TimeoutError):  # it hangs
            looking.exception(timeout=max(0.0, self._looked + _GRACE - now))
        return self._reason

    def _look(self) -> None:
        try:
            self._probe()
        except Exception as error:  # noqa: BLE001 - a refusal is an answer
            self._note(error)
        else:
            self._note(None)

    @staticmethod
    def _started(call: Callable[[], T], then: Callable[[], None] | None = None) -> Future[T]:
        """A call in a thread of its own, which keeps no process from ending."""
        future: Future[T] = Future()

        def work() -> None:
            try:
                future.set_result(call())
            except BaseException as error:  # noqa: BLE001 - whoever waits is told
                future.set_exception(error)
            finally:
                if then is not None:
                    then()

        Thread(target=work, daemon=True).start()
        return future
