"""Requests in other wordings, other scripts and other orders: what they mean, and what they leave alone."""

from __future__ import annotations

import pytest

from finding_levels import levels
from precis.finding.halves import parted, written


@pytest.mark.parametrize(
    ("ask", "sure", "other"),
    [
        ("forget Rusty, he bites people", "Rusty chews shoes.", "People bite pens."),
        ("drop my PIN, because the card is lost", "My PIN is 2207.", "The card has a hologram."),
        ("forget Alexandra, whom I call Sasha", "Sasha moved to Tallinn.", "Olga keeps bees."),
        ("forget Anne-Sophie Weber", "Anne Sophie Weber called.", "Anne Weber called."),
        ("delete what you have on Mikhail Orlov", "Михаил Орлов работает в порту.", "Михаил Козлов работает в банке."),
        ("forget my sister Anouk", "Anouk has a practice.", "Annika has a shop."),
        ("forget my tattoo", "I have a tattoo of a fox.", "I like foxes."),
        ("forget firmware 3.1.2", "Boards on v3.1.2 need a reset.", "Firmware 3.1.20 is fine."),
        ("forget what my wife does", "My wife is a surveyor.", "My wife loves figs."),
        ("forget my mum's operation", "Mum's hip operation is on 3 March.", "Ana's mum has an operation in May."),
        ("delete everything about my dad", "Dad walked the whole pier today.", "Ben's dad walked the pier."),
        ("forget my ring size", "Ring size of user: 54.", "The canoe leaks."),
        ("forget who I'm married to", "My husband is called Ignace.", "My brother is called Remi."),
        ("forget about my wrist", "My wrist clicks when I row.", "Ilse hurt her wrist."),
        ("forget my brother-in-law", "My brother-in-law sells kites.", "My brother sells boats."),
        ("forget my brother in law", "My brother-in-law sells kites.", "My brother sells boats."),
        ("forget my brother", "My brother sells boats.", "My brother-in-law sells kites."),
        ("Forget Faith", "Faith cannot swim.", "I lost all faith in them."),
        ("Oublie où travaille ma femme", "Ma femme travaille à Lorient.", "Ma femme chante."),
        ("Oublie Pierre", "Pierre a une barque.", "Un mur de pierre est tombé."),
    ],
)
def test_it_goes_and_its_neighbor_stays(ask: str, sure: str, other: str) -> None:
    """Reasons are no part of what is meant, and somebody is found by another name, script or spelling."""
    first, last = levels(ask, sure, other)
    assert first == "sure"
    assert last in {"no", "near"}


@pytest.mark.parametrize(
    ("ask", "neighbor"),
    [
        ("forget my address before the present one", "Since last week I live at 6 Ferry Hill."),
        ("remove only the most recent weight I gave you", "I weigh 81 kilos."),
        ("forget that I have never been to Japan", "Jun has never been to Japan."),
        ("forget that I keep bees", "Our pastor keeps bees."),
        ("forget my ring size", "Ring size of Tove: 56."),
        ("forget my ring size", "Ring size of Tove: 56. My ring size is 54."),
        ("Ada and Bo share a desk. Drop Bo's.", "Bo's cello is from Cremona."),
        ("Both of them rowed, but Bo quit. Remove his.", "Bo's cello is from Cremona."),
        ("Bitte alles über Frau Winter löschen.", "Der letzte Winter war mild."),
        ("Bitte alles über Ernst löschen.", "Das war mein voller Ernst."),
        ("forget all about the cottage", "We slept at the cottage, and on the way back the exhaust fell off."),
        ("forget that I was in prison", "I am reading a novel about a prison break."),
        ("forget my PINs", "I wear a pin of the rowing club."),
        ("vergiss die Handynummer, die ich bis 2024 hatte", "Meine Handynummer ist 0151 55501234."),
    ],
)
def test_what_may_not_be_meant_is_in_doubt(ask: str, neighbor: str) -> None:
    """A word that chooses and that nothing has read, another's deed, and a second fact make nothing sure."""
    assert ["doubtful"] == levels(ask, neighbor)


