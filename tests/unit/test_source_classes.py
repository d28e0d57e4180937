"""What a tool or a document says stands beside what somebody said, and never in its place."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precis.checks import check
from precis.checks.fates import fates
from precis.engine.node import item_of
from precis.extractive.summarizer import summarize
from precis.language.newest.timeline import overruled
from precis.language.reading import Line
from precis.makers import Draft, DraftStatement, Item, Request
from precis.memory import Memory, Scope
from precis.models.rendering import messages
from precis.models.tokens import count
from precis.summary import Fate, Statement
from precis.trust import ORDER, RELAYED, SourceClass, Voice, class_of_role, least, may_displace, voice_of

NAMES = ("Odile", "Farid", "Wanja", "Ksenia", "Bram")
#: Of one thing two values each, in sentences that the rules of newest wins read.
VALUES = (
    ("{who} lives in {value}.", ("Ghent", "Tromso", "Cadiz")),
    ("{who} works at {value}.", ("Siemens", "Vestas", "Ikea")),
    ("{who}'s phone number is {value}.", ("555-2231", "555-9084", "555-4410")),
    ("{who}'s rent is {value} euros.", ("700", "950", "1200")),
)
START = datetime(2024, 3, 1, 9, tzinfo=UTC)
CLASSES = st.sampled_from(ORDER)


def items(texts: list[str], classes: list[SourceClass]) -> list[Item]:
    """Memories a week apart, oldest first."""
    return [
        item_of(
            Memory(
                id=f"m{at}", scope=Scope(tenant_id="t", user_id="u"), text=text, source_class=source_class,
                created_at=START + timedelta(weeks=at), updated_at=START,
            )
        )
        for at, (text, source_class) in enumerate(zip(texts, classes, strict=True))
    ]  # fmt: skip


@st.composite
def two_values(draw: st.DrawFn) -> tuple[str, str, str, str]:
    """An older and a newer sentence of one thing, and the values in them."""
    template, values = draw(st.sampled_from(VALUES))
    who = draw(st.sampled_from(NAMES))
    older, newer = draw(st.permutations(values))[:2]
    return template.format(who=who, value=older), template.format(who=who, value=newer), older, newer


@given(two_values(), CLASSES, CLASSES)
def test_newest_wins_only_where_it_may(
    values: tuple[str, str, str, str], older: SourceClass, newer: SourceClass
) -> None:
    """By rule a newer value overrules an older one unless it is a tool's or a document's and the older one is not."""
    lines = [
        Line(text=text, speaker=None, voice=voice_of({source_class}))
        for text, source_class in zip(values[:2], (older, newer), strict=True)
    ]
    assert (newer not in RELAYED or older in RELAYED) == bool(overruled(lines))


@settings(max_examples=60)
@given(two_values(), CLASSES, CLASSES)
def test_two_dated_values_where_a_tool_contradicts(
    values: tuple[str, str, str, str], older: SourceClass, newer: SourceClass
) -> None:
    """A summary says both with their dates, and the checks displace neither; else the newer value alone is served."""
    prompt = items([*values[:2], "The bakery on the corner closes on Mondays."], [older, newer, SourceClass.USER])
    draft = summarize(Request(items=tuple(prompt), max_tokens=200, prompt=""), count)
    text = " ".join(statement.text for statement in draft.statements)
    served = [statement for statement in check(draft, prompt).statements if statement.superseded_by is None]
    said = " ".join(statement.text for statement in served)
    contested = newer in RELAYED and older not in RELAYED
    assert values[3] in said
    assert contested == (values[2] in said)
    assert contested == ("(as of 1 March 2024)" in text)
    assert contested == ("(as of 8 March 2024)" in text)


@given(two_values(), CLASSES, CLASSES)
def test_no_draft_displaces_what_was_vouched_for(
    values: tuple[str, str, str, str], older: SourceClass, newer: SourceClass
) -> None:
    """A model that calls the older value out of date is believed only where the newer one may displace it."""
    prompt = items([values[0], values[1]], [older, newer])
    statements = tuple(DraftStatement(text=text, importance=0.5, sources=(at,)) for at, text in enumerate(values[:2]))
    displaced = [s.superseded_by for s in check(Draft(statements=statements, made_by="m"), prompt).statements]
    assert ([None, None] if newer in RELAYED and older not in RELAYED else [1, None]) == displaced


@given(two_values(), CLASSES)
def test_a_tool_that_repeats_it_first_displaces_it_no_sooner(
    values: tuple[str, str, str, str], between: SourceClass
) -> None:
    """A statement that rests on the user and on a tool is the user's still, as far as what may displace it."""
    prompt = items([values[0], values[0], values[1]], [SourceClass.USER, between, SourceClass.TOOL])
    both = DraftStatement(text=values[0], importance=0.5, sources=(0, 1))
    cited_wrongly = DraftStatement(text=values[0], importance=0.5, sources=(1,))
    newer = DraftStatement(text=values[1], importance=0.5, sources=(2,))
    for first in (both, cited_wrongly):
        checked = check(Draft(statements=(first, newer), made_by="m"), prompt)
        assert [None, None] == [statement.superseded_by for statement in checked.statements]


@given(two_values(), CLASSES, CLASSES)
def test_what_the_user_said_is_not_set_aside_for_a_tool(
    values: tuple[str, str, str, str], said: SourceClass, served: SourceClass
) -> None:
    """No original goes because a tool says the same, or something newer."""
    for text, fate in ((values[0], Fate.REPETITION), (values[1], Fate.OVERRULED)):
        prompt = items([values[0], text], [said, served])
        prompt[1] = Item(**{**{name: getattr(prompt[1], name) for name in Item.__slots__},
                            "created_at": START if fate is Fate.REPETITION else prompt[1].created_at})  # fmt: skip
        outcome = fates(prompt, [Statement(text=text, importance=0.5, source_ids=("m1",))])[0]
        stays = served in RELAYED and said not in RELAYED
        assert (None if stays else fate) == (outcome and outcome.fate)


def test_the_order_stands_in_one_place() -> None:
    """A statement has the least trusted class of its sources, and a mixed voice displaces nothing that is vouched."""
    assert SourceClass.TOOL is least([SourceClass.USER, SourceClass.TOOL, SourceClass.AGENT])
    assert SourceClass.IMPORTED is least([SourceClass.AGENT, SourceClass.IMPORTED])
    assert Voice.MIXED is voice_of({SourceClass.USER, SourceClass.TOOL})
    assert not may_displace(Voice.MIXED, Voice.VOUCHED)
    assert not may_displace(Voice.MIXED, Voice.MIXED)
    assert may_displace(Voice.VOUCHED, Voice.MIXED)


@pytest.mark.parametrize(
    ("role", "source_class"),
    [("user", "user"), ("Assistant", "agent"), ("ai", "agent"), ("system", "agent"), ("tool", "tool"),
     ("function", "tool"), ("Wanja", "user"), (None, "user"), (7, "user")],
)  # fmt: skip
def test_roles(role: object, source_class: str) -> None:
    """Whoever is none of those is taken for the user."""
    assert source_class == class_of_role(role)


def test_a_model_is_told_what_came_from_outside() -> None:
    """A prompt without such items is as it ever was."""
    rendered = [
        messages(Request(items=tuple(items(["Bram lives in Ghent."], [source_class])), max_tokens=50, prompt=""))[1][
            "content"
        ]
        for source_class in (SourceClass.USER, SourceClass.AGENT, SourceClass.TOOL)
    ]
    assert rendered[0] == rendered[1]
    assert "(2024-03-01, from a tool) Bram" in rendered[2]
    assert "both, with their dates" in rendered[2]
