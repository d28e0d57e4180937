"""The forgotten-log: what a database with an older mark has not heard of, and nothing before it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from precis.errors import ConfigurationError
from precis.keys.chain import Missed, MissedMemory
from precis.keys.cipher import TenantKeys
from precis.keys.forgotten_log import ForgottenLog, Mark
from precis.keys.keyring import Keyring

#: When the forgets of these tests were made.
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def keys(tmp_path: Path) -> TenantKeys:
    """The keys of one tenant."""
    return Keyring(tmp_path / "keys").open_tenant("acme")


@pytest.fixture
def log(tmp_path: Path) -> ForgottenLog:
    """A log of nothing yet."""
    return ForgottenLog(tmp_path / "forgotten")


def file_of(tmp_path: Path) -> Path:
    """The one file of the log."""
    (path,) = (tmp_path / "forgotten").iterdir()
    return path


def missed_at_noon(*contents: bytes) -> MissedMemory:
    """A memory that was forgotten at noon, and written again with these contents."""
    return MissedMemory(until=NOON, renewable=False, contents=set(contents))


def heard(log: ForgottenLog, since: Mark, *, known: tuple[str, ...] = (), limit: int = 2) -> tuple[Missed, Mark]:
    """All of it after a mark, a few lines at a time."""
    missed = Missed()
    while (unread := log.unread("acme", since, limit=limit)).entries:
        missed.hear(unread, known)
        since = unread.mark
    return missed, since


def test_only_what_follows_the_mark_is_read(log: ForgottenLog, keys: TenantKeys) -> None:
    """Receipts that the database knows are passed over; at the end there is no more."""
    assert heard(log, Mark()) == (Missed(), Mark())
    for number in range(5):
        log.forgot(keys, f"r{number}", [f"m{number}"], until=NOON)
    first, mark = heard(log, Mark(), known=("r1",))
    assert first.receipts == ["r0", "r2", "r3", "r4"]
    assert first.memories == {keys.tombstone(f"m{number}"): missed_at_noon() for number in (0, 2, 3, 4)}
    assert heard(log, mark) == (Missed(), mark)
    log.forgot(keys, "r5", ["m5"], until=NOON, user_id="ana")
    later, end = heard(log, mark)
    assert (later.receipts, later.users) == (["r5"], {keys.user_ref("ana"): NOON})
    assert end.offset > mark.offset


def test_what_was_written_again_is_known_by_its_content(log: ForgottenLog, keys: TenantKeys) -> None:
    """Every content since the last forget of the id; one of before it counts no more."""
    first, second, third = (keys.tombstone(name) for name in ("m0", "m1", "m2"))
    log.forgot(keys, "r0", ["m0", "m1", "m2"], until=NOON)
    log.revived(keys, {first: b"tea", second: b"tea"})
    log.revived(keys, {first: b"mate"})
    log.forgot(keys, "r1", ["m1"], until=NOON)
    missed, _ = heard(log, Mark(), limit=1)
    assert (missed.memories, missed.receipts) == (
        {first: missed_at_noon(b"tea", b"mate"), second: missed_at_noon(), third: missed_at_noon()}, ["r0", "r1"],
    )  # fmt: skip


def test_a_revival_that_names_no_content_is_not_relied_on(tmp_path: Path, log: ForgottenLog, keys: TenantKeys) -> None:
    """Such lines were written before it was sure that the write would be made: what they name stays forgotten."""
    log.forgot(keys, "r0", ["m0"], until=NOON)
    path = file_of(tmp_path)
    path.write_text(path.read_text() + f'{{"revived":["{keys.tombstone("m0").hex()}"]}}\n')
    assert heard(log, Mark())[0].memories == {keys.tombstone("m0"): missed_at_noon()}


@pytest.mark.parametrize("lines", [1, 40])
def test_a_mark_of_another_file_counts_for_nothing(
    tmp_path: Path, log: ForgottenLog, keys: TenantKeys, lines: int
) -> None:
    """Shorter or of other lines: all of it is read."""
    for number in range(20):
        log.forgot(keys, f"r{number}", [f"m{number}"], until=NOON)
    _, mark = heard(log, Mark())
    file_of(tmp_path).unlink()
    for number in range(lines):
        log.forgot(keys, f"s{number}", [f"m{number}"], until=NOON)
    missed, _ = heard(log, mark)
    assert missed.receipts == [f"s{number}" for number in range(lines)]


def test_a_torn_line_is_not_read_and_not_marked(tmp_path: Path, log: ForgottenLog, keys: TenantKeys) -> None:
    """The next forget takes its place, and is read after the mark."""
    log.forgot(keys, "r0", ["m0"], until=NOON)
    path = file_of(tmp_path)
    whole = path.stat().st_size
    path.write_bytes(path.read_bytes() + b'{"receipt":"x","mem')
    missed, mark = heard(log, Mark())
    assert (missed.receipts, mark.offset) == (["r0"], whole)
    log.forgot(keys, "r1", ["m1"], until=NOON)
    assert heard(log, mark)[0].receipts == ["r1"]


def test_a_damaged_line_is_refused_where_it_is_read(tmp_path: Path, log: ForgottenLog, keys: TenantKeys) -> None:
    """With its place."""
    log.forgot(keys, "r0", ["m0"], until=NOON)
    _, mark = heard(log, Mark())
    path = file_of(tmp_path)
    path.write_bytes(path.read_bytes() + b"{broken\n")
    for since in (mark, Mark()):
        with pytest.raises(ConfigurationError, match=f"damaged at byte {mark.offset}; restore the file"):
            heard(log, since)


def test_of_two_forgets_the_later_time_counts(log: ForgottenLog, keys: TenantKeys) -> None:
    """For a memory and for a user, whichever line comes first."""
    later = NOON + timedelta(hours=1)
    for receipt, until in (("r0", NOON), ("r1", later), ("r2", NOON)):
        log.forgot(keys, receipt, ["m0"], until=until, user_id="ana")
    missed, _ = heard(log, Mark())
    assert missed.memories[keys.tombstone("m0")].until == later
    assert missed.users == {keys.user_ref("ana"): later}


def test_a_line_without_a_time_counts_whenever_it_was(tmp_path: Path, log: ForgottenLog, keys: TenantKeys) -> None:
    """Such lines were written before the log named the time; one with a time beside it changes nothing."""
    memory, user = keys.tombstone("m0"), keys.user_ref("ana")
    log.forgot(keys, "r0", ["m0"], until=NOON, user_id="ana")
    path = file_of(tmp_path)
    old = f'{{"receipt":"r1","memories":["{memory.hex()}"],"user":"{user.hex()}"}}\n'
    path.write_text(path.read_text() + old)
    log.forgot(keys, "r2", ["m0"], until=NOON, user_id="ana")
    missed, _ = heard(log, Mark())
    assert missed.memories == {memory: MissedMemory(until=None, renewable=False)}
    assert missed.users == {user: None}


@pytest.mark.parametrize("until", ["yesterday", "2026-03-01T12:00:00", ""])
def test_a_time_that_is_none_is_damage(tmp_path: Path, log: ForgottenLog, keys: TenantKeys, until: str) -> None:
    """It is not taken for a line without a time."""
    log.forgot(keys, "r0", ["m0"], until=NOON)
    path = file_of(tmp_path)
    path.write_text(path.read_text().replace(NOON.isoformat(), until))
    with pytest.raises(ConfigurationError, match="damaged at byte 0"):
        heard(log, Mark())


@pytest.mark.parametrize(
    ("forgets", "renewable"),
    [
        (["ended"], True),
        (["asked"], False),
        (["ended", "asked"], False),
        (["asked", "ended"], False),
        (["asked", "revived", "ended"], True),
        (["ended", "revived", "asked"], False),
    ],
)
def test_what_may_be_written_again(log: ForgottenLog, keys: TenantKeys, forgets: list[str], renewable: bool) -> None:
    """An id that a session ended may be, unless a person asked to forget it since it was last written."""
    for number, what in enumerate(forgets):
        if what == "revived":
            log.revived(keys, {keys.tombstone("m0"): b"tea"})
        else:
            log.forgot(keys, f"r{number}", ["m0"], until=NOON, renewable=what == "ended")
    assert heard(log, Mark())[0].memories == {keys.tombstone("m0"): MissedMemory(until=NOON, renewable=renewable)}
