"""The key folder: what it keeps, what it erases, and what survives processes that die or race."""

from __future__ import annotations

import json
import multiprocessing
import os
import stat
import time
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precis.errors import ConfigurationError, PrecisError, Undecryptable
from precis.keys.cipher import TenantKeys, decode_key, encode_key, new_data_key
from precis.keys.keyring import Keyring

spawn = multiprocessing.get_context("spawn")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A key folder that does not exist yet."""
    return tmp_path / "keys"


@pytest.fixture
def keys(folder: Path) -> TenantKeys:
    """The keys of one tenant."""
    return Keyring(folder).open_tenant("acme")


def _identity(keys: TenantKeys) -> tuple[object, ...]:
    return (
        keys.term("w"),
        keys.fingerprint("f"),
        keys.tombstone("m"),
        keys.user_ref("u"),
        keys.current_version,
    )


# --- wrapping ---


def test_a_data_key_comes_back(keys: TenantKeys) -> None:
    """What is wrapped is unwrapped, and the wrapped form does not hold the key."""
    data_key, ada = new_data_key(), keys.user_ref("ada")
    version, wrapped = keys.wrap(ada, data_key)
    assert data_key == keys.unwrap(ada, version, wrapped)
    assert data_key not in wrapped


def test_a_data_key_is_bound_to_its_user_and_tenant(folder: Path, keys: TenantKeys) -> None:
    """A wrapped key copied into another user's row, or another tenant's, does not open."""
    version, wrapped = keys.wrap(keys.user_ref("ada"), new_data_key())
    with pytest.raises(Undecryptable):
        keys.unwrap(keys.user_ref("bob"), version, wrapped)
    with pytest.raises(Undecryptable):
        Keyring(folder).open_tenant("other").unwrap(keys.user_ref("ada"), version, wrapped)


def test_every_tenant_has_its_own_keys(folder: Path) -> None:
    """The same word, field, id and user give other values in another tenant."""
    ring = Keyring(folder)
    for one, other in zip(_identity(ring.open_tenant("a"))[:4], _identity(ring.open_tenant("b"))[:4], strict=True):
        assert one != other


def test_keyed_values_outlive_a_restart_and_rotations(folder: Path, keys: TenantKeys) -> None:
    """Terms, fingerprints, tombstones and references are compared with older ones: nothing changes them."""
    before = _identity(keys)[:4]
    ring = Keyring(folder)
    ring.finish_rotation("acme", keep=ring.begin_rotation("acme"))
    ring.rotate_master()
    assert before == _identity(Keyring(folder).open_tenant("acme"))[:4]


def test_the_tenants_own_key_is_no_users(keys: TenantKeys) -> None:
    """No user id, not even an empty one, names the tenant's own data key."""
    assert 3 == len({keys.user_ref(None), keys.user_ref(""), keys.user_ref("tenant")})


def test_terms_fit_a_bigint(keys: TenantKeys) -> None:
    """A thousand words give a thousand different signed 64-bit numbers, some of them negative."""
    terms = keys.terms([f"word{n}" for n in range(1000)])
    assert 1000 == len(set(terms))
    assert all(-(2**63) <= term < 2**63 for term in terms)
    assert min(terms) < 0 < max(terms)
    assert terms[7] == keys.term("word7")


def test_fingerprints_do_not_run_fields_together(keys: TenantKeys) -> None:
    """Moving a letter from one field to the next is a change."""
    assert 4 == len({keys.fingerprint(*fields) for fields in (("ab", "c"), ("a", "bc"), ("abc",), ("abc", ""))})
    assert 16 == len(keys.fingerprint("ab", b"c"))


@settings(max_examples=20, deadline=None)
@given(tenant_ids=st.sets(st.text(min_size=1, max_size=80), min_size=2, max_size=4))
def test_any_tenant_id_has_one_file_in_the_folder(
    tmp_path_factory: pytest.TempPathFactory, tenant_ids: set[str]
) -> None:
    """Slashes, dots and capitals in a tenant id neither leave the folder nor meet another tenant's file."""
    folder = tmp_path_factory.mktemp("ring") / "keys"
    ring = Keyring(folder)
    made = {tenant_id: _identity(ring.open_tenant(tenant_id)) for tenant_id in tenant_ids}
    assert len(tenant_ids) == len(list((folder / "tenants").iterdir()))
    assert {".lock", "master.key", "tenants"} == {path.name for path in folder.iterdir()}
    again = Keyring(folder)
    assert made == {tenant_id: _identity(again.open_tenant(tenant_id, create=False)) for tenant_id in tenant_ids}


