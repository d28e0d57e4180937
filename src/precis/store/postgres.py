"""The store on PostgreSQL: a value with one attribute a resource."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from precis.engine.policy import Policy
from precis.store.groups import PostgresGroups
from precis.store.hints import Hints
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
    tenants: PostgresTenants


def postgres_store(database: Database, keyring: Keyring, policies: Mapping[str, Policy]) -> PostgresStore:
    """The store over an open database and its keys."""
    vault = Vault(keyring)
    return PostgresStore(
        database=database,
        memories=PostgresMemories(database, vault, Hints()),
        summaries=PostgresSummaries(database, vault),
        groups=PostgresGroups(database, vault, policies),
        search=PostgresSearch(database, vault),
        tenants=PostgresTenants(database),
    )
