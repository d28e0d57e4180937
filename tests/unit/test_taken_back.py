"""What was answered, and what was only a joke, is told with what stands before it."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from precis.checks.fates import fates
from precis.checks.standing import now_first
from precis.extractive.summarizer import summarize
from precis.facts.rules import facts_in
from precis.language.newest.corrections import Turn
from precis.language.newest.taken_back import bound, takes_back
from precis.language.newest.timeline import overruled
from precis.language.reading import Line
from precis.makers import Item, Request
from precis.models.tokens import count
from precis.recall.pieces import parts_of
from precis.summary import Statement

NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)
ANSWERED = [
    "Ragna asked the council for a stall and they said yes.",
    "We asked the harbor for a berth. They agreed.",
    "I proposed to Iben and she said yes!",
    "Piet invited Noor to the regatta, and she accepted.",
    "The user applied for a visa, it was approved.",
    "Ich habe Iben um das Boot gebeten. Sie hat ja gesagt.",
    "Le pedí un aumento a la jefa. Dijo que sí.",
    "J'ai demandé une place au port. Ils ont dit oui.",
    "Pedi uma vaga à escola. Eles aceitaram.",
    "Patrondan izin istedim. Tamam dedi.",
    "Я попросила Олю о машине. Она сказала да.",
]
TAKEN_BACK = [
    ("Uncle Bram bought a lighthouse.", "Haha, if only."),
    ("Uncle Bram bought a lighthouse.", "As if!"),
    ("Uncle Bram gave up gin.", "Yeah, right."),
    ("Uncle Bram is moving to Vis.", "Lol no."),
    ("Tante Greta hat im Lotto gewonnen.", "Schön wär's!"),
    ("La tía Rosa ganó la lotería.", "Jajaja, es broma."),
    ("Teyzem piyangoyu kazandı.", "Keşke."),
    ("O tio comprou um farol.", "Até parece."),
    ("Тётя купила маяк.", "Шучу."),
    ("叔叔买了灯塔。", "开玩笑的。"),
]
DISOWNED = [
    ("Nils says the ferry line closes in May.", "He made it up, he told me later."),
    ("Olga thinks Tarvik is broke.", "Only a rumour, she admitted."),
    ("Jonas reckons Hellberg's owner wants to sell the firm.", "Just harbor gossip, he isn't sure."),
    ("I sold my boat to Sven.", "I was joking, of course!"),
    ("Anna says Bosman married his secretary.", "Pure gossip though."),
    ("Vendí mi barco a Sven.", "Es broma, claro."),
    ("A Inês disse que a Lumo vai fechar em maio.", "É só um boato."),
    ("Ilse sagt, Nordlys zieht nach Malmö.", "Das hat sie sich nur ausgedacht."),
]
PUT_RIGHT = [
    ("Giulia paid the 2,780 on Friday, finally.", "Well, Matteo did."),
    ("Olga signed the papers on Monday.", "Well, her boss did."),
    ("I booked the Hilton for Friday.", "Or rather the Ibis."),
    ("Sven fixed the gate on Monday.", "No, it was his cousin Nils."),
    ("Rashid cancelled the Cork order on Tuesday.", "Well, his wife did."),
    ("My brother Kalle broke the window.", "No, the neighbor's boy did."),
    ("Olga hat das Zelt am Montag bezahlt.", "Nein, das war ihr Bruder."),
    ("J'ai réservé le Hilton pour vendredi.", "Ou plutôt l'Ibis."),
    ("Renuncié a mi trabajo en Lumo.", "O más bien me echaron."),
    ("Ho prenotato il Hilton per venerdì.", "Anzi, l'Ibis."),
    ("Comprei um carro novo em Lisboa.", "Quer dizer, o meu irmão comprou."),
]
GOES_ON = [
    ("I booked the Hilton for Friday.", "Well, I had no choice."),
    ("I live in Cork with my sister Olga.", "No, really, the house is huge."),
    ("Nils says the ferry line closes in May.", "He made up his mind to drive."),
    ("I work as a nurse in Leeds.", "Well, I love it."),
    ("My daughter Noor starts school in May.", "I mean it's about time."),
    ("I moved to Turku in April.", "Rather cold there."),
    ("Ich wohne seit Mai in Bremen.", "Nein, nicht allein."),
    ("J'habite à Lyon depuis 2019.", "Enfin, ça me plaît."),
    ("Vivo en Sevilla desde 2020.", "No, no tengo coche."),
    ("Abito a Torino da tre anni.", "Cioè, mi piace molto."),
]


def told(*texts: str, speaker: str | None = None, limit: int = 200) -> list[str]:
    """The statements of items with these texts."""
    items = tuple(
        Item(text=each, source_ids=(f"m{at}",), created_at=NOON, speaker=speaker) for at, each in enumerate(texts)
    )
    request = Request(items=items, max_tokens=limit, prompt="")
    return [statement.text for statement in summarize(request, count).statements]


@pytest.mark.parametrize("text", ANSWERED)
@pytest.mark.parametrize("speaker", [None, "Pia"])
def test_an_answer_is_told_with_what_was_asked(text: str, speaker: str | None) -> None:
    """Without the yes, who reads it takes the request for open."""
    (statement,) = told(text, speaker=speaker)
    assert statement.removeprefix("Pia: ") == text


@pytest.mark.parametrize(("claim", "behind"), TAKEN_BACK + DISOWNED + PUT_RIGHT)
@pytest.mark.parametrize("speaker", [None, "Pia"])
def test_what_takes_it_back_is_told_with_it(claim: str, behind: str, speaker: str | None) -> None:
    """Never the claim alone, whatever room there is; in a context neither."""
    text = f"{claim} {behind}"
    (statement,) = told(text, speaker=speaker)
    assert _undated(statement.removeprefix("Pia: ")) == text
    for limit in range(6, 40, 3):
        said = " ".join(told(text, "The ferry to Vis was late again because of the wind.", limit=limit))
        assert claim not in _undated(said) or behind in said
    assert parts_of(text) == [text]


def _undated(statement: str) -> str:
    """The statement without the year that was added to a month."""
    return re.sub(r" \(\d[^()]*\)", "", statement)


@pytest.mark.parametrize(("claim", "behind"), DISOWNED + PUT_RIGHT)
def test_what_is_taken_back_is_no_fact_by_itself(claim: str, behind: str) -> None:
    """A fact of both sentences, or none."""
    facts = [fact.text for fact in facts_in(f"{claim} {behind}", name="Pia", role="user")]
    assert all(fact.endswith(behind) for fact in facts)
    assert not facts or (claim, behind) in PUT_RIGHT


def test_what_puts_a_fact_right_is_told_with_it() -> None:
    """Also of whoever speaks."""
    facts = facts_in("I booked the Hilton for Friday. Or rather the Ibis.", name="Pia", role="user")
    assert [fact.text for fact in facts] == ["Pia booked the Hilton for Friday. Or rather the Ibis."]


@pytest.mark.parametrize(("claim", "behind"), GOES_ON)
def test_what_only_opens_alike_takes_nothing_back(claim: str, behind: str) -> None:
    """The fact before it stands by itself."""
    (fact,) = facts_in(claim, name="Pia", role="user")
    assert fact in facts_in(f"{claim} {behind}", name="Pia", role="user")


@pytest.mark.parametrize("text", ["No kidding.", "No.", "Ja.", "She sold it.", "It was approved.", "I joked with Bo."])
def test_what_takes_nothing_back(text: str) -> None:
    """Other short sentences."""
    assert not takes_back(text)


def test_a_joke_opens_nothing_and_overrules_nothing() -> None:
    """Nobody has moved to Narnia."""
    texts = ("Bram lives in Oslo.", "Bram plays the horn.", "Bram lives in Narnia now. As if!")
    items = [
        Item(text=text, source_ids=(f"m{at}",), created_at=NOON.replace(day=at + 1)) for at, text in enumerate(texts)
    ]
    statements = [Statement(text=text, source_ids=(f"m{at}",), importance=0.5) for at, text in enumerate(texts)]
    assert now_first(statements, items, fates(items, statements))[0].text == texts[0]
    assert not dict(overruled([Line(text=text, speaker=None) for text in texts]))


@pytest.mark.parametrize(
    "text",
    [
        "Piyango çıkarsa Napoli'ye taşınacağım.",
        "Kazanırsam Napoli'ye taşınacağım.",
        "Paramız varsa Napoli'ye taşınacağım.",
    ],
)
def test_what_holds_only_if_is_no_fact(text: str) -> None:
    """Turkish marks the condition at its verb; a town that ends alike marks none."""
    assert not facts_in(text, name="Nesrin", role="user")
    assert facts_in("Mayısta Bursa'ya taşınacağım.", name="Nesrin", role="user")


@pytest.mark.parametrize(
    ("before", "said"),
    [("El coche lo vendí en enero por 3.200", "No no, sigue en el San José. Eso sí, la apunté a natación"),
     ("J'ai vendu le vélo à Karim.", "Non non, elle reste à Pasteur jusqu'en juin."),
     ("Ich hab den Golf verkauft.", "Nein nein, er bleibt in der Waldschule.")],
)  # fmt: skip
def test_what_answers_somebody_who_is_not_there_takes_nothing_back(before: str, said: str) -> None:
    """A no with small words in common, where the question between them is missing."""
    turns = [Turn(text, "Marta", datetime(2025, 3, 26, 10, at, tzinfo=UTC)) for at, text in enumerate((before, said))]
    assert [settled.text for settled in bound(turns)] == [before, said]
