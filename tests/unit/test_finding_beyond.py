"""What a request in words takes beyond the words that it names, over the finder and its tables."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from finding_levels import NOW, levels
from precis.finding.beyond.pasted import pasted_in
from precis.finding.beyond.secrets import credentials_in
from precis.finding.finder import find
from precis.finding.halves import written
from precis.finding.request import read_request
from precis.finding.values import Level, Row

TODAY = date(2026, 11, 20)
PASTED = (
    (
        "Forget everything about Julia",
        "Here is what Julia wrote:\n«We marry on 12 December. My new number is 555-2748.»",
    ),
    (
        "Vergiss alles über Julia",
        "Hier die Nachricht von Julia:\n„Wir heiraten am 12. Dezember. Meine Nummer ist 555.“",
    ),
    ("Забудь всё про Свету", "Вот что прислала Света:\n«Мы с Димой женимся 12 декабря. Мой новый номер 8-912-555.»"),
    (
        "Esquece tudo sobre a Juliana",
        'Olha o que a Juliana mandou:\n"Vou casar em dezembro. O novo é (31) 95550. Beijo"',
    ),
    ("Oublie tout sur Margaux", "Voici le message de Margaux :\n« On emménage le 3 mai. Mon numéro est le 06 12. »"),
)


def kept(ask: str, *texts: str) -> list[str]:
    """What stays of each text once what is sure has gone."""
    rows = [Row(id=str(at), text=text, created_at=NOW - timedelta(days=9 - at)) for at, text in enumerate(texts)]
    sure = {finding.id: finding for finding in find(read_request(ask, TODAY), rows).of(Level.SURE)}
    return [written(row.text, sure[row.id].keeps) if row.id in sure else row.text for row in rows]


@pytest.mark.parametrize(("ask", "text"), PASTED)
def test_pasted_words_go_with_whoever_wrote_them(ask: str, text: str) -> None:
    """None of them stays without the introduction that says whose they are."""
    assert ["", "My dog is ill."] == kept(ask, text, "My dog is ill.")


def test_what_stands_around_pasted_words_stays() -> None:
    """A quotation ends where it is closed; what no mark closes is in doubt, and so are lines that mail marks."""
    text = 'My dog is ill. Julia wrote: "We marry on 12 December. My new number is 555-2748." I am so happy.'
    assert ["My dog is ill. I am so happy."] == kept("Forget everything about Julia", text)
    assert ["I am happy."] == kept("Forget everything about Julia", '"We marry. It is 555," wrote Julia. I am happy.')
    open_ended = "Here is what Julia wrote:\nWe marry on 12 December.\nMy new number is 555-2748."
    marked = "I got this mail.\n> We marry on 12 December.\n> My new number is 555-2748.\nThat was from Julia."
    assert ["doubtful", "doubtful"] == levels("Forget everything about Julia", open_ended, marked)
    turkish = "Elif'in mesajını yapıştırıyorum:\n\"Abi selam, kasımın 14'ünde nişanım var. Numaram 0532 555 41 09.\""
    assert ["sure"] == levels("Elif hakkında her şeyi unut", turkish, by_memories=True)
    assert [] == pasted_in("We ate at «Paschtet» and liked it.")


def test_a_fact_of_who_wrote_goes_alone() -> None:
    """The rest of the quotation stays with its introduction, also in scripts without spaces."""
    zh = "小敏发来的消息,我贴一下:\n“晓雯,我和阿杰定在12月20号办婚礼。我换号码了,新号是138 0055 7291。”"
    ja = "由香からのメッセージを貼ります:\n「12月に結婚式を挙げます!電話番号が変わって、090-5550-3187になりました。」"
    ru = "Вот что прислала Света:\n«Мы женимся 12 декабря. Приходите! Мой новый номер 8-912-555-08-17. Целую»"
    assert "12月20号办婚礼" in kept("删除小敏的电话号码", zh)[0]
    assert "小敏" in kept("删除小敏的电话号码", zh)[0]
    assert "7291" not in kept("删除小敏的电话号码", zh)[0]
    assert "結婚式" in kept("由香の電話番号を削除して", ja)[0]
    assert "3187" not in kept("由香の電話番号を削除して", ja)[0]
    assert kept("Удали номер телефона Светы", ru)[0].startswith("Вот что прислала Света:\n«Мы женимся 12 декабря.")
    assert "912" not in kept("Удали номер телефона Светы", ru)[0]


def test_a_secret_is_in_doubt_however_it_is_written() -> None:
    """No word says of an address or a token that it is one; its own string finds it within an address."""
    rows = (
        "BROKER_URL=amqp://kargo:9fQz-Tromp-77xLw@rabbit-stg:5672/labels",
        "My token is ghp_A1b2C3d4E5f6G7h8",
        "export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCY",
        "See https://example.org/labels?x=1 at 10:30",
    )
    for ask in ("Forget the password", "Forget my RabbitMQ credentials", "Vergiss alle Passwörter", "忘掉所有密码"):
        found = levels(ask, *rows)
        assert {"doubtful"} >= {*found[:2]}, ask
        assert found[2] in {"doubtful", "sure"}, ask
        assert found[3] == "no", ask
    assert ["sure", "no", "no", "no"] == levels("Forget 9fQz-Tromp-77xLw", *rows)
    assert ["doubtful", "doubtful"] == levels(
        "Forget the password", rows[0], "You pasted a password. Please rotate it."
    )
    assert [] == credentials_in("The key question: is the pass open? Secret gardens are nice, token 4.")


@pytest.mark.parametrize(
    "ask",
    [
        "Forget my bank balance",
        "Forget everything the tool bank_balance returned",
        "Forget all tool results",
        "Vergiss alle Ergebnisse der Werkzeuge",
    ],
)
def test_a_call_and_its_answer_are_one(ask: str) -> None:
    """What is asked of a tool takes both: the value never stays while only the call goes."""
    call, answer = "[calls bank_balance {}]", '{"account":"NL12 KARG 0417","balance_eur":26410.77}'
    assert ["sure", "sure"] == levels(ask, call, answer, session_id="s")
    assert "no" == levels(ask, call, answer, "I like tea.", session_id="s")[2]


def test_a_memory_of_two_services_is_in_doubt() -> None:
    """In a sentence and in a list of a tool, of one of them or of several entries."""
    listed = '{"rows":[{"service":"dispatch-api","version":"4.7"},{"service":"tracking-api","version":"2.13"}]}'
    rows = (listed, "Noted: 30 seconds for tracking-api, 45 for dispatch-api.", "tracking-api listens on 8082.")
    assert ["doubtful", "doubtful", "sure"] == levels("Forget everything about tracking-api", *rows)


WEEKS = """
    what we said in the week of 4 May | everything from the week from 4 to 10 May 2026 | all from calendar week 19
    Vergiss alles aus der Woche vom 4. Mai | Vergiss, was ich in KW 19 gesagt habe | Oublie tout de la semaine du 4 mai
    Olvida todo lo de la semana del 4 de mayo | Esquece tudo o que eu disse na semana de 4 de maio
    Dimentica tutto della settimana del 4 maggio | Vergeet alles van de week van 4 mei
    Zapomnij wszystko z tygodnia od 4 do 10 maja | Glöm allt jag sa under veckan från 4 maj
    4 Mayıs haftasında söylediğim her şeyi unut | Забудь всё за неделю с 4 по 10 мая | 忘掉5月4日那一周的所有内容
    5月4日の週に話したことを全部忘れて | انس كل ما قلته في الاسبوع من 4 مايو
