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
            ["sure", "doubtful", "near"],
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


@pytest.mark.parametrize(
    ("ask", "texts"),
    [
        ("Forget my son.", ["My son likes trains and hates peas.", "Our son Ivo is 6 and has a lisp."]),
        ("Glöm min man", ["Min man Stig är snickare.", "Stig snarkar."]),
        ("Vergeet alles over mijn man.", ["Mijn man Jurre is bakker.", "Jurre snurkt."]),
        ("Kocamı unut", ["Kocam Serkan aşçı.", "Serkan'ın tansiyonu var."]),
        ("딸에 대한 정보를 모두 삭제해 줘", ["딸 소은이는 다섯 살이에요.", "소은이는 땅콩을 못 먹어요."]),
        ("남편에 대한 건 다 잊어줘", ["남편 진수는 목수예요.", "진수는 코를 골아요."]),
        ("夫のことは全部忘れてください。", ["夫の直樹は大工です。", "直樹は風邪をひきました。"]),
    ],
)
def test_all_of_somebody_goes_in_each_language(ask: str, texts: list[str]) -> None:
    """What tells two things of them tells of nobody else, and the name that introduces them is theirs."""
    assert levels(ask, *texts, by_memories=True) == ["sure"] * len(texts)


def test_a_word_behind_a_relative_may_be_no_name() -> None:
    """In a script without capitals only a frequent given name, or what Korean writes as one, surely is."""
    texts = ("남편 가게는 작아요.", "가게는 월요일에 쉬어요.")
    assert levels("남편에 대한 건 다 잊어줘", *texts)[1] != "sure"
    assert levels("夫のことを忘れて", "夫の実家は寒いです。", "実家は古いです。")[1] != "sure"


@pytest.mark.parametrize(
    ("ask", "texts"),
    [
        ("夫のことを忘れて", ["夫の直樹は大工です。", "同僚の直樹さんはうるさいです。", "直樹は風邪です。"]),
        (
            "딸에 대한 정보를 모두 삭제해 줘",
            ["딸 소은이는 다섯 살이에요.", "친구 소은이는 착해요.", "소은이는 감기예요."],
        ),
    ],
)
def test_a_name_that_somebody_else_has_is_in_doubt(ask: str, texts: list[str]) -> None:
    """A colleague or a friend is told of by it as well."""
    assert levels(ask, *texts) == ["sure", "doubtful", "doubtful"]


def test_what_is_somebody_elses_gives_no_name() -> None:
    """A friend's divorce does not make her the husband."""
    texts = ("夫の直樹は大工です。", "友達の京子が離婚しました。", "直樹は元気です。", "京子は引っ越しました。")
    assert levels("夫のことを忘れて", *texts)[2:] == ["sure", "no"]


@pytest.mark.parametrize(
    ("ask", "old", "now"),
    [
        ("Zapomnij moją poprzednią pracę.", "Wcześniej pracowałam w pralni.", "Teraz pracuję w szkole."),
        ("Dimentica il mio vecchio lavoro", "Prima lavoravo in banca.", "Adesso lavoro in una scuola."),
        ("Olvida mi antiguo trabajo", "Antes trabajaba en un banco.", "Ahora trabajo en una escuela."),
        ("前の仕事のことを忘れて", "以前は工場で働いていました。", "今は学校で働いています。"),
    ],
)
def test_a_word_for_earlier_names_nobody(ask: str, old: str, now: str) -> None:
    """A note that opens with it and has no subject is the user's."""
    assert levels(ask, old, now) == ["sure", "near"]


def test_who_was_so_earlier_may_be_named_behind_it() -> None:
    """Then it is theirs."""
    assert levels("前の仕事のことを忘れて", "以前は直樹が工場で働いていました。") == ["doubtful"]


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("¿Puedes borrar lo que sabes de mi marido? Nos estamos separando.", "Mi marido Ciro es bombero."),
        ("Vergiss meinen Hund, er ist letzte Woche gestorben.", "Mein Hund Lumpi ist ein Dackel."),
        ("夫について知っていることを消して、離婚するので", "夫の直樹は大工です。"),
    ],
)
def test_why_it_is_asked_is_no_part_of_it(ask: str, text: str) -> None:
    """A clause behind the request that says that two people part, or that somebody died."""
    assert levels(ask, text) == ["sure"]


def test_a_reason_alone_is_no_request_for_everything() -> None:
    """What stands before it has to name something."""
    request = read_request("Vergiss bitte, wir trennen uns.", NOW.date())
    assert [subject.text for subject in request.subjects] == ["wir trennen uns"]


def test_months_in_figures_of_their_language_and_after_from() -> None:
    """五月 is May, and "from May" may be what she told."""
    told = read_request("五月に話したことを全部消して", NOW.date()).period
    assert told is not None
    assert (told.first.month, told.vague) == (5, False)
    may = read_request("forget everything from May", NOW.date()).period
    assert may is not None
    assert (may.first.month, may.vague) == (5, True)


def test_a_tooth_is_not_moved_house() -> None:
    """Of "gezogen" alone nobody moved."""
    assert levels("Vergiss meine Adresse", "Der Arzt hat mir einen Zahn gezogen.") != ["sure"]
