"""Sealed columns, and the API keys whose form and hash follow the same habits."""

from __future__ import annotations

import hmac
import traceback
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.errors import InvalidInput, Unauthorized, Undecryptable
from precis.keys import tenants as apikeys
from precis.keys.cipher import OVERHEAD_BYTES, Cipher, TenantFile, TenantKeys, framed, new_data_key

PLACE = {"tenant_id": "acme", "row_id": "m1", "column": "text"}
_cipher = Cipher(new_data_key())


@given(st.text(), st.text(), st.text(), st.text())
def test_text_comes_back(text: str, tenant_id: str, row_id: str, column: str) -> None:
    """Any text opens where it was sealed, and takes a fixed number of bytes more."""
    sealed = _cipher.seal(text, tenant_id=tenant_id, row_id=row_id, column=column)
    assert text == _cipher.open_text(sealed, tenant_id=tenant_id, row_id=row_id, column=column)
    assert len(text.encode()) + OVERHEAD_BYTES == len(sealed)


@given(st.binary())
def test_bytes_come_back(value: bytes) -> None:
    """Bytes are sealed as they are."""
    assert value == _cipher.open(_cipher.seal(value, **PLACE), **PLACE)


@given(st.tuples(*[st.text(max_size=3)] * 3), st.tuples(*[st.text(max_size=3)] * 3))
def test_opens_in_its_place_only(sealed_at: tuple[str, ...], opened_at: tuple[str, ...]) -> None:
    """A value moved to another place does not open, also if the names add up to the same text."""
    there, here = (dict(zip(PLACE, place, strict=True)) for place in (sealed_at, opened_at))
    sealed = _cipher.seal("a secret", **there)
    if sealed_at == opened_at:
        assert b"a secret" == _cipher.open(sealed, **here)
    else:
        with pytest.raises(Undecryptable):
            _cipher.open(sealed, **here)


@pytest.mark.parametrize("part", ["tenant_id", "row_id", "column"])
def test_each_part_of_the_place_binds(part: str) -> None:
    """Changing one part is enough, and the message names the place that was asked for."""
    sealed = _cipher.seal("a secret", **PLACE)
    with pytest.raises(Undecryptable, match="altered, sealed for another place, or under another key"):
        _cipher.open(sealed, **{**PLACE, part: "other"})


@given(st.integers(0, OVERHEAD_BYTES + 7), st.integers(1, 255))
def test_one_changed_byte_is_noticed(at: int, flip: int) -> None:
    """Layout byte, nonce, ciphertext and tag are all protected."""
    sealed = bytearray(_cipher.seal("a secret", **PLACE))
    sealed[at] ^= flip
    with pytest.raises(Undecryptable):
        _cipher.open(bytes(sealed), **PLACE)


@given(st.integers(0, OVERHEAD_BYTES + 7))
def test_a_cut_value_does_not_open(length: int) -> None:
    """A value that lost its end is an error, whatever is left of it."""
    with pytest.raises(Undecryptable):
        _cipher.open(_cipher.seal("a secret", **PLACE)[:length], **PLACE)


def test_another_key_does_not_open() -> None:
    """The key of another user opens nothing."""
    with pytest.raises(Undecryptable):
        Cipher(new_data_key()).open(_cipher.seal("a secret", **PLACE), **PLACE)


def test_the_same_text_is_never_sealed_alike() -> None:
    """Nobody sees from the database that two rows say the same."""
    assert 1000 == len({_cipher.seal("yes", **PLACE) for _ in range(1000)})


def test_half_a_surrogate_pair_is_refused_without_showing_the_text() -> None:
    """The refusal says where the character is, and neither it nor its traceback repeats the text."""
    with pytest.raises(InvalidInput, match="character 9") as caught:
        _cipher.seal("my secret\ud800", **PLACE)
    assert "text" == caught.value.field
    assert "my secret" not in str(caught.value)
    assert caught.value.__suppress_context__
    shown = "".join(traceback.format_exception_only(caught.value))
    assert "my secret" not in shown


