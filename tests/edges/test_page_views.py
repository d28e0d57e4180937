"""What the page shows of memories and summaries: all of it as text, of one tenant alone."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import date
from html import escape
from html.parser import HTMLParser

import httpx
import pytest
import pytest_asyncio
from page_rooms import ELSEWHERE, browsing, send

from precis.app import App
from precis.bootstrap import Runtime
from precis.ids import new_id
from precis.page import person

pytestmark = pytest.mark.asyncio(loop_scope="session")
HOSTILE = (
    "<script>document.title = 'owned'</script> The kettle is <b>copper</b>.",
    "<img src=x onerror=alert(1)> \"' The kettle whistles. {{ 7 * 7 }} {% raw %}",
    "\u202eThe kettle is old.\u202d \u2067מה שלום הקומקום\u2069 </p></li></main>",
    "javascript:alert(1) https://evil.example/?q=kettle the kettle leaks.",
    "The kettle " + "boils and boils " * 1_000,
)
WHO = "<i>bo</i>&amp;"


class Tags(HTMLParser):
    """The elements of a page that are open at its end, and every element with its attributes."""

    VOID = frozenset({"meta", "link", "input", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """One begins."""
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """One without anything in it."""
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """The one that began last ends."""
        assert self.open.pop() == tag


def check(page: httpx.Response) -> None:
    """It is whole, and holds no element, attribute or address that somebody wrote."""
    tags = Tags()
    tags.feed(page.text)
    assert tags.open == []
    scripts = [attributes for tag, attributes in tags.seen if tag == "script"]
    assert all((attributes.get("src") or "").startswith("/page/static/") for attributes in scripts)
    assert {"img", "i", "b", "style", "iframe"}.isdisjoint(tag for tag, _ in tags.seen)
    names = {name for _, attributes in tags.seen for name in attributes}
    assert not [name for name in names if name.startswith("on") or name == "style"]
    assert not ELSEWHERE.search(page.text)
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def key(runtime: Runtime) -> str:
    """A key of a tenant that the tests of this file share."""
    return await runtime.store.tenants.create_key(f"t-{new_id()}", name="test", now=runtime.engine.clock())


@pytest.fixture(scope="module")
def app(runtime: Runtime, key: str) -> App:
    """precis for it."""
    return runtime.app(key.split("_")[1])


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def browser(url: str, key: str) -> AsyncIterator[httpx.AsyncClient]:
    """Signed in as that tenant."""
    async with browsing(url, key) as signed_in:
        yield signed_in


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def filled(app: App, url: str, key: str) -> dict[str, str]:
    """Hostile memories, of a hostile user as well, a summary of some, a week and a conversation; the summary's id."""
    await app.memories.add([
        {"id": f"n{at}", "user_id": "bo", "memory_type": "episodic", "metadata": {"kind": "note"},
         "created_at": f"2024-03-0{at + 4}T10:00:00Z", "text": f"Bo walked {at + 3} miles along the dike."}
        for at in range(5)
    ])  # fmt: skip
    written = await app.memories.add([
        {"id": f"h{at}", "user_id": "bo", "type": "fact", "key": "kettle", "text": text,
         "metadata": {"speaker": "<u>Eve</u>"}} for at, text in enumerate(HOSTILE)
    ])  # fmt: skip
    await app.rollups.summarize("bo", "weekly", day=date(2024, 3, 6))
    rows = [{"id": f"w{at}", "text": text, "user_id": WHO} for at, text in enumerate(HOSTILE)]
    async with httpx.AsyncClient(base_url=url, headers={"X-API-Key": key}) as api:
        assert (await api.post("/v1/long-term-memory/", json={"memories": rows})).status_code == 200
    await app.conversations.turn("<b>ferry</b>", [
        {"id": f"t{at}", "role": "user", "content": f"The {at}th ferry sails at {at} o'clock."} for at in range(24)
    ], user_id="bo")  # fmt: skip
    return {"summary": written.summaries[0]}


async def test_every_view_shows_hostile_texts_as_texts(browser: httpx.AsyncClient, filled: dict[str, str]) -> None:
    """Each answers 200, whole and harmless."""
    tabs = ("all", "memories", "subjects", "days", "weeks", "months", "conversations", "archive")
    views = [
        ("/page/", {}), ("/page/person", {"user": WHO}), ("/page/memory", {"id": "h0"}),
        ("/page/summary", {"id": filled["summary"]}), ("/page/summary", {"id": filled["summary"], "statement": "0"}),
        ("/page/search", {"user": "bo", "q": "<script>kettle</script>"}), ("/page/search", {"user": "bo"}),
        ("/page/context", {"user": "bo", "q": "kettle", "budget": "200"}),
        ("/page/person", {"user": "bo", "session": "<b>ferry</b>"}),
        *(("/page/person", {"user": "bo", "tab": tab}) for tab in tabs),
    ]  # fmt: skip
    for path, query in views:
        page = await browser.get(path, params=query)
        assert page.status_code == 200, (path, query, page.text)
        check(page)
        assert len(page.text) < 150_000, (path, query)


