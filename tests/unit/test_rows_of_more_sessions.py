"""A long answer has rows of ten sessions, as far as there are as many."""

from datetime import UTC, datetime

from precis.recall.question import Candidate
from precis.recall.ranking import Score
from precis.recall.sought.sessions import of_more_sessions

SESSIONS = ["a", "a", "b", None, "b", *"acdefghijkl"]
ROWS = {
    str(at): Candidate(str(at), None, (), 5, 0.5, datetime(2026, 3, 1, tzinfo=UTC), session=name)
    for at, name in enumerate(SESSIONS)
}
SCORES = [Score(id=id_, keyword=1 - 0.01 * at) for at, id_ in enumerate(ROWS)]


def behind_two(room: int, *, start: int = 2) -> list[str]:
    """The ids of so many rows behind the first two, of those from there on."""
    return [score.id for score in of_more_sessions(SCORES[:2], SCORES[start:], ROWS, room)]


def test_another_session_takes_the_place_of_the_weakest_row_of_one_that_is_there() -> None:
    """Neither a note goes nor the best row of a session, and no more rows than are needed."""
    assert behind_two(10) == ["2", "3", "6", "7", "8", "9", "10", "11", "12", "13"]


def test_there_are_as_many_rows_as_there_is_room_for() -> None:
    """However many sessions would be left."""
    assert behind_two(3) == ["2", "3", "6"]
    assert len(behind_two(100)) == len(SCORES) - 2


def test_where_ten_sessions_are_there_nothing_changes() -> None:
    """The best rows are there."""
    assert behind_two(10, start=6) == [str(at) for at in range(6, 16)]
