"""Object storage with the API of S3; credentials, region and endpoint are those of AWS's own variables and files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from precis.errors import ConfigurationError, StoreUnavailable
from precis.keys.elsewhere.objects import Stored

try:
    import boto3
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError, ClientError
except ModuleNotFoundError as error:
    raise ConfigurationError("S3 and AWS KMS need pip install 'precis-memory[aws]'") from error

#: Objects that are read at once.
AT_ONCE = 32
#: A write that is refused because of what lies there: another one was faster, or is under way.
_TAKEN = {"PreconditionFailed", "ConditionalRequestConflict", "412", "409"}
_ABSENT = {"NoSuchKey", "404"}


def code_of(error: BaseException | None) -> str:
    """What AWS calls an error; empty for any other."""
    return str(error.response["Error"]["Code"]) if isinstance(error, ClientError) else ""


def client(service: str) -> Any:
    """A client of this service of AWS that gives up soon: somebody waits. Raises StoreUnavailable."""
    config = Config(
        connect_timeout=3,
        read_timeout=10,
        max_pool_connections=AT_ONCE,
        retries={"mode": "standard", "max_attempts": 3},
    )
    with aws_errors(service):
        return boto3.client(service, config=config)


@contextmanager
def aws_errors(service: str) -> Iterator[None]:
    """Raise an error of AWS as one of ours with its code: its message may name what nobody who asks needs to know."""
    try:
        yield
    except ClientError as error:
        code = error.response["Error"]["Code"]
        raise StoreUnavailable(f"{service} refused ({code}): check credentials, names and rights") from error
    except BotoCoreError as error:
        raise StoreUnavailable(f"{service} cannot be asked ({type(error).__name__})") from error


class S3Objects:
    """The objects of a bucket under a prefix."""

    def __init__(self, s3: Any, bucket: str, prefix: str) -> None:
        self._s3 = s3
        self._bucket = bucket
        self._prefix = prefix

    @classmethod
    def at(cls, url: str) -> S3Objects:
        """s3://BUCKET or s3://BUCKET/PREFIX."""
        bucket, _, prefix = url.removeprefix("s3://").partition("/")
        if not bucket:
            raise ConfigurationError("s3://BUCKET/PREFIX: name a bucket")
        return cls(client("s3"), bucket, f"{prefix.strip('/')}/" if prefix.strip("/") else "")

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
            with aws_errors("s3"):
                # A bucket that had it once, and has it suspended, still has the old versions.
                return "Status" in self._s3.get_bucket_versioning(Bucket=self._bucket)
        except StoreUnavailable as error:
            if code_of(error.__cause__) == "NotImplemented":
                return False
            raise

    def read(self, name: str) -> Stored | None:
        """See Objects."""
        try:
            answer = self._s3.get_object(Bucket=self._bucket, Key=self._prefix + name)
            return Stored(body=answer["Body"].read(), version=answer["ETag"])
        except ClientError as error:
            if code_of(error) in _ABSENT:
                return None
            with aws_errors("s3"):
                raise
        except BotoCoreError:
            with aws_errors("s3"):
                raise

    def add(self, name: str, body: bytes) -> Stored | None:
        """See Objects."""
        return self._put(name, body, IfNoneMatch="*")

    def replace(self, name: str, body: bytes, *, version: str) -> Stored | None:
        """See Objects."""
        return self._put(name, body, IfMatch=version)

    def _put(self, name: str, body: bytes, **condition: str) -> Stored | None:
        try:
            answer = self._s3.put_object(Bucket=self._bucket, Key=self._prefix + name, Body=body, **condition)
        except ClientError as error:
            if code_of(error) not in _TAKEN | _ABSENT:
                with aws_errors("s3"):
                    raise
            # The answer to the first attempt may have been lost, and the second one met what the first had put there.
            lies = self.read(name)
            return lies if lies is not None and lies.body == body else None
        except BotoCoreError:
            with aws_errors("s3"):
                raise
        return Stored(body=body, version=answer["ETag"])

    def names(self, prefix: str, *, limit: int | None = None) -> Sequence[str]:
        """See Objects."""
        with aws_errors("s3"):
            return list(islice(self._names(prefix, limit), limit))

    def _names(self, prefix: str, limit: int | None) -> Iterator[str]:
        pages = self._s3.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket, Prefix=self._prefix + prefix, PaginationConfig={"PageSize": min(limit or 1_000, 1_000)}
        )
        for page in pages:
            yield from (item["Key"].removeprefix(self._prefix) for item in page.get("Contents", ()))
