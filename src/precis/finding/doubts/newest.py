"""Which memories are the newest ones, where a request asks for those alone."""

from collections.abc import Sequence

from precis.finding.reading import folded
from precis.finding.together.pronouns import MACHINES
from precis.finding.values import Level, Match, Row


def with_newest(rows: Sequence[Row], matches: dict[str, Match], count: int) -> None:
    """Leave meant only the newest so many, the oldest first, in doubt where another was written in the same moment.

    What an assistant said is none that the user has told.
    """
    told = [row for row in rows if matches[row.id].level is Level.SURE]
    told = [row for row in told if row.speaker is None or folded(row.speaker) not in MACHINES]
    newest = told[-count:]
    before = told[-count - 1] if len(told) > count else None
    for row in rows:
        if row not in newest:
            matches[row.id] = Match(level=Level.NO)
        elif before is not None and newest[0].created_at == before.created_at:
            matches[row.id] = Match(level=Level.DOUBTFUL, why="another was written in the same moment")
        else:
            matches[row.id] = Match(level=Level.SURE, why="it is the newest memory")
    if before is not None and newest[0].created_at == before.created_at:
        same = (row for row in told if row.created_at == before.created_at)
        why = "another was written in the same moment"
        matches.update((row.id, Match(level=Level.DOUBTFUL, why=why)) for row in same)
