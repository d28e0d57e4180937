"""Who is let in to the page, and what no other page can make a browser do."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from page_rooms import ELSEWHERE, browsing, forms, send

from precis.app import App
from precis.bootstrap import Runtime, open_runtime
from precis.ids import new_id
from precis.keys.tenants import DEFAULT_TENANT
from precis.page.visit import LASTS, Sessions
from precis.rest.server import build, listening
from precis.settings import Settings
from rooms import with_database

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def browser(url: str, key: str) -> AsyncIterator[httpx.AsyncClient]:
    """Signed in as the test's tenant."""
    async with browsing(url, key) as signed_in:
        yield signed_in


async def test_a_key_is_asked_for_and_not_kept(url: str, key: str, app: App) -> None:
    """The cookie is signed, for the page and no script, and holds nothing of the key."""
    await app.memories.add([{"text": "The kiln is hot.", "user_id": "bo"}])
    async with browsing(url) as browser:
        page = await browser.get("/")
        assert "Enter one of yours" in page.text
        answer = await send(browser, page.text, "/page/sign-in", key=key)
        assert 'href="/page/person?user=bo"' in answer.text or "<bdi>bo</bdi>" in answer.text
        (cookie,) = browser.cookies.jar
        secret = key.rpartition("_")[2]
        assert secret not in (cookie.value or "")
        signed_in = answer.history[0].headers["set-cookie"]
        assert {"HttpOnly", "Path=/page", "SameSite=strict"} <= set(signed_in.split("; "))


async def test_the_cookie_opens_nothing_but_the_page(browser: httpx.AsyncClient, url: str) -> None:
    """Not the JSON API, not even where a program sends it there."""
    (cookie,) = browser.cookies.jar
    async with httpx.AsyncClient(base_url=url) as program:
        for path in ("/v1/memories", "/v1/users", "/mcp"):
            answer = await program.get(path, headers={"Cookie": f"{cookie.name}={cookie.value}"})
            assert answer.status_code == 401, path


async def test_a_bad_key_is_refused_without_being_repeated(url: str, key: str) -> None:
    """The form stands again; nobody is signed in."""
    bad = key[:-1] + ("a" if key[-1] != "a" else "b")
    async with browsing(url) as browser:
        answer = await send(browser, (await browser.get("/")).text, "/page/sign-in", key=bad)
        assert answer.status_code == 401
        assert bad not in answer.text
        assert "not known here" in answer.text
        assert (await browser.get("/page/")).url.path == "/page/sign-in"


async def test_signing_out_ends_the_session(browser: httpx.AsyncClient) -> None:
    """Also for whoever kept the cookie."""
    (cookie,) = browser.cookies.jar
    kept = f"{cookie.name}={cookie.value}"
    await send(browser, (await browser.get("/page/")).text, "/page/sign-out")
    assert (await browser.get("/page/")).url.path == "/page/sign-in"
    browser.cookies.clear()
    assert (await browser.get("/page/", headers={"Cookie": kept})).url.path == "/page/sign-in"


async def test_a_revoked_key_ends_its_sessions(runtime: Runtime, tenant: str, key: str) -> None:
    """Within the seconds for which a key is believed; here the server has not seen it before."""
    tenants, now = runtime.store.tenants, runtime.engine.clock()
    async with listening(runtime) as url, browsing(url, key) as browser:
        (holder,) = await tenants.keys(tenant)
        await tenants.revoke_key(tenant, holder.key_id, now=now)
        async with listening(runtime) as again:
            (cookie,) = browser.cookies.jar
            headers = {"Cookie": f"{cookie.name}={cookie.value}"}
            async with httpx.AsyncClient(base_url=again, headers=headers) as other:
                assert (await other.get("/page/")).headers["location"] == "/page/sign-in"


async def test_a_cookie_is_read_as_it_was_written_and_not_otherwise() -> None:
    """Another secret, another letter, another time: nobody."""
    now = datetime(2025, 3, 1, tzinfo=UTC)
    sessions = Sessions(b"k" * 32, lambda: now)
    session = sessions.begin(tenant_id="t", key_id="0123")
    cookie = sessions.written(session)
    assert session == sessions.read(cookie)
    assert Sessions(b"j" * 32, lambda: now).read(cookie) is None
    for bad in (None, "", ".", "x", cookie[1:], cookie[:-1], cookie.replace(".", ".."), "é" + cookie, "\ud800.x"):
        assert sessions.read(bad) is None, bad
    assert Sessions(b"k" * 32, lambda: now + LASTS).read(cookie) is None
    assert not sessions.is_token(sessions.begin(), sessions.token(session))
    sessions.end(session)
    assert sessions.read(cookie) is None


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
     {"Sec-Fetch-Site": "same-site"}],
)  # fmt: skip
async def test_a_form_of_another_site_is_refused(browser: httpx.AsyncClient, headers: dict[str, str]) -> None:
    """Even with cookie and token: whose page it is, is said by the browser."""
    fields = forms((await browser.get("/page/")).text)["/page/sign-out"]
    assert (await browser.post("/page/sign-out", data=fields, headers=headers)).status_code == 403
    assert (await browser.get("/page/")).url.path == "/page/"


