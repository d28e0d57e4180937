"""Titles in other languages than English: in one language, of a noun as a dictionary has it, and no sign of money."""

from __future__ import annotations

from datetime import date

import pytest

from precis.engine.titles.title import title_of
from precis.language.script import languages_of, repeated, spoken_in
from precis.summary import Statement


def title(*texts: str) -> str | None:
    """The title of a summary with these statements."""
    return title_of([Statement(text=text, importance=0.5, source_ids=(f"m{at}",)) for at, text in enumerate(texts)])


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (("O condomínio é R$ 420.", "Agora o condomínio é R$ 480.", "O condomínio da Lia é R$ 300."), "Condomínio"),
        (("घर का किराया 9,000 रुपये है।", "विनय का किराया 7,000 रुपये है।", "अब किराया 11,500 रुपये है।"), "किराया"),
    ],
)
def test_a_sign_of_money_and_what_is_counted_are_no_subject(texts: tuple[str, ...], named: str) -> None:
    """The R of "R$" was one, and so was the Hindi word for rupees."""
    assert title(*texts) == named


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (("Пароль от почты у Лёши.", "Сменила пароля ещё один.", "Нового пароля пока нет."), "Пароль"),
        (("Едем с Дашей в Казань.", "Вчера: Даша сломала ногу.", "Была с Дашей в кино."), "Даша"),
        (("Аренда 24 000 рублей.", "Плачу за аренду в срок.", "Нет денег на аренду."), "Аренда"),
    ],
)
def test_russian_nouns_stand_in_the_form_in_which_somebody_does_something(texts: tuple[str, ...], named: str) -> None:
    """Of the forms that the statements have, the one that opens a sentence, and none that no statement has."""
    assert title(*texts) == named


def test_a_polish_noun_stands_as_it_opens_a_note() -> None:
    """A Turkish one is the shortest of its forms, whatever opens a note."""
    notes = "Szklarnia stoi za domem.", "Fundament pod szklarnię jest suchy.", "Zenon pomalował drzwi szklarni."
    assert repeated(notes) == ["Szklarnia"]
    assert repeated(["Bisikletim bozuldu.", "Yeni bir bisiklet istiyorum.", "Bisikleti tamire verdim."]) == ["bisiklet"]


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (("Maëlle: Je dors mal.", "Bastien: Moi aussi, hélas.", "Maëlle: Je marche beaucoup."), "Maëlle et Bastien"),
        (("Полина: Я плохо сплю.", "Глеб: А мне холодно.", "Полина: Я много хожу."), "Полина и Глеб"),
        (("陽子: 眠れないの。", "健太: 俺は寒いよ。", "陽子: 毎朝歩いている。"), "陽子と健太"),
    ],
)
def test_two_people_are_joined_in_the_language_of_what_they_say(texts: tuple[str, ...], named: str) -> None:
    """The word between them was English in every language."""
    assert title(*texts) == named


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (
            ("Bo: My sister moved to Ulm.", "Bo: My sister starts at the clinic in May.", "Ana: How is your sister?"),
            "Bo's sister",
        ),
        (("Ana: The boss wants me.", "Ana: My boss opens the shop.", "Bo: Your boss is kind."), "Ana's boss"),
        (("The sister moved to Ulm.", "The sister starts at the clinic in May.", "The sister has a dog."), "Sister"),
        (("Bo: My sister moved.", "Bo: My sister starts in May.", "Ana: My sister has a dog."), ": sister"),
    ],
)
def test_who_somebody_is_to_another_stands_with_whose_where_all_say_the_same(
    texts: tuple[str, ...], named: str
) -> None:
    """A sister alone is nobody's; where two have one, neither is named."""
    assert (title(*texts) or "").endswith(named)


def test_a_portuguese_noun_is_no_italian_preposition() -> None:
    """What begins like "al" was taken for grammar, and the rent had no title."""
    told = title(
        "assistant: O aluguel mudou? Lia: Mudou, agora o aluguel é R$ 1.700.",
        "O aluguel é R$ 1.350.",
        "assistant: Parabéns pela casa nova!",
    )
    assert told == "Aluguel"