# --- files ---


def test_only_the_owner_reads_the_files(folder: Path, keys: TenantKeys) -> None:
    """Folders are 0700 and files 0600, also after a rotation has replaced them, whatever the umask."""
    before = os.umask(0)
    try:
        ring = Keyring(folder)
        ring.finish_rotation("acme", keep=ring.begin_rotation("acme"))
        ring.rotate_master()
    finally:
        os.umask(before)
    for path in [folder, *folder.rglob("*")]:
        assert (0o700 if path.is_dir() else 0o600) == stat.S_IMODE(path.stat().st_mode), path
    assert "acme" == keys.tenant_id


def test_no_key_lies_in_plain_in_a_tenant_file(folder: Path, keys: TenantKeys) -> None:
    """Without the master key a tenant file opens nothing."""
    keys.wrap(keys.user_ref("ada"), new_data_key())
    (folder / "master.key").write_text(encode_key(new_data_key()))
    with pytest.raises(ConfigurationError, match="another master key"):
        Keyring(folder).open_tenant("acme")


def test_a_readable_master_key_is_refused(folder: Path, keys: TenantKeys) -> None:
    """A copy restored with loose permissions stops the start, with the command that repairs it."""
    assert 1 == keys.current_version
    (folder / "master.key").chmod(0o644)
    with pytest.raises(ConfigurationError, match="chmod 600"):
        Keyring(folder).open_tenant("acme")


def test_a_lost_master_key_is_not_replaced_by_a_new_one(folder: Path, keys: TenantKeys) -> None:
    """While tenants' keys lie there, a missing master key is an error that says what to do."""
    assert 1 == keys.current_version
    (folder / "master.key").unlink()
    with pytest.raises(ConfigurationError, match=r"restore it, or set PRECIS_MASTER_KEY"):
        Keyring(folder)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\xfa", b"short"])
def test_a_damaged_master_key_is_named(folder: Path, keys: TenantKeys, content: bytes) -> None:
    """By its file, whatever lies in it."""
    assert keys.current_version == 1
    (folder / "master.key").write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"master\.key is not one"):
        Keyring(folder).open_tenant("acme", create=False)


def test_a_lost_tenant_file_is_a_clear_error(folder: Path, keys: TenantKeys) -> None:
    """Running processes and new ones say which file is missing; none makes a new key in its place."""
    version, wrapped = keys.wrap(keys.user_ref("ada"), new_data_key())
    (folder / "tenants" / "acme.json").unlink()
    with pytest.raises(ConfigurationError, match=r"acme\.json of tenant 'acme' is missing"):
        keys.unwrap(keys.user_ref("ada"), version, wrapped)
    with pytest.raises(ConfigurationError, match="restore it from a copy"):
        Keyring(folder).open_tenant("acme", create=False)
    assert not (folder / "tenants" / "acme.json").exists()


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b'"x"', b"\xff\xfe", bytes(400)])
def test_a_damaged_tenant_file_is_a_clear_error(folder: Path, keys: TenantKeys, content: bytes) -> None:
    """Rubbish in a key file is reported as that, with its path."""
    assert 1 == keys.current_version
    (folder / "tenants" / "acme.json").write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"acme\.json is damaged"):
        Keyring(folder).open_tenant("acme")


def test_an_altered_tenant_file_does_not_open(folder: Path, keys: TenantKeys) -> None:
    """A version under another number is noticed: an erased key cannot be smuggled back as a new one."""
    assert 1 == keys.current_version
    path = folder / "tenants" / "acme.json"
    document = json.loads(path.read_bytes())
    document["versions"]["2"] = document["versions"].pop("1")
    path.write_text(json.dumps(document))
    with pytest.raises(Undecryptable):
        Keyring(folder).open_tenant("acme")


def test_a_renamed_tenant_file_is_noticed(folder: Path, keys: TenantKeys) -> None:
    """One tenant's keys are never served as another's."""
    assert 1 == keys.current_version
    (folder / "tenants" / "acme.json").rename(folder / "tenants" / "other.json")
    with pytest.raises(ConfigurationError, match="keys of tenant 'acme', not of 'other'"):
        Keyring(folder).open_tenant("other")


