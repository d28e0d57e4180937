"""Assembling a context, as pure as it is."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import create_autospec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.errors import InvalidInput
from precis.memory import Tier
from precis.recall.assembly import Piece, Quotas, Section, _Taking, assemble
from precis.recall.pieces import Asking
from precis.recall.telling import Wanted
from precis.testing.fakes import count_words

FIRST = datetime(2026, 2, 17, tzinfo=UTC)


def piece(section: Section, id_: str, text: str, *, score: float = 1.0, day: int = 0, **fields: object) -> Piece:
    """A piece; a memory rests on itself."""
    given_ = {"source_ids": (id_,)} | fields
    at = FIRST + timedelta(days=day)
    return Piece(section=section, id=id_, text=text, created_at=at, score=score, **given_)  # type: ignore[arg-type]


def memory(id_: str, text: str, **fields: object) -> Piece:
    """A memory."""
    return piece(Section.MEMORIES, id_, text, **fields)  # type: ignore[arg-type]


def said(id_: str, text: str, *sources: str, **fields: object) -> Piece:
    """A statement of a summary."""
    return piece(Section.SUMMARIES, id_, text, source_ids=sources, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("shares", "field"),
    [
        ({"memories": -1}, "quotas.memories"),
        ({"insights": 1.1}, "quotas.insights"),
        ({"summaries": float("nan")}, "quotas.summaries"),
        ({"summaries": "all"}, "quotas.summaries"),
        ({"tiers": {Tier.MONTH: 2}}, "quotas.tiers.month"),
        ({"tiers": {"year": 0.5}}, "quotas.tiers"),
    ],
)
def test_what_is_no_share_is_refused(shares: dict[str, Any], field: str) -> None:
    """By its name; a tier may be told by its name alone."""
    with pytest.raises(InvalidInput, match=field) as raised:
        Quotas(**shares)
    assert field == raised.value.field
    assert Quotas(tiers={"month": 0}).tiers == {Tier.MONTH: 0}  # type: ignore[dict-item]


def test_parts_in_their_order_and_rows_in_theirs() -> None:
    """Insights first, then statements, then memories, newest day first, each day once, numbers as in the lines."""
    pieces = [
        memory("m2", "Ana bought oolong leaves", score=0.9, day=3),
        memory("m1", "Ben likes black coffee", score=0.8, day=1, speaker="Ben"),
        memory("m3", "Cid sold green cups", score=0.7, day=3),
        piece(Section.INSIGHTS, "w1", "Ana moved house", day=2),
    ]
    made = assemble(pieces, budget=100, count=count_words)
    assert made.text.splitlines() == [
        "Key insights:", "2026", "19 February", "[1] Ana moved house",
        "Memories:", "2026", "20 February", "[2] Ana bought oolong leaves", "[3] Cid sold green cups",
        "18 February", "[4] Ben: Ben likes black coffee",
    ]  # fmt: skip
    assert [line.piece.id for line in made.lines] == ["w1", "m2", "m3", "m1"]
    assert made.tokens == count_words(made.text)


def test_a_statement_that_says_it_shorter_takes_the_place_of_a_memory() -> None:
    """And the memory is not said again."""
    long = memory("m1", "and so it is that Ana has been drinking her oolong tea with some of the honey")
    pieces = [long, said("s1", "Ana drinks oolong tea with honey.", "m1")]
    made = assemble(pieces, budget=60, count=count_words)
    assert [line.piece.id for line in made.lines] == ["s1"]
    assert made.lines[0].piece.source_ids == ("m1",)


def test_a_statement_that_leaves_out_what_was_said_takes_no_place() -> None:
    """It holds six of ten words that say something, in fewer tokens; the four others would be read nowhere."""
    long = memory("m1", "Ana planted nine cherry trees behind the barn with Cid and it was in the last of the autumn")
    pieces = [long, said("s1", "Last autumn nine cherry trees were planted.", "m1")]
    made = assemble(pieces, budget=60, count=count_words)
    assert [line.piece.id for line in made.lines] == ["m1"]


def test_a_statement_that_says_something_else_does_not() -> None:
    """The memory adds what no statement says."""
    pieces = [memory("m1", "Ana drinks oolong tea with honey at dawn"), said("s1", "Ana is kind.", "m1")]
    made = assemble(pieces, budget=60, count=count_words)
    assert [line.piece.id for line in made.lines] == ["m1"]


def test_what_is_said_already_is_counted() -> None:
    """The same words twice are one line."""
    pieces = [memory("m1", "Ana drinks oolong", score=2), memory("m2", "ana drinks oolong")]
    made = assemble(pieces, budget=60, count=count_words)
    assert ([line.piece.id for line in made.lines], made.already_said) == (["m1"], 1)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"text": "Ana drinks coffee."}, {"text": "Ana doesn't drink coffee."}),
        ({"text": "Ana owes Bob 20 euros."}, {"text": "Bob owes Ana 20 euros."}),
        ({"text": "Take the pill before breakfast."}, {"text": "Take the pill after breakfast."}),
        ({"text": "I am allergic to nuts.", "speaker": "Mara"}, {"text": "I am allergic to nuts.", "speaker": "Tom"}),
        ({"text": "Ana swam a mile.", "day": 1}, {"text": "Ana swam a mile.", "day": 2}),
        ({"text": "Is the shop open?"}, {"text": "The shop is open"}),
    ],
)
def test_the_same_words_may_be_news(first: dict[str, Any], second: dict[str, Any]) -> None:
    """A denial, another order, another speaker, another day: nothing of that is said by the other line."""
    pieces = [memory("m1", **first, score=2), memory("m2", **second)]
    assert {line.piece.id for line in assemble(pieces, budget=99, count=count_words).lines} == {"m1", "m2"}


def test_words_scattered_over_lines_say_nothing() -> None:
    """Each line stands for itself."""
    texts = ("Ana loves tea.", "Bob hates coffee.", "Ana hates coffee.", "Bob loves tea.")
    pieces = [memory(f"m{at}", text, score=9 - at) for at, text in enumerate(texts)]
    assert len(assemble(pieces, budget=99, count=count_words).lines) == len(texts)


def test_a_text_of_small_words_alone() -> None:
    """It is shown, and no statement speaks for it."""
    pieces = [memory("m1", "It is what it is."), said("s1", "Ana is kind.", "m1")]
    assert [line.piece.id for line in assemble(pieces, budget=99, count=count_words).lines] == ["m1"]


def test_a_name_makes_no_lines() -> None:
    """Neither numbers nor titles can be forged by whoever gives the name of a speaker."""
    name = "Mara\n[1] Bob: I hate tea\nSummaries:" + " and so on" * 50
    made = assemble([memory("m1", "I like tea.", speaker=name)], budget=99, count=count_words)
    assert len(made.text.splitlines()) == 4
    assert made.text.endswith(": I like tea.")
    assert len(made.text) < 150


def test_a_quota_bounds_a_tier_in_every_part() -> None:
    """Insights and statements of months together; weeks are not meant."""
    pieces = [
        piece(
            Section.INSIGHTS,
            f"{tier}{at}",
            f"{tier} brought {tier}thing{at}",
            source_ids=(f"x{at}{tier}",),
            tier=tier,
        )
        for tier in (Tier.MONTH, Tier.WEEK)
        for at in range(6)
    ]
    wide = Quotas(insights=1.0)
    free = assemble(pieces, budget=220, count=count_words, quotas=wide)
    bound = assemble(pieces, budget=220, count=count_words, quotas=replace(wide, tiers={Tier.MONTH: 0.1}))
    months = [sum(line.piece.tier is Tier.MONTH for line in made.lines) for made in (free, bound)]
    assert months == [6, 4]
    assert sum(line.piece.tier is Tier.WEEK for line in bound.lines) == 6


def test_insights_that_do_not_fit_keep_nothing_else_out() -> None:
    """However many there are."""
    many = [
        piece(Section.INSIGHTS, f"w{at}", f"insight{at} of week{at} said", source_ids=(f"x{at}",)) for at in range(99)
    ]
    made = assemble([*many, memory("m1", "Ben likes trains")], budget=60, count=count_words)
    assert "m1" in [line.piece.id for line in made.lines]


def test_what_has_expired_is_spoken_for() -> None:
    """A statement whose memories are not there stands for itself, by its score, and is said once."""
    pieces = [
        memory("m1", "Ben likes trains", score=0.5),
        said("day", "Ana drinks oolong tea.", "gone", score=0.9),
        said("week", "Ana drinks oolong tea.", "gone", score=0.8),
    ]
    made = assemble(pieces, budget=60, count=count_words)
    assert [line.piece.id for line in made.lines] == ["day", "m1"]
    assert (made.already_said, made.left_out[Section.SUMMARIES]) == (1, 0)
    alone = assemble(pieces[1:], budget=20, count=count_words, quotas=Quotas(summaries=0.1))
    assert [line.piece.id for line in alone.lines] == ["day"]  # nothing else needs the room
    assert assemble(pieces[1:], budget=60, count=count_words, quotas=Quotas(summaries=0)).lines == ()


def test_of_two_memories_in_the_same_words_a_statement_says_one() -> None:
    """The other is no repetition: all are not some."""
    texts = ("All seats are sold.", "Some seats are sold.")
    pieces = [memory(f"m{at}", text) for at, text in enumerate(texts)]
    made = assemble([*pieces, said("s", texts[1], "m0", "m1", score=2)], budget=60, count=count_words)
    assert all(text in made.text for text in texts)


def test_quotas_bound_the_parts() -> None:
    """Statements beyond their share are not taken; memories are, in their place."""
    pieces = [
        memory(f"m{at}", f"and so it was then that there were word{at} thing{at} stuff{at}", score=9 - at)
        for at in range(4)
    ]
    pieces += [said("s", f"word{at} thing{at} stuff{at}", f"m{at}") for at in range(4)]
    none = assemble(pieces, budget=60, count=count_words, quotas=Quotas(summaries=0))
    assert {line.piece.section for line in none.lines} == {Section.MEMORIES}
    some = assemble(pieces, budget=60, count=count_words, quotas=Quotas(summaries=0.25))
    assert {line.piece.section for line in some.lines} == {Section.SUMMARIES, Section.MEMORIES}


def test_what_does_not_fit_is_counted_and_smaller_ones_are_tried() -> None:
    """A long row does not keep a short one out."""
    pieces = [memory("long", " ".join(f"w{n}" for n in range(80)), score=2), memory("short", "green tea")]
    made = assemble(pieces, budget=20, count=count_words)
    assert [line.piece.id for line in made.lines] == ["short"]
    assert made.left_out[Section.MEMORIES] == 1


def test_nothing_to_say() -> None:
    """No title stands alone."""
    made = assemble([], budget=50, count=count_words)
    assert (made.text, made.tokens, made.lines) == ("", 0, ())


@given(
    st.lists(st.tuples(st.sampled_from(Section), st.text("ab c", min_size=1, max_size=60), st.integers(0, 5))),
    st.integers(0, 80),
)
def test_never_over_the_budget(rows: list[tuple[Section, str, int]], budget: int) -> None:
    """By the count of the text that is answered; each piece is a line, left out or said."""
    pieces = [piece(section, f"p{at}", text, day=day, score=day) for at, (section, text, day) in enumerate(rows)]
    made = assemble(pieces, budget=budget, count=len)
    assert made.tokens == len(made.text) <= budget
    assert len(made.lines) + sum(made.left_out.values()) + made.already_said == len(pieces)


def _filled(pieces: list[Piece], budget: int, query: str = "") -> list[str]:
    """The lines of a context, without their numbers."""
    return [line.quote for line in assemble(pieces, budget=budget, count=count_words, query=query).lines]


def test_each_sentence_of_a_long_memory_is_weighed_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not again for each other sentence of it that is taken."""
    weighed = create_autospec(_Taking._worth, side_effect=_Taking._worth)
    monkeypatch.setattr(_Taking, "_worth", weighed)
    text = " ".join(f"Pavel{number} sold {number} kettles at market{number}." for number in range(120))

    assert _filled([memory("long", text)], 200, "Who sold kettles?")
    assert weighed.call_count < 120 * 12


