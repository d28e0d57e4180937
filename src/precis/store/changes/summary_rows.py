"""What a refresh writes of a summary: its row among the memories (SPEC S0.1), and an entry of its history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import orjson
from psycopg.types.json import Jsonb

from precis.database.connections import Row, Tx
from precis.engine.commit import MadeNode
from precis.engine.plan import Plan
from precis.engine.policy import Policy
from precis.ids import new_id
from precis.keys.cipher import Cipher, TenantKeys
from precis.language.words import index_terms
from precis.memory import RetentionState, Tier
from precis.store.rows import FILTERED, Attributes, key_hash, open_attributes, seal_attributes
from precis.summary import Counts, Statement, assemble, served_of
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


# --- what a refresh leaves in its history ---


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """Ids of memories that a refresh read and the one before did not, and the other way round."""

    came: Sequence[str]
    went: Sequence[str]


async def put_history(
    tx: Tx, summary_id: str, node: MadeNode, served: Sequence[Statement], reading: Reading, *, reason: str,
    counts: Counts, cipher: Cipher, keys: TenantKeys, now: datetime, keep: int,
) -> None:  # fmt: skip
    """Note one refresh in the transaction that commits it: one round trip, whatever it says."""
    ids = [new_id() for _ in served]
    wordings = [keys.fingerprint("said", statement.text) for statement in served]
    links = [
        (id_, source, wording)
        for id_, statement, wording in zip(ids, served, wordings, strict=True)
        for source in statement.source_ids
    ]
    sealed = [
        cipher.seal(statement.text, tenant_id=tx.tenant_id, row_id=id_, column="text")
        for id_, statement in zip(ids, served, strict=True)
    ]
    summary = {"summary_id": summary_id}
    async with tx.connection.pipeline():
        await tx.run(
            "put_refresh", **summary, now=now, reason=reason, made_by=node.made_by, fallback=node.fallback,
            came=list(reading.came), went=list(reading.went), counts=Jsonb(counts, dumps=orjson.dumps),
            calls=node.usage.calls, tokens=node.usage.tokens_in + node.usage.tokens_out, cost=node.usage.cost,
        )  # fmt: skip
        await tx.run("end_said", **summary, wordings=wordings)
        await tx.run(
            "begin_said", **summary, ids=ids, wordings=wordings, texts=sealed,
            importances=[statement.importance for statement in served],
            terms=[_array(keys.terms(index_terms(statement.text))) for statement in served],
        )  # fmt: skip
        resting, sources, said = (list(column) for column in zip(*links, strict=True)) if links else ([], [], [])
        await tx.run("said_rests_on", **summary, ids=ids, resting=resting, sources=sources, said=said)
        for name in ("lapse_said", "lapse_refreshes"):
            await tx.run(name, **summary, keep=keep)


def _array(terms: Sequence[int]) -> str:
    """Sorted, so that no word order is stored; arrays of several lengths go as texts."""
    return "{" + ",".join(map(str, sorted(terms))) + "}"
