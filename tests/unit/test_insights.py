"""Key insights: a choice of the statements, spread over people and subjects, without reactions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.checks.reactions import is_aside
from precis.checks.trifles import is_trifle
from precis.engine.segments import Kind
from precis.extractive.candidate import Candidate
from precis.extractive.selection import cover
from precis.extractive.summarizer import summarize
from precis.language.newest.followed import followed
from precis.language.newest.slots import Said
from precis.makers import Item, Request
from precis.models.tokens import counter
from precis.policies.clusters import clusters
from precis.policies.insights import insights
from precis.policies.rollups import rollups
from precis.policies.views import views
from precis.summary import Statement


def said(text: str, importance: float = 0.6) -> Statement:
    """A statement."""
    return Statement(text=text, importance=importance, source_ids=("n",))


@given(st.lists(st.floats(0, 1), max_size=40), st.integers(1, 12))
def test_they_are_fewer_than_the_statements(scores: list[float], most: int) -> None:
    """Three where there are three; of more about two thirds, never all, and best first."""
    served = [said(f"Crate {at} went to dock {at}.", score) for at, score in enumerate(scores)]
    best = insights(served, most=most)
    assert len(best) <= most
    assert len(best) == len(served) if len(served) <= min(3, most) else len(best) < len(served)
    assert [one.importance for one in best] == sorted((one.importance for one in best), reverse=True)


def test_they_are_spread_over_people_and_subjects() -> None:
    """A fourth statement on one subject goes behind the first on another."""
    orchard = [said(f"Ines: The pear orchard needs pruning in row {row}.", 0.7) for row in ("one", "nine", "ten")]
    others = [said("Omar: The ferry license was renewed.", 0.65), said("Ines: The loan is paid off.", 0.65)]
    best = {statement.text for statement in insights([*orchard, *others], most=3)}
    assert {others[0].text, others[1].text} <= best


def test_what_shares_a_name_with_another_is_not_behind_what_is_less_important() -> None:
    """A matter that came back is told of with the same names, and is the main thing for it."""
    matter = [
        said("Ines: The lender in Porto wants nine percent.", 0.8), said("Ines: I dropped the lender in Porto.", 0.75)
    ]  # fmt: skip
    others = [
        said(f"Ines: {text}", 0.6)
        for text in ("A gull ate my lunch.", "The kettle whistles at dawn.", "Somebody plays the tuba upstairs.")
    ]
    assert {one.text for one in matter} <= {one.text for one in insights([*others, *matter], most=3)}


def test_two_thirds_are_told() -> None:
    """Of nine statements six."""
    assert 6 == len(insights([said(f"The crate {at} went to dock {at}.") for at in range(9)], most=10))


def test_reactions_and_questions_are_none() -> None:
    """However important they are scored, unless there is nothing else."""
    reaction, question = said("Ines: Wow, that is amazing!", 0.9), said("Omar: When does the ferry leave?", 0.9)
    facts = [said(f"Omar: The ferry {name} leaves at {hour}.") for hour, name in enumerate(("Astrid", "Borg", "Cato"))]
    assert not {reaction.text, question.text} & {one.text for one in insights([reaction, question, *facts], most=10)}
    assert [reaction] == insights([reaction], most=10)


def test_what_nobody_understands_alone_is_none() -> None:
    """Unless there is little else, what opens on somebody who is named elsewhere is not among them."""
    she = said("She's mostly worked in hospitals.", 0.9)
    others = [said("Ona fits the stairs on 4 May."), said("Piet sold the barn."), said("Uwe has asthma.")]
    assert she.text not in [one.text for one in insights([she, *others], most=10)]
    assert she.text in [one.text for one in insights([she, *others[:2]], most=10)]


def test_what_holds_of_everybody_is_none() -> None:
    """Somebody would tell of the ferry."""
    general = said("Ines: Spending time outdoors is important.", 0.9)
    facts = [said(f"Omar: The ferry {name} leaves at {hour}.") for hour, name in enumerate(("Astrid", "Borg", "Cato"))]
    sayings = {said("Life is short.", 0.9), said("Problem solved.", 0.9)}  # in a note, too
    assert {general, *sayings}.isdisjoint(insights([general, *sayings, *facts], most=10))


def test_what_was_moved_is_told_as_it_is_now() -> None:
    """Whoever moved it; what else is told beside the older day stays, and who is named with it."""
    moved = [said("Rolf: Vigo wants the puppets from 3 to 9 September.", 0.9), said("Rolf: They moved Vigo to May.")]
    party = [
        said("Oona turns 60. The party is on 13 June.", 0.9), said("The party has been moved to 20 June."),
        said("The kiln was lit."), said("The ferry was late.")
    ]  # fmt: skip
    named = [said("The new head, Zita, holds the training on 3 June.", 0.9), said("The training is moved to 9 June.")]
    assert followed([Said(each.text, None, at) for at, each in enumerate(named)])
    assert named[0] in insights([*named, *party[2:]], most=10)
    other = [said(f"Rolf: The {what} is painted green.") for what in ("cart", "stage", "door")]
    assert moved[0] not in (best := insights([*moved, *other], most=10))
    assert moved[1] in best
    assert set(party[:2]) <= set(insights(party, most=10))


@given(read=st.integers(100, 6_000), items=st.integers(10, 300))
def test_a_summary_of_many_takes_less_than_half(read: int, items: int) -> None:
    """Of a cluster and of a view; few members are not pressed, nor is what was condensed before."""
    for policy in (clusters(), views()):
        limit = policy.budget.summary_tokens
        room = policy.budget.for_kind
        assert max(40, read // 2) >= room(Kind.ROOT, read, sources=items)
        assert min(limit, 120) <= room(Kind.ROOT, read, sources=9) <= limit
        assert limit == room(Kind.ROOT, read, sources=items, condensed_from=2 * read)


@given(read=st.integers(100, 6_000), items=st.integers(10, 300))
def test_a_week_of_many_notes_takes_less_than_half(read: int, items: int) -> None:
    """And a month less than its weeks; a week of few notes is not pressed."""
    week, month = rollups()["week"].budget, rollups()["month"].budget
    assert week.for_kind(Kind.ROOT, read, sources=items) < read / 2
    assert month.for_kind(Kind.ROOT, read, sources=items, condensed_from=2 * read) < read
    assert month.for_kind(Kind.ROOT, read, sources=items + 10, condensed_from=read) <= max(240, read / 2)
    assert 120 == week.for_kind(Kind.ROOT, 100, sources=4)
    assert week.for_kind(Kind.ROOT, read, sources=items, condensed_from=read) < read / 2


def quoted(texts: Sequence[str], *, days: int, limit: int) -> list[str]:
    """The statements of what one person said so many days apart."""
    items = tuple(
        Item(text=text, source_ids=(text,), created_at=datetime(2024, 5, 1 + at * days, tzinfo=UTC), speaker="Ola")
        for at, text in enumerate(texts)
    )
    draft = summarize(Request(items=items, max_tokens=limit, prompt=""), counter())
    return [statement.text for statement in draft.statements]


def test_of_several_days_what_lasts_stands_before_the_color_of_one() -> None:
    """A decision and a rent are told of a week; turns of one day are all as new."""
    texts = (
        "The toaster burned two crumpets and a napkin.", "We decided to sell the house in Leiden.",
        "A gull took the sandwich off the tray.", "My rent is 700 euros.",
    )  # fmt: skip
    assert [f"Ola: {texts[1]}", f"Ola: {texts[3]}"] == quoted(texts, days=1, limit=22)
    assert [f"Ola: {texts[0]}"] == quoted(texts, days=0, limit=22)


def test_what_is_too_curt_gives_way() -> None:
    """Few words without a figure, a name or a person tell little; they stay where there is room."""
    texts = ("Pigeons adore gossip.", "The kettle whistles every morning in the galley.")
    assert [f"Ola: {texts[1]}"] == quoted(texts, days=0, limit=14)
    assert [f"Ola: {text}" for text in texts] == quoted(texts, days=0, limit=40)


@pytest.mark.parametrize(
    "to_listener", ["Your marlin crates reached the harbor.", "Finally your marlin crates reached the harbor."]
)
def test_what_only_speaks_to_the_listener_gives_way(to_listener: str) -> None:
    """Who tells of a day tells more to who was not there; with room both stand."""
    texts = (to_listener, "The kettle leaks on the table again.")
    assert [f"Ola: {texts[1]}"] == quoted(texts, days=0, limit=14)
    assert [f"Ola: {text}" for text in texts] == quoted(texts, days=0, limit=40)


def test_what_points_back_and_tells_nothing_gives_way() -> None:
    """Of two sentences the second says how it was; a denial may tell that something is not so."""
    texts = ("I made a bowl in my pottery class. It took some work.", "I glazed a jug. It was not fun.")
    expected = ["Ola: I made a bowl in my pottery class.", "Ola: I glazed a jug. It was not fun."]
    assert expected == quoted(texts, days=0, limit=60)


def test_what_is_too_curt_fills_no_room() -> None:
    """Where something better had no room, a few words of nobody are no filling; the room stays empty."""
    texts = (
        "The kettle whistles every morning in the galley.", "Pigeons adore gossip.",
        "The harbor crane dropped eleven crates of marzipan beside the chandlery on Wednesday evening.",
    )  # fmt: skip
    cut = quoted(texts, days=0, limit=30)
    assert 1 == len(cut)
    assert texts[1] not in cut[0]
    assert f"Ola: {texts[1]}" in quoted(texts, days=0, limit=90)


def talked(*turns: tuple[str, str], limit: int) -> list[str]:
    """The statements of a talk of one evening."""
    items = tuple(
        Item(text=text, source_ids=(text,), created_at=datetime(2024, 5, 1, 18, at, tzinfo=UTC), speaker=speaker)
        for at, (speaker, text) in enumerate(turns)
    )
    draft = summarize(Request(items=items, max_tokens=limit, prompt=""), counter())
    return [statement.text for statement in draft.statements]


@pytest.mark.parametrize("answer", ["It's on Cathedral Road behind the mill.", "It belongs to Nils from Ghent."])
def test_an_answer_that_points_back_stands_behind_a_short_question_however_little_room(answer: str) -> None:
    """It costs a few words, and nobody knows without it what "it" is; a long question is quoted where there is room."""
    turns = (("Ola", "Where is the kiln from the market?"), ("Piet", answer), ("Ola", "The gull took my sandwich."))
    for limit in range(8, 40):
        for statement in talked(*turns, limit=limit):
            assert answer not in statement or turns[0][1] in statement


def test_what_is_so_now_leaves_room_for_what_was() -> None:
    """Of a talk of months that tells of many changes, they take a part of the words and not all; of few, all."""

    def choose(changes: int, words: int) -> list[int]:
        options = [
            Candidate(
                item=at, sentence=0, clause=0, text=f"goats {at}", joint="", lead="", sources=(at,), length=10,
                terms=frozenset({"goats", f"gate{at}", "now" if at < changes else f"was{at}"}), lead_length=0,
                changes=at < changes,
            )
            for at in range(changes + 8)
        ]  # fmt: skip
        booked: list[int] = []

        def take(together: Sequence[int]) -> bool:
            fits = 10 * len([*booked, *together]) <= words
            booked.extend(together if fits else ())
            return fits

        terms = frozenset().union(*(option.terms for option in options))
        return cover(options, dict.fromkeys(terms, 4.0), take)

    assert {0, 1, 2} <= set(choose(3, 40))
    assert any(at >= 8 for at in choose(8, 80))


@pytest.mark.parametrize(
    ("aside", "fact"),
    [
        ("I can only imagine how tough those hurdles were.", "I can't imagine life without my dog."),
        ("A crazy thing happened since we last talked.", "Something happened to my sister."),
        ("A lot has changed since our last chat.", "A lot has changed at work: Nora left."),
        ("Life's too short to do anything else!", "My stay in Ghent was too short."),
    ],
)
def test_what_only_announces_or_pictures_is_an_aside(aside: str, fact: str) -> None:
    """That something happened, and how hard it must be, is told where nothing else is."""
    assert is_aside(aside)
    assert not is_aside(fact)


@pytest.mark.parametrize(
    ("trifle", "fact"),
    [
        ("Family moments make life awesome.", "My new knee made life easier."),
        ("It's important that we support each other.", "It's important to lock the back door."),
    ],
)
def test_what_is_so_for_everybody_is_a_trifle(trifle: str, fact: str) -> None:
    """Whoever it is of; a door in particular is of a house."""
    assert is_trifle(trifle)
    assert not is_trifle(fact)


@pytest.mark.parametrize(
    ("confidence", "fact"),
    [
        ("I haven't told anyone yet, but I have debts.", "Nobody knows this better than Ana."),
        ("Promise not to tell: I failed the exam.", "Nobody knows how to fix the boiler."),
        ("Ich habe es noch niemandem erzählt.", "Niemand weiß, wo der Schlüssel ist."),
        ("No se lo he contado a nadie.", "Nadie sabe dónde está la llave."),
        ("Я никому не говорила об этом.", "Никто не знает, где ключ."),
        ("아직 아무한테도 말 안 했어.", "아무도 모르는 길로 갔다."),
        ("بيني وبينك، أنا حامل.", "المسافة بيننا كبيرة جدا."),
        ("किसी को मत बताना, मैं नौकरी छोड़ रही हूँ।", "हमारे बीच झगड़ा हुआ।"),
        ("まだ誰にも言ってない。", "誰も知らない道を歩いた。"),
        ("这件事别跟别人说。", "没人知道钥匙在哪。"),
    ],
)
def test_what_somebody_has_told_nobody_is_told_in_confidence(confidence: str, fact: str) -> None:
    """In whatever words; what nobody knows is no secret for that, and is a key insight."""
    others = [said(f"The ferry {name} leaves on Monday.") for name in ("Astrid", "Borg", "Cato")]
    texts = {each.text for each in insights([said(confidence, 0.9), said(fact, 0.9), *others], most=10)}
    assert confidence not in texts
    assert fact in texts