def months(*texts: str) -> str:
    """The title of a summary whose sources are of two days in May."""
    statements = [Statement(text=text, importance=0.5, source_ids=(f"m{at}",)) for at, text in enumerate(texts)]
    return title_of(statements, {f"m{at}": date(2026, 5, 3 + at) for at in range(len(texts))}) or ""


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (
            ("Pilar: Vivo en La Granja.", "Pilar: La perra duerme.", "Pilar: La caldera hace ruido en La Granja."),
            "Pilar: Granja, mayo 2026",
        ),
        (
            ("Uli: Frau Alber hat angerufen. Sie kommt.", "Uli: Sie mag Frau Alber.", "assistant: Nehmen Sie das?"),
            "Uli: Frau Alber, Mai 2026",
        ),
        (("Uli: Guten Morgen!", "Uli: Guten Morgen, das Dach ist undicht."), "Uli: Dach, Mai 2026"),
        (("Inès: Le Mans me plaît.", "Inès: La pluie tombe sur Le Mans."), "Inès: Mans, mai 2026"),
        (("Jo: Hij woont in De Bilt.", "Jo: Het station van De Bilt is oud."), "Jo: Bilt, station, mei 2026"),
    ],
)
def test_no_pronoun_or_article_is_a_name_and_the_months_are_of_the_language(texts: tuple[str, ...], named: str) -> None:
    """The language is that of all texts: "la" is French as well."""
    assert months(*texts) == named


def test_where_no_language_is_plain_the_months_are_figures() -> None:
    """As many of the words are French as Spanish."""
    assert months("La Granja.", "La vecina.", "La Granja.").endswith(", 2026-05")


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (
            ("Uli: Die Therme ist undicht.", "Uli: Er fährt wie der Teufel.", "Uli: Ich suche einen Klempner."),
            "Uli: Therme, Klempner",
        ),
        (("Inès: Le digicode a changé.", "Inès: Il court comme un fou.", "Inès: J'ai un rendez-vous."), None),
        (
            ("Pilar: La boda es en junio.", "Pilar: La cambié.", "Pilar: He llamado a mi fontanero."),
            "Pilar: boda, fontanero",
        ),
        (("Luca: Il forno è rotto.", "Luca: La vedo domani.", "Luca: Ho preso il treno."), "Luca: forno, treno"),
        (
            ("Rui: O forno é novo.", "Rui: Ele fala como um papagaio.", "Rui: Vi a minha irmã na praia."),
            "Rui: forno, praia",
        ),
    ],
)
def test_where_nothing_comes_back_nouns_are_the_title(texts: tuple[str, ...], named: str | None) -> None:
    """It said who and when alone. An article may be a pronoun, and what something is like is not there."""
    assert title(*texts) == (named or "Inès: digicode, rendez-vous")


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (
            ("Ana: Mon genou doit être opéré, dit le docteur Brandt.", "Ana: L'opération du genou est le 12 mars.",
             "Ana: Le docteur Brandt trouve que le genou guérit bien."),
            "Ana: genou, Brandt",
        ),
        (
            ("Ana: La nostra Sara ha cominciato le lezioni di violino.", "Ana: Il violino è solo in prestito.",
             "Ana: Al concerto Sara ha suonato il violino."),
            "Ana: violino, Sara",
        ),
    ],
)  # fmt: skip
def test_what_comes_back_more_often_than_a_name_stands_before_it(texts: tuple[str, ...], named: str) -> None:
    """The knee is what three tell of, the doctor whom two mention."""
    assert title(*texts) == named


def test_a_talk_in_turkish_has_turkish_months() -> None:
    """Its small words are few, and one of them is Italian; its letters are its own."""
    assert "Mayıs 2026" in months(
        "Selma Hanım'dan keman dersi aldı.", "Keman ayda 18 avro.", "Selma Hanım keman çaldı."
    )


def test_a_name_in_turkish_stands_without_its_ending() -> None:
    """Behind the apostrophe is the case, which the title has no verb for."""
    texts = ("Ana: Sude'nin kaju alerjisi var.", "Ana: Doktor Sude'yi görmek istiyor.", "Ana: Sude'ye kaju yasak.")
    assert title(*texts) == "Ana: Sude"


def test_a_letter_of_another_script_names_no_language() -> None:
    """In Japanese the N of a car is no word of French, and the months of a title are in figures."""
    text = "引っ越しました。今は昭和区のマンションで、家賃は12万5千円です。田中さんもホンダのN-BOXを買ったそうです。"
    assert languages_of(text) == (("Japanese",), False)
    assert spoken_in(text) == ("Japanese",)


