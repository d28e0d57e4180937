"""What the doctor found of one part: how it is, and what to do."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How one part is."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One line of the doctor."""

    part: str
    state: State
    #: How it is; where it is not well, also what to do.
    message: str


def well(part: str, message: str) -> Finding:
    """Nothing to do."""
    return Finding(part=part, state=State.OK, message=message)


def doubtful(part: str, message: str) -> Finding:
    """It works, and should be looked at."""
    return Finding(part=part, state=State.WARN, message=message)


def broken(part: str, message: str) -> Finding:
    """It does not work."""
    return Finding(part=part, state=State.FAIL, message=message)
