"""Which originals may go, what must be done first, and their going, in PostgreSQL."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from precis.database.connections import Database, retried
from precis.engine.policy import Originals, Policy
from precis.keys.vault import Vault
from precis.store.changes.posting import relisting
from precis.store.rows import Attributes, open_attributes, seal_attributes


@dataclass(frozen=True, kw_only=True, slots=True)
class Overdue:
    """Which originals a policy lets go."""

    #: Created before.
    before: datetime | None = None
    #: In a period that ended before.
    ends_before: date | None = None
    user_id: str | None = None
    #: Only where the summary counts fewer tokens than what it replaces.
    saving: bool = False
    #: Of the tokens of an original, those that a prompt adds to its text.
    rendered: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Holder:
    """A group that holds originals for which none of its frozen nodes speaks."""

    group_id: str
    policy: str
    ids: tuple[str, ...]


class PostgresRetention:
    """Which originals may go, what must be done first, and their going."""

    def __init__(self, database: Database, vault: Vault, policies: Mapping[str, Policy]) -> None:
        self._database = database
        self._vault = vault
        self._policies = policies

    async def overdue(
        self, tenant_id: str, policy: str, criteria: Overdue, *, besides: Sequence[str], limit: int
    ) -> Sequence[str]:
        """Live originals in current groups of the policy ``besides`` these, oldest first; pinned ones never go."""
        rows = await self._all(
            "overdue", tenant_id, policy=policy, before=criteria.before, ends_before=criteria.ends_before,
            user_id=criteria.user_id, saving=criteria.saving, rendered=criteria.rendered, besides=list(besides),
            limit=limit,
        )  # fmt: skip
        return list(dict.fromkeys(row["memory_id"] for row in rows))

    async def not_saving(self, tenant_id: str, policy: str, criteria: Overdue) -> Sequence[tuple[str, str]]:
        """(user id, place) of groups whose summary counts no fewer tokens than its originals."""
        rows = await self._all(
            "not_saving", tenant_id, policy=policy, ends_before=criteria.ends_before, user_id=criteria.user_id,
            rendered=criteria.rendered,
        )  # fmt: skip
        return [(row["user_id"], row["place"]) for row in rows]

    async def said(self, tenant_id: str, policy: str, ids: Sequence[str]) -> Sequence[str]:
        """The originals that a current summary of the policy says in full or has set aside for a reason."""
        return [row["memory_id"] for row in await self._all("said", tenant_id, policy=policy, ids=list(ids))]

    async def holders(self, tenant_id: str, ids: Sequence[str]) -> Sequence[Holder]:
        """Groups with a summary that hold one of these originals without a frozen node for it; parts first."""
        rows = await self._all("holders", tenant_id, ids=list(ids))
        return [Holder(group_id=row["group_id"], policy=row["policy"], ids=tuple(row["ids"])) for row in rows]

    async def behind(self, tenant_id: str, ids: Sequence[str]) -> Sequence[str]:
        """Groups with a summary that hold one of these and are not current; parts first."""
        return [row["group_id"] for row in await self._all("behind", tenant_id, ids=list(ids))]

    @retried
    async def expire(self, tenant_id: str, ids: Sequence[str], *, now: datetime) -> tuple[str, ...]:
        """Laws 5 and 6: drop text and vector of rows that a frozen node speaks for, in every group with a summary.

        The node is committed and each of these groups is current; a part's node speaks for what reads the part.
        Answers the ids that expired.
        """
        async with self._database.tx(tenant_id) as tx:
            covered = await tx.all(
                "covered_sources", ids=sorted(ids),
                policies=[name for name, policy in self._policies.items() if policy.originals is not Originals.KEEP],
            )  # fmt: skip
            rows = await tx.all("get_memories", ids=[row["memory_id"] for row in covered])
            users = {row["user_id"] for row in rows}
            ciphers = await self._vault.ciphers(tx, users, hold=True)
            parameters: list[Mapping[str, Any]] = []
            for row in rows:
                cipher, row_id = ciphers[row["user_id"]], row["memory_id"]
                full = open_attributes(row["attributes_ciphertext"], cipher, tenant_id=tenant_id, row_id=row_id)
                stub = Attributes(key=full.key, person=full.person, speaker=full.speaker)
                sealed = seal_attributes(stub, cipher, tenant_id=tenant_id, row_id=row_id)
                parameters.append({"memory_id": row_id, "attributes_ciphertext": sealed, "now": now})
            if parameters:
                await tx.together(*relisting([row["memory_id"] for row in rows], ("expire_memory", parameters)))
        return tuple(id_ for id_ in dict.fromkeys(ids) if id_ in {row["memory_id"] for row in rows})

    async def _all(self, name: str, tenant_id: str, **parameters: Any) -> Sequence[Mapping[str, Any]]:
        async with self._database.tx(tenant_id) as tx:
            return await tx.all(name, **parameters)
