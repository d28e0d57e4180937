"""The page of those who run it: plan and money, work, and what may be changed while the server runs."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from html import escape

import httpx
import pytest
import pytest_asyncio
from page_rooms import browsing, send

from precis.app import App
from precis.bootstrap import Runtime
from precis.errors import Unauthorized
from precis.ids import new_id

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def browser(url: str, key: str) -> AsyncIterator[httpx.AsyncClient]:
    """Signed in as the test's tenant."""
    async with browsing(url, key) as signed_in:
        yield signed_in


async def test_what_is_stale_is_named_with_its_price_and_made_by_a_button(browser: httpx.AsyncClient, app: App) -> None:
    """Before anything is spent; afterwards nothing is stale."""
    await app.memories.add(
        [{"user_id": "bo", "type": "fact", "key": "kiln", "text": f"The kiln took {n} pots."} for n in (12, 14, 19)],
        summarize="deferred",
    )
    page = await browser.get("/page/plan")
    assert page.status_code == 200
    assert "A new summary of 3 memories: <bdi>kiln</bdi>" in page.text
    assert 'href="/page/person?user=bo"><bdi>bo</bdi></a> · 3 members, no summary yet' in page.text
    first = await browser.get("/page/")
    assert "<strong>3 memories</strong> of 1 person" in first.text
    assert ">1 summary waits to be made anew.</a>" in first.text
    assert re.search(r"1 call, [\d,]+ tokens in", page.text)
    assert "No model was called" in page.text
    done = await send(browser, page.text, "/page/plan/refresh")
    assert "It was made anew" in done.text
    assert "every summary is current" in done.text
    assert "Every summary is current." in (await browser.get("/page/")).text
    assert len((await app.summaries.list(user_id="bo")).rows) == 1
    assert "every summary is current" in (await browser.get("/page/plan", params={"user": "<b>"})).text


async def test_work_shows_jobs_timetables_views_and_health(browser: httpx.AsyncClient, app: App) -> None:
    """Of each state, with a link to the person; a view with what it says."""
    await app.memories.add(
        [{"user_id": "bo", "type": "fact", "key": "kiln", "text": f"The kiln took {n} pots."} for n in (12, 14, 19)],
        summarize="deferred",
    )
    view = await app.views.create(name="<b>all of a person</b>", group_by=["user_id"])
    await app.views.run_partition(view.id, {"user_id": "bo"})
    page = await browser.get("/page/work")
    assert page.status_code == 200
    assert "Waiting 1" in page.text
    assert 'href="/page/person?user=bo"' in page.text
    assert "offline, without a model" in page.text
    wrong = (await browser.get("/readyz")).json()["wrong"]
    assert [line for line in wrong if escape(line) not in page.text] == []
    assert ("All is well" in page.text) is (wrong == [])
    assert "archive" in page.text
    assert "&lt;b&gt;all of a person" in page.text
    assert (await browser.get("/page/work", params={"state": "failed"})).text.count("<p>None.</p>") == 1
    shown = await browser.get("/page/view", params={"id": view.id})
    assert "1 result" in shown.text
    assert "3 of 3 memories" in shown.text
    assert (await send(browser, shown.text, "/page/view/run")).status_code == 200
    assert (await browser.get("/page/view", params={"id": "x"})).status_code == 404


async def test_zones_are_set_and_taken_back(browser: httpx.AsyncClient, app: App) -> None:
    """Of a user; a zone that is none is refused."""
    page = await browser.get("/page/settings")
    done = await send(browser, page.text, "/page/settings/zone", user="bo", zone="Europe/Lisbon")
    assert "The zone is set" in done.text
    assert {"bo": "Europe/Lisbon"} == await app.rollups.zones()
    assert (await send(browser, page.text, "/page/settings/zone", user="bo", zone="Atlantis")).status_code == 422
    await send(browser, page.text, "/page/settings/zone", user="bo", zone="")
    assert {} == await app.rollups.zones()


