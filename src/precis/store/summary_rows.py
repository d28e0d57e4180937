"""A summary as a memory row (SPEC S0.1): text sealed, terms keyed, subject from the members that name it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from precis.engine.commit import MadeNode
from precis.engine.groups import Lease
from precis.engine.plan import Plan
from precis.engine.policy import Policy
from precis.memory import RetentionState, Tier
from precis.store.asking import Queries
from precis.store.cipher import Cipher
from precis.store.pool import Connection
from precis.store.rows import FILTERED, Attributes, key_hash, open_attributes, seal_attributes
from precis.store.vault import Vault
from precis.summary import assemble, served_of
from precis.words import index_terms

_SQL = Queries("groups")
_MEMORIES = Queries("memories")


class SummaryRows:
    """Makes the row of a summary that is about to be committed."""

    def __init__(self, vault: Vault, policies: Mapping[str, Policy]) -> None:
        self._vault = vault
        self._policies = policies

    async def row(
        self, connection: Connection, lease: Lease, plan: Plan, made: MadeNode, group: Mapping[str, Any],
        summary_id: str, cipher: Cipher,
    ) -> dict[str, Any]:  # fmt: skip
        """The summary as a memory row (SPEC S0.1), its vector aside."""
        tenant_id = lease.tenant_id
        keys = self._vault.keys(tenant_id)
        subject = await self._subject(connection, tenant_id, group, cipher)
        if self._policies[lease.policy].tier is Tier.ARCHIVE:
            subject = replace(subject, metadata=_batch(plan))
        alike = await _SQL.one(connection, "members_alike", tenant_id=tenant_id, group_id=lease.group_id)
        policy = self._policies[lease.policy]
        served = served_of(made.statements, policy.served_from)
        text = made.prose or assemble(served)
        shared = alike or {}
        return {
            "tenant_id": tenant_id,
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
            "terms": sorted(keys.terms(index_terms(" ".join([made.prose or "", *(s.text for s in served)])))),
            "importance": shared.get("importance") or 0.5,
            "pinned": False,
            "event_date": None,
            "fingerprint": made.node.key,
            "tokens": made.tokens,
        }

    async def _subject(
        self, connection: Connection, tenant_id: str, group: Mapping[str, Any], cipher: Cipher
    ) -> Attributes:
        """The subject and the person of the group, from the members that name them."""
        ids = [group["key_memory_id"], group["person_memory_id"]]
        rows = await _MEMORIES.all(connection, "get_memories", tenant_id=tenant_id, ids=[i for i in ids if i])
        named = {
            row["memory_id"]: open_attributes(
                row["attributes_ciphertext"], cipher, tenant_id=tenant_id, row_id=row["memory_id"]
            )
            for row in rows
        }
        key, person = (named.get(id_, Attributes()) for id_ in ids)
        return Attributes(key=key.key, person=person.person)


def _batch(plan: Plan) -> dict[str, Any]:
    """What an archive's summary says of itself (SPEC S3.2)."""
    return {
        "is_summary": True,
        "summarized_memory_ids": list(plan.parents),
        "summarized_until": max(leaf.created_at for leaf in plan.leaves).isoformat(),
    }
