"""Where memories belong under a policy whose groups follow a rule: calendar, batch, view, conversation. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from hashlib import blake2b

from precis.memory import Memory
from precis.view import View


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """One group that a memory is a member of."""

    policy: str
    #: Unique within the policy and the scope.
    name: str
    #: Whose data key seals what is derived; empty for several users, whose texts lie under a key of the tenant.
    user_id: str
    project_id: str = ""
    environment: str = ""
    #: First and last local day of a period.
    starts_on: date | None = None
    ends_on: date | None = None
    #: The values that name a view's partition.
    labels: Mapping[str, str] | None = None
    view_id: str | None = None
    #: When this member makes the group want a refresh; None: on request only.
    due_at: datetime | None = None
    #: When the memory leaves the group by itself.
    leaves_at: datetime | None = None
    #: Policy and name of the group, in the same scope, that reads this one's summary: the month of a week.
    part_of: tuple[str, str] | None = None

    @property
    def group_id(self) -> str:
        """The same place is the same group."""
        return self._id(self.policy, self.name)

    @property
    def whole_id(self) -> str | None:
        """The group this one is a part of."""
        return self._id(*self.part_of) if self.part_of else None

    def _id(self, policy: str, name: str) -> str:
        parts = (policy, self.user_id, self.project_id, self.environment, name)
        return blake2b("\x1f".join(parts).encode(), digest_size=16, person=b"precis-place").hexdigest()


@dataclass(frozen=True, kw_only=True, slots=True)
class Placing:
    """What placing needs besides the memory; read in the writer's transaction."""

    now: datetime
    #: IANA names by user id; the tenant's own under the empty name.
    zones: Mapping[str, str] = field(default_factory=dict)
    views: tuple[View, ...] = ()

    def zone_of(self, user_id: str, default: str = "UTC") -> str:
        """The user's zone, else the tenant's, else the default."""
        return self.zones.get(user_id) or self.zones.get("") or default


#: The groups of one policy that a memory belongs to.
Placer = Callable[[Memory, Placing], Sequence[Place]]
