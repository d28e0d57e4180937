"""Kinds of telling, what somebody told, exceptions by a name, firms, injuries, and what is told without its noun."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from finding_levels import NOW, levels
from precis.finding.finder import find
from precis.finding.halves import written
from precis.finding.request import read_request
from precis.finding.values import Row


def kept(ask: str, text: str) -> tuple[str, str]:
    """How sure it is of one memory, and what is left of it."""
    rows = find(read_request(ask, NOW.date()), [Row(id="m", text=text, created_at=NOW)]).rows
    return (rows[0].level.name.lower(), written(text, rows[0].keeps)) if rows else ("no", "")


@pytest.mark.parametrize(
    "ask",
    [
        "Forget all the gossip about Sorvik.",
        "Delete my jokes and rumours about Sorvik.",
        "Please forget the stories about Sorvik.",
        "Forget the Sorvik gossip.",
        "Delete the rumours on Sorvik.",
        "Forget the gossip I told you about Sorvik.",
        "Delete my worries about Sorvik.",
        "Delete everything private about Sorvik.",
    ],
)
def test_a_kind_of_telling_is_not_everything(ask: str) -> None:
    """Of somebody's gossip nothing else of them is sure."""
    assert "sure" not in levels(ask, "Sorvik ordered 12 winches.", "Sorvik pays late.", by_memories=True)


@pytest.mark.parametrize(
    "ask",
    [
        "Forget all the facts about Sorvik.",
        "Delete every detail about Sorvik.",
        "Delete any notes or messages about Sorvik.",
        "Forget the whole thing about Sorvik.",
        "Forget Sorvik, that was just gossip.",
        "Forget the story of Sorvik.",
        "Wipe all about my friend Sorvik, but not about our son Felix.",
    ],
)
def test_a_word_for_everything_is_everything(ask: str) -> None:
    """What only says that something is known narrows nothing, nor does why it is asked."""
    assert levels(ask, "Sorvik ordered 12 winches.") == ["sure"]


def test_what_is_told_to_be_gossip_is() -> None:
    """A memory that says of which kind it is."""
    assert levels("Forget all the gossip about Sorvik.", "Gossip: Sorvik is broke.", "Sorvik pays late.") == [
        "sure",
        "doubtful",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Maren Holt at Nyborg can't eat nuts, she nearly ended up in hospital at our dinner.",
        "Tor Viken had an asthma attack in our office.",
        "At our dinner Olga had an asthma attack.",
        "Renata from the depot can't stand dust, she got a fever after our fair.",
    ],
)
def test_where_it_was_makes_an_illness_nobody_elses(text: str) -> None:
    """Of "at our dinner" the dinner is the user's, and no illness."""
    assert "sure" not in levels("Forget what I told you about my health.", text)


@pytest.mark.parametrize(
    "text",
    [
        "I have a slipped disc.",
        "My lower back has been killing me since Sunday.",
        "I'm at physio twice a week.",
        "I broke my wrist on Friday.",
        "I tore a ligament in my knee.",
        "I'm on crutches until May.",
        "Yesterday I had a migraine at our dinner.",
    ],
)
def test_injuries_are_of_health(text: str) -> None:
    """What hurts, breaks or is treated."""
    assert levels("Delete everything about my health.", text) == ["sure"]


@pytest.mark.parametrize(
    "text",
    ["I broke the news to my team.", "The back door is broken.", "I pulled a few strings.", "My son broke his leg."],
)
def test_what_only_sounds_like_an_injury_is_none(text: str) -> None:
    """Doors, news and strings; nor is another's the user's."""
    assert not {"sure", "doubtful"}.intersection(levels("Delete everything about my health.", text))


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("Vergiss alles über meine Gesundheit.", "Ich habe mir das Handgelenk gebrochen."),
        ("Oublie tout sur ma santé.", "J'ai une hernie discale."),
        ("Olvida todo sobre mi salud.", "Me rompí la muñeca el viernes."),
        ("Esqueça tudo sobre a minha saúde.", "Quebrei o braço em maio."),
        ("Dimentica tutto sulla mia salute.", "Mi sono rotto il polso."),
    ],
)
def test_injuries_in_tongues(ask: str, text: str) -> None:
    """The same in the verbs of five languages."""
    assert levels(ask, text) == ["sure"]


