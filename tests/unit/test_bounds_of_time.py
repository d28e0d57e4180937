"""Requests that say by a month when something was told: before it, after it, since it, and in it."""

from __future__ import annotations

import pytest

from finding_levels import levels

#: Written on 18 December, 7 January, 27 January, 16 February and 8 March.
TOLD = ("I keep bees.", "I learn Welsh.", "The cellar is wet.", "I sold the canoe.", "I bought a kiln.")


@pytest.mark.parametrize(
    "ask",
    [
        "Forget everything I told you before February",
        "Efface tout ce que je t'ai dit avant février",
        "Cancella tutto quello che ti ho detto prima di febbraio",
        "Apague tudo o que eu te disse antes de fevereiro",
        "Borra todo lo que te dije antes de febrero",
        "Lösche alles, was ich dir vor Februar gesagt habe",
        "Удали всё, что я говорила до февраля",
        "2月より前に話したことを全部消して",
        "2월 이전에 내가 말한 것을 다 지워 줘",
        "删除我二月之前说的话",
        "फ़रवरी से पहले मैंने जो कहा वह सब मिटा दो",
        "Wis alles wat ik je voor februari heb verteld",
        "Usuń wszystko, co powiedziałem przed lutym",
        "Radera allt jag sa före februari",
        "Şubattan önce söylediklerimi sil",
    ],
)
def test_what_was_told_before_a_month_is_older(ask: str) -> None:
    """All of it surely, and nothing that was written in that month or later."""
    assert levels(ask, *TOLD) == ["sure", "sure", "sure", "no", "no"]


@pytest.mark.parametrize(
    ("ask", "first"),
    [
        ("Oublie tout ce que j'ai dit après janvier", 3),
        ("Забудь всё, что я говорил после января", 3),
        ("Забудь всё, что я говорил с января", 1),
        ("1月以降に話したことを全部忘れて", 1),
        ("जनवरी के बाद मैंने जो कहा वह सब मिटा दो", 3),
        ("Dimentica quello che ho detto da gennaio", 1),
        ("Ocaktan sonra söylediklerimi unut", 3),
        ("5 Ocak'tan önce söylediklerimi unut", -1),
    ],
)
def test_what_was_told_since_a_month_is_newer(ask: str, first: int) -> None:
    """From that row on, or, where it is -1, only the one before."""
    sure = [at >= first if first >= 0 else at == 0 for at in range(len(TOLD))]
    assert [level == "sure" for level in levels(ask, *TOLD)] == sure


@pytest.mark.parametrize(
    "ask", ["1月に話したことを全部忘れて", "Zapomnij, co mówiłem w styczniu", "Glöm det jag sa i januari"]
)
def test_what_was_told_in_a_month_is_of_that_month(ask: str) -> None:
    """Two of them."""
    assert levels(ask, *TOLD) == ["no", "sure", "sure", "no", "no"]


def test_what_somebody_else_told_then_is_not_the_users() -> None:
    """Nothing that nobody is named in goes for it."""
    assert "sure" not in levels("直樹が1月に話したことを全部忘れて", *TOLD)