@pytest.mark.parametrize(
    ("ask", "own", "other"),
    [
        ("Vergiss meine Schuhgröße.", "Die Schuhgröße der Nutzerin ist 39.", "Die Schuhgröße von Karsten ist 45."),
        ("Oublie mon allergie.", "L'utilisatrice a une allergie.", "Le fils de l'utilisatrice a une allergie."),
        ("Olvida mi sueldo.", "El sueldo del usuario es de 2100 euros.", "El sueldo de Ramiro es de 1900 euros."),
        ("Zapomnij moją alergię.", "Użytkowniczka ma alergię.", "Brat użytkowniczki ma alergię."),
        ("Забудь мою зарплату.", "Зарплата пользователя 90 тысяч.", "Зарплата Тимофея 70 тысяч."),
        ("请忘掉我的收入。", "用户的收入是五万。", "用户的姐姐年收入二十万。"),
        ("Glöm min tatuering.", "Användaren har en tatuering.", "Användarens syster har en tatuering."),
        ("Maaşımı unut.", "Kullanıcının maaşı 42 bin lira.", "Serkan'ın maaşı 50 bin lira."),
        ("忘掉我的过敏。", "用户对花生过敏。", "用户的姐姐对猫过敏。"),
        ("내 문신을 잊어줘.", "사용자는 팔에 문신이 있다.", "사용자의 누나는 문신이 있다."),
    ],
)
def test_notes_that_call_the_user_so_are_about_the_user(ask: str, own: str, other: str) -> None:
    """As an agent writes them; what is of somebody of the user's, or of another, is not taken with it."""
    first, last = levels(ask, own, other)
    assert first == "sure"
    assert last != "sure"


@pytest.mark.parametrize(
    ("ask", "own", "other"),
    [
        ("Zapomnij o mojej diecie.", "Jestem na diecie od marca.", "Mój mąż jest na diecie."),
        ("Usuń moje długi.", "Mam długi w banku.", "Zbigniew ma długi."),
        ("Esqueça minhas dívidas.", "Tenho uma dívida de 900 reais.", "O Wellington tem uma dívida."),
        ("Dimentica i miei debiti.", "Ho un debito di 3000 euro.", "Ottavia ha un debito."),
        ("Zapomeň na moji alergii.", "Mám alergii na pyl.", "Sestra má alergii na kočky."),
        ("Glem min løn.", "Min løn er 34.000 kroner.", "Sørens løn er 39.000."),
        ("Slet alt om min skilsmisse.", "Min skilsmisse gik igennem i maj.", "Min søsters skilsmisse var i 2020."),
        ("Glem tatoveringen min.", "Jeg har en tatovering på armen.", "Broren min har en tatovering."),
        ("Unohda palkkani.", "Palkkani on 2900 euroa.", "Jarmon palkka on 3400 euroa."),
        ("Hapus alergi saya.", "Saya alergi kacang.", "Adik saya alergi kucing."),
        ("Ξέχασε τον μισθό μου.", "Ο μισθός μου είναι 1400 ευρώ.", "Ο μισθός του Νίκου είναι 1600 ευρώ."),
        ("मेरी तनख्वाह भूल जाओ।", "मेरी तनख्वाह 40 हज़ार रुपये है।", "राकेश की तनख्वाह 50 हज़ार रुपये है।"),
    ],
)
def test_what_is_mine_in_a_language_with_endings(ask: str, own: str, other: str) -> None:
    """A word is known in any of its forms, and by a verb, an ending or a word beside it whose it is."""
    first, last = levels(ask, own, other, by_memories=True)
    assert first == "sure"
    assert last != "sure"


def test_whose_a_thing_is_other_memories_say() -> None:
    """By the name of a relative, where all that name one say the same; and "the X" where another tells of "my X"."""
    kin = ("Lea is my daughter.", "Lea got a D in maths.", "Lea sings.", "Ben got a D in maths.")
    assert ["near", "sure", "near", "near"] == levels("forget my daughter's grades", *kin)
    assert ["sure", "doubtful"] == levels(
        "my son's illness", "My son Kai has asthma.", "Kai met Bo, who has asthma, and he loves trains."
    )
    two = ("My daughter Lea sings.", "My daughter Ida swims.", "Lea got a D in maths.")
    assert levels("forget my daughter's grades", *two)[2] == "doubtful"
    car = ("My car is rusty.", "The car needs oil.", "The car in front of me braked.", "Ben says the car is loud.")
    first, second, *others = levels("forget my car", *car)
    assert ("sure", "sure") == (first, second)
    assert "sure" not in others