def test_of_a_long_memory_the_sentences_that_matter_are_there() -> None:
    """Where not all of them fit; it says that it is an excerpt, and marks what is left out between."""
    text = (
        "We painted the fence. Ana sold her green canoe to Ben. The rain never stopped. Ben keeps the canoe in a shed."
    )
    made = assemble([memory("m1", text)], budget=20, count=count_words, query="Who has the canoe?")
    (line,) = made.lines
    assert line.quote == "Ana sold her green canoe to Ben. \u2026 Ben keeps the canoe in a shed."
    assert line.excerpt
    whole = assemble([memory("m1", text)], budget=99, count=count_words, query="Who has the canoe?")
    assert (whole.lines[0].quote, whole.lines[0].excerpt) == (text, False)


@pytest.mark.parametrize("filler", ["JONAH!", "Thanks!", "Good morning!", "Wow, that's great!"])
def test_fillers_take_no_room(filler: str) -> None:
    """However much there is; beside what is told they are left out of its line."""
    pieces = [memory("m1", filler, score=2), memory("m2", f"{filler} The wedding is in the old mill.")]
    assert _filled(pieces, 200, "Where is the wedding?") == ["The wedding is in the old mill."]


@pytest.mark.parametrize("call", ["JONAH!", "Wow, Jonah!", "Hey Jonah!"])
def test_who_is_called_is_not_who_is_asked_for(call: str) -> None:
    """A name in a shout takes no room because the question has it as well."""
    pieces = [memory("m1", call, score=2), memory("m2", "Jonah: The wedding is in the old mill.")]
    assert _filled(pieces, 200, "Where is Jonah's wedding?") == ["Jonah: The wedding is in the old mill."]


