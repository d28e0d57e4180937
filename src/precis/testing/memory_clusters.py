"""Clusters in memory: which group a new row joins."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence

from precis.engine.grouping import Candidate, assign
from precis.engine.policy import Policy
from precis.store.ports import NewMemory
from precis.testing.memory_nodes import GroupRow
from precis.testing.memory_rows import TenantRows


def place(tenant: TenantRows, rows: Iterable[NewMemory], policy: Policy, new_id: Callable[[], str]) -> list[GroupRow]:
    """Put the rows into their clusters, scope by scope; answers the clusters."""
    chosen = sorted((new for new in rows if policy.select.takes(new.memory)), key=_place_of)
    touched: dict[str, GroupRow] = {}
    for _, same in itertools.groupby(chosen, key=_place_of):
        for group in _place_in_scope(tenant, list(same), policy, new_id):
            touched[group.id] = group
    return list(touched.values())


def _place_in_scope(
    tenant: TenantRows, rows: Sequence[NewMemory], policy: Policy, new_id: Callable[[], str]
) -> list[GroupRow]:
    """Rows of one user, project, environment, type and embedder."""
    first = rows[0].memory
    standing = [
        tenant.cluster(group, first.embedding_version, rows[0].vector.shape[0])
        for group in sorted(tenant.groups.values(), key=lambda group: group.id)
        if (group.policy, group.scope, group.extracted_type) == (policy.name, first.scope, first.extracted_type)
    ]
    candidates = [Candidate(key=n.memory.extracted_key, person=n.person, vector=n.vector) for n in rows]
    ids, clusters = assign(candidates, standing, grouping=policy.group, new_id=new_id)
    for cluster in clusters:
        group = tenant.groups.setdefault(
            cluster.group_id,
            GroupRow(
                id=cluster.group_id, policy=policy.name, tier=policy.tier, scope=first.scope,
                extracted_type=first.extracted_type, trigger=policy.trigger,
            ),
        )  # fmt: skip
        group.key, group.person = cluster.key, cluster.person
    for id_, new in zip(ids, rows, strict=True):
        tenant.groups[id_].members[new.memory.id] = None
    return [tenant.groups[cluster.group_id] for cluster in clusters]


def _place_of(new: NewMemory) -> tuple[str, ...]:
    """Rows with the same answer are placed together."""
    memory = new.memory
    scope = memory.scope
    return (scope.user_id, scope.project_id, scope.environment, memory.extracted_type, memory.embedding_version or "")
