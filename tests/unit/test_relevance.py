"""Relevance says whether a row is evidence at all, whatever stands beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import pytest

from precis.app.recall import _SURELY
from precis.recall.persons import is_of_another_owner
from precis.recall.question import Candidate, Pool, read_question
from precis.recall.relevance import COMPARED, Spoken, relevances
from precis.recall.sought.evidence import NAMES, Relevance

MOMENT = datetime(2026, 5, 4, tzinfo=UTC)
#: What is less is not surely known.
SURELY = 0.07
#: So many rows are in the scope, of which the tests hold a few.
DOCUMENTS = 400.0


def relevance_of(
    query: str, rows: Mapping[str, tuple[str | None, str, float]], *, trust: float = 1.0, length: int = 8
) -> Mapping[str, Relevance]:
    """Of rows by id: who says what, and how near it is to the query."""
    question = read_question(query)
    texts = {id_: text for id_, (_, text, _) in rows.items()}
    counts = {id_: [read_question(text).terms.count(term) for term in question.terms] for id_, text in texts.items()}
    holding = tuple(float(sum(column)) for column in zip(*counts.values(), strict=True))
    candidates = {
        id_: Candidate(
            id=id_, similarity=near, frequencies=tuple(counts[id_]), length=length, importance=0.5, created_at=MOMENT,
            spoken=(speaker or "").casefold() in question.names,
        )
        for id_, (speaker, _, near) in rows.items()
    }  # fmt: skip
    pool = Pool(rows=candidates, documents=DOCUMENTS, holding=holding, mean_length=8.0)
    spoken = {id_: Spoken(text=text, speaker=speaker) for id_, (speaker, text, _) in rows.items()}
    return relevances(question, pool, spoken, trust=trust)


def values(found: Mapping[str, Relevance], ids: Sequence[str]) -> list[float]:
    """The figures of these rows."""
    return [found[id_].value for id_ in ids]


def test_evidence_is_likelier_than_what_shares_a_word() -> None:
    """And what shares nothing is hardly ever evidence."""
    found = relevance_of(
        "Which boat did Runa buy in Bergen?",
        {
            "evidence": ("Runa", "I bought a boat in Bergen, an old wooden one.", 0.7),
            "word": ("Runa", "The boat was late again.", 0.3),
            "nothing": ("Odd", "Dinner is at seven.", 0.02),
        },
    )
    evidence, word, nothing = values(found, ["evidence", "word", "nothing"])
    assert 1 > evidence > 0.25 > word > nothing > 0
    assert nothing < 0.05


def test_what_nobody_ever_said_is_not_relevant() -> None:
    """Words that no row holds are the rarest: nothing here can be evidence for them."""
    found = relevance_of("zyxo qwfp", {"row": ("Runa", "I bought a boat in Bergen.", 0.05)})
    assert found["row"].value < 0.05


def test_another_speaker_is_no_evidence_for_one() -> None:
    """The same words of somebody else, of themselves, say less than those of who is asked about."""
    rows = {
        "own": ("Runa", "I gave up smoking after the winter.", 0.6),
        "other": ("Odd", "I gave up smoking after the winter.", 0.6),
    }
    found = relevance_of("When did Runa give up smoking?", rows)
    assert found["own"].value > 2 * found["other"].value
    # Where only the other one says it, what Runa says beside it is not lifted by it.
    swapped = relevance_of(
        "When did Runa give up smoking?",
        {"own": ("Runa", "That is wonderful news!", 0.2), "other": ("Odd", "I gave up smoking after winter.", 0.6)},
    )
    assert max(values(swapped, ["own", "other"])) < found["own"].value / 2


def test_what_stands_below_the_compared_rows_changes_nothing() -> None:
    """So a longer answer has the same figures in its first rows."""
    rows = {f"row{n}": ("Runa", f"I painted the fence number {n} of the garden.", 0.4) for n in range(COMPARED)}
    rows |= {"rival": ("Odd", "They will paint the gate.", 0.3)}
    short = relevance_of("What did Runa paint?", rows)
    long = relevance_of("What did Runa paint?", {**rows, "late": ("Odd", "I will paint the door of the barn.", 0.9)})
    assert values(short, list(rows)) == pytest.approx(values(long, list(rows)), rel=0.05)


def test_praise_of_what_somebody_else_did_is_no_evidence() -> None:
    """Who is asked about says the words of the question, of somebody else; the one who did it says so of themselves."""
    rows = {
        "praise": ("Runa", "Well done on the marathon, Odd! How was the training for it?", 0.6),
        "deed": ("Odd", "I ran the marathon after a year of training.", 0.6),
        "own": ("Runa", "I ran the marathon after a year of training.", 0.6),
    }
    query = "How did Runa train for the marathon?"
    swapped = relevance_of(query, {id_: rows[id_] for id_ in ("praise", "deed")})
    told = relevance_of(query, {id_: rows[id_] for id_ in ("own", "praise")})
    assert max(values(swapped, ["praise", "deed"])) < told["own"].value / 2


def test_who_is_asked_about_need_not_speak_english() -> None:
    """A sentence with few small words of English may be of who says it."""
    rows = {"own": ("Runa", "Jeg boksede hver torsdag i Fana med to venner.", 0.3)}
    assert relevance_of("Hvor boksede Runa", rows)["own"].evidence.told > 0.4


def test_where_nouns_have_capitals_only_speakers_are_names() -> None:
    """What a German question is about counts as told, though it is written like a name."""
    rows = {"evidence": ("Gesa", "Gestern habe ich die Orgel gestimmt.", 0.2), "other": ("Gesa", "Es regnet.", 0.1)}
    german = relevance_of("Hat Gesa eine Orgel gestimmt?", rows)
    assert german["evidence"].evidence.told > 0.9
    assert german["evidence"].value > 0.4 > german["other"].value


def test_a_question_that_the_embedder_cannot_read_goes_by_its_words() -> None:
    """Likeness says nothing there."""
    rows = {"near": ("Runa", "Dinner is at seven.", 0.9), "words": ("Runa", "The ferry to Fedje leaves at noon.", 0.0)}
    found = relevance_of("ferry to Fedje", rows, trust=0.0)
    assert found["words"].value > found["near"].value


def test_parts_explain_the_figure() -> None:
    """Every figure has its part, and none of them is of what does not apply."""
    found = relevance_of("boat in Bergen", {"row": ("Runa", "I bought a boat in Bergen.", 0.7)})["row"]
    assert set(NAMES) == set(found.parts)
    assert 0 == found.parts["other_self"] == found.parts["unnamed"]
    assert found.parts["words"] > 0


def test_a_row_that_nobody_says_may_be_of_whom_is_named() -> None:
    """A user's own notes hardly name the user."""
    note = "I drink no coffee after noon."
    found = relevance_of("What does Runa drink after noon?", {"note": (None, note, 0.6), "said": ("Odd", note, 0.6)})
    assert 0 == found["note"].parts["unnamed"]
    assert found["note"].value > 3 * found["said"].value


