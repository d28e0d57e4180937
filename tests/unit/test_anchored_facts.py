"""Facts of a chat in other languages: sentences that leave the "I" out, or say several things."""

import pytest

from precis.facts.anchored import anchored
from precis.facts.rules import facts_in

FACTS = [
    ("Mietvertrag liegt vor: unsere Kaltmiete steigt ab Juli auf 812 Euro.", None),
    ("Unsere Kaltmiete steigt ab Juli auf 812 Euro, das tut schon weh.", "fact"),
    ("Am 12. Oktober um 9 Uhr 40 ist die Darmspiegelung bei Dr. Reuter.", "event"),
    ("Ma petite-fille Jade est allergique aux noisettes, la maîtresse est au courant.", "fact"),
    ("On habite maintenant au 7 rue des Tilleuls, au deuxième.", "fact"),
    ("El código del garaje es 7316, apúntalo por ahí.", "fact"),
    ("Meu cunhado Nando trabalha na prefeitura desde a Páscoa.", "fact"),
    ("L'affitto sale a 870 euro da settembre, che botta per noi.", "fact"),
    ("Снимаем двушку на улице Малышева, платим 38 тысяч в месяц.", "fact"),
    ("У Тимофея аллергия на арахис, в школе уже предупредили.", "fact"),
    ("Kiramız 24.500 lira, her ayın beşinde ödüyorum.", "fact"),
    ("我约了9月16号下午三点去浙二医院做检查。", "event"),
    ("小区门禁密码是558026#,帮我记一下。", "fact"),
    ("友達の由香はそばアレルギーで、去年の旅行で大変でした。", "fact"),
]
NONE = [
    "Die Tabelle hat 5 Spalten, ohne Rahmen.",
    "Vielleicht kommt meine Schwester am 4. Mai um 10 Uhr.",
    "Je n'habite pas sur la Lune, rassure-toi.",
    "Soy alérgica a los lunes.",
    "Сделай в таблице 5 колонок, без рамки.",
    "我不是医生。",
    "«Soy médico», dijo el actor.",
    "今年の春に診断されて、薬を飲んでいます。",
    "Doktoru Selim Bey altı ayda bir kontrole çağırıyor.",
    "The gate code is 4471, write that down.",
]


@pytest.mark.parametrize(("said", "kind"), [row for row in FACTS if row[1]])
def test_a_sentence_that_tells_what_lasts_is_quoted(said: str, kind: str) -> None:
    """As it was said, with who said it."""
    (fact,) = facts_in(said, name="Ana", role="user")
    assert fact.text == said
    assert fact.speaker == "Ana"


@pytest.mark.parametrize(("said", "kind"), FACTS)
def test_the_type_of_what_lasts(said: str, kind: str | None) -> None:
    """None where what stands before a colon may say how the rest is meant."""
    telling = anchored(said)
    assert (telling and telling.type) == kind


@pytest.mark.parametrize("said", NONE)
def test_what_is_of_a_moment_or_of_somebody_unnamed_is_none(said: str) -> None:
    """Nor what is guessed, asked for, denied, said in a film; and English has rules of its own."""
    assert anchored(said) is None


@pytest.mark.parametrize(
    "message",
    [
        "由香からのメッセージを貼りますね:\n「美咲へ。12月13日に結婚式を挙げます。電話番号が変わって、090-5550-3187になりました。」",
        'Olha o que a Juliana mandou:\n"Vamos casar no dia 12 de dezembro, às 16h30. Minha senha nova é 5550-2748."',
        "Вот что прислала Света:\n«Мы с Димой женимся 12 декабря. Мой новый телефон 8-912-555-08-17.»",
        "小敏发来的消息:\n“我和阿杰12月20号办婚礼。我换号码了,新号是138 0055 7291。”",
    ],
)
def test_what_is_quoted_at_length_is_no_fact_of_who_quotes_it(message: str) -> None:
    """Somebody else's number would be the writer's."""
    assert facts_in(message, name="Ana", role="user") == []
