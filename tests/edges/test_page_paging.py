"""Long lists on the page: some at a time, each once, and nothing that a confirmation takes is out of sight."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio
from page_rooms import browsing, forms, send

from precis.app import App
from precis.page import forgetting, operating, summary

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def browser(url: str, key: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[httpx.AsyncClient]:
    """Signed in as the test's tenant; two rows are a page."""
    for module, name in ((operating, "_ROWS"), (operating, "_VIEWS"), (summary, "_STATEMENTS"), (forgetting, "_MEANT")):
        monkeypatch.setattr(module, name, 2)
    async with browsing(url, key) as signed_in:
        yield signed_in


async def walked(browser: httpx.AsyncClient, address: str, words: str) -> list[str]:
    """The page at an address and those that follow by the link of these words."""
    pages: list[str] = []
    while address:
        assert len(pages) < 10, "the pages go round in a circle"
        answer = await browser.get(address)
        assert answer.status_code == 200, answer.text
        pages.append(answer.text)
        following = re.search(rf'<a rel="next" href="([^"]+)">{words}</a>', answer.text)
        address = following[1].replace("&amp;", "&") if following else ""
    return pages


async def test_views_zones_and_keys(browser: httpx.AsyncClient, app: App) -> None:
    """Each once, two a page, and how many there are."""
    for name in ("ash", "elm", "fir", "oak", "yew"):
        await app.views.create(name=name, group_by=["user_id"])
        await app.rollups.set_zone("Europe/Lisbon", user_id=name)
    for at in range(2):
        await app.keys.create(f"key-{at}")
    for address, words, each in (
        ("/page/settings", "More views", r'id=[^"]+"><bdi>(ash|elm|fir|oak|yew)</bdi>'),
        ("/page/work", "More views", r"<h3><a[^>]+><bdi>(ash|elm|fir|oak|yew)</bdi>"),
        ("/page/settings", "More zones", r"<li><bdi>(ash|elm|fir|oak|yew)</bdi>: Europe/Lisbon"),
    ):
        pages = await walked(browser, address, words)
        assert [re.findall(each, page) for page in pages] == [["ash", "elm"], ["fir", "oak"], ["yew"]], words
        assert all("of 5" in page for page in pages)
    keys = await walked(browser, "/page/settings", "More keys")
    assert [len(re.findall(r"<h3><bdi>(?:test|key-\d)</bdi>", page)) for page in keys] == [2, 1]
    for far in ("999999", "9" * 5_000):
        past = await browser.get("/page/settings", params={"views": far})
        assert "<bdi>yew</bdi></a>" in past.text


async def test_the_statements_of_a_summary(browser: httpx.AsyncClient, app: App) -> None:
    """Numbered through; feedback on one of a later page is of that one, and its memories are its own."""
    places = ("Oban", "Riga", "Bari", "Lviv", "Turku")
    written = await app.memories.add([
        {"user_id": "bo", "type": "fact", "key": "boats", "text": f"The boat {at + 3} metres long lies in {place}."}
        for at, place in enumerate(places)
    ])  # fmt: skip
    id_ = written.summaries[0]
    count = len((await app.summaries.get(id_)).statements)
    assert count > 2
    pages = await walked(browser, f"/page/summary?id={id_}", "More statements")
    numbers = [int(number) for page in pages for number in re.findall(r'<li value="(\d+)"', page)]
    assert numbers == list(range(1, count + 1))
    fields = forms(pages[1])["/page/summary/feedback"]
    later = (await app.summaries.get(id_)).statements[int(fields["statement"])]
    assert later.text == fields["text"]
    own = await browser.get("/page/summary", params={"id": id_, "statement": "2", "said": "2"})
    assert "The memories of statement 3" in own.text


async def test_what_the_checks_took_out(browser: httpx.AsyncClient, app: App) -> None:
    """A memory that a check set aside says why; a statement that was overruled stands there with what overrules it."""
    written = await app.memories.add([
        {"user_id": "bo", "type": "fact", "key": "boiler", "text": text, "created_at": f"2025-03-0{at + 1}T10:00:00Z"}
        for at, text in enumerate((
            "The boiler pressure is 2 bar.", "The boiler was built by Hilde in 1987.", "Thank you so much!",
            "The boiler hangs in the cellar beside the stairs.",
        ))
    ])  # fmt: skip
    id_ = written.summaries[0]
    checked = await app.standing.checked(id_)
    page = (await browser.get("/page/summary", params={"id": id_})).text
    assert "small_talk" in checked.set_aside.values()
    assert "Set aside by a check: it greets, thanks or praises, and tells nothing." in page
    for each in checked.displaced:
        assert each.statement.text in page
        assert each.newer.text in page


async def test_a_preview_in_pages(browser: httpx.AsyncClient, app: App) -> None:
    """All that goes is shown before it is confirmed; where it changed on the way, it begins anew and says so."""
    await app.memories.add([
        {"id": f"q{at}", "user_id": "ines", "text": f"Quill {what}."}
        for at, what in enumerate(("plays the bassoon", "owns a zeppelin", "bakes rye", "fishes for eel", "is tall"))
    ])  # fmt: skip
    form = (await browser.get("/page/forget")).text
    pages = [await send(browser, form, "/page/forget/preview", user="ines", what="everything about Quill")]
    while "Show the next ones" in pages[-1].text:
        pages.append(await send(browser, pages[-1].text, "/page/forget/preview"))
    ids = [re.findall(r"/page/memory\?id=(q\d)\"><time", page.text) for page in pages]
    assert [sorted(page) for page in ids] == [["q0", "q1"], ["q2", "q3"], ["q4"]]
    assert "This is about all 5" in pages[-1].text
    await app.memories.add([{"id": "q5", "user_id": "ines", "text": "Quill sold the zeppelin to Odile."}])
    changed = await send(browser, pages[0].text, "/page/forget/preview")
    assert "has changed since you saw the page before" in changed.text
    assert "q0" in changed.text
    done = await send(browser, changed.text, "/page/forget/confirm", doubtful="yes")
    assert done.status_code == 200
    assert {} == await app.memories.get_many([f"q{at}" for at in range(6)])


async def test_messages_that_wait_for_facts(browser: httpx.AsyncClient, app: App) -> None:
    """The plan says how many, and that rules cost nothing."""
    assert "None waits." in (await browser.get("/page/plan")).text
    await app.conversations.turn("ferry", [{"id": "t0", "role": "user", "content": "I moved to Turku."}], user_id="bo")
    page = await browser.get("/page/plan", params={"user": "bo"})
    assert "1 message of 1 conversation wait. Rules read them: no model is called." in page.text
