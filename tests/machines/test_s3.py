"""Keys and the forgotten-log in S3, wrapped by KMS: what every such place promises, and what S3 needs besides."""

from __future__ import annotations

from pathlib import Path

import boto3
import pytest
from shared_places import *  # noqa: F403 - the tests of every place
from shared_places import Place, ring_of
from structlog.testing import capture_logs

from precis.errors import ConfigurationError, StoreUnavailable
from precis.ids import new_id
from precis.keys.opening import open_checked, open_objects
from precis.settings import Settings
from precis.watch.outside import Finding, State, check_keys


@pytest.fixture
def place(bucket: str, kms_key: str) -> Place:
    """A bucket."""
    s3, url = boto3.client("s3"), f"s3://{bucket}/precis"
    return Place(
        settings={"keys_url": url, "forgotten_url": url, "key_provider": "aws-kms", "kms_key": kms_key},
        remove=lambda name: s3.delete_object(Bucket=bucket, Key=f"precis/{name}"),
        put=lambda name, body: s3.put_object(Bucket=bucket, Key=f"precis/{name}", Body=body),
    )


def test_a_bucket_that_keeps_versions_takes_no_keys(bucket: str, place: Place) -> None:
    """An erased key would stay there, also where versioning was suspended since. The log may have it."""
    s3 = boto3.client("s3")
    for status in ("Enabled", "Suspended"):
        s3.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": status})
        with pytest.raises(ConfigurationError, match="keeps old versions"):
            ring_of(place).check()
        place.objects.check(erases=False)


def test_a_write_whose_answer_was_lost_counts_as_made(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client sends it again by itself, and the second attempt meets what the first had put there."""
    assert place.objects.add("lost/1", b"mine") is not None
    assert place.objects.add("lost/1", b"mine") is not None
    assert place.objects.add("lost/1", b"of another") is None


def test_what_aws_refuses_is_told_without_names(place: Place, bucket: str, kms_key: str) -> None:
    """No bucket, another key, nobody there."""
    with pytest.raises(StoreUnavailable, match=r"NoSuchBucket.*PRECIS_FORGOTTEN_URL") as refusal:
        open_objects("s3://precis-nowhere/x", "PRECIS_FORGOTTEN_URL").names("")
    assert "nowhere" not in str(refusal.value)
    with pytest.raises(StoreUnavailable, match="NotFoundException"):
        ring_of(place, kms_key="alias/none").open_tenant("acme")
    with pytest.raises(ConfigurationError, match="PRECIS_KMS_KEY"):
        ring_of(place, kms_key=None)


def test_the_doctor_tries_the_key_that_is_set(place: Place, kms_key: str, tmp_path: Path) -> None:
    """Not only that what lies there opens: one that is not there is broken, another than the one in use is named."""

    def looked_at(**more: str) -> Finding:
        return check_keys(Settings(data_dir=tmp_path, **{**place.settings, **more}), has_rows=True)

    ring_of(place).open_tenant("acme")
    assert looked_at().state is State.OK
    kms = boto3.client("kms")
    alias = f"alias/{new_id()}"
    kms.create_alias(AliasName=alias, TargetKeyId=kms_key)
    assert looked_at(kms_key=alias).state is State.OK
    nowhere = looked_at(kms_key="alias/nope")
    assert (nowhere.state, "NotFoundException" in nowhere.message) == (State.FAIL, True)
    assert "PRECIS_KMS_KEY" in nowhere.message
    with pytest.raises(StoreUnavailable, match="NotFoundException"):
        open_checked(Settings(data_dir=tmp_path, **{**place.settings, "kms_key": "alias/nope"}))
    other = kms.create_key()["KeyMetadata"]["Arn"]
    doubt = looked_at(kms_key=other)
    assert (doubt.state, kms_key in doubt.message) == (State.WARN, True)
    with capture_logs() as lines:
        open_checked(Settings(data_dir=tmp_path, **{**place.settings, "kms_key": other}))
    assert [line["event"] for line in lines] == ["keys_wrapped_by_another"]
    ring_of(place, kms_key=other).rotate_master()
    assert looked_at(kms_key=other).state is State.OK


def test_another_key_wraps_what_is_written_next(place: Place) -> None:
    """And opens what the first one wrapped: so the keys move from one to the other."""
    seed = ring_of(place).open_tenant("acme").signing_seed()
    other = boto3.client("kms").create_key()["KeyMetadata"]["Arn"]
    ring_of(place, kms_key=other).rotate_master()
    assert ring_of(place, kms_key=other).open_tenant("acme").signing_seed() == seed


def test_keys_that_nobody_wrapped_are_refused(place: Place) -> None:
    """Of a KMS that does not know them."""
    ring_of(place).open_tenant("acme")
    (body,) = place.copy("keys/").values()
    place.put("keys/acme.json", body.replace(b'"wrapped": "', b'"wrapped": "AAAA'))
    with pytest.raises((ConfigurationError, StoreUnavailable)):
        ring_of(place).open_tenant("acme")