def test_a_folder_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    """A file where the folder should be is a matter of the settings, not a traceback of the file system."""
    (tmp_path / "keys").write_text("")
    with pytest.raises(ConfigurationError, match="cannot be used"):
        Keyring(tmp_path / "keys")


@pytest.mark.parametrize("text", ["", "short", "é" * 44, encode_key(bytes(31)), encode_key(bytes(32))[:-1], "*" * 44])
def test_a_master_key_that_is_none_is_refused_without_repeating_it(text: str) -> None:
    """The message says what a master key looks like; the text may be nearly one, so it is not shown."""
    with pytest.raises(ConfigurationError, match="44 characters of base64url") as caught:
        decode_key(text)
    assert not text or text not in str(caught.value)


def test_a_master_key_may_end_in_a_line_end() -> None:
    """Files and environment variables often bring one."""
    key = new_data_key()
    assert key == decode_key(encode_key(key) + "\n")


# --- rotation ---


def test_old_wrappings_stay_readable_until_the_rotation_is_finished(folder: Path, keys: TenantKeys) -> None:
    """Between begin and finish both versions work, and new wrappings take the new one."""
    ring, data_key, ada = Keyring(folder), new_data_key(), keys.user_ref("ada")
    old, wrapped_before = keys.wrap(ada, data_key)
    new = ring.begin_rotation("acme")
    version, wrapped_after = keys.wrap(ada, data_key)
    assert (old + 1, old + 1) == (new, version)
    assert data_key == keys.unwrap(ada, old, wrapped_before) == keys.unwrap(ada, new, wrapped_after)


def test_an_erased_version_opens_nothing_in_any_process(folder: Path, keys: TenantKeys) -> None:
    """The forgotten user's key is gone for who rotated, who had the file open, and who comes later."""
    ring, bob, ada = Keyring(folder), keys.user_ref("bob"), keys.user_ref("ada")
    forgotten, stays = keys.wrap(ada, new_data_key()), new_data_key()
    _, wrapped = keys.wrap(bob, stays)
    new = ring.begin_rotation("acme")
    version, wrapped_again = keys.wrap(bob, keys.unwrap(bob, 1, wrapped))
    assert (1,) == ring.finish_rotation("acme", keep=new)
    for reader in (keys, ring.open_tenant("acme"), Keyring(folder).open_tenant("acme")):
        assert stays == reader.unwrap(bob, version, wrapped_again)
        with pytest.raises(Undecryptable, match="version 1 of the key of tenant 'acme' is not in its key file"):
            reader.unwrap(ada, *forgotten)


def test_the_replaced_file_is_overwritten(folder: Path, keys: TenantKeys) -> None:
    """Who holds the old file open sees zeros where the erased version was."""
    ring = Keyring(folder)
    assert 2 == ring.begin_rotation("acme")
    with (folder / "tenants" / "acme.json").open("rb") as old:
        assert b'"1"' in old.read()
        ring.finish_rotation("acme", keep=2)
        old.seek(0)
        assert {0} == set(old.read())
    assert 2 == keys.current_version


def test_finishing_spares_a_newer_rotation(folder: Path, keys: TenantKeys) -> None:
    """Rotations may overlap: the first to finish does not erase what the second will commit under."""
    ring = Keyring(folder)
    first, second = ring.begin_rotation("acme"), ring.begin_rotation("acme")
    wrapped = keys.wrap(keys.user_ref("ada"), new_data_key())
    assert (1,) == ring.finish_rotation("acme", keep=first)
    assert 32 == len(keys.unwrap(keys.user_ref("ada"), *wrapped))
    assert (first,) == ring.finish_rotation("acme", keep=second)


def test_finishing_with_an_unknown_version_erases_nothing(folder: Path, keys: TenantKeys) -> None:
    """A mistaken number must not cost the tenant its texts."""
    wrapped = keys.wrap(keys.user_ref("ada"), new_data_key())
    with pytest.raises(ConfigurationError, match="no key version 9: nothing was erased"):
        Keyring(folder).finish_rotation("acme", keep=9)
    assert 32 == len(keys.unwrap(keys.user_ref("ada"), *wrapped))


