"""What a request in words means, of families in which it is easy to mean too much or too little."""

from __future__ import annotations

import pytest

from finding_levels import NOW, levels
from precis.finding.finder import find
from precis.finding.grounded.requests import grounded, leaves_open
from precis.finding.halves import written
from precis.finding.identifiers import identifiers_in
from precis.finding.request import read_request
from precis.finding.values import Level, Row


@pytest.mark.parametrize(
    ("ask", "sure", "stays"),
    [
        ("forget everything about Dawn", "Dawn told me about the choir.", "I woke up at dawn."),
        ("forget everything about Will", "I gave Will the ladder.", "Will it rain on Sunday?"),
        ("delete all about Gunnar Falk", "Gunnar Falk mended the roof.", "Gunnar Berg mended the roof."),
        ("erase RX-3301", "The parcel rx 3301 was lost.", "The parcel RX-33011 was lost."),
        ("forget tess@mill.example", "Write to TESS@mill.example.", "Write to contess@mill.example."),
        ("forget 0421 5550134", "Ring +49 421 5550134.", "Ring +49 421 5550135."),
        ("forget my salary", "I earn 3100 euros a month.", "Gunnar earns 3100 euros a month."),
        ("delete what gunnar said", "Gunnar: I sold the barn.", "Gunnar has a red barn."),
        ("forget everything Gunnar told me", "Gunnar: I sold the barn.", "Gunnar's: a red barn."),
        ("forget where I live", "I moved to Tartu last year.", "Gunnar moved to Tartu last year."),
        ("Vergiss alles über Gunnar", "Gunnar has a red barn.", "Göran has a red barn."),
        ("Oublie tout sur ma santé", "I have asthma and take pills.", "I have a red barn."),
        ("忘记关于陈立的一切", "陈立在广州工作。", "陈美在广州工作。"),
        ("forget what I said about Gunnar in December", "Gunnar has a red barn.", "I sold the barn."),
        ("forget my aunt", "My aunt keeps geese.", "My uncle keeps geese."),
        ("forget my cat", "Meine Katze schläft.", "My dog sleeps."),
        ("forget everything about birds", "I fed a sparrow and an owl.", "I fed a clerk and a pilot."),
        ("forget my wedding", "I got married in Tartu.", "My wife is a nurse."),
        ("forget my weight", "I weigh 82 kilos.", "I am 180 cm tall."),
        ("forget my address", "I live at 4 Reed Row.", "My house has a green door."),
        ("delete what you have on Mr. Falk", "Mr. Falk mended the roof.", "Mrs. Falk mended the roof."),
        ("Vergiss meine Vermieterin", "My landlady has a red barn.", "My sister has a red barn."),
        ("forget the barber Gunnar", "Gunnar has a red barn.", "Our barber is ill."),
        ("everything from before the flood can go", "I have a red barn.", "The flood was today."),
        ("delete everything that isn't about Gunnar", "I have a red barn.", "Gunnar sings."),
        ("lösche alles, was nicht mit Gunnar zu tun hat", "Ich habe zwei Katzen.", "Gunnar singt."),
        ("forget everything but the barn", "Gunnar sings.", "The barn is red."),
        ("you may keep the barn, but lose the rest", "Gunnar sings.", "The barn is red."),
        ("Gunnar moved out. Delete what you have about him.", "Gunnar sings.", "Tilda sings."),
        ("don't store my salary any more", "I earn 3100 euros a month.", "Gunnar earns 3100 euros a month."),
        ("forget where Tilda lives", "Tilda lives in Tartu.", "I live in Tartu as well."),
        ("forget that I moved to Tartu", "I moved to Tartu.", "Gunnar moved to Tartu."),
        ("forget that I hate celery", "I can't stand celery.", "Gunnar can't stand celery."),
        ("forget that I flunked the exam", "I didn't pass the exam.", "Gunnar didn't pass the exam."),
        ("forget that I can't skate", "I never learned to skate.", "Gunnar never learned to skate."),
        ("forget that I have a goat", "My goat is called Pim.", "Gunnar's goat is called Pom."),
        ("forget my job", "I am a welder.", "I am a vegan."),
        ("delete Tilda's telephone number and address", "Tilda lives at 4 Reed Row.", "Tilda sings."),
        ("delete IBAN DE89 3704 0044 0532 0130 00", "Pay DE89370400440532013000.", "Pay DE89370400440532013001."),
        ("forget tess@mill.example", "Write to tess (at) mill (dot) example.", "Write to tess@mill.example.org."),
        ("erase anything older than 80 days", "The barn is red.", "The gate is new."),
        ("pretend Tilda never came up", "Tilda sings.", "Gunnar sings."),
        ("discard what you learned about Tilda", "Tilda sings.", "Gunnar sings."),
    ],
)
def test_the_one_and_not_its_neighbor(ask: str, sure: str, stays: str) -> None:
    """Names, identifiers, owners, time and languages: what is asked for is sure, and what looks like it stays."""
    first, second = levels(ask, sure, stays)
    assert "sure" == first
    assert second in {"no", "near"}


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("forget everything about Rose", "Rose is lovely."),
        ("forget everything about Gunnar Falk", "Gunnar called."),
        ("forget everything about Gunnar", "Gunnar in Tartu and Tilda in Narva."),
        ("forget what Gunnar said", "Tilda: Hello!\nGunnar: I sold the barn."),
        ("forget order 3301", "The parcel RX-3301 was lost."),
        ("forget everything about my money", "We sat on the bank."),
        ("forget my dog", "I ate a hot dog."),
        ("forget that I like jazz", "I don't like jazz."),
        ("forget that I was in hospital", "I work in a hospital."),
        ("forget everything about Florence", "We drove to Florence."),
        ("forget my weight", "The crate weighs 12 kilos."),
        ("forget that I whistle", "The kettle whistles."),
        ("forget Gunnar's car", "Gunnar has a car key."),
        ("forget my phone number", "My phone is cracked."),
        ("erase my landlord trouble", "My landlady was kind."),
        ("forget everything but the choir", "I have a red barn."),
        ("Elle a oublié Gunnar", "Gunnar has a red barn."),
        ("Moet ik Gunnar vergeten?", "Gunnar has a red barn."),
        ("Что будет, если удалить Gunnar?", "Gunnar has a red barn."),
    ],
)
def test_what_may_be_meant_is_in_doubt(ask: str, text: str) -> None:
    """It is listed as doubtful, and so stays unless it is chosen."""
    assert ["doubtful"] == levels(ask, text)


