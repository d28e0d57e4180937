"""Forgetting from the page: said in words, shown, confirmed, certified and looked for."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio
from page_rooms import browsing, send

from precis.app import App
from precis.bootstrap import Runtime
from precis.ids import new_id

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def browser(url: str, key: str, app: App) -> AsyncIterator[httpx.AsyncClient]:
    """Signed in as the test's tenant, of which two people remember something of Quill."""
    await app.memories.add([
        {"id": f"q{at}", "user_id": "ines", "type": "fact", "key": "Quill", "text": text}
        for at, text in enumerate((
            "Quill plays the bassoon <b>badly</b>.", "Quill owns a zeppelin.", "Quill was born in Tartu.",
            "Quill and Odile bake rye bread.",
        ))
    ])  # fmt: skip
    await app.memories.add([
        {"id": "z0", "user_id": "ines", "text": "The gate is green."},
        {"id": "y0", "user_id": "ivo", "text": "Quill sings."},
    ])  # fmt: skip
    async with browsing(url, key) as signed_in:
        yield signed_in


async def preview(browser: httpx.AsyncClient, what: str, user: str = "ines") -> httpx.Response:
    """What the page shows for a request."""
    page = await browser.get("/page/forget")
    return await send(browser, page.text, "/page/forget/preview", user=user, what=what)


async def test_a_preview_forgets_nothing(browser: httpx.AsyncClient, app: App) -> None:
    """It shows what goes, as text, and what leaves the summaries."""
    shown = await preview(browser, "everything about Quill")
    assert shown.status_code == 200
    assert "Quill plays the bassoon &lt;b&gt;badly" in shown.text
    assert "says no more" in shown.text
    assert "Forget this: 4 memories" in shown.text
    assert 'href="/page/receipts">Receipts</a>' in shown.text, "the way to the other parts"
    assert "The gate is green" not in shown.text
    assert len(await app.memories.get_many(["q0", "q1", "q2", "y0", "z0"])) == 5


async def test_a_row_that_is_kept_stays(browser: httpx.AsyncClient, app: App) -> None:
    """Each row of a preview has a box; what is ticked to stay stays, and the rest goes."""
    shown = await preview(browser, "everything about Quill")
    boxes = re.findall(r'<input type="checkbox" form="confirm" id="([^"]+)" name="\1"', shown.text)
    assert ["keep.q0", "keep.q1", "keep.q2", "keep.q3"] == sorted(boxes)
    done = await send(browser, shown.text, "/page/forget/confirm", **{"keep.q1": "yes", "keep.q3": "yes"})
    assert done.status_code == 200
    rows = (await app.memories.list(user_id="ines")).rows
    left = {memory.id: memory.text for memory in rows if memory.id.startswith("q")}
    assert {"q1": "Quill owns a zeppelin.", "q3": "Quill and Odile bake rye bread."} == left


async def test_what_was_shown_is_forgotten_once_it_is_confirmed(browser: httpx.AsyncClient, app: App) -> None:
    """The receipt is signed and in the chain; somebody else's memory of the same name stays; twice is refused."""
    shown = await preview(browser, "everything about Quill")
    done = await send(browser, shown.text, "/page/forget/confirm", doubtful="yes")
    assert done.status_code == 200
    assert {"z0", "y0"} == set(await app.memories.get_many(["q0", "q1", "q2", "z0", "y0"]))
    (receipt,) = (await app.receipts.list()).receipts
    assert f'href="/page/receipt?id={receipt["id"]}"' in done.text
    page = await browser.get("/page/receipt", params={"id": receipt["id"]})
    assert receipt["signature"] in page.text
    assert re.search(r"memories forgotten</th><td[^>]*>4</td>", page.text)
    assert not re.search(r"\bNone\b|\bFalse\b|\{&#39;", page.text), "no word of the language that precis is written in"
    again = await send(browser, shown.text, "/page/forget/confirm")
    assert again.status_code == 404
    listed = await browser.get("/page/receipts")
    assert f'href="/page/receipt?id={receipt["id"]}"' in listed.text
    verified = await send(browser, listed.text, "/page/receipts/verify")
    assert "The chain holds: 1 receipt" in verified.text
    person = await browser.get("/page/person", params={"user": "ines"})
    assert "zeppelin" not in person.text


async def test_what_names_nobody_is_refused_on_the_form(browser: httpx.AsyncClient) -> None:
    """With what was written still in it."""
    shown = await preview(browser, "everything about <u>Zebulon</u>")
    assert shown.status_code == 422
    assert "everything about &lt;u&gt;Zebulon" in shown.text
    assert 'role="alert"' in shown.text


async def test_one_memory_is_forgotten_after_it_was_asked_twice(browser: httpx.AsyncClient, app: App) -> None:
    """From its own page."""
    page = await browser.get("/page/memory", params={"id": "q1"})
    asked = await send(browser, page.text, "/page/forget/one")
    assert "These statements leave with it" in asked.text
    assert "q1" in await app.memories.get_many(["q1"])
    done = await send(browser, asked.text, "/page/forget/one")
    assert "1 memory gone" in done.text
    assert (await browser.get("/page/memory", params={"id": "q1"})).status_code == 404


async def test_everything_of_a_user_goes_when_the_name_is_written_twice(browser: httpx.AsyncClient, app: App) -> None:
    """Nothing goes for another name."""
    page = await browser.get("/page/forget", params={"user": "ivo"})
    wrong = await send(browser, page.text, "/page/forget/user", user="ivo", again="ines")
    assert wrong.status_code == 422
    assert "y0" in await app.memories.get_many(["y0"])
    done = await send(browser, page.text, "/page/forget/user", user="ivo", again="ivo")
    assert "key is destroyed" in done.text
    assert not await app.memories.get_many(["y0"])


async def test_words_are_looked_for_and_not_repeated(browser: httpx.AsyncClient, app: App) -> None:
    """Come upon while the memory stands, and nowhere after it was forgotten."""
    page = await browser.get("/page/forget")
    before = await send(browser, page.text, "/page/forget/look", words="zeppelin")
    assert re.search(r"Come upon \d+ times", before.text)
    assert "zeppelin" not in before.text
    await app.memories.forget(["q1"])
    after = await send(browser, page.text, "/page/forget/look", words=" zeppelin \n")
    assert "Nowhere." in after.text
    assert (await send(browser, page.text, "/page/forget/look", words="ab")).status_code == 422


async def test_another_tenant_confirms_nothing_of_it(
    browser: httpx.AsyncClient, runtime: Runtime, url: str, app: App
) -> None:
    """Neither a preview nor a memory nor a user nor a receipt."""
    shown = await preview(browser, "everything about Quill")
    (preview_id,) = re.findall(r'name="preview" value="([^"]+)"', shown.text)
    other = await runtime.store.tenants.create_key(f"t-{new_id()}", name="other", now=runtime.engine.clock())
    async with browsing(url, other) as stranger:
        page = (await stranger.get("/page/forget")).text.replace("/page/forget/look", "/page/forget/confirm")
        assert (await send(stranger, page, "/page/forget/confirm", preview=preview_id)).status_code == 404
        page = page.replace("/page/forget/confirm", "/page/forget/one")
        assert (await send(stranger, page, "/page/forget/one", id="q0", sure="yes")).status_code == 404
        assert (await send(stranger, page, "/page/forget/user", user="ines", again="ines")).status_code == 404
    assert len(await app.memories.get_many(["q0", "q1", "q2"])) == 3
