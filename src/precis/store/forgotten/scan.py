"""Look for a word in every row precis wrote, decrypted, hashed and as it stands. Changes nothing.

Findings name rows and columns, never a text.
"""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from psycopg import sql

from precis.database.connections import Database, Tx
from precis.database.queries import query
from precis.keys.cipher import Cipher
from precis.keys.vault import Vault
from precis.language.words import index_terms, led_by
from precis.memory import Memory
from precis.store.forgotten.needles import Needle, folded, shown_as
from precis.store.memories import read_memories

_PAGE = 1000
#: What a statement may say of when something was, whatever its memories say.
_DATE_WORDS = " ".join([
    *(f"{date(2024, 1, day):%A}" for day in range(1, 8)), *(f"{date(2024, month, 1):%B %b}" for month in range(1, 13)),
    *map(str, [*range(32), *range(1900, 2101)]),
])  # fmt: skip
#: Tables that the queries call by a shorter name.
_TABLES = {"marks": "feedback_marks", "past": "past_statements"}
#: How the name of a place ends that is a whole table.
EVERY_COLUMN = ", every column"
#: Encrypted columns this scan opens; a test holds them against the catalog.
OPENED = frozenset(
    {
        "memories.text_ciphertext", "memories.summary_ciphertext", "memories.attributes_ciphertext",
        "statements.text_ciphertext", "nodes.prose_ciphertext", "nodes.title_ciphertext",
        "messages.payload_ciphertext", "conversations.properties_ciphertext",
        "conversations.remembering_ciphertext", "feedback.note_ciphertext", "feedback_marks.text_ciphertext",
        "past_statements.text_ciphertext",
    }
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Looked:
    """One place that was searched."""

    where: str
    #: Rows or files that were read.
    read: int
    hits: int
    #: Ids of rows, columns or files with a hit; at most ten.
    places: tuple[str, ...] = ()
    #: What limits this answer, if anything does.
    note: str = ""


class Scan:
    """Reads all rows of one tenant."""

    def __init__(self, database: Database, vault: Vault) -> None:
        self._database = database
        self._vault = vault

    async def texts(self, tenant_id: str, words: Sequence[str]) -> list[Looked]:
        """Every encrypted column, opened with the keys and searched as text."""
        needles = [Needle(word) for word in words]
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            memories = await self._sealed(tx, "sealed_memories", needles)
            statements = await self._sealed(tx, "sealed_statements", needles)
            nodes = await self._sealed(tx, "sealed_nodes", needles)
            messages = await self._sealed(tx, "sealed_messages", needles)
            conversations = await self._sealed(tx, "sealed_conversations", needles)
            notes = await self._sealed(tx, "sealed_feedback", needles)
            marks = await self._sealed(tx, "sealed_feedback_marks", needles)
            past = await self._sealed(tx, "sealed_past_statements", needles)
            names = {row["name"] for row in await tx.all("sealed_columns")}
        unknown = [
            Looked(where=f"{name}, decrypted", read=0, hits=0, note="this release cannot open it")
            for name in sorted(names - OPENED)
        ]
        return [*memories, *statements, *nodes, *messages, *conversations, *notes, *marks, *past, *unknown]

    async def _sealed(self, tx: Tx, query: str, needles: Sequence[Needle]) -> list[Looked]:
        table, read = query.removeprefix("sealed_"), 0
        hits: dict[str, list[str]] = {}
        async for rows in _pages(tx, query):
            read += len(rows)
            ciphers = await self._vault.ciphers(tx, {row["user_id"] for row in rows})
            for row in rows:
                for column, text in _opened(row, ciphers.get(row["user_id"]), tx.tenant_id):
                    row_ids = hits.setdefault(column, [])
                    if any(needle.stands_in(text) for needle in needles):
                        row_ids.append(row["row_id"])
        if not read:
            names = sorted(name for name in OPENED if name.startswith(f"{table}."))
            return [_looked(f"{name.removesuffix('_ciphertext')}, decrypted", 0, []) for name in names]
        return [_looked(f"{table}.{column}, decrypted", read, hits[column]) for column in sorted(hits)]

    async def keyed_words(self, tenant_id: str, words: Sequence[str]) -> list[Looked]:
        """Rows whose hashed words hold every word of a needle."""
        keys = self._vault.keys(tenant_id)
        needles = [sorted(set(keys.terms(index_terms(word)))) for word in words]
        row_ids: dict[str, list[str]] = {"memories": [], "statements": [], "marks": [], "past": []}
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            counts = (await tx.all("term_rows"))[0]
            for table in row_ids:
                for hashes in filter(None, needles):
                    rows = await tx.all(f"{table}_with_terms", terms=hashes)
                    row_ids[table] += [row["row_id"] for row in rows]
        return [
            _looked(f"{_TABLES.get(name, name)}.terms, as keyed hashes", counts[name], ids)
            for name, ids in row_ids.items()
        ]

    async def columns(self, tenant_id: str, words: Sequence[str], *, own: bool = False) -> list[Looked]:
        """Every column of every table in the catalog as text, bytes included; ``own``: of tables of tenants only."""
        needles = shown_as(words)
        looked = []
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            for table in await tx.all("tables"):
                name = table["name"] if table["schema"] == "public" else f"{table['schema']}.{table['name']}"
                if not table["readable"]:
                    note = "the role that serves may not read it"
                    looked.append(Looked(where=f"{name}{EVERY_COLUMN}", read=0, hits=0, note=note))
                    continue
                if own and not table["of_tenants"]:
                    note = "it holds nothing of a tenant"
                    looked.append(Looked(where=f"{name}{EVERY_COLUMN}", read=0, hits=0, note=note))
                    continue
                place = sql.Identifier(table["schema"], table["name"])
                count = await tx.connection.execute(sql.SQL(query("count_rows_in_scan")).format(table=place))
                kinds = {"bytes": table["bytes"], "numbers": table["numbers"]}
                rows = await tx.connection.execute(
                    sql.SQL(query("columns_with")).format(table=place), {**needles, **kinds}
                )
                read = (await count.fetchone() or {})["rows"]
                hits = await rows.fetchall()
                looked.append(
                    Looked(
                        where=f"{name}{EVERY_COLUMN}", read=read, hits=sum(row["hits"] for row in hits),
                        places=tuple(f"{name}.{row['name']}" for row in hits),
                    )
                )  # fmt: skip
        return looked

    async def held_by_others(self, tenant_id: str, terms: Sequence[int]) -> set[int]:
        """Those of these keyed words that memories hold which are not forgotten, or their statements rightly say.

        A statement says more words than its memories: when something was, and who said it. Any other word that no
        memory holds is no word of others, whatever statement has it.
        """
        keys = self._vault.keys(tenant_id)
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.all("terms_elsewhere", terms=list(terms), ids=[])
            theirs = {row["term"] for row in rows}
            stated = await tx.all("terms_of_statements", terms=[term for term in terms if term not in theirs])
            ids = sorted({row["memory_id"] for row in stated})
            memories = await read_memories(tx, self._vault, await tx.all("get_memories", ids=ids)) if ids else []
        dates = set(keys.terms(index_terms(_DATE_WORDS)))
        names = {memory.id: set(keys.terms(index_terms(_speaker(memory)))) for memory in memories}
        return theirs | {row["term"] for row in stated if row["term"] in dates | names.get(row["memory_id"], set())}

    async def forgotten(self, tenant_id: str, ids: Sequence[str]) -> set[str]:
        """Which of these ids a tombstone stands for."""
        keys = self._vault.keys(tenant_id)
        hashes = {keys.tombstone(id_): id_ for id_ in ids}
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("tombstoned", hashes=list(hashes))
        return {hashes[row["memory_hash"]] for row in rows}

    async def ids_of_user(self, tenant_id: str, user_id: str) -> list[str]:
        """The raw memories of a user."""
        async with self._database.tx(tenant_id) as tx:
            rows = await tx.all("ids_of_user_in_scan", user_id=user_id)
        return [row["memory_id"] for row in rows]

    async def patterns(
        self, tenant_id: str, ids: Sequence[str], *, user_id: str | None = None
    ) -> dict[str, list[bytes]]:
        """The bytes on disk that stand for these memories and what rests on them, by kind; the user's key if named."""
        parameters = {"ids": list(ids)}
        async with self._database.tx(tenant_id, one_moment=True) as tx:
            rows = await tx.all("evidence", **parameters)
            every = sorted({term for row in rows for term in row["terms"]})
            elsewhere = {row["term"] for row in await tx.all("terms_elsewhere", terms=every, **parameters)}
            ref = self._vault.keys(tenant_id).user_ref(user_id) if user_id is not None else b""
            keys = await tx.all("user_key", user_ref=ref)
        return {
            "ciphertext": _heads(row[name] for row in rows for name in ("sealed", "attributes")),
            # The wire form holds big-endian numbers after four bytes of header; the files hold little-endian ones.
            "vector": [_swapped(row["vector"][4:]) for row in rows if row["vector"]],
            "keyed word": [term.to_bytes(8, "little", signed=True) for term in every if term not in elsewhere],
            "wrapped key": _heads(row["wrapped"] for row in keys),
        }


def _speaker(memory: Memory) -> str:
    return memory.speaker or led_by(memory.text or "") or ""


def _opened(row: Mapping[str, Any], cipher: Cipher | None, tenant_id: str) -> list[tuple[str, str]]:
    """(column, text) of what the row seals; nothing opens a row whose key was destroyed."""
    columns = [column for column in row if column not in ("row_id", "user_id")]
    if cipher is None:
        return [(column, "") for column in columns]
    texts = []
    for column in columns:
        sealed, text = row[column], ""
        if sealed is not None:
            text = cipher.open_text(sealed, tenant_id=tenant_id, row_id=row["row_id"], column=column)
        texts.append((column, folded(text)))
    return texts


def _looked(where: str, read: int, ids: Collection[str]) -> Looked:
    return Looked(where=where, read=read, hits=len(ids), places=tuple(dict.fromkeys(ids))[:10])


def _heads(values: Any) -> list[bytes]:
    """Enough of each to be found, short enough not to be cut by a page."""
    return [bytes(value[:64]) for value in values if value is not None]


def _swapped(halves: bytes) -> bytes:
    return np.frombuffer(halves, dtype=">u2").astype("<u2").tobytes()[:256]


async def _pages(tx: Tx, query: str) -> AsyncIterator[Sequence[Mapping[str, Any]]]:
    after = ""
    while rows := await tx.all(query, after=after, limit=_PAGE):
        yield rows
        after = rows[-1]["row_id"]