@pytest.mark.parametrize("token", ["", "x", "é"])
async def test_a_form_without_the_token_does_nothing(browser: httpx.AsyncClient, token: str) -> None:
    """Nor with one of somebody else."""
    answer = await browser.post("/page/sign-out", data={"csrf": token})
    assert answer.status_code == 403
    assert "Nothing was done" in answer.text
    assert (await browser.get("/page/")).url.path == "/page/"


async def test_a_form_with_the_token_of_another_session_does_nothing(
    browser: httpx.AsyncClient, url: str, key: str
) -> None:
    """A token is of one session."""
    async with browsing(url, key) as other:
        token = forms((await other.get("/page/")).text)["/page/sign-out"]["csrf"]
    assert (await browser.post("/page/sign-out", data={"csrf": token})).status_code == 403


async def test_a_form_that_is_none_or_too_large_is_refused(browser: httpx.AsyncClient) -> None:
    """As what it is."""
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    for body in (b"\xff\xfe", b"a=1&" * 300, b"a" * (1 << 21)):
        assert (await browser.post("/page/sign-out", content=body, headers=headers)).status_code == 422


async def test_nothing_comes_from_another_host(browser: httpx.AsyncClient, url: str) -> None:
    """Neither named in what is sent nor allowed by the policy that is sent with it."""
    page = await browser.get("/page/")
    policy = dict(part.strip().split(" ", 1) for part in page.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert {policy[part] for part in ("script-src", "style-src", "connect-src", "form-action")} == {"'self'"}
    assert "no-store" in page.headers["cache-control"]
    assets = [part.split('"')[0] for part in page.text.split('="')[1:] if part.startswith("/page/static/")]
    assert len(assets) == 4
    for asset in [await browser.get(path) for path in assets]:
        assert asset.status_code == 200
        assert "immutable" in asset.headers["cache-control"]
        assert not ELSEWHERE.search(asset.text)
    assert not ELSEWHERE.search(page.text)
    assert " style=" not in page.text
    assert " on" not in "".join(part for part in page.text.split("<") if "=" in part).replace(" on ", "")
    assert (await browser.get("/page/static/../person.py")).status_code == 404


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def keyless(rooms_folder: Path) -> AsyncIterator[Runtime]:
    """A precis without any key."""
    async with open_runtime(Settings(data_dir=with_database(rooms_folder / f"paged-{new_id()}"))) as running:
        await running.app(DEFAULT_TENANT).memories.add([{"text": "The gate is green.", "user_id": "ivo"}])
        yield running


async def test_without_keys_this_computer_is_served(keyless: Runtime) -> None:
    """No sign-in and no sign-out; a form needs its token all the same, and a foreign host sees nothing."""
    async with listening(keyless) as url, browsing(url) as browser:
        page = await browser.get("/")
        assert "<bdi>ivo</bdi>" in page.text
        assert "Sign out" not in page.text
        assert (await browser.get("/page/sign-in")).url.path == "/page/"
        assert (await browser.post("/page/sign-out")).status_code == 403
        assert (await browser.get("/page/", headers={"Host": "evil.example"})).status_code == 421


async def test_the_page_can_be_left_out(keyless: Runtime) -> None:
    """Then nothing answers there."""
    settings = keyless.settings.model_copy(update={"page": False})
    runtime = Runtime(**{**keyless.__dict__, "settings": settings})
    async with listening(runtime) as url, httpx.AsyncClient(base_url=url) as browser:
        for path in ("/", "/page", "/page/", "/page/static/page.css"):
            assert (await browser.get(path)).status_code == 404
        assert (await browser.get("/v1/users")).status_code == 200


async def test_where_others_reach_the_server_nobody_is_let_in_without_a_key(keyless: Runtime) -> None:
    """Not even while there is no key at all; a HEAD tries none."""
    transport = httpx.ASGITransport(build(keyless, loopback=False))
    async with httpx.AsyncClient(transport=transport, base_url="http://memory.test") as browser:
        answer = await browser.get("/page/")
        assert (303, "/page/sign-in") == (answer.status_code, answer.headers["location"])
        assert (await browser.head("/page/sign-in")).status_code == 200
        assert "Enter one of yours" in (await browser.get("/page/sign-in")).text


async def test_a_part_that_a_script_asks_for_after_the_session_leads_to_the_sign_in(url: str) -> None:
    """A script would follow a redirect by itself, and put the sign-in where the part was to be."""
    async with httpx.AsyncClient(base_url=url) as browser:
        answer = await browser.get("/page/context?user=bo&q=tea", headers={"HX-Request": "true"})
        assert (answer.status_code, answer.headers["hx-redirect"]) == (200, "/page/sign-in")
        assert answer.text == ""


async def test_where_nothing_is_a_page_says_so(browser: httpx.AsyncClient) -> None:
    """Also where only a form leads; whoever comes back to the answer to a form sends nothing a second time."""
    for path in ("/page/nowhere", "/page/settings/keys/create"):
        answer = await browser.get(path)
        assert answer.status_code == 404
        assert "<h1>That did not work</h1>" in answer.text
    page = (await browser.get("/page/settings")).text
    assert "data-instead" not in page
    answer = await send(browser, page, "/page/settings/keys/create", name="tablet")
    assert 'data-instead="/page/settings"' in answer.text
