"""Everything of one user as lines of JSON, and back into a store that does not know the user.

A line is a row: sealed columns are opened, and what is made of a tenant's keys or by an embedder is left out and made
anew where the rows are put in. So two stores with other keys have the same export.
"""

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
import orjson
from psycopg import DataError, IntegrityError, sql
from psycopg.types.json import Jsonb

from precis.database.connections import Database, Row, Tx, retried
from precis.database.queries import query
from precis.engine.forgetting import wording
from precis.engine.grouping import Vector
from precis.errors import Conflict, Forgotten, InvalidInput, NotFound
from precis.keys.cipher import Cipher, TenantKeys
from precis.keys.receipts import canonical, user_hash
from precis.keys.vault import Vault
from precis.language.reading import Sentence
from precis.language.words import index_terms
from precis.memory import TURN
from precis.store.changes.history import said_hash
from precis.store.changes.superseding import asserted_hashes, noting
from precis.store.forgetting import Forgetting
from precis.store.rows import NewMemory, key_hash, memory_of, open_attributes, row_of, wording_hash
from precis.store.upkeep.lines import FORMAT

Line = Mapping[str, Any]
#: The tables in the order in which they can be put in, each with the query for the rows of a user.
TABLES = {
    "memories": "carry_memories", "aliases": "carry_aliases", "zones": "carry_zones",
    "conversations": "carry_conversations", "messages": "carry_messages",
    "fact_sources": "carry_fact_sources", "groups": "carry_groups", "members": "carry_members",
    "nodes": "carry_nodes", "node_sources": "carry_node_sources",
    "statements": "carry_statements", "statement_sources": "carry_statement_sources", "feedback": "carry_feedback",
    "feedback_marks": "carry_feedback_marks", "feedback_sources": "carry_feedback_sources",
    "feedback_inputs": "carry_feedback_inputs", "supersessions": "carry_supersessions",
    "summary_refreshes": "carry_summary_refreshes", "past_statements": "carry_past_statements",
    "past_sources": "carry_past_sources",
}  # fmt: skip
#: Sealed columns by table: under which name, and whether it holds JSON.
_SEALED: Mapping[str, Mapping[str, tuple[str, bool]]] = {
    "memories": {
        "text_ciphertext": ("text", False), "summary_ciphertext": ("summary", False),
        "attributes_ciphertext": ("attributes", True),
    },
    "conversations": {"properties_ciphertext": ("properties", True), "remembering_ciphertext": ("remembering", True)},
    "messages": {"payload_ciphertext": ("payload", True)},
    "nodes": {"prose_ciphertext": ("prose", False), "title_ciphertext": ("title", False)},
    "statements": {"text_ciphertext": ("statement", False)},
    "feedback": {"note_ciphertext": ("note", False)},
    "feedback_marks": {"text_ciphertext": ("text", False)},
    "past_statements": {"text_ciphertext": ("text", False)},
}  # fmt: skip
#: Columns that are not exported, with what they are until they are made anew.
_MADE: Mapping[str, Mapping[str, Any]] = {
    "memories": {
        "embedding": None, "embedding_version": None, "terms": [], "fingerprint": "", "key_hash": None,
        "person_hash": None, "topic_hashes": None, "entity_hashes": None, "text_hash": None, "speaker_hashes": None,
        "passages": None,
    },
    "conversations": {"facts_due_at": None, "facts_attempts": 0},
    "messages": {"wording": None},
    "groups": {
        "centroid": None, "centroid_version": None, "due_at": None, "lease_token": None, "lease_until": None,
        "attempts": 0, "failed_at": None, "error": None, "rejected": None, "rejections": 0, "suppressed": None,
        "run": None,
    },
    "nodes": {"node_key": "", "content": None},
    "statements": {"terms": []},
    "feedback_marks": {"wording": "", "terms": []},
    "past_statements": {"wording": "", "terms": []},
}  # fmt: skip

#: What lines that were written before a column was there say in it.
_BEFORE: Mapping[str, Mapping[str, Any]] = {"memories": {"source_class": "user"}}


