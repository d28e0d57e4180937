"""Where a phrase seems to mean a day and means none, or another one; a part of a text is read as the whole is."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest

from precis.checks import check
from precis.extractive.summarizer import summarize
from precis.language.dating.resolving import dated, resolved
from precis.makers import Draft, DraftStatement, Item, Request
from precis.models.tokens import counter

#: A Monday.
TODAY = date(2026, 3, 2)


def days_of(text: str) -> list[str]:
    """What is added to a text."""
    return re.findall(r"\[([^\]]*)\]", resolved(text, TODAY))


SET_OR_FOUND = [
    ("I noticed a cheap room and booked it on 21 March.", ["2026"]), ("The board selected 19 March.", ["2026"]),
    ("Lena secured a slot at 9:30 on 24 March.", ["2026"]),
    ("Mr Voss had to cancel, we now meet on 16 March.", ["2026"]),
    ("The hospital offered her 11 March.", ["2026"]), ("I scored a ticket on 28 March for 20 euros.", ["2026"]),
    ("Our landlord suggested 12 March.", ["2026"]), ("The board picked Friday.", []),
    ("The council had agreed, works on 17 March.", ["2026"]), ("Ida got a flight on 20 March.", ["2026"]),
    ("I fell off a ladder on 12 February.", ["2026"]), ("We sold the boat on 18 March.", ["2025"]),
    ("Went with the plumber's slot on 21 March.", ["2026"]), ("The garage squeezed me in on 19 March.", []),
    ("I managed to find a flight on 28 March at 7:45.", ["2026"]), ("Mara opted for 24 March.", ["2026"]),
    ("We got married on 18 March.", ["2025"]), ("I found the purse on 25 February.", ["2026"]),
]  # fmt: skip
#: What is held for a day, and found, bought or offered before it; of other things that were, nobody knows.
HELD = [
    ("I found direct flights to Rome on June 9 for 212 euros.", ["2026"]), ("We got seats on May 21.", ["2026"]),
    ("I bought tickets to the opera on June 20.", ["2026"]), ("I bought a bicycle on June 20.", []),
    ("The clinic offered Bo an appointment on May 22.", ["2026"]), ("I bought train tickets on 20 February.", ["2026"]),
    ("I bought the opera tickets on November 5.", ["2025"]), ("Le concert a lieu le 9 avril.", ["2026"]),
    ("Papi est mort le 11 novembre.", ["2025"]), ("Am 3. Februar sind wir umgezogen.", ["2026"]),
]  # fmt: skip
#: What is so each week or month, and what looks like it.
HABITS = [
    ("Thursday is laundry day.", []), ("Wednesday is the wind section.", []), ("Friday is choir, so no dinner.", []),
    ("Saturday is my brother's wedding.", ["7 March 2026"]), ("Friday is the deadline.", ["6 March 2026"]),
    ("Friday is fine for me.", ["6 March 2026"]), ("Sunday is for family.", []),
    ("Garbage day is Tuesday.", []), ("Their day off is Thursday.", []), ("Football is on Wednesday at 5.", []),
    ("Leo has chess on Tuesday and drums on Thursday.", []), ("I do yoga on Tuesday and Friday.", []),
    ("My office days are Tuesday, Wednesday and Friday.", []), ("Ballet class is Friday after school.", []),
    ("My wages arrive on the 27th.", []), ("The car payment is due on the 12th.", []),
    ("Nora's shift is Sunday.", []),
    ("Movie night is Saturday.", []), ("She's at the clinic on Wednesday and Friday.", []),
    ("He gets paid on the 28th.", []),
    ("My last day is Friday.", ["6 March 2026"]), ("The exam is on Thursday.", ["5 March 2026"]),
    ("I have a vet on Wednesday and a dentist on Friday.", ["4 March 2026", "6 March 2026"]),
    ("My book is due on the 12th.", ["12 March 2026"]),
    ("I fly on Friday and land on Sunday.", ["6 March 2026", "8 March 2026"]),
]  # fmt: skip
OVER = [
    ("Grandma passed away on 5 March.", ["2025"]), ("My uncle died on 6 March.", ["2025"]),
    ("The crash on 4 March.", []),
    ("Our twins' birth on 7 March.", []), ("Rex has died on 4 March.", []),
    ("The old king died before 9 March.", ["2025"]),
    ("Her brother was killed on the 4th.", ["4 February 2026"]), ("Our fish died on 1 March.", ["2026"]),
    ("He lied to me on 5 March.", ["2025"]), ("Our cat died on the 6th.", ["6 February 2026"]),
]  # fmt: skip
#: A floor, a rank or a title; and a day.
PLACES = [
    ("Our apartment's on the 9th.", []), ("She lives on the 14th.", []), ("The canteen is on the 6th.", []),
    ("The elevator stops on the 8th.", []), ("Maternity is on the 4th.", []), ("My desk is up on the 7th.", []),
    ("I finished on the 21st in my first triathlon.", []), ("We placed on the 5th in the league.", []),
    ("He came on the 12th out of 80.", []), ("Tomorrow by Avril is on repeat.", []),
    ("Monday by Wilco is great.", []),
    ("The plumber came on the 20th.", ["20 February 2026"]),
    ("I finished the race on the 20th.", ["20 February 2026"]),
    ("My flat viewing is on the 9th.", ["9 March 2026"]), ("Yesterday by the river I fell.", ["1 March 2026"]),
]  # fmt: skip
#: What was told on another day counts from that.
REPORTED = [
    ("On Friday Lou wrote that she'd be back tomorrow.", ["27 February 2026"]),
    ("Yesterday the plumber said he'd come today.", ["1 March 2026"]),
    ('Max told me on Friday: "Great news. I start tomorrow".', ["27 February 2026"]),
    ("My sister called two days ago to say she's moving next week.", ["28 February 2026"]),
    ('"I leave tomorrow", Max said on Friday.', ["27 February 2026"]),
    ("He'd be here tomorrow, he texted yesterday.", ["1 March 2026"]),
    ("Last week I heard that the shop closes on Friday.", ["23 February\u20131 March 2026"]),
    ("The other day she said she'd quit next year.", []),
    ("A week ago they asked if I was free on Thursday.", ["about 23 February 2026"]),
    ("Two days ago the nurse told us he could go home tomorrow.", ["28 February 2026"]),
    ("In 2019 he told me he'd retire next year.", []),
    ("She wrote in January that the baby was due next month.", ["2026"]),
    ('He said on Friday "see you tomorrow".', ["27 February 2026"]),
    ("He said that in May we fly and next year we stay.", ["2027"]),
    ("He called yesterday and we leave tomorrow.", ["1 March 2026", "3 March 2026"]),
    ("Yesterday I cooked, tomorrow Ben cooks.", ["1 March 2026", "3 March 2026"]),
    ("They said the fair is tomorrow.", ["3 March 2026"]),
    ("Today Ann told me she starts tomorrow.", ["2 March 2026", "3 March 2026"]),
]  # fmt: skip
#: What was moved is not on its day any more, and what is denied is not on that.
MOVED_OR_DENIED = [
    ("The concert on the 19th was postponed to the 28th.", []),
    ("My review on the 5th was pushed to the 19th.", ["5 March 2026"]),
    ("The lesson on Friday was shifted to Saturday.", []),
    ("It's not on Tuesday, it's on Wednesday.", ["4 March 2026"]),
    ("They moved the call on the 20th to the 25th.", []), ("Not next Friday, the one after.", []),
    ("The match isn't tomorrow.", []), ("We meet on Friday, not on Thursday.", ["6 March 2026"]),
    ("The party was never on Saturday.", []), ("I'm not free tomorrow.", ["3 March 2026"]),
    ("The shop does not open until Friday.", ["6 March 2026"]), ("Why not tomorrow?", ["3 March 2026"]),
]  # fmt: skip
#: Days and weekdays with weeks behind them; what is counted in weeks alone is about then.
WEEKS_ELSEWHERE = [
    ("Ich habe am Freitag vor einer Woche gekündigt.", ["2026-02-20"]),
    ("Mardi en quinze nous serons à Lyon.", ["2026-03-17"]),
    ("Nous serons à Lyon demain en huit.", ["2026-03-10"]),
    ("Samedi dans une semaine nous serons à Lyon.", ["2026-03-14"]),
    ("El viernes en una semana nos vamos de viaje.", ["2026-03-13"]),
    ("Hoy en quince nos vamos de viaje.", ["2026-03-16"]),
    ("Venerdì a otto partiamo per il mare con mia sorella.", ["2026-03-13"]),
    ("Sexta-feira daqui a uma semana vou de férias com o Rui.", ["2026-03-13"]),
    ("Vrijdag over twee weken heb ik vrij.", ["2026-03-20"]), ("Vi ses på fredag om två veckor.", ["2026-03-20"]),
    ("Mamy ślub w piątek za dwa tygodnie.", ["2026-03-20"]), ("Maandag over een week heb ik vrij.", []),
    ("Мы едем на дачу в пятницу через две недели.", ["2026-03-20"]),
    ("Wir fahren in zwei Wochen weg.", ["~2026-03-16"]),
    ("Seit drei Tagen habe ich Fieber.", ["2026-02-27"]), ("Seit fünf Wochen habe ich Fieber.", ["~2026-01-26"]),
    ("Depuis trois semaines nous avons un chat.", ["~2026-02-09"]),
    ("Da tre settimane ho la tosse.", ["~2026-02-09"]),
    ("Vor genau zwei Wochen haben wir den Hund geholt.", ["2026-02-16"]),
    ("Wir haben gestern, vor einer Woche und davor geputzt.", ["2026-03-01", "~2026-02-23"]),
]  # fmt: skip
#: A word with another one in it is read whole, and a saying is none.
WHOLE_WORDS = [
    ("一昨日から風邪です。", ["2026-02-28"]), ("昨日から風邪です。", ["2026-03-01"]),
    ("一昨昨日に会った。", ["2026-02-27"]),
    ("一昨日事故", []), ("明日は我が身だね。", []), ("今日この頃は寒いですね。", []), ("先先週に行きました。", []),
    ("以后天天跑步。", []), ("大大后天走。", []), ("后天天气怎么样？", ["2026-03-04"]),
    ("大前天走了。", ["2026-02-27"]),
    ("Avant hier nous sommes allés au zoo.", ["2026-02-28"]), ("Traspasado mañana vamos al mar.", ["2026-03-05"]),
    ("Antes de ontem não fui ao mercado com o Rui.", ["2026-02-28"]),
    ("Altro ieri siamo andati al mare con lui.", ["2026-02-28"]),
    ("Eer gisteren was de markt dicht.", ["2026-02-28"]), ("После завтра мы едем на дачу.", ["2026-03-04"]),
    ("Hoy en día la gente no lee.", []), ("Al giorno d'oggi non si trova casa.", []),
    ("Ich bin nicht von gestern.", []),
    ("Vandaag de dag heb je geen geld meer.", []), ("guten morgen, ich bin wieder da", []),
    ("Spotkaliśmy się wczoraj i było miło.", ["2026-03-01"]), ("Evvelki gün taşındık.", ["2026-02-28"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [*SET_OR_FOUND, *HELD, *HABITS, *OVER, *PLACES, *REPORTED, *MOVED_OR_DENIED, *WEEKS_ELSEWHERE, *WHOLE_WORDS],
)
def test_a_phrase_in_doubt_means_no_day(text: str, expected: list[str]) -> None:
    """A wrong day is worse than none; what only looks like doubt has its day."""
    assert days_of(text) == expected


@pytest.mark.parametrize(
    ("text", "part", "expected"),
    [
        ("He'd be here tomorrow, he texted yesterday.", "He'd be here tomorrow", "He'd be here tomorrow"),
        ("Take the lift, we are on the 4th.", "We are on the 4th.", "We are on the 4th."),
        ("So, well, I really sailed yesterday.", "I sailed yesterday.", "I sailed yesterday (1 March 2026)."),
        ("Between the 13th and the 17th we sail.", "the 17th we sail.", "the 17th we sail."),
        ("We rowed yesterday. " * 200, "We rowed yesterday.", "We rowed yesterday (1 March 2026)."),
        ("Nothing of it is here.", "Olga sailed yesterday.", "Olga sailed yesterday (1 March 2026)."),
        ("Hier war alles zu. Gestern kam er.", "Gestern kam er.", "Gestern (2026-03-01) kam er."),
    ],
)
def test_a_part_of_a_text_means_what_it_means_in_the_whole(text: str, part: str, expected: str) -> None:
    """As it stands there, or with words left out; what is no part of it is read by itself."""
    assert dated(part, TODAY, whole=text) == expected
    assert resolved(part, TODAY, whole=text) == expected.replace(" (", " [").replace(")", "]")


@pytest.mark.parametrize("text", [text for text, _ in [*REPORTED, *MOVED_OR_DENIED, *HABITS, *PLACES]])
def test_a_summary_tells_no_day_that_the_text_does_not_mean(text: str) -> None:
    """Its sentences are cut into clauses, each of which may mean something else by itself."""
    item = Item(text=text, source_ids=("m",), created_at=datetime(2026, 3, 2, 9, tzinfo=UTC))
    told = " ".join(
        statement.text
        for statement in summarize(Request(items=(item,), max_tokens=200, prompt=""), counter()).statements
    )
    assert set(re.findall(r"\(([^)]*\d{4})\)", told)) <= set(days_of(text))


def test_a_day_that_is_about_then_is_no_invention() -> None:
    """The checks bear it out, and it is not added twice."""
    text = "Vor drei Wochen haben wir das Boot verkauft."
    said = dated(text, TODAY)
    assert said == "Vor drei Wochen (~2026-02-09) haben wir das Boot verkauft."
    assert resolved(said, TODAY) == said
    item = Item(text=text, source_ids=("m",), created_at=datetime(2026, 3, 2, 9, tzinfo=UTC))
    statement = DraftStatement(text=said, importance=0.5, sources=(0,))
    (verdict,) = check(Draft(statements=(statement,), made_by="test"), (item,)).verdicts
    assert verdict.kept, verdict.reasons


@pytest.mark.parametrize(
    "text",
    [
        "Pekka likes the draft, but wants two years now, not three.",
        "They offered five years now.",
        "She asked for four days now.",
        "Brandt pays in 60 days.",
        "The mill delivers in two weeks.",
    ],
)
def test_how_long_somebody_wants_and_terms_are_no_days(text: str) -> None:
    """Neither began in the past, nor is it of one day."""
    assert resolved(text, date(2026, 5, 12)) == text


@pytest.mark.parametrize("text", ["It's been two years now.", "We have lived here for two years now."])
def test_what_goes_on_is_since_a_year(text: str) -> None:
    """The same words for what is so."""
    assert "since about 2024" in resolved(text, date(2026, 5, 12))


@pytest.mark.parametrize(
    "text",
    ["Last night shift of my life done!", "It's our last night here.", "Last night in Hanoi, we eat everything.",
     "She missed the last night bus again.", "Greta was late every day this week.", "Rain every single day this week.",
     "Esta semana llegó tarde todos los días."],
)  # fmt: skip
def test_the_last_of_several_nights_and_a_week_that_only_begins_are_no_days(text: str) -> None:
    """Said on a Monday, what was done "this week" may be of the one before."""
    assert days_of(text) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Aterro na sexta que vem, dia 19, com o violino.", "Aterro na sexta que vem, dia 19, com o violino."),
        ("Arrivo venerdì prossimo, il 19.", "Arrivo venerdì prossimo, il 19."),
        ("We sail next Friday, the 19th.", "We sail next Friday [19 May 2023], the 19th."),
        ("We sail next Friday at 9.", "We sail next Friday [12 May or 19 May 2023] at 9."),
        ("We sail tomorrow, the 12th.", "We sail tomorrow, the 12th."),
        (
            "From Monday it's Ottilie, same hours plus Saturday.",
            "From Monday [15 May 2023] it's Ottilie, same hours plus Saturday.",
        ),
        (
            "From Monday it's Ottilie. See you on Saturday!",
            "From Monday [15 May 2023] it's Ottilie. See you on Saturday [13 May 2023]!",
        ),
    ],
)
def test_a_day_that_the_sentence_says_otherwise_is_not_added(text: str, shown: str) -> None:
    """The writer gives the day of the month, or what begins on Monday is on no Saturday before."""
    assert resolved(text, date(2023, 5, 10)) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("امبارح رحت السوق", "امبارح [2023-05-09] رحت السوق"),
        ("اول امبارح كنت في البيت", "اول امبارح [2023-05-08] كنت في البيت"),
        ("بكرة عندي امتحان", "بكرة [2023-05-11] عندي امتحان"),
        ("شفتها يوم الحد اللي فات", "شفتها يوم الحد اللي فات [2023-05-07]"),
        ("الشهر الجاي هسافر", "الشهر الجاي [2023-06] هسافر"),
        ("الحد الأدنى للأجور", "الحد الأدنى للأجور"),
    ],
)
def test_arabic_as_people_write_it_in_chats(text: str, shown: str) -> None:
    """Yesterday, tomorrow and a weekday that passed have other words there than in a letter."""
    assert resolved(text, date(2023, 5, 10)) == shown
