"""Whose a note is where a question asks of somebody by name, or of a relative of whoever asks."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from precis.recall.question import read_question
from precis.recall.ranking import Score
from precis.recall.telling import Told
from precis.recall.theirs import Resting, Theirs

DAY = datetime(2026, 3, 1, tzinfo=UTC)


def order(question: str, *texts: str, summary: str | None = None, speakers: tuple[str | None, ...] = ()) -> list[str]:
    """The texts in their new order, where they stand in this one; a summary that rests on all of them before them."""
    scores = [Score(id=str(at), keyword=0.9 - 0.2 * at) for at in range(len(texts))]
    said_by = speakers or (None,) * len(texts)
    told = {str(at): Told(text, DAY, by) for at, (text, by) in enumerate(zip(texts, said_by, strict=True))}
    resting = [Resting("s", summary, tuple(told))] if summary else []
    scores = [Score(id="s", keyword=0.95), *scores] if summary else scores
    ordered = Theirs(read_question(question), told, resting).first(scores)
    assert sorted(score.id for score in ordered) == sorted(score.id for score in scores)
    return [told[score.id].text if score.id in told else "summary" for score in ordered]


FOR_SOMEBODY = [
    ("When is Edda's dentist appointment?", "My dentist appointment is canceled.", "Dentist for Edda on Tuesday."),
    ("Wann ist Eddas Zahnarzttermin?", "Mein Zahnarzttermin ist abgesagt.", "Zahnarzt für Edda am Dienstag."),
    ("Quand est le rendez-vous d'Edda ?", "Mon rendez-vous est annulé.", "Rendez-vous pour Edda mardi."),
    ("¿Cuándo es la cita de Edda?", "Mi cita está cancelada.", "Cita para Edda el martes."),
    ("Quando é a consulta da Edda?", "Minha consulta foi cancelada.", "Consulta para a Edda na terça."),
    ("Quando è la visita di Edda?", "La mia visita è annullata.", "Visita per Edda martedì."),
    ("Wanneer is Edda's afspraak?", "Mijn afspraak is afgezegd.", "Afspraak voor Edda op dinsdag."),
    ("När är Eddas besök?", "Mitt besök är inställt.", "Besök för Edda på tisdag."),
    ("Edda'nın randevusu ne zaman?", "Cuma günkü randevum iptal oldu.", "Edda için salı randevusu."),
    ("Kiedy Edda ma wizytę?", "Moja wizyta jest odwołana.", "Wizyta dla Eddy we wtorek."),
    ("Когда у Эдды приём?", "Мой приём отменён.", "Приём для Эдды во вторник."),
]


@pytest.mark.parametrize(("question", "own", "theirs"), FOR_SOMEBODY)
def test_what_is_for_somebody_is_theirs(question: str, own: str, theirs: str) -> None:
    """It comes before that of whoever writes, which may hold more words of what is asked."""
    assert order(question, own, theirs) == [theirs, own]


@pytest.mark.parametrize(("question", "own", "theirs"), FOR_SOMEBODY[:3])
def test_so_it_does_before_a_summary_that_opens_with_another(question: str, own: str, theirs: str) -> None:
    """One that opens with theirs stays where it is."""
    assert order(question, theirs, own, summary=f"{own} {theirs}") == [theirs, "summary", own]
    assert order(question, theirs, own, summary=f"{theirs} {own}")[0] == "summary"


@pytest.mark.parametrize(
    ("question", "own", "names", "theirs"),
    [
        ("What is my sister's number?", "My number is 555.", "My sister Yara is a vegan.", "Yara's number is 777."),
        ("Wie ist die Nummer meiner Schwester?", "Meine Nummer ist 555.", "Meine Schwester Yara ist Veganerin.",
         "Yara hat die Nummer 777."),
        ("¿Cuál es el celular de mi hermana?", "Mi celular es 555.", "Mi hermana Yara es vegana.",
         "El celular de Yara es 777."),
        ("Qual é o número da minha irmã?", "Meu número é 555.", "A Yara é minha irmã.", "O número da Yara é 777."),
        ("Quel est le numéro de ma sœur ?", "Mon numéro est 555.", "Yara, ma sœur, est végane.",
         "Le numéro de Yara est 777."),
        ("Qual è il numero di mia sorella?", "Il mio numero è 555.", "Mia sorella Yara è vegana.",
         "Il numero di Yara è 777."),
        ("Ablamın numarası ne?", "Numaram 555.", "Ablam Yara Bursa'da oturuyor.", "Yara'nın numarası 777."),
        ("Какой номер у моей сестры?", "Мой номер 555.", "Моя сестра Яра веган.", "Номер Яры 777."),
    ],
)  # fmt: skip
def test_who_a_relative_is_another_note_tells(question: str, own: str, names: str, theirs: str) -> None:
    """What is told of them by name comes before who they are, and before that of whoever asks."""
    ordered = order(question, own, names, theirs)
    assert ordered[0] == theirs
    assert order(question, names, own, theirs)[0] == theirs


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        # It asks of whoever asks, or of no name.
        ("What did Edda say of my appointment?", "My appointment is on Monday.", "Edda has an appointment."),
        ("When is the appointment?", "My appointment is on Monday.", "Appointment for Edda on Tuesday."),
        ("Wann ist das Treffen im Verein?", "Mein Treffen ist am Montag.", "Das Treffen im Verein war schön."),
        # What names them holds nothing of what is asked.
        ("When is Edda's appointment?", "My appointment is on Monday.", "Edda likes pears."),
        # Nobody tells who the sister is.
        ("What is my sister's number?", "My number is 555.", "Yara's number is 777."),
    ],
)
def test_in_doubt_nothing_moves(question: str, first: str, second: str) -> None:
    """The order stays."""
    assert order(question, first, second) == [first, second]


def test_of_several_speakers_nobody_is_the_user() -> None:
    """Whose "my" is nobody knows there; what an assistant says changes nothing."""
    notes = ("My appointment is on Monday.", "Appointment for Edda on Tuesday.")
    assert order("When is Edda's appointment?", *notes, speakers=("Ole", "Ria")) == list(notes)
    assert order("When is Edda's appointment?", *notes, speakers=("Ole", "Assistant")) == [notes[1], notes[0]]
