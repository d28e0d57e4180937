"""The store on PostgreSQL: a value with one attribute a resource."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from precis.engine.policy import Policy
from precis.store.archive import PostgresBacklog
from precis.store.clusters import PostgresClusters
from precis.store.conversations import PostgresConversations
from precis.store.embeddings import PostgresEmbeddings
from precis.store.feedback import PostgresFeedback
from precis.store.forgetting import Forgetting
from precis.store.forgotten_log import ForgottenLog
from precis.store.groups import PostgresGroups
from precis.store.hints import TICKS_PER_TENANT, Hints
from precis.store.jobs import PostgresJobs
from precis.store.keyring import Keyring
from precis.store.long_term import PostgresLongTerm
from precis.store.memories import PostgresMemories
from precis.store.places import PostgresPlaces
from precis.store.pool import Database
from precis.store.pools import PostgresPools
from precis.store.restoring import Restoring
from precis.store.retention import PostgresRetention
from precis.store.retuning import PostgresRetuning
from precis.store.rollups import PostgresRollups
from precis.store.schedules import PostgresSchedules
from precis.store.scope_indexes import ScopeIndexes
from precis.store.search import PostgresSearch
from precis.store.summaries import PostgresSummaries
from precis.store.tasks import PostgresTasks
from precis.store.tenants import PostgresTenants
from precis.store.vault import Vault
from precis.store.views import PostgresViews
from precis.store.zones import PostgresZones


@dataclass(frozen=True, kw_only=True)
class PostgresStore:
    """See precis.store.ports.Store."""

    database: Database
    memories: PostgresMemories
    summaries: PostgresSummaries
    clusters: PostgresClusters
    feedback: PostgresFeedback
    groups: PostgresGroups
    search: PostgresSearch
    jobs: PostgresJobs
    embeddings: PostgresEmbeddings
    conversations: PostgresConversations
    tenants: PostgresTenants
    places: PostgresPlaces
    zones: PostgresZones
    schedules: PostgresSchedules
    retention: PostgresRetention
    views: PostgresViews
    tasks: PostgresTasks
    rollups: PostgresRollups
    long_term: PostgresLongTerm
    backlog: PostgresBacklog
    pools: PostgresPools
    retuning: PostgresRetuning
    restoring: Restoring
    scope_indexes: ScopeIndexes


def postgres_store(
    database: Database,
    keyring: Keyring,
    policies: Mapping[str, Policy],
    log: ForgottenLog,
    *,
    ticks: int = TICKS_PER_TENANT,
    owner_dsn: str | None = None,
) -> PostgresStore:
    """The store over a database, its keys and its forgotten-log; ``ticks`` of a tenant may wait or run at once.

    ``owner_dsn`` connects as the owner of the tables, where that is known.
    """
    vault, hints = Vault(keyring), Hints(ticks)
    places = PostgresPlaces(database, hints, policies)
    forgetting = Forgetting(database, vault, hints, log, policies)
    memories = PostgresMemories(database, vault, hints, places, forgetting)
    pools = PostgresPools(database, vault, log)
    return PostgresStore(
        database=database,
        memories=memories,
        summaries=PostgresSummaries(database, vault),
        clusters=PostgresClusters(database, vault),
        feedback=PostgresFeedback(database, vault, hints),
        groups=PostgresGroups(database, vault, policies),
        search=PostgresSearch(database, vault),
        jobs=PostgresJobs(database, hints),
        embeddings=PostgresEmbeddings(database, vault),
        conversations=PostgresConversations(database, vault, policies, places, memories),
        tenants=PostgresTenants(database, vault),
        places=places,
        zones=PostgresZones(database, places),
        schedules=PostgresSchedules(database),
        retention=PostgresRetention(database),
        views=PostgresViews(database, vault, places),
        tasks=PostgresTasks(database),
        rollups=PostgresRollups(database, vault, places),
        long_term=PostgresLongTerm(database, vault),
        backlog=PostgresBacklog(database),
        pools=pools,
        retuning=PostgresRetuning(database, vault, hints, places),
        restoring=Restoring(database, vault, log, forgetting, pools),
        scope_indexes=ScopeIndexes(database, vault, owner_dsn),
    )
