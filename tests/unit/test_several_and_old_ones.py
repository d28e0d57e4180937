"""Several people in one request, whom one is married to, what is called the user's own, and what was so earlier."""

from __future__ import annotations

import pytest

from finding_levels import NOW, levels
from precis.finding.request import read_request


@pytest.mark.parametrize(
    ("ask", "texts"),
    [
        (
            "Forget my uncle and my niece.",
            ["My uncle Bertil paints.", "Bertil lost his keys.", "My niece Sunniva is five.", "Saw Sunniva on a pony."],
        ),
        ("Forget my husband.", ["My husband Torvald is a baker.", "Torvald has a bad back."]),
        ("Oublie ma femme.", ["Ma femme Solveig est pilote.", "Solveig a mal au dos."]),
    ],
)
def test_who_somebody_is_tells_whose_the_name_is(ask: str, texts: list[str]) -> None:
    """Each of several has a name of their own; who somebody is married to is somebody."""
    assert levels(ask, *texts) == ["sure"] * len(texts)


def test_a_wedding_has_no_name() -> None:
    """What is told of whoever the wedding names is not the wedding."""
    assert levels("Forget my wedding.", "My wedding with Torvald was in June.", "Torvald has a bad back.")[1] != "sure"


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("Forget my ferritin.", "Doctor says my ferritin is 12, too low."),
        ("Forget my deposit.", "The landlady is keeping my deposit of 900."),
        ("Olvida a la hija de mi jefe.", "La hija de mi jefe se llama Herminia."),
        ("Köpeğimi unut", "Köpeğim Paşa aşılandı."),
    ],
)
def test_what_is_called_the_users_is_sure(ask: str, text: str) -> None:
    """Whoever does something with it, and however its language says so."""
    assert levels(ask, text) == ["sure"]


def test_what_is_another_s_stays_in_doubt() -> None:
    """What somebody is quoted to say of their own, or what both have, is not surely the user's."""
    assert levels("Forget my rent.", "Ada's rent is 700 and my rent is 650.") == ["doubtful"]
    assert levels("Forget my ferritin.", 'Ada said "my ferritin is 12".') == ["doubtful"]


@pytest.mark.parametrize("rest", ["mine don't", "mine did", "mine are against it"])
def test_what_is_ones_own_in_the_same_sentence_is_in_doubt(rest: str) -> None:
    """With a verb that stands for the one before it as well."""
    assert levels("Forget what Ylva's parents want.", f"Ylva's parents want a boat, {rest}.") == ["doubtful"]


def test_things_that_each_have_an_article_are_two() -> None:
    """Each is looked for by itself, though one has three words."""
    rows = ("The garage door code is 4471.", "The gate key hangs by the stove.")
    assert levels("Delete the garage door code and the gate key.", *rows) == ["sure", "sure"]


@pytest.mark.parametrize(
    ("ask", "texts", "expected"),
    [
        ("Dimentica la mia vecchia moto.", ["La mia vecchia moto era una Guzzi."], ["sure"]),
        (
            "انس عملي السابق",
            ["كنت أعمل في مطبعة قبل هذه الوظيفة.", "راتبي 820 دينارًا.", "مديري أبو نادر صارم جدًا."],
            ["sure", "doubtful", "doubtful"],
        ),
        (
            "前の仕事のことを忘れてください",
            ["以前は金沢の工場で働いていました。", "上司の岡さんは静かです。", "私の給料は二十万円です。"],
            ["doubtful", "doubtful", "near"],
        ),
    ],
)
def test_what_was_says_so_in_its_own_language(ask: str, texts: list[str], expected: list[str]) -> None:
    """What says nothing of being former is in doubt where the old one is asked for."""
    assert levels(ask, *texts) == expected


@pytest.mark.parametrize("when", ["von letzter Woche", "von letztem Monat", "des vergangenen Monats"])
def test_a_time_without_an_article_is_a_time(when: str) -> None:
    """German, behind a preposition or in the genitive."""
    request = read_request(f"Lösche alles {when}.", NOW.date())
    assert request.period is not None
    assert not request.subjects


def test_a_greeting_says_nothing_of_the_language() -> None:
    """A word of English before a request in German."""
    ask = "hey, kannst du bitte alles löschen, was ich dir über Gundula erzählt hab?"
    assert levels(ask, "Meine Nachbarin Gundula singt im Chor.") == ["sure"]
