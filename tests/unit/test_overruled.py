"""Which sentence overrules which: only one on the same subject and attribute, and in doubt none."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.language.newest.timeline import overruled
from precis.language.reading import Line, read

Said = str | tuple[str, str]
STAND: list[list[Said]] = [
    ["Kuno has moved to Lisbon.", "Greta has moved to Ghent.", "Hugo has moved to Porto."],
    [
        "Kuno's rent is 700 euros from now on.",
        "Greta's rent is 800 euros from now on.",
        "Hugo's rent is 950 euros from now on.",
    ],
    ["The rent of the Oak Street flat is 900 euros.", "The rent of the Elm Street flat is 950 euros now."],
    ["The office printer is in room 12.", "The home printer is in room 14 now."],
    ["The code of room 12 is 4711.", "The code of room 14 is 4712 now."],
    ["Ana lives in Oslo.", "She moved to Rome."],
    ["Ana plays the cello.", "Ana now plays the piano."],
    ["Ana has 2 dogs.", "Bob planted 14 apple trees."],
    ["Ann flew to Oslo.", "Ann flew to Rome."],
    ["Ana lives in Oslo and works at Bosch.", "Ana moved to Rome."],
    ["Ana lives in Oslo with her two cats.", "Ana moved to Rome."],
    ["User prefers dark mode.", "User prefers window seats."],
    ["Ann: I live in Oslo.", "Ann: I used to live in Bergen."],
    ["Ann: I live in Oslo.", "Ann: I live in Oslo, Norway."],
    ["Ann: I live in Oslo.", "Bob: I live in Bergen."],
    ["My name is Melvin.", "My name has changed to Michael."],
    ["Will has moved to Rome.", "May has moved to Rome.", "Mark has moved to Porto"],
    ["Ana is a nurse.", "Ana is a mother now."],
    ["Ana is at home.", "Ana is in Oslo."],
    ["Ana met Greta.", "She moved to Rome."],
    ["The kitchen is big.", "The kitchen is green now."],
    ["Ana's sister lives in Oslo.", "Ana lives in Rome now."],
    ["Ana works at Siemens.", "Greta quit Siemens."],
    ["Ana moved to Oslo in 2019.", "Ana moved to Rome in 2022."],
    ["Ana Lopez lives in Oslo.", "Ana Silva moved to Rome."],
    ["I did not sleep well.", "I slept well."],
    [("Kuno", "The rent is 700 from now on."), ("Greta", "The rent is 800 from now on.")],
    ["Ana works at Siemens.", "Ana left work."],
    ["Ana lives in Oslo.", "Ana left Oslo."],
    ["My cousin lives in Oslo.", "My cousin moved to Rome."],
    ["My son is 5 years old.", "My son is 7 years old."],
    ["Ana lives in Oslo.", '"I moved to Rome," Ana joked.'],
    ["Ana lives in Oslo.", "Ana lives in Paris part of the year."],
    ["Ana lives in Oslo.", "Ana lives in Paris during the week."],
    ["Ana lives in Oslo.", "Ana moved to Paris in 2010."],
    ["Ana lives in Oslo.", "Ana moved to Paris as a child."],
    ["Ana drinks coffee.", "Ana gave up coffee for Lent."],
    ["Ana drives a Volvo.", "Ana sold a Volvo."],
    ["Ana owns a boat.", "Ana sold the boat engine."],
    ["Ana plays chess.", "Ana quit the chess club."],
    ["The rent is 900 euros.", "The rent is 950 euros with parking."],
    ["Noor lives in Oslo.", "Example: Noor lives in Bergen."],
    ["Plot of the film: Noor lives in Oslo.", "Noor lives in Bergen."],
    ["Noor lives in Oslo.", "Chapter 3: Noor moved to Bergen. She works at Bosch."],
    ["Noor wohnt in Oslo.", "Beispiel: Noor wohnt jetzt in Bergen."],
    ["Noor lives in Oslo.", "Noor lives in Bergen (just kidding)."],
    ["Noor lives in Oslo.", "> Noor lives in Bergen."],
    ["Noor lives in Oslo.", "~~Noor lives in Bergen.~~"],
    ["color: red;", "color: blue;"],
    ["The pass costs 3 euros with a coupon.", "The pass costs 9 euros without a coupon."],
    ["I live on Elm Street.", "I live in Boston."],
    ["The shelf is 80 cm wide.", "The shelf is 120 cm deep now."],
    ["The rent is 900 euros.", "The rent is not 950 euros."],
    ["The rent is 900 euros.", "The rent is 11 euros per square meter."],
    ["The rent is 900 euros a month.", "The rent is 10,800 euros a year."],
    ["Ana lives in Oslo.", "If she gets the post, Ana lives in Rome."],
    ["Ana lives in Oslo.", "Unless it floods, Ana lives in Rome."],
    ["Ana is married to Leo.", "Ana was married to Bo."],
    ["Ana works at Bosch.", "Ana had worked at Aldi."],
    [("Ana", "I live in Oslo."), ("Ana", "I moved to Rome, said Ben.")],
    ["Ana is vegetarian.", "Ana has a chicken."],
    ["Ana sells coffee.", "Ana switched to tea."],
    ["The meeting is on Monday.", "The meeting is on Thursday."],
    ["Ana works at Siemens on Mondays.", "Ana works at Bosch on Tuesdays."],
    ["Ana works at Siemens.", "Ana also works at Bosch."],
    ["Ana's budget is 200 euros for food.", "Ana's budget is 500 euros for travel now."],
    ["Ana has a painting.", "Ana sold a painting."],
    ["Ana lives in Oslo.", "Ana moved to Rome for a week."],
    ["Ana lives in Oslo.", "Ana almost moved to Rome."],
    ["Ana lives in Oslo.", "Ana moved to Marketing."],
    ["Ana is single.", "Ana is engaged in the project."],
    ["The bathroom is on the first floor.", "The bathroom is on the second floor."],
    ["Ana scores 3 goals.", "Ana scores 5 goals."],
    ["Ana has called Ben.", "Ana hasn't called Ben."],
    ["Ana lives in Oslo.", "Ana wants to move to Rome."],
    ["Ana lives in Oslo.", "Ana will move to Rome."],
    ["Ana lives in Oslo.", "Ana is moving to Rome."],
    ["Ana lives in Oslo.", "If Ana moved to Rome, I would cry."],
    ["Ana lives in Oslo.", "Ana's parents moved to Rome."],
    ["Ana's rent is 900 euros.", "Ana's deposit is 1800 euros now."],
    ["Project Alpha kicked off. The deadline is May 3.", "Project Beta started. The deadline is June 9 now."],
    ["Ana likes cats.", "Ana now likes dogs."],
    ["Ana reads novels.", "Ana reads poetry now."],
    ["Ana's car is red.", "Ana's car is blue."],
    ["I paid 900 euros.", "I paid 950 euros now."],
    ["Ana takes 2 pills in the morning.", "Ana takes 3 pills in the evening now."],
    ["Kuno moved to Lisbon, Greta to Ghent.", "Greta moved to Porto."],
    ["Kuno and Greta live in Oslo.", "Kuno moved to Rome."],
    ["Ana has paid 900 euros for the canoe.", "Ana has paid 1,100 euros for the canoe."],
    ["Ana has paid 900 euros for the canoe.", "Ana has now paid 1,100 euros for the canoe."],
    ["Ana was fined 40 euros.", "Ana was fined 60 euros."],
    ["I got fined 40 euros.", "I got fined 60 euros."],
    ["The canoe was sold for 900 euros.", "The canoe was sold for 700 euros."],
    ["Ana's bill for the canoe is 90 euros.", "Ana's bill for the canoe is 70 euros."],
    ["Ana's repair came to 90 euros.", "Ana's repair came to 70 euros."],
    ["Mia wohnt in Lima.", "Ben wohnt jetzt in Quito."],
    ["Mia ist nach Lima gefahren.", "Mia ist jetzt nach Quito gefahren."],
    ["Mia hat 30 Euro für Brot bezahlt.", "Mia hat jetzt 40 Euro für Brot bezahlt."],
    ["Mia zahlt 40 Euro für das Taxi.", "Mia zahlt 50 Euro für das Taxi."],
    ["Léa habite à Nice.", "Léa habite aussi à Lyon."],
    ["Ana no vive en Lima.", "Ana no vive ahora en Quito."],
    ["Ana vivió en Lima.", "Ana vivió ahora en Quito."],
    [("Mia", "Ich wohne in Lima."), ("Ben", "Ich wohne jetzt in Quito.")],
    ["Die Rechnung von Mia ist 90 Euro.", "Die Rechnung von Mia ist 110 Euro."],
    ["Ana lives in Riga.", "# Ana lives in Oslo."],
    ["Ana lives in Riga.", "> Ana lives in Oslo."],
]
OVERRULED: list[list[Said]] = [
    ["Noor lives in Oslo.", "Update: Noor lives in Bergen."],
    ["Ann: Noor lives in Oslo.", "Ann: Noor lives in Bergen."],
    [("Ann", "Noor lives in Oslo."), ("Ben", "Noor lives in Bergen.")],
    ["The shelf is 80 cm wide.", "The shelf is 120 cm wide."],
    ["The rent is 900 euros.", "The rent is 950 euros."],
    ["Ana's rent is $950.", "Ana's rent is €950."],
    ["Ana's rent is 950 dollars.", "Ana's rent is 950 euros."],
    ["The dentist appointment is at 3 pm.", "Actually the dentist appointment is at 5 pm."],
    ["User lives in Berlin.", "User moved to Munich."],
    ["User prefers tea.", "User now prefers coffee."],
    ["I am allergic to penicillin.", "I am not allergic to penicillin after all."],
    ["Ana works at Siemens.", "Ana quit Siemens."],
    ["I'm vegetarian.", "I started eating fish and meat again."],
    ["User prefers dark mode.", "User prefers light mode."],
    ["Ann: I live in Oslo.", "Ann: I live in Bergen."],
    ["My favorite color is blue.", "My favorite color is green."],
    [
        "The name of my favourite colour is Purple.",
        "White is my favourite colour.",
        "My favourite colour could be described as Blue.",
    ],
    ["The cider press costs 4,000 crowns.", "The cider press costs 3,500 crowns."],
    ["Ana's rent is 900 euros.", "Ana's rent went up to 950 euros."],
    ["Ana's rent is 900 euros.", "The landlord raised Ana's rent to 950 euros."],
    ["My password is tiger.", "I changed my password to lion."],
    ["Ana smokes.", "Ana no longer smokes."],
    ["Ana smokes.", "Ana has quit smoking."],
    ["Ana drinks coffee.", "Ana gave up coffee."],
    ["Ana is dating Tom.", "Ana broke up with Tom."],
    ["Ana is married to Tom.", "Ana divorced Tom."],
    ["Ana has a cat.", "Ana doesn't have a cat anymore."],
    ["Ana owns a Volvo.", "Ana sold the Volvo."],
    ["Ana drives a Volvo.", "Ana now drives a Tesla."],
    ["Ana is single.", "Ana is married now."],
    ["Ana works as a nurse.", "Ana now works as a teacher."],
    ["The meeting is on Monday.", "The meeting was moved to Thursday."],
    ["My dentist appointment is on Tuesday.", "My dentist appointment has been moved to Friday."],
    ["Ana has 2 cats.", "Ana has 3 cats now."],
    ["Ana lives in Oslo.", "Ana got a new job. She moved to Rome."],
    ["Ana lives in Oslo.", "Ana moved from Oslo to Rome."],
    ["Ana: I live in Oslo.", "Ana has moved to Rome."],
    ["I don't eat meat.", "I eat meat again."],
    ["The printer is in room 12.", "The printer is in room 14 now."],
    ["I use Vim.", "I switched from Vim to Emacs."],
    ["Ana's phone number is 555-0101.", "Ana's new phone number is 555-0199."],
    ["Ana pays 900 euros for the flat.", "Ana pays 950 euros for the flat now."],
    ["Jin-ho Park works for Kia.", "Jin-ho Park left Kia."],
    ["Олег lives in Omsk.", "Олег has moved to Tomsk."],
    ["Ana studies law.", "Ana switched from law to medicine."],
    ["The rent of the Oak Street flat is 900 euros.", "The Oak Street flat's rent is 950 euros now."],
    ["I have a gym membership.", "I cancelled my gym membership."],
    ["Ana speaks no French.", "Ana speaks French now."],
    ["Ana's deadline is May 3.", "Ana's deadline has been extended to May 10."],
    ["Ana is single.", "Ana is married to Tom."],
    ["Ana works at Siemens.", "Ana quit her job."],
    ["My best friend lives in Oslo.", "My best friend moved to Rome."],
    ["The meeting is on Monday.", "Actually the meeting is on Thursday."],
    ["Ana has 2 cats.", "Ana has 3 cats."],
    ["Ana eats meat.", "Ana is vegan now."],
    ["My passport is in the safe.", "My passport is in the desk now."],
    ["I drink coffee.", "I switched to tea."],
    ["The shop is open.", "The shop is closed now."],
    ["Ana lives in Oslo.", "In the end, Ana moved to Rome."],
    ["I'm on the keto diet.", "I'm no longer on the keto diet."],
    ["Ana has a dog.", "Ana no longer has a dog."],
    ["I work at Siemens.", "I got a new job. I work for Bosch now."],
    ["Ana's husband works for Kia.", "Ana's husband now works for Bosch."],
    ["Our office is in Lima.", "Our office has moved to Quito."],
    ["The standup is at 9 am.", "The standup has been moved to 10 am."],
    ["Ana pays 30 euros for parking.", "Ana pays 35 euros for parking."],
    ["The rent for the canoe is 30 euros.", "The rent for the canoe is 35 euros."],
    ["Ana Mora lives in Oslo.", "Ana Mora now lives in Rome."],
    ["Ich wohne in Lima.", "Ich wohne jetzt in Quito."],
    ["Die Miete beträgt 900 Euro.", "Die Miete beträgt 1100 Euro."],
    ["Der Termin von Mia ist am Montag.", "Der Termin von Mia ist jetzt am Freitag."],
    ["Mon loyer est de 700 euros.", "Mon loyer est de 800 euros."],
    ["Léa travaille chez Kia.", "Léa travaille désormais chez Bosch."],
    ["Ana tiene 2 perros.", "Ana tiene ahora 3 perros."],
    ["Lo stipendio di Anna è di 1800 euro.", "Lo stipendio di Anna è di 2000 euro."],
    ["Rui mora em Faro.", "Rui mora agora em Braga."],
    [("Rui", "Vivo en Lima."), ("Rui", "Ahora vivo en Quito.")],
    [("Rui", "J\u2019habite à Nice."), ("Rui", "J'habite maintenant à Lyon.")],
]


def gone(texts: Sequence[Said]) -> list[int]:
    """The lines of which a sentence is overruled; a pair is a speaker and what was said."""
    pairs = [(None, text) if isinstance(text, str) else text for text in texts]
    return sorted({line for line, _ in overruled([Line(text=text, speaker=speaker) for speaker, text in pairs])})


@pytest.mark.parametrize("texts", STAND, ids=str)
def test_what_is_not_certain_stands(texts: list[Said]) -> None:
    """Other people, other things, other conditions, more than the value, wishes, events and what somebody else says."""
    assert [] == gone(texts)


@pytest.mark.parametrize("texts", OVERRULED, ids=str)
def test_the_newest_value_of_one_thing_stands_alone(texts: list[Said]) -> None:
    """Another value, a denial, an end, or a thing that nobody is or does beside it."""
    assert list(range(len(texts) - 1)) == gone(texts)


def test_an_older_value_that_comes_back_stands() -> None:
    """Who moved away and back lives where the last sentence says."""
    assert [0, 1] == gone(["Ana lives in Oslo.", "Ana moved to Rome.", "Ana has moved back to Oslo."])


def test_a_later_sentence_of_one_text_overrules_an_earlier_one() -> None:
    """The text goes on to say what changed."""
    assert {(0, 0): (0, 1)} == dict(
        overruled([Line(text="Ana lives in Oslo. Ana has moved to Rome now.", speaker=None)])
    )


@given(
    st.text(max_size=120)
    | st.lists(st.sampled_from("I Ana has n't 's not no longer moved to from , and is $9 (".split())).map(" ".join)
)
def test_any_text_can_be_read(text: str) -> None:
    """Nothing fails, and one text alone overrules at most its own sentences."""
    sentences = read(Line(text=text, speaker=None))
    assert all(0 <= at < len(sentences) for _, at in overruled([Line(text=text, speaker="Ana")]))
