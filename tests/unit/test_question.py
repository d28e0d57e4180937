"""Reading a question."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from precis.language.dates import Day
from precis.language.words import led_by, spoken_names, terms
from precis.recall.question import read_question
from precis.recall.wishes import marks_asked, marks_of


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("What happened in May 2023?", (Day(year=2023, month=5),)),
        ("What did she do on 7 May, 2023?", (Day(year=2023, month=5, day=7),)),
        ("on May 7 2023", (Day(year=2023, month=5, day=7),)),
        ("on May 7th", (Day(month=5, day=7),)),
        ("the 3rd of June", (Day(month=6, day=3),)),
        ("in July", (Day(month=7),)),
        ("on 2023-05-07 and in 2022-11", (Day(year=2023, month=5, day=7), Day(year=2022, month=11))),
        ("back in 2019", (Day(year=2019),)),
        ("may I ask", ()),
        ("in May", (Day(month=5),)),
        ("room 2400", ()),
    ],
)
def test_dates(text: str, days: tuple[Day, ...]) -> None:
    """As far as they were told."""
    assert days == read_question(text).days


def test_a_day_fits_what_it_says() -> None:
    """What was not told fits everything."""
    when = datetime(2023, 5, 7, tzinfo=UTC)
    assert Day(year=2023, month=5).fits(when)
    assert not Day(year=2023, month=6).fits(when)
    assert not Day(day=8).fits(when)


@pytest.mark.parametrize("text", ["Where does Mara live now?", "her current job", "Is she still a nurse?"])
def test_the_present(text: str) -> None:
    """Words that ask how things are now."""
    assert read_question(text).present
    assert not read_question("Where did Mara live in her youth?").present


@pytest.mark.parametrize(
    ("text", "rest", "present"),
    [
        ("Wie oft hat Gesa jetzt die Orgel gestimmt?", ("gesa", "orgel", "gestimmt"), True),
        ("¿Cuántos barcos tiene Gesa actualmente?", ("barco", "gesa"), True),
        ("Quel est le bateau de Gesa ?", ("bateau", "gesa"), False),
        ("Сколько у нее сейчас лодок?", ("лодок",), True),
        ("岬さんは今どこ？", read_question("岬さんは どこ").terms, True),
        ("今年の船", read_question("今年の船").terms, False),
        ("Did the die roll when Gesa was in the den?", ("die", "roll", "gesa", "den"), False),
        ("Wer bist du?", read_question("wer bist du").terms, False),
    ],
)
def test_a_question_of_another_language_asks_for_its_other_words(
    text: str, rest: tuple[str, ...], present: bool
) -> None:
    """Those it is put with say nothing; "now" says when. What would be empty is asked for as it is."""
    question = read_question(text)
    assert set(rest) <= set(question.terms)
    assert (len(rest), present) == (len(question.terms), question.present)


@pytest.mark.parametrize("text", ["When was it?", "How many cats?", "which doctor", "at 10:30"])
def test_a_detail(text: str) -> None:
    """A date, a number, a name."""
    assert read_question(text).detail
    assert not read_question("What does Ana think of tea?").detail


def test_terms_and_names() -> None:
    """Each once and in order; names as they are written."""
    question = read_question("What is Mara's favorite tea? Tea for Mara")
    assert ("mara", "favorit", "tea") == question.terms
    assert ["mara", "favorite", "tea"] == list(question.names)
    assert question.names["favorite"] == ("favorit",)
    assert set(spoken_names("Mara de Vries")) >= {"mara", "vries"}
    assert () == spoken_names(None)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Runa: I like tea", "Runa"), ("Runa Maria Holm: hi", "Runa Maria Holm"), ("王伟：你好", "王伟"),
        ("Мара: привет", "Мара"), ("Dr. O'Neil: take this", "Dr. O'Neil"), ("note: buy tea", None),
        ("https://example.org", None), ("It is 10:30 now", None), ("She said: no", None), ("Runa:", None), ("", None),
    ],
)  # fmt: skip
def test_who_a_text_begins_with(text: str, name: str | None) -> None:
    """A name before a colon; no clock, no address, no clause."""
    assert name == led_by(text)


def test_a_long_query_is_cut() -> None:
    """A page of text asks for its first different words."""
    assert len(read_question(" ".join(f"word{n}x" for n in range(5000))).terms) == 512


@pytest.mark.parametrize(
    ("rule", "liking", "question"),
    [
        (
            "Never call me before nine.",
            "I prefer trains to planes.",
            "Which rules has Mara given, and what does she prefer?",
        ),
        ("Ruf mich bitte nie vor neun an.", "Tee ist mir lieber.", "Welche Regeln und Vorlieben hat Mara?"),
        ("Désormais, tutoie-moi.", "J'aime mieux le train.", "Quelles consignes et préférences ?"),
        ("Впредь пиши кратко.", "Я предпочитаю чай.", "Какие правила дала Мара и что она предпочитает?"),
        ("请不要用列表。", "我更喜欢茶。", "玛拉有哪些规则和偏好？"),
    ],
)
def test_rules_and_likings_share_a_mark_with_the_question_for_all_of_them(
    rule: str, liking: str, question: str
) -> None:
    """In each language, and neither is taken for the other."""
    (of_rule, _), (of_liking, _) = marks_of(rule), marks_of(liking)
    assert of_rule != of_liking
    assert {of_rule, of_liking} == set(marks_asked(question)) == set(read_question(question).terms[:2])


@pytest.mark.parametrize(
    "text",
    [
        "I never saw such a crowd.",
        "Shall I never call?",
        "We walked to the harbor.",
        "Ich war nie dort.",
        "我昨天去了海边。",
    ],
)
def test_what_tells_of_no_wish_has_no_mark(text: str) -> None:
    """Words such as "never" alone say nothing of how somebody wants things."""
    assert [] == marks_of(text) == [*marks_asked(text)]


@pytest.mark.parametrize(
    "rule", ["Bana hep Türkçe cevap ver.", "이모티콘은 절대 쓰지 마세요.", "अब से हमेशा हिंदी में जवाब दो।"]
)
def test_an_instruction_in_any_language_has_the_mark_of_rules(rule: str) -> None:
    """Whatever language it is asked for in."""
    assert set(marks_asked("Which rules are there?")) & set(marks_of(rule))


@pytest.mark.parametrize(
    ("question", "wish"),
    [
        ("What should we bake for Gesa?", "Gesa is allergic to hazelnuts."),
        ("Would a boat trip be something for Gesa?", "I can't stand boats."),
        ("Was könnten wir Gesa schenken?", "Gesa sammelt alte Orgelpfeifen."),
        ("¿Qué puedo preparar para Gesa?", "Gesa no come pescado."),
        ("Qu'est-ce que je pourrais cuisiner ?", "Je suis allergique aux noix."),
        ("Что подарить Гесе?", "Геса обожает лодки."),
        ("岬さんに何を作ればいいですか？", "岬さんは海老アレルギーです。"),
        ("应该给小岬做什么？", "小岬对虾过敏。"),
    ],
)
def test_who_asks_for_advice_looks_for_tastes(question: str, wish: str) -> None:
    """They share no other word."""
    assert set(marks_asked(question)) & set(marks_of(wish))


@pytest.mark.parametrize(
    ("text", "other", "term"),
    [
        ("Was hat Gesa in Wohnungen gekauft?", "Wohnung", "wohnungen"),
        ("Was hat Gesa in Wohnungen gekauft?", "kaufen", "gekauft"),
        ("Où dorment les oiseaux ?", "l'oiseau", "oiseaux"),
        ("Co z Filemonką?", "Filemonka", "filemonką"),
        ("Où sont les manteaux ?", "manteau", "manteaux"),
        ("Какие щенки были у Глафиры?", "щенок", "щенк"),
        ("Hol vannak az almákkal a gyerekek?", "alma", "almákkal"),
        ("Onun kitabı nerede?", "kitap", "kitabı"),
        ("Missä matot ovat?", "matto", "matot"),
        ("أين وضعت مفتاحي؟", "المفتاح", terms("مفتاحي")[0]),
    ],
)
def test_words_ask_for_their_other_forms(text: str, other: str, term: str) -> None:
    """As far as the endings of the language are known; what only begins alike is no form."""
    forms = read_question(text).forms
    assert term in {forms.get(stem_, stem_) for stem_ in terms(other)}
    assert not {"wohnwagen", "filharmonia", "manette", "almanach", "kiraz", "katalog"} & forms.keys()


@pytest.mark.parametrize("text", ["Where were the flats that Gesa bought?", "What was her best gift?", "Filemonka"])
def test_english_has_its_stems(text: str) -> None:
    """And a question of no known language goes by its words as they are."""
    assert {} == read_question(text).forms
