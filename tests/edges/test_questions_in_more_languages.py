"""What a question is put with is no word that a memory lacks, in more languages than have a stemmer here."""

from __future__ import annotations

import pytest

from precis.app import App


@pytest.mark.parametrize(
    ("text", "question", "unknown"),
    [
        ("Αγόρασα ένα ποδήλατο από τον Σταύρο.", "Από ποιον είναι το ποδήλατο;", "Πότε είναι ο γάμος της;"),
        ("קניתי אופניים אצל יוסי.", "איפה האופניים שלי?", "מתי החתונה שלה?"),
        ("আমি রহিমের কাছে সাইকেল কিনেছি।", "আমার সাইকেলটা কার?", "তার বিয়ে কবে?"),
        ("Saya membeli sepeda dari Budi.", "Sepeda saya dari siapa?", "Kapan pernikahannya?"),
    ],
    ids=["el", "he", "bn", "id"],
)
async def test_what_asks_is_no_word_that_is_lacking(app: App, text: str, question: str, unknown: str) -> None:
    """Every "where is" counted as a word that no row has: what answers was no more relevant than what does not."""
    await app.memories.add([{"text": line, "user_id": "ada"} for line in (text, "19:30, ok!")])
    relevance = {}
    for query in (question, unknown):
        found = await app.recall.search(query, user_id="ada")
        relevance[query] = max(row.relevance.value for row in found if row.memory and row.memory.text == text)
    assert relevance[question] > 0.2
    assert relevance[unknown] < 0.1
