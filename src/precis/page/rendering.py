"""Templates become HTML. What anybody wrote is text in it, never markup; nothing is fetched from another host."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

#: Where the page is, and so where its cookie is sent.
PATH = "/page"
_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
#: On every answer. Without a referrer of its own a form would have no Origin that says whose it is.
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": _CSP,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_KINDS = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
_STATIC = {
    file.name: file.read_bytes()
    for file in (files("precis.page") / "static").iterdir()
    if file.name.rpartition(".")[2] in _KINDS
}
#: Changes with any of the files, so that a browser may keep them.
_VERSION = hashlib.sha256(b"\0".join(_STATIC[name] for name in sorted(_STATIC))).hexdigest()[:12]
#: How long ago a memory was made, in words.
AGES = {"week": "last 7 days", "month": "8 to 30 days", "year": "31 to 365 days", "older": "older"}
#: What a summary is of, by its tier or its policy; and kinds of memories.
TIERS = {
    "cluster": "subject", "clusters": "subject", "day": "day", "week": "week", "month": "month", "archive": "archive",
    "view": "view", "views": "view", "conversation": "conversation", "conversations": "conversation",
}  # fmt: skip
TYPES = {
    "message": "message: said in a conversation", "semantic": "semantic: what is so",
    "episodic": "episodic: what happened",
}  # fmt: skip
#: What a view groups by.
FIELDS = {
    "user_id": "user", "namespace": "namespace", "session_id": "conversation", "memory_type": "kind of memory",
}  # fmt: skip
#: Parts that are named at the top.
PARTS = ("", "forget", "receipts", "plan", "work", "settings")


def link(place: str = "", **query: str | int | None) -> str:
    """The address of a part of the page; a parameter that is None is left out."""
    parameters = urlencode({name: value for name, value in query.items() if value is not None})
    return f"{PATH}/{place}" + (f"?{parameters}" if parameters else "")


def _asset(name: str) -> str:
    return f"{PATH}/static/{name}?v={_VERSION}"


def static(name: str) -> Response | None:
    """A stylesheet or a script; None where there is none of that name."""
    if name not in _STATIC:
        return None
    headers = {**HEADERS, "Cache-Control": "public, max-age=31536000, immutable"}
    return Response(_STATIC[name], media_type=_KINDS[name.rpartition(".")[2]], headers=headers)


def _moment(at: datetime | None) -> str:
    return f"{_day(at)}, {at.astimezone(UTC):%H:%M}" if at is not None else "never"


def _money(dollars: float) -> str:
    if 0 < dollars < 0.0001:
        return "under US$ 0.0001"
    return f"US$ {dollars:,.2f}" if not dollars or dollars >= 1 else f"US$ {dollars:.4f}"


def _day(at: date | None) -> str:
    if at is None:
        return "never"
    on = at.astimezone(UTC).date() if isinstance(at, datetime) else at
    return f"{on.day} {on:%B} {on.year}"


def growth(by_month: Mapping[date, int]) -> Sequence[tuple[str, int]]:
    """Months in words, and how many memories were made in each."""
    return [(f"{month:%B} {month.year}", number) for month, number in by_month.items()]


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


_templates = Environment(
    loader=PackageLoader("precis.page"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
    lstrip_blocks=True,
)  # fmt: skip
_templates.filters.update(moment=_moment, day=_day, money=_money, signed=datetime.fromisoformat)
_templates.globals.update(
    link=link,
    asset=_asset,
    counted=counted,
    growth=growth,
    ages=AGES,
    tiers=TIERS,
    types=TYPES,
    fields_of_views=FIELDS,
    parts=PARTS,
)


def html(template: str, status: int, **context: Any) -> Response:
    """A template filled in."""
    return HTMLResponse(_templates.get_template(template).render(**context), status)
