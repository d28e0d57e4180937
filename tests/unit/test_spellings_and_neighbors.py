"""Plain requests: other spellings are the same, and what only has the words is not meant."""

import pytest

from finding_levels import NOW, levels
from precis.finding.finder import find
from precis.finding.halves import written
from precis.finding.request import read_request
from precis.finding.values import Level, Row
from precis.finding.written.spellings import days_in_figures, respelled, times_of_day


@pytest.mark.parametrize(
    ("ask", "gone", "stays"),
    [
        ("Forget the plate KA BX 2207.", "ka-bx2207 got a fine.", "A van has the plate KA BX 2270."),
        ("Forget the passport number L 330 5512.", "Passport: L3305512.", "Passport: L3305521."),
        ("Forget everything about Dr. Böhm.", "Dr. Boehm wants an X-ray.", "Dr. Bohmer wants an X-ray."),
        ("Forget everything about Mrs. Boehm.", "Mrs. Böhm moved out.", "Mrs. Boehmer moved out."),
        ("Forget my check-up.", "My checkup is on Friday.", "I check the oil on Friday."),
        ("Forget my favourite colour.", "My favorite color is teal.", "My favorite teacher was Ms. Oduya."),
        ("Delete the email kay@fjord.io.", "Write to kay at fjord dot io.", "Write to mckay@fjord.io."),
        ("Forget the 3 pm call with the vet.", "The vet calls at 15:00.", "The vet calls at 13:00."),
        ("Forget what I have on 9 June 2027.", "Biopsy on 2027-06-09.", "Concert on 19 June 2027."),
        ("Forget the meeting on 25/12/2026.", "Meeting with Ines on 25 December 2026.", "Meeting on 24 December 2026."),
        ("Forget my visit at St. Agnes's.", "My visit at Saint Agnes's is on Monday.", "My aunt visits Agnes."),
        ("Забудь о заказе B77120.", "Заказ B77120 — утюг.", "Заказ B77210 — чайник."),
        ("请忘掉订单B77120。", "订单B77120是一台烤箱。", "订单B77210是一盏灯。"),
        ("Puoi cancellare quello che ho in programma il 9 giugno 2027?", "Il 9 giugno 2027 ho la visita.",
         "Il 19 giugno 2027 ho un concerto."),
        ("Forget everything about Rob.", "Rob: I start at the bakery on Monday.", "Robert starts at the bakery."),
    ],
)  # fmt: skip
def test_other_spellings_are_the_same(ask: str, gone: str, stays: str) -> None:
    """The first goes, and what only looks like it does not."""
    first, second = levels(ask, gone, stays)
    assert first == "sure"
    assert second != "sure"


