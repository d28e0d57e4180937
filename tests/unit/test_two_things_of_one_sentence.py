"""Two things that one sentence tells, of which one was asked for, and what the other would be told of alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from finding_levels import levels
from precis.finding.finder import find
from precis.finding.halves import written
from precis.finding.request import read_request
from precis.finding.values import Row

NOW = datetime(2026, 3, 18, 12, tzinfo=UTC)


def kept(ask: str, text: str) -> tuple[str, str]:
    """How sure a memory is meant, and what stays of it."""
    row = Row(id="0", text=text, created_at=NOW)
    findings = find(read_request(ask, NOW.date()), [row]).rows
    return (findings[0].level.name.lower(), written(text, findings[0].keeps)) if findings else ("no", "")


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("Forget the code of the shed", "The code of the cellar is 4410 and that of the shed 2290."),
        ("Vergiss den Code vom Keller", "Der Code vom Tor ist 4410 und der vom Keller 2290."),
        ("Oublie le code de la cave", "Le code de la grille est 4410 et celui de la cave 2290."),
        ("Dimentica il codice della cantina", "Il codice del portone è 4410 e quello della cantina 2290."),
        ("Apague a senha do sótão", "A senha da loja é 4410 e a senha do sótão é 2290."),
        ("Удали код от сарая", "Код от калитки 4410, а код от сарая 2290."),
        ("倉庫の暗証番号を消して", "裏口の暗証番号は4410で、倉庫の暗証番号は2290です。"),
    ],
)
def test_of_two_values_of_one_sentence_both_do_not_surely_go(ask: str, text: str) -> None:
    """Either only the one that was asked for goes, or it is in doubt."""
    level, rest = kept(ask, text)
    assert level != "sure" or "4410" in rest


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("Esqueça que o marido da Inês toca gaita", "A Inês é dentista e o marido dela toca gaita."),
        ("Olvida que el novio de Inés toca la gaita", "Inés es dentista y el novio de ella toca la gaita."),
        ("Dimentica che il marito di Nives suona l'arpa", "Nives fa la sarta e il marito suona l'arpa."),
        ("Oublie que le mari de Maud répare des motos", "Maud est avocate et son mari répare des motos."),
        ("結衣の彼氏のことを忘れて", "結衣は教師で、彼氏は画家だ。"),
        ("Forget that Tove's husband plays the harp", "Tove is a lawyer and her husband plays the harp."),
    ],
)
def test_the_half_that_was_asked_for_is_never_what_stays(ask: str, text: str) -> None:
    """Nor does the other half surely go with it."""
    level, rest = kept(ask, text)
    assert level != "sure" or (rest and not rest.casefold().endswith(text.casefold()[-8:]))


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("Apague tudo sobre a Inês", "A Inês é dentista e o namorado dela, o Gil, toca gaita."),
        ("Apague tudo sobre o Abel", "O Abel mora em Lagos e a mãe dele tem diabetes."),
        ("Borra todo sobre Inés", "Inés es dentista y el novio de ella toca la gaita."),
        ("結衣のことを全部消して", "結衣は教師で、彼氏の蓮は画家だ。"),
        ("結衣のことを全部消して", "蓮は夫で、結衣は妹だ。"),
        ("蓮の手術のことは忘れて", "蓮は腰の手術を受けて、今は入院している。"),
    ],
)
def test_what_would_be_told_of_the_user_does_not_stay_alone(ask: str, text: str) -> None:
    """Who somebody of theirs is says the half that goes; what ends on "and is" is no sentence."""
    assert kept(ask, text) == ("doubtful", "")


@pytest.mark.parametrize(
    ("ask", "text", "rest"),
    [
        ("Apague tudo sobre a Inês", "O Abel é meu marido e a Inês é minha irmã.", "O Abel é meu marido."),
        ("私の月給を忘れて", "今日から札幌の会社で働き始めた。月給は25万円。", "今日から札幌の会社で働き始めた。"),
        ("Forget everything about Tove", "Arvid is my husband and Tove is my sister.", "Arvid is my husband."),
    ],
)
def test_what_can_be_read_alone_stays(ask: str, text: str, rest: str) -> None:
    """A sentence ends with the sign of its script."""
    assert kept(ask, text) == ("sure", rest)


@pytest.mark.parametrize(
    ("ask", "said", "other"),
    [
        ("Efface tout ce qui concerne Noé", "J'adore le fromage.", "Lucien, lui, travaille au port."),
        ("Cancella tutto quello che riguarda Tullio", "Adoro il formaggio.", "Saverio, lui, lavora alle poste."),
        ("Delete everything about Arvid", "I love cheese.", "Lucien, he works at the port."),
    ],
)
def test_a_name_that_a_pronoun_takes_up_within_its_sentence_is_who_it_is(ask: str, said: str, other: str) -> None:
    """And not who spoke before."""
    who = ask.rpartition(" ")[2]
    rows = [
        Row(id=str(at), text=text, created_at=datetime(2026, 1, 1, at, tzinfo=UTC), session_id="s", speaker=speaker)
        for at, (text, speaker) in enumerate([(said, who), (other, "Mona")])
    ]
    listed = {it.id: it.level.name for it in find(read_request(ask, NOW.date()), rows, own_names={"mona"}).rows}
    assert listed.get("0") == "SURE"
    assert listed.get("1") != "SURE"


def _spoken(ask: str, user: str, *said: tuple[str, str, str]) -> list[str]:
    rows = [
        Row(id=str(at), text=text, created_at=datetime(2026, 3, 1, at, tzinfo=UTC), session_id=session, speaker=speaker)
        for at, (session, speaker, text) in enumerate(said)
    ]
    listed = {it.id: it.level.name.lower() for it in find(read_request(ask, NOW.date()), rows, own_names={user}).rows}
    return [listed.get(row.id, "no") for row in rows]


@pytest.mark.parametrize(
    ("ask", "user", "speaker"),
    [
        ("Forget what I said in March", "mona", "Mona"),
        ("Забудь всё, что я говорила в марте", "galina", "Галина"),
        ("Oublie tout ce que j'ai dit en mars", "mona_7", "Mona"),
        ("Cancella quello che ho detto a marzo", "mona", "Mona"),
    ],
)
def test_what_the_user_said_is_nobody_elses(ask: str, user: str, speaker: str) -> None:
    """Whoever else speaks there."""
    told = _spoken(ask, user, ("s", speaker, "Harp: yes?"), ("s", "Arvid", "Yes, I have one."))
    assert told[0] == "sure"
    assert told[1] in {"no", "near"}


def test_the_user_is_who_speaks_with_a_machine_or_in_every_talk() -> None:
    """With a name that says nothing of it; in one talk of two it may be either."""
    ask, own, theirs = "Forget my allergy", "I have a nut allergy.", "I have a pollen allergy."
    talk = ("a", "Mona", own), ("a", "Arvid", theirs)
    assert _spoken(ask, "u-17", *talk) == ["doubtful", "doubtful"]
    assert _spoken(ask, "u-17", *talk, ("b", "Mona", "Hi."), ("b", "assistant", "Hi!"))[:2] == ["sure", "doubtful"]
    assert _spoken(ask, "u-17", *talk, ("b", "Mona", "Hi."), ("b", "Tove", "Hi!"))[:2] == ["sure", "doubtful"]


def test_levels_of_a_store_are_told_in_order() -> None:
    """The helper of these tests reads one store."""
    assert levels("Forget my allergy", "I have a nut allergy.", "The sea is cold.")[1] == "no"


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("Oublie tout sur ma santé", "Mon chien Rex a été vacciné hier chez la vétérinaire."),
        ("मेरी सेहत के बारे में सब कुछ मिटा दो", "मेरे तोते को कल डॉक्टर को दिखाया।"),
        ("Forget everything about my health", "My dog Rex was vaccinated by the doctor."),
        ("Vergiss alles über meine Gesundheit", "Mein Hund Rex war beim Arzt und bekam Medikamente."),
    ],
)
def test_the_health_of_an_animal_is_not_surely_the_users(ask: str, text: str) -> None:
    """It stays unless it is chosen."""
    assert levels(ask, text)[0] != "sure"