"""


@pytest.mark.parametrize("ask", [ask.strip() for line in WEEKS.strip().split("\n") for ask in line.split("|")])
def test_a_week_is_seven_days(ask: str) -> None:
    """Named by a day of it, by both ends or by its number; nothing else is asked for then."""
    request = read_request(ask, TODAY)
    assert request.period is not None
    assert (date(2026, 5, 4), date(2026, 5, 10)) == (request.period.first, request.period.last)
    assert not request.subjects
    assert not request.period.vague


def test_a_week_that_may_be_another_is_in_doubt() -> None:
    """Of a day within it, and of a number that may be that of a course; the last week of a month has seven days."""
    within, numbered = read_request("the week of 6 May", TODAY).period, read_request("forget week 19", TODAY).period
    assert within is not None
    assert numbered is not None
    assert within.vague
    assert numbered.vague
    assert read_request("forget week 13 of my pregnancy", TODAY).period is None
    last = read_request("everything from the last week of March", TODAY).period
    assert last is not None
    assert (date(2026, 3, 25), date(2026, 3, 31)) == (last.first, last.last)


def test_a_question_asks_for_nothing() -> None:
    """What it finds is in doubt; one that has a word for forgetting is a request."""
    row = "Tomasz is swamped, so Priya takes over the script."
    assert ["doubtful"] == levels("What did I say about Tomasz?", row)
    assert ["doubtful"] == levels("Qu'est-ce que j'ai dit sur Tomasz ?", row)
    assert ["sure"] == levels("Could you forget Tomasz?", "Tomasz has a cat.")


def test_where_somebody_lives_and_what_they_do_is_told_by_verbs() -> None:
    """The value that was asked for never stays, and what a colleague does is not the user's work."""
    moved, rents = "Мы переехали. Теперь живём на Белинского, 156.", "Снимаем двушку на улице Малышева."
    assert ["", ""] == kept("Забудь мой адрес", moved, rents)
    assert [""] == kept("Esquece o meu endereço", "A gente se mudou! Agora moramos no bairro Floresta.")
    teaches = ("同事王磊在余杭租房才3500一个月。", "我是一名初中数学老师。", "我评上高级教师了。")
    assert ["doubtful", "sure", "sure"] == levels("忘掉我的工作", *teaches)
    english = ("My colleague Theo rents a flat in Ghent for 350.", "I work as a teacher.")
    assert ["doubtful", "sure"] == levels("Forget everything about my work", *english)
    assert ["sure", "sure"] == levels("Esquece o meu trabalho", "Sou arquiteta num escritório.", "Fui promovida.")