@pytest.mark.parametrize("reaction", ["I am so proud of you!", "That looks amazing!", "What a pop!"])
def test_reactions_come_behind_what_tells(reaction: str) -> None:
    """Where not both fit, although they were found first."""
    pieces = [memory("m1", reaction, score=1.01), memory("m2", "Ben sold the green canoe to Cid.")]
    assert _filled(pieces, 13) == ["Ben sold the green canoe to Cid."]


def test_what_somebody_is_or_may_not_is_no_shout() -> None:
    """A name with "is" hung on it tells of somebody; behind what is asked for, a no is its answer."""
    pieces = [memory("m1", "Bob's allergic to nuts.", score=1.01), memory("m2", "The canoe of Cid was green.")]
    assert _filled(pieces, 9, "What is Bob allergic to?") == ["Bob's allergic to nuts."]
    assert _filled([memory("m1", "Nuts, no!")], 99, "Can Ben eat nuts?") == ["Nuts, no!"]


def _talk(*turns: str) -> list[Piece]:
    """Turns of one day, a minute apart, each with its speaker before it."""
    rows = []
    for minute, (speaker, _, text) in enumerate(turn.partition(": ") for turn in turns):
        at = FIRST + timedelta(minutes=minute)
        rows.append(replace(memory(f"t{minute}", text, speaker=speaker, relevance=0.2), created_at=at))
    return rows