async def test_a_text_is_shown_once_and_escaped(browser: httpx.AsyncClient, filled: dict[str, str]) -> None:
    """As it was written, in a paragraph with a direction of its own."""
    page = await browser.get("/page/memory", params={"id": "h0"})
    assert '<p class="said" dir="auto">&lt;script&gt;document.title' in page.text
    person = await browser.get("/page/person", params={"user": WHO})
    assert "<bdi>&lt;i&gt;bo&lt;/i&gt;&amp;amp;</bdi>" in person.text


async def test_a_very_long_text_is_cut_with_a_way_to_all_of_it(
    browser: httpx.AsyncClient, filled: dict[str, str]
) -> None:
    """A list has its beginning; the memory's own page has every character."""
    listed = await browser.get("/page/person", params={"user": "bo", "tab": "memories"})
    assert 'href="/page/memory?id=h4"' in listed.text
    assert f"Read all {len(HOSTILE[4]):,} characters" in listed.text
    assert HOSTILE[4] in (await browser.get("/page/memory", params={"id": "h4"})).text


async def test_a_timeline_has_everything_once_page_by_page(browser: httpx.AsyncClient, filled: dict[str, str]) -> None:
    """Memories, messages and summaries; the link at its end leads to older ones."""
    page = await browser.get("/page/person", params={"user": "bo"})
    seen = re.findall(r'<h3><a href="(/page/(?:memory|summary)\?[^"]+)"', page.text)
    while more := re.search(r'href="([^"]+)" rel="next"', page.text):
        page = await browser.get(more.group(1).replace("&amp;", "&"))
        seen += re.findall(r'<h3><a href="(/page/(?:memory|summary)\?[^"]+)"', page.text)
    assert len(seen) == len(set(seen))
    assert {f"/page/memory?id=h{at}" for at in range(5)} | {f"/page/memory?id=n{at}" for at in range(5)} <= set(seen)
    assert f"/page/summary?id={filled['summary']}" in seen
    assert len(seen) > 34


