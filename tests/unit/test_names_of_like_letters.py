"""Names within names, cases of other names, and what somebody else does."""

from __future__ import annotations

import pytest

from finding_levels import levels


@pytest.mark.parametrize(
    ("ask", "text", "others"),
    [
        ("森のことを全部消して", "森さんは医者だ。", ["大森さんは弁護士だ。", "森の中を歩いた。", "森田は友達だ。"]),
        ("蓮のことを忘れて", "蓮は学生だ。", ["蓮太は学生だ。", "睡蓮を見た。"]),
        ("優花のことを忘れて", "優花は歌手だ。", ["優花里は先生だ。", "優花町に行った。"]),
        ("直人のことを忘れて", "直人先輩は親切だ。", ["直人志は画家だ。"]),
    ],
)
def test_a_name_within_a_longer_one_is_in_doubt(ask: str, text: str, others: list[str]) -> None:
    """The name alone, with a title or as what a sentence is about, goes."""
    told = levels(ask, text, *others)
    assert told[0] == "sure"
    assert "sure" not in told[1:]


def test_a_thing_beside_a_name_makes_no_longer_one() -> None:
    """A trip to Okinawa is of Okinawa."""
    assert levels("沖縄のことを忘れて", "沖縄旅行は楽しかった。") == ["sure"]


@pytest.mark.parametrize(
    ("ask", "his", "hers"),
    [
        ("Удали всё про Степана", "Степан живёт в Туле.", "Степана поёт."),
        ("Забудь всё про Валентина", "Валентин живёт в Туле.", "Валентина поёт."),
        ("Забудь всё про Евгения", "Евгений играет в шахматы.", "Евгения печёт торты."),
        ("Удали всё про Марину", "Марина живёт в Туле.", "Марин чинит крыши."),
        ("Удали всё про Романа", "Роман живёт в Туле.", "Романов мой начальник."),
        ("Удали всё про Павла", "Павел живёт в Туле.", "Павла поёт."),
    ],
)
def test_a_case_of_one_name_is_not_surely_another(ask: str, his: str, hers: str) -> None:
    """Who is called by the nominative of that case goes."""
    assert levels(ask, his, hers) == ["sure", "doubtful"]


def test_a_case_that_may_be_of_two_is_in_doubt() -> None:
    """Of Valeria and of Valery it is the same; of one alone it is sure."""
    assert levels("Забудь всё о Валерии", "Валерий живёт в Туле.", "Валерия поёт.") == ["doubtful", "doubtful"]
    assert levels("Забудь всё о Валерии", "Валерия поёт.") == ["sure"]
    assert levels("Forget everything about Valeria", "Valeria sings.", "Valerio lives in Tula.")[0] == "sure"


def test_whose_mother_is_not_who() -> None:
    """Gleb's mother is asked for, and not Gleb; Olga, and not somebody of hers."""
    told = levels("Забудь всё о маме Глеба", "Мама Глеба живёт в Сочи.", "Глеб живёт в Перми.")
    assert told[0] == "sure"
    assert told[1] in {"near", "no"}
    assert levels("Забудь всё про маму Ольгу", "Ольга живёт в Сочи.") == ["sure"]


@pytest.mark.parametrize(
    ("ask", "theirs"),
    [
        ("私が猫を飼っていることを忘れて", "蓮は猫を飼っている。"),
        ("私が紅茶を飲むことを忘れて", "蓮は紅茶を飲む。"),
        ("私が札幌で働いていることを忘れて", "蓮は札幌で働いている。"),
        ("내가 담배를 피운다는 것을 잊어줘", "민수는 담배를 피운다."),
        ("Forget that I drink tea", "Tove drinks tea."),
    ],
)
def test_what_somebody_else_does_is_not_surely_the_users(ask: str, theirs: str) -> None:
    """It stays unless it is chosen."""
    assert levels(ask, theirs)[0] != "sure"


def test_what_the_user_does_is_sure() -> None:
    """Whoever else does it."""
    assert levels("私が猫を飼っていることを忘れて", "私は猫を飼っている。", "蓮は猫を飼っている。")[0] == "sure"