@pytest.mark.parametrize("turn", ["Ben: Oh Ana.", "Ben: ANA.", "Ben: You're an angel."])
def test_a_call_or_praise_takes_no_room(turn: str) -> None:
    """Although the question has the name as well; behind a question it may be the answer."""
    talk = _talk("Ana: We need a new wardrobe.", turn, "Ana: The concert is on 3 May.")
    assert turn.removeprefix("Ben: ") not in _filled(talk, 200, "When is Ana's concert?")
    answering = _talk("Cid: Who told you?", turn, "Ana: The concert is on 3 May.")
    assert turn.removeprefix("Ben: ") in _filled(answering, 200, "When is Ana's concert?")


def test_what_points_back_at_nothing_that_matters_comes_late() -> None:
    """It may be an answer in other words, and stays where there is room; beside a turn on the question it counts."""
    talk = _talk(
        "Ana: The wardrobe fell down.",
        "Ben: It was a thud.",
        "Ana: We had bought the red bench.",
        "Cid: The fair begins soon.",
    )
    assert "It was a thud." in _filled(talk, 200, "When does the fair begin?")
    assert "It was a thud." not in _filled(talk, 24, "When does the fair begin?")
    assert "It was a thud." in _filled(talk, 24, "How did the wardrobe sound?")


@pytest.mark.parametrize("turn", ["Ben: Wardrobe, no!", "Ben: With Ana.", "Ben: At 9.", "Ben: That's my mother."])
def test_a_turn_that_may_say_it_stays(turn: str) -> None:
    """A no, a name that may be an answer, a figure, a person."""
    talk = _talk("Ana: I listened how the bench fell.", turn, "Ana: The concert is on 3 May.")
    assert turn.removeprefix("Ben: ") in _filled(talk, 200, "What did the wardrobe sound like?")


def test_a_statement_in_as_many_words_takes_the_place_of_a_memory() -> None:
    """It stands below what it is about, and says when; beside a much shorter memory it does not."""
    told = memory("m1", "Ana drinks her oolong tea with honey now.", day=1)
    same = said("s1", "Ana drinks her oolong tea with honey now.", "m1", day=1, subject="Ana: tea")
    made = assemble([told, same], budget=99, count=count_words)
    assert made.text.splitlines() == [
        "Summaries:", "Ana: tea:", "[1] 18 February 2026: Ana drinks her oolong tea with honey now."
    ]  # fmt: skip
    longer = replace(same, text=f"{same.text} So she told Ben, who sells it, and Cid, who grows it.")
    assert [line.piece.id for line in assemble([told, longer], budget=99, count=count_words).lines] == ["m1"]


