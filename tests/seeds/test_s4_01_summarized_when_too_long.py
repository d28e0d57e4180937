"""S4.1: over 20 messages or 4000 tokens the last 4 stay verbatim, the rest extends the summary; the title is new."""

from __future__ import annotations

import pytest
from steps import with_engine
from talks import hold, said, short, texts, told

from precis.app import App
from precis.conversation import place_of
from precis.extractive.summarizer import Extractive
from precis.makers import Draft, Request
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")


class Watched(Extractive):
    """The offline summarizer in the place of a model: it keeps to the limits it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[Request] = []

    async def summarize(self, request: Request) -> Draft:
        """One draft."""
        self.requests.append(request)
        return await super().summarize(request)


async def test_over_twenty_messages(app: App) -> None:
    """The twenty-first: sixteen go into the summary, the turns of the last four stay."""
    turned = await hold(app, range(1, 21))
    assert not turned.summarized
    turned = await app.conversations.turn("talk", [said(21)], user_id="ana")
    assert (turned.summarized, turned.degraded) == (True, False)
    context = await app.conversations.context("talk")
    assert (context.covered, context.total) == (16, 21)
    assert told(context) == texts(range(17, 22))
    assert context.title


async def test_over_four_thousand_tokens(app: App) -> None:
    """Six messages are few; five thousand tokens are not few. Tokens are counted by a tokenizer."""
    long = [
        said(n) | {"content": f"{said(n)['content']} " + f"{said(n)['content'].lower()} " * 60} for n in range(1, 7)
    ]
    turned = await app.conversations.turn("talk", long, user_id="ana")
    assert turned.summarized
    context = await app.conversations.context("talk")
    assert context.covered == 2
    assert len(context.messages) == 4


async def test_the_summary_builds_on_the_one_before(app: App) -> None:
    """The second time the model reads what it said of the first messages, and the new ones; not the first again."""
    model = Quoting()
    quoted = with_engine(app, summarizer=model)
    await hold(quoted, range(1, 8), each=7, limits=short())
    await hold(quoted, range(8, 13), each=5, limits=short())
    context = await quoted.conversations.context("talk")
    assert context.covered == 10
    for number in range(1, 11):
        assert said(number)["content"] in context.summary


async def test_a_long_talk_is_extended_and_not_read_again(app: App) -> None:
    """Once there are segments, an extension reads the prefix and the tail: tokens do not grow with the talk."""
    model = Watched()
    quoted = with_engine(app, summarizer=model)
    await hold(quoted, range(1, 801), each=200, limits=short())
    before = len(model.requests)
    await hold(quoted, range(801, 809), each=8, limits=short())
    made = model.requests[before:]
    # Of the tail one segment, and one more for each cut that falls into it; the prefix, the summary and its title.
    assert 0 < len(made) <= 6
    assert sum(request.tokens_read for request in made) < 6000
    everything = sum(app.parts.engine.count(text) for text in texts(range(1, 801)))
    assert everything > 10_000


async def test_the_title_is_made_of_the_summary(app: App) -> None:
    """By the model, in a call of its own, from statements; again with each summary."""
    model = Quoting()
    quoted = with_engine(app, summarizer=model)
    await hold(quoted, range(1, 8), each=7, limits=short())
    asked = [request for request in model.requests if request.kind == "title"]
    assert len(asked) == 1
    assert all(item.derived for item in asked[0].items)
    context = await quoted.conversations.context("talk")
    assert context.title == said(1)["content"].rstrip(".")


async def test_a_title_of_its_own_words_is_not_taken(app: App) -> None:
    """The check holds for titles too: what no statement bears out gives way to a noun phrase of the statements."""

    class Boasting(Quoting):
        """Quotes, and names everything after Napoleon."""

        async def summarize(self, request):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
            """Whatever is asked for a title is Napoleon."""
            self.says = ("Napoleon conquers Moscow in 1812.",) if request.kind == "title" else None
            return await super().summarize(request)

    boasting = with_engine(app, summarizer=Boasting())
    await hold(boasting, range(1, 8), each=7, limits=short())
    context = await boasting.conversations.context("talk")
    assert context.title is not None
    assert "Napoleon" not in context.title
    assert context.title.startswith("Aunt, ")


async def test_a_message_longer_than_any_prompt_is_read_to_its_end(app: App) -> None:
    """It is split for the summarizer, not capped and not skipped."""
    model = Quoting()
    quoted = with_engine(app, summarizer=model)
    facts = " ".join(texts(range(1, 900)))
    assert app.parts.engine.count(facts) > 10_000
    given = [said(1) | {"content": facts}, *(said(number) for number in range(2, 8))]
    await quoted.conversations.turn("talk", given, user_id="ana", limits=short())
    read = " ".join(item.text for request in model.requests for item in request.items)
    assert all(text in read for text in texts(range(1, 900)))
    context = await quoted.conversations.context("talk")
    (summary,) = (await quoted.summaries.list(policy="conversations")).rows
    assert context.covered == 4
    assert summary.included == summary.total == 4


async def test_the_summary_is_bounded(app: App) -> None:
    """A model that says too much is cut by importance and recency; what was left out is counted and can be expanded."""
    model = Quoting()
    quoted = with_engine(app, summarizer=model)
    await hold(quoted, range(1, 120), each=119, limits=short())
    context = await quoted.conversations.context("talk")
    count = app.parts.engine.count
    assert sum(count(one.text) for one in context.statements) <= 800
    assert context.set_aside > 0
    assert len(await quoted.conversations.expand("talk")) == context.covered
    (first,) = await quoted.conversations.expand("talk", 0)
    assert first.text in {one.text for one in context.statements}


async def test_it_is_a_group_like_any_other(app: App) -> None:
    """Members are the covered messages; the summary is a memory row of its own tier."""
    turned = await hold(app, range(1, 8), each=7, limits=short())
    summary = await app.summaries.get(turned.summary_id or "")
    found = await app.conversations.load("talk")
    assert (summary.policy, summary.tier.value) == ("conversations", "conversation")
    assert summary.group_id == place_of(found.conversation.id, found.conversation.scope).group_id
    messages = await app.conversations.messages("talk", limit=7)
    assert list(summary.parent_id) == [one.id for one in messages[:4]]