@pytest.mark.parametrize(
    ("said", "named"),
    [(["Ute: Meine Mutter zieht nach Kassel.", "Bernd: Deine Mutter ist klasse.", "Bernd: Das wird schon.",
       "Ute: Meine Mutter mag keine Katzen."], "Ute: Mutter, Kassel"),
     (["Luc: Ma sœur part à Dakar.", "Anne: Ta sœur a raison.", "Anne: Ta sœur est drôle.",
       "Luc: Ma sœur déménage."], "Luc: sœur"),
     (["하준: 그리고 부산에 집을 샀어요.", "하준: 그리고 고양이를 키워요.", "하준: 그리고 회사를 옮겼어요."],
      "하준: 고양이, 회사"),
     (["Lan: Con mèo phải tiêm tháng sau.", "Lan: Mình phải chuyển nhà sang Thủ Đức.", "Lan: Anh Sơn phải trực đêm."],
      "Lan: Thủ Đức")],
)  # fmt: skip
def test_a_relative_is_whose_they_are_and_what_joins_sentences_is_no_subject(said: list[str], named: str) -> None:
    """Who says "my mother", not who answers "your mother"; "and" and "must" come back in whatever is told."""
    assert title(*said) == named


@pytest.mark.parametrize(
    ("said", "named"),
    [
        (["跑步坚持了一个月。", "房租每个月三千。", "婆婆住两个月。"], None),
        (["家賃は8万円です。", "車は100万円だった。", "もなかが病気です。"], None),
        (["Держусь уже десять дней.", "Держусь, хоть тёща приехала.", "Не курю и держусь."], None),
        (["शहर में रहता हूँ।", "दादा गाँव में रहता है।", "वह यहीं रहता था।"], None),
        (["الدوا عنده خلص.", "عنده موعد بكرا.", "السيارة عنده."], None),
        (["土豆拉肚子了。", "土豆打了两针。", "孙浩剪了个寸头。", "孙浩出差去了。", "豆豆上中班。"], "土豆"),
        (["कबीर को बुखार है।", "कबीर स्कूल नहीं गया।", "कबीर खेलता रहता है।"], "कबीर"),
    ],
)
def test_no_verb_measure_or_code_is_a_subject(said: list[str], named: str | None) -> None:
    """What comes back behind one is; where nothing else does, there is honestly none."""
    told = title(*said)
    assert told == named if named is None else (told or "").startswith(named)


def test_a_code_is_no_subject() -> None:
    """The door of a flat was one, of a session about anything."""
    assert "B-218" not in (title("Вот адрес: B-218.", "Я потерял ключ от B-218.", "У нас B-218 закрыт.") or "")


def test_months_are_of_the_language_without_an_accent() -> None:
    """They were English where no letter has an accent and small words are few."""
    assert months(
        "Comprei uma airfryer, chega sexta.", "Devolvi a airfryer pra loja porque veio com defeito."
    ).endswith("maio 2026")


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (("Был вчера у Тихона.", "Дал Тихону ключи.", "Поехали с Тихоном на дачу."), "Тихон"),
        (("Видел вчера Зинаиду.", "Был у Зинаиды в гостях.", "Едем с Зинаидой в Тверь."), "Зинаида"),
    ],
)
def test_a_russian_name_that_nobody_says_in_its_own_form_has_it(texts: tuple[str, ...], named: str) -> None:
    """Two endings of it tell which name it is."""
    made = title(*texts)
    assert made is not None
    assert named in made.replace(",", " ").replace(":", " ").split(), made


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (("Me llamaron de Brolex para una entrevista.", "Brolex me ofreció el puesto.", "Le dije que no a Brolex."),
         "Brolex, entrevista"),
        (("Меня позвали на собеседование в Brolex.", "Brolex предложила мне место.", "Я отказалась от Brolex."),
         "Brolex, собеседование"),
        (("Am Montag bekommt Opa einen Stent.", "Jetzt ist Opa wieder zuhause.", "Opa geht es gut."), "Opa, Stent"),
        (("Brolex belde over de sollicitatie.", "Brolex geeft mij het contract.", "Ik zei nee tegen Brolex."),
         "Brolex, sollicitatie"),
        (("我们可以继续保持联系吧。", "还可以继续保持联系的。", "军事历史很难。"), "保持联系"),
    ],
)  # fmt: skip
def test_a_bare_name_stands_with_a_noun_and_a_run_begins_where_a_word_does(texts: tuple[str, ...], named: str) -> None:
    """No firm or relative alone; no run begins in the middle of a word that names nothing."""
    assert title(*texts) == named


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (("منى: ماما تعبانة شوية.", "دينا: العملية بكرة."), "منى و دينا: العملية"),
        (("晓雯: 我报了雅思。", "子涵: 在浙大考。"), "晓雯和子涵: 雅思"),
        (("Marco: Faccio fisioterapia due volte a settimana.", "Marco: Ecco, ho preso una tenda."), "Marco: tenda"),
    ],
)  # fmt: skip
def test_a_talk_of_a_day_is_of_more_than_who_talks(texts: tuple[str, ...], named: str) -> None:
    """Each word is said once: an article written with its noun, or what stands between words of grammar, shows one."""
    assert title(*texts) == named
