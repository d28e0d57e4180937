"""What asks that something is not forgotten, takes a request back, or spares one of two; what goes of a list."""

from datetime import date

import pytest

from precis.finding.halves import parted, written
from precis.finding.request import read_request
from precis.finding.values import Level

TODAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    "ask",
    [
        "don t forget my dentist", "nvr forget Runa", "plz dnt delete Runa", "delete nothing about Runa",
        "vergiss meinen Zahnarzt nie", "oublie pas Runa", "Que no se te olvide Runa", "esquece não a Runa",
        "non dimenticarti di Runa", "Runa'yı sakın unutmayın", "не вздумай забыть Руну", "千万别删掉王丽",
        "佐藤さんを忘れるなよ", "지민이 생일 잊으면 안 돼", "vergeet nooit Runa", "nie zapomnij o Runie",
        "glöm inte Runa", "لا تحذف رنا", "रूना को डिलीट न करें", "đừng quên Runa", "Älä unohda Runaa", "Nezapomeň na Runu",
        "Forget Runa. No wait, don't.", "Forget Runa... just kidding", "Vergiss Runa. Ach nein, doch nicht.",
    ],
)  # fmt: skip
def test_what_denies_forgetting_or_is_taken_back_is_refused(ask: str) -> None:
    """In every language, with and without its apostrophes."""
    assert read_request(ask, TODAY).refuses


@pytest.mark.parametrize(
    "ask",
    ["Olvida a Runa, no a Bruno", "Dimentica Runa, non Bruno", "Забудь Руну, а не Бруно", "Forget Runa. Not Bruno."],
)
def test_who_is_named_as_not_meant_is_kept(ask: str) -> None:
    """It is read as an exception, and not as a second one to be forgotten."""
    request = read_request(ask, TODAY)
    assert len(request.subjects) == len(request.keeps) == 1


@pytest.mark.parametrize(
    ("text", "asked", "rest"),
    [
        ("Runa earns 3,000, works at Orlo and plays chess.", "earns", "Runa works at Orlo and plays chess."),
        ("I have gout, diabetes and a bad hip.", "gout", "I have diabetes and a bad hip."),
        ("I'm allergic to pollen, dust and cats.", "dust", "I'm allergic to pollen and cats."),
        ("Ich habe Gicht und Diabetes.", "Gicht", "Ich habe Diabetes."),
    ],
)
def test_of_a_list_goes_what_was_asked_for(text: str, asked: str, rest: str) -> None:
    """The other items stay, in a sentence that can be read."""
    at = text.index(asked)
    keeps, level = parted(text, [(at, at + len(asked))], facts=True)
    assert level is Level.SURE
    assert written(text, keeps) == rest


def test_a_list_that_cannot_be_parted_is_in_doubt() -> None:
    """Behind the last item stands the verb of all of them."""
    text = "나는 천식과 당뇨가 있어."
    assert parted(text, [(7, 9)], facts=True) == ((), Level.DOUBTFUL)