def test_what_is_told_of_another_owner_is_not_surely_relevant() -> None:
    """It stays in the answer, and says by a part of its own why it has less."""
    other, theirs = "The gate code at Tarvik is 3308.", "The gate code at Fenix is 9912."
    found = relevance_of(
        "What is the gate code at Fenix?", {"other": (None, other, 0.8), "theirs": (None, theirs, 0.8)}
    )
    assert 0.05 < found["other"].value < 0.07
    assert found["other"].parts["another"] < 0 == found["theirs"].parts["another"]
    assert found["theirs"].value > 0.3


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is Ines's phone number?", "Olga's mobile number is 0151 555 7340."),
        ("When is Ebba's birthday?", "Tove's birthday is on 4 May."),
        ("Who looks after payments at Castellani?", "At Brandt a Mr Moritz looks after payments."),
        ("Quel est le code de Fenix ?", "Le code de Tarvik est 3308."),
        ("Wat is de code van Fenix?", "De code van Tarvik is 3308."),
    ],
)
def test_another_owner_is_told_by_the_same_place(question: str, text: str) -> None:
    """By an ending, or by what stands before the name."""
    assert is_of_another_owner(question, text, None)


@pytest.mark.parametrize(
    ("question", "text", "speaker"),
    [
        ("What is the gate code at Fenix?", "The gate code is 3308.", None),
        ("What is the gate code at Fenix?", "At Tarvik it is 3308, at Fenix 9912.", None),
        ("What is the gate code at Fenix?", "At Cork they changed it to 9912.", None),
        ("What is Katherine's number?", "Kate's number is 0151.", None),
        ("What does Olga at Fenix want?", "Olga spoke at Hannover.", None),
        ("What is Olga's number?", "Call me at Brandt's, 0151.", "Olga"),
        ("What is on at Christmas?", "The tree at Easter was green.", None),
        ("When did I buy the present for Anna?", "I bought it for Easter.", None),
        ("What is the code of the garage?", "The code of the shed is 3308.", None),
        ("Where did I stay in Portugal?", "I stayed in Lisbon.", None),
    ],
)
def test_what_may_be_of_whom_is_asked_is_told_of_no_other(question: str, text: str, speaker: str | None) -> None:
    """Names that may be of one, a pronoun, who speaks, a time, no name, and places, one of which may hold the other."""
    assert not is_of_another_owner(question, text, speaker)


