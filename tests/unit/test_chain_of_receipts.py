"""An export of receipts is verified by its lines and the public key alone, and what is wrong with it is named."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest

from precis.engine.forgetting import External, Receipt, TouchedSummary
from precis.errors import InvalidInput
from precis.keys.chain import account_of
from precis.keys.cipher import TenantKeys
from precis.keys.keyring import Keyring
from precis.keys.receipts import Signer, canonical, hash_of, verify

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def keys(tmp_path: Path) -> TenantKeys:
    """The keys of one tenant."""
    return Keyring(tmp_path / "keys").open_tenant("acme")


def chain(keys: TenantKeys, size: int) -> list[bytes]:
    """An export of so many receipts."""
    signer, documents = Signer(keys), list[dict[str, Any]]()
    for number in range(1, size + 1):
        receipt = Receipt(
            id=f"r{number}", at=NOON + timedelta(hours=number), forgotten=(f"note of Oskar {number}",),
            summaries=(TouchedSummary(id="week", state="redacted", statements_removed=2),), statements_removed=2,
            external=(External(where="chroma", state="pending"),),
        )  # fmt: skip
        account = account_of(receipt, keys, by="Zoë's key")
        previous = hash_of(documents[-1]) if documents else None
        documents.append(signer.sign({**account, "number": number, "previous": previous}))
    last = documents[-1] if documents else None
    return [canonical(document) + b"\n" for document in (*documents, signer.head(size, last, NOON))]


def faults(lines: list[bytes], keys: TenantKeys) -> list[str]:
    """What is wrong, in words."""
    return [fault.what for fault in verify(lines, Signer(keys).public_key).faults]


@pytest.mark.parametrize("size", [0, 1, 2, 9])
def test_an_export_holds(keys: TenantKeys, size: int) -> None:
    """With the key given, and with the one that the head names; no id is in it, and not the secret either."""
    lines = chain(keys, size)
    verdict = verify(lines, Signer(keys).public_key)
    assert (verdict.faults, verdict.receipts, verdict.is_given) == ((), size, True)
    assert (verify(lines).holds, verify(lines).is_given) == (True, False)
    assert verify(b"".join(lines).split(b"\n")).holds
    assert b"Oskar" not in b"".join(lines)


def test_any_changed_byte_is_named(keys: TenantKeys) -> None:
    """Each place of the export in turn, to another byte: something is found, and at that receipt."""
    lines = chain(keys, 3)
    for place, line in enumerate(lines):
        for at in range(0, len(line) - 1, 3):
            changed = [*lines]
            changed[place] = line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]
            named = " ".join(faults(changed, keys))
            expected = "head" if place == 3 else f"receipt {place + 1}"
            assert expected in named or f"line {place + 1} " in named, (place, at, named)


def test_a_missing_receipt_is_named(keys: TenantKeys) -> None:
    """In the middle, at the beginning, and at the end."""
    lines = chain(keys, 6)
    assert faults([*lines[:2], *lines[3:]], keys) == ["receipt 3 is missing"]
    assert faults(lines[2:], keys) == ["receipt 1 to 2 are missing"]
    assert faults([*lines[:4], lines[-1]], keys) == ["receipt 5 to 6 are missing"]
    assert faults(lines[:-1], keys) == ["the head is missing: the end may have been cut off"]
    assert faults([], keys) == ["the head is missing: the end may have been cut off"]


@pytest.mark.parametrize("lines", [[b'{"id": "m1", "text": "I row."}'] * 40, [b"id,text", b"m1,I row."], [b"[]"]])
def test_another_file_is_told_once(keys: TenantKeys, lines: list[bytes]) -> None:
    """A file of memories or a table was not changed: it never was an export. One receipt among them is one."""
    (fault,) = faults(lines, keys)
    assert "no line of it is a receipt" in fault
    assert len(faults([*lines, *chain(keys, 1)], keys)) == len(lines)


def test_an_older_end_is_told_by_its_time(keys: TenantKeys) -> None:
    """A head and what it ends is whole: who keeps a later export sees which one is longer."""
    assert verify(chain(keys, 4)).receipts == 4


def test_another_order_is_named(keys: TenantKeys) -> None:
    """Two that changed places, one that is there twice, one behind the head."""
    lines = chain(keys, 4)
    assert faults([lines[0], lines[2], lines[1], *lines[3:]], keys) == [
        "receipt 2 (r2) stands behind receipt 3: the order was changed"
    ]
    assert faults([*lines[:2], *lines[1:]], keys) == ["receipt 2 (r2) is there twice"]
    assert faults([*lines[:3], lines[4], lines[3]], keys) == ["receipt 4 (r4) stands behind the head"]


def test_receipts_of_two_chains_do_not_mix(keys: TenantKeys, tmp_path: Path) -> None:
    """One signed by another key; and one signed by the same key over another past."""
    lines, foreign = chain(keys, 3), chain(Keyring(tmp_path / "other").open_tenant("acme"), 3)
    named = faults([lines[0], foreign[1], *lines[2:]], keys)
    assert named == ["receipt 2 (r2) does not bear its signature: it was changed, or signed by another key"]
    other = orjson.loads(lines[1])
    del other["signature"]
    forged = canonical(Signer(keys).sign({**other, "by": None})) + b"\n"
    assert faults([lines[0], forged, *lines[2:]], keys) == [
        "receipt 3 (r3) does not follow receipt 2 as it stands here"
    ]


def test_a_wrong_key_verifies_nothing(keys: TenantKeys, tmp_path: Path) -> None:
    """Neither somebody else's nor a text that is none."""
    lines = chain(keys, 2)
    other = Signer(Keyring(tmp_path / "other").open_tenant("acme")).public_key
    assert len(verify(lines, other).faults) == 3
    for text in ("", "abc", "é" * 44, Signer(keys).public_key[:-1]):
        with pytest.raises(InvalidInput, match="not a public key"):
            verify(lines, text)


def test_a_number_without_end_costs_nothing(keys: TenantKeys) -> None:
    """It is not signed, so nobody counts up to it."""
    lines = chain(keys, 2)
    document = {**orjson.loads(lines[0]), "number": 10**18}
    assert "receipt 1 is missing" in faults([canonical(document) + b"\n", *lines[1:]], keys)


def test_the_key_outlives_a_rotation(tmp_path: Path) -> None:
    """A user is forgotten, the master key replaced: what was signed before is verified as before."""
    keyring = Keyring(tmp_path / "keys")
    before = Signer(keyring.open_tenant("acme")).public_key
    keyring.begin_rotation("acme")
    keyring.rotate_master()
    assert Signer(keyring.open_tenant("acme")).public_key == before
    assert Signer(keyring.open_tenant("other")).public_key != before
