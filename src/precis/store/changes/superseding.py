"""Superseding in PostgreSQL: the older memory keeps its row, and leaves recall and summaries while the newer is there.

What a writer says takes it out of its groups' summaries. What the rules find only takes it out of recall: a summary
overrules by the same rules itself, and its counts say so.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from precis.database.connections import Call, Row, Tx
from precis.database.jobs import Hints, note_cause
from precis.errors import Conflict, InvalidInput, NotFound
from precis.keys.cipher import Cipher, TenantKeys
from precis.keys.vault import Vault
from precis.language.newest.timeline import asserted, is_clear, leaves_nothing_of, may_replace_or_be_replaced
from precis.language.reading import Line, Sentence, read
from precis.store.changes.redacting import drop_summary, redact_summaries
from precis.store.rows import AHEAD, NewMemory, open_attributes
from precis.store.rule_groups import touch_wholes
from precis.trust import SourceClass, may_replace, voice_of

SAID, RULE = "said", "rule"
#: Memories on one subject that a new one is compared with, the newest.
_COMPARED = 16
#: Most memories that assert one thing of which the time is looked up, to find the newest.
_LOOKED_UP = 512
#: Of a text with more sentences than this some always stand.
_SENTENCES = 3
_SCOPE = ("user_id", "project_id", "environment")


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """A memory that another one replaces, and from when on."""

    older_id: str
    newer_id: str
    since: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Superseded:
    """What a write replaced."""

    pairs: tuple[Pair, ...] = ()
    #: Groups that are to be made current.
    groups: tuple[str, ...] = ()

    def older(self, memory_id: str) -> tuple[str, ...]:
        """Ids of what a memory replaces."""
        return tuple(sorted({pair.older_id for pair in self.pairs if pair.newer_id == memory_id}))

    def newer(self, memory_id: str) -> tuple[str, ...]:
        """Ids of what replaces it."""
        return tuple(sorted({pair.newer_id for pair in self.pairs if pair.older_id == memory_id}))


class Superseding:
    """What replaces what. Each method works in the caller's transaction."""

    def __init__(self, vault: Vault, hints: Hints) -> None:
        self._vault = vault
        self._hints = hints

    async def claims(
        self, tx: Tx, rows: Sequence[NewMemory], now: datetime, *, known: Collection[str] = ()
    ) -> tuple[list[Pair], list[str]]:
        """What these rows, which are there, are said to replace, locked; and the groups that hold it.

        ``known`` rows are written again: what they replaced may be gone since.

        Raises NotFound for an id that is not there, InvalidInput for a memory of another scope, Conflict for a summary.
        """
        named = [(older_id, row) for row in rows for older_id in row.supersedes or ()]
        if not named:
            return [], []
        ids = sorted({id_ for older_id, row in named for id_ in (older_id, row.memory.id)})
        stored = {row["memory_id"]: row for row in await tx.all("hold_superseded", ids=ids)}
        pairs = []
        for older_id, row in named:
            older = stored.get(older_id)
            if older is None and row.memory.id in known:
                continue
            _refuse(older_id, older, row)
            newer_at = stored[row.memory.id]["created_at"]
            pairs.append(Pair(older_id=older_id, newer_id=row.memory.id, since=_since(newer_at, stored[older_id], now)))
        groups = await tx.all("groups_of_superseded", ids=sorted({pair.older_id for pair in pairs}))
        return pairs, [group["group_id"] for group in groups]

    async def apply(
        self, tx: Tx, claims: Sequence[Pair], by_rule: Sequence[Pair], now: datetime, *, besides: Collection[str] = (),
    ) -> Superseded:  # fmt: skip
        """These claims hold, and what the rules found; ``besides`` are memories that may have come back.

        Raises Conflict where a memory would replace itself.
        """
        touched = {*besides, *(pair.older_id for pair in claims)}
        if claims:
            newer = sorted({pair.newer_id for pair in claims})
            await _put(tx, claims, SAID)
            await tx.run("stand_against_rules", newer=newer)
            await _refuse_circles(tx, newer)
            touched.update(newer)
        if by_rule:
            await _put(tx, by_rule, RULE)
            touched.update(pair.older_id for pair in by_rule)
        groups = await self._settle(tx, touched, now) if touched else set()
        return Superseded(pairs=(*claims, *by_rule), groups=tuple(sorted(groups)))

    async def standing(self, tx: Tx, ids: Collection[str]) -> Superseded:
        """What these memories replace, and what replaces them."""
        rows = await tx.all("pairs_touching", ids=sorted(ids)) if ids else []
        return Superseded(pairs=tuple(Pair(**row) for row in rows))

    async def replace(
        self, tx: Tx, claims: Sequence[Pair], row: NewMemory, ciphers: Mapping[str, Cipher], now: datetime
    ) -> None:
        """The same after an edit: what the rules found is found anew; what was said stays, unless it is said anew."""
        memory_id = row.memory.id
        await tx.run("delete_asserted", memory_id=memory_id)
        bases = [RULE] if row.supersedes is None else [RULE, SAID]
        rows = await tx.all("take_back_supersessions", memory_id=memory_id, bases=bases)
        besides = {pair[name] for pair in rows for name in ("older_id", "newer_id")}
        calls = self.assertions(self._vault.keys(tx.tenant_id), [row])
        asserting = (await tx.together(*calls))[-1] if calls else ()
        await self.apply(tx, claims, self.by_rule([row], asserting, ciphers, claims, now), now, besides=besides)

    async def _settle(self, tx: Tx, ids: Collection[str], now: datetime) -> set[str]:
        """Bring rows, groups and summaries up to what stands of the pairs; answers the groups to be made current."""
        before = {row["memory_id"]: row["replaced"] for row in await tx.all("replaced_among", ids=sorted(ids))}
        rows = await tx.all("mark_superseded", ids=sorted(ids))
        changed = [row for row in rows if row["replaced"] != before[row["memory_id"]]]
        replaced = sorted(row["memory_id"] for row in changed if row["replaced"])
        returned = sorted(row["memory_id"] for row in changed if not row["replaced"])
        due = await self._leave(tx, replaced, now) if replaced else set()
        return due | (await self._make_current(tx, returned, (), now, back=True) if returned else set())

    async def _leave(self, tx: Tx, ids: Sequence[str], now: datetime) -> set[str]:
        """No summary says any more what rests on these memories."""
        await tx.run("say_no_more", ids=ids)
        nodes = await tx.all("redact_replaced", ids=ids)
        summaries = sorted({node["summary_id"] for node in nodes if node["summary_id"]})
        await redact_summaries(tx, ids, summaries, now)
        due = await self._make_current(tx, ids, {node["group_id"] for node in nodes}, now, back=False)
        for row in await tx.all("silent_summaries", summaries=summaries):
            await drop_summary(tx, row["summary_id"])
        return due

    async def _make_current(
        self, tx: Tx, ids: Sequence[str], group_ids: Collection[str], now: datetime, *, back: bool
    ) -> set[str]:
        rows = await tx.all("make_current", ids=ids, groups=sorted(group_ids), now=now, back=back)
        await touch_wholes(tx, {row["part_of"] for row in rows if row["part_of"]}, now)
        due = {row["group_id"] for row in rows if row["due"]}
        await note_cause(tx, due)
        if due:
            await self._hints.hint(tx)
        return due

    def assertions(self, keys: TenantKeys, rows: Sequence[NewMemory]) -> list[Call]:
        """Note of what these rows, which are there, assert something, and ask last what else is asserted of that.

        Of what can neither replace a memory nor be replaced by one nobody asks; noting answers no row.
        """
        compared = {row.memory.id for row in rows if row.sentences and may_replace_or_be_replaced(row.sentences)}
        hashes = asserted_hashes([row for row in rows if row.memory.id in compared or _is_noted(row)], keys)
        calls = noting(rows, hashes)
        if named := [(id_, key) for id_, of_row in hashes.items() if id_ in compared for key in of_row]:
            ids, named_keys = (list(column) for column in zip(*named, strict=True))
            calls.append(("asserting", {"ids": ids, "keys": named_keys, "limit": _COMPARED, "most": _LOOKED_UP}))
        return calls

    def by_rule(
        self, rows: Sequence[NewMemory], others: Sequence[Row], ciphers: Mapping[str, Cipher], claims: Sequence[Pair],
        now: datetime,
    ) -> list[Pair]:  # fmt: skip
        """Which memory leaves nothing of which, among these and those on the same subjects.

        ``others`` is the last answer to ``assertions``. What is said to replace another is not replaced itself. Of what
        is said now and what has a date that is still to come, by a clock that was ahead maybe, both stand.
        """
        places = {row.memory.id: place for place, row in enumerate(rows)}
        sentences = {row.memory.id: row.sentences for row in rows if row.sentences}
        compared: set[frozenset[str]] = set()
        pairs: list[Pair] = []
        for other in others:
            row = rows[places[other["compared_id"]]]
            two = frozenset((row.memory.id, other["memory_id"]))
            # Of two rows of one write each is on the subjects of the other.
            if two in compared or (not row.dated and other["created_at"] > now + AHEAD):
                continue
            compared.add(two)
            if other["memory_id"] not in sentences:
                sentences[other["memory_id"]] = _read(row, other, ciphers[row.memory.scope.user_id])
            pair = _compared(row, other, sentences[other["memory_id"]], places)
            pairs += [] if pair is None else [pair]
        saying = {claim.newer_id for claim in claims}
        return [pair for pair in pairs if pair.older_id not in saying]


