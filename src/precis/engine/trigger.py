"""When a group is due. Pure: the store calls it with the figures of the group row."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Trigger:
    """By count of changes since the last refresh."""

    #: Below this many members there is no summary (SUMMARY_MIN_CLUSTER_ITEMS).
    min_members: int = 3
    #: How many new members a refresh waits for once a summary stands; losing one never waits.
    refresh_after: int = 1

    def is_due(self, *, members: int, has_summary: bool, added: int, lost: bool) -> bool:
        """Whether a group with these figures wants a refresh now."""
        if not has_summary:
            return members >= self.min_members and (added > 0 or lost)
        return lost or members < self.min_members or added >= self.refresh_after