@pytest.mark.parametrize(
    ("ask", "sure", "denied"),
    [
        ("Olvida que fumo", "Fumo un paquete al día.", "No fumo."),
        ("Esquece que eu fumo", "Eu fumo.", "Eu não fumo."),
        ("忘记我抽烟", "我抽烟。", "我不抽烟。"),
        ("Zapomnij, że palę", "Palę papierosy.", "Nie palę papierosów."),
        ("Olvida todo sobre mi perro", "Mi perro no come carne.", "No tengo perro."),
        ("Vergeet dat ik rook", "Ik rook.", "Ik rook niet."),
        ("Oublie que je fume", "Je fume.", "Je ne fume pas."),
    ],
)
def test_what_is_denied_is_not_what_was_asked_for(ask: str, sure: str, denied: str) -> None:
    """In any language: what says that it is not so is in doubt, and so stays."""
    assert ["sure", "doubtful"] == levels(ask, sure, denied)


def test_a_pronoun_goes_on_about_a_name_in_one_session() -> None:
    """Directly behind it surely; behind somebody else not at all."""
    talk = ("Gunnar came by.", "He wants to sell the barn.", "I made soup.", "Tilda wrote.", "She is well.")
    assert ["sure", "sure", "no", "no", "no"] == levels("forget Gunnar", *talk, session_id="s")


def test_who_has_a_role_is_known_by_the_talk() -> None:
    """By a pronoun in one session, and by the name; where another is called so, that one is in doubt."""
    texts = ("My boss is called Falk.", "She is from Leeds.", "Falk shouts at the pilots.", "The pilots are late.")
    assert ["sure", "sure", "sure", "no"] == levels("forget my boss", *texts, session_id="one")
    assert ["sure", "no", "sure", "no"] == levels("forget my boss", *texts)
    assert ["sure", "doubtful"] == levels("forget my boss", texts[0], "My barber Falk sings.")


def test_what_only_mentions_a_thing_is_no_newer_value_of_it() -> None:
    """The value of now stays, also where the newest memory states none."""
    texts = ("The gate code is 4411.", "The gate code is 7788.", "The gate code was hard to find.")
    asked = ("delete the outdated gate code", "only keep the current gate code, forget the old ones")
    assert ["sure", "near", "near"] == levels(asked[0], texts[0], texts[1].replace("is", "is now"), texts[2])
    assert ["sure", "near"] == levels(asked[1], *texts[:2])


