"""One attempt: whether its request left this process, what went wrong, what may help, how long to wait for it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any, Literal
from urllib.parse import urlsplit

import structlog

from precis import errors, logs, metrics
from precis.models.structured import Unusable

_log = structlog.get_logger(__name__)
#: The model, or a gateway before it, stopped waiting for what was being worked on. Any other error status refuses the
#: work before it began or lost it by a fault of the provider's, and providers charge for neither.
_WORKED = {408, 504, 524}


class Remedy(StrEnum):
    """What may help."""

    #: The same again, later.
    WAIT = "wait"
    #: The same again, later; or another way to ask, if this one never worked.
    WAIT_OR_REPHRASE = "wait or rephrase"
    #: Another way to ask for structured output.
    REPHRASE = "rephrase"
    #: Show the model what was wrong with its answer.
    REPAIR = "repair"
    NONE = "none"


@dataclass(frozen=True, kw_only=True, slots=True)
class Setback:
    """One attempt that gave no draft."""

    #: One or two words for the ledger, e.g. ``timeout``.
    outcome: str
    #: Raised when nothing helps; holds no text of a memory or an answer.
    error: errors.DraftFailed
    remedy: Remedy
    #: Seconds the endpoint asked to be left alone.
    wait: float | None = None
    #: Whether an endpoint that got the request may charge for it.
    spent: bool = True
    #: Whether it speaks against the endpoint, for the breaker.
    fault: bool = True
    #: The endpoint wants max_completion_tokens instead of max_tokens.
    other_limit: bool = False
    #: The answer that could not be used, to be shown in the repair call.
    answer: str = ""


def of_answer(wrong: Unusable, answer: str) -> Setback:
    """An endpoint in good health whose model answered badly."""
    remedy = Remedy.REPAIR if wrong.repairable else Remedy.NONE
    return Setback(outcome=wrong.outcome, error=wrong, remedy=remedy, fault=False, answer=answer)


def of_connection(*, timed_out: bool) -> Setback:
    """No answer came back; an endpoint that got the request may have worked for it all the same."""
    what = "took too long" if timed_out else "could not be reached or broke the connection"
    error = errors.ModelUnavailable(f"The model {what}.")
    return Setback(outcome="timeout" if timed_out else "connection", error=error, remedy=Remedy.WAIT)


def of_unreadable() -> Setback:
    """Something answered, but not a model: a proxy's page, for instance."""
    error = errors.ModelUnavailable("The model endpoint answered with something that is not a chat completion.")
    return Setback(outcome="unreadable", error=error, remedy=Remedy.WAIT, spent=False)


def of_status(status: int, code: str | None, complaint: str, headers: Mapping[str, str]) -> Setback:
    """An HTTP error status. ``complaint`` is read and never shown: it may quote the prompt."""
    other_limit = status == 400 and "max_completion_tokens" in complaint
    remedy = _remedy(status, code)
    return Setback(
        outcome=f"status {status}",
        error=errors.ModelUnavailable(f"The model endpoint answered with status {status}{_advice(status, code)}."),
        remedy=remedy,
        wait=retry_after(headers),
        spent=status in _WORKED or code == "content_filter",
        fault=remedy is not Remedy.REPHRASE and status != 413,
        other_limit=other_limit,
    )


def _remedy(status: int, code: str | None) -> Remedy:
    if code in {"insufficient_quota", "context_length_exceeded", "model_not_found"} or status in {
        401,
        402,
        403,
        413,
    }:
        return Remedy.NONE
    if status == 500:
        return Remedy.WAIT_OR_REPHRASE
    if status in {400, 404, 405, 415, 422, 501}:
        return Remedy.REPHRASE
    return Remedy.WAIT if status >= 500 or status in {408, 409, 425, 429} else Remedy.NONE


