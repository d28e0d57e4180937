"""What the tests of bytes on disk share: every file of a folder searched raw, and the bytes that stand for memories."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row

#: A long value lies in chunks of this many bytes (TOAST_MAX_CHUNK_SIZE of 8 kB pages).
CHUNK = 1996
#: Of each chunk: enough to be no accident.
PIECE = 64
#: The write-ahead log lies in pages (XLOG_BLCKSZ); each begins with a header, the first of a file with a longer one.
LOG_PAGE, LOG_HEADER, LOG_FIRST_HEADER = 8192, 24, 40

_MEMORIES = """
    SELECT text_ciphertext, attributes_ciphertext, summary_ciphertext, halfvec_send(embedding) AS vector, terms,
           pg_column_compression(text_ciphertext) AS compression
    FROM memories WHERE memory_id = ANY(%(ids)s)"""
_STATEMENTS = """
    SELECT s.text_ciphertext, pg_column_compression(s.text_ciphertext) AS compression FROM statements s
    WHERE EXISTS (SELECT 1 FROM statement_sources l WHERE l.statement_id = s.statement_id
                  AND l.memory_id = ANY(%(ids)s))"""
_SUMMARIES = """
    SELECT DISTINCT g.summary_id AS id, vector_send(g.centroid) AS centroid
    FROM groups g JOIN members m USING (group_id)
    WHERE m.memory_id = ANY(%(ids)s) AND g.summary_id IS NOT NULL"""
_ELSEWHERE = """
    SELECT DISTINCT unnest(terms) AS term FROM memories WHERE NOT is_summary AND NOT memory_id = ANY(%(ids)s)"""


def contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """(path below the folder, bytes) of every file there is; of the zeros that a file ends in, as many as a chunk has.

    Most of the log is such zeros, and each pattern is a search.
    """
    for path in sorted(folder.rglob("*")):
        with suppress(FileNotFoundError):  # the server removes files of its own while we read
            if path.is_file():
                content = path.read_bytes()
                content = content[: len(content.rstrip(b"\0")) + CHUNK]
                yield path.relative_to(folder).as_posix(), content + (records(content) if is_log(path) else b"")


def is_log(path: Path) -> bool:
    """Whether a file is a segment of the write-ahead log."""
    return path.parent.name == "pg_wal" and re.fullmatch("[0-9A-F]{24}", path.name) is not None


def records(segment: bytes) -> bytes:
    """A segment of the log without its headers: a record goes on behind one, which hides whatever it cuts in two."""
    pages = (segment[at : at + LOG_PAGE] for at in range(0, len(segment), LOG_PAGE))
    return next(pages, b"")[LOG_FIRST_HEADER:] + b"".join(page[LOG_HEADER:] for page in pages)


def found(folder: Path, patterns: Mapping[str, Sequence[bytes]]) -> dict[str, list[str]]:
    """The files that hold any of the patterns, by the pattern's name; "kind 3" is the fourth of its kind."""
    wanted = {f"{kind} {at}": one for kind, ones in patterns.items() for at, one in enumerate(ones)}
    dense = {name: pattern.translate(None, b"\0") for name, pattern in wanted.items()}
    held: dict[str, list[str]] = {name: [] for name in wanted}
    for path, content in contents(folder):
        # Most of a database is zeros, and what is in it is in it without them, too: there a search is quick.
        without_zeros = content.translate(None, b"\0")
        for name, pattern in wanted.items():
            if dense[name] in without_zeros and pattern in content:
                held[name].append(path)
    return {name: paths for name, paths in held.items() if paths}


def names(patterns: Mapping[str, Sequence[bytes]]) -> set[str]:
    """The names under which ``found`` answers."""
    return {f"{kind} {at}" for kind, ones in patterns.items() for at in range(len(ones))}


def plain(word: str) -> dict[str, list[bytes]]:
    """A word as it would be written: by case, in UTF-8 and in UTF-16, whose two byte orders differ at the ends only."""
    spelled = sorted({word, word.lower(), word.upper(), word.capitalize()})
    return {"plain": [*(one.encode() for one in spelled), *(one.encode("utf-16-be").lstrip(b"\0") for one in spelled)]}


def pieces(value: bytes) -> list[bytes]:
    """What of a value lies in one piece wherever it lies, in its row or cut into chunks."""
    return [bytes(value[at : at + PIECE]) for at in range(0, len(value), CHUNK) if len(value) - at >= 16]


def halves(sent: bytes) -> bytes:
    """A halfvec as its row holds it: the wire has four bytes of header and big-endian numbers."""
    return np.frombuffer(sent[4:], dtype=">u2").astype("<u2").tobytes()


def floats(sent: bytes) -> bytes:
    """The same of a vector."""
    return np.frombuffer(sent[4:], dtype=">u4").astype("<u4").tobytes()


@asynccontextmanager
async def owner_of(dsn: str) -> AsyncIterator[AsyncConnection[DictRow]]:
    """The owner of the database, above row-level security."""
    async with await AsyncConnection[DictRow].connect(dsn, autocommit=True, row_factory=dict_row) as connection:
        yield connection


async def footprint(owner: AsyncConnection[DictRow], ids: Sequence[str]) -> dict[str, list[bytes]]:
    """The bytes that stand for these memories and for all that was derived from them, by kind."""
    here = {"ids": list(ids)}
    raw = await _all(owner, _MEMORIES, here)
    groups = await _all(owner, _SUMMARIES, here)
    summaries = await _all(owner, _MEMORIES, {"ids": [row["id"] for row in groups]})
    statements = await _all(owner, _STATEMENTS, here)
    # What TOAST compressed would not be found by its bytes; ciphertext is noise and stays as it is.
    assert {row["compression"] for row in (*raw, *statements)} == {None}
    elsewhere = {row["term"] for row in await _all(owner, _ELSEWHERE, here)}
    # A sample of a long text's words: each is a search of every file.
    terms = sorted({term for row in raw for term in row["terms"]} - elsewhere)
    terms = terms[:: len(terms) // 20 + 1]
    return {
        "text": [piece for row in raw for piece in pieces(row["text_ciphertext"])],
        "attributes": [piece for row in raw for piece in pieces(row["attributes_ciphertext"])],
        "vector": [halves(row["vector"])[:PIECE] for row in (*raw, *summaries)],
        "summary": [piece for row in summaries for piece in pieces(row["summary_ciphertext"])],
        "summary attributes": [p for row in summaries for p in pieces(row["attributes_ciphertext"] or b"")],
        "statement": [piece for row in statements for piece in pieces(row["text_ciphertext"])],
        "centroid": [floats(row["centroid"])[:PIECE] for row in groups],
        "keyed word": [term.to_bytes(8, "little", signed=True) for term in terms],
    }


async def wrapped_keys(owner: AsyncConnection[DictRow]) -> list[bytes]:
    """Every data key as it is stored."""
    return [row["wrapped"] for row in await _all(owner, "SELECT wrapped FROM user_keys", {})]


async def log_segments(owner: AsyncConnection[DictRow]) -> set[str]:
    """The files of the write-ahead log."""
    rows = await _all(owner, "SELECT name FROM pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}$'", {})
    return {row["name"] for row in rows}


async def _all(owner: AsyncConnection[DictRow], query: Any, parameters: Mapping[str, Any]) -> list[DictRow]:
    return await (await owner.execute(query, parameters)).fetchall()
