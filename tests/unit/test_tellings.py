"""What a note tells of the user or of somebody, however it puts it; and what beside it is not meant."""

import pytest

from finding_levels import NOW, levels
from precis.finding.finder import find
from precis.finding.request import read_request
from precis.finding.values import Finding, Level, Row
from precis.finding.written.rewordings import reworded


def found(ask: str, text: str) -> tuple[Finding, ...]:
    """What is said of one memory."""
    return find(read_request(ask, NOW.date()), [Row(id="m", text=text, created_at=NOW)]).rows


#: Said of somebody, or of the user.
CLAUSES = (
    ("had an operation", "had an operation"), ("is a nurse", "am a nurse"), ("is single", "am single"),
    ("told a secret", "told a secret"), ("is older than Bo", "am older than Bo"), ("was drunk", "was drunk"),
    ("is in love", "am in love"), ("had an accident", "had an accident"), ("drinks", "drink"),
    ("lives alone", "live alone"),
    ("has no siblings", "have no siblings"), ("doesn't eat meat", "don't eat meat"), ("can't swim", "can't swim"),
    ("is not religious", "am not religious"), ("hates cats", "hate cats"), ("wants children", "want children"),
    ("needs a loan", "need a loan"), ("is a vegetarian", "am a vegetarian"), ("studies law", "study law"),
)  # fmt: skip


@pytest.mark.parametrize("said", [of_them for of_them, _ in CLAUSES])
def test_what_is_said_of_somebody_is_not_all_of_them(said: str) -> None:
    """What says the same goes, and neither anything else of them nor the same of others."""
    same, other, theirs, mine = levels(
        f"Forget that Henrike {said}.", f"Henrike {said}.", "Henrike keeps geese behind the barn.", f"Odo {said}.",
        f"The user {said}.",
    )  # fmt: skip
    assert same == "sure"
    assert "sure" not in {other, theirs, mine}


@pytest.mark.parametrize(("of_them", "of_me"), CLAUSES)
def test_notes_speak_of_the_user_in_the_third_person(of_them: str, of_me: str) -> None:
    """The user of a note is who says "I", and nobody else is."""
    found = levels(
        f"Forget that I {of_me}.", f"The user {of_them}.", f"User {of_them}.", f"The user's cousin {of_them}.",
        f"Odo {of_them}.", "The user keeps geese behind the barn.",
    )  # fmt: skip
    assert found[:2] == ["sure", "sure"]
    assert "sure" not in found[2:]


@pytest.mark.parametrize(
    ("noun", "told", "beside"),
    [
        ("salary", "{W} takes home 2,900 every month.", "{W} takes home the leftovers."),
        ("nickname", "{W} goes by Badger.", "{W} goes by train."),
        ("gym", "{W} works out at PowerHouse.", "{W} works out the details."),
        ("bank", "{W} has an account at Nordea.", "{W} has an account of the voyage."),
        ("medication", "{W} is on ramipril.", "{W} is on the board."),
        ("pregnancy", "The due date of {W} is in April.", "The rent of {W} is due in April."),
        ("surgery", "{W} had an operation on the hip.", "{W} had an ocean view from the hip bar."),
        ("divorce", "{W} filed for divorce.", "{W} filed for a patent."),
        ("citizenship", "{W} holds a Peruvian passport.", "{W} holds a record in chess."),
        ("travel plans", "{W} flies to Quito in April.", "{W} flies kites on Sundays."),
        ("medical appointments", "{W} sees Dr. Amsel next Friday at four.", "{W} sees the plumber on Friday at four."),
        ("job search", "{W} has an interview on Monday.", "{W} has an interest in bees."),
        ("workouts", "{W} swims 30 laps every morning.", "{W} sells laps of honor."),
        ("sleep", "{W} wakes up at four every night.", "{W} serves coffee every night."),
        ("taxes", "{W} filed the return in May.", "{W} filed a nail in May."),
    ],
)
def test_a_verb_tells_what_a_noun_asks_for(noun: str, told: str, beside: str) -> None:
    """Of the user or of somebody; and what has only the verb tells nothing of it."""
    asked = {"The user": f"Forget my {noun}.", "Henrike": f"Delete Henrike's {noun}."}
    for whose, ask in asked.items():
        other = next(name for name in asked if name != whose)
        same, theirs, else_ = levels(ask, told.format(W=whose), told.format(W=other), beside.format(W=whose))
        assert (same, theirs == "sure", else_ == "sure") == ("sure", False, False), ask