def asserted_hashes(rows: Sequence[NewMemory], keys: TenantKeys) -> Mapping[str, list[int]]:
    """Keyed hashes of what each asserts something of, in its namespace; sorted, so that no order is stored."""
    places = {row.memory.id: f"\0asserted={row.memory.namespace or ''}" for row in rows if row.sentences}
    return {
        row.memory.id: sorted(keys.terms(f"{places[row.memory.id]}\0{key}" for key in asserted(row.sentences)))
        for row in rows
        if row.sentences
    }


def noting(rows: Sequence[NewMemory], hashes: Mapping[str, Sequence[int]]) -> list[Call]:
    """Note of what these rows, which are there, assert something clearly: of these hashes."""
    entries = [
        (row.memory.scope.user_id, hash_, row.memory.id)
        for row in rows
        if _is_noted(row)
        for hash_ in hashes[row.memory.id]
    ]
    if not entries:
        return []
    users, keys, ids = (list(column) for column in zip(*entries, strict=True))
    return [("put_asserted", {"users": users, "keys": keys, "ids": ids})]


def _is_noted(row: NewMemory) -> bool:
    """Whether a later memory is to be compared with it."""
    return bool(row.sentences) and len(row.sentences) <= _SENTENCES and is_clear(row.sentences)


async def _put(tx: Tx, pairs: Sequence[Pair], basis: str) -> None:
    unique = {(pair.older_id, pair.newer_id): pair.since for pair in pairs}
    newer = [newer for _, newer in unique]
    pairs_of = {
        "older": [older for older, _ in unique], "newer": newer, "since": list(unique.values()),
        "bases": [basis] * len(unique),
    }  # fmt: skip
    await tx.together(("mark_replacing", {"newer": newer}), ("put_supersessions", pairs_of))


