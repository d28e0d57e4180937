"""What a summary was at a moment: as it stood then, or what it says of what had been said by then."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from precis.database.connections import Row
from precis.summary import Counts, Statement, Summary


def read_counts(document: Mapping[str, Any]) -> Counts:
    """The counts in a row of a refresh."""
    return Counts(**document)


def version_of(summary: Summary, row: Row, statements: Sequence[Statement]) -> Summary:
    """What a summary was; it is as current as it was then, and of the memories its statements rest on."""
    sources = tuple(dict.fromkeys(id_ for statement in statements for id_ in statement.source_ids))
    return replace(
        summary, statements=tuple(statements), parent_id=sources, leaf_source_ids=sources, prose=None, title=None,
        updated_at=row["refreshed_at"], made_by=row["made_by"], fallback=row["fallback"], stale=False, rejected=False,
        counts=read_counts(row["counts"]),
    )  # fmt: skip


def of_then(summary: Summary, statements: Sequence[Statement], newest: datetime) -> Summary:
    """A summary that was made later, of the day of the newest memory that these statements rest on."""
    sources = tuple(dict.fromkeys(id_ for statement in statements for id_ in statement.source_ids))
    return replace(
        summary, statements=tuple(statements), parent_id=sources, leaf_source_ids=sources, prose=None, title=None,
        created_at=newest, updated_at=newest, stale=False,
    )  # fmt: skip