@pytest.mark.parametrize(
    ("question", "own", "of_them", "theirs"),
    [
        (
            "Qual é o telefone do Caio?",
            "Meu telefone é 99 1000.",
            "Meu irmão Caio é padeiro.",
            "Telefone do Caio: 99 7.",
        ),
        ("Ece'nin telefonu kaç?", "Telefonum 55 10.", "Ablam Ece öğretmen.", "Ece'nin telefonu 55 77."),
        ("Какой телефон у Насти?", "Мой телефон 55-10.", "Сестра Настя врач.", "Телефон Насти 55-77."),
        ("शिव का नंबर क्या है?", "मेरा नंबर 5510 है।", "मेरे भाई शिव दुकानदार हैं।", "शिव का नंबर 5577 है।"),
        ("陈立的手机号是多少?", "我的手机号是5510。", "我哥陈立开车。", "陈立的手机号是5577。"),
        ("健太の電話番号は?", "私の電話番号は5510です。", "夫の健太は消防士です。", "健太の電話番号は5577です。"),
        ("ما رقم طارق؟", "رقمي 5510.", "أخي طارق سائق.", "رقم طارق 5577."),
        (
            "민호 전화번호가 뭐예요?",
            "제 전화번호가 5510이에요.",
            "동생 민호는 의사예요.",
            "민호 전화번호가 5577이에요.",
        ),
    ],
)
def test_a_thing_of_the_users_own_is_none_of_whom_is_named(question: str, own: str, of_them: str, theirs: str) -> None:
    """Nor does a note tell it that names them alone; one that has both does."""
    found = relevance_of(question, {"own": (None, own, 0.5), "of": (None, of_them, 0.4)}, trust=0.0)
    assert max(values(found, ["own", "of"])) < SURELY
    found = relevance_of(question, {"own": (None, own, 0.5), "theirs": (None, theirs, 0.5)}, trust=0.0)
    assert found["theirs"].value > SURELY


def test_who_is_named_may_be_who_writes() -> None:
    """Who says what they are called asks of themselves by their name."""
    rows = {"is": (None, "Sou a Tainá, oi!", 0.4), "own": (None, "Meu telefone é 99 1000.", 0.5)}
    assert relevance_of("Qual é o telefone da Tainá?", rows)["own"].value > SURELY


@pytest.mark.parametrize(
    ("question", "other", "own"),
    [
        ("What is my dog called?", "Fergus has bought a dog, a terrier named Mungo.", "My dog is called Mungo."),
        ("When is my mother's operation?", "My father has his operation on 4 May.", "Mum has her operation on 4 May."),
        ("What phone do I have?", "I mostly read it on my phone.", "My phone is a Fairphone 5."),
        ("How much rent does Fergus pay?", "I pay 780 rent.", "Fergus pays 780 rent."),
        ("When is Ida's scan?", "Ida drives me on Friday the 4th.", "Ida has her scan on Friday."),
    ],
)
def test_what_is_told_of_what_another_has_is_not_surely_relevant(question: str, other: str, own: str) -> None:
    """Of what whoever asks has, and of what somebody has who is named; the row of theirs is."""
    found = relevance_of(question, {"other": ("user", other, 0.3)})
    assert found["other"].value < _SURELY
    found = relevance_of(question, {"own": ("user", own, 0.5)})
    assert found["own"].value >= _SURELY


def test_of_a_long_answer_counts_what_stands_together() -> None:
    """Words of a question in different parts of it say nothing of one thing."""
    between = " ".join(f"Step {at} takes the usual tools, a little patience and some paper." for at in range(12))
    apart = f"Ring Maureen first. {between} A scan follows in autumn."
    beside = f"{between} Maureen has her scan in autumn."
    question = "When is Maureen's scan?"
    found = relevance_of(question, {"apart": ("assistant", apart, 0.2)}, length=90)
    assert (
        found["apart"].value
        < 0.1
        < relevance_of(question, {"beside": ("assistant", beside, 0.2)}, length=90)["beside"].value
    )
