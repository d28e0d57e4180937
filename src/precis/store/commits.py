"""What a refresh commits: nodes and summaries as rows, inside a transaction that is open."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from precis.database.connections import Call, Row, Tx
from precis.engine.drafted import MadeNode
from precis.engine.forgetting import SILENCED
from precis.engine.lease import Lease
from precis.engine.plan import Plan
from precis.engine.policy import Policy
from precis.engine.segments import Kind
from precis.errors import LeaseLost, SourceChanged
from precis.ids import new_id
from precis.keys.cipher import Cipher, TenantKeys
from precis.keys.vault import Vault
from precis.store.changes.history import Reading, noting_refresh, subject_of, summary_row, term_arrays
from precis.store.changes.posting import delete_memories, inserting, reposting
from precis.store.changes.redacting import marks_on, refuse_unheard
from precis.store.rule_groups import touch_wholes
from precis.summary import SET_ASIDE, Counts, served_of


class Commits:
    """Writes what was drafted, and how a refresh ended. Each method works in the caller's transaction."""

    def __init__(self, vault: Vault, policies: Mapping[str, Policy], *, history: int) -> None:
        self._vault = vault
        self._policies = policies
        #: Refreshes of a summary that its history keeps.
        self._history = history

    async def keep_node(self, tx: Tx, lease: Lease, node: MadeNode, *, now: datetime) -> None:
        """Keep one node below the summary. Raises LeaseLost, or SourceChanged when a source is not what was read."""
        held = await self._hold(tx, lease, node, standing=None)
        cipher = await self._cipher(tx, lease.user_id, held["hold_user_keys"])
        names = {"group_id": lease.group_id}
        bump = 1 if node.node.kind is Kind.FROZEN else 0
        counts = Counts(capped=node.capped_count)
        terms = term_arrays(node.statements, self._vault.keys(tx.tenant_id))
        await tx.together(
            ("delete_nodes_by_key", {**names, "keys": [node.node.key]}),
            *self._node(lease, new_id(), node, counts, cipher, terms=terms, now=now),
            ("keep_node", {**names, "until": now + lease.lasts, "bump": bump, "now": now}),
        )

    async def put_summary(
        self, tx: Tx, lease: Lease, plan: Plan, root: MadeNode, *, vector: Sequence[float],
        embedding_version: str, counts: Counts, now: datetime, retry_at: datetime | None, ends: bool = False,
    ) -> str:  # fmt: skip
        """Put the summary in place, current as of the planned version; nodes it no longer reads go. Answers its id.

        ``retry_at`` is when a fallback is due again, which stands and counts as stale; None: when somebody asks. Where
        it ``ends`` the transaction, nothing comes after it. Raises LeaseLost, or SourceChanged when a source is not
        what was read.
        """
        names = {"group_id": lease.group_id}
        held = await self._hold(tx, lease, root, standing=plan.summary_id)
        refuse_unheard(plan, held["marks_on"])
        group = held["lock_group"][0]
        summary_id: str = group["summary_id"] or new_id()
        cipher = await self._cipher(tx, lease.user_id, held["hold_user_keys"])
        subject = subject_of(group, held["naming_members"], cipher, tx.tenant_id)
        row = summary_row(
            plan, root, group, summary_id, cipher, subject, held["members_alike"][0],
            policy=self._policies[lease.policy], keys=self._vault.keys(tx.tenant_id),
        )  # fmt: skip
        embedding = np.asarray(vector, dtype=np.float32)
        row |= {
            "embedding": embedding if embedding.any() else None, "embedding_version": embedding_version,
            "updated_at": now, "created_at": now,
        }  # fmt: skip
        served_from = self._policies[lease.policy].served_from
        tokens = root.usage.tokens_in + root.usage.tokens_out
        terms = term_arrays(root.statements, self._vault.keys(tx.tenant_id))
        calls: list[Call] = [
            ("delete_unread_nodes", {**names, "keys": [n.key for n in root.node.below() if n.kind is not Kind.ROOT]}),
            *(reposting([summary_id], ("update_summary", row)) if group["summary_id"] else inserting([row])),
            *self._node(lease, summary_id, root, counts, cipher, terms=terms, now=now, served_from=served_from),
            self._finish(
                lease, plan, group, now=now, summary_id=summary_id, retry_at=retry_at,
                rejected=plan.fingerprint if root.rejected is not None else None,
                attempts=lease.attempts + 1 if root.fallback else 0, error=root.rejected,
            ),
            ("record_refresh", {**names, "now": now, "calls": root.usage.calls, "tokens": tokens}),
        ]  # fmt: skip
        was = held["content_of"] if plan.summary_id == group["summary_id"] else await self._was(tx, summary_id)
        if self._history:
            reads, had = _reads(root), [id_ for before in was for id_ in before["has_read"]]
            reading = Reading(
                came=[id_ for id_ in reads if id_ not in set(had)], went=[id_ for id_ in had if id_ not in set(reads)]
            )
            calls += noting_refresh(
                summary_id, root, served_of(root.statements, served_from), reading, reason=plan.reason, counts=counts,
                cipher=cipher, keys=self._vault.keys(lease.tenant_id), terms=terms, now=now, keep=self._history,
            )  # fmt: skip
        content = _content(root, self._vault.keys(lease.tenant_id))
        changes = bool(group["part_of"]) and [before["content"] for before in was] != [content]
        await (tx.last(*calls) if ends and not changes else tx.together(*calls))
        if changes:
            await touch_wholes(tx, {group["part_of"]}, now)
        return summary_id

    async def _was(self, tx: Tx, node_id: str) -> Sequence[Row]:
        """What a node says before it is replaced, where that was not read with what holds it."""
        return await tx.all("content_of", node_id=node_id)

    async def drop_summary(self, tx: Tx, lease: Lease, plan: Plan, *, now: datetime, silenced: bool) -> None:
        """Remove summary and nodes; where it was silenced, until a member or a mark changes.

        Raises LeaseLost, or SourceChanged when the group changed since it was planned.
        """
        names = {"group_id": lease.group_id}
        group = await tx.one("lock_group", token=lease.token, **names)
        if group is None:
            raise LeaseLost
        if group["version"] != plan.version:
            raise SourceChanged
        await tx.run("delete_group_nodes", **names)
        await delete_memories(tx, [group["summary_id"]] if group["summary_id"] else [])
        if group["part_of"]:
            await touch_wholes(tx, {group["part_of"]}, now)
        await self.finish(tx, lease, plan, group, now=now, summary_id=None)
        if silenced:
            key = SILENCED + (plan.root.key if plan.root is not None else b"")
            await tx.run("suppress_silenced", **names, suppressed=key)

    async def finish(
        self, tx: Tx, lease: Lease, plan: Plan, group: Mapping[str, Any], *, now: datetime, summary_id: str | None,
        rejected: str | None = None,
    ) -> None:  # fmt: skip
        """Current as of the planned version; what came in since then decides whether it is due again."""
        await tx.together(self._finish(lease, plan, group, now=now, summary_id=summary_id, rejected=rejected))

    def _finish(
        self, lease: Lease, plan: Plan, group: Mapping[str, Any], *, now: datetime, summary_id: str | None,
        retry_at: datetime | None = None, rejected: str | None = None, attempts: int = 0, error: str | None = None,
    ) -> Call:  # fmt: skip
        current = group["version"] == plan.version
        added = 0 if current else max(1, group["added"])
        lost = False if current else group["lost"]
        trigger = self._policies[lease.policy].trigger
        again = not current and trigger.is_due(
            members=group["members"], has_summary=summary_id is not None, added=added, lost=lost
        )
        # A view that is not continuous waits to be asked for, unless something was forgotten.
        on_request = group["view_id"] is not None and group["due_at"] is None and not lost
        return "finish_refresh", {
            "group_id": lease.group_id, "version": plan.version, "added": added, "lost": lost,
            "due_at": now if again and not on_request else retry_at, "summary_id": summary_id, "attempts": attempts,
            "rejected": rejected, "error": error,
            "rejections": plan.rejections + (error is not None) if rejected is not None else 0,
        }  # fmt: skip

    def holds(self, lease: Lease, node: MadeNode, *, standing: str | None) -> list[Call]:
        """What locks the group row under the lease and every source as the draft has read it, and asks for the rest.

        ``standing`` is the node that the new one takes the place of. The transaction that commits begins with these.

        Rows first, then the group: the order in which a forget locks them.
        """
        cited = sorted({id_ for s in node.statements for id_ in s.source_ids})
        leaves = [leaf.id for leaf in node.node.leaves()]
        names = {"group_id": lease.group_id}
        calls: list[Call] = [
            ("lock_sources", {"ids": sorted({*leaves, *cited}), "cited": cited, "node_id": standing}),
            ("lock_group", {**names, "token": lease.token}),
            ("member_fingerprints", {**names, "ids": leaves}),
            self._vault.request(lease.tenant_id, {lease.user_id}, hold=True),
        ]
        if node.node.kind is Kind.ROOT:
            calls += [
                marks_on(node), ("members_alike", names), ("content_of", {"node_id": standing}),
                ("naming_members", names),
            ]  # fmt: skip
        return calls

    async def _hold(self, tx: Tx, lease: Lease, node: MadeNode, *, standing: str | None) -> Mapping[str, Sequence[Row]]:
        """The answers to ``holds`` by their names. Raises LeaseLost, or SourceChanged when a source is another now."""
        calls = self.holds(lease, node, standing=standing)
        answers = tx.answers or await tx.together(*calls)
        held = {name: rows for (name, _), rows in zip(calls, answers, strict=True)}
        if not held["lock_group"]:
            raise LeaseLost
        now = {row["memory_id"]: row["fingerprint"] for row in held["member_fingerprints"]}
        if any(now.get(leaf.id) != leaf.fingerprint for leaf in node.node.leaves()):
            raise SourceChanged
        # A part may cite what is no member here, until it is made anew; it must stand all the same.
        cited = {id_ for s in node.statements for id_ in s.source_ids}
        if not cited.issubset(row["memory_id"] for row in held["lock_sources"]):
            raise SourceChanged
        return held

    async def _cipher(self, tx: Tx, user_id: str, rows: Sequence[Row] | None = None) -> Cipher:
        """That of the user; ``rows`` are the user's key, where it was read and held."""
        ciphers = await self._vault.ciphers(tx, {user_id}, hold=True, rows=rows)
        if not user_id and not ciphers:
            # Texts of several users lie under a key of the tenant, which is made with the first of them.
            ciphers = await self._vault.ciphers(tx, {user_id}, hold=True, create=True)
        if user_id not in ciphers:
            raise SourceChanged
        return ciphers[user_id]

    def _node(
        self, lease: Lease, node_id: str, node: MadeNode, counts: Counts, cipher: Cipher, *,
        terms: Mapping[str, str], now: datetime, served_from: float = 0.0,
    ) -> list[Call]:  # fmt: skip
        """What puts a node in its place."""
        tenant_id = lease.tenant_id
        keys = self._vault.keys(tenant_id)
        sealed = {
            f"{name}_ciphertext": cipher.seal(text, tenant_id=tenant_id, row_id=node_id, column=name) if text else None
            for name, text in (("prose", node.prose), ("title", node.title))
        }
        row = {
            **sealed, "served_from": served_from, "content": _content(node, keys), "node_id": node_id,
            "group_id": lease.group_id, "node_key": node.node.key, "kind": node.node.kind.value,
            "definition": node.definition, "made_by": node.made_by, "fallback": node.fallback, "quality": node.quality,
            "tokens": node.tokens, "read": counts.read, "represented": counts.represented,
            "set_aside": sum(counts.set_aside.values()), "left_out": max(0, counts.total - counts.read),
            "capped": counts.capped, "now": now,
            **{reason.value: counts.set_aside.get(reason.value, 0) for reason in SET_ASIDE},
        }  # fmt: skip
        reads = {"node_id": node_id, "ids": _reads(node)}
        known = [node.fates.get(id_) for id_ in reads["ids"]]
        statements = [(new_id(), statement) for statement in node.statements]
        written = {
            "node_id": node_id, "ids": [id_ for id_, _ in statements],
            "texts": [
                cipher.seal(s.text, tenant_id=tenant_id, row_id=id_, column="statement") for id_, s in statements
            ],
            "importances": [float(s.importance) for _, s in statements],
            "superseded_by": [-1 if s.superseded_by is None else s.superseded_by for _, s in statements],
            "terms": [terms[s.text] for _, s in statements],
        }  # fmt: skip
        links = [(id_, source, at) for id_, s in statements for at, source in enumerate(s.source_ids, start=1)]
        lineage = {
            "node_id": node_id, "statement_ids": [id_ for id_, _, _ in links],
            "ids": [source for _, source, _ in links], "positions": [at for _, _, at in links],
        }  # fmt: skip
        return [
            ("put_node", row), ("clear_statements", {"node_id": node_id}), ("drop_node_sources", reads),
            ("add_node_sources", reads), ("set_fates", {**reads, "fates": [fate and fate.value for fate in known]}),
            *([("insert_statements", written)] if statements else []),
            *([("insert_statement_sources", lineage)] if links else []),
        ]  # fmt: skip


def _reads(node: MadeNode) -> list[str]:
    """The memories that a node reads, and those that it cites."""
    cited = (id_ for s in node.statements for id_ in s.source_ids)
    return list(dict.fromkeys([*(leaf.id for leaf in node.node.leaves()), *cited]))


def _content(node: MadeNode, keys: TenantKeys) -> bytes:
    """Keyed hash of what a node says and on which memories."""
    parts = [part for s in node.statements for part in (s.text, f"{s.importance} {s.superseded_by}", *s.source_ids)]
    return keys.fingerprint(*parts)
