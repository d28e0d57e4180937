"""In what other words notes tell what a question asks for: past tenses, who quit, who moved, and what is practiced."""

from __future__ import annotations

import pytest

from precis.language.words import stem
from precis.recall.question import read_question


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Wo habe ich damals gewohnt?", "wohne"),
        ("Où habitais-je ?", "habite"),
        ("¿Dónde trabajaba yo entonces?", "empecé"),
        ("Onde moravas?", "moro"),
        ("Eskiden nerede çalışıyordum?", "istifa"),
        ("Где я жил тогда?", "живу"),
        ("Wann war die Kündigung?", "gekündigt"),
        ("Когда было увольнение?", "уволилась"),
        ("Wann war der Umzug?", "umgezogen"),
        ("Quand était le déménagement ?", "déménagé"),
        ("Wann ist meine Klavierprobe?", "klavier"),
        ("Wann ist das Judotraining?", "judo"),
    ],
)
def test_what_tells_it_counts_as_another_form(question: str, told: str) -> None:
    """It stands for a word of the question."""
    read = read_question(question)
    assert read.forms.get(stem(told)) in read.terms
