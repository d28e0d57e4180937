"""How new a row is and how lately it was read, for the wire alone: recall has weights of its own."""

from dataclasses import dataclass
from datetime import datetime

_DAY = 86_400.0
#: Half-lives shorter than this are taken for this.
_SHORTEST = 0.001


@dataclass(frozen=True, kw_only=True, slots=True)
class Recency:
    """Weights of the mix; those of one pair usually sum to 1."""

    #: Of likeness to the question, and of recency.
    semantic_weight: float = 0.8
    recency_weight: float = 0.2
    #: Within recency: of having been read of late, and of being new.
    freshness_weight: float = 0.6
    novelty_weight: float = 0.4
    #: Days after which either has halved.
    half_life_last_access_days: float = 7.0
    half_life_created_days: float = 30.0

    def of(self, *, created: datetime, accessed: datetime | None, now: datetime) -> float:
        """Recency, 0..1. What was never read counts as read when it was created."""
        freshness = _halved(now, accessed or created, self.half_life_last_access_days)
        novelty = _halved(now, created, self.half_life_created_days)
        return min(1.0, max(0.0, self.freshness_weight * freshness + self.novelty_weight * novelty))

    def mixed(self, likeness: float, recency: float) -> float:
        """What rows are ordered by."""
        return self.semantic_weight * likeness + self.recency_weight * recency


def _halved(now: datetime, then: datetime, half_life: float) -> float:
    days = max(0.0, (now - then).total_seconds() / _DAY)
    return float(0.5 ** (days / max(half_life, _SHORTEST)))
