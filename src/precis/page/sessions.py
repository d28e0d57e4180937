"""Who looks at the page: a signed cookie, which names a key by its id and never holds the key.

A cookie is sent to the page alone (its path), and only by pages of this server (SameSite). What a form sends carries a
token besides, which is of the session and of nobody else.
"""

from __future__ import annotations

import base64
import hmac
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import orjson

from precis.makers import Clock

#: Where the page is, and so where its cookie is sent.
PATH = "/page"
COOKIE = "precis_page"
#: How long a session lasts after its key was entered.
LASTS = timedelta(hours=12)
#: Sessions that ended before their time, remembered at once: the oldest is forgotten first.
_MOST_ENDED = 10_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """A browser that looks at the page."""

    #: Random, and another one after each sign-in.
    nonce: str
    expires_at: datetime
    #: Whose key was entered, and its id; None before that, and where there are no keys.
    tenant_id: str | None = None
    key_id: str | None = None


class Sessions:
    """Writes and reads cookies. Any server with the same keys folder reads them; each knows who signed out of it."""

    def __init__(self, secret: bytes, clock: Clock) -> None:
        self._secret = secret
        self._clock = clock
        self._ended: dict[str, datetime] = {}

    def begin(self, *, tenant_id: str | None = None, key_id: str | None = None) -> Session:
        """A new one."""
        # Seconds: that is what a cookie holds.
        expires_at = (self._clock() + LASTS).replace(microsecond=0)
        return Session(nonce=secrets.token_urlsafe(16), expires_at=expires_at, tenant_id=tenant_id, key_id=key_id)

    def end(self, session: Session) -> None:
        """It is read no more, whoever has kept its cookie."""
        while len(self._ended) >= _MOST_ENDED:
            del self._ended[next(iter(self._ended))]
        self._ended[session.nonce] = session.expires_at

    def written(self, session: Session) -> str:
        """The value of its cookie."""
        fields = [session.nonce, int(session.expires_at.timestamp()), session.tenant_id, session.key_id]
        payload = base64.urlsafe_b64encode(orjson.dumps(fields)).decode()
        return f"{payload}.{self._signature('cookie', payload)}"

    def read(self, value: str | None) -> Session | None:
        """And back; None for what was not written here, is over, or has ended."""
        payload, _, signature = (value or "").partition(".")
        if not _are_equal(signature, self._signature("cookie", payload)):
            return None
        nonce, expires, tenant_id, key_id = orjson.loads(base64.urlsafe_b64decode(payload))
        expires_at = datetime.fromtimestamp(expires, UTC)
        if expires_at <= self._clock() or nonce in self._ended:
            return None
        return Session(nonce=nonce, expires_at=expires_at, tenant_id=tenant_id, key_id=key_id)

    def token(self, session: Session) -> str:
        """What every form of this session sends along."""
        return self._signature("form", session.nonce)

    def is_token(self, session: Session, token: str) -> bool:
        """Whether a form was of this session."""
        return _are_equal(token, self.token(session))

    def _signature(self, purpose: str, payload: str) -> str:
        # A cookie that somebody made up may hold anything.
        message = f"{purpose}:{payload}".encode("utf-8", "surrogatepass")
        return base64.urlsafe_b64encode(hmac.digest(self._secret, message, "sha256")).decode().rstrip("=")


def _are_equal(text: str, expected: str) -> bool:
    """Takes equally long wherever they differ."""
    return hmac.compare_digest(text.encode("utf-8", "surrogatepass"), expected.encode())
