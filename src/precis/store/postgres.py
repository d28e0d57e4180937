"""The store on PostgreSQL: a value with one attribute a resource."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from precis.engine.policy import Policy
from precis.store.forgotten_log import ForgottenLog
from precis.store.groups import PostgresGroups
from precis.store.hints import TICKS_PER_TENANT, Hints
from precis.store.jobs import PostgresJobs
from precis.store.keyring import Keyring
from precis.store.memories import PostgresMemories
from precis.store.pool import Database
from precis.store.search import PostgresSearch
from precis.store.summaries import PostgresSummaries
from precis.store.tenants import PostgresTenants
from precis.store.vault import Vault


@dataclass(frozen=True, kw_only=True)
class PostgresStore:
    """See precis.store.ports.Store."""

    database: Database
    memories: PostgresMemories
    summaries: PostgresSummaries
    groups: PostgresGroups
    search: PostgresSearch
    jobs: PostgresJobs
    tenants: PostgresTenants


def postgres_store(
    database: Database,
    keyring: Keyring,
    policies: Mapping[str, Policy],
    log: ForgottenLog,
    *,
    ticks: int = TICKS_PER_TENANT,
) -> PostgresStore:
    """The store over a database, its keys and its forgotten-log; ``ticks`` of a tenant may wait or run at once."""
    vault, hints = Vault(keyring), Hints(ticks)
    return PostgresStore(
        database=database,
        memories=PostgresMemories(database, vault, hints, log),
        summaries=PostgresSummaries(database, vault),
        groups=PostgresGroups(database, vault, policies),
        search=PostgresSearch(database, vault),
        jobs=PostgresJobs(database, hints),
        tenants=PostgresTenants(database, vault),
    )