@pytest.mark.parametrize(
    ("ask", "gone", "stays"),
    [
        ("Forget my family.", "My mother is a judge.", "The family doctor retired."),
        ("Forget my family.", "My brother sails.", "The family-size tub of ice cream is too big."),
        ("Forget my pets.", "My parrot swears.", "The hot dog stand closed."),
        ("Forget everything about Miele.", "Miele owes my sister rent.", "Our Miele vacuum broke."),
        ("Forget everything about Ruby.", "Ruby starts school in May.", "I wrote the tool in Ruby."),
        ("Forget that my boss isn't happy with me.", "My boss isn't happy with me.", "My boss is happy in Kiel."),
        ("Forget that I'm not religious.", "I am not religious.", "I sing in the religious choir."),
        ("Forget who my coach used to be.", "Until May Mr. Adu was my coach.", "Ms. Roth has been my coach since May."),
        ("Forget the bit about me not liking my aunt.", "I don't like my aunt.", "My aunt doesn't like rain."),
        ("Forget my training.", "I do push-ups every morning.", "User's training partner does push-ups."),
        ("Dimentica che Livio è celiaco.", "Livio è celiaco.", "Il nipote di Livio è celiaco."),
        ("Olvida que no fumo.", "No fumo.", "Mi cuñado fuma mucho."),
        ("Olvida que no me gusta el hinojo.", "No me gusta el hinojo.", "A mi suegra Rita le gusta el hinojo."),
        ("Dimentica che non mi piace il sedano.", "Non mi piace il sedano.", "Mi piace il sedano."),
        ("Forget my workout routine.", "I work out before breakfast.", "I work out of a rented studio."),
        ("Por favor, olvida todo lo que tengas sobre Luz.", "Luz me corta el pelo.", "La luz del baño no funciona."),
        ("Forget Ines's job.", "Ines is a firefighter.", "Ines collects stamps."),
        ("Forget my drinking.", "I drink two beers every evening.", "I drink a lot of tea."),
        ("Forget my pets.", "I love my two rabbits.", "I am allergic to rabbits."),
        ("Vergiss meine Haustiere.", "Ich liebe meinen Hund.", "Ich habe Angst vor Hunden."),
        ("Vergiss meine Haustiere.", "Mein Hund Rex ist krank.", "Der Hund meines Bruders Rex ist krank."),
        ("Olvida lo de mis mascotas.", "Mi perro Rex es viejo.", "Mi vecino Rex tiene un perro."),
        ("Forget what I earn.", "I earn 2,700 a month.", "I like to earn points in the quiz app."),
        ("Forget my legal troubles.", "My lawyer is Mr. Imani.", "I like crime films."),
        ("Delete all my passwords and codes.", "The gate code is 17#08.", "The postal code of the depot is 20457."),
        ("Forget who my piano teacher was.", "My piano teacher was Ms. Haas.", "My piano teacher is Mr. Roy now."),
        ("Forget who my tutor was.", "My tutor was Mr. Lamb until May.", "My tutor is Ms. Orton."),
        ("Borra todo lo de Sol.", "Sol me enseña a coser.", "Compré pan en la plaza del Sol."),
        ("Oublie tout sur Rose.", "J'ai vu Rose dans la rue.", "J'habite rue de la Rose."),
        ("Forget my diet.", "I am a vegetarian.", "Our au pair is vegetarian."),
        ("Vergiss meine Ernährung.", "Ich bin Veganer.", "Mein Mitbewohner ist Vegetarier."),
        ("Forget my diet.", "I am a vegetarian.", "Our au pair Inga is vegetarian, and our nanny Bea is vegan."),
        ("Olvida mi dieta.", "Soy vegana.", "Mi compañero de piso es vegano."),
        ("Forget my diet.", "My diet is vegan.", "My yoga teacher is vegan."),
        ("Lösch alles über meine Kinder.", "Mein Sohn Nils ist fünf.", "Als Kind war ich oft krank."),
    ],
)  # fmt: skip
def test_what_only_has_the_words_is_not_meant(ask: str, gone: str, stays: str) -> None:
    """It stays, or is in doubt."""
    first, second = levels(ask, gone, stays)
    assert first == "sure"
    assert second != "sure"


@pytest.mark.parametrize(
    ("ask", "text", "expected"),
    [
        ("Verwijder dat ik rood sta.", "Ik sta rood bij de bank en Yara heeft haar brevet gehaald.",
         "Yara heeft haar brevet gehaald."),
        ("Про мой кредит больше не помни.", "Я плачу кредит до 2029 года, а тётя Нина держит пасеку.",
         "Тётя Нина держит пасеку."),
        ("Forget my asthma.", "I have asthma and a fear of heights.", "I have a fear of heights."),
        ("Forget my salary.", "I earn 54,000 a year and my sister earns 61,000.", "My sister earns 61,000."),
        ("Forget that Ona is pregnant.", "Ona is pregnant, Tess is moving to Rome.", "Tess is moving to Rome."),
    ],
)  # fmt: skip
def test_one_half_of_a_sentence_goes(ask: str, text: str, expected: str) -> None:
    """The clause of somebody else stays, in other languages as well."""
    row = Row(id="m", text=text, created_at=NOW)
    sure = find(read_request(ask, NOW.date()), [row]).of(Level.SURE)
    assert sure
    assert written(text, sure[0].keeps) == expected


def test_old_values_are_those_of_one_owner() -> None:
    """What the studio costs says nothing of which rent is the newest."""
    texts = ("Our rent is 900 euros.", "From January our rent will be 980 euros.", "The studio's rent is 900 euros.")
    assert levels("Drop the previous rent.", *texts)[1] != "sure"
    places = ("As of January I live in Cork.", "As of March I live in Sligo.", "I live above a bakery.")
    assert levels("Forget where I lived before.", *places)[1] != "sure"


def test_times_days_and_words_in_other_spellings() -> None:
    """Hours of two halves of a day are two, and a day in figures may be two."""
    assert times_of_day("three in the afternoon") == times_of_day("15:00") == times_of_day("3pm") == {(15, 0)}
    assert times_of_day("at 3:00") == {(3, 0), (15, 0)}
    assert [either for _, either in days_in_figures("12/05/2027")] == [True, True]
    assert [day.isoformat() for day, _ in days_in_figures("25/12/26 and 3.5.2027")] == ["2026-12-25", "2027-05-03"]
    assert respelled("colours") == {"color"}
    assert respelled("table") == frozenset()