def test_old_values_and_the_newest() -> None:
    """Old spares the newest, and current the others."""
    texts = ("I work for Norrland Timber.", "I work for the Tartu tram company.")
    assert ["sure", "near"] == levels("forget my old job", *texts)
    assert ["near", "sure"] == levels("forget my current job", *texts)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Gunnar sold the barn. I play the flute.", "I play the flute."),
        ("Gunnar lives in Tartu, while Tilda lives in Narva.", "Tilda lives in Narva."),
        ("Gunnar sold the barn. It was red.", None),
        ("Gunnar and Tilda sold the barn.", None),
    ],
)
def test_a_part_stays_where_it_can_stand_alone(text: str, rest: str | None) -> None:
    """Otherwise the memory goes whole."""
    (finding,) = find(read_request("forget Gunnar", NOW.date()), [Row(id="m", text=text, created_at=NOW)]).rows
    assert Level.SURE is finding.level
    assert rest == (written(text, finding.keeps) if finding.keeps else None)


@pytest.mark.parametrize(
    "ask", ["don't forget my birthday", "vergiss Gunnar nicht", "n'oublie pas Gunnar", "不要忘记陈立"]
)
def test_a_request_to_keep_is_none_to_forget(ask: str) -> None:
    """In any language it is refused."""
    assert read_request(ask, NOW.date()).refuses


@pytest.mark.parametrize(
    "ask", ["everything", "forget it all", "Vergiss alles", "olvida todo", "忘记一切", "すべて忘れて"]
)
def test_everything_names_nobody(ask: str) -> None:
    """It is left to forgetting a user."""
    assert read_request(ask, NOW.date()).empty


@pytest.mark.parametrize("ask", ["forget everything the doctor said", "forget what my aunt told me about the barn"])
def test_what_somebody_without_a_name_said_is_unclear(ask: str) -> None:
    """No text tells who said it, and what it is about need not be what they said of it."""
    assert read_request(ask, NOW.date()).unclear
    assert not read_request("forget what I told you about the barn", NOW.date()).unclear


@pytest.mark.parametrize("ask", ["forget her", "what I said yesterday about that"])
def test_words_that_name_nobody_mean_nothing(ask: str) -> None:
    """Not everything that is left once they are taken off."""
    assert read_request(ask, NOW.date()).empty


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("DE44 5001 0517 5407 3249 31", "de44-5001-0517-5407-3249-31"),
        ("+1 (212) 555-0147", "212-555-0147"),
        ("https://www.barn.example/a/", "barn.example/a"),
        ("4000-0012-3456-7899", "4000 0012 3456 7899"),
    ],
)
def test_usual_spellings_are_one(first: str, second: str) -> None:
    """Of accounts, telephones, links and cards."""
    assert ["sure", "no"] == levels(f"forget {first}", f"It is {second} now.", "It is red now.")


def test_dates_and_amounts_are_no_identifiers() -> None:
    """Nothing is called by them."""
    assert [] == identifiers_in("On 2024-03-05 at 10am I paid 1,200 euros, in May 2023 nothing.")


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("forget Roman", "They dug up an old Roman coin."),
        ("forget that I got fired", "I fired the kiln."),
        ("forget that I failed the exam", "I never failed an exam."),
        ("forget everything about Clay", "Clay absorbs water."),
    ],
)
def test_the_same_words_said_of_something_else_are_in_doubt_at_most(ask: str, text: str) -> None:
    """A name as an adjective, a deed for a fate, a denial for what it denies."""
    assert ["sure"] != levels(ask, text)


def test_all_but_the_newest_value() -> None:
    """What is to be left alone may be named by its age alone, before what is meant or behind it."""
    for ask in ("forget every passcode but the latest", "forget my passcodes, only the last one counts"):
        assert ["sure", "near"] == levels(ask, "My passcode is 1177.", "My passcode is 2288."), ask


def explained(ask: str, *texts: str) -> list[str]:
    """The same of a request that is read by what the memories say."""
    rows = [Row(id=str(at), text=text, created_at=NOW) for at, text in enumerate(texts)]
    reading = grounded(ask, read_request(ask, NOW.date()), rows)
    shown = {it.id: it.level.name.lower() for it in find(reading[0], rows).rows} if reading else {}
    return [shown.get(row.id, "no") for row in rows]


