"""Requests as people type them: prefaces, politeness, letters, slips of typing, and what speaks against forgetting."""

from __future__ import annotations

import sys
from collections import Counter
from datetime import UTC, date, datetime
from unittest.mock import Mock

import pytest

from precis.finding import names
from precis.finding.finder import find
from precis.finding.grounded.findings import joined
from precis.finding.grounded.requests import grounded
from precis.finding.request import read_request
from precis.finding.spelling import corrected, with_known_frame
from precis.finding.values import Finding, Findings, Level, Row
from precis.models.embeddings import StaticEmbedder
from precis.models.embeddings.nearness import kin_by

TODAY = date(2026, 11, 20)
EMBEDDER = StaticEmbedder()

PHRASINGS = """
Under article 17 GDPR I request erasure of {x}|I exercise my right to be forgotten regarding {x}|{x}... just drop it
Hello, I hope you are well. Please delete everything concerning {x}. Best regards|the customer asks us to delete {x}
sorry to bother you but could you delete {x}|if it's not too much trouble, please forget {x}|never mind {x}
I would be grateful if {x} were forgotten|remove {x} from our chat history|take {x} off the list|no more about {x}
nothing on {x} please|never bring {x} up again|i dont want u to know about {x}|ignore {x} from now on|let go of {x}
anything you stored about {x}|{x}, you know? Out with it all|cut {x} out|pretend {x} never happened|kindly purge {x}
""".strip().replace("\n", "|")

AGAINST = """
it would be a mistake to delete {x}|don't you dare forget {x}|under no circumstances delete {x}|refuse to delete {x}
the customer does not want us to delete {x}|please refrain from deleting {x}|I object to the deletion of {x}
it is forbidden to delete {x}|I'm against deleting {x}|why did you delete {x}?|as agreed, do not remove {x}
""".strip().replace("\n", "|")


def levels(ask: str, *texts: str) -> list[str]:
    """How sure it is of each of these memories."""
    request = read_request(ask, TODAY)
    vectors = EMBEDDER.vectors(list(texts)) @ EMBEDDER.vectors(list(request.phrases)).T
    rows = [
        Row(
            id=f"r{at}", text=text, created_at=datetime(2026, 11, 1, at, tzinfo=UTC), session_id="s",
            likeness=tuple(map(float, vectors[at])),
        )
        for at, text in enumerate(texts)
    ]  # fmt: skip
    listed = {finding.id: finding.level for finding in find(request, rows, kin=kin_by(EMBEDDER)).rows}
    return [listed.get(row.id, Level.NO).name.lower() for row in rows]


@pytest.mark.parametrize("phrasing", PHRASINGS.split("|"))
def test_a_name_is_what_is_left_of_a_request(phrasing: str) -> None:
    """However it is put, the request is about the person it names, and about nothing else."""
    request = read_request(phrasing.format(x="Odile"), TODAY)
    assert [(subject.names, subject.parts) for subject in request.subjects] == [((("odile",),), ())]
    assert (request.refuses, request.unclear, request.keeps) == (False, False, ())


@pytest.mark.parametrize("phrasing", AGAINST.split("|"))
def test_what_speaks_against_forgetting_is_refused(phrasing: str) -> None:
    """Talk of deleting that asks not to, or only asks about it, is no request to forget."""
    assert read_request(phrasing.format(x="Odile"), TODAY).refuses


def test_slips_of_typing_are_read() -> None:
    """Words that requests are made of are corrected at once, others where just one word is one slip away."""
    assert with_known_frame("delte everythign about my rent") == "delete everything about my rent"
    assert corrected("frget my medcation", EMBEDDER.is_word) == ("forget my medication", True)
    assert corrected("forget my salery", EMBEDDER.is_word) == ("forget my salary", False)


@pytest.mark.parametrize("ask", ["my garmin", "vergiss alles über Karsten", "borra lo de mi divorcio", "I sleep badly"])
def test_what_is_no_slip_is_left_alone(ask: str) -> None:
    """Names of things, other languages and words that no table of nouns has are read as they are written."""
    assert corrected(ask, EMBEDDER.is_word)[0] == ask


def test_a_reading_with_another_letter_is_in_doubt() -> None:
    """What only a doubtful correction finds is in doubt; what the request finds as written stands."""
    written = Findings(rows=(Finding(id="a", level=Level.DOUBTFUL, why=""),))
    again = Findings(rows=(Finding(id="b", level=Level.SURE, why=""),))
    rows = {finding.id: finding.level for finding in joined(written, again, clear=False).rows}
    assert rows == {"a": Level.DOUBTFUL, "b": Level.DOUBTFUL}
    assert joined(written, again, clear=True).of(Level.SURE) == again.rows


