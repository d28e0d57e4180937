"""Which messages never part, when a conversation is too long, where it is cut, and what of it fits a budget."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.conversation import Message, cuts, dangling, pending, turns
from precis.engine.budget import bounded
from precis.errors import ConfigurationError
from precis.policies.conversations import Limits, check, fit, newest
from precis.sizes import Size, Unit
from precis.summary import Statement
from precis.testing.fakes import count_words

START = datetime(2026, 1, 5, 9, tzinfo=UTC)


def message(at: int, role: str = "user", *, tokens: int = 10, **fields: Any) -> Message:
    """A message of so many words."""
    return Message(
        id=f"m{at}", given=f"m{at}", role=role, text=" ".join([f"w{at}"] * tokens),
        created_at=START + timedelta(minutes=at), tokens=tokens, **fields,
    )  # fmt: skip


def talk(number: int, *, tokens: int = 10) -> list[Message]:
    """User and assistant in turn."""
    return [message(at, ("user", "assistant")[at % 2], tokens=tokens) for at in range(number)]


def called(at: int, *ids: str) -> Message:
    """A message with calls."""
    return message(at, "assistant", opens=ids)


def result(at: int, id_: str) -> Message:
    """The result of one."""
    return message(at, "tool", closes=(id_,))


def statement(text: str, importance: float = 0.5, *sources: str) -> Statement:
    """A claim."""
    return Statement(text=text, importance=importance, source_ids=sources)


# --- what never parts ---


def test_without_calls_every_place_is_a_cut() -> None:
    """Between any two messages, before the first and after the last."""
    assert [0, 1, 2, 3, 4] == cuts(talk(4))


def test_parallel_calls_stay_with_the_last_of_their_results() -> None:
    """Whatever stands between, also results of other calls."""
    messages = [
        message(0), called(1, "a", "b"), result(2, "a"), called(3, "c"), result(4, "b"), result(5, "c"), message(6)
    ]  # fmt: skip
    assert [0, 1, 6, 7] == cuts(messages)


def test_a_pending_call_keeps_all_that_follows() -> None:
    """Until it is settled, or counts as given up."""
    messages = [message(0), called(1, "a"), message(2), message(3)]
    assert {"a": 1} == pending(messages)
    assert [0, 1] == cuts(messages)
    assert [0, 1, 2, 3, 4] == cuts(messages, settled=True)


def test_a_call_that_is_asked_again_is_open_again() -> None:
    """An id that was settled before and is opened once more waits for its second answer."""
    messages = [called(0, "a"), result(1, "a"), called(2, "a"), message(3)]
    assert {"a": 2} == pending(messages)
    assert [0, 2] == cuts(messages)


def test_a_call_nobody_will_answer_is_told_from_one_that_waits() -> None:
    """A user spoke since: its result was forgotten, or never came."""
    waits = [message(0), called(1, "a", "b"), result(2, "a")]
    assert dangling(waits) == frozenset()
    assert dangling([*waits, message(3)]) == {"m1"}
    assert dangling([*waits, result(3, "b"), message(4)]) == frozenset()


def test_a_turn_begins_with_the_user() -> None:
    """Where nobody answers in between, it is one turn."""
    messages = [message(0), message(1), message(2, "assistant"), message(3), message(4, "assistant")]
    assert [0, 3, 5] == turns(messages, range(6))


@st.composite
def histories(draw: st.DrawFn) -> list[Message]:
    """Messages with calls, results of calls that were made, and calls nobody answers."""
    made: list[Message] = []
    open_: list[str] = []
    for at in range(draw(st.integers(0, 30))):
        kind = draw(st.sampled_from(["user", "assistant", "call", "result"]))
        if kind == "call":
            ids = [f"c{at}-{n}" for n in range(draw(st.integers(1, 3)))]
            made.append(called(at, *ids))
            open_ += ids
        elif kind == "result" and open_:
            made.append(result(at, open_.pop(draw(st.integers(0, len(open_) - 1)))))
        else:
            made.append(message(at, "user" if kind == "result" else kind, tokens=draw(st.integers(1, 30))))
    return made


@given(histories(), st.booleans())
def test_no_cut_parts_a_call_from_its_result(messages: list[Message], settled: bool) -> None:
    """In any history; and a pending call never has a cut behind it, unless it counts as given up."""
    for place in cuts(messages, settled=settled):
        before = {id_ for one in messages[:place] for id_ in one.opens}
        after = {id_ for one in messages[place:] for id_ in one.closes}
        assert not before & after
        if not settled:
            assert not before & set(pending(messages))


@given(histories(), st.integers(1, 12), st.integers(0, 6))
def test_the_check_hands_over_a_beginning_and_keeps_enough(messages: list[Message], over: int, keep: int) -> None:
    """Never more than leaves what is to be kept; and only where a limit was passed."""
    limits = Limits(triggers=(Size(amount=over, unit=Unit.MESSAGES),), keep=Size(amount=keep, unit=Unit.MESSAGES))
    found = check(messages, limits)
    assert 0 <= found.hand_over <= max(0, len(messages) - keep)
    assert bool(found.reason) == (len(messages) > over)
    assert found.hand_over in cuts(messages, settled=len(messages) > 4 * over)


# --- sizes and triggers ---


@pytest.mark.parametrize(
    ("text", "amount", "unit"),
    [("20 messages", 20, Unit.MESSAGES), ("1 message", 1, Unit.MESSAGES), ("4000 tokens", 4000, Unit.TOKENS),
     ("0.7 window", 0.7, Unit.WINDOW)],
)  # fmt: skip
def test_sizes_are_read_as_they_are_written(text: str, amount: float, unit: Unit) -> None:
    """And written as they are read."""
    size = Size.parse(text)
    assert (amount, unit) == (size.amount, size.unit)
    assert Size.parse(str(size)) == size


@pytest.mark.parametrize("text", ["", "20", "messages", "1.5 messages", "1.2 window", "0 window", "-3 tokens"])
def test_what_is_no_size_is_refused(text: str) -> None:
    """With what it may be."""
    with pytest.raises(ConfigurationError, match="20 messages"):
        Size.parse(text)


def test_the_documents_limits() -> None:
    """Over 20 messages or over 4000 tokens; the last four stay."""
    limits = Limits()
    assert not check(talk(20), limits).needed
    found = check(talk(21), limits)
    assert (found.hand_over, found.reason) == (16, "21 messages, over 20 messages")
    assert not check(talk(10, tokens=400), limits).needed
    found = check(talk(10, tokens=401), limits)
    assert (found.hand_over, found.reason) == (6, "4010 tokens, over 4000 tokens")


def test_a_share_of_the_window_counts_the_summary() -> None:
    """What the model reads is both."""
    limits = Limits(triggers=(Size.parse("0.5 window"),), window=1000)
    assert not check(talk(10, tokens=40), limits, summary_tokens=100).needed
    assert check(talk(10, tokens=40), limits, summary_tokens=101).needed


def test_keeping_by_tokens() -> None:
    """As many of the newest as fit."""
    limits = Limits(triggers=(Size.parse("5 messages"),), keep=Size.parse("35 tokens"))
    assert check([message(at, "assistant") for at in range(8)], limits).hand_over == 5


def test_the_cut_moves_back_to_where_a_turn_begins() -> None:
    """A question is not parted from its answer; a turn that alone is too long is cut where nothing belongs together."""
    limits = Limits(triggers=(Size.parse("6 messages"),), keep=Size.parse("2 messages"))
    assert check(talk(8), limits).hand_over == 6
    assert check(talk(7), limits).hand_over == 4
    long = [message(0), *(message(at, "assistant") for at in range(1, 10))]
    assert check(long, limits).hand_over == 8


def test_a_call_nobody_answers_is_waited_for_and_not_for_ever() -> None:
    """At four times the trigger it counts as given up."""
    limits = Limits(triggers=(Size.parse("6 messages"),), keep=Size.parse("2 messages"))
    history = [message(0), called(1, "a"), *(message(at, "assistant") for at in range(2, 24))]
    assert check(history, limits).hand_over == 1
    assert check([*history, message(24, "assistant")], limits).hand_over == 23


# --- budgets ---


def test_a_budget_takes_the_newest_and_the_summary() -> None:
    """Both within it."""
    said = [statement("one two three four", 0.9), statement("five six seven eight", 0.2)]
    found = fit(said, talk(10), budget=30, count=count_words)
    assert found.tokens <= 30
    assert ["m8", "m9"] == [one.id for one in found.messages]
    assert [one.text for one in said] == [one.text for one in found.statements]
    found = fit(said, talk(10), budget=9, count=count_words)
    assert ["one two three four"] == [one.text for one in found.statements]


def test_a_message_over_the_budget_is_shortened() -> None:
    """Head and tail of the newest, marked; nothing of it can be run."""
    (one,) = newest([called(0, "a"), message(1, tokens=100)], budget=20, count=count_words)
    assert (one.shortened, one.opens, one.payload) == (True, (), None)
    assert one.tokens <= 20


def test_a_call_is_never_shown_without_its_result() -> None:
    """It comes with it or not at all."""
    messages = [message(0), called(1, "a"), result(2, "a"), message(3)]
    assert ["m3"] == [one.id for one in newest(messages, budget=25, count=count_words)]
    assert ["m1", "m2", "m3"] == [one.id for one in newest(messages, budget=30, count=count_words)]


@given(histories(), st.integers(1, 200))
def test_a_budget_is_never_passed(messages: list[Message], budget: int) -> None:
    """Whatever the history is."""
    found = fit([statement("a b c", 0.5)], messages, budget=budget, count=count_words)
    assert found.tokens <= budget


def test_importance_goes_before_recency() -> None:
    """The newer of two equals stays; an important old one stays before a new trifle."""
    dates = {f"m{at}": START + timedelta(days=at) for at in range(3)}
    said = [
        statement("old but decisive", 0.9, "m0"),
        statement("in between", 0.5, "m1"),
        statement("new one", 0.5, "m2"),
    ]
    kept = bounded(said, limit=5, count=count_words, dates=dates)
    assert ["old but decisive", "new one"] == [one.text for one in kept]