@pytest.mark.parametrize(
    ("ask", "sure", "stays"),
    [
        ("Hey, magst du alles rausschmeißen, was du über Tamina Reuter weißt?", "Tamina Reuter grillt.", "Tamina Vogt"),
        ("Coucou, tu vires tout sur Maëlle Roux stp ?", "Maëlle Roux fait du judo.", "Maëlle Petit fait du judo."),
        ("oye, ¿me borras todo lo de Nuria Campos porfa?", "Nuria Campos canta.", "Nuria Soler canta."),
        ("Hej, mógłbyś usunąć wszystko, co wiesz o Agacie Lis?", "Agata Lis śpiewa.", "Agata Wrona śpiewa."),
        ("Selam, Tuğba Aksoy hakkında ne biliyorsan unutur musun?", "Tuğba Aksoy koşar.", "Tuğba Erdem koşar."),
        ("麻烦你把关于陈晓梅的内容都清掉吧", "陈晓梅在卖自行车。", "陈建军在卖自行车。"),
        ("박서연 씨에 대한 건 다 지워 줄래요?", "박서연 씨는 노래한다.", "박민수 씨는 노래한다."),
        (
            "Je préfère que l'adresse de Bastien ne soit plus dans tes notes",
            "Bastien habite rue du Four.",
            "Bastien nage.",
        ),
        ("Forget where Ottmar works, his hobbies can stay.", "Ottmar works at a bank.", "Ottmar collects stamps."),
        ("The client Harwell Foods left us, so take them out", "Harwell Foods pays late.", "Haswell Farms pays late."),
    ],
)
def test_what_no_rule_reads_is_read_by_what_memories_say(ask: str, sure: str, stays: str) -> None:
    """Whom it names, and what of them, in whatever words it is put."""
    first, last = explained(ask, sure, stays)
    assert ("sure", True) == (first, last in {"near", "no"})


def test_an_unknown_word_leaves_it_in_doubt() -> None:
    """It may narrow what is meant; and what somebody only tells asks for nothing."""
    assert ["doubtful"] == explained("bitte lösch die Blorfen von Tamina", "Tamina grillt gern.")
    assert ["doubtful"] == explained("Tamina rief an, lösch das", "Tamina grillt gern.")
    assert ["no"] == explained("Wie geht es Tamina?", "Tamina grillt gern.")


def test_what_is_kept_in_another_clause_stays() -> None:
    """Said behind it, of somebody of theirs, or of another by the same word."""
    ask = "Pavel's phone number must stay, Oleg's can go."
    assert ["sure", "near", "near"] == levels(
        ask, "Oleg's phone number is 555 0193 22.", "Oleg likes figs.", "Pavel's phone number is 555 0193 11."
    )
    assert leaves_open("Forget where Ana lives, her job stays.", read_request("Forget where Ana lives", NOW.date()))
    assert ["doubtful"] == levels("forget Ana's job", "Ana's wife works at a bank.")


def test_what_one_subject_does_besides_stays() -> None:
    """Behind an "and" without a subject, and behind a semicolon with a noun."""
    for text, rest in (
        ("Quillon has diabetes and sings in the choir.", "Quillon sings in the choir."),
        ("Quillon has diabetes; next training is on Monday.", "Next training is on Monday."),
    ):
        row = Row(id="1", text=text, created_at=NOW)
        (finding,) = find(read_request("erase Quillon's diagnosis", NOW.date()), [row]).rows
        assert ("sure", rest) == (finding.level.name.lower(), written(text, finding.keeps))


@pytest.mark.parametrize(
    ("ask", "text", "level"),
    [
        ("forget Orla", "My new tenant is Orla, she is a potter and pays late.", "sure"),
        ("forget Orla", "My tenant is called Orla and pays late.", "sure"),
        ("forget my job at the mill", "I got the job at the mill, I start in May and earn 700 euros.", "sure"),
        ("forget my canoe", "My green canoe and my trailer are behind the barn.", "doubtful"),
        ("forget my trailer", "My green canoe and my trailer are behind the barn.", "doubtful"),
    ],
)
def test_no_half_stays_that_still_tells_of_it_or_is_no_sentence(ask: str, text: str, level: str) -> None:
    """Whom a subject is called by, a second subject within, and two subjects with one verb are not cut apart."""
    (finding,) = find(read_request(ask, NOW.date()), [Row(id="1", text=text, created_at=NOW)]).rows
    assert (level, ()) == (finding.level.name.lower(), finding.keeps)