def test_finishing_again_after_a_crash(folder: Path, keys: TenantKeys) -> None:
    """What an interrupted rotation left is erased by whoever comes; a version that is gone by then is no error."""
    ring, ada = Keyring(folder), keys.user_ref("ada")
    wrapped = dict([keys.wrap(ada, bytes(32))])
    for _ in range(2):
        ring.begin_rotation("acme")
        wrapped.update([keys.wrap(ada, bytes(32))])
    assert (1, 2) == Keyring(folder).finish_rotation("acme", keep=3)
    for keep in (2, 3):
        assert () == Keyring(folder).finish_rotation("acme", keep=keep)
    assert bytes(32) == keys.unwrap(ada, 3, wrapped[3])
    for version in (1, 2):
        with pytest.raises(Undecryptable):
            keys.unwrap(ada, version, wrapped[version])


def test_a_replaced_file_has_another_stamp(folder: Path, keys: TenantKeys) -> None:
    """Also where it is replaced faster than the file system's clock ticks: nobody goes on with an erased version."""
    ring, stamps = Keyring(folder), [keys.stamp]
    for _ in range(40):
        ring.finish_rotation("acme", keep=ring.begin_rotation("acme"))
        stamps.append(keys.stamp)
    times = [stamp[-1] for stamp in stamps if stamp is not None]
    assert sorted(set(times)) == times
    assert 41 == len(times)


# --- the master key ---


def test_rotating_the_master_key_touches_no_wrapped_data_key(folder: Path, keys: TenantKeys) -> None:
    """Rows stay as they are, running readers go on, and the old master key opens nothing any more."""
    old_master, wrapped = (folder / "master.key").read_text(), keys.wrap(keys.user_ref("ada"), bytes(32))
    new_master = Keyring(folder).rotate_master()
    assert bytes(32) == keys.unwrap(keys.user_ref("ada"), *wrapped)
    assert bytes(32) == Keyring(folder).open_tenant("acme").unwrap(keys.user_ref("ada"), *wrapped)
    assert encode_key(new_master) == (folder / "master.key").read_text() != old_master
    with pytest.raises(ConfigurationError, match="another master key"):
        Keyring(folder, decode_key(old_master)).open_tenant("acme")


def test_a_given_master_key_is_never_written(folder: Path) -> None:
    """With the master key from outside, the folder alone opens nothing, also after a rotation."""
    first, second = new_data_key(), new_data_key()
    ring = Keyring(folder, first)
    wrapped = ring.open_tenant("acme").wrap(b"ada", bytes(32))
    assert second == ring.rotate_master(second)
    assert bytes(32) == ring.open_tenant("acme").unwrap(b"ada", *wrapped)
    assert bytes(32) == Keyring(folder, second).open_tenant("acme").unwrap(b"ada", *wrapped)
    assert {".lock", "tenants"} == {path.name for path in folder.iterdir()}


def test_a_process_with_an_outdated_master_key_makes_no_tenant(folder: Path) -> None:
    """Its file would be lost at the next start, so it is refused at once."""
    outdated, current = new_data_key(), new_data_key()
    late = Keyring(folder, outdated)
    early = Keyring(folder, outdated)
    early.open_tenant("acme")
    early.rotate_master(current)
    with pytest.raises(ConfigurationError, match="another master key"):
        late.open_tenant("new")
    assert ["acme.json"] == [path.name for path in (folder / "tenants").iterdir()]


def test_an_interrupted_rotation_of_a_given_master_key_goes_on(folder: Path) -> None:
    """Called again with the same two keys it finishes, wherever it stopped."""
    old, new = new_data_key(), new_data_key()
    ring = Keyring(folder, old)
    made = {name: _identity(ring.open_tenant(name)) for name in ("a", "b")}
    unrotated = (folder / "tenants" / "b.json").read_bytes()
    ring.rotate_master(new)
    (folder / "tenants" / "b.json").write_bytes(unrotated)
    Keyring(folder, old).rotate_master(new)
    again = Keyring(folder, new)
    assert made == {name: _identity(again.open_tenant(name, create=False)) for name in made}


def test_a_damaged_file_stops_a_master_rotation_before_it_begins(folder: Path, keys: TenantKeys) -> None:
    """Nothing is half done because of one file: the other tenants work on under the old master key."""
    (folder / "tenants" / "zzz.json").write_text("{")
    with pytest.raises(ConfigurationError, match=r"zzz\.json is damaged"):
        Keyring(folder).rotate_master()
    assert 2 == Keyring(folder).begin_rotation("acme")
    assert 2 == keys.current_version


