"""Clusters in PostgreSQL, as they are listed for tuning."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import orjson

from precis.database.connections import Database
from precis.errors import InvalidInput
from precis.keys.cipher import Cipher
from precis.keys.vault import Vault
from precis.memory import Scope
from precis.store.filtering import Filter
from precis.store.paging import Page, storable_id
from precis.store.rows import key_hash, open_attributes

_HOUR = timedelta(hours=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Cluster:
    """One cluster with what its tuning goes by (SPEC S0.11, S0.12)."""

    group_id: str
    scope: Scope
    extracted_type: str
    #: The subject, as the oldest member that names one has it; None where none does.
    extracted_key: str | None
    #: Memories in it.
    size: int
    #: Whether it has too few members for a summary.
    sparse: bool
    #: Refreshes committed in the last hour.
    churn: int
    #: When the summary that stands was made; None without one.
    last_refresh: datetime | None
    summary_id: str | None
    #: Its members changed since.
    stale: bool


class PostgresClusters:
    """Clusters of a tenant."""

    def __init__(self, database: Database, vault: Vault) -> None:
        self._database = database
        self._vault = vault

    async def list(
        self, tenant_id: str, chosen: Filter, *, key: str | None, sparse: bool | None, min_members: int, limit: int,
        cursor: str | None, now: datetime,
    ) -> Page[Cluster]:  # fmt: skip
        """The largest first. ``key`` is a subject in its normal form; ``sparse`` takes those below the minimum only."""
        after_members, after_id = _opened(cursor)
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.filtered(
                "list_clusters", user_id=chosen.user_id,
                project_id=chosen.project_id, environment=chosen.environment, extracted_type=chosen.extracted_type,
                key_hash=key_hash(key, self._vault.keys(tenant_id)), sparse=sparse, min_members=min_members,
                after_members=after_members, after_id=after_id, limit=limit + 1, since=now - _HOUR,
            )  # fmt: skip
            users = {row["key_user_id"] for row in rows if row["key_memory_id"] is not None}
            ciphers = await self._vault.ciphers(tx, users)
        clusters = tuple(_cluster(row, ciphers, tenant_id, min_members) for row in rows[:limit])
        more = clusters[-1] if len(rows) > limit else None
        return Page(rows=clusters, next_cursor=_closed(more) if more else None)


def _cluster(row: Mapping[str, Any], ciphers: Mapping[str, Cipher], tenant_id: str, min_members: int) -> Cluster:
    cipher, key = ciphers.get(row["key_user_id"]), None
    if cipher is not None and row["key_memory_id"] is not None:
        sealed, row_id = row["attributes_ciphertext"], row["key_memory_id"]
        key = open_attributes(sealed, cipher, tenant_id=tenant_id, row_id=row_id).key
    scope = Scope(
        tenant_id=tenant_id, user_id=row["user_id"], project_id=row["project_id"], environment=row["environment"]
    )
    return Cluster(
        group_id=row["group_id"], scope=scope, extracted_type=row["extracted_type"], extracted_key=key,
        size=row["members"], sparse=row["members"] < min_members, churn=row["refreshes"],
        last_refresh=row["refreshed_at"], summary_id=row["summary_id"],
        stale=row["behind"] and row["members"] >= min_members,
    )  # fmt: skip


def _closed(last: Cluster) -> str:
    return base64.urlsafe_b64encode(orjson.dumps([last.size, last.group_id])).decode()


def _opened(cursor: str | None) -> tuple[int | None, str | None]:
    if cursor is None:
        return None, None
    try:
        size, group_id = orjson.loads(base64.urlsafe_b64decode(cursor))
        return _size(size), storable_id(group_id)
    except (ValueError, TypeError) as error:
        message = "this cursor is not one that precis gave; start again without it"
        raise InvalidInput(message, field="cursor") from error


def _size(size: object) -> int:
    if type(size) is not int or not 0 <= size < 2**31:
        raise ValueError("not a number of members")
    return size
