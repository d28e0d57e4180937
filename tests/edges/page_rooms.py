"""A browser as far as HTTP goes: it keeps its cookie, reads forms off a page, and sends them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html.parser import HTMLParser

import httpx

#: What the address of another host looks like in HTML, in a stylesheet or in a script that fetches.
ELSEWHERE = re.compile(r"""(?:src|href|action|url\(|fetch\()\s*=?\s*["'(]?\s*(?:https?:)?//""")


class Forms(HTMLParser):
    """The hidden fields of the forms of a page, by what each form asks for."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, dict[str, str]] = {}
        self._form = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Forms, and what is in them."""
        values = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = values["action"]
            self.fields.setdefault(self._form, {})
        elif tag == "input" and values.get("type") == "hidden" and self._form:
            self.fields[self._form][values["name"]] = values["value"]

    def handle_endtag(self, tag: str) -> None:
        """The end of one."""
        if tag == "form":
            self._form = ""


def forms(page: str) -> dict[str, dict[str, str]]:
    """Of this page."""
    parser = Forms()
    parser.feed(page)
    return parser.fields


async def send(browser: httpx.AsyncClient, page: str, action: str, **fields: str) -> httpx.Response:
    """Fill in the form of a page that is sent to ``action``, and send it as a browser does."""
    own = {"Origin": str(browser.base_url).rstrip("/"), "Sec-Fetch-Site": "same-origin"}
    return await browser.post(action, data=forms(page)[action] | fields, headers=own)


@asynccontextmanager
async def browsing(url: str, key: str | None = None) -> AsyncIterator[httpx.AsyncClient]:
    """A browser, signed in where a key is given."""
    async with httpx.AsyncClient(base_url=url, timeout=60, follow_redirects=True) as browser:
        if key is not None:
            page = await browser.get("/")
            answer = await send(browser, page.text, "/page/sign-in", key=key)
            assert answer.status_code == 200
            assert "Sign out" in answer.text
        yield browser
