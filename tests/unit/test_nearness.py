"""How near the words of a text come to each word of a question."""

import pytest

from precis.models.embeddings.nearness import WordByWord


@pytest.mark.parametrize(
    ("question", "near", "far"),
    [
        ("Who is the doctor?", "The physician is called Ivo.", "The carpet is called Ivo."),
        ("What car does she drive?", "Her vehicle is a Kia.", "Her soup is a stew."),
        ("When is the marriage?", "They married in May, after all that long and cold winter.", "They moved in May."),
    ],
)
def test_a_text_with_a_near_word_is_nearer(question: str, near: str, far: str) -> None:
    """However many words it has beside."""
    nearer, further = WordByWord(question).nearness([near, far])
    assert nearer > further + 0.1


def test_the_very_words_are_nearest() -> None:
    """In any order, and whatever stands beside them."""
    (nearness,) = WordByWord("Which boat won?").nearness(["It won, that boat, they cried."])
    assert nearness == pytest.approx(1.0, abs=1e-5)


def test_words_that_do_not_count() -> None:
    """Names that are asked of are given; small words are known."""
    assert WordByWord("What about Ida?", besides={"ida"}).nearness(["Ida swims."]) == [0.0]
    assert WordByWord("Who is it?").nearness(["Ida swims."]) == [0.0]
    assert WordByWord("Who swims?").nearness(["", "It is.", "..."]) == [0.0, 0.0, 0.0]
    assert WordByWord("Who swims?").nearness([]) == []


def test_a_language_that_the_table_does_not_read_says_nothing() -> None:
    """Its fragments would be like any."""
    assert WordByWord("\u041a\u0442\u043e \u043c\u043e\u0439 \u0432\u0440\u0430\u0447?").nearness(["The doctor."]) == [
        0.0
    ]