@pytest.mark.parametrize(
    ("text", "level", "rest"),
    [
        (
            "Yes. Put a 7 percent discount on it, and payment in 30 days. Ragnar mentioned that their yard is closed.",
            "sure",
            "Yes. Put a 7 percent discount on it, and payment in 30 days.",
        ),
        ("My train leaves at 8:40 and Ragnar says the tracks are wet.", "sure", "My train leaves at 8:40."),
        ("Ragnar told me that they close. They reopen in May.", "sure", ""),
        ("Ragnar told me that they close. The train leaves at nine.", "doubtful", ""),
        ("They close in May. Ragnar told me so.", "doubtful", ""),
        ("Ragnar reckons the owner wants to sell.", "sure", ""),
        ("According to Ragnar the road is closed.", "sure", ""),
        ("Ragnar wants to reopen the price.", "doubtful", ""),
        ("Sat two hours with Ragnar Ek. He says they'll take 600 seals.", "doubtful", ""),
        ("Ragnar's boss said that it rains.", "no", ""),
        ("I called Ragnar. Olga said that it rains.", "no", ""),
        ("Ragnar has three kids.", "no", ""),
        ("Put the pump on hold, Ragnar says it leaks.", "doubtful", ""),
        ("The crane is rusty, Ragnar says.", "sure", ""),
        ("Yesterday at lunch, Ragnar told me that he leaves.", "sure", ""),
    ],
)
def test_of_what_somebody_told_the_rest_stays(text: str, level: str, rest: str) -> None:
    """The half of whoever told it goes; where the rest may be theirs as well, all of it is in doubt."""
    assert kept("Forget everything Ragnar told me.", text) == (level, rest)


@pytest.mark.parametrize(
    "text",
    [
        "You reach Signe at signe@atlas.example and 0151 555 7341, she lives in Ghent.",
        "Ring Signe on 0151 555 7341, she lives in Ghent.",
        "Call Vlad on 0151 555 7340, the alarm code is 9913.",
    ],
)
def test_a_number_takes_nothing_else_along(text: str) -> None:
    """Neither mail nor town nor another number."""
    assert kept("Forget all phone numbers.", text)[0] == "doubtful"


def test_an_exception_is_meant_by_its_name_as_well() -> None:
    """Where another memory has all of its words, too: it stays, and is not in doubt."""
    day = datetime(2026, 2, 18, 9, tzinfo=UTC)
    rows = [
        Row(id="a", text="Aurora's frame contract runs out on 30 September.", created_at=day.replace(month=1)),
        Row(id="b", text="Aurora: Mika likes the draft. Signing in Turku.", created_at=day),
        Row(id="c", text="The contract is in the drawer.", created_at=day),
        Row(id="d", text="The car is clean.", created_at=day),
    ]
    request = read_request("Forget everything we talked about on 18 February except the Aurora contract.", NOW.date())
    shown = {it.id: it.level.name.lower() for it in find(request, rows).rows}
    assert shown == {"b": "near", "c": "near", "d": "sure"}


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("Forget the address of Halden.", "Olle from Halden wants the parcels sent to 14 Harbour Row, Cork."),
        ("Delete the address of Halden.", "Send everything for Halden to Rue du Four 9 in Lyon."),
        ("Forget the prices of Halden.", "Halden pays 38 euros a seal."),
        ("Forget the prices of Halden.", "We agreed with Halden on 52 euros per valve."),
        ("Delete the gate code of Halden.", "The gate at Halden opens with 7719."),
    ],
)
def test_what_is_told_without_its_noun(ask: str, text: str) -> None:
    """A street with a number is an address, money for each a price, and what opens a gate its code."""
    assert levels(ask, text, "Halden has 40 people.")[0] == "sure"
    assert levels(ask, text, "Halden has 40 people.")[1] not in {"sure", "doubtful"}


@pytest.mark.parametrize(
    ("ask", "texts", "expected"),
    [
        ("Delete everything about Brandtner AG.", ["Brandtner let it lapse.", "Brandt pays."], ["sure", "no"]),
        ("Forget all about Rossini S.p.A.", ["Rossini wants a discount."], ["sure"]),
        ("Forget everything about Kerrigan & Co.", ["Kerrigan ordered 4 lamps."], ["sure"]),
        (
            "Forget everything about Tolvik AG.",
            ["Tolvik pays late.", "Tolvik GmbH pays early.", "Tolvik AG pays on time."],
            ["doubtful", "doubtful", "sure"],
        ),
        (
            "Forget everything about Tolvik UG.",
            ["Tolvik pays late.", "Tolvik Marine pays early.", "Tolvik UG pays on time."],
            ["doubtful", "doubtful", "sure"],
        ),
        ("Forget everything about Maria Sá.", ["Maria pays late."], ["doubtful"]),
    ],
)
def test_a_legal_form_is_no_part_of_a_name(ask: str, texts: list[str], expected: list[str]) -> None:
    """Unless a memory knows another firm of that name."""
    assert levels(ask, *texts) == expected