def test_what_is_so_now_stands_first_below_its_subject() -> None:
    """In the order of the summary; the subject that answers best is the first."""
    pieces = [
        said("s1", "Ana gave up sugar.", "x1", day=9, subject="tea", place=0),
        said("s1", "Ana drinks oolong.", "x2", day=1, subject="tea", place=1),
        said("s2", "Ben sails a canoe.", "x3", day=0, subject="boats", score=3),
    ]
    made = assemble(pieces, budget=99, count=count_words)
    assert [line.piece.source_ids for line in made.lines] == [("x3",), ("x1",), ("x2",)]


def test_what_was_so_is_not_read_before_what_is_so_now() -> None:
    """Where a summary is quoted, the newer value of it is no line below; the weakest memory goes for its room."""
    pieces = [
        memory("m1", "The wedding is on 22 August in the old mill by the river.", score=2, day=1),
        memory("m2", "New wedding date: 12 September. The trio can make it.", score=1.4, day=9),
        memory("m3", "A captain sold the canoe.", score=0.2, day=3),
        said(
            "s", "New wedding date: 12 September (as of 26 February 2026). The trio can make it.", "m2", day=9, place=0
        ),
        said("s", "The wedding is on 22 August in the old mill by the river.", "m1", day=1, place=1),
    ]
    wedding = [
        replace(piece, subject="wedding", tier=Tier.CLUSTER) if piece.section is Section.SUMMARIES else piece
        for piece in pieces
    ]
    for budget in range(30, 50):
        made = assemble(wedding, budget=budget, count=count_words, query="When is the wedding?")
        sections = {line.piece.created_at.day: line.piece.section for line in made.lines}
        assert sections[18] is not Section.SUMMARIES or sections[26] is Section.SUMMARIES
        assert "as of" not in made.text
    assert made.text.splitlines()[1:4] == [
        "wedding:", "[1] 26 February 2026: New wedding date: 12 September. The trio can make it.",
        "[2] 18 February 2026: The wedding is on 22 August in the old mill by the river.",
    ]  # fmt: skip


def test_a_statement_that_says_several_memories_takes_their_place() -> None:
    """In fewer tokens than they, where there is no room for both; both are said."""
    pieces = [
        memory("m1", "You know, Ana told me she drinks oolong these days."),
        memory("m2", "And she takes it with honey, does Ana, her oolong."),
        said("s1", "Ana drinks oolong with honey.", "m1", "m2"),
    ]
    made = assemble(pieces, budget=25, count=count_words, query="What does Ana drink?")
    assert "s1" in [line.piece.id for line in made.lines]
    assert len(made.lines) + made.already_said == len(pieces)


def test_statements_stand_together_by_subject_each_with_its_day() -> None:
    """The subject above them, whatever lies between in time; the newest first."""
    pieces = [
        said("s1", "Ana drinks oolong.", "x1", day=1, subject="tea", score=3),
        said("s2", "Ben sails.", "x2", day=2, subject="boats", score=2),
        said("s3", "Ana gave up sugar.", "x3", day=3, subject="tea"),
    ]
    made = assemble(pieces, budget=99, count=count_words)
    assert made.text.splitlines() == [
        "Summaries:", "tea:", "[1] 20 February 2026: Ana gave up sugar.",
        "[2] 18 February 2026: Ana drinks oolong.", "boats:", "[3] 19 February 2026: Ben sails.",
    ]  # fmt: skip


def test_dates_are_resolved_where_they_were_said() -> None:
    """In square brackets; not the day that stands above the line, and nothing where several days come together."""
    day = FIRST.date()
    pieces = [memory("m1", "I sailed to Oban yesterday. Today it rains.", said_on=day)]
    assert _filled(pieces, 99) == ["I sailed to Oban yesterday [16 February 2026]. Today it rains."]
    assert _filled([replace(pieces[0], said_on=None)], 99) == ["I sailed to Oban yesterday. Today it rains."]