async def test_views_are_declared_and_taken_away(browser: httpx.AsyncClient, app: App) -> None:
    """With what was ticked."""
    page = await browser.get("/page/settings")
    fields = {"name": "<i>mine</i>", "user_id": "yes", "days": "30"}
    done = await send(browser, page.text, "/page/settings/views/create", **fields)
    assert "&lt;i&gt;mine" in done.text
    (view,) = await app.views.list()
    assert (("user_id",), 30, False) == (view.group_by, view.window_days, view.continuous)
    assert (await send(browser, page.text, "/page/settings/views/create", days="many")).status_code == 422
    await send(browser, done.text, "/page/settings/views/delete")
    assert [] == list(await app.views.list())


async def test_keys_are_made_shown_once_and_revoked(browser: httpx.AsyncClient, app: App, url: str) -> None:
    """The secret opens the page of this tenant, and nothing once it is revoked."""
    page = await browser.get("/page/settings")
    made = await send(browser, page.text, "/page/settings/keys/create", name="<b>phone</b>")
    (secret,) = re.findall(r'<code class="secret">([^<]+)</code>', made.text)
    assert secret not in (await browser.get("/page/settings")).text
    async with browsing(url, secret) as phone:
        assert (await phone.get("/page/settings")).text.count("you are signed in with it") == 1
    phone_key = next(each for each in await app.keys.list() if each.name == "<b>phone</b>")
    done = await send(browser, made.text, "/page/settings/keys/revoke", key=phone_key.key_id)
    assert "The key opens nothing from now on" in done.text
    with pytest.raises(Unauthorized):
        await app.parts.store.tenants.holder_of(secret)
    assert (await send(browser, made.text, "/page/settings/keys/create", name=" ")).status_code == 422


async def test_what_a_key_made_ends_with_it(browser: httpx.AsyncClient, app: App, url: str) -> None:
    """A key that got about makes another, and that one a third: all end with the first, and the owner's stays."""
    page = await browser.get("/page/settings")
    secrets = re.findall(
        r'<code class="secret">([^<]+)</code>',
        (await send(browser, page.text, "/page/settings/keys/create", name="first")).text,
    )
    for name in ("second", "third"):
        async with browsing(url, secrets[-1]) as session:
            shown = await session.get("/page/settings")
            made = await send(session, shown.text, "/page/settings/keys/create", name=name)
            secrets += re.findall(r'<code class="secret">([^<]+)</code>', made.text)
    own, *made_keys = await app.keys.list()
    assert [own.key_id, *(key.key_id for key in made_keys[:2])] == [key.made_with for key in made_keys]
    assert sorted(key.key_id for key in made_keys[1:]) == sorted(await app.keys.revoke(made_keys[0].key_id))
    for secret in secrets:
        with pytest.raises(Unauthorized):
            await app.parts.store.tenants.holder_of(secret)
    with pytest.raises(Unauthorized):
        await app.keys.create("fourth", made_with=made_keys[2].key_id)
    assert [own.key_id] == [key.key_id for key in await app.keys.list() if key.revoked_at is None]


async def test_another_tenant_changes_nothing_of_it(
    browser: httpx.AsyncClient, app: App, url: str, runtime: Runtime
) -> None:
    """Neither a key nor a view nor a group, by their ids."""
    view = await app.views.create(name="mine", group_by=["user_id"])
    (own,) = await app.keys.list()
    await app.memories.add(
        [{"user_id": "bo", "type": "fact", "key": "kiln", "text": f"The kiln took {n} pots."} for n in (12, 14, 19)],
        summarize="deferred",
    )
    (job,) = [job for job in await app.jobs.list() if job.policy == "clusters"]
    other = await runtime.store.tenants.create_key(f"t-{new_id()}", name="other", now=runtime.engine.clock())
    async with browsing(url, other) as stranger:
        page = (await stranger.get("/page/settings")).text
        assert "mine" not in page
        assert own.key_id not in page

        async def forge(action: str, **fields: str) -> int:
            return (await send(stranger, page.replace("/page/settings/zone", action), action, **fields)).status_code

        assert await forge("/page/settings/keys/revoke", key=own.key_id) == 404
        assert await forge("/page/settings/views/delete", id=view.id) == 404
        assert await forge("/page/view/run", id=view.id) == 404
        assert await forge("/page/plan/refresh", group=job.group_id) in {404, 409}
        assert await forge("/page/work/retry", group=job.group_id) == 404
    assert [view.id] == [each.id for each in await app.views.list()]
    assert (await app.keys.list())[0].revoked_at is None
    assert [] == list((await app.summaries.list(user_id="bo")).rows)
