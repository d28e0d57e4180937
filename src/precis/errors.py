"""Every error precis raises. The docstring of each class is its message when none is given."""

import inspect
from collections.abc import Sequence
from typing import ClassVar


class PrecisError(Exception):
    """Something went wrong in precis."""

    #: What somebody elsewhere is told in place of the message, where that names rows or folders of the server.
    for_callers: ClassVar[str | None] = None

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or inspect.cleandoc(type(self).__doc__ or ""))


class InvalidInput(PrecisError):
    """The input is not valid."""

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        #: Dotted path of the offending field, e.g. ``memories.3.created_at``.
        self.field = field


class NotFound(PrecisError):
    """There is nothing with that id here."""


class Forgotten(PrecisError):
    """This id was forgotten. Write it again with revive=true if that is really meant."""

    def __init__(self, message: str | None = None, *, ids: Sequence[str] = ()) -> None:
        super().__init__(message)
        #: Of the memories that were to be written, those that were forgotten.
        self.ids = tuple(ids)


class Conflict(PrecisError):
    """What was asked contradicts what is stored."""

    def __init__(self, message: str | None = None, *, ids: Sequence[str] = ()) -> None:
        super().__init__(message)
        #: Of memories or messages that were handed in again, those that are stored with other words.
        self.ids = tuple(ids)


class Changed(Conflict):
    """It is not any more what the caller has read."""


class Unauthorized(PrecisError):
    """No valid key was given."""


class ConfigurationError(PrecisError):
    """The settings do not describe a system that can run."""

    for_callers = "settings, keys or forgotten-log cannot be used as they are; `precis doctor` on the server says why"


class StoreUnavailable(PrecisError):
    """The database cannot be reached."""


class WrongLoop(PrecisError):
    """The event loop that the app was opened in cannot be reached from here."""


class WouldBlock(WrongLoop, RuntimeError):
    """A synchronous call cannot wait for that event loop: it would block it, or the loop does not run."""


class DraftFailed(PrecisError):
    """The summarizer gave no usable draft: what stood stays."""


class ModelUnavailable(DraftFailed):
    """The model could not be reached, refused to work, or took too long."""


class BudgetExhausted(DraftFailed):
    """The tenant is over its monthly ceiling: raw memories and what stands are served."""


class NoSlot(PrecisError):
    """The tenant has as many model calls under way as it may: the summary stays due and a worker makes it."""


class LeaseLost(PrecisError):
    """Somebody else refreshes this group now."""


class SourceChanged(PrecisError):
    """A source changed or left while the draft was made: the draft is discarded, what stood stays."""


class Undecryptable(PrecisError):
    """What is stored here cannot be opened: it was altered, moved, or its key was erased."""

    for_callers = (
        "what is stored cannot be opened: the keys are not those of this database, or were lost; `precis doctor` on "
        "the server says more"
    )