class Portability:
    """Takes users out of a tenant's store, and into one."""

    def __init__(self, database: Database, vault: Vault, forgetting: Forgetting) -> None:
        self._database = database
        self._vault = vault
        self._forgetting = forgetting

    async def export(self, tenant_id: str, user_id: str) -> AsyncGenerator[bytes]:
        """The lines, of one moment; the last says how many there are. Raises NotFound for a user without any."""
        keys = self._vault.keys(tenant_id)
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            cipher = (await self._vault.ciphers(tx, [user_id])).get(user_id)
            if cipher is None:
                raise NotFound(f"there is no user {user_id!r}")
            lines = 1
            yield _written({"line": "export", "format": FORMAT, "user_id": user_id})
            for table, rows in TABLES.items():
                for row in await tx.all(rows, user_id=user_id):
                    lines += 1
                    yield _written({"line": table, **_opened(table, row, cipher, tenant_id)})
            for receipt in await self._receipts(tx, user_hash(keys, user_id)):
                lines += 1
                yield _written(receipt)
            yield _written({"line": "end", "lines": lines})

    async def _receipts(self, tx: Tx, user: str) -> Sequence[Line]:
        """Those that came along come first: they are older."""
        public_key = self._forgetting.chain.signer(tx.tenant_id).public_key
        own = [
            {"line": "receipt", "public_key": public_key, "receipt": row["body"]}
            for row in await tx.all("carry_receipts", user=user)
        ]
        return [*(row["body"] for row in await tx.all("carry_imported_receipts", user=user)), *own]

    @retried
    async def put(
        self, tenant_id: str, user_id: str, lines: Mapping[str, Sequence[Line]], vectors: Mapping[str, Vector], *,
        sentences: Mapping[str, tuple[Sentence, ...]], embedder: str, now: datetime,
    ) -> int:  # fmt: skip
        """Put an export in; answers how many of its memories stay away, since they were forgotten here.

        ``lines`` by their kind; ``vectors`` by memory, of this ``embedder``; ``sentences`` by memory, of those that the
        rules may replace something by, or replace. Raises Conflict where the user is known
        here or an id is taken, Forgotten where every memory was forgotten, and InvalidInput for lines that are none.
        """
        keys = self._vault.keys(tenant_id)
        async with self._database.tx(tenant_id) as tx:
            forgotten = await self._checked(tx, user_id, lines)
            cipher = (await self._vault.ciphers(tx, [user_id], hold=True, create=True))[user_id]
            for table in TABLES:
                rows = [_sealed(table, line, cipher, keys) for line in lines.get(table, ())]
                await _put_in(tx, table, rows, keys.user_ref(user_id))
            await self._make(tx, lines.get("memories", ()), vectors, sentences, cipher, embedder)
            who = {"user_id": user_id}
            await tx.run("carry_summary_terms", **who)
            await tx.run("post_terms", ids=[line["memory_id"] for line in lines.get("memories", ())])
            await tx.run("carry_centroids", **who)
            await tx.run("carry_due", **who, now=now)
            await tx.run("carry_facts_due", **who, now=now)
            for position, line in enumerate(lines.get("receipt", ())):
                body = Jsonb({"line": "receipt", **line}, dumps=orjson.dumps)
                with _refused("receipt"):
                    await tx.run("insert_imported_receipt", user=user_hash(keys, user_id), position=position, body=body)
            if forgotten:
                await self._forgetting.remove(tx, forgotten, now=now, renewable=False, again=True)
                await tx.run("delete_silent_conversations", **who)
        return len(forgotten)

    async def _checked(self, tx: Tx, user_id: str, lines: Mapping[str, Sequence[Line]]) -> Sequence[str]:
        """The memories that were forgotten here."""
        keys = self._vault.keys(tx.tenant_id)
        if await tx.one("traces_of_user", user_id=user_id, user_ref=keys.user_ref(user_id)):
            raise Conflict(f"user {user_id!r} is known here: an export goes into a store that does not know the user")
        ids = [line["memory_id"] for line in lines.get("memories", ()) if not line["is_summary"]]
        hashes = {keys.tombstone(id_): id_ for id_ in ids}
        rows = await tx.all("tombstoned", hashes=list(hashes))
        forgotten = sorted(hashes[row["memory_hash"]] for row in rows if not row["renewable"])
        if ids and len(forgotten) == len(ids):
            raise Forgotten(f"every memory of user {user_id!r} in this export was forgotten here")
        return forgotten

    async def _make(
        self, tx: Tx, lines: Sequence[Line], vectors: Mapping[str, Vector],
        sentences: Mapping[str, tuple[Sentence, ...]], cipher: Cipher, embedder: str,
    ) -> None:  # fmt: skip
        """What was made of the keys and by the embedder: of raw rows with a text, as when they were written."""
        keys = self._vault.keys(tx.tenant_id)
        raw = [line["memory_id"] for line in lines if not line["is_summary"] and line["text"] is not None]
        memories, wordings = [], []
        for row in await tx.all("get_memories", ids=raw):
            vector = vectors.get(row["memory_id"], np.zeros(1, dtype=np.float32))
            version = embedder if row["memory_id"] in vectors else None
            memory = memory_of({**row, "embedding_version": version}, cipher, tenant_id=tx.tenant_id)
            sealed, place = row["attributes_ciphertext"], {"tenant_id": tx.tenant_id, "row_id": memory.id}
            named = open_attributes(sealed, cipher, **place)
            new = NewMemory(
                memory=memory, vector=np.zeros(1, dtype=np.float32) if vector is None else vector,
                person=named.person, ruled=named.ruled, sentences=sentences.get(memory.id, ()),
            )  # fmt: skip
            memories.append(new)
            if memory.metadata.get("kind") == TURN:
                wordings.append({"memory_id": memory.id, "wording": wording_hash(memory, keys)})
        await tx.many("update_memory", [row_of(new, cipher, keys) for new in memories])
        await tx.together(*noting(memories, asserted_hashes(memories, keys)))
        await tx.run("enlist", ids=raw)
        await tx.many("carry_wordings", wordings)
        summaries = [line["memory_id"] for line in lines if line["is_summary"] and line["memory_id"] in vectors]
        await tx.many(
            "carry_vector", [{"memory_id": id_, "vector": vectors[id_], "version": embedder} for id_ in summaries]
        )


