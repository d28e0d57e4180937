"""What the exit code of a verb says."""

from __future__ import annotations

from enum import IntEnum

from precis.errors import (
    ConfigurationError,
    Conflict,
    Forgotten,
    InvalidInput,
    NotFound,
    Unauthorized,
)

#: Added to the number of a signal that ended a verb, as shells do.
SIGNALED = 128


class Exit(IntEnum):
    """The same for every verb; a verb that was ended by a signal exits with 128 and its number."""

    FINE = 0
    #: The answer is no: nothing is stored under that name, what is stored speaks against it, or a search that should
    #: find nothing found something.
    NO = 1
    #: It was called wrongly: an option, an argument, the content of a file, or a setting.
    WRONG_CALL = 2
    #: It was called rightly and failed: the database, the model, the disk.
    FAILURE = 3


_NO = (NotFound, Forgotten, Conflict)
_WRONG_CALL = (InvalidInput, ConfigurationError, Unauthorized, FileNotFoundError, IsADirectoryError, NotADirectoryError,
               PermissionError)  # fmt: skip


def exit_of(error: BaseException) -> Exit:
    """What an error that ended a verb says of it."""
    if isinstance(error, _NO):
        return Exit.NO
    return Exit.WRONG_CALL if isinstance(error, _WRONG_CALL) else Exit.FAILURE
