"""Sentences of a talk that tell nothing in particular are told last; what somebody did, is or has is never one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.checks.asides import manners_of
from precis.checks.reactions import is_reaction
from precis.checks.trifles import is_slight, is_trifle, is_trifle_elsewhere, only_remarks, passes, tells_of_nobody
from precis.extractive.summarizer import summarize
from precis.language.chitchat import is_small_talk
from precis.makers import Item, Request
from precis.models.tokens import count

START = datetime(2026, 3, 3, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    "sentence",
    [
        "I'm thrilled about this!",
        "It means everything to me.",
        "That was so rewarding!",
        "Let's keep going and reach our goals!",
        "Here's to new beginnings!",
        "Keep chasing those goals!",
        "Defeats are just lessons for winners.",
        "Being a dad is awesome.",
        "Becoming a nurse is hard.",
        "Books can take us to other worlds.",
        "Life is better when we share it with people.",
        "Sometimes adults have disagreements.",
        "Parenting can be tough but rewarding.",
        "Museums can provide a lot of knowledge and inspiration.",
        "Joining a choir with new friends might require a bit of courage.",
        "The Louvre was wonderful!",
        "Ugh, hail all afternoon.",
        "What a foggy day.",
    ],
)
def test_a_feeling_about_nothing_named_and_a_slogan_are_trifles(sentence: str) -> None:
    """Nobody could look up a word of them; they join no cluster by themselves."""
    assert is_trifle(sentence)
    assert tells_of_nobody(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "I moved out.",
        "I said yes.",
        "We won!",
        "I'm out of work.",
        "I'm in love.",
        "I love swimming.",
        "She is pregnant.",
        "I don't like it.",
        "Let's meet at six.",
        "Our ferry leaves early.",
        "Dad takes us fishing.",
        "Grandma always makes us soup.",
        "Ferries are often late.",
        "Visitors may bring dogs.",
        "Dogs may be off leash.",
        "My friends might require a bit of help.",
        "Tickets can be picked up in May.",
        "Parking costs us extra.",
        "Smoking is not allowed.",
        "Quimper was flooded.",
        "People are waiting at the door.",
        "It will rain.",
        "I have a cold.",
        "The oven is hot.",
        "Rain tomorrow.",
    ],
)
def test_what_somebody_did_is_or_has_is_none(sentence: str) -> None:
    """In doubt a sentence tells something."""
    assert not is_trifle(sentence)


@pytest.mark.parametrize(
    ("trifle", "telling", "talk"),
    [
        ("Ich freue mich riesig darauf!", "Ich freue mich auf Oslo.", "Ich habe das nicht, und du bist ja auch da."),
        ("¡Estoy muy emocionada con esto!", "Me encanta nadar.", "Yo no lo sé, pero tú también estás en la casa."),
        ("Ça me rend heureuse.", "J'adore le vélo.", "Je ne sais pas, mais tu es aussi dans la maison."),
        ("Mi rende felice.", "Amo nuotare.", "Io non lo so, ma anche tu sei nella casa con me."),
        ("Isso me faz feliz.", "Gosto de nadar.", "Eu não sei, mas você também está na casa comigo."),
        ("Обожаю это!", "Я люблю плавать.", "Я не знаю, но ты тоже в этом доме."),
        ("我好激动啊！", "我爱游泳。", "我不知道，但是你也在这里。"),
        ("それが大好き！", "泳ぐのが大好き。", "私は知りませんが、あなたもここにいます。"),
        ("Heute ist es so windig.", "Heute.", "Ich habe das nicht, und du bist ja auch da."),
        ("Ale dziś (2026-03-04) mróz!", "Mróz zniszczył winorośl.", "Nie wiem, ale ty też jesteś w domu ze mną."),
        ("Weer regen vandaag.", "De regen komt door het dak.", "Ik weet het niet, maar jij bent ook in huis."),
        ("Опять дождь.", "Дождь залил подвал.", "Я не знаю, но ты тоже в этом доме."),
        ("Bugün çok rüzgarlı.", "Rüzgar çatıyı aldı.", "Ben bilmiyorum ama sen de bu evdesin, değil mi?"),
        ("È caro, però.", "È caro il dentista.", "Io non lo so, ma anche tu sei nella casa con me."),
        ("有点便宜。", "机票便宜了。", "我不知道,但是你也在这里。"),
        ("너무 신나요!", "수영을 좋아해요.", "나는 잘 모르지만 너도 여기에 있어."),
    ],
)
def test_feelings_and_remarks_in_other_languages(trifle: str, telling: str, talk: str) -> None:
    """A feeling, or the weather, by itself is one; about something that is named it is none, nor a day alone."""
    manners = manners_of([talk, trifle, telling])
    assert manners is not None
    assert is_trifle_elsewhere(trifle, manners)
    assert not is_trifle_elsewhere(telling, manners)


def test_one_thing_of_a_pronoun_is_worth_less() -> None:
    """What says one thing of what only a pronoun names; not what says it of somebody, nor two things."""
    assert is_slight("It's a good kettle.")
    assert not is_slight("I sold the kettle.")
    assert not is_slight("It's a copper kettle.")
    assert not is_slight("It's 40 euros.")


def test_a_cluster_tells_no_trifle_beside_a_fact() -> None:
    """Though there is room for it; where there is nothing else, it is told."""
    texts = ["I sold the kiosk by the harbor.", "I'm thrilled about this! Let's keep going and reach our goals!"]
    items = tuple(
        Item(text=text, source_ids=(f"m{at}",), created_at=START + timedelta(days=at), speaker="Pia")
        for at, text in enumerate(texts)
    )
    told = [s.text for s in summarize(Request(items=items, max_tokens=200, prompt="", picked=True), count).statements]
    assert told == ["Pia: I sold the kiosk by the harbor."]
    assert summarize(Request(items=items[1:], max_tokens=200, prompt="", picked=True), count).statements


@pytest.mark.parametrize(
    "sentence",
    [
        "Fingers crossed for him.", "Well done her!", "Best names ever.", "Odile will be over the moon.",
        "Congratulations to Bruno and Odile!", "My lips are sealed.", "Eat the cake.", "Well negotiated!",
    ],
)  # fmt: skip
def test_cheers_for_somebody_tell_nothing_of_them(sentence: str) -> None:
    """Also where they name whom they cheer, and where they tell the other to eat."""
    assert is_reaction(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "He will be thrilled that I got the job.", "Poor Ben broke his arm.",
        "Congratulations to Ben on the birth of Noor.",
        "Buy milk.", "The best concert ever was in Oslo.", "Use the metric system.", "Bruno will be forty.",
    ],
)  # fmt: skip
def test_what_tells_more_than_cheers_is_kept(sentence: str) -> None:
    """A word that tells something makes it a fact."""
    assert not is_reaction(sentence)


@pytest.mark.parametrize(
    "text",
    [
        "Hello, how are you?",
        "Hallo, wie geht es dir?",
        "Hola, cómo estás?",
        "Bonjour, comment allez-vous ?",
        "Merhaba, nasılsın?",
    ],
)
def test_how_somebody_is_asked_to_be_is_a_greeting(text: str) -> None:
    """An archive may let it go; what somebody is asked about is more."""
    assert is_small_talk(text)
    assert not is_small_talk("How are you and Ben?")


@pytest.mark.parametrize(
    "text",
    ["Neyse, bakarız.", "Ну и холодина сегодня.", "أزمة السير خانقة.", "आज बहुत गर्मी है यार।", "今天热死了,不想动。",
     "まあいいか。", "아 심심해.", "Hôm nay lạnh quá.", "Que preguiça hoje.", "Bueno, no importa.",
     "今天(2026-04-24)什么都没干。"],
)  # fmt: skip
def test_small_talk_of_other_languages_passes(text: str) -> None:
    """With the day that was added to it, too."""
    assert passes(text)


@pytest.mark.parametrize(
    "text",
    ["Bugün işe başladım.", "今天热水器坏了。", "오늘 아무것도 못 먹었어요.", "अब दवा ठीक है।", "Вчера продали дом."],
)
def test_what_only_begins_like_small_talk_does_not_pass(text: str) -> None:
    """A heater that broke is no heat."""
    assert not passes(text)


@pytest.mark.parametrize(
    "sentence",
    [
        "The kite festival was gorgeous!",
        "That ferry trip sounds amazing.",
        "It's great to see the goats again.",
        "Lovely mugs.",
    ],
)
def test_how_somebody_finds_something_is_a_remark(sentence: str) -> None:
    """Nobody asks for it later."""
    assert only_remarks(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The kite festival was rained off.", "The ferry is not great.", "I'm great at welding.",
        "My kiln is perfect for mugs.",
        "The kite festival was on 9 May.", "Olaf's trip was amazing.", "She sold the goats.",
    ],
)  # fmt: skip
def test_what_tells_of_somebody_or_denies_is_no_remark(sentence: str) -> None:
    """In doubt a sentence tells something."""
    assert not only_remarks(sentence)


def test_what_only_takes_up_what_another_told_is_not_told_beside_it() -> None:
    """Though there is room; an answer with the words of its question is."""
    turns = [
        ("Pia", "I sold the kiosk by the harbor to Olaf."), ("Timo", "I'm proud of you for selling the kiosk to Olaf."),
        ("Timo", "Do you keep the awning?"), ("Pia", "Yes, I keep the awning."),
        ("Timo", "The harbor festival was awesome!"),
    ]  # fmt: skip
    items = tuple(
        Item(text=text, source_ids=(f"m{at}",), created_at=START + timedelta(minutes=at), speaker=speaker)
        for at, (speaker, text) in enumerate(turns)
    )
    told = " ".join(s.text for s in summarize(Request(items=items, max_tokens=400, prompt=""), count).statements)
    assert "I sold the kiosk" in told
    assert "I keep the awning" in told
    assert "proud" not in told
    assert "awesome" not in told
