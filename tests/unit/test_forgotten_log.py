"""The forgotten-log: what a database with an older mark has not heard of, and nothing before it."""

from __future__ import annotations

from pathlib import Path

import pytest

from precis.errors import ConfigurationError
from precis.keys.forgotten_log import ForgottenLog, Mark, Missed
from precis.keys.keyring import Keyring, TenantKeys


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
        log.forgot(keys, f"r{number}", [f"m{number}"])
    first, mark = heard(log, Mark(), known=("r1",))
    assert first.receipts == ["r0", "r2", "r3", "r4"]
    assert first.memories == {keys.tombstone(f"m{number}"): set() for number in (0, 2, 3, 4)}
    assert heard(log, mark) == (Missed(), mark)
    log.forgot(keys, "r5", ["m5"], user_id="ana")
    later, end = heard(log, mark)
    assert (later.receipts, later.users) == (["r5"], {keys.user_ref("ana")})
    assert end.offset > mark.offset


def test_what_was_written_again_is_known_by_its_content(log: ForgottenLog, keys: TenantKeys) -> None:
    """Every content since the last forget of the id; one of before it counts no more."""
    first, second, third = (keys.tombstone(name) for name in ("m0", "m1", "m2"))
    log.forgot(keys, "r0", ["m0", "m1", "m2"])
    log.revived(keys, {first: b"tea", second: b"tea"})
    log.revived(keys, {first: b"mate"})
    log.forgot(keys, "r1", ["m1"])
    missed, _ = heard(log, Mark(), limit=1)
    assert (missed.memories, missed.receipts) == (
        {first: {b"tea", b"mate"}, second: set(), third: set()}, ["r0", "r1"],
    )  # fmt: skip


def test_a_revival_that_names_no_content_is_not_relied_on(tmp_path: Path, log: ForgottenLog, keys: TenantKeys) -> None:
    """Such lines were written before it was sure that the write would be made: what they name stays forgotten."""
    log.forgot(keys, "r0", ["m0"])
    path = file_of(tmp_path)
    path.write_text(path.read_text() + f'{{"revived":["{keys.tombstone("m0").hex()}"]}}\n')
    assert heard(log, Mark())[0].memories == {keys.tombstone("m0"): set()}


@pytest.mark.parametrize("lines", [1, 40])
def test_a_mark_of_another_file_counts_for_nothing(
    tmp_path: Path, log: ForgottenLog, keys: TenantKeys, lines: int
) -> None:
    """Shorter or of other lines: all of it is read."""
    for number in range(20):
        log.forgot(keys, f"r{number}", [f"m{number}"])
    _, mark = heard(log, Mark())
    file_of(tmp_path).unlink()
    for number in range(lines):
        log.forgot(keys, f"s{number}", [f"m{number}"])
    missed, _ = heard(log, mark)
    assert missed.receipts == [f"s{number}" for number in range(lines)]


def test_a_torn_line_is_not_read_and_not_marked(tmp_path: Path, log: ForgottenLog, keys: TenantKeys) -> None:
    """The next forget takes its place, and is read after the mark."""
    log.forgot(keys, "r0", ["m0"])
    path = file_of(tmp_path)
    whole = path.stat().st_size
    path.write_bytes(path.read_bytes() + b'{"receipt":"x","mem')
    missed, mark = heard(log, Mark())
    assert (missed.receipts, mark.offset) == (["r0"], whole)
    log.forgot(keys, "r1", ["m1"])
    assert heard(log, mark)[0].receipts == ["r1"]


def test_a_damaged_line_is_refused_where_it_is_read(tmp_path: Path, log: ForgottenLog, keys: TenantKeys) -> None:
    """With its place."""
    log.forgot(keys, "r0", ["m0"])
    _, mark = heard(log, Mark())
    path = file_of(tmp_path)
    path.write_bytes(path.read_bytes() + b"{broken\n")
    for since in (mark, Mark()):
        with pytest.raises(ConfigurationError, match=f"damaged at byte {mark.offset}; restore the file"):
            heard(log, since)
