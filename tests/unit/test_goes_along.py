"""What goes along in a talk, by a name of a thing or a firm, and what is nearest where nothing is meant."""

from __future__ import annotations

from datetime import timedelta

import pytest

from finding_levels import NOW, levels
from precis.finding.finder import find
from precis.finding.request import read_request
from precis.finding.values import Finding, Row


def _talk(ask: str, *lines: str) -> list[Finding]:
    """What is found of lines "session speaker: text"."""
    rows = []
    for at, line in enumerate(lines):
        head, _, text = line.partition(": ")
        session, speaker = head.split()
        when = NOW - timedelta(days=20 - at)
        rows.append(Row(id=str(at), text=text, created_at=when, session_id=session, speaker=speaker))
    return list(find(read_request(ask, NOW.date()), rows).rows)


def _levels(ask: str, *lines: str) -> list[str]:
    shown = {finding.id: finding.level.name.lower() for finding in _talk(ask, *lines)}
    return [shown.get(str(at), "no") for at in range(len(lines))]


def test_what_answers_it_is_in_doubt() -> None:
    """A reply of the assistant's, the answer to its question, and what repeats a figure; not what speaks of another."""
    told = _levels(
        "Forget everything about Orlan",
        "a user: Orlan takes 450 gaskets at 27 euros.",
        "a assistant: Recorded: 450 at 27 euros. Which day?",
        "a user: In the first week of May, not before.",
        "a assistant: Ok.",
        "a user: Wenke wants the blue ones.",
        "b user: In the first week of May I am away.",
    )
    assert told == ["sure", "doubtful", "doubtful", "no", "no", "no"]


def test_what_both_said_is_in_doubt_where_the_assistant_said_it() -> None:
    """Of what the user said it is not meant."""
    lines = ("a user: The physio helps.", "a assistant: My lips are sealed about that.")
    day = (NOW - timedelta(days=20)).strftime("%-d %B")
    assert _levels(f"Forget everything we talked about on {day}", lines[0]) == ["sure"]
    assert _levels("Forget everything we talked about in February", *lines) == ["sure", "doubtful"]
    assert _levels("Forget everything I said in February", *lines) == ["sure", "no"]


def test_a_thing_is_known_by_the_name_behind_it() -> None:
    """A hotel, and nothing that is only in the same town."""
    told = levels(
        "Remove the hotel in Gdansk",
        "In Gdansk I take the Hotel Podewils.",
        "Podewils was full.",
        "It rained in Gdansk.",
    )
    assert told[1] == "doubtful"
    assert told[2] != "sure"


def test_who_is_at_a_firm_may_tell_its_prices() -> None:
    """A price "a piece" is sure beside the name, and in doubt of whoever is there; of another firm it stays."""
    told = levels(
        "Forget the prices of Halden",
        "Halden: 36.20 a seal.",
        "I met Jorn Ek at Halden.",
        "Jorn Ek wants to reopen the price.",
        "Brabant pays 12.40 a seal.",
    )
    assert (told[0], told[2]) == ("sure", "doubtful")
    assert told[3] in {"no", "near"}


def test_a_changed_code_is_taken_up_by_a_pronoun_in_the_talk() -> None:
    """They are the firm that was named before; the user's own card is another thing."""
    told = _levels(
        "Delete the door code of Brabant",
        "a user: First call with Brabant today.",
        "a user: They've changed the warehouse code, it's 9026 now.",
        "a user: My own bike is rusty.",
    )
    assert told[1:] == ["doubtful", "no"]


def test_what_puts_right_the_sentence_before_does_not_stay_alone() -> None:
    """Nor does what it puts right."""
    found = _talk("Forget everything about Gunda", "a user: Gunda paid the 2,780 yesterday. Well, Matteo did.")
    assert [(each.level.name, each.keeps) for each in found] == [("DOUBTFUL", ())]
    found = _talk("Forget everything about Matteo", "a user: Gunda paid the 2,780 yesterday. Well, Matteo did.")
    assert [(each.level.name, each.keeps) for each in found] == [("DOUBTFUL", ())]


@pytest.mark.parametrize(
    ("ask", "nearest", "others"),
    [
        ("Delete Iva Marinova's nationality", "Iva Marinova is Bulgarian.", "Tomas Ruud is Norwegian."),
        ("Forget my daughter's school", "My daughter Freja goes to Annaskolen.", "I went to school in Odense."),
    ],
)
def test_where_nothing_is_meant_the_nearest_is_in_doubt(ask: str, nearest: str, others: str) -> None:
    """It has the name, or whoever was asked for; what has only the thing, of another, does not."""
    assert levels(ask, nearest, others)[0] == "doubtful"
    assert levels(ask, nearest, others)[1] in {"no", "near"}


