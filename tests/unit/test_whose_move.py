"""Whose home a newer note tells: of who asks, of a relative by name, or of somebody else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.recall.newer.former import former_first
from precis.recall.newer.notes import Became
from precis.recall.newer.related import opens_with_relative
from precis.recall.question import read_question
from precis.recall.ranking import Score
from precis.recall.telling import Told

DAY = datetime(2026, 3, 1, tzinfo=UTC)


def newer_is_first(question: str, older: str, newer: str) -> bool:
    """Whether the newer of two notes is put before the older one."""
    told = {"old": Told(older, DAY), "new": Told(newer, DAY + timedelta(days=30))}
    scores = [Score(id="old", keyword=0.9), Score(id="new", keyword=0.8)]
    return Became(read_question(question), told).newer_first(scores)[0].id == "new"


@pytest.mark.parametrize(
    ("question", "older", "others", "own"),
    [
        ("Onde moro agora?", "Moro em Faro.", "A Telma mudou-se para Leiria.", "Mudámo-nos para Leiria."),
        ("Dove abito adesso?", "Abito a Lecce.", "La Giulia si è trasferita a Pisa.", "Mi sono trasferita a Pisa."),
        ("Şimdi nerede oturuyorum?", "Bursa'da oturuyorum.", "Selin Adana'ya taşındı.", "Adana'ya taşındım."),
        ("今どこに住んでいますか?", "松本に住んでいます。", "直樹は長野に引っ越した。", "長野に引っ越した。"),
        ("我现在住在哪里？", "我住在长沙。", "建国搬到了苏州。", "上个月搬到了苏州。"),
    ],
)
def test_who_else_moved_changes_nothing_for_who_asks(question: str, older: str, others: str, own: str) -> None:
    """A name with an article, with its verb at the end, or in a script without capitals is somebody else."""
    assert newer_is_first(question, older, own)
    assert not newer_is_first(question, older, others)


@pytest.mark.parametrize(
    ("question", "older", "theirs", "others"),
    [
        ("Where does my brother live?", "My brother Ned lives in Hull.", "Ned moved to Derby.", "Tim moved to Derby."),
        (
            "Où habite ma cousine ?",
            "Ma cousine Maud habite à Metz.",
            "Maud a déménagé à Brest.",
            "Yann a déménagé à Brest.",
        ),
        ("Где живёт мой брат?", "Мой брат Денис живёт в Туле.", "Денис переехал в Омск.", "Антон переехал в Омск."),
        (
            "Onde vive a minha tia?",
            "A minha tia Celeste vive em Faro.",
            "A Celeste mudou-se para Leiria.",
            "A Telma mudou-se para Leiria.",
        ),
    ],
)
def test_a_relative_is_known_by_the_name_of_an_older_note(question: str, older: str, theirs: str, others: str) -> None:
    """The newer note has the name alone."""
    assert newer_is_first(question, older, theirs)
    assert not newer_is_first(question, older, others)


def test_a_name_stands_right_beside_the_word_for_a_relative() -> None:
    """Who else is named in a note is no relative."""
    assert opens_with_relative("Ned moved.", "Our baker is my brother Ned.", ("English",))
    assert not opens_with_relative("Hull flooded.", "My brother Ned lives in Hull.", ("English",))


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("Where did I live before?", "I live in Hull.", "I moved to Derby."),
        ("Wo habe ich früher gewohnt?", "Ich wohne in Gera.", "Ich bin nach Plauen gezogen."),
        ("¿Dónde trabajaba antes?", "Trabajo en la fábrica Ebro.", "Empecé un nuevo empleo en Talgo."),
        ("Где я работал до ателье?", "Работаю швеёй на фабрике.", "Устроилась на работу в ателье."),
    ],
)
def test_what_was_so_stands_before_what_came_after_it(question: str, older: str, newer: str) -> None:
    """Where whoever asks lived or worked; a question of somebody else changes nothing."""
    told = {"old": Told(older, DAY), "new": Told(newer, DAY + timedelta(days=30))}
    scores = [Score(id="new", keyword=0.9), Score(id="old", keyword=0.8)]
    assert former_first(read_question(question), told, scores)[0].id == "old"
    assert former_first(read_question("Where did Ned live before?"), told, scores)[0].id == "new"
    assert former_first(read_question("Where do I live now?"), told, scores)[0].id == "new"