def _advice(status: int, code: str | None) -> str:
    if code == "insufficient_quota" or status == 402:
        return ": the account has no credit left"
    if code == "context_length_exceeded" or status == 413:
        return ": the prompt is too long for the model, lower the input budget"
    if status in {401, 403}:
        return ": check the API key and what it may use"
    return ": check the base URL and the model's name" if status == 404 else ""


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds asked for by Retry-After, a number or a date (RFC 9110, 10.2.3); None when there are none."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        return max(0.0, float(headers["retry-after"]))
    except KeyError:
        return None
    except ValueError:
        return _until(headers)


def _until(headers: Mapping[str, str]) -> float | None:
    """A date is taken against the server's own Date, so that no clock of ours has to agree with it."""
    try:
        gap = parsedate_to_datetime(headers["retry-after"]) - parsedate_to_datetime(headers["date"])
    except (KeyError, TypeError, ValueError):
        return None
    return max(0.0, gap.total_seconds())


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """How long and how often to try. All in seconds except ``attempts``."""

    #: Tries in a row at a call that fails for want of an endpoint; repairs and rephrasings come on top.
    attempts: int = 4
    #: Limit of one attempt.
    attempt_seconds: float = 60.0
    #: Limit of all of it: attempts, repairs and the waits in between.
    deadline_seconds: float = 180.0
    #: The first wait; each further one is twice as long.
    first_wait: float = 0.5
    longest_wait: float = 20.0

    def wait(self, retries: int, requested: float | None, jitter: float) -> float:
        """Seconds before the next try. ``jitter`` is 0..1 and moves half of the wait, so that callers spread.

        What the endpoint asked for is honored in full, the chance comes on top.
        """
        backoff = min(self.longest_wait, self.first_wait * 2.0 ** min(retries, 30))
        return backoff * (0.5 + 0.5 * jitter) if requested is None else requested + self.first_wait * 0.5 * jitter


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
            raise errors.ModelUnavailable(f"The model {failed} and is left alone for {self._cooldown:g} s.")
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


@contextmanager
def noted(asker: object, *, model: str, url: str) -> Iterator[None]:
    """Log once that calls of a model fail, and once that it answers again, for whoever runs precis."""
    try:
        yield
    except errors.ModelUnavailable as error:
        if asker not in metrics.UNANSWERED:
            metrics.UNANSWERED.add(asker)
            logs.default_to_standard_logging()  # a program that only summarizes has set up nothing
            _log.warning(
                "model_unavailable", model=model, at=urlsplit(url).netloc.rpartition("@")[2], reason=str(error)
            )
        raise
    if asker in metrics.UNANSWERED:
        metrics.UNANSWERED.discard(asker)
        _log.warning("model_answers_again", model=model)


# --- whether a request left this process: only what may have reached the provider counts as spent ---


class Sending:
    """One attempt: connecting and TLS come first, then its request is written."""

    def __init__(self) -> None:
        #: Set before the first byte is written, so that in doubt it counts.
        self.begun = False

    async def trace(self, event: str, details: Mapping[str, Any]) -> None:
        """Called by the HTTP client at each of its steps, such as ``http11.send_request_headers.started``."""
        if event.endswith(".send_request_headers.started") and not _opens_a_tunnel(details):
            self.begun = True


#: The attempt that this task makes.
_CURRENT: ContextVar[Sending | None] = ContextVar("sending", default=None)


@contextmanager
def watched(sending: Sending) -> Iterator[None]:
    """Let the requests of a block tell ``sending`` how far they come."""
    token = _CURRENT.set(sending)
    try:
        yield
    finally:
        _CURRENT.reset(token)


async def watch(request: Any) -> None:
    """For the request hooks of an httpx client."""
    sending = _CURRENT.get()
    if sending is not None:
        request.extensions["trace"] = sending.trace


def _opens_a_tunnel(details: Mapping[str, Any]) -> bool:
    """A proxy is asked for a connection to the endpoint; the endpoint has seen nothing yet."""
    return getattr(details.get("request"), "method", None) == b"CONNECT"
