"""A summary as a row of memories (SPEC S0.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from precis.database.connections import Row
from precis.engine.commit import MadeNode
from precis.engine.plan import Plan
from precis.engine.policy import Policy
from precis.keys.cipher import Cipher, TenantKeys
from precis.language.words import index_terms
from precis.memory import RetentionState, Tier
from precis.store.rows import FILTERED, Attributes, key_hash, open_attributes, seal_attributes
from precis.summary import assemble, served_of
from precis.trust import least


def summary_row(
    plan: Plan, node: MadeNode, group: Mapping[str, Any], summary_id: str, cipher: Cipher, subject: Attributes,
    shared: Row, *, policy: Policy, keys: TenantKeys,
) -> dict[str, Any]:  # fmt: skip
    """The summary as a memory row (SPEC S0.1), its vector aside."""
    tenant_id = keys.tenant_id
    if policy.tier is Tier.ARCHIVE:
        subject = replace(subject, metadata=_batch(plan))
    served = served_of(node.statements, policy.served_from)
    text = node.prose or assemble(served)
    return {
        "memory_id": summary_id,
        "user_id": group["user_id"],
        "project_id": group["project_id"],
        "environment": group["environment"],
        "namespace": shared.get("namespace"),
        "session_id": shared.get("session_id"),
        "agent_id": shared.get("agent_id"),
        "run_id": shared.get("run_id"),
        "memory_type": "semantic",
        "kind": None,
        **dict.fromkeys(FILTERED),
        "extracted_type": group["extracted_type"],
        "key_hash": key_hash(subject.key, keys),
        "person_hash": key_hash(subject.person, keys),
        "tier": policy.tier.value,
        "retention_state": RetentionState.LIVE.value,
        "is_summary": True,
        "parent_id": list(plan.parents),
        "text_ciphertext": None,
        "summary_ciphertext": cipher.seal(text, tenant_id=tenant_id, row_id=summary_id, column="summary"),
        "attributes_ciphertext": seal_attributes(subject, cipher, tenant_id=tenant_id, row_id=summary_id),
        "terms": sorted(keys.terms(index_terms(" ".join([node.prose or "", *(s.text for s in served)])))),
        "importance": shared.get("importance") or 0.5,
        "pinned": False,
        "event_date": None,
        "fingerprint": node.node.key,
        "tokens": node.tokens,
        "source_class": least(leaf.source_class for leaf in node.node.leaves()).value,
    }


def subject_of(group: Mapping[str, Any], rows: Sequence[Row], cipher: Cipher, tenant_id: str) -> Attributes:
    """The subject and the person of the group, from the members that name them."""
    named = {
        row["memory_id"]: open_attributes(
            row["attributes_ciphertext"], cipher, tenant_id=tenant_id, row_id=row["memory_id"]
        )
        for row in rows
    }
    key, person = (named.get(id_, Attributes()) for id_ in (group["key_memory_id"], group["person_memory_id"]))
    return Attributes(key=key.key, person=person.person)


def _batch(plan: Plan) -> dict[str, Any]:
    """What an archive's summary says of itself (SPEC S3.2)."""
    return {
        "is_summary": True,
        "summarized_memory_ids": list(plan.parents),
        "summarized_until": max(leaf.created_at for leaf in plan.leaves).isoformat(),
    }