def test_two_words_that_stand_together_have_one_sense() -> None:
    """A thing of two words is meant where both stand together, and not where one is of another thing."""
    texts = ("Renewed the fishing license in May.", "The fishing was good.")
    assert [level == "sure" for level in levels("forget my fishing license", *texts)] == [True, False]


def test_a_name_that_no_memory_has_may_be_one_much_like_it() -> None:
    """A slip in a name, or another case of it, is in doubt, and only where nobody is called so."""
    assert levels("forget Wilhelmna", "Wilhelmina sings.", "Wilfried sings.") == ["doubtful", "no"]
    assert levels("forget Wilhelmina", "Wilhelmina sings.", "Wilhelmine sings.") == ["sure", "no"]


def test_a_word_near_in_meaning_is_in_doubt() -> None:
    """A memory that says it in other words is shown, and does not go by itself."""
    assert levels("forget my overdraft", "The account is overdrawn.", "The bus was late.") == ["doubtful", "no"]


def test_they_are_the_neighbors() -> None:
    """A pronoun takes up people who were named by what they are to the user."""
    texts = ("My neighbors have a drum kit.", "They practice at night.", "The lift is broken.")
    assert levels("forget my neighbors", *texts) == ["sure", "sure", "no"]


def test_only_the_name_of_a_thing_goes() -> None:
    """Who asks for the name of a pet means what it is called, and not the pet."""
    texts = ("My parrot is called Bolt.", "My parrot is green.")
    assert levels("remove the name of my parrot", *texts) == ["sure", "near"]


@pytest.mark.parametrize(
    ("ask", "first", "last"),
    [
        ("delete what I said between 3 and 9 May 2026", date(2026, 5, 3), date(2026, 5, 9)),
        ("everything over the past fortnight", date(2026, 11, 6), TODAY),
        ("anything between Monday and Wednesday", date(2026, 11, 16), date(2026, 11, 18)),
        ("what was stored in winter 2025", date(2025, 12, 1), date(2026, 2, 28)),
    ],
)
def test_more_ways_to_name_a_time(ask: str, first: date, last: date) -> None:
    """Days of one month, fortnights, weekdays and seasons; a season is not the same everywhere, and in doubt."""
    period = read_request(ask, TODAY).period
    assert period is not None
    assert (period.first, period.last, period.vague) == (first, last, "winter" in ask)


@pytest.mark.parametrize(
    "ask",
    [
        "should I delete Runa's address?", "what happens if I erase Runa's address", "I always forget Runa's address",
        "she forgot Runa's address", "remind me not to forget Runa's address", "before deleting Runa's address ask me",
        "instead of deleting Runa's address correct it", "undo deleting Runa's address",
        "postpone erasing Runa's address",
        "my brother told me not to delete Runa's address", "Ben asked you to delete Runa's address but don't",
        "wait until May, then delete Runa's address", "it is too early to delete Runa's address",
        "can you tell me how to delete Runa's address", "restore Runa's address that you deleted",
    ],
)  # fmt: skip
def test_what_only_speaks_of_forgetting_is_in_doubt(ask: str) -> None:
    """A question, a plan, what somebody did, or what is to be undone takes nothing away that nobody has confirmed."""
    request = read_request(ask, TODAY)
    assert request.unsure or request.refuses
    assert ["sure"] != levels(ask, "Runa's address is Ferry Lane 4.")


@pytest.mark.parametrize(
    "ask",
    [
        "everything I told you before about Runa's address should be deleted", "could you delete Runa's address?",
        "I was told that you still have Runa's address, delete it", "I'd like to have Runa's address erased",
        "we want you to forget Runa's address", "the delayed parcel and Runa's address can be deleted",
    ],
)  # fmt: skip
def test_what_asks_for_it_is_no_talk_of_it(ask: str) -> None:
    """However much stands around the verb."""
    assert not read_request(ask, TODAY).unsure


