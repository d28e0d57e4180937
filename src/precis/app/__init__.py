"""The verbs users call, one file a resource."""

from dataclasses import dataclass, replace
from typing import get_type_hints

from precis.app import operating, reasons, runs
from precis.app.archive import ArchiveVerbs, Archiving, Pools
from precis.app.context import Contexts
from precis.app.conversations import Conversations
from precis.app.conversing.extracting import Facts
from precis.app.memories import Memories
from precis.app.parts import Parts
from precis.app.persons import Persons
from precis.app.recall import Recall
from precis.app.receipts import Receipts
from precis.app.redis.long_term import LongTerm
from precis.app.redis.working_memory import WorkingMemory
from precis.app.rollups import Rollups
from precis.app.summaries import Clusters, Feedbacks, Summaries
from precis.app.views import Views
from precis.tracing import trace_verbs


@dataclass(frozen=True, kw_only=True)
class App:
    """precis for one tenant: a value with attributes, not methods."""

    parts: Parts
    memories: Memories
    summaries: Summaries
    clusters: Clusters
    standing: reasons.Reasons
    feedback: Feedbacks
    receipts: Receipts
    persons: Persons
    keys: operating.ApiKeys
    recall: Recall
    context: Contexts
    embeddings: operating.Embeddings
    costs: operating.Costs
    jobs: operating.Jobs
    rollups: Rollups
    archive: ArchiveVerbs
    archiving: Archiving
    pools: Pools
    long_term: LongTerm
    views: Views
    tasks: runs.Tasks
    conversations: Conversations
    facts: Facts
    working_memory: WorkingMemory


# Every verb is a span where somebody traces: ``memories.add``.
for _name, _verbs in get_type_hints(App).items():
    if _verbs is not Parts:
        trace_verbs(_name, _verbs)


def app_over(parts: Parts) -> App:
    """The app over these parts."""
    # To clients of the wire every memory stands by itself, whatever a later one says.
    wire = Memories(replace(parts, settings=parts.settings.model_copy(update={"supersede_by_rule": False})))
    return App(
        parts=parts,
        memories=Memories(parts),
        summaries=Summaries(parts),
        clusters=Clusters(parts),
        standing=reasons.Reasons(parts),
        feedback=Feedbacks(parts),
        receipts=Receipts(parts),
        persons=Persons(parts),
        keys=operating.ApiKeys(parts),
        recall=Recall(parts),
        context=Contexts(parts, Recall(parts)),
        embeddings=operating.Embeddings(parts),
        costs=operating.Costs(parts),
        jobs=operating.Jobs(parts),
        rollups=Rollups(parts),
        archive=ArchiveVerbs(parts),
        archiving=Archiving(parts),
        pools=Pools(parts),
        long_term=LongTerm(parts, wire),
        views=Views(parts),
        tasks=runs.Tasks(parts),
        conversations=Conversations(parts),
        facts=Facts(parts),
        working_memory=WorkingMemory(parts, Conversations(parts), wire),
    )