def test_what_stays_tells_nothing_of_who_went() -> None:
    """A sentence without a subject behind theirs, and a clause of somebody else in a script without spaces."""
    assert ["doubtful"] == levels("Esquece o meu pai", "Meu pai topou vir morar com a gente! Vai trazer o Louro.")
    assert ["O gato é preto."] == kept("Esquece o meu pai", "Meu pai chegou. O gato é preto.")
    assert ["doubtful"] == levels("忘掉旺财", "我妈终于答应明年三月搬来杭州了,旺财也一起来!")


def test_what_he_or_she_did_behind_them_goes_with_them() -> None:
    """A pronoun, or what a man or a woman did, tells of them; a code that goes on with another name is another."""
    owed = "A renda paga-se à Margarida no dia 8. Ela prefere transferência."
    assert [""] == kept("Esquece tudo sobre a Margarida.", owed)
    assert [""] == kept("Забудь всё о маме", "Мама приехала. Обещала помочь.")
    assert ["near"] == levels("Forget the Wi-Fi called casa_5g.", "The password of casa_5g_guest is biscuit-77.")


@pytest.mark.parametrize(
    ("ask", "of_it", "other"),
    [
        ("forget what Ina said about the store", "The store opens in May.", "I have a cold."),
        ("forget what Ina told us about the list", "The list is on the fridge.", "The car is blue."),
        ("vergiss was Ina über die Liste gesagt hat", "Die Liste hängt am Kühlschrank.", "Das Auto ist blau."),
        ("olvida lo que dijo Ina sobre la lista", "La lista está en la nevera.", "El coche es azul."),
    ],
)
def test_what_is_spoken_of_is_never_taken_for_the_memory_itself(ask: str, of_it: str, other: str) -> None:
    """A store and a list may be what remembers: behind "about" they say of what. All that she said went for it."""
    assert "sure" == levels(ask, of_it, speaker="Ina")[0]
    assert levels(ask, other, speaker="Ina")[0] in {"no", "near"}


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Odile's number is 0664 123 4567, mine is 0664 765 4321.", "0664 765 4321"),
        ("Odile pays 700, and mine is 650.", "650"), ("Odile paga 700 y el mío es 650.", "650"),
        ("Odile zahlt 700, meine ist 650.", "650"), ("Odile paie 700, le mien est à 650.", "650"),
    ],
)  # fmt: skip
def test_what_is_mine_does_not_go_with_what_is_somebody_s(text: str, own: str) -> None:
    """It stays, alone or with the rest where a sentence cannot be parted; without it all goes."""
    assert own in kept("everything about Odile", text)[0]
    assert [""] == kept("everything about Odile", "Odile's number is 0664 123 4567, it is new.")
