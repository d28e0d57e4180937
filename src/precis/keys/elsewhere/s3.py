"""Object storage with the API of S3; credentials, region and endpoint are those of AWS's own variables and files."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from itertools import islice
from typing import Any, TypeVar

from precis.errors import ConfigurationError, StoreUnavailable
from precis.keys.elsewhere.objects import CONNECT_SECONDS, NEEDS_AWS, READ_SECONDS, Service, Stored, away_words

try:
    import boto3
    import botocore.session
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError, ClientError
except ModuleNotFoundError as error:
    raise ConfigurationError(NEEDS_AWS) from error

T = TypeVar("T")
#: Objects that are read at once.
AT_ONCE = 32
#: A write that is refused because of what lies there: another one was faster, or is under way.
_TAKEN = {"PreconditionFailed", "ConditionalRequestConflict", "412", "409"}
_ABSENT = {"NoSuchKey", "404"}


def code_of(error: BaseException | None) -> str:
    """What AWS calls an error; empty for any other."""
    return str(error.response["Error"]["Code"]) if isinstance(error, ClientError) else ""


@cache
def _session() -> boto3.Session:
    """Of this process: what it reads of AWS's own descriptions takes a while."""
    for logger in ("botocore", "urllib3"):
        # At debug level they write down whole answers of KMS, with keys in the clear, and headers with credentials.
        logging.getLogger(logger).setLevel(max(logging.INFO, logging.getLogger(logger).level))
    session = botocore.session.get_session()
    # A client gives up soon: somebody waits. So does who gets credentials for it from another service of AWS.
    session.set_default_client_config(
        Config(
            connect_timeout=CONNECT_SECONDS,
            read_timeout=READ_SECONDS,
            max_pool_connections=AT_ONCE,
            retries={"mode": "standard", "total_max_attempts": 3},
        )
    )
    return boto3.Session(botocore_session=session)


def client(name: str) -> Any:
    """A client of this service of AWS. Raises StoreUnavailable."""
    with aws_errors(name, "the region"):
        return _session().client(name)


class Aws:
    """A service of AWS that is asked for a few seconds; ``setting`` says where it is named what is asked for."""

    def __init__(self, name: str, api: Any, setting: str, probe: Callable[[Any], object]) -> None:
        self._name, self._api, self._setting = name, api, setting
        self._service = Service(name, lambda: probe(api), away=(BotoCoreError,), words=partial(_away, name))

    def ask(self, call: Callable[[Any], T]) -> T:
        """What the call of its client answers. Raises StoreUnavailable with the code of an error as its cause."""
        with aws_errors(self._name, self._setting):
            return self._service.ask(lambda: call(self._api))


#: What to do about errors that are the caller's settings, by their names.
_ADVICE = {
    "NoCredentialsError": "AWS's client finds no credentials: give the machine a role, or set AWS_ACCESS_KEY_ID and "
    "AWS_SECRET_ACCESS_KEY",
    "NoRegionError": "set AWS_DEFAULT_REGION",
    "EndpointConnectionError": "check the network, AWS_DEFAULT_REGION and AWS_ENDPOINT_URL",
}


def _away(name: str, error: BaseException) -> str:
    """What is told where a service could not be asked, and what to do where that is known."""
    kind = type(error).__name__
    return away_words(name, error) + (f": {_ADVICE[kind]}" if kind in _ADVICE else "")


@contextmanager
def aws_errors(name: str, setting: str) -> Iterator[None]:
    """Raise an error of AWS as one of ours with its code: its message may name what nobody who asks needs to know."""
    try:
        yield
    except ClientError as error:
        code = error.response["Error"]["Code"]
        raise StoreUnavailable(f"{name} refused ({code}): check {setting}, credentials and rights") from error
    except BotoCoreError as error:
        raise StoreUnavailable(_away(name, error)) from error


class S3Objects:
    """The objects of a bucket under a prefix."""

    def __init__(self, s3: Any, bucket: str, prefix: str, setting: str) -> None:
        self._bucket = bucket
        self._prefix = prefix
        self._s3 = Aws("s3", s3, setting, lambda api: api.list_objects_v2(Bucket=bucket, MaxKeys=1))

    @classmethod
    def at(cls, url: str, setting: str) -> S3Objects:
        """s3://BUCKET or s3://BUCKET/PREFIX, as this setting names it."""
        bucket, _, prefix = url.removeprefix("s3://").partition("/")
        if not bucket:
            raise ConfigurationError(f"{setting}: s3://BUCKET/PREFIX, name a bucket")
        return cls(client("s3"), bucket, f"{prefix.strip('/')}/" if prefix.strip("/") else "", setting)

    @property
    def where(self) -> str:
        """As in the settings."""
        return f"s3://{self._bucket}/{self._prefix}"

    def check(self, *, erases: bool) -> None:
        """Whether it answers, and keeps no history where it must not."""
        self.names("", limit=1)
        if erases and self._keeps_history():
            raise ConfigurationError(
                f"the bucket of {self.where} keeps old versions, and a key that is erased has to be gone: "
                "put the keys into a bucket that never had versioning"
            )

    def _keeps_history(self) -> bool:
        try:
            # A bucket that had it once, and has it suspended, still has the old versions.
            return "Status" in self._s3.ask(lambda api: api.get_bucket_versioning(Bucket=self._bucket))
        except StoreUnavailable as error:
            if code_of(error.__cause__) == "NotImplemented":
                return False
            raise

    def read(self, name: str) -> Stored | None:
        """See Objects."""

        def read(api: Any) -> Stored:
            answer = api.get_object(Bucket=self._bucket, Key=self._prefix + name)
            return Stored(body=answer["Body"].read(), version=answer["ETag"])

        try:
            return self._s3.ask(read)
        except StoreUnavailable as error:
            if code_of(error.__cause__) in _ABSENT:
                return None
            raise

    def add(self, name: str, body: bytes) -> Stored | None:
        """See Objects."""
        return self._put(name, body, IfNoneMatch="*")

    def replace(self, name: str, body: bytes, *, version: str) -> Stored | None:
        """See Objects."""
        return self._put(name, body, IfMatch=version)

    def _put(self, name: str, body: bytes, **condition: str) -> Stored | None:
        try:
            answer = self._s3.ask(
                lambda api: api.put_object(Bucket=self._bucket, Key=self._prefix + name, Body=body, **condition)
            )
        except StoreUnavailable as error:
            if code_of(error.__cause__) not in _TAKEN | _ABSENT:
                raise
            # The answer to the first attempt may have been lost, and the second one met what the first had put there.
            lies = self.read(name)
            return lies if lies is not None and lies.body == body else None
        return Stored(body=body, version=answer["ETag"])

    def names(self, prefix: str, *, limit: int | None = None) -> Sequence[str]:
        """See Objects."""
        return list(islice(self._names(prefix, limit), limit))

    def _names(self, prefix: str, limit: int | None) -> Iterator[str]:
        page = {"Bucket": self._bucket, "Prefix": self._prefix + prefix, "MaxKeys": min(limit or 1_000, 1_000)}
        while True:
            answer = self._s3.ask(lambda api: api.list_objects_v2(**page))
            yield from (item["Key"].removeprefix(self._prefix) for item in answer.get("Contents", ()))
            if not answer.get("IsTruncated"):
                return
            page["ContinuationToken"] = answer["NextContinuationToken"]
