"""The words that call the user whose memory it is, and those in which notes tell common things."""

from __future__ import annotations

import pytest

from precis.recall.persons import USERS, users_in
from precis.recall.question import read_question
from precis.recall.speakers import not_looked_for


@pytest.mark.parametrize(
    "question",
    [
        "Does the user own a boat?", "What is the user's job?", "Hat der Nutzer ein Boot?",
        "¿Tiene el usuario un barco?",
        "L'utilisateur a-t-il un bateau ?", "L'utente ha una barca?", "O usuário tem um barco?",
        "Heeft de gebruiker een boot?",
        "Kullanıcının teknesi var mı?", "Есть ли у пользователя лодка?", "Czy użytkownik ma łódź?",
        "Har användaren en båt?",
        "用户有船吗？",
    ],
)  # fmt: skip
def test_whose_memory_is_asked_is_read_in_any_language(question: str) -> None:
    """So it is whose a name would say it is: it tells rows apart where some have it, and not where most do."""
    own = read_question(question).own
    assert own
    assert own < set(read_question(question).terms)
    assert not_looked_for(read_question(question), [own] * 9 + [frozenset({"boat"})]) == own
    assert not_looked_for(read_question(question), [frozenset({"boat"})] * 20) == own
    assert not_looked_for(read_question(question), [own] * 3 + [frozenset({"boat"})] * 7) == frozenset()
    assert not own.isdisjoint(USERS)


@pytest.mark.parametrize("question", ["How many users are there?", "Which user account is Bo's?", "Who is Mara?"])
def test_any_user_of_anything_is_a_word_as_others(question: str) -> None:
    """And where nothing else is asked for, the word is what is looked for."""
    assert not users_in(question)
    assert not read_question("Who is the user?").own


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("Wie heißt meine Zahnärztin?", "zahnärztin"), ("¿Cómo se llama mi gato?", "gato"),
        ("Köpeğimin adı ne?", "köpeğimin"),
        ("Hoe heet mijn kat?", "kat"), ("Come si chiama il gatto?", "gatto"), ("Как зовут кошку?", "кошк"),
    ],
)  # fmt: skip
def test_the_verb_that_asks_for_a_name_is_not_looked_for(question: str, term: str) -> None:
    """Every note that names anybody has it."""
    assert read_question(question).terms == (term,)


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("¿Qué coche tengo?", "renault"), ("¿Dónde vive mi papá?", "mudó"), ("Hangi arabamız var?", "togg"),
        ("Wo wohnt Volker?", "umgezogen"), ("Where does Bo live?", "move"), ("Bozcaada'ya gidiyor muyuz?", "bozcaada"),
    ],
)  # fmt: skip
def test_common_things_are_looked_for_in_the_words_of_notes(question: str, word: str) -> None:
    """Each counts as a form of the word that asks."""
    assert read_question(question).forms[word] in read_question(question).terms
