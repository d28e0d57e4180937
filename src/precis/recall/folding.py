"""Folding: a summary and those of its sources that were found with it are shown once. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Fold:
    """A row of an answer as folding sees it."""

    id: str
    #: Of a summary: the rows it was made from.
    sources: tuple[str, ...] = ()


def fold(rows: Sequence[Fold], *, detail: bool) -> list[tuple[str, list[str]]]:
    """(row, the rows under it) in the order of the answer; each row once.

    A summary is shown with its sources under it, where the better of them stood. A question for a ``detail`` is
    answered by a source: the best one is shown with the summary, and the other sources, under it.
    """
    ids = [row.id for row in rows]
    taken: set[str] = set()
    shown: dict[str, list[str]] = {}
    for row in rows:
        kin = [id_ for id_ in ids if id_ in row.sources and id_ not in taken]
        if kin and row.id not in taken:
            top = kin[0] if detail else row.id
            under = [row.id, *kin[1:]] if detail else kin
            shown[top] = under
            taken.update([top, *under])
    place = {id_: at for at, id_ in enumerate(ids)}
    shown |= {id_: [] for id_ in ids if id_ not in taken}
    return sorted(shown.items(), key=lambda entry: min(place[id_] for id_ in (entry[0], *entry[1])))
