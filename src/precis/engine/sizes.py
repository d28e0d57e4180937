"""How much of a conversation: a number of messages, of tokens, or a share of the model's window. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum

from precis.errors import ConfigurationError


class Unit(StrEnum):
    """What is counted."""

    MESSAGES = "messages"
    TOKENS = "tokens"
    #: A share of the window, 0..1.
    WINDOW = "window"


_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(messages?|tokens?|window)\s*", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Size:
    """An amount of conversation, written ``20 messages``, ``4000 tokens`` or ``0.7 window``."""

    amount: float
    unit: Unit

    @classmethod
    def parse(cls, text: str) -> Size:
        """From how it is written. Raises ConfigurationError."""
        found = _SIZE.fullmatch(text)
        unit = Unit(found[2].lower().rstrip("s") + ("" if found[2].lower() == "window" else "s")) if found else None
        amount = float(found[1]) if found else 0.0
        if unit is None or (unit is Unit.WINDOW and not 0 < amount <= 1) or (unit is not Unit.WINDOW and amount % 1):
            message = f"{text!r} is no size of a conversation: write '20 messages', '4000 tokens' or '0.7 window'"
            raise ConfigurationError(message)
        return cls(amount=amount, unit=unit)

    def __str__(self) -> str:
        """As it is written."""
        return f"{self.amount:g} {self.unit}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """When a conversation is summarized, and what stays verbatim."""

    #: Over any one of these a summary is due.
    triggers: tuple[Size, ...] = (Size(amount=20, unit=Unit.MESSAGES), Size(amount=4000, unit=Unit.TOKENS))
    keep: Size = field(default=Size(amount=4, unit=Unit.MESSAGES))
    #: Of the model, in tokens: what a share is a share of, and what a context must fit.
    window: int = 128_000
    #: Tokens of the summary.
    summary_tokens: int = 800
    #: Seconds the message path waits for a summary.
    deadline: float = 10.0
    #: Messages that are read whatever the summary covers, where ``keep`` is no number of messages.
    least: int = 4
    #: A call nobody settles holds back what follows it, until this many times a trigger has gathered.
    patience: int = 4

    def exceeded(self, messages: int, tokens: int, *, summary_tokens: int = 0, times: float = 1.0) -> str | None:
        """Which trigger these figures are over, in words; None when they are over none.

        ``messages`` and ``tokens`` are what no summary speaks for; a share of the window counts the summary too.
        """
        for size in self.triggers:
            whole = size.unit is Unit.WINDOW
            limit = times * (size.amount * self.window if whole else size.amount)
            found = messages if size.unit is Unit.MESSAGES else tokens + (summary_tokens if whole else 0)
            if found > limit:
                return f"{found} {Unit.TOKENS if whole else size.unit}, over {size}"
        return None

    @property
    def at_least(self) -> int:
        """Messages that are loaded whatever the summary covers."""
        return int(self.keep.amount) if self.keep.unit is Unit.MESSAGES else self.least

    @property
    def kept_tokens(self) -> float:
        """Tokens that stay verbatim, where that is how much to keep."""
        return self.keep.amount * (self.window if self.keep.unit is Unit.WINDOW else 1)