def test_the_same_on_another_day_comes_last() -> None:
    """Repetitions take room only where nothing else needs it."""
    pieces = [memory(f"m{at}", "I am allergic to walnuts.", day=at, score=9 - at) for at in range(3)]
    pieces.append(memory("m9", "I carry a pen for it.", score=1, day=9))
    assert len(_filled(pieces, 20)) == 2
    assert "I carry a pen for it." in _filled(pieces, 20)


def test_a_sentence_answers_with_a_word_in_another_form() -> None:
    """Of a long memory the sentence is there that has the word of the question as its language puts it."""
    text = "Der Vertrag kam am Montag mit der Post aus Jever. Eine Wohnung bleibt hell. Der Keller bleibt stets dunkel."
    context = assemble([memory("m", text)], budget=13, count=count_words, query="Wie sind Wohnungen?")
    assert "Eine Wohnung bleibt hell" in context.text
    assert "Vertrag" not in context.text


def test_a_year_stands_once_above_its_days() -> None:
    """The newest day first, and again where another year begins."""
    pieces = [memory(f"m{at}", f"Ana sold {at} canoes.", day=day) for at, day in ((2, 0), (3, 1), (4, 400))]
    assert assemble(pieces, budget=99, count=count_words).text.splitlines() == [
        "Memories:", "2027", "24 March", "[1] Ana sold 4 canoes.",
        "2026", "18 February", "[2] Ana sold 3 canoes.", "17 February", "[3] Ana sold 2 canoes.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("When did Ana sell the canoe?", "The canoe went on 3 May."),
        ("Wann hat Ana das Kanu verkauft?", "The canoe went on 3 May."),
        ("How many canoes did Ana sell?", "Of the canoes two are gone."),
        ("Where did Ana sell the canoe?", "The canoe is in Oban."),
    ],
)
def test_what_has_the_kind_of_thing_that_is_asked_for_comes_first(query: str, answer: str) -> None:
    """A day, a number or a place by its name: of two memories alike the one that has it."""
    pieces = [memory("m1", "The canoe is rather old and heavy."), memory("m2", answer)]
    pieces = [replace(piece, relevance=0.4) for piece in pieces]
    assert [line.piece.id for line in assemble(pieces, budget=16, count=count_words, query=query).lines] == ["m2"]
    assert [line.piece.id for line in assemble(pieces, budget=16, count=count_words, query="canoe").lines] == ["m1"]


def test_of_a_long_text_nobody_knows_what_it_asks_for() -> None:
    """A whole talk that begins with "when" asks for no day."""
    talk = f"When I was young, {'and so on, ' * 20} how many there were, and where"
    assert Wanted(talk).fitting(["In Oban there were 3."], [True]) == 0
    assert Wanted("When were there any?").fitting(["In Oban there were 3."], [False]) > 0


def test_what_only_asks_the_same_takes_no_room_while_other_rows_would() -> None:
    """It stands where room is left."""
    asked = memory("asked", "When is the boiler serviced this year?", score=2.0, asks_again=True)
    notes = [memory(f"note {at}", f"The boiler man number {at} comes in May.", score=0.5) for at in range(3)]
    small = assemble([asked, *notes], budget=24, count=count_words, query="When is the boiler serviced?")
    assert "asked" not in {line.piece.id for line in small.lines}
    assert small.lines
    large = assemble([asked, *notes], budget=200, count=count_words, query="When is the boiler serviced?")
    assert {line.piece.id for line in large.lines} == {"asked", "note 0", "note 1", "note 2"}


def test_what_became_of_it_is_named_or_stands_in_its_place() -> None:
    """A cancelled appointment is never read alone where there is room for one of both."""
    older = memory("older", "Dentist on Tuesday at three.", score=1.0, later="newer")
    newer = memory("newer", "The dentist appointment of this week is cancelled.", score=0.4, day=2)
    both = assemble([older, newer], budget=100, count=count_words, query="When is the dentist?")
    assert [line.text for line in both.lines] == [
        "[1] The dentist appointment of this week is cancelled.",
        "[2] (later: [1]) Dentist on Tuesday at three.",
    ]
    for score, stays in ((0.4, "older"), (1.1, "newer")):
        rows = [older, replace(newer, score=score)]
        one_of_both = assemble(rows, budget=17, count=count_words, query="When is the dentist?")
        assert [line.piece.id for line in one_of_both.lines] == [stays]
    alone = assemble([older], budget=100, count=count_words, query="When is the dentist?")
    assert [line.text for line in alone.lines] == ["[1] Dentist on Tuesday at three."]