async def _refuse_circles(tx: Tx, newer: Sequence[str]) -> None:
    rows = await tx.all("going_round", newer=newer)
    if rows:
        names = ", ".join(repr(row["memory_id"]) for row in rows)
        raise Conflict(f"supersedes: {names} would be replaced by what replaces it; say it of one of them only")


def _refuse(older_id: str, older: Row | None, row: NewMemory) -> None:
    """Raises NotFound, InvalidInput or Conflict for what cannot be replaced by this row."""
    if older is None:
        raise NotFound(f"there is no memory {older_id!r} to supersede")
    if older_id == row.memory.id:
        raise InvalidInput(f"supersedes: {older_id!r} cannot replace itself", field="supersedes")
    if older["is_summary"]:
        raise Conflict(f"supersedes: {older_id!r} is a summary; name the memories that it rests on")
    if not row.confirmed and not may_replace(row.memory.source_class, SourceClass(older["source_class"])):
        message = (
            f"what a {row.memory.source_class} says replaces {older_id!r} only with confirm: the user has to agree"
        )
        raise Conflict(f"supersedes: {message}")
    if any(older[name] != getattr(row.memory.scope, name) for name in _SCOPE):
        message = f"supersedes: {older_id!r} is of another user, project or environment"
        raise InvalidInput(message, field="supersedes")


def _since(newer_at: datetime, older: Row, now: datetime) -> datetime:
    """From when on the newer one holds: its date; where that is no later than the older one's, when it was said."""
    moment: datetime = newer_at if newer_at > older["created_at"] else max(now, older["created_at"])
    return moment


def _read(row: NewMemory, other: Row, cipher: Cipher) -> tuple[Sentence, ...]:
    """The sentences of a memory of the same user that stands already."""
    tenant_id, row_id = row.memory.scope.tenant_id, other["memory_id"]
    attributes = open_attributes(other["attributes_ciphertext"], cipher, tenant_id=tenant_id, row_id=row_id)
    text = cipher.open_text(other["text_ciphertext"], tenant_id=tenant_id, row_id=row_id, column="text")
    voice = voice_of({SourceClass(other["source_class"])})
    return read(Line(text=text, speaker=attributes.speaker, voice=voice))


def _compared(row: NewMemory, other: Row, others: Sequence[Sentence], places: Mapping[str, int]) -> Pair | None:
    """Which of two memories leaves nothing of the other, if one does. The later one is the newer, or who comes last."""
    memory, other_id = row.memory, other["memory_id"]
    is_newer = (memory.created_at, places[memory.id]) > (other["created_at"], places.get(other_id, -1))
    newer, older = (row.sentences, others) if is_newer else (others, row.sentences)
    if not leaves_nothing_of(older, newer):
        return None
    if is_newer:
        return Pair(older_id=other_id, newer_id=memory.id, since=memory.created_at)
    return Pair(older_id=memory.id, newer_id=other_id, since=other["created_at"])