async def test_a_fact_stands_with_the_message_it_was_read_from(
    browser: httpx.AsyncClient, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was told is listed once, with a way to the fact; where the message is on another page both are listed."""
    text = "I work nights at the fish hall on Kaigata."
    await app.conversations.turn("fish", [{"id": "f1", "role": "user", "content": text}], user_id="noor")
    await app.facts.read(at_once=True)
    (fact,) = [row for row in (await app.memories.list(user_id="noor")).rows if row.parent_id]
    for query in ({}, {"tab": "memories"}, {"session": "fish"}):
        page = await browser.get("/page/person", params={"user": "noor", **query})
        check(page)
        assert page.text.count(text) == 1
        assert f'Remembered of it: <a href="/page/memory?id={fact.id}"><bdi>fact</bdi></a>' in page.text
    assert "It was found in" in (await browser.get("/page/memory", params={"id": fact.id})).text
    monkeypatch.setattr(person, "_ENTRIES", 1)
    pages = [await browser.get("/page/person", params={"user": "noor"})]
    more = re.search(r'href="([^"]+)" rel="next"', pages[0].text)
    pages.append(await browser.get(more.group(1).replace("&amp;", "&") if more else ""))
    assert [page.text.count(text) for page in pages] == [1, 1]


async def test_conversations_are_those_of_the_messages(
    browser: httpx.AsyncClient, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However they came in; each once, the latest first, also where a page ends in the middle of one."""
    names = ["first talk", "second <b>talk</b>", "third talk"]
    await app.memories.add([
        {"user_id": "talker", "memory_type": "message", "session_id": name, "text": f"Line {line} of {name}.",
         "metadata": {"speaker": "Ida"}, "created_at": f"2025-06-0{at + 1}T10:0{line}:00Z"}
        for at, name in enumerate(names) for line in range(4)
    ])  # fmt: skip
    monkeypatch.setattr(person, "_MESSAGES", 6)
    address, seen = "/page/person?user=talker&tab=conversations", []
    while address:
        page = await browser.get(address)
        check(page)
        seen += re.findall(r"<h3><a[^>]+session=[^>]+><bdi>([^<]+)</bdi>", page.text)
        more = re.search(r'href="([^"]+)" rel="next"', page.text)
        address = more.group(1).replace("&amp;", "&") if more else ""
    assert [escape(name) for name in reversed(names)] == seen
    summary = await browser.get("/page/person", params={"user": "talker", "tab": "months"})
    assert "A month is made of" in summary.text, "where there is nothing it says where it would come from"


async def test_a_statement_names_the_memories_that_light_up_with_it(
    browser: httpx.AsyncClient, app: App, filled: dict[str, str]
) -> None:
    """By numbers that both carry; a week's statements light up with the notes of a day."""
    page = await browser.get("/page/summary", params={"id": filled["summary"]})
    sides = re.findall(r'data-side="(\w+)" data-lights="([\d ]*)"', page.text)
    summary = await app.summaries.get(filled["summary"])
    statements = [set(numbers.split()) for side, numbers in sides if side == "statement"]
    memories = [numbers for side, numbers in sides if side == "memory"]
    assert [str(at) for at in range(len(summary.leaf_source_ids))] == memories
    expected = [{str(summary.leaf_source_ids.index(id_)) for id_ in s.source_ids} for s in summary.statements]
    assert expected == statements[: len(expected)]
    days = (await app.summaries.list(policy="week", user_id="bo")).rows
    week = await browser.get("/page/summary", params={"id": days[0].id})
    assert week.text.count('data-side="memory"') == 5


async def test_what_rests_on_a_memory_is_listed(
    browser: httpx.AsyncClient, api: httpx.AsyncClient, app: App, filled: dict[str, str]
) -> None:
    """On its page, and over REST."""
    summary = await app.summaries.get(filled["summary"])
    source = summary.statements[0].source_ids[0]
    answer = (await api.get("/v1/statements", params={"memory_id": source})).json()
    assert filled["summary"] in [each["summary_id"] for each in answer["summaries"]]
    assert all(source in statement["source_ids"] for each in answer["summaries"] for statement in each["statements"])
    page = await browser.get("/page/memory", params={"id": source})
    assert f'href="/page/summary?id={filled["summary"]}"' in page.text
    assert (await api.get("/v1/statements", params={"memory_id": "nobody"})).json() == {"summaries": []}


async def test_a_statement_marked_as_wrong_is_withdrawn(
    browser: httpx.AsyncClient, app: App, filled: dict[str, str]
) -> None:
    """From the form beside it; and the mark can be taken back."""
    id_ = filled["summary"]
    before = await app.summaries.get(id_)
    page = await browser.get("/page/summary", params={"id": id_})
    fields = {"id": id_, "statement": "0", "text": before.statements[0].text, "note": "<b>no</b>", "verdict": "wrong"}
    answer = await send(browser, page.text, "/page/summary/feedback", **fields)
    assert answer.status_code == 200
    check(answer)
    assert "What was marked is withdrawn" in answer.text
    after = await app.summaries.get(id_)
    assert before.statements[0].text not in [statement.text for statement in after.statements]
    back = await send(browser, answer.text, "/page/summary/take-back")
    assert "Your feedback was taken back" in back.text
    assert (await app.feedback.list(summary_id=id_)).rows == ()


async def test_a_summary_is_made_current_from_its_page(browser: httpx.AsyncClient, filled: dict[str, str]) -> None:
    """Where nothing changed, nothing is made."""
    page = await browser.get("/page/summary", params={"id": filled["summary"]})
    answer = await send(browser, page.text, "/page/summary/refresh", id=filled["summary"])
    assert "It was current: nothing was made" in answer.text


async def test_what_is_not_there_is_said(browser: httpx.AsyncClient) -> None:
    """A page with the status of the error, and the name as text."""
    for path, query in [
        ("/page/person", {"user": "<b>nobody</b>"}), ("/page/memory", {"id": "<b>"}), ("/page/summary", {"id": "x"}),
    ]:  # fmt: skip
        page = await browser.get(path, params=query)
        assert page.status_code == 404
        check(page)
    assert (await browser.get("/page/memory")).status_code == 422
    assert (await browser.get("/page/person", params={"cursor": "x"})).status_code == 404


async def test_another_tenant_sees_none_of_it(url: str, runtime: Runtime, filled: dict[str, str]) -> None:
    """Neither in lists nor by ids, nor by a form."""
    other = await runtime.store.tenants.create_key(f"t-{new_id()}", name="other", now=runtime.engine.clock())
    async with browsing(url, other) as stranger:
        page = await stranger.get("/page/")
        assert "Nothing is remembered of anybody yet" in page.text
        for path, query in [
            ("/page/person", {"user": "bo"}),
            ("/page/memory", {"id": "h0"}),
            ("/page/summary", {"id": filled["summary"]}),
        ]:
            assert (await stranger.get(path, params=query)).status_code == 404
        search = await stranger.get("/page/search", params={"user": "bo", "q": "kettle"})
        assert "Nothing that has to do with it" in search.text
        assert "copper" not in search.text