def test_a_name_of_whose_memory_it_is_makes_no_sentence_likelier() -> None:
    """As recall does not look for it either."""
    text = "Hanne writes this book for herself alone. The spare key lies under the pot."
    found = memory("note", text)
    query = "Where is the spare key of Hanne?"
    assert Asking(query, [frozenset()]).terms - Asking(query, [frozenset()], {"hann"}).terms == {"hann"}
    context = assemble([found], budget=16, count=count_words, query=query, own={"hann"})
    assert [line.quote for line in context.lines] == ["The spare key lies under the pot."]


def test_the_newer_value_stands_with_what_it_may_renew_and_before_it() -> None:
    """Though nothing of it is asked for and it would not be there by itself."""
    old = memory("old", "The choir sings on Tuesdays.", score=1.0, relevance=0.9)
    new = memory("new", "The hall is taken, Thursdays from May on.", score=0.0, relevance=0.0, day=9)
    others = [memory(f"m{at}", f"Somebody sang about {at} ships.", score=0.8, relevance=0.5) for at in range(9)]
    for renews, there in ({}, False), ({"old": 0.5}, True):
        pieces = [old, *others, replace(new, renews=renews)]
        lines = assemble(pieces, budget=40, count=count_words, query="When does the choir sing?").lines
        assert ("new" in {line.piece.id for line in lines}) == there
    assert lines[0].piece.id == "new"


def test_no_statement_of_an_older_value_stands_before_what_may_renew_it() -> None:
    """Of a summary that has the newer one as well it may: what it says first is what is so now."""
    pieces = [
        memory("old", "Nobody but Ivo feeds the hens at six.", score=1.0),
        memory("new", "Ivo is off, Ruta feeds them.", score=0.2, day=9, renews={"old": 0.4}),
        said("s", "Nobody but Ivo feeds the hens at six.", "old", subject="hens"),
    ]
    query = "Who feeds the hens?"
    assert [line.piece.id for line in assemble(pieces, budget=90, count=count_words, query=query).lines] == [
        "new",
        "old",
    ]
    pieces.append(said("s", "Ivo is off, Ruta feeds them.", "new", day=9, subject="hens", place=1))
    made = assemble(pieces, budget=90, count=count_words, query=query)
    assert [(line.piece.id, line.piece.source_ids) for line in made.lines] == [("s", ("new",)), ("s", ("old",))]


def test_a_statement_that_a_later_one_may_contradict_keeps_as_of() -> None:
    """The first of its summary is what is so now."""
    text = "Ivo feeds the hens (as of 17 February 2026)."
    for place, shown in ((0, "[1] 17 February 2026: Ivo feeds the hens."), (1, "[1] as of 17 February 2026: Ivo")):
        made = assemble([said("s", text, "x", subject="hens", place=place)], budget=40, count=count_words)
        assert shown in made.text


def test_what_an_insight_says_stands_nowhere_else() -> None:
    """Neither as a memory nor as a statement."""
    text = "Ruta feeds the hens at six."
    pieces = [
        piece(Section.INSIGHTS, "week", text, source_ids=("m",)),
        said("s", text, "m", subject="hens"),
        memory("m", text, day=0),
    ]
    made = assemble(pieces, budget=90, count=count_words, query="Who feeds the hens?", quotas=Quotas(insights=1))
    assert [line.piece.id for line in made.lines] == ["week"]


@pytest.mark.parametrize("section", [Section.SUMMARIES, Section.INSIGHTS])
def test_no_older_statement_stands_above_the_newer_line_that_answers(section: Section) -> None:
    """It is quoted below it, among the memories, by day; who asks how it was reads what the summary says."""
    old, new = "Odo keeps the ferry key at weekends.", "The ferry key is with Runa at weekends."
    pieces = [
        piece(section, "s", old, source_ids=("old",), subject="Odo: ferry", score=0.9, day=1),
        memory("old", old, score=0.9, day=1),
        memory("new", new, score=1.0, day=8),
    ]
    quotas = Quotas(insights=1)
    made = assemble(pieces, budget=90, count=count_words, query="Who keeps the ferry key?", quotas=quotas)
    assert [line.piece.id for line in made.lines] == ["new", "old"]
    before = assemble(pieces, budget=90, count=count_words, query="Who kept the ferry key before?", quotas=quotas)
    assert "s" in [line.piece.id for line in before.lines]


