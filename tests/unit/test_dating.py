"""What phrases for a time mean on the day on which they are said."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from precis.checks import check
from precis.language import tables
from precis.language.dates import easter
from precis.language.dating.resolving import date_keys, dated, resolved
from precis.language.grammar import FORMS
from precis.makers import Draft, DraftStatement, Item

#: A Wednesday.
TODAY = date(2023, 5, 10)
AIDS = {word for name in ("past_aids", "present_aids", "have", "links") for word in tables.words(f"tenses.{name}")}


PHRASES = [
        ("The boiler broke the day before yesterday", "8 May 2023"),
        ("Last Tues I finally sold the van", "2 May or 9 May 2023"),
        ("Last Sunday I finally sold the van", "7 May 2023"),
        ("We rowed two weekends ago", "29\u201330 April 2023"),
        ("That hike this past weekend was steep", "6\u20137 May 2023"),
        ("This weekend was steep", "6\u20137 May 2023"),
        ("I'm baking this weekend", "13\u201314 May 2023"),
        ("We moved the week before last", "24\u201330 April 2023"),
        ("The cat ran off the Friday before last", "28 April 2023"),
        ("Zoe quit half a year ago", "about November 2022"),
        ("Zoe quit three nights ago", "7 May 2023"),
        ("It's been two weeks since Zoe quit", "about 26 April 2023"),
        ("It had been two weeks since Zoe quit", None),
        ("Zoe quit about a year and a half ago", "about November 2021"),
        ("Zoe quit over a year ago", "by May 2022"),
        ("Zoe quit eleven years ago", "about 2012"),
        ("In two weeks we will fly", "about 24 May 2023"),
        ("Zoe has owned the kiln for three years", "since about 2020"),
        ("For four months now Zoe teaches", "since about January 2023"),
        ("Over the past three months I have slept badly", "since about February 2023"),
        ("I have run since March", "2023"),
        ("Zoe was in Turin in November", "2022"),
        ("Zoe will be in Turin in November", "2023"),
        ("I met Ilse on June 3rd", "2022"),
        ("I'm getting my knee scoped on June 3rd", "2023"),
        ("Ilse is having her gutters cleaned on June 3rd", "2023"),
        ("Ilse was getting her gutters cleaned on June 3rd", "2022"),
        ("I'm having a cousin over who moved on June 3rd", "2022"),
        ("The baker calls Tuesday, Thursday, Sunday at six", None),
        ("The baker calls Tuesday", "16 May 2023"),
        ("I met Ilse on the 11th", "11 April 2023"),
        ("The recital is on the 11th", "11 May 2023"),
        ("Mind the 11th, on the 11th of all days", None),
        ("The choir sang on Saturday", "6 May 2023"),
        ("The choir will sing on Saturday", "13 May 2023"),
        ("Dinner is on Monday, the 15th", "15 May 2023"),
        ("Next Friday works", "12 May or 19 May 2023"),
        ("Next Monday works", "15 May 2023"),
        ("Last summer we sailed", "2022"),
        ("Last winter we skied", "2022\u20132023"),
        ("Last Christmas Ben cooked", "25 December 2022"),
        ("I must pay by the end of the month", "May 2023"),
        ("Last week's talk was long", "1\u20137 May 2023"),
        ("The rehearsal Saturday was canceled", "6 May 2023"),
        ("See you Monday, Ilse", "15 May 2023"),
        ("The mill opens a week from tomorrow", "about 18 May 2023"),
        ("The deadline is a week from now", "about 17 May 2023"),
        ("The first rehearsal is two weeks from now", "about 24 May 2023"),
        ("It hailed a week ago today", "3 May 2023"),
        ("Her dad died six years ago today", "10 May 2017"),
        ("We sailed two Sundays ago", "30 April 2023"),
        ("I slept badly the night before last", "8 May 2023"),
        ("We leave a week from Friday", "19 May 2023"),
        ("The shop is open six days from Friday", None),
        ("Twenty-one days ago it hailed", "19 April 2023"),
        ("Monday of last week was grim", "1 May 2023"),
        ("Next week on Monday we sail", "15 May 2023"),
        ("lets meet 2moro", "11 May 2023"),
        ("sold the kiln last wknd", "6\u20137 May 2023"),
        ("the vet is next mon", "15 May 2023"),
        ("moved in 2wks ago", "about 26 April 2023"),
        ("The flight leaves on Friday, 16 June", "2023"),
        ("The flight leaves on June 16 (Friday) at noon", "2023"),
        ("On the 12th, a foal, Boris, 40 kilos", "12 May 2023"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), PHRASES)
def test_a_phrase_means_these_days(text: str, expected: str | None) -> None:
    """By the day on which it is said, and by the tense; of two that may be meant both."""
    assert resolved(f"{text}.", TODAY).count("[") == (expected is not None)
    assert expected is None or f"[{expected}]" in resolved(f"{text}.", TODAY)


@pytest.mark.parametrize(
    "text",
    [
        "On Fridays I swim", "Every Friday night we play", "My birthday is on May 3rd", "In 1998 I moved in March",
        "I lived there for three years", "I have to leave for two weeks", "We learned it in two weeks",
        "The office is on the 3rd floor", "May I come in", "They march in line", "I had two or three weeks off",
        "We booked a table for Friday", "The last week of June was wet", "A few weeks ago it hailed",
        "Today's world is loud", "I met Ilse yesterday (9 May 2023)", "Zoe was born on March 5", "The sun sat low",
        "We met 2-3 weeks ago", "Between two and three weeks ago it hailed", "That was 1.5 years ago",
        "It hailed 1,000 days ago", "A hundred and two days ago", "He left two weeks ago Tuesday",
        "It is the last week but one", "I saw The Day After Tomorrow", "A tomorrow week",
        "A 2day trip", "We sat next to Sol", "Zoe worked from Monday to Friday", "The following Monday was dull",
        "On the 3rd, a foal, Boris, 40 kilos", "Sunday lunch was late", "Any Monday will do",
        "She is off one Friday, then on",
        "The flight leaves on Friday, 12 June", "It leaves on Friday 12/06", "It leaves on Friday 2023-06-16",
        "We open Mon-Fri and close on Sat", "On Friday mornings we swim", "It's Friday and calm",
        "It is a Friday", 'They sang "Yesterday" on and on',
    ],
)  # fmt: skip
def test_what_has_no_certain_meaning_stays_as_it_is(text: str) -> None:
    """A wrong day is worse than none."""
    assert resolved(text, TODAY) == text


#: Said on Wednesday, 10 May 2023.
FEASTS = [
    ("On Christmas Eve the lights failed", "24 December 2022"), ("Are you free on New Year's Eve", "31 December 2023"),
    ("The twins will be owls for Halloween", "31 October 2023"),
    ("I want it painted before Christmas", "25 December 2023"),
    ("I've gone without sugar since New Year's Day", "1 January 2023"), ("Good Friday was quiet", "7 April 2023"),
    ("We flew home on Easter Monday", "10 April 2023"), ("Zoe will visit on Easter Sunday", "31 March 2024"),
    ("They sing on Pentecost", None), ("I'm cooking on Whit Monday", "29 May 2023"),
    ("On Halloween last year nobody rang", "31 October 2022"), ("Last Easter it hailed", "9 April 2023"),
    ("The ferry leaves on st patricks day", "17 March 2024"), ("We met on Saint Patrick's Day", "17 March 2023"),
    ("Every Christmas we row", None), ("At Christmas we always row", None), ("We eat carp on Christmas Eve", None),
    ("Olga gave me a sled for Christmas", "25 December 2022"), ("Have you ever been to Rome at Easter", None),
    ("Happy Valentine's Day", None), ("She wore a Halloween mask", None), ("We had Christmas dinner", None),
    ("The day after Christmas was dull", None), ("On Christmas Day 2019 it hailed", None), ("I love Christmas", None),
]  # fmt: skip
RANGES = [
    ("I'm in Turin from Friday to Monday", "12\u201315 May 2023"),
    ("I was in Turin from Friday to Monday", "5\u20138 May 2023"),
    ("We're away between the 13th and the 17th", "13\u201317 May 2023"),
    ("The fair ran from the 28th to the 2nd", "28 April\u20132 May 2023"),
    ("The fair runs from the 3rd to the 16th", "3\u201316 May 2023"), ("I'm in Turin from Tuesday to Thursday", None),
    ("I work from Friday to Sunday", None), ("They moved the fair from Friday to Sunday", None),
    ("The road is closed Friday through Sunday", "12\u201314 May 2023"), ("Turin from the 3rd to the 7th", None),
    ("They shut the road from the 12th to the 17th", None), ("She can't choose between Friday and Sunday", None),
]  # fmt: skip
FURTHER = [
    ("The fair opens a week today", "17 May 2023"), ("The fair is two weeks tomorrow", "25 May 2023"),
    ("We sail a week on Tuesday", "23 May 2023"), ("See you Tuesday week", "23 May 2023"),
    ("We rowed a week last Sunday", "30 April 2023"), ("We row twice a week on Tuesday", None),
    ("It's a week today", None), ("The fair is in exactly three weeks", "31 May 2023"),
    ("Back in a fortnight", "about 24 May 2023"), ("Today's my last day", "10 May 2023"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [*FEASTS, *RANGES, *FURTHER])
def test_feasts_and_times_of_two_ends_go_by_the_tense(text: str, expected: str | None) -> None:
    """Those of Easter are moved with it; a custom, and a name with a feast in it, mean no day."""
    (place,) = re.findall(r"\[([^\]]*)\]", resolved(f"{text}.", TODAY)) or [None]
    assert place == expected


@pytest.mark.parametrize("year", range(1990, 2060))
def test_easter_is_the_first_sunday_after_the_full_moon(year: int) -> None:
    """Between 22 March and 25 April; some of its days are known."""
    assert easter(year).weekday() == 6
    assert date(year, 3, 22) <= easter(year) <= date(year, 4, 25)
    known = {2000: (4, 23), 2008: (3, 23), 2011: (4, 24), 2024: (3, 31), 2025: (4, 20), 2038: (4, 25)}
    assert known.get(year, (easter(year).month, easter(year).day)) == (easter(year).month, easter(year).day)


@pytest.mark.parametrize(
    "text",
    [
        "The tires are even for the first time in ten years", "It's the best year in ten years",
        "It's done in two days",
        "She's the youngest winner in ten years", "It's our third flood in two months", "I haven't slept in two days",
        "There's no rain in two months", "He rows three times in two days", "The cut heals in two weeks",
        "She reads a novel in two days", "I sleep better than I have in ten years", "He's won five medals in two years",
        "What would you do if you won the lottery tomorrow", "Suppose Olga is hired on March 1", "Roses bloom in June",
        "How many days are there in February", "It's cold in January", "The days are short in December",
        "Rome is nice in June", "Would you come if we sailed on Friday",
        "Here today, gone tomorrow", "I wasn't born yesterday", "I binge-watched Wednesday", "Friday is payday",
    ],
)  # fmt: skip
def test_what_measures_or_is_made_up_or_always_so_means_no_day(text: str) -> None:
    """Nor does a saying or a title."""
    assert resolved(f"{text}.", TODAY) == f"{text}."


#: The day, said on Wednesday, 10 May 2023: that of the verb it hangs on, not of a participle or of another clause.
BY_THE_VERB = [
    ("The sealed bids open on 20 May", "2023"), ("Her retired uncle arrives on Friday", "12 May 2023"),
    ("My sprained wrist gets scanned on Monday", "15 May 2023"), ("A stolen bike was returned on Monday", "8 May 2023"),
    ("Olga rang on Friday to say that she leaves in June", "5 May 2023"),
    ("I forgot the fair is on Friday", "12 May 2023"),
    ("The wall we painted in April is inspected on 20 May", "2023"), ("What did you cook on Friday", "5 May 2023"),
    ("They heard the ferry sails on Monday", "15 May 2023"), ("Supper on Monday was cold", "8 May 2023"),
    ("I went to see the roof on Monday", "8 May 2023"), ("The bakery closes in June", "2023"),
    ("Preview on 6 June, the rest unchanged", "2023"), ("The talk we had on Monday was long", "8 May 2023"),
    ("What plans do you have for the weekend", "13\u201314 May 2023"),
    ("I moved the fair from 2 June to 12 September", "2023"),
    ("I've got a scan on Friday", "12 May 2023"), ("They've got to vote by Monday", "15 May 2023"),
    ("Have you got tea on Monday", "15 May 2023"), ("Ivo's got the van on Friday", "12 May 2023"),
    ("I'd got the job on Friday", "5 May 2023"), ("We got back on Friday", "5 May 2023"),
    ("She got a puppy on Monday", "8 May 2023"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), BY_THE_VERB)
def test_the_nearest_verb_tells_before_or_after(text: str, expected: str) -> None:
    """Past or to come, as the verb has it that the day hangs on."""
    assert f"[{expected}]" in resolved(f"{text}.", TODAY)


#: Said on Wednesday, 10 May 2023: what was done in the past for a day that is still to come, or may be.
SET_FOR = [
    ("The bank stretched my loan until 2 July", "2023"), ("The vet kept the pony in until 2 July", "2023"),
    ("The town shut the pool until 2 July", "2023"), ("Olga lent me her kayak until 2 April", None),
    ("We bought ferry seats for 2 July", "2023"), ("They shifted my scan to 2 July", "2023"),
    ("They hired two cooks from 2 July", "2023"), ("They hired two cooks until 2 November", None),
    ("Olga lent me her kayak until Friday", None), ("They closed the pool until June", "2023"),
    ("I called off the trip on 2 July", "2023"), ("We camped there until 2 May", None),
    ("I lived in Ystad until 2 May", "2023"), ("Olga was in Ystad until June", "2022"),
    ("Her pass was stretched until 2 April", None), ("I painted the boat for 2 May", "2023"),
]  # fmt: skip


#: The same day: what stands behind a comma without a verb that shows when it is.
ADDED = [
    ("Lent Olga my kayak, wants it back to me by July", None), ("Ordered the stove, comes in March", None),
    ("Signed the contract, starts in August", None), ("Passed the theory, road test in July", None),
    ("We camped in Ystad, in April", "2023"), ("Olga moved out in April, new tenant in June", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ADDED)
def test_a_clause_of_its_own_is_not_past_as_that_before_it(text: str, expected: str | None) -> None:
    """The verb before the comma tells of something else."""
    *_, last = resolved(f"{text}.", TODAY).split(", ")
    assert (f"[{expected}]" in last) if expected else "[" not in last


@pytest.mark.parametrize(("text", "expected"), SET_FOR)
def test_what_was_done_for_a_day_to_come_is_not_in_the_past(text: str, expected: str | None) -> None:
    """Until a day, for it, to it or from it: what went on until then is over, all else may be to come."""
    assert resolved(f"{text}.", TODAY) == (f"{text} [{expected}]." if expected else f"{text}.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I replaced 6 May with 20 May.", "I replaced 6 May (2026) with 20 May."),
        ("They dropped 9 May.", "They dropped 9 May (2026)."),
        ("The fair was 9 May.", "The fair was 9 May (2025)."),
        ("We married on 9 May.", "We married on 9 May (2025)."),
    ],
)
def test_a_day_that_was_changed_is_no_day_on_which_something_was(text: str, expected: str) -> None:
    """What happened on a day has "on" before its number."""
    assert expected == dated(text, date(2026, 5, 4))


def test_the_end_of_a_time_is_in_no_other_year_than_its_beginning() -> None:
    """The beginning says the year, also where the end is nearer to another."""
    text = "Olga worked there from 3 May to 10 June."
    assert "Olga worked there from 3 May [2023] to 10 June." == resolved(text, date(2023, 6, 11))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Gestern fiel der Strom aus.", "Gestern (2023-05-09) fiel"),
        ("Ontem faltou luz.", "Ontem (2023-05-09) faltou"),
        ("La caldera se rompió anteayer.", "anteayer (2023-05-08)."),
    ],
)  # fmt: skip
def test_a_statement_in_another_language_says_which_day(text: str, expected: str) -> None:
    """In figures, once, and only of what means one day: a statement is read long after."""
    assert expected in dated(text, TODAY)
    assert dated(dated(text, TODAY), date(2024, 1, 1)) == dated(text, TODAY)
    assert "[" not in resolved(dated(text, TODAY), TODAY)


@given(
    st.lists(st.sampled_from(sorted(AIDS | FORMS.keys() | {"lunch", "Olga's", "we'd", ",", "and"})), max_size=6),
    st.sampled_from(
        ["on Friday", "in two weeks", "on 20 May", "in June", "on the 11th", "for two years", "2moro", "3wks ago today"]
    ),
    st.lists(st.sampled_from(sorted(AIDS | {"the", "it", "call", "week", "mon"})), max_size=3),
    st.sampled_from([TODAY, date.min, date.max]),
)
def test_no_order_of_words_is_too_odd(before: list[str], phrase: str, behind: list[str], day: date) -> None:
    """Whatever stands before a phrase and behind it, on whatever day of the calendar, the text is there still."""
    text = " ".join([*before, phrase, *behind])
    assert re.sub(r" \[[^\]]*\]", "", resolved(text, day)) == text
    assert date_keys(text, day)


@pytest.mark.parametrize(
    "text",
    [
        "I've had one fever in nine days", "You can learn it in a week", "They have rebuilt it in two weeks",
        "I read two novels in three days", "Olga thought the fair was on Friday", "I wish I had a day off in June",
        "We got seats for the play on Friday", "Cannot, got mocks on Friday", "Got work on Monday",
        "I got an exam on Friday", "We got to pack on Monday",
        "They've got back together on Monday", "He asked me to call on Monday",
        "Choir moved from Tuesday to Friday evening, so I am out on Fridays", "Lagos from the 6th to the 20th",
    ],
)  # fmt: skip
def test_a_verb_that_leaves_it_open_dates_nothing(text: str) -> None:
    """How long something takes, what somebody thought, and the day of a thing that was got."""
    assert resolved(f"{text}.", TODAY) == f"{text}."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Gestern war ich mit der Familie im Zoo.", "Gestern [2023-05-09] war"),
        ("Vor drei Wochen haben wir das Boot verkauft.", "Vor drei Wochen [~2023-04-19] haben"),
        ("Hier, nous sommes allés au zoo avec elle.", "Hier [2023-05-09], nous"),
        ("Hier ist es schön und die Sonne scheint.", "Hier ist"),
        ("La semana pasada fuimos al mar con los niños.", "pasada [2023-05-01\u20132023-05-07] fuimos"),
        ("Il mese scorso non sono andata al mare.", "scorso [2023-04] non"),
        ("Ontem não fui ao mercado com o Rui.", "Ontem [2023-05-09] não"),
        ("Por la mañana no como pan.", "la mañana no"),
        ("Nous habitons ici depuis six mois.", "six mois [2022-11]."),
        ("Le stage finit dans deux semaines.", "semaines [~2023-05-24]."),
        ("Ich habe in zwei Monaten fünf Kilo verloren.", "Monaten fünf"),
        ("Das Konzert ist in zwei Monaten.", "Monaten [2023-07]."),
        ("Trabajo aquí desde hace un año.", "año [2022]."),
        ("Daqui a quatro dias é a festa.", "dias [2023-05-14] é"),
        ("La mostra apre fra due settimane.", "settimane [~2023-05-24]."),
        ("Quest'anno non andiamo al mare.", "anno [2023] non"),
        ("Vorige week was de markt dicht.", "week [2023-05-01\u20132023-05-07] was"),
        ("我们四天前见过面。", "四天前[2023-05-06]见"),
        ("我三月前没时间。", "我三月前没"),
        ("他们十二天前走的。", "十二天前走"),
        ("上周一起吃了饭。", "上周[2023-05-01\u20132023-05-07]一起"),
        ("下周三开会。", "下周三[2023-05-17]开"),
        ("先月ここに引っ越した。", "先月[2023-04]ここ"),
        ("3日前に犬が逃げた。", "3日前[2023-05-07]に"),
        ("三時間前後かかる。", "三時間前後か"),
        ("来年度の予算です。", "来年度の"),
        ("上上周我们搬家了。", "上上周我"),
        ("两三年前搬的家。", "两三年前搬"),
        ("Мы приехали позавчера, и было тепло.", "позавчера [2023-05-08], и"),
        ("Пять лет назад они купили дом.", "назад [2018] они"),
        ("Двадцать пять лет назад они купили дом.", "назад они"),
        ("Неделю назад она уволилась.", "назад [~2023-05-03] она"),
        ("Через неделю после этого она уволилась.", "неделю после"),
        ("Ci siamo visti due o tre anni fa.", "anni fa."),
        ("Vinte e dois anos atrás mudaram de casa.", "atrás mudaram"),
        ("Réunion de mardi dernier", "dernier [2023-05-09]"),
        ("Vor etwa fünfzehn Tagen kam der Brief.", "Tagen [~2023-04-25] kam"),
        ("Seit einem halben Jahr lerne ich Geige.", "Jahr [2022-11] lerne"),
        ("Drei Tage ist es her, dass der Zaun umfiel.", "her [2023-05-07], dass"),
        ("Das war drei Tage her.", "Tage her."),
        ("Lleva dos semanas lloviendo.", "semanas [~2023-04-26] llov"),
        ("Le llevo dos años a mi hermano.", "dos años a"),
        ("Ça fait quinze jours que le robinet fuit.", "jours [~2023-04-25] que"),
        ("Sono due settimane che piove.", "[~2023-04-26]"),
        ("Faz duas semanas que chove.", "[~2023-04-26]"),
        ("Een half jaar geleden kende ik hier niemand.", "geleden [2022-11] kende"),
        ("Полгода назад я никого здесь не знала.", "назад [2022-11] я"),
        ("Через десять дней начнется школа.", "дней [2023-05-20] нач"),
        ("Она кашляет с прошлого месяца.", "месяца [2023-04]."),
        ("An Heiligabend kam der Besuch.", "Heiligabend [2022-12-24] kam"),
        ("Die Miete steigt zum 1. Juni.", "Juni [2023]."),
        ("Wir haben für den 1. Juni einen Tisch reserviert.", "Juni einen"),
        ("Jedes Jahr am 1. Juni feiern wir.", "Juni feiern"),
        ("Am Ostermontag waren wir wandern.", "Ostermontag [2023-04-10] waren"),
        ("Vom 13. bis zum 17. bin ich weg.", "17. [2023-05-13\u20132023-05-17] bin"),
        ("Vom 3. bis zum 7. Stock ist alles leer.", "7. Stock"),
        ("Estuve fuera del 5 al 8.", "8 [2023-05-05\u20132023-05-08]."),
        ("Elke 5 juni krijgen we taart.", "juni krijgen"),
        ("Le 5 mai nous avons mangé chez elle.", "mai [2023] nous"),
        ("5 мая мы поженились.", "мая [2023] мы"),
        ("W zeszły piątek padało.", "piątek [2023-05-05] padało"),
        ("Geçen ay taşındık.", "ay [2023-04] taş"),
        ("지난주 금요일에 만났어.", "금요일 [2023-05-05]에"),
        ("오늘날 사람들은 바쁘다.", "오늘날 사"),
        ("أول أمس ذهبت إلى السوق.", "أمس [2023-05-08] ذ"),
        ("في اليوم التالي سافرنا.", "اليوم التالي"),
        ("कल मैं दिल्ली जाऊँगा।", "कल [2023-05-11] मैं"),
        ("कल की बात है।", "कल की"),
        ("明々後日に行きます。", "明々後日[2023-05-13]に"),
        ("15日から18日まで出張です。", "まで[2023-05-15\u20132023-05-18]出"),
        ("I går åt vi ute.", "I går [2023-05-09] åt"),
        ("Hôm qua tôi đi chợ.", "qua [2023-05-09] tôi"),
        ("Příští týden máme dovolenou.", "týden [2023-05-15\u20132023-05-21] máme"),
        ("Вчора ми були в кіно.", "Вчора [2023-05-09] ми"),
        ("В эти выходные разбираем чердак.", "выходные [2023-05-13\u20132023-05-14] раз"),
    ],
)
def test_the_commonest_phrases_of_other_languages(text: str, expected: str) -> None:
    """In figures; a word of two languages means what it means in the one that is spoken."""
    assert expected in resolved(text, TODAY)


def test_the_day_above_a_line_is_not_added() -> None:
    """It can be read already; a text of no known day is left alone."""
    assert resolved("Today I sold the van.", TODAY, beside=TODAY) == "Today I sold the van."
    assert resolved("Today I sold the van.", TODAY) == "Today [10 May 2023] I sold the van."
    assert resolved("Last week I sold the van.", None) == "Last week I sold the van."


@given(
    day=st.dates(date(1990, 1, 1), date(2080, 1, 1)),
    back=st.integers(2, 60),
    form=st.sampled_from(("The {} broke {} days ago.", "{}: mended {} days ago", "Was the {} sold {} days ago?")),
)
def test_days_are_counted_on_any_day(day: date, back: int, form: str) -> None:
    """Over months and years; the checks let a statement say the same."""
    then = day - timedelta(days=back)
    text = form.format("lathe", back)
    assert f"[{then.day} {then:%B} {then.year}]" in resolved(text, day)
    assert {f"#{then.day}", f"#{then.year}"} <= date_keys(text, day)
    assert dated(text, day) == resolved(text, day).replace("[", "(").replace("]", ")")
    assert dated(dated(text, day), day) == dated(text, day)


@given(text=st.text(max_size=80), day=st.dates())
def test_nothing_of_a_text_is_lost(text: str, day: date) -> None:
    """Whatever it is, and on the first and the last day of the calendar; days are only added."""
    served = iter(resolved(f"{text} last week, a year ago, in May; il y a deux jours on est venus", day))
    assert all(letter in served for letter in text)


@given(
    words=st.lists(st.sampled_from(sorted({word for text, _ in PHRASES for word in text.split()})), max_size=8),
    joint=st.sampled_from((" ", "", "-", "\n")),
)
@example(words=["closed", "mid", "August"], joint="")
@example(words=["two", "Sat", "ago"], joint=" ")
@example(words=["(Friday)", "moved"], joint=" ")
def test_words_of_dates_in_any_order_can_be_read(words: list[str], joint: str) -> None:
    """As they are typed in a hurry: one memory that cannot be read would keep its group from any summary."""
    served = resolved(joint.join(words), TODAY)
    assert all(part in served for word in words for part in re.findall(r"\w+", word))


@pytest.mark.parametrize("text", [text for text, _ in [*PHRASES, *FEASTS, *RANGES, *FURTHER]])
def test_a_resolved_date_is_no_invention(text: str) -> None:
    """The checks take it as borne out by the day of the memory: a date that is added costs no fact."""
    item = Item(text=f"{text}.", source_ids=("m",), created_at=datetime(2023, 5, 10, 9, tzinfo=UTC))
    said = DraftStatement(text=dated(f"{text}.", TODAY), importance=0.5, sources=(0,))
    (verdict,) = check(Draft(statements=(said,), made_by="test"), (item,)).verdicts
    assert verdict.kept, verdict.reasons


@pytest.mark.parametrize(
    "text",
    [
        "60 rates of 372, delivered on 18 May.",
        "The kiln, collected on 18 May.",
        "Saturday is the busiest, so bake on Friday.",
        "Saturday is probably your busiest day",
        "Sunday is the only day we sleep in",
        "He rows three times a week now",
        "The minder takes 58 pounds a day now",
        "The tablet goes down to 2.5 mg twice a day from now on",
        "Two spoonfuls a day from now until it is empty",
        "The mooring is 680 a month from now on",
        "He rows three times a week from tomorrow",
        "Thursday, noted.",
        "Tuesday - agreed",
        "The alarm is 8822, the boys set it off on Sunday.",
    ],
)
def test_a_rate_a_weekday_among_others_and_what_is_to_be_done_add_no_day(text: str) -> None:
    """None of them says when something was: "a week now" counts how often, and a participle may be of what comes."""
    assert re.search(r"\((?:since )?[^()]*20\d\d\)", dated(text, TODAY).replace("Friday (12 May 2023)", "")) is None


@pytest.mark.parametrize("who", ["Somebody", "She", "he", "nobody"])
@pytest.mark.parametrize(
    "deed", ["set the alarm off", "put the bins out", "hit a deer", "cut the hedge", "shut the gate"]
)
def test_the_base_of_a_verb_behind_one_person_is_its_past(who: str, deed: str) -> None:
    """What goes on or comes would be "sets": beside a present tense it is not ahead. Of several it may be either."""
    assert "Sunday (7 May 2023)" in dated(f"The code is 8822, {who} {deed} on Sunday.", TODAY)
    assert "2023" not in dated(f"The code is 8822, they {deed} on Sunday.", TODAY)
    assert "Sunday (14 May 2023)" in dated(f"Will {who.lower()} {deed} on Sunday?", TODAY)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Friday is my last day", "12 May 2023"),
        ("It was delivered on 18 April", "2023"),
        ("We have been here a week now", "since about 3 May 2023"),
    ],
)
def test_what_is_near_to_these_is_dated(text: str, expected: str) -> None:
    """A last day is one, a verb with its aid tells when, and what goes on has a beginning."""
    assert f"({expected})" in dated(text, TODAY)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He's getting married in June, to Fien", "2023"),
        ("They are getting divorced on 3 June", "2023"),
        ("She was getting married in June", "2022"),
        ("Surgery on the 11th", "11 May 2023"),
        ("Surgery on the 8th", None),
    ],
)
def test_who_is_getting_something_done_has_it_before_them(text: str, expected: str | None) -> None:
    """By the aid before "getting"; without a verb a day of the month may be still to come."""
    assert dated(text, TODAY) == (
        text if expected is None else text.replace("June", f"June ({expected})").replace("11th", f"11th ({expected})")
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Would you like to come in August? Zoe is turning forty on the 9th.", "on the 9th (9 August 2023)."),
        ("In August we fly. She sings on the 9th.", "on the 9th (9 August 2023)."),
        ("I was in Rome in August. The party is on the 9th.", "on the 9th."),
        ("They come in May. The party is on the 3rd.", "on the 3rd."),
        ("Maybe in March. I'll call on the 3rd.", "on the 3rd."),
        ("On 9 October I fly, back on the 25th.", "on the 25th."),
    ],
)
def test_a_day_is_of_the_month_that_was_named_right_before(text: str, expected: str) -> None:
    """Where that month is ahead, near and named alone; else it is not known which is meant."""
    assert dated(text, TODAY).endswith(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "I've a date on Saturday with a guy called Theo",
            "I've a date on Saturday (13 May 2023) with a guy called Theo",
        ),
        (
            "Noted: the talk with Ida on the load test, Friday at 10.",
            "Noted: the talk with Ida on the load test, Friday at 10.",
        ),
        ("A list of the posters, signed off by April.", "A list of the posters, signed off by April."),
        ("The roof was done by March.", "The roof was done by March (2023)."),
        ("Ask about ground-floor rooms free from mid-August.", "Ask about ground-floor rooms free from mid-August."),
        ("Neighbors who've been greeted are readier to keep quiet for a week.", None),
        ("Ida here since 8 September, launch soon", "Ida here since 8 September (2022), launch soon"),
        ("Have the mail with the terms of 12 April at hand", "Have the mail with the terms of 12 April (2023) at hand"),
        ("It was mended by May last year", "It was mended by May last year (2022)"),
    ],
)
def test_a_verb_that_is_not_of_the_day_says_nothing_of_it(text: str, expected: str | None) -> None:
    """Nor is a month a time where it is who did something, or named with its year."""
    assert dated(text, TODAY) == (expected or text)