@pytest.mark.parametrize(
    ("ask", "gone", "left"),
    [
        ("Forget all about Tove except her email address", "Tove has a kiosk.", "Tove's email is t@kiosk.example."),
        ("Olvida todo sobre Nuria menos sus recetas", "Nuria vive en Vigo.", "La receta de Nuria lleva pepino."),
        ("Vergiss alles über Gisa außer ihrer Adresse", "Gisa mag Tee.", "Gisa wohnt in der Gasse 2 in Ulm."),
        ("Забудь всё про Зину, кроме её адреса", "Зина работает в порту.", "Адрес Зины: Мира, 5."),
        ("删除关于李梅的一切,除了她的生日。", "李梅在银行工作。", "李梅的生日是五月四日。"),
        ("dont forget Ada's rent, but forget Bo's rent", "Bo's rent is 400.", "Ada's rent is 500."),
        ("Delete Bo's door code, mine should stay", "Bo's door code is 44.", "My door code is 99."),
        ("Tove and I met at the zoo. Forget that she works there.", "Tove works at the zoo.", "I work at the zoo."),
        ("forget how much I weigh", "I weigh 90 kilos.", "I bought a kettlebell of 16 kilos."),
        ("delete my mortgage", "My mortgage is 900 a month.", "I have a car loan until 2028."),
        ("forget Ivy", "Ivy mends boats.", "Ivy covers the north wall."),
        ("forget my insomnia", "I suffer from insomnia since spring.", "Ben suffers from insomnia since spring."),
        ("My exam was moved, drop the old one", "My exam is on 3 May.", "My exam is on 9 May now."),
        ("We switched vets, so forget the old one.", "Our vet is Dr. Marsh.", "Our vet is Dr. Okoro now."),
        (
            "Vergeet mijn vorige baan.",
            "Ik werk bij slagerij Bos als slager.",
            "Sinds mei werk ik bij de gemeente Assen.",
        ),
        ("Forget what I earn.", "I earn 3,100 a month at the depot.", "My colleague Basil earns 60,000."),
        ("Oublie combien je gagne.", "Je touche 2 150 euros net par mois.", "Mon frère gagne 2 600 euros."),
        ("Keep my recipes, everything else can go.", "I play chess.", "My recipes are in the blue box."),
        ("Oublie le salaire de ma femme.", "Ma femme gagne 4 100 euros.", "Le frère de ma femme gagne 3 100 euros."),
        ("Vergiss das Gehalt meiner Frau.", "Meine Frau verdient 4.100 Euro.", "Ich verdiene 3.100 Euro."),
        ("Olvida la edad de mi hijo.", "Mi hijo tiene 9 años.", "Mi hija tiene 12 años."),
        ("Dimentica l'età di mia figlia.", "Mia figlia ha 9 anni.", "Mia figlia ha due gatti."),
        ("Zapomnij wiek mojego syna.", "Mój syn ma 9 lat.", "Moja córka ma 12 lat."),
        ("Забудь день рождения Радика.", "День рождения Радика 9 мая.", "День рождения Майи 12 июня."),
        ("Sağlığımla ilgili her şeyi unut.", "Çocukluğumdan beri astımım var.", "Annemin şekeri var."),
        (
            "Oublie tous mes rendez-vous médicaux.",
            "Lundi j'ai rendez-vous chez le cardiologue.",
            "J'ai rendez-vous chez le coiffeur.",
        ),
        (
            "Vergeet al mijn doktersafspraken.",
            "Op 4 mei heb ik een afspraak bij de cardioloog.",
            "Ik ga naar de kapper.",
        ),
        ("Forget that I don't drink alcohol.", "I don't drink alcohol.", "My uncle doesn't drink alcohol."),
        ("Forget my violin lessons.", "I have violin lessons on Thursdays.", "My uncle has violin lessons."),
        ("My locker code changed. Forget the old one.", "My locker code is 4410.", "My locker code is 7702 now."),
    ],
)
def test_what_is_left_alone_is_not_taken(ask: str, gone: str, left: str) -> None:
    """What a request keeps of somebody, in their words and in a clause of its own, and what only looks like it."""
    first, last = levels(ask, gone, left)
    assert first == "sure"
    assert last != "sure"


