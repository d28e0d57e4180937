"""Feedback on summaries in PostgreSQL: given, taken back, and read."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from precis.database.connections import Database, Tx, retried
from precis.database.jobs import Hints
from precis.engine.forgetting import wording
from precis.errors import Conflict, NotFound
from precis.ids import new_id
from precis.keys.cipher import Cipher
from precis.keys.vault import Vault
from precis.language.sentences import sentences
from precis.language.words import index_terms
from precis.store.changes.redacting import mark_id, new_marks
from precis.store.changes.withdrawing import Said, Withdrawal, make_anew, said_on, to_withdraw, withdraw
from precis.store.filtering import Page, decode_cursor, encode_cursor


@dataclass(frozen=True, kw_only=True, slots=True)
class Marked:
    """A statement that feedback is about."""

    #: None once a memory it rested on was forgotten.
    text: str | None
    source_ids: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Feedback:
    """What a person said of a summary or of a statement."""

    id: str
    summary_id: str
    group_id: str
    policy: str
    user_id: str
    #: ``wrong`` or ``good``.
    verdict: str
    #: Of the summary as a whole.
    whole: bool
    #: In the person's words; None without any, or once a memory it was about was forgotten.
    note: str | None
    statements: tuple[Marked, ...]
    created_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class NewFeedback:
    """Feedback on its way in."""

    summary_id: str
    verdict: str
    #: The number of a served statement, from 0; None: the whole summary.
    statement: int | None = None
    note: str | None = None
    #: What the statement has to say; None is no condition.
    text: str | None = None


class PostgresFeedback:
    """What people say of summaries."""

    def __init__(self, database: Database, vault: Vault, hints: Hints) -> None:
        self._database = database
        self._vault = vault
        self._hints = hints

    @retried
    async def give(self, tenant_id: str, feedback: NewFeedback, *, now: datetime) -> Withdrawal:
        """Note it; what is wrong leaves every summary that says it. Raises NotFound, Conflict.

        Memories are locked before groups, as a forget and a commit do: no draft in flight brings it back.
        """
        async with self._database.tx(tenant_id) as tx:
            parameters = {"summary_id": feedback.summary_id}
            group = await tx.one("summary_group", **parameters)
            if group is None:
                raise NotFound(f"there is no summary {feedback.summary_id!r}")
            sources = sorted(row["memory_id"] for row in await tx.all("served_sources", **parameters))
            await tx.run("hold_memories_for_feedback", ids=sources)
            await tx.all("hold_groups_for_feedback", ids=sources, group_id=group["group_id"])
            every = await said_on(tx, self._vault, feedback.summary_id, sources)
            targets = _targets(
                feedback, [entry for entry in every if entry.node_id == feedback.summary_id and entry.served]
            )
            cipher = (await self._vault.ciphers(tx, {group["user_id"]}, hold=True))[group["user_id"]]
            texts = [(entry.statement.text, entry.statement.source_ids) for entry in targets]
            if feedback.statement is None:
                texts += await self._prose(tx, feedback.summary_id, cipher)
            feedback_id = await self._note(tx, feedback, group, texts, cipher, now)
            if feedback.verdict != "wrong":
                return Withdrawal(feedback_id=feedback_id, statements=0, summary_ids=(), group_ids=())
            marks = new_marks(
                feedback_id, texts, await self._inputs(tx, feedback.summary_id), self._vault.keys(tenant_id)
            )
            withdrawn = to_withdraw(every, targets, marks)
            return await withdraw(tx, self._hints, feedback_id, withdrawn, feedback.summary_id, now)

    async def _inputs(self, tx: Tx, summary_id: str) -> frozenset[str]:
        return frozenset(row["memory_id"] for row in await tx.all("inputs_of", summary_id=summary_id))

    async def _prose(self, tx: Tx, summary_id: str, cipher: Cipher) -> list[tuple[str, tuple[str, ...]]]:
        """The sentences of a summary's prose, each resting on all that was read."""
        row = await tx.one("prose_of", summary_id=summary_id)
        if row is None or row["prose_ciphertext"] is None:
            return []
        prose = cipher.open_text(row["prose_ciphertext"], tenant_id=tx.tenant_id, row_id=summary_id, column="prose")
        read = tuple(sorted(await self._inputs(tx, summary_id)))
        return [(sentence, read) for line in prose.splitlines() for sentence in sentences(line)]

    async def _note(
        self, tx: Tx, feedback: NewFeedback, group: Mapping[str, Any],
        texts: Sequence[tuple[str, tuple[str, ...]]], cipher: Cipher, now: datetime,
    ) -> str:  # fmt: skip
        """Keep it, sealed, with keyed hashes of what it is about; answers its id."""
        feedback_id, keys = new_id(), self._vault.keys(tx.tenant_id)
        sealed = None
        if feedback.note:
            sealed = cipher.seal(feedback.note, tenant_id=tx.tenant_id, row_id=feedback_id, column="note")
        parameters = {"feedback_id": feedback_id}
        await tx.run(
            "insert_feedback", **parameters, summary_id=feedback.summary_id, group_id=group["group_id"],
            policy=group["policy"], user_id=group["user_id"], verdict=feedback.verdict,
            whole=feedback.statement is None, note_ciphertext=sealed, now=now,
        )  # fmt: skip
        for position, (text, sources) in enumerate(texts):
            row_id = mark_id(feedback_id, position)
            await tx.run(
                "insert_mark", **parameters, position=position,
                wording=keys.fingerprint("mark", *wording(text)), terms=sorted(keys.terms(index_terms(text))),
                text_ciphertext=cipher.seal(text, tenant_id=tx.tenant_id, row_id=row_id, column="text"),
            )  # fmt: skip
            await tx.run("insert_mark_sources", **parameters, position=position, ids=sorted(set(sources)))
        inputs = await self._inputs(tx, feedback.summary_id)
        await tx.run("insert_inputs", **parameters, ids=sorted(inputs))
        return feedback_id

    @retried
    async def take_back(self, tenant_id: str, feedback_id: str, *, now: datetime) -> tuple[str, ...]:
        """It was never said; answers the groups whose summaries may say again what was marked. Raises NotFound."""
        parameters = {"feedback_id": feedback_id}
        async with self._database.tx(tenant_id) as tx:
            row = await tx.one("get_feedback", **parameters)
            if row is None:
                raise NotFound(f"there is no feedback {feedback_id!r}")
            marks = await tx.all("marks_of", ids=[feedback_id])
            ids = sorted({id_ for mark in marks for id_ in mark["sources"]})
            await tx.run("hold_memories_for_feedback", ids=ids)
            await tx.run("delete_feedback", **parameters)
            if row["verdict"] != "wrong":
                return ()
            groups = await tx.all("hold_groups_of", ids=ids)
            summaries = [group["summary_id"] for group in groups if group["summary_id"]]
            await tx.run("unkey_roots", summaries=summaries)
            touched = [group["group_id"] for group in groups if group["summary_id"] or group["suppressed"]]
            return await make_anew(tx, self._hints, touched, now, lifts=True)

    async def get(self, tenant_id: str, feedback_id: str) -> Feedback:
        """One of them. Raises NotFound."""
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            row = await tx.one("get_feedback", feedback_id=feedback_id)
            if row is None:
                raise NotFound(f"there is no feedback {feedback_id!r}")
            return (await self._opened(tx, [row]))[0]

    async def list(
        self, tenant_id: str, *, summary_id: str | None, user_id: str | None, verdict: str | None, limit: int,
        cursor: str | None,
    ) -> Page[Feedback]:  # fmt: skip
        """Newest first."""
        before, before_id = decode_cursor("feedback", cursor)
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.all(
                "list_feedback", summary_id=summary_id, user_id=user_id,
                verdict=verdict, before=before, before_id=before_id, limit=limit + 1,
            )  # fmt: skip
            entries = await self._opened(tx, rows[:limit])
        more = entries[-1] if len(rows) > limit else None
        return Page(
            rows=tuple(entries), next_cursor=encode_cursor("feedback", more.created_at, more.id) if more else None
        )

    async def _opened(self, tx: Tx, rows: Sequence[Mapping[str, Any]]) -> Sequence[Feedback]:
        marks = await tx.all("marks_of", ids=[row["feedback_id"] for row in rows])
        ciphers = await self._vault.ciphers(tx, {row["user_id"] for row in rows})
        about: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for mark in marks:
            about[mark["feedback_id"]].append(mark)
        return [
            _feedback(row, about[row["feedback_id"]], ciphers[row["user_id"]], tx.tenant_id)
            for row in rows
            if row["user_id"] in ciphers
        ]