async def _put_in(tx: Tx, table: str, rows: Sequence[Mapping[str, Any]], user_ref: bytes) -> None:
    if not rows:
        return
    columns = sql.SQL(", ").join(sql.Identifier(row["name"]) for row in await tx.all("columns_of", table=table))
    statement = sql.SQL(query("carry_in")).format(table=sql.Identifier(table), columns=columns)
    parameters = {"tenant_id": tx.tenant_id, "user_ref": user_ref, "rows": Jsonb(list(rows), dumps=orjson.dumps)}
    with _refused(table):
        await tx.connection.execute(statement, parameters)


@contextmanager
def _refused(table: str) -> Iterator[None]:
    """What no column takes is the fault of the file."""
    try:
        yield
    except (DataError, IntegrityError) as error:
        kind = type(error).__name__
        raise InvalidInput(f"the lines of {table!r} cannot be put in ({kind}): damaged, or an id is taken") from None


def _written(line: Line) -> bytes:
    return canonical(line) + b"\n"


def _opened(table: str, row: Row, cipher: Cipher, tenant_id: str) -> dict[str, Any]:
    """A row as its line."""
    sealed = _SEALED.get(table, {})
    line: dict[str, Any] = {}
    for column, value in row.items():
        if column in sealed:
            name, is_json = sealed[column]
            text = None
            if value is not None:
                text = cipher.open_text(value, tenant_id=tenant_id, row_id=_row_id(table, row), column=name)
            line[name] = orjson.loads(text) if is_json and text is not None else text
        elif column != "tenant_id" and column not in _MADE.get(table, {}):
            line[column] = _plain(value)
    if table == "memories":
        line["has_vector"] = row["embedding"] is not None
    return line


def _plain(value: object) -> object:
    """Times in UTC, whatever the zone of the database is."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return value.isoformat() if isinstance(value, date) else value


def _row_id(table: str, row: Mapping[str, Any]) -> str:
    """Under which id a row's columns are sealed."""
    if table == "feedback_marks":
        return f"{row['feedback_id']}.{row['position']}"
    ids = {
        "conversations": "conversation_id", "nodes": "node_id", "statements": "statement_id",
        "past_statements": "statement_id", "feedback": "feedback_id",
    }  # fmt: skip
    return str(row[ids.get(table, "memory_id")])


def _sealed(table: str, line: Line, cipher: Cipher, keys: TenantKeys) -> dict[str, Any]:
    """A line as a row of this tenant."""
    made = {"tenant_id": keys.tenant_id, **_MADE.get(table, {}), **_keyed(table, line, keys)}
    row: dict[str, Any] = {**_BEFORE.get(table, {}), **line, **made}
    row.pop("has_vector", None)
    for column, (name, is_json) in _SEALED.get(table, {}).items():
        text = row.pop(name, None)
        if text is not None:
            content = orjson.dumps(text) if is_json else str(text)
            place = {"tenant_id": keys.tenant_id, "row_id": _row_id(table, line)}
            row[column] = rf"\x{cipher.seal(content, **place, column=name).hex()}"
    return row


def _keyed(table: str, line: Line, keys: TenantKeys) -> Mapping[str, Any]:
    """What is made of the tenant's keys; of a raw row with a text it is made by whoever writes one."""

    def terms(text: str | None) -> list[int]:
        return sorted(keys.terms(index_terms(text or "")))

    def hexed(digest: bytes) -> str:
        return rf"\x{digest.hex()}"

    if table == "memories":
        attributes = line["attributes"] or {}
        return {
            "terms": terms(line["summary"]), "fingerprint": hexed(keys.fingerprint("carried", line["memory_id"])),
            "key_hash": key_hash(attributes.get("key"), keys), "person_hash": key_hash(attributes.get("person"), keys),
        }  # fmt: skip
    if table == "nodes":
        return {"node_key": hexed(keys.fingerprint("carried", line["node_id"]))}
    if table == "statements":
        return {"terms": terms(line["statement"])}
    if table == "past_statements":
        return {"wording": hexed(said_hash(line["text"], keys)), "terms": terms(line["text"])}
    if table == "feedback_marks":
        text = line["text"]
        words = ("carried", line["feedback_id"], str(line["position"])) if text is None else ("mark", *wording(text))
        return {"wording": hexed(keys.fingerprint(*words)), "terms": terms(text)}
    return {}
