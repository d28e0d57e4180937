"""Of a talk in another language, too, an answer has its question, and the word of another language is no pronoun."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.checks.trifles import changes_a_life
from precis.extractive.persons import with_speakers
from precis.extractive.summarizer import summarize
from precis.makers import Draft, Item, Request
from precis.models.tokens import count

START = datetime(2031, 2, 3, 18, tzinfo=UTC)


def draft(*turns: tuple[str, str]) -> Draft:
    """What the offline summarizer makes of turns (speaker, text), a minute apart."""
    items = tuple(
        Item(text=text, source_ids=(f"m{at}",), created_at=START + at * timedelta(minutes=1), speaker=speaker)
        for at, (speaker, text) in enumerate(turns)
    )
    return summarize(Request(items=items, max_tokens=400, prompt=""), count)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("¿Cuántas cestas repartes ya?", "46 a la semana. En enero eran 30."),
        ("¿Y le vas a subir el sueldo?", "De 9 a 11 euros la hora."),
        ("Combien coûte la réparation ?", "780 euros, avec les pneus."),
        ("Сколько стоит ремонт крыши?", "40 000 рублей, с материалами."),
        ("Wie lange muss er in der Klinik bleiben?", "Zehn Tage, dann sechs Wochen Reha."),
    ],
)
def test_an_answer_of_a_few_words_has_its_question(question: str, answer: str) -> None:
    """A sum alone tells nothing; it rests on both."""
    made = draft(("Nerea", question), ("Gonzalo", answer))
    led = [each for each in made.statements if answer[:12] in each.text]
    assert led
    assert question[:20] in led[0].text
    assert (0, 1) == led[0].sources


def test_he_is_spanish_for_have() -> None:
    """Nobody is pointed back at: it was left out, or joined to what the other had said."""
    made = draft(
        ("Nerea", "Te vas a hacer rica con los puerros de la huerta."),
        ("Gonzalo", "He contratado a una chica, Ainhoa."),
    )
    assert "Gonzalo: He contratado a una chica, Ainhoa." in [each.text for each in made.statements]


@pytest.mark.parametrize(
    ("told", "cry"),
    [
        ("Ich bin seit gestern verlobt, mit Henrike aus Aurich.", "Ist nicht wahr!"),
        ("Je me suis fiancée hier, avec Yann de Vannes.", "C'est pas possible !"),
        ("Ayer me comprometí con Aitana, la de Soria.", "No me digas."),
        ("Fiquei noiva ontem, do Duarte de Évora.", "Não acredito!"),
        ("Ieri mi sono fidanzata con Ettore di Lecce.", "Roba da matti!"),
        ("Dün Sinop'tan Kerem ile nişanlandım, çok heyecanlıyım.", "Vay canına!"),
        ("Hôm qua tôi đã đính hôn với anh Khoa ở Vinh.", "Không thể tin được!"),
        ("Я вчера обручилась с Глебом из Пскова.", "Не может быть!"),
        ("أنا خطبت أمس من سامر وهو من حمص وأنا سعيدة.", "لا أصدق!"),
        ("मेरी कल पटना के रोहन से सगाई हो गई है।", "यकीन नहीं होता!"),
        ("我昨天和长沙的小磊订婚了。", "难以置信！"),
        ("昨日、松江の健太と婚約しました。", "信じられない！"),
        ("어제 순천 사는 준호랑 약혼했어요.", "말도 안 돼!"),
        ("Ik heb me gisteren verloofd met Sietse uit Sneek.", "Niet te geloven!"),
        ("Wczoraj zaręczyłam się z Bartkiem z Ełku.", "Nie wierzę!"),
    ],
)
def test_a_cry_of_disbelief_tells_nothing(told: str, cry: str) -> None:
    """What it was called out at is told."""
    texts = [statement.text for statement in draft(("A", told), ("B", cry), ("A", told)).statements]
    assert any(told[-8:] in text for text in texts)
    assert not any(cry.strip("!. \uff01") in text for text in texts)


@pytest.mark.parametrize(
    "text",
    [
        "I'm leaving the ferry company at the end of April.", "She's a coeliac.", "Soy celíaco.",
        "Я уволилась из банка.", "Zmarł mój dziadek.", "Oma is overleden.", "दादी का ऑपरेशन हुआ।",
        "先月パン屋を辞めました。", "Matt was in a bad crash.", "Oskar hatte einen Unfall.", "Léa a eu un accident.",
        "Me he roto el tobillo.", "Si è fatta male al ginocchio.", "Parti o pulso.", "Дядя попал в ДТП.",
        "Mateusz miał wypadek.", "Zdałam!", "Pieter kreeg een ongeluk.", "Ayağımı burktum.", "발목을 다쳤어요.",
        "My contract at the aquarium got extended.", "They renewed his contract!",
    ],
)  # fmt: skip
def test_what_changes_a_life_is_known_in_more_languages(text: str) -> None:
    """Of a week it is told first."""
    assert changes_a_life(text)


@pytest.mark.parametrize("text", ["He starts on the 17th.", "I'm leaving at eight.", "Сегодня жарко.", "今日は暑い。"])
def test_what_is_so_each_day_changes_none(text: str) -> None:
    """A workman begins, and somebody goes out."""
    assert not changes_a_life(text)


def test_he_of_one_talk_is_not_read_as_who_is_named_in_another() -> None:
    """Of what was picked out of several talks, what opens on somebody named elsewhere goes last."""
    turns = (
        "Hamish is building a proper coop for the hens.", "He goes to rehab three times a week in Perth.",
        "Hamish found a second-hand coop door in Truro.",
    )  # fmt: skip
    items = tuple(
        Item(text=text, source_ids=(f"m{at}",), created_at=START + at * timedelta(days=40), speaker="Dougal")
        for at, text in enumerate(turns)
    )
    made = summarize(Request(items=items, max_tokens=400, prompt="", picked=True), count)
    told = " ".join(each.text for each in made.statements)
    assert "rehab" not in told
    assert "coop door" in told
    alone = summarize(Request(items=items[1:2], max_tokens=400, prompt="", picked=True), count)
    assert "rehab" in alone.statements[0].text


def test_a_short_sentence_of_what_somebody_has_says_all() -> None:
    """It is no scrap that points back at what was said before it."""
    made = draft(("Imogen", "Pim has chickenpox. We're both at home with the cat."), ("Rasmus", "Poor thing!"))
    assert any("Pim has chickenpox" in each.text for each in made.statements)


@pytest.mark.parametrize(
    ("greeting", "answer"),
    [
        ("Selam, ne var ne yok?", "Çarşamba günü Edirne'ye taşınıyoruz."),
        ("안녕, 요즘 어떻게 지내?", "응, 수요일에 전주로 이사해."),
        ("أهلا، كيفك؟", "سأنتقل إلى حلب يوم الأربعاء."),
        ("Cześć, co u ciebie?", "W środę przeprowadzamy się do Łodzi."),
        ("Oi, tudo bem?", "Na quarta mudo-me para Braga."),
        ("元気？", "うん、水曜日に仙台へ引っ越す。"),
    ],
)
def test_who_asks_how_somebody_is_asks_nothing(greeting: str, answer: str) -> None:
    """What is told then is no answer: it stands without the greeting."""
    texts = [each.text for each in draft(("Deniz", greeting), ("Ola", answer)).statements]
    assert any(answer.rstrip(".。")[-8:] in text for text in texts)
    assert not any(greeting.rstrip("?？؟")[-5:] in text for text in texts)


@pytest.mark.parametrize(
    ("news", "cry"),
    [
        ("A minha avó partiu o braço na terça.", "Coitada."),
        ("Ho venduto la Vespa per 900 euro.", "Menomale."),
        ("Dükkânı ben devrettim, 300 bin liraya, çok oldu.", "Nihayet."),
        ("私は来週から名古屋の店で働きます。", "そっか。"),
        ("نجحت ابنتي في الامتحان يوم السبت.", "ما شاء الله."),
        ("Мы продали дачу за два миллиона.", "Ничего себе."),
        ("우리 동생이 6월에 결혼해요, 정말 기다렸어요.", "그렇구나."),
        ("我妹妹六月结婚。", "原来如此。"),
    ],
)
def test_what_is_cried_out_is_no_statement(news: str, cry: str) -> None:
    """However much room there is; what was told is."""
    texts = [each.text for each in draft(("Ola", news), ("Deniz", cry)).statements]
    assert any(news[-7:-1] in text for text in texts)
    assert not any(cry[:3] in text for text in texts)


def test_nothing_is_told_twice_where_no_blank_stands() -> None:
    """A sentence that needs the one before it has that already."""
    (text,) = (
        each.text
        for each in draft(("健", "お父さん、まだ入院中？"), ("葵", "先週退院した。今は家で休んでる。")).statements
    )
    assert text.count("退院した") == 1


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Wirst du am Knie operiert?", "Ja, am 15. April im Marienhospital. Danach bin ich drei Wochen zu Hause."),
        ("¿Necesitas ayuda con las sillas?", "Sí, el sábado a las nueve, si puedes traer la furgoneta."),
        ("Tu repasses le concours ?", "Oui, en septembre. En attendant je garde mon poste à la mairie."),
        ("Will they put a mesh in?", "No, only stitches. Tove drives me there and back."),
    ],
)
def test_a_yes_or_no_stands_behind_what_was_asked(question: str, answer: str) -> None:
    """With the yes or no, also where more is told behind it."""
    texts = [statement.text for statement in draft(("Ada", question), ("Bo", answer)).statements]
    assert any(text.startswith(f"Ada: {question} Bo: {answer[:5]}") for text in texts)


@pytest.mark.parametrize(
    ("first", "second", "question", "answer"),
    [
        ("Élodie", "Šárka", "Où est la réunion ?", "À Brno, salle trois."),
        ("Вера", "Игнат", "Во сколько поезд?", "В семь утра."),
        ("서연", "도윤", "세탁기는 얼마야?", "68만 원. 토요일에 와."),
        ("美咲", "悠斗", "家賃はいくら？", "6万5千円。"),
        ("أحمد", "ليلى", "كم الإيجار؟", "٣٠٠ دينار في الشهر."),
        ("रोहन", "मीरा", "किराया कितना है?", "8000 रुपये महीना।"),
        ("user", "assistant", "When does the ferry leave?", "At 18:40 from pier 3."),
    ],
)
def test_who_speaks_is_read_from_a_text_in_any_script(first: str, second: str, question: str, answer: str) -> None:
    """An answer has its question, as where the speaker is told apart."""
    lines = [(first, question), (second, answer), (first, question), (second, answer)]
    items = tuple(
        Item(text=f"{name}: {text}", source_ids=(f"m{at}",), created_at=START + at * timedelta(minutes=1))
        for at, (name, text) in enumerate(lines)
    )
    made = summarize(Request(items=items, max_tokens=400, prompt=""), count)
    assert f"{first}: {question} {second}: {answer[:3]}" in made.statements[0].text


def test_a_heading_is_no_speaker() -> None:
    """Of a note with a name before a colon nobody says it."""
    items = (
        Item(text="wi-fi: sunflower-82", source_ids=("m0",), created_at=START),
        Item(text="The dentist is on 4 May.", source_ids=("m1",), created_at=START),
    )
    assert [item.speaker for item in with_speakers(items)] == [None, None]