@pytest.mark.parametrize("length", [0, 16, 31, 33])
def test_a_key_of_another_length_is_refused(length: int) -> None:
    """AES would take 128 bits; precis promises 256."""
    with pytest.raises(InvalidInput, match=f"32 bytes, not {length}"):
        Cipher(bytes(length))


@given(st.lists(st.text(max_size=4), max_size=4), st.lists(st.text(max_size=4), max_size=4))
def test_framing_is_unambiguous(one: list[str], other: list[str]) -> None:
    """Two sequences of fields frame alike only if they are the same."""
    assert (one == other) == (framed(*one) == framed(*other))


@given(st.text(), st.binary(min_size=1, max_size=200))
def test_a_keyed_hash_is_the_one_of_the_standard(word: str, secret: bytes) -> None:
    """A key of any length, also longer than a block of the hash, gives what HMAC-SHA-256 gives."""
    file = TenantFile(tenant_id="acme", versions={}, secrets=dict.fromkeys(TenantFile.new("acme").secrets, secret))
    keys, plain = TenantKeys("acme", lambda: file), word.encode("utf-8", "surrogatepass")
    assert keys.term(word) == int.from_bytes(hmac.digest(secret, plain, "sha256")[:8], "big", signed=True)
    assert keys.tombstone(word) == hmac.digest(secret, framed(word), "sha256")


@given(st.text(min_size=1, max_size=60))
def test_an_api_key_says_its_tenant(tenant_id: str) -> None:
    """Every tenant id survives being written into a key, and the key matches its stored hash."""
    made = apikeys.new_key(tenant_id)
    claimed = apikeys.parse(made.secret)
    assert (tenant_id, made.key_id) == (claimed.tenant_id, claimed.key_id)
    assert apikeys.matches(claimed, made.digest)


@given(st.text(min_size=1, max_size=60))
def test_an_api_key_stands_in_a_path(tenant_id: str) -> None:
    """Only letters, digits and the unreserved marks of a URL: it works as /t/<key>/ without escaping."""
    assert set(apikeys.new_key(tenant_id).secret) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-~")


def test_a_plain_tenant_id_can_be_read_in_the_key() -> None:
    """An operator sees which tenant a key belongs to, also when the id has underscores."""
    assert apikeys.new_key("my_team-2").secret.startswith("pk_my_team-2_")


@given(st.text(max_size=120) | st.from_regex(r"\Apk_~[a-z2-7]{1,9}_[0-9a-f]{16}_[a-z2-7]{52}\Z"))
def test_no_text_crashes_the_parser(text: str) -> None:
    """Whatever a client sends is a claim or Unauthorized."""
    try:
        claimed = apikeys.parse(text)
    except Unauthorized:
        return
    assert text.startswith("pk_")
    assert apikeys.digest(text) == claimed.digest


@pytest.mark.parametrize("change", [lambda s: s + "a", lambda s: s[:-1], lambda s: s + "\n", str.upper, lambda _: ""])
def test_a_misspelt_key_is_unauthorized(change: Callable[[str], str]) -> None:
    """Longer, shorter, with a line end, in capitals, empty: none is a key."""
    with pytest.raises(Unauthorized):
        apikeys.parse(change(apikeys.new_key("acme").secret))


def test_a_guessed_key_does_not_match() -> None:
    """Tenant and key id are not secret: with them and another random part nothing opens."""
    made = apikeys.new_key("acme")
    ending = apikeys.new_key("acme").secret.rsplit("_", 1)[1]
    guess = apikeys.parse(made.secret.rsplit("_", 1)[0] + "_" + ending)
    assert made.key_id == guess.key_id
    assert not apikeys.matches(guess, made.digest)


def test_a_key_never_shows_itself() -> None:
    """A key that ends in a log line by accident shows its id only."""
    made = apikeys.new_key("acme")
    assert made.secret not in repr(made)
    assert made.key_id in repr(made)


@pytest.mark.parametrize("tenant_id", ["", "x " * 500])
def test_a_tenant_that_no_key_can_name_is_refused(tenant_id: str) -> None:
    """An empty tenant id, or one too long for a header, is an error when the key is made."""
    with pytest.raises(InvalidInput):
        apikeys.new_key(tenant_id)
