"""The text of statements: a speaker is named once, and what the next one quotes is said once."""

from __future__ import annotations

import pytest

from precis.summary import Statement, assemble


def text_of(*texts: str) -> str:
    """Statements of these texts, assembled."""
    return assemble(
        tuple(Statement(text=text, source_ids=(f"m{at}",), importance=0.5) for at, text in enumerate(texts))
    )


@pytest.mark.parametrize(
    ("texts", "assembled"),
    [
        (
            ("user: I prefer aisles.", "user: I prefer aisles. I moved to Graz.", "user: I moved to Graz. It rains."),
            "user: I prefer aisles. I moved to Graz. It rains.",
        ),
        (("Ida: Is it new?", "Ida: Is it new? Bo: It is."), "Ida: Is it new? Bo: It is."),
        (("The boat leaks.", "The boat leaks. It was cheap."), "The boat leaks. It was cheap."),
        (("Ida: I row.", "Bo: I row. I sail."), "Ida: I row. Bo: I row. I sail."),
        (("Ida: I row.", "Ida: I row."), "Ida: I row. I row."),
        (
            ("Ida: Is it new? Bo: It is.", "Ida: My father is ill.", "Ida: He rows."),
            "Ida: Is it new? Bo: It is. Ida: My father is ill. He rows.",
        ),
        (("Ida: Neu? Bo K.: Ja.", "Bo K.: Er leckt."), "Ida: Neu? Bo K.: Ja. Er leckt."),
        (("ليلى: كم؟ سمير: ألف.", "ليلى: أبي مريض."), "ليلى: كم؟ سمير: ألف. ليلى: أبي مريض."),
        (("मीरा: कब? रवि: कल।", "मीरा: पिता बीमार हैं।"), "मीरा: कब? रवि: कल। मीरा: पिता बीमार हैं।"),
        (("Άννα: Πού; Νίκος: Εδώ.", "Άννα: Πονάω."), "Άννα: Πού; Νίκος: Εδώ. Άννα: Πονάω."),
        (("Ida: Neu? User 2: Ja.", "Ida: Er leckt."), "Ida: Neu? User 2: Ja. Ida: Er leckt."),
        (("Ida: We row.", "Ida: Row. Often."), "Ida: We row. Row. Often."),
    ],
)
def test_what_the_next_statement_quotes_is_said_once(texts: tuple[str, ...], assembled: str) -> None:
    """Whole sentences of the same speaker, and never a whole statement."""
    assert text_of(*texts) == assembled