def _targets(feedback: NewFeedback, served: Sequence[Said]) -> Sequence[Said]:
    """The statements that it is about. Raises NotFound, Conflict."""
    if feedback.statement is None:
        return served
    if not 0 <= feedback.statement < len(served):
        raise NotFound(
            f"summary {feedback.summary_id!r} has no statement {feedback.statement}: it has {len(served)}, "
            "counted from 0"
        )
    statement = served[feedback.statement]
    if feedback.text is not None and feedback.text.strip() != statement.statement.text.strip():
        raise Conflict(f"statement {feedback.statement} says something else by now; read the summary again")
    return [statement]


def _feedback(row: Mapping[str, Any], marks: Sequence[Mapping[str, Any]], cipher: Cipher, tenant_id: str) -> Feedback:
    def opened(sealed: bytes | None, row_id: str, column: str) -> str | None:
        return cipher.open_text(sealed, tenant_id=tenant_id, row_id=row_id, column=column) if sealed else None

    return Feedback(
        id=row["feedback_id"], summary_id=row["summary_id"], group_id=row["group_id"], policy=row["policy"],
        user_id=row["user_id"], verdict=row["verdict"], whole=row["whole"],
        note=opened(row["note_ciphertext"], row["feedback_id"], "note"),
        statements=tuple(
            Marked(
                text=opened(mark["text_ciphertext"], mark_id(row["feedback_id"], mark["position"]), "text"),
                source_ids=tuple(mark["sources"]),
            )
            for mark in marks
        ),
        created_at=row["created_at"],
    )  # fmt: skip