@pytest.mark.parametrize(
    ("ask", "text", "beside"),
    [
        ("i'd be grateful for not having my shoe size on file", "I like trail running.", "My shoe size is 44."),
        ("not my work email, that is fine. the private one, out", "My work email is o@mill.example.", "I read a lot."),
        ("please drop my height", "My bookcase is 210 cm tall.", "Otto is 190 cm tall."),
        ("clear all the garage stuff", "Garage rock is loud.", "The street is quiet."),
        ("forget my former boss", "My boss plays chess.", "My former boss lives in Celle."),
        (
            "Forget everything about my sister-in-law Joy.",
            "Rabbi Joy leads the choir.",
            "Sister-in-law Joy has a kiln.",
        ),
        ("Vergiss alles über Ernst.", "Im Ernst: der Rechen ist hin.", "Es ist ernst, Ernst hat angerufen."),
        ("Lösche das Verfahren 14 D 202/24.", "114 D 202/24 ist das von Ute.", "14 D 202/24 ist zu Ende."),
    ],
)
def test_no_neighbor_is_sure(ask: str, text: str, beside: str) -> None:
    """An exception of nothing, what is not meant, what a thing is like, another thing's name, the one of now."""
    assert "sure" != levels(ask, text, beside)[0]


def test_a_noun_that_is_the_users_names_nobody_in_german() -> None:
    """Nouns have capitals there, and an ex-husband is not whoever is called so."""
    texts = ("Mein Exmann wohnt in Gera.", "Ninas Exmann ist Koch.", "Der Exmann von Ute malt.")
    rows = [Row(id=text, text=text, created_at=datetime(2026, 11, 1, tzinfo=UTC)) for text in texts]
    ask = "lösch mal bitte alles, was du über meinen Exmann weißt"
    request, _ = grounded(ask, read_request(ask, TODAY), rows) or (read_request(ask, TODAY), False)

    shown = {finding.id: finding.level for finding in find(request, rows).rows}

    assert shown.keys() == set(texts)
    assert all(shown[text] < Level.SURE for text in texts[1:])


@pytest.mark.parametrize(
    ("piece", "ask"),
    [
        ("- tea for Frank\n", "forget everything about Frank's tea"),
        ("tea, Frank, lamp, my cup, ", "forget my friend Frank"),
        ("I like tea and my friend Ana likes tea and ", "forget that I like tea"),
    ],
)
def test_a_long_memory_is_read_in_proportion_to_its_length(piece: str, ask: str) -> None:
    """Four times the text takes about four times the calls, and not sixteen times."""
    short, long = (_calls(ask, piece * (length // len(piece))) for length in (1_000, 4_000))

    assert long < 6 * short


def _calls(ask: str, text: str) -> int:
    """How many functions were called, and generators gone on with, to look through one memory."""
    counted: Counter[str] = Counter()
    row = Row(id="m", text=text, created_at=datetime(2026, 11, 1, tzinfo=UTC), likeness=(0.2,), session_id="s")
    request = read_request(ask, TODAY)
    before = sys.getprofile()
    sys.setprofile(lambda _frame, event, _argument: counted.update([event]))
    try:
        find(request, [row])
    finally:
        sys.setprofile(before)
    return counted["call"]


def test_the_language_of_a_long_memory_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not for each of the names in it, which are words as well."""
    asked = Mock(return_value="en")
    monkeypatch.setattr(names, "language_of", asked)
    namesakes = names.Namesakes()

    assert len(names.mentions(("rose",), "I saw Rose and drank tea, " * 50, namesakes)) == 50
    asked.assert_called_once()


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("Noa sold hers, so hers can go.", "Noa is afraid of eels."),
        ("We noted both sizes. Noa sold hers, so hers can go.", "Noa is afraid of eels."),
        ("My niece has moved out. Forget what you know about her landlord.", "My landlord is called Piet."),
    ],
)
def test_what_is_somebody_elses_is_not_the_users(ask: str, text: str) -> None:
    """Whose it is, another sentence of the request says: what is the user's own is not sure."""
    assert "sure" not in levels(ask, text)


@pytest.mark.parametrize(
    "ask",
    [
        "Forget my medication.", "Olvida mis medicinas.", "Olvida a mi médico.", "Vergiss das Finanzamt.",
        "Vergiss meine Gesundheitskarte.", "Forget the hobbit.", "Forget my family name.", "Forget my legal name.",
        "Forget my loneliness.", "Forget my triplets.", "Forget my avocado plants.", "Forget my books.",
    ],
)  # fmt: skip
def test_a_word_that_begins_like_that_of_a_whole_field_does_not_name_it(ask: str) -> None:
    """Who asks for their medicines keeps their illnesses, and who asks for a name keeps the family."""
    beside = (
        "I have migraines.",
        "I owe the bank 900.",
        "My sister Ida moved.",
        "I collect stamps.",
        "I was convicted.",
    )
    assert "sure" not in levels(ask, *beside)