@pytest.mark.parametrize(
    ("ask", "gone", "stays"),
    [
        ("Forget everything about gate 9.", "The user waits at Gate 9.", "Gate 91 is closed."),
        ("Delete tram line 4.", "Line 4 is late.", "Tram line 14 is new."),
        ("Delete flat 2C.", "The stove in flat 2C smokes.", "Flat 12C is empty."),
        ("Forget the parcel CP 901 223 417 DE.", "CP901223417DE is at the border.", "CP901223471DE has come."),
        ("Delete plan_v3.docx.", "The user sent plan_v3.docx.", "plan_v3.2.docx was printed."),
        ("Remove what happened on 8 May 2023.", "On 2023-05-08 the roof leaked.", "On 8 May 2022 it was new."),
        ("Remove what happened on 8 May 2023.", "08 May 2023: the roofer came.", "On 18 May 2023 it was mended."),
        ("Forget everything about the year 2012.", "In 2012 the user sailed.", "The user had room number 2012."),
        ("Delete Sinje Vogt.", "I met Sinje Vogt.", "Maeve Vogt is the user's dentist."),
        ("Delete what you know about Rusty, my plumber.", "Rusty mended the tap.", "The user's uncle Rusty sings."),
        ("Forget my boss, Grant.", "Grant, the user's boss, is away.", "The user's former boss Ulla wrote a letter."),
        ("Forget that I hate my job.", "The user hates her job.", "The user hates her wife's job."),
        ("That Odo is deaf was a mistake, please forget it.", "Odo is deaf.", "Odo keeps bees."),
        ("Delete Henrike's therapist.", "Henrike's therapist is Dr. Moor.", "The user's therapist is Dr. Moor."),
        ("Forget the door code from before the lock was changed.", "The user's door code was 8811 until May.",
         "Since May the user's door code is 2040."),
        ("Forget the phone number I had before I moved.", "Until May the user's phone number was 40 11 82 93.",
         "The user's phone number is 40 55 10 02 now."),
        ("Delete everything about Mrs. Bell.", "Mrs. Bell has a grey cat.", "The bell rang twice."),
    ],
)  # fmt: skip
def test_what_is_meant_and_what_is_beside_it(ask: str, gone: str, stays: str) -> None:
    """The first goes, and the second does not."""
    first, second = levels(ask, gone, stays)
    assert first == "sure"
    assert second != "sure"


def test_an_old_value_is_found_where_only_the_value_is() -> None:
    """The number of the old code, and the house of the old address, unless they are somebody else's."""
    code = levels(
        "Forget my old door code.", "The user's door code was 8811 until May.", "The user let Jo in with 8811.",
        "Since May the user's door code is 2040.", "The door code of the user's aunt is 8811.",
    )  # fmt: skip
    assert code[:2] == ["sure", "sure"]
    assert "sure" not in code[2:]


def test_a_number_of_the_users_is_theirs_wherever_it_stands() -> None:
    """A long one that a memory calls what was asked for; not where it is somebody else's, or of somebody of theirs."""
    plate = levels(
        "Forget my license plate.", "The user's license plate is KA-BX 771.", "The user's car has the plate KA-BX 771.",
        "The plate of the user's trailer is KA-BX 717.", "Odo drives the van KA-BX 771.",
    )  # fmt: skip
    assert plate[:2] == ["sure", "sure"]
    assert "sure" not in plate[2:]
    assert "sure" != levels(
        "Delete my brother's phone number.", "The user's brother's phone number is 40 11 82 93.",
        "The user's phone number is 40 11 82 93.",
    )[1]  # fmt: skip


def test_what_stands_behind_a_joint_goes_alone() -> None:
    """And what takes up the user alone stays behind it."""
    for ask, text, stays in (
        ("Forget my license plate.", "The user parks here, and his license plate is KA-BX 771.", "The user parks here"),
        ("Forget my blood type.", "The user's blood type is B, his shoe size is 44.", "his shoe size is 44."),
    ):
        [finding] = found(ask, text)
        assert finding.level >= Level.DOUBTFUL
        assert "".join(text[start:end] for start, end in finding.keeps) == stays


def test_a_request_is_put_as_rules_read_it() -> None:
    """What stands first, what was so before, and what is not meant."""
    assert reworded("Apart from my blood type, delete my health records.").endswith("except my blood type")
    assert reworded("Delete the locker code from before the move.") == "Delete my old locker code."
    assert reworded("the number I had before can go") == "the number I had before can go"
    assert reworded("Forget Basil, the herb. My uncle Basil is not meant.").endswith(", not My uncle Basil")