@pytest.mark.parametrize(
    ("ask", "gone", "left"),
    [
        ("Vergiss die Rechnung und das Angebot vom Maler", "Das Angebot vom Maler kam.", "Das Angebot vom Arzt kam."),
        ("Vergiss Rechnung und Angebot von Maurer", "Die Rechnung von Maurer kam.", "Die Rechnung von Weber kam."),
    ],
)  # fmt: skip
def test_two_things_of_one_are_both_its(ask: str, gone: str, left: str) -> None:
    """With an article or without one; of another they are not sure."""
    requests = read_request(ask, NOW.date()).subjects
    assert len(requests) == 2
    assert levels(ask, gone, left)[0] in {"sure", "doubtful"}
    assert levels(ask, gone, left)[1] != "sure"


@pytest.mark.parametrize(
    ("ask", "gone", "left"),
    [
        ("forget what Halden quoted us", "Halden wants 48 pounds per crate.", "Halden wants to retire."),
        ("oublie le devis de Morel", "Morel demande 1 200 euros pour le toit.", "Morel est en vacances."),
        ("Lösche den Code vom Schuppen", "Der Schuppen geht mit 5520 auf.", "Der Schuppen ist kalt."),
        ("Vergiss das Passwort vom Internet", "Das WLAN-Passwort ist Regen-77.", "Das Passwort der Bank ist Sonne."),
    ],
)
def test_prices_and_codes_are_told_without_the_noun(ask: str, gone: str, left: str) -> None:
    """In other languages as well."""
    first, second = levels(ask, gone, left)
    assert first == "sure"
    assert second in {"no", "near"}


@pytest.mark.parametrize(
    ("ask", "gone", "left"),
    [
        (
            "Forget everything about our au pair.",
            "Our au pair is called Solveig.",
            "The neighbors' au pair left early.",
        ),
        ("Olvida mi deuda.", "Debo 3.200 euros a mi cuñado.", "Debo llamar a mi madre."),
        ("Dimentica il mio stipendio.", "Guadagno 1.780 euro al mese.", "Ho guadagnato un'ora di sonno."),
        ("forget where I was born", "User was born in Valparaíso.", "User's daughter was born in a taxi."),
        ("forget where I work", "I work at the Port of Hull.", "I work best early in the morning."),
        ("forget my family", "User has two sons, Adam and Idris.", "User's manager has three daughters."),
    ],
)
def test_the_thing_is_sure_and_its_neighbor_is_not(ask: str, gone: str, left: str) -> None:
    """Those of several owners, compounds, and verbs of two senses; notes that tell of the user in the third person."""
    first, second = levels(ask, gone, left)
    assert first == "sure"
    assert second != "sure"


@pytest.mark.parametrize("text", ["😂😂", "?!", "   ", "\u200b", "https://example.com/a", "7", "bo@example.com"])
def test_a_message_without_a_word_is_of_who_sent_it(text: str) -> None:
    """Nothing in it is looked for by a word before another."""
    lines = (f"a Kim: {text}", f"a Sam: {text}", "a Sam: My friend Kim sings.")
    assert _levels("Forget everything about Kim", *lines) == ["sure", "no", "sure"]
    for ask in ("Forget Kim's friend", "Forget what Kim said about Sam", "Forget my old friend Kim", "Forget my boss"):
        assert _levels(ask, *lines)[1] in {"no", "near"}


@pytest.mark.parametrize(
    ("ask", "lines", "expected"),
    [
        # Somebody else stands before the pronoun, and is taken up by whoever goes on.
        ("Forget Celeste", ("a Ruth: Celeste (my supervisor) wants the plan", "a Tom: nan phoned, she fell",
                            "a Ruth: she told me"), ["sure", "no", "no"]),
        # What opens a message may be a name, and the message before names another being.
        ("Forget Pepper", ("a Ines: not with Pepper and your daft parrot", "a Leo: Kiwi is NOT daft. he bit a guest",
                           "a Ines: he bit my ear"), ["sure", "doubtful", "doubtful"]),
        # Who was "she" is no "he", and "him" of another speaker may be anybody.
        ("Forget Mittens", ("a Ana: Mittens sulks, she hates the litter", "a Joy: i might adopt him"), ["sure", "no"]),
        ("Forget Mittens", ("a Ana: Mittens sulks", "a Joy: i might adopt him"), ["sure", "doubtful"]),
        # Who speaks is not who is spoken of by those who answer.
        ("Forget Leo", ("a Leo: dad rang", "a Mara: he told me it was better"), ["sure", "no"]),
        # The doctor is no rival of a pronoun before, and a role of the one who is named is none at all.
        ("Forget Ray", ("a Kim: Ray is our plumber", "a Kim: did he call the doctor"), ["sure", "sure"]),
        ("Forget Nina", ("a Kim: my cousin Nina came", "a Sam: she sings"), ["sure", "sure"]),
    ],
)  # fmt: skip
def test_a_pronoun_takes_up_who_was_named_last(ask: str, lines: tuple[str, ...], expected: list[str]) -> None:
    """In a talk of several, and nobody who was named before somebody else."""
    assert _levels(ask, *lines) == expected