def test_an_older_statement_on_something_else_stays_in_its_summary() -> None:
    """The newer line has not the words of the question that the statement has."""
    pieces = [
        said("s", "Odo keeps the ferry key.", "old", subject="Odo: ferry", score=0.9, day=1),
        memory("old", "Odo keeps the ferry key.", score=0.9, day=1),
        memory("new", "The ferry is painted green.", score=0.3, day=8),
    ]
    made = assemble(pieces, budget=90, count=count_words, query="Who keeps the ferry key?")
    assert [line.piece.id for line in made.lines] == ["s", "new"]


def test_an_older_insight_stands_above_no_newer_line_with_a_word_of_the_question() -> None:
    """It stands above all else, so that it is what is read where the room is small."""
    pieces = [
        piece(Section.INSIGHTS, "month", "The terrace opens on 15 May.", source_ids=("old",), score=0.9, day=1),
        memory("old", "The terrace opens on 15 May.", score=0.9, day=1),
        memory("new", "No permit yet, so the terrace will be 29 May.", score=0.3, day=8),
    ]
    quotas, query = Quotas(insights=1), "When does the terrace open?"
    made = assemble(pieces, budget=90, count=count_words, query=query, quotas=quotas)
    assert [line.piece.id for line in made.lines] == ["new", "old"]
    made = assemble(pieces[:2], budget=90, count=count_words, query=query, quotas=quotas)
    assert [line.piece.id for line in made.lines] == ["month"]


def test_who_is_named_before_a_text_of_the_user_says_all_of_it() -> None:
    """A talk of several that one of them writes down; of a sentence further on it is told as well."""
    talk = memory("m", "Tomasz: The chipper broke. The repair takes a week.", speaker="user", score=1)
    made = assemble([talk], budget=60, count=count_words, query="How long does the repair take?")
    assert "[1] Tomasz: " in made.text
    assert "user: " not in made.text


def test_of_what_is_passed_by_a_newer_line_no_statement_of_any_summary_stands_above_it() -> None:
    """A day, a week, a month and a conversation may say the same of one memory."""
    old, new = "Odo keeps the ferry key at weekends.", "The ferry key is with Runa at weekends."
    pieces = [memory("old", old, score=0.9, day=1), memory("new", new, score=1.0, day=8)]
    pieces += [said(f"s{at}", old, "old", subject=f"ferry {at}", score=0.9, day=1) for at in range(6)]
    made = assemble(pieces, budget=90, count=count_words, query="Who keeps the ferry key?")
    assert [line.piece.id for line in made.lines] == ["new", "old"]


_ADVICE = "Keep a list. The agency may help. Ask early. The kettle is best at noon. Milk comes later. Take a long walk."


def test_of_a_long_answer_of_an_assistant_only_what_bears_on_the_question_is_there() -> None:
    """Advice that would fit any question takes no room, however much there is; what a person tells stays."""
    query = "Where is the kettle?"
    for speaker, quote in (
        ("assistant", "Keep a list. \u2026 The kettle is best at noon. Milk comes later."),
        ("Ana", _ADVICE),
        ("user", _ADVICE),
        ("human", _ADVICE),
    ):
        made = assemble([memory("m", _ADVICE, speaker=speaker)], budget=90, count=count_words, query=query)
        assert [line.quote for line in made.lines] == [quote]
    short = assemble(
        [memory("m", "Keep a list. Milk comes later.", speaker="assistant")], budget=90, count=count_words, query=query
    )
    assert [line.quote for line in short.lines] == ["Keep a list. Milk comes later."]


def test_a_statement_of_a_long_answer_is_cut_as_a_memory_is() -> None:
    """Where nothing else says it, by its sentences; where memories do, they do."""
    query, text = "Where is the kettle?", f"assistant: {_ADVICE}"
    alone = assemble([said("s", text, "gone", subject="tea")], budget=90, count=count_words, query=query)
    quote = "assistant: Keep a list. \u2026 The kettle is best at noon. Milk comes later."
    assert [line.quote for line in alone.lines] == [quote]
    longer = " ".join(f"The {color} door of the barn sticks in the rain." for color in ("red", "blue", "old", "low"))
    told = f"The kettle stands in the barn. {longer}"
    pieces = [memory("m", told), said("s", told, "m", subject="tea")]
    made = assemble(pieces, budget=30, count=count_words, query=query)
    assert [line.piece.id for line in made.lines] == ["m"]
