"""Rows to values and back. Encryption happens here and nowhere else."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import orjson
from pgvector import HalfVector

from precis import ids, makers, summary, trust
from precis.engine.grouping import Vector
from precis.keys.cipher import Cipher, TenantKeys
from precis.language.reading import Sentence
from precis.language.words import led_by, passages, spoken_names, words
from precis.memory import Memory, MemoryType, RetentionState, Scope, Tier, fold, strategy_of
from precis.recall.wishes import marks_of

#: Columns of a row that only raw rows have: what they can be filtered by and found again by.
FILTERED = ("topic_hashes", "entity_hashes", "extraction_strategy", "text_hash", "speaker_hashes", "passages")


#: For so long a group that became due by an awaited write is left to its writer. One that died is found by the sweep.
HEAD_START = timedelta(seconds=1)
#: No clock of several is as far ahead of another: a moment beyond it was noted before a clock was put back.
AHEAD = timedelta(minutes=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class NewMemory:
    """A validated, extracted and embedded row on its way in. Fingerprint and keyed terms are made by the store."""

    memory: Memory
    #: Unit vector; all zeros when the embedder knows none of the words.
    vector: Vector
    #: Whom the row is about, when it names somebody.
    person: str | None = None
    #: Whether the writer gave created_at; without it a repeated write is the same whenever it comes.
    dated: bool = True
    #: Whether precis made its id just now: no row has it, and nobody can have forgotten it.
    minted: bool = False
    #: Write although the id was forgotten.
    revive: bool = False
    #: What its words tell of its subject.
    about: makers.About = field(default_factory=makers.About)
    #: The type that a rule found for it, where one did: its own then is that of the cluster it joins.
    ruled: str | None = None
    #: Ids of the memories that it replaces, as its writer says; None: whatever was said before.
    supersedes: tuple[str, ...] | None = None
    #: Whether the user agrees that it does, though a tool or a document says it.
    confirmed: bool = False
    #: Whether its writer makes the summary itself, before it is answered: workers let it go first for HEAD_START.
    awaited: bool = False
    #: Its text, read; nothing where the rules are not to replace anything by it, nor it by anything.
    sentences: tuple[Sentence, ...] = ()
    #: Fields that its writer gave: sent again under its id, it says the same in these. Empty: only its text counts.
    given: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Attributes:
    """What attributes_ciphertext holds."""

    key: str | None = None
    person: str | None = None
    speaker: str | None = None
    topics: Sequence[str] = ()
    entities: Sequence[str] = ()
    metadata: Mapping[str, Any] | None = None
    #: The type that a rule found, where none was given: in another cluster its own may be another.
    ruled: str | None = None
    #: Labels that its writer gave.
    own: Sequence[str] = ()


def halved(vector: Vector | None) -> HalfVector | None:
    """As columns have it: cast in a query it would be cast with every row. A vector of nothing is like none."""
    return HalfVector(vector) if vector is not None and vector.any() else None


def seal_attributes(attributes: Attributes, cipher: Cipher, *, tenant_id: str, row_id: str) -> bytes:
    """The attributes as one ciphertext."""
    fields = {name: getattr(attributes, name) for name in Attributes.__slots__ if getattr(attributes, name)}
    return cipher.seal(orjson.dumps(fields), tenant_id=tenant_id, row_id=row_id, column="attributes")


def open_attributes(sealed: bytes | None, cipher: Cipher, *, tenant_id: str, row_id: str) -> Attributes:
    """And back; all empty when there are none."""
    if sealed is None:
        return Attributes()
    return Attributes(**orjson.loads(cipher.open(sealed, tenant_id=tenant_id, row_id=row_id, column="attributes")))


def fingerprint(memory: Memory, keys: TenantKeys) -> bytes:
    """Keyed hash of the id and every field a prompt renders, and of from whom it is unless that is the user."""
    return keys.fingerprint(*_rendered(memory), *_classed(memory.source_class))


def fingerprints(memory: Memory, keys: TenantKeys) -> frozenset[bytes]:
    """Those of the memory, whoever it is from."""
    return fingerprints_of(*_rendered(memory), keys=keys)


def fingerprints_of(*rendered: str, keys: TenantKeys) -> frozenset[bytes]:
    """The same of the fields that a prompt renders: what was stored before its source class was known stays itself."""
    return frozenset(keys.fingerprint(*rendered, *_classed(source_class)) for source_class in trust.ORDER)


def _rendered(memory: Memory) -> tuple[str, ...]:
    return memory.id, memory.created_at.isoformat(), memory.speaker or "", memory.text or ""


def _classed(source_class: trust.SourceClass) -> tuple[str, ...]:
    return () if source_class is trust.SourceClass.USER else (source_class.value,)


def content_hash(memory: Memory, keys: TenantKeys) -> bytes:
    """Keyed hash of whose memory it is and of all that its writer says in it, whenever it was written."""
    labels = orjson.dumps([memory.topics, memory.entities, dict(memory.metadata)], option=orjson.OPT_SORT_KEYS)
    return keys.fingerprint("content", memory.scope.user_id, memory.text or "", labels)


def key_hash(word: str | None, keys: TenantKeys) -> int | None:
    """Keyed hash of a subject or a person."""
    return None if word is None else keys.term(f"\0{word}")


def _speaker_of(new: NewMemory) -> str | None:
    """Whom a row is found by where a question names who said it."""
    return new.memory.speaker or led_by(new.memory.text or "") or new.person


def name_hashes(names: Iterable[str], keys: TenantKeys) -> list[int]:
    """Keyed hashes of the words of a name; sorted, so that no order is stored."""
    return sorted(keys.term(f"\0speaker={name}") for name in names)


def speakers_called(
    names: Mapping[str, Sequence[str]], looked_for: Sequence[str], keys: TenantKeys
) -> dict[int, tuple[int, ...]]:
    """Of these names in a question the hash that a speaker of that name has, with its places in what is looked for."""
    places = {term: at for at, term in enumerate(looked_for)}
    return {
        hash_: tuple(places[term] for term in of_name)
        for name, of_name in names.items() if of_name
        for hash_ in name_hashes([name], keys)
    }  # fmt: skip


def row_of(new: NewMemory, cipher: Cipher, keys: TenantKeys) -> dict[str, Any]:
    """The parameters of insert_memory and update_memory."""
    memory = new.memory
    tenant_id = memory.scope.tenant_id
    attributes = Attributes(
        key=memory.extracted_key, person=new.person, speaker=memory.speaker, topics=memory.topics,
        entities=memory.entities, metadata=memory.metadata, ruled=new.ruled, own=memory.own_labels,
    )  # fmt: skip
    kind = memory.metadata.get("kind")
    parts = passages(memory.text or "")
    if len(parts) == 1:
        # What is long is of more than how somebody wants things.
        parts[0] += marks_of(memory.text or "")
    # Sorted, so that no word order is stored.
    placed = sorted((term, at) for at, part in enumerate(parts) for term in keys.terms(part))
    return {
        "tenant_id": tenant_id,
        "memory_id": memory.id,
        "user_id": memory.scope.user_id,
        "project_id": memory.scope.project_id,
        "environment": memory.scope.environment,
        "namespace": memory.namespace,
        "session_id": memory.session_id,
        "agent_id": memory.agent_id,
        "run_id": memory.run_id,
        "memory_type": memory.memory_type.value,
        "kind": kind if isinstance(kind, str) else None,
        "extracted_type": memory.extracted_type,
        "key_hash": key_hash(memory.extracted_key, keys),
        "person_hash": key_hash(new.person, keys),
        "tier": memory.tier.value,
        "retention_state": memory.retention_state.value,
        "is_summary": False,
        "parent_id": None,
        "text_ciphertext": cipher.seal(memory.text or "", tenant_id=tenant_id, row_id=memory.id, column="text"),
        "summary_ciphertext": None,
        "attributes_ciphertext": seal_attributes(attributes, cipher, tenant_id=tenant_id, row_id=memory.id),
        "embedding": new.vector if new.vector.any() else None,
        "embedding_version": memory.embedding_version,
        "terms": [term for term, _ in placed],
        "passages": [at for _, at in placed] if len(parts) > 1 else None,
        "importance": memory.importance,
        "pinned": memory.pinned,
        "event_date": memory.event_date,
        "fingerprint": fingerprint(memory, keys),
        "tokens": memory.tokens,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        "topic_hashes": list_hashes("topics", memory.topics, keys),
        "entity_hashes": list_hashes("entities", memory.entities, keys),
        "extraction_strategy": strategy_of(memory.metadata),
        "text_hash": text_hash(memory.text or "", keys),
        "source_class": memory.source_class.value,
        "speaker_hashes": name_hashes(spoken_names(_speaker_of(new)), keys) or None,
    }


def list_hashes(name: str, words: Iterable[str], keys: TenantKeys) -> list[int] | None:
    """Keyed hashes of topics or entities and of everything each begins with; sorted, so that no order is stored."""
    folded = [fold(word) for word in words]
    begun = [f"{name}^{word[:end]}" for word in folded for end in range(1, len(word) + 1)]
    hashes = {keys.term(f"\0{word}") for word in [*(f"{name}={word}" for word in folded), *begun]}
    return sorted(hashes) or None


def wording_hash(memory: Memory, keys: TenantKeys) -> int:
    """Keyed hash of who says which words in which order, whatever their case and the marks between them."""
    return keys.term(f"\0said={memory.speaker or ''}={' '.join(words(memory.text or ''))}")


def text_hash(text: str, keys: TenantKeys, *, exact: bool = False) -> int:
    """Keyed hash of the text as it is read, to find it again; ``exact``: to the byte, as before 0.2."""
    return keys.term(f"\0text={text if exact else ids.as_read(text)}")


def scope_of(row: Mapping[str, Any], tenant_id: str) -> Scope:
    """The scope that a row of a memory or a group names."""
    return Scope(
        tenant_id=tenant_id, user_id=row["user_id"], project_id=row["project_id"], environment=row["environment"]
    )


def memory_of(row: Mapping[str, Any], cipher: Cipher, *, tenant_id: str, text: str | None = None) -> Memory:
    """A row as a memory; ``text`` overrides what the row holds (a redacted summary's statements)."""
    row_id = row["memory_id"]
    for column, name in (("text_ciphertext", "text"), ("summary_ciphertext", "summary")):
        if text is None and row[column] is not None:
            text = cipher.open_text(row[column], tenant_id=tenant_id, row_id=row_id, column=name)
    attributes = open_attributes(row["attributes_ciphertext"], cipher, tenant_id=tenant_id, row_id=row_id)
    return Memory(
        id=row_id,
        scope=scope_of(row, tenant_id),
        text=text,
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        memory_type=MemoryType(row["memory_type"]),
        namespace=row["namespace"],
        session_id=row["session_id"],
        agent_id=row["agent_id"],
        run_id=row["run_id"],
        speaker=attributes.speaker,
        extracted_type=row["extracted_type"],
        extracted_key=attributes.key,
        importance=row["importance"],
        event_date=row["event_date"],
        last_accessed=row["last_accessed"],
        access_count=row["access_count"],
        pinned=row["pinned"],
        topics=tuple(attributes.topics),
        entities=tuple(attributes.entities),
        metadata=attributes.metadata or {},
        tier=Tier(row["tier"]),
        retention_state=RetentionState(row["retention_state"]),
        is_summary=row["is_summary"],
        parent_id=tuple(row["parent_id"] or row.get("rests_on") or ()),
        fingerprint=row["fingerprint"],
        tokens=row["tokens"],
        embedding_version=row["embedding_version"],
        supersedes=tuple(row.get("supersedes") or ()),
        superseded_by=tuple(row.get("superseded_by") or ()),
        superseded_at=row.get("superseded_at"),
        source_class=trust.SourceClass(row["source_class"]),
        ruled_type=attributes.ruled,
        own_labels=tuple(attributes.own),
    )


def counts_in(row: Mapping[str, Any]) -> summary.Counts:
    """What became of the sources of a summary, of a row of get_summaries."""
    reasons = {fate.value: row[fate.value] for fate in summary.SET_ASIDE if row[fate.value]}
    rest = row["read"] - row["represented"] - sum(reasons.values())
    return summary.Counts(
        read=row["read"], represented=row["represented"], set_aside=reasons, left_out=rest + row["unread"],
        capped=row["capped_count"],
    )  # fmt: skip


def statement_of(row: Mapping[str, Any], cipher: Cipher, *, tenant_id: str) -> summary.Statement:
    """A row of read_statements."""
    return summary.Statement(
        text=cipher.open_text(
            row["text_ciphertext"], tenant_id=tenant_id, row_id=row["statement_id"], column="statement"
        ),
        importance=row["importance"],
        source_ids=tuple(row["source_ids"]),
        superseded_by=row["superseded_by"],
        source_class=trust.least(map(trust.SourceClass, row["classes"])),
    )
