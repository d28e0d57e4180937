"""app.memories: write, read, edit and forget memories."""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np

from precis.app.in_words.answers import MOST_DOUBTFUL, Confirmed, Preview
from precis.app.in_words.forgetting import ForgettingInWords
from precis.app.inputs import KeptInput, MemoryChange, MemoryInput, Summarize, checked_limit, read_inputs, with_fields
from precis.app.parts import Parts
from precis.app.preparing import prepare, resolve
from precis.app.refreshing import refresh_inline
from precis.engine.drafted import Result
from precis.engine.forgetting import Receipt
from precis.errors import Conflict, InvalidInput, NotFound
from precis.finding.values import Span
from precis.ids import checked_name, is_storable
from precis.language.labels import extract
from precis.memory import LABELS, TURN, Memory, RetentionState
from precis.store.changes.writing import Added
from precis.store.conversation_rows import Beside
from precis.store.filtering import Filter, Page
from precis.store.forgotten.previews import Choice
from precis.store.rows import NewMemory
from precis.typed import validated


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """What a write did."""

    memories: tuple[Added, ...]
    #: Summaries made or refreshed before the answer.
    summaries: tuple[str, ...]
    #: Clusters that wait for a worker.
    waiting: tuple[str, ...]


class Memories:
    """Verbs over the memories of one tenant."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._in_words = ForgettingInWords(parts, self.get, self.edit)

    async def add(
        self,
        rows: Sequence[MemoryInput | dict[str, Any]],
        *,
        summarize: Summarize = "inline",
        max_text_chars: int | None = None,
    ) -> Written:
        """Write all rows or none; see MemoryInput for the fields.

        With ``inline``, the clusters that became due are refreshed before the answer, up to the inline limits; where
        other requests wait for their turn in this process, a worker refreshes them.
        ``max_text_chars`` is that of the settings where it is not given. Raises InvalidInput, Conflict (the id exists
        with other content) or Forgotten.
        """
        parts = self._parts
        # A model that labels the rows takes its part of the time.
        until = time.monotonic() + parts.settings.inline_deadline
        inputs = read_inputs(
            rows,
            clock=parts.engine.clock,
            max_text_chars=max_text_chars or parts.settings.max_text_chars,
            max_batch=parts.settings.max_batch,
        )
        prepared = await self.prepare(inputs)
        meant = await resolve(
            parts, list(zip(inputs, [row.memory for row in prepared], strict=True)), self._in_words.named
        )
        # While others wait for their turn, one refresh of a worker does for many writes.
        inline = summarize == "inline" and len(rows) <= parts.settings.inline_rows and not parts.pressure.waiting
        prepared = [
            replace(row, supersedes=named.ids, awaited=inline) for row, named in zip(prepared, meant, strict=True)
        ]
        added = await parts.store.memories.add(
            parts.tenant_id, prepared, policy=parts.engine.policies["clusters"], now=parts.engine.clock()
        )
        due = dict.fromkeys(row.group_id for row in added if row.due and row.group_id is not None)
        due |= dict.fromkeys(group_id for row in added[:1] for group_id in row.touched)
        outcomes = (
            await refresh_inline(parts.engine, parts.tenant_id, due, deadline=max(0.0, until - time.monotonic()))
            if inline and due
            else []
        )
        if inline and len(outcomes) < len(due):
            # The hint of the write may have found these leased, or the writer at work on them.
            await parts.store.jobs.wake(parts.tenant_id)
        settled = {o.group_id for o in outcomes if o.result not in (Result.FAILED, Result.BUSY, Result.DISCARDED)}
        return Written(
            memories=tuple(replace(row, doubtful=named.doubtful) for row, named in zip(added, meant, strict=True)),
            summaries=tuple(o.summary_id for o in outcomes if o.result is Result.COMMITTED and o.summary_id),
            waiting=tuple(group_id for group_id in due if group_id not in settled),
        )

    async def prepare(self, inputs: Sequence[MemoryInput]) -> list[NewMemory]:
        """The rows as they would be written, with labels, tokens and vectors; writes nothing."""
        return await prepare(self._parts, inputs)

    async def get(self, memory_id: str) -> Memory:
        """One row; the text of a summary is its served statements. Raises NotFound, InvalidInput."""
        memories = await self.get_many([checked_name(memory_id, "memory_id")])
        if memory_id not in memories:
            raise NotFound(f"there is no memory {memory_id!r}")
        return memories[memory_id]

    async def get_many(self, ids: Sequence[str]) -> Mapping[str, Memory]:
        """The rows that exist, by id."""
        possible = [id_ for id_ in ids if is_storable(id_)]
        return await self._parts.store.memories.get(self._parts.tenant_id, possible)

    async def list(
        self, chosen: Filter | None = None, *, limit: int = 50, cursor: str | None = None, **fields: Any
    ) -> Page[Memory]:
        """Newest first; filter by Filter or by its fields as keywords. ``limit`` is 1 to 1000."""
        filter_, limit = with_fields(chosen or Filter(turns=True), fields), checked_limit(limit)
        return await self._parts.store.memories.list(self._parts.tenant_id, filter_, limit=limit, cursor=cursor)

    async def edit(
        self,
        memory_id: str,
        change: MemoryChange | dict[str, Any],
        *,
        max_text_chars: int | None = None,
        expected: Memory | None = None,
        stays: Sequence[Span] | None = None,
        beside: Beside | None = None,
    ) -> tuple[Memory, Receipt]:
        """Replace what the change names: the old text is forgotten at once, summaries follow.

        ``expected``, ``stays``, ``beside``: see the store's. Raises NotFound, InvalidInput; Conflict for a summary or
        an expired row; Changed where it is not any more what was expected.
        """
        if not isinstance(change, MemoryChange):
            change = validated(MemoryChange, change)
        fields = change.changes()
        limit = max_text_chars or self._parts.settings.max_text_chars
        if change.text is not None and len(change.text) > limit:
            raise InvalidInput(f"text: {len(change.text)} characters; the limit is {limit}", field="text")
        old = await self.get(memory_id)
        if old.is_summary:
            raise Conflict("a summary is derived: edit its sources, or delete it")
        if old.retention_state is RetentionState.EXPIRED:
            raise Conflict("this memory has expired: its text is gone and cannot be edited")
        given = _given(old, by_model=self._parts.engine.extractor is not None)
        merged = _merged(old, _labels(old, fields, given) | fields)
        (changed,) = await self.prepare([merged])
        if old.embedding_version is None and old.metadata.get("kind") == TURN:
            # It was kept out of recall when it was written.
            unread = replace(changed.memory, embedding_version=None)
            changed = replace(changed, memory=unread, vector=np.zeros_like(changed.vector))
        (meant,) = await resolve(self._parts, [(merged, changed.memory)], self._in_words.named)
        if meant.ids == () and isinstance(change.supersedes, str):
            names = ", ".join(repr(row.id) for row in meant.doubtful) or "none is likely"
            raise Conflict(f"supersedes: it is in doubt which memory is meant ({names}); name it by its id")
        own = tuple(name for name in LABELS if name in fields or name in given)
        # Of a message the speaker stands in no field of it.
        speaker = changed.memory.speaker if "metadata" in fields else old.speaker
        memory = replace(changed.memory, created_at=old.created_at, own_labels=own, speaker=speaker)
        changed = replace(changed, memory=memory, supersedes=meant.ids)
        receipt = await self._parts.store.memories.edit(
            self._parts.tenant_id,
            changed,
            policy=self._parts.engine.policies["clusters"],
            now=self._parts.engine.clock(),
            expected=expected,
            stays=stays,
            beside=beside,
        )
        return await self.get(memory_id), receipt

    async def find_to_forget(
        self,
        what: str,
        *,
        user_id: str,
        since: datetime | None = None,
        until: datetime | None = None,
        propose: bool = True,
        most_doubtful: int = MOST_DOUBTFUL,
        **scope: Any,
    ) -> Preview:
        """What a request in words means: "everything about Frank". Nothing is forgotten; ``forget(preview)`` does that.

        Of what is in doubt the ``most_doubtful`` likeliest are listed, and the rest is counted. ``scope`` narrows it by
        the fields of Filter; ``since`` and ``until`` by when a memory was written. A model,
        where there is one, is asked about what is in doubt or near, unless ``propose`` says otherwise. Raises
        InvalidInput for words that name nothing or ask to keep something, NotFound where nothing is meant or near.
        """
        return await self._in_words.find(
            what, user_id=user_id, since=since, until=until, propose=propose, most_doubtful=most_doubtful, **scope
        )

    async def forget_preview(
        self,
        preview: Preview | str,
        *,
        user_id: str | None = None,
        include_doubtful: bool = False,
        also: Collection[str] = (),
        keep: Collection[str] = (),
    ) -> Confirmed:
        """Forget what a preview showed, given as itself or by its id; see ``forget``.

        Of what it showed in doubt those of the ids ``also`` go as well, of what it showed at all those of the ids
        ``keep`` stay, and are in doubt from then on. Raises InvalidInput for an id it did not show.
        """
        if both := sorted({*also} & {*keep}):
            raise InvalidInput(f"keep: {both[0]!r} is in also: say whether it goes or stays", field="keep")
        choice = Choice(doubtful=include_doubtful, also=frozenset(also), keep=frozenset(keep))
        return await self._in_words.confirm(preview, choice, user_id=user_id)

    async def forget(self, ids: str | Sequence[str] | Preview, *, include_doubtful: bool = False) -> Receipt:
        """Law 4: these memories and everything resting on them are gone when this returns; the receipt says what went.

        Summaries that lost something are queued for re-derivation. Of a preview what is surely meant goes, and with
        ``include_doubtful`` what is in doubt; the receipt is a ``Confirmed`` then. Raises InvalidInput; NotFound when
        none of the ids exists, or nothing is left to forget of the preview.
        """
        if isinstance(ids, Preview):
            return await self.forget_preview(ids, include_doubtful=include_doubtful)
        requested = [checked_name(id_, "ids") for id_ in ([ids] if isinstance(ids, str) else ids)]
        receipt = await self._parts.store.memories.forget(
            self._parts.tenant_id, requested, now=self._parts.engine.clock()
        )
        if not receipt.forgotten:
            raise NotFound(f"there is no memory {', '.join(repr(id_) for id_ in requested)}")
        return receipt

    async def forget_user(self, user_id: str) -> Receipt:
        """Everything of a user goes, then the key that could open old copies of it.

        Raises InvalidInput; NotFound for a user of whom there is nothing: no receipt certifies that.
        """
        return await self._parts.store.memories.forget_user(
            self._parts.tenant_id, checked_name(user_id, "user_id"), now=self._parts.engine.clock()
        )


def _given(old: Memory, *, by_model: bool) -> Mapping[str, Any]:
    """The labels that its writer gave, as far as that is known.

    Of a row that was written before this was noted, that is what the rules would not have said of its text; where a
    model labels, nothing.
    """
    labels = {"type": old.extracted_type, "key": old.extracted_key, "importance": old.importance}
    given = set(old.own_labels)
    if not by_model:
        rules = extract(old.text or "", speaker=old.speaker)
        given |= {"type"} if old.ruled_type is None else set()
        given |= {"key"} if old.extracted_key not in (None, rules.key) else set()
        given |= {"importance"} if round(old.importance - rules.importance, 6) else set()
    return {name: labels[name] for name in LABELS if name in given}


def _labels(old: Memory, fields: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The labels that stay: what the writer gave, and the others as long as the text is the same.

    A type that a rule found is found anew, so that it goes on to follow the subject.
    """
    if "text" in fields:
        return dict(given)
    type_ = old.extracted_type if old.ruled_type is None else None
    return {"type": type_, "key": old.extracted_key, "importance": old.importance}


def _merged(old: Memory, fields: Mapping[str, Any]) -> MemoryInput:
    """The old row with these fields; a label that is not among them is extracted anew."""
    kept: dict[str, Any] = {
        "text": old.text,
        "namespace": old.namespace,
        "session_id": old.session_id,
        "memory_type": old.memory_type,
        "event_date": old.event_date,
        "pinned": old.pinned,
        "topics": old.topics,
        "entities": old.entities,
        "metadata": dict(old.metadata),
        "source_class": old.source_class,
    }
    # Who it is of was checked where it came from; a message may be of a user whose name no memory is written under.
    user_id = fields.get("user_id", old.scope.user_id)
    return KeptInput.model_validate(
        kept
        | dict(fields)
        | {
            "id": old.id,
            "user_id": "",
            "project_id": old.scope.project_id,
            "environment": old.scope.environment,
            "agent_id": old.agent_id,
            "run_id": old.run_id,
        }
    ).model_copy(update={"user_id": user_id})
