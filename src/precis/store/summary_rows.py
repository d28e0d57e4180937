"""A summary as a memory row (SPEC S0.1): text sealed, terms keyed, subject from the members that name it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from precis.engine.commit import MadeNode
from precis.engine.groups import Lease
from precis.engine.plan import Plan
from precis.engine.policy import Policy
from precis.memory import RetentionState
from precis.store.cipher import Cipher
from precis.store.pool import Connection
from precis.store.rows import Attributes, key_hash, open_attributes, seal_attributes
from precis.store.sql import queries
from precis.store.vault import Vault
from precis.summary import assemble
from precis.words import terms

_SQL = queries("groups")
_MEMORIES = queries("memories")


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
        live = await (
            await connection.execute(_SQL["live_importance"], {"tenant_id": tenant_id, "group_id": lease.group_id})
        ).fetchone()
        text = assemble(made.statements)
        served = [s.text for s in made.statements if s.superseded_by is None]
        return {
            "tenant_id": tenant_id,
            "memory_id": summary_id,
            "user_id": group["user_id"],
            "project_id": group["project_id"],
            "environment": group["environment"],
            "namespace": None,
            "session_id": None,
            "agent_id": None,
            "run_id": None,
            "memory_type": "semantic",
            "kind": None,
            "extracted_type": group["extracted_type"],
            "key_hash": key_hash(subject.key, keys),
            "person_hash": key_hash(subject.person, keys),
            "tier": self._policies[lease.policy].tier.value,
            "retention_state": RetentionState.LIVE.value,
            "is_summary": True,
            "parent_id": [leaf.id for leaf in plan.leaves],
            "text_ciphertext": None,
            "summary_ciphertext": cipher.seal(text, tenant_id=tenant_id, row_id=summary_id, column="summary"),
            "attributes_ciphertext": seal_attributes(subject, cipher, tenant_id=tenant_id, row_id=summary_id),
            "terms": sorted(keys.terms(terms(" ".join(served)))),
            "importance": (live or {}).get("importance") or 0.5,
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
        rows = await (
            await connection.execute(_MEMORIES["get_memories"], {"tenant_id": tenant_id, "ids": [i for i in ids if i]})
        ).fetchall()
        named = {
            row["memory_id"]: open_attributes(
                row["attributes_ciphertext"], cipher, tenant_id=tenant_id, row_id=row["memory_id"]
            )
            for row in rows
        }
        key, person = (named.get(id_, Attributes()) for id_ in ids)
        return Attributes(key=key.key, person=person.person)
