"""What stands above the lines of a context, by the language of the question."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from precis.language import tables
from precis.mcp.wording import is_answer
from precis.recall.assembly import Piece, Section, assemble
from precis.recall.headings import ENGLISH, UNSURE, Headings
from precis.testing.fakes import count_words

DAY = date(2026, 7, 4)


@pytest.mark.parametrize(
    ("question", "title", "day", "whole"),
    [
        ("Wann ist die Chorprobe?", "Erinnerungen:", "4. Juli", "4. Juli 2026"),
        ("Qui est le médecin de Luc ?", "Souvenirs :", "4 juillet", "4 juillet 2026"),
        ("¿Dónde vive Carmen?", "Recuerdos:", "4 de julio", "4 de julio de 2026"),
        ("Сколько стоит аренда?", "Воспоминания:", "4 июля", "4 июля 2026"),
        ("房租多少钱？", "记忆：", "7月4日", "2026年7月4日"),
        ("월세가 얼마예요?", "기억:", "7월 4일", "2026년 7월 4일"),
        ("How much is the rent?", "Memories:", "4 July", "4 July 2026"),
        ("Hinfort?", "Memories:", "4 July", "4 July 2026"),
    ],
)
def test_headings_and_days_are_of_the_language_of_the_question(question: str, title: str, day: str, whole: str) -> None:
    """The lines themselves are as they were written."""
    headings = Headings.of(question)
    assert (headings.titles["memories"], headings.day(DAY), headings.whole(DAY)) == (title, day, whole)


def test_the_lines_tell_which_of_two_languages_a_question_is_in() -> None:
    """It may be Italian or Portuguese: "Quanto paga"."""
    question = "Quanto paga a Rafael?"
    for line, title in (
        ("O Rafael paga o aluguel no dia cinco, não é?", "Lembranças:"),
        ("Rafael paga l'affitto il cinque, perché glielo chiede il padrone di casa.", "Ricordi:"),
    ):
        assert Headings.of(question, [line]).titles["memories"] == title


@pytest.mark.parametrize("language", sorted(tables.entry("headings")))
def test_a_context_of_any_language_is_known_as_an_answer_of_precis(language: str) -> None:
    """Of every month, with and without a subject, unsure or not: what precis answered is no memory."""
    headings = Headings.in_(language)
    assert headings is ENGLISH or headings.unsure != UNSURE
    assert len({headings.day(date(2026, month, 4)) for month in range(1, 13)}) == 12
    for month in range(1, 13):
        for subject in (None, "tea"):
            for section, lasts in ((section, lasts) for section in Section for lasts in (False, True)):
                written_at = datetime(2026, month, 4, tzinfo=UTC)
                piece = Piece(
                    section=section, id="m", text="Tea.", created_at=written_at, source_ids=("m",), subject=subject,
                    is_lasting=lasts,
                )  # fmt: skip
                made = assemble([piece], budget=60, count=count_words, headings=headings)
                for text in (made.text, f"{headings.unsure}\n{made.text}"):
                    assert is_answer("precis_context", text), text