def test_a_street_is_found_by_its_number() -> None:
    """Not the house beside it; what tells no number is in doubt, and another street is near."""
    lines = (
        "a Olga: 9 Mill Lane has a bath.",
        "a Olga: 11 Mill Lane is dearer.",
        "b Olga: We lost Mill Lane.",
        "b Olga: I leave Park Lane in June.",
    )
    assert _levels("Forget 9 Mill Lane", *lines) == ["sure", "near", "doubtful", "near"]
    assert _levels("Forget Mill Lane", *lines) == ["sure", "sure", "sure", "near"]


def test_what_people_say_in_a_talk_is_found() -> None:
    """Of their own body, behind a question, of a journey by its place; what is only called so is in doubt."""
    own = ("a Piet: shoulder's gone again, fell off the bike", "b Piet: my shoulder hurts", "b Piet: the bike is fixed")
    assert _levels("Forget Piet's shoulder", *own) == ["sure", "sure", "near"]
    said = ("a Olga: and your ankle, running?", "a Piet: Gwen says no more than 3 miles", "b Piet: Gwen has a bike")
    assert _levels("Forget what Gwen said about running", *said)[1:] == ["doubtful", "no"]
    trip = ("a Olga: BUT vienna is 88", "a Piet: We saw Vienna from a tower.", "b Piet: The tax form is due.")
    assert _levels("Forget the Vienna trip", *trip) == ["doubtful", "doubtful", "no"]
    assert _levels("Forget the limpets", "a P: limpets again", "b P: got a kitten. called him Limpet") == [
        "sure",
        "doubtful",
    ]


def test_a_message_goes_on_about_a_thing() -> None:
    """Sure right behind one that names nothing else, in doubt behind more, and not where something else begins."""
    bike = ("a user: I bought a racing bike.", "a user: It cost 450 euros.", "a user: Anyway, it rained all day.")
    assert ["sure", "sure", "no"] == _levels("forget the racing bike", *bike)
    wheels = ("a user: The bike stands beside the old van.", "a user: It needs new tires.")
    assert ["sure", "doubtful"] == _levels("forget the bike", *wheels)
    assert ["sure", "no"] == _levels("forget the bike", bike[0], "b user: It cost 450 euros.")
    weather = ("a user: I bought a bike.", "a user: It is raining again.")
    assert ["sure", "doubtful"] == _levels("forget the bike", *weather)


def test_german_nouns_are_nobody_whom_a_pronoun_takes_up() -> None:
    """Behind an article or known as things; "Tochter" is no part of a name."""
    talk = ("a user: Meine Tochter Jette hat Diabetes.", "a user: Sie spritzt sich am Tag viermal Insulin.")
    assert ["sure", "sure"] == _levels("Vergiss alles über Jette", *talk)
    another = ("a user: Jette hat Tomke getroffen.", "a user: Sie mag den Kuchen.")
    assert ["sure", "doubtful"] == _levels("Vergiss alles über Jette", *another)


def test_something_of_theirs_is_told_right_behind_their_name() -> None:
    """By "her" first of all, where nobody else is named; else it is in doubt."""
    told = ("a user: Sunniva is on parental leave.", "a user: Her salary is 71,000.")
    assert ["near", "sure"] == _levels("forget Sunniva's salary", *told)
    two = ("a user: Sunniva met Halla.", "a user: Her salary is 71,000.")
    assert ["near", "doubtful"] == _levels("forget Sunniva's salary", *two)


def test_what_goes_on_about_something_kept_is_not_sure() -> None:
    """By a pronoun, whatever it is."""
    talk = ("a user: We got a puppy, Nutmeg.", "a user: She chews on everything.", "a user: The lease ends in May.")
    found = _levels("forget everything that isn't about Nutmeg", *talk)
    assert "sure" not in found[:2]
    assert found[2] == "sure"


def test_a_message_says_in_the_same_words_what_a_fact_says() -> None:
    """The fact is sure, and so is that part of its message; not where a time was asked for."""
    texts = (
        "I quit coffee, well, since Sunday.",
        "Badly. I take melatonin now. Also I quit coffee, well, since Sunday.",
    )
    assert ["sure", "sure"] == levels("Forget that I quit coffee", *texts)


def test_a_note_that_speaks_of_nobody_is_meant_where_nothing_of_the_users_was_asked_for() -> None:
    """In the very words, or of a whole field; not where it may be of another thing, or names somebody."""
    assert ["sure"] == levels("forget the grafana password", "The admin password for grafana is Mulberry!42.")
    rows = ("The kayak costs 400 euros.", "The tent costs 120 euros.", "The kayak costs 350 euros now.")
    assert levels("forget the old price", *rows)[1] != "sure"
    assert levels("Vergiss alles, was mit Geld zu tun hat", "Birgit verdient 3.000 Euro.") != ["sure"]