@pytest.mark.parametrize(
    ("text", "asked", "left"),
    [
        ("Mira has asthma and her brother builds kites.", "asthma", "Mira \u2013 her brother builds kites."),
        ("Kai has asthma and he loves trains.", "asthma", "Kai loves trains."),
        ("Kai met Bo and he loves trains.", "Bo", ""),
        ("Kai has a dog and he barks at night.", "dog", ""),
        ("Kai hat einen Hund und sein Fell ist grau.", "Hund", ""),
        ("The spare key lies under a pot, and the postman comes at ten.", "spare key", "The postman comes at ten."),
    ],
)
def test_what_goes_on_about_somebody_keeps_their_name(text: str, asked: str, left: str) -> None:
    """Behind what goes, "she" and "her" are of the one who is named; where that may be another, nothing is parted."""
    place = text.index(asked)
    keeps, level = parted(text, [(0, len(text.split(maxsplit=1)[0])), (place, place + len(asked))], facts=True)
    assert left == written(text, keeps)
    assert left or level.name == "DOUBTFUL"


@pytest.mark.parametrize(
    ("ask", "asked", "other"),
    [
        ("忘掉我弟弟住在哪里", "我弟弟住在青岛。", "我弟弟喜欢踢足球。"),
        ("母の住所は忘れて", "母は横浜に住んでいます。", "叔母は神戸に住んでいます。"),
        ("Borra las notas de mi hijo", "Las notas de mi hijo llegan en junio.", "Mi hijo juega al ajedrez."),
    ],
)
def test_of_somebody_only_what_was_asked_for_is_meant(ask: str, asked: str, other: str) -> None:
    """Where a question or a thing of theirs is asked for, everything else about them stays."""
    first, last = levels(ask, asked, other)
    assert first in {"sure", "doubtful"}
    assert last in {"no", "near"}


def test_a_sign_that_joins_parts_no_name() -> None:
    """The sign for "and" stands in "Sayaka", and in "Ayako and Kenta"; a single kana names nobody."""
    assert ["sure", "no"] == levels("さやかのことは全部忘れて", "さやかに三万円貸した", "今日も暑かったねー")
    texts = ("あやこは先生です", "けんたは医者です", "今日も暑かったねー")
    assert ["sure", "sure", "no"] == levels("あやことけんたのことは忘れて", *texts)


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("表弟的事全忘掉", "我婆婆住在杭州。"),  # a cousin, and the mother-in-law
        ("पैसे की सारी बातें हटाओ", "मैं एक बीमा कंपनी में क्लर्क हूँ।"),  # money, and a clerk at an insurance company
        ("forget how much money I've saved", "Runa took money out of the cash box."),
        ("Forget my running plans", "My left knee has been clicking since the run on Sunday."),
        ("forget the restaurant I was at with Runa", "Runa moved to Lyon."),
        ("vergiss was Runa haben will", "Runa hat jetzt einen Freund."),
    ],
)
def test_what_only_touches_it_is_not_sure(ask: str, text: str) -> None:
    """Another of the family, a firm, another deed, since when something is, and who is named besides."""
    assert levels(ask, text, by_memories=True) != ["sure"]


def test_what_was_told_in_confidence_goes_whole() -> None:
    """What says so is a part of it, and nothing stays of it alone."""
    texts = ("Between us: the bakery closes in May.", "The bakery opens at six.")
    assert ["sure", "no"] == levels("Forget anything I told you in confidence", *texts)


def test_a_day_that_is_named_elsewhere_is_in_doubt() -> None:
    """Everything of a day is what was written then."""
    texts = ("We met at the lake.", "The deadlock of 18 December came back.")
    assert ["sure", "doubtful"] == levels("Forget everything from 18 December", *texts)
    assert ["sure"] == levels("انسَ ما قلته يوم ١٨ ديسمبر", "ذهبت إلى الطبيب.")


def test_a_denial_beside_it_denies_nothing() -> None:
    """It is that of another clause."""
    assert levels("Forget that Runa is a vegetarian", "Runa is a vegetarian and can't stand coriander.") == ["sure"]


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("Vergiss meine Reisepläne.", "Wir haben für Mai eine Hütte in Norwegen gebucht."),
        ("Borra mis planes de viaje.", "Hemos reservado una cabaña en Noruega."),
        ("Esquece os meus planos de viagem.", "Reservámos uma cabana na Noruega."),
        ("Vergeet mijn reisplannen.", "We hebben voor mei een huisje in Noorwegen geboekt."),
        ("Forget my diet.", "I'm trying to cut down on sugar."),
    ],
)
def test_what_may_be_of_a_whole_kind_is_in_doubt(ask: str, text: str) -> None:
    """It is shown, so that whoever asked can choose it."""
    assert levels(ask, text, "The printer is out of toner.", by_memories=True) == ["doubtful", "no"]
