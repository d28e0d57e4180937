"""The store on PostgreSQL: a value with one attribute a resource."""

from collections.abc import Mapping
from dataclasses import dataclass

from precis.database.connections import Database
from precis.database.jobs import TICKS_PER_TENANT, Hints, PostgresJobs
from precis.engine.policy import Policy
from precis.keys.chain import PostgresReceipts
from precis.keys.elsewhere.keyring import RemoteKeyring
from precis.keys.forgotten_log import ForgottenLog
from precis.keys.keyring import Keyring
from precis.keys.tenants import PostgresTenants
from precis.keys.vault import Vault
from precis.store.changes.conversation_turn import Turns
from precis.store.changes.history import PostgresHistory
from precis.store.changes.redacting import Redacting
from precis.store.changes.superseding import Superseding
from precis.store.commits import Commits
from precis.store.conversations import PostgresConversations
from precis.store.facts import PostgresFacts
from precis.store.feedback import PostgresFeedback
from precis.store.forgetting import Forgetting
from precis.store.forgotten.previews import Previews
from precis.store.groups import PostgresGroups
from precis.store.long_term import PostgresLongTerm
from precis.store.memories import PostgresMemories
from precis.store.pools.forgets import PostgresPools
from precis.store.rule_groups import PostgresRuleGroups
from precis.store.search import PostgresSearch
from precis.store.summaries import PostgresClusters, PostgresSummaries
from precis.store.tasks import PostgresTasks
from precis.store.timetables import PostgresBacklog, PostgresRollups, PostgresSchedules, PostgresZones
from precis.store.upkeep.census import Census
from precis.store.upkeep.indexes import PostgresEmbeddings, ScopeIndexes
from precis.store.upkeep.portability import Portability
from precis.store.upkeep.restoring import Restoring
from precis.store.upkeep.retention import PostgresRetention
from precis.store.upkeep.retuning import PostgresRetuning
from precis.store.views import PostgresViews


@dataclass(frozen=True, kw_only=True)
class PostgresStore:
    """Everything that precis keeps, one attribute a resource.

    Each method of a resource is one transaction of one tenant; times are passed in; errors are those of precis.errors.
    """

    database: Database
    memories: PostgresMemories
    summaries: PostgresSummaries
    clusters: PostgresClusters
    feedback: PostgresFeedback
    history: PostgresHistory
    groups: PostgresGroups
    search: PostgresSearch
    jobs: PostgresJobs
    embeddings: PostgresEmbeddings
    conversations: PostgresConversations
    facts: PostgresFacts
    tenants: PostgresTenants
    rule_groups: PostgresRuleGroups
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
    previews: Previews
    restoring: Restoring
    receipts: PostgresReceipts
    portability: Portability
    census: Census
    scope_indexes: ScopeIndexes


def postgres_store(
    database: Database,
    keyring: Keyring | RemoteKeyring,
    policies: Mapping[str, Policy],
    log: ForgottenLog,
    *,
    ticks: int = TICKS_PER_TENANT,
    history: int = 20,
) -> PostgresStore:
    """The store over a database, its keys and its forgotten-log; ``ticks`` of a tenant may wait or run at once.

    ``history`` is how many refreshes of each summary are kept.
    """
    vault, hints = Vault(keyring), Hints(ticks)
    rule_groups = PostgresRuleGroups(database, hints, policies)
    redacting = Redacting(hints, policies)
    forgetting = Forgetting(database, vault, log, redacting)
    memories = PostgresMemories(database, vault, rule_groups, forgetting, redacting, Superseding(vault, hints))
    pools = PostgresPools(database, vault, log)
    search = PostgresSearch(database, vault)
    database.copies.kept += [vault.opened.clear, rule_groups.membership.clusters.let_go, search.let_go]
    commits = Commits(vault, policies, history=history)
    turns = Turns(vault, rule_groups.membership, memories.writing, forgetting, commits)
    return PostgresStore(
        database=database,
        memories=memories,
        summaries=PostgresSummaries(database, vault),
        clusters=PostgresClusters(database, vault),
        feedback=PostgresFeedback(database, vault, hints),
        history=PostgresHistory(database, vault),
        groups=PostgresGroups(database, vault, policies, commits),
        search=search,
        jobs=PostgresJobs(database, hints),
        embeddings=PostgresEmbeddings(database, vault),
        conversations=PostgresConversations(database, vault, turns),
        facts=PostgresFacts(database, vault, memories.writing),
        tenants=PostgresTenants(database, vault, log),
        rule_groups=rule_groups,
        zones=PostgresZones(database, rule_groups),
        schedules=PostgresSchedules(database),
        retention=PostgresRetention(database, vault, policies),
        views=PostgresViews(database, vault, rule_groups),
        tasks=PostgresTasks(database),
        rollups=PostgresRollups(database, vault, rule_groups),
        long_term=PostgresLongTerm(database, vault),
        backlog=PostgresBacklog(database),
        pools=pools,
        retuning=PostgresRetuning(database, vault, hints, rule_groups),
        previews=Previews(database, vault, forgetting),
        restoring=Restoring(database, vault, log, forgetting, pools),
        receipts=PostgresReceipts(database, vault, log),
        portability=Portability(database, vault, forgetting),
        census=Census(database),
        scope_indexes=ScopeIndexes(database),
    )