@pytest.mark.parametrize("master", [b"", bytes(16), bytes(33)])
def test_a_master_key_of_another_length_is_refused(folder: Path, keys: TenantKeys, master: bytes) -> None:
    """Neither at the opening nor in a rotation, where it would be written first."""
    with pytest.raises(ConfigurationError, match="32 random bytes"):
        Keyring(folder, master)
    with pytest.raises(ConfigurationError, match="32 random bytes"):
        Keyring(folder).rotate_master(master)
    assert 1 == keys.current_version


# --- several processes ---


def _open_together(folder: Path, barrier: Barrier, results: multiprocessing.Queue[object]) -> None:
    barrier.wait(30)
    try:
        results.put(_identity(Keyring(folder).open_tenant("acme")))
    except PrecisError as error:
        results.put(error)


def test_processes_that_make_a_tenant_at_once_get_the_same_keys(folder: Path) -> None:
    """The first one makes the master key and the tenant's; the others read them."""
    barrier, results = spawn.Barrier(3), spawn.Queue()
    processes = [spawn.Process(target=_open_together, args=(folder, barrier, results)) for _ in range(3)]
    for process in processes:
        process.start()
    seen = {results.get(timeout=30) for _ in processes}
    for process in processes:
        process.join(30)
    assert {_identity(Keyring(folder).open_tenant("acme", create=False))} == seen


def _rotate_for_ever(folder: Path, rows: Path) -> None:
    """Rotates as the store does, with a file for the database: begin, wrap again, commit, finish."""
    ring = Keyring(folder)
    keys = ring.open_tenant("acme")
    while True:
        version, wrapped = json.loads(rows.read_text())
        data_key = keys.unwrap(b"ada", version, bytes.fromhex(wrapped))
        new = ring.begin_rotation("acme")
        version, sealed = keys.wrap(b"ada", data_key)
        uncommitted = rows.with_suffix(".new")
        uncommitted.write_text(json.dumps([version, sealed.hex()]))
        uncommitted.replace(rows)
        ring.finish_rotation("acme", keep=new)
        ring.rotate_master()


def test_killed_rotations_lose_no_committed_key(folder: Path, tmp_path: Path) -> None:
    """Whatever a kill -9 interrupts, the committed row opens, other tenants too; leftovers are collected."""
    rows, ring = tmp_path / "rows.json", Keyring(folder)
    keys, other = ring.open_tenant("acme"), _identity(ring.open_tenant("other"))
    data_key = new_data_key()
    version, wrapped = keys.wrap(b"ada", data_key)
    rows.write_text(json.dumps([version, wrapped.hex()]))
    for pause in (0.0, 0.011, 0.023, 0.041):
        before = rows.stat().st_ino
        process = spawn.Process(target=_rotate_for_ever, args=(folder, rows))
        process.start()
        while rows.stat().st_ino == before and process.is_alive():
            time.sleep(0.001)
        time.sleep(pause)
        process.kill()
        process.join(30)
        version, stored = json.loads(rows.read_text())
        restarted = Keyring(folder)
        for reader in (restarted.open_tenant("acme", create=False), keys):
            assert data_key == reader.unwrap(b"ada", version, bytes.fromhex(stored))
        assert other == _identity(restarted.open_tenant("other", create=False))
        ring.finish_rotation("acme", keep=version)
        document = json.loads((folder / "tenants" / "acme.json").read_bytes())
        assert version == min(map(int, document["versions"]))
    assert version > 1


def test_keys_are_kept_until_their_file_is_replaced(folder: Path, tmp_path: Path) -> None:
    """A write asks for them again and again; a rotation, another deployment's file and a lost one are noticed."""
    ring, other = Keyring(folder), Keyring(tmp_path / "others")
    before = ring.open_tenant("acme")
    assert ring.open_tenant("acme") is before
    Keyring(folder).begin_rotation("acme")
    rotated = ring.open_tenant("acme")
    assert (2, _identity(before)[:4]) == (rotated.current_version, _identity(rotated)[:4])
    other.open_tenant("acme")
    for name in ("master.key", "tenants/acme.json"):
        (folder / name).write_bytes((other.folder / name).read_bytes())
    assert _identity(other.open_tenant("acme")) == _identity(ring.open_tenant("acme"))
    (folder / "tenants" / "acme.json").unlink()
    with pytest.raises(ConfigurationError):
        ring.open_tenant("acme", create=False)
