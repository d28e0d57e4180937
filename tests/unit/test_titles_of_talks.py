"""Titles of talks with an assistant, and of talks in languages without capitals."""

from collections.abc import Sequence

import pytest

from precis.engine.titles.abroad import is_in_english
from precis.engine.titles.apart import foremost, told_apart
from precis.engine.titles.names import without_answers
from precis.engine.titles.noun_phrases import phrases_of
from precis.engine.titles.tellings import back_among
from precis.engine.titles.title import title_of
from precis.models.tokens import rank
from precis.summary import Statement


def _title(*texts: str, weights: Sequence[float] = ()) -> str:
    weighed = zip(texts, weights or [0.5] * len(texts), strict=True)
    statements = [
        Statement(text=text, importance=weight, source_ids=(f"m{at}",)) for at, (text, weight) in enumerate(weighed)
    ]
    return title_of(statements, rank=rank, members=texts) or ""


_ADVICE = (
    "assistant: Let the glue dry for a night. A heavy book on top keeps the glue flat. Wipe the glue with a wet rag."
)


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("user: The plasterer came, Ivor Blaze. He wants 900 pounds for the hallway.", "Ivor Blaze: plasterer"),
        ("user: Joiner came. Petra Holm. New stairs for 2,100.", "Petra Holm"),
        ("user: What do I use for the violin bridge? assistant: Take the glue that is made of hide.", "Violin bridge"),
    ],
)
def test_a_talk_with_an_assistant_is_about_what_the_user_says(said: str, named: str) -> None:
    """Advice has more words, and they come back in whatever talk; a question of the user is theirs as well."""
    assert _title(said, _ADVICE, _ADVICE.replace("night", "day")).startswith(named)


def test_where_the_user_names_nothing_the_answers_do() -> None:
    """A title of the advice is better than none."""
    assert "glue" in _title("user: And then?", _ADVICE).casefold()


def test_only_what_answers_is_left_out() -> None:
    """A name in small letters before a colon may be a heading; what the user answers to a question stays."""
    asked = "assistant: In short: where was that? Nils: In Narvik."
    assert without_answers(["Nils: I ski.", asked, "assistant: Good."]) == ["Nils: I ski.", "Nils: In Narvik.", ""]
    assert without_answers(["assistant: Good.", "No one speaks here."]) == ["assistant: Good.", "No one speaks here."]
    assert without_answers(["Ai: I ski.", "Nils: I row."]) == ["Ai: I ski.", "Nils: I row."]


def test_the_heaviest_of_the_users_own_words_come_first() -> None:
    """The statement that the summary ranks first names it."""
    texts = ("user: I waxed the skis.", "user: We sold the cottage.", _ADVICE)
    assert _title(*texts, weights=(0.4, 0.9, 0.9)) == "Cottage"
    assert _title(*texts, weights=(0.9, 0.4, 0.9)) == "Skis"


def test_a_verb_before_out_and_an_adverb_end_no_phrase() -> None:
    """No "clock evens" is in "The clock evens out", and no "leak though" in "another leak though"."""
    wordings = {it.text for it in phrases_of("The clock evens out. She found another leak though, and fixed it.")}
    assert {"clock", "leak"} <= wordings
    assert not {"clock evens", "leak though"} & wordings


def test_no_month_and_no_superlative_is_who_or_what_it_is_about() -> None:
    """A month has a capital, and "the longest" says how much of something."""
    assert foremost(["user: 18 km yesterday. That's the longest ever."]) == ""
    assert "May" not in _title("user: Tiles will be laid on 8 May by Osric, 480 pounds.")


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (("明哲: 报了驾照，下个月考。", "思雨: 加油。"), "驾照"),
        (("明哲: 房租涨到3100了。", "思雨: 心疼。"), "房租"),
        (("思雨: 我离开深圳了，开了家书店。", "明哲: 支持你。"), "书店"),
        (("ليلى: قدمت على شغل في بنك القاهرة.", "سارة: مبروك."), "بنك القاهرة"),
        (("سارة: الايجار زاد اوي.", "ليلى: يا خبر."), "الايجار"),
        (("서연: 전세 3억으로 올랐어.", "도윤: 헐."), "전세"),
        (("도윤: 자전거를 샀어.", "서연: 축하해."), "자전거"),
        (("कबीर: दादी का इलाज चल रहा है।", "मीरा: ध्यान रख।"), "इलाज"),
        (("मीरा: किराया 12,000 हो गया।", "कबीर: अरे।"), "किराया"),
    ],
)  # fmt: skip
def test_a_talk_without_capitals_has_a_subject(texts: tuple[str, ...], named: str) -> None:
    """Not only who talked: behind what was done, before a figure, behind whose it is."""
    assert named in _title(*texts).partition(":")[2]


@pytest.mark.parametrize(
    "text", ["明哲: 考试考得不好。", "明哲: 我在学习。", "思雨: 月薪一万八。", "도윤: 너무 걸려서 8월에 갈게."]
)
def test_no_half_of_a_verb_and_no_half_of_a_sum_is_a_subject(text: str) -> None:
    """As "试考" is of "考试考", and "一万" of "一万八"."""
    assert not {"试考", "习", "一万", "걸려서"} & set(_title(text).replace(",", " ").split())


def test_a_text_with_two_english_words_is_not_english() -> None:
    """The words "and more" stood behind two Italian nouns."""
    texts = ["Aldo: Vado a Lecce sabato prossimo, la canoa te la porto io, dimmi se ci sei e dove la metto a casa."]
    assert not is_in_english(texts, ())
    assert is_in_english(["Joiner came. Petra Holm."], ["user: Joiner came. Petra Holm.", "I am glad that he did so."])
    assert "more" not in _title(*texts)


def test_a_verb_that_comes_back_is_no_subject_abroad() -> None:
    """Where nouns have articles, what never has one is a verb."""
    assert "pago" not in _title("Aldo: In centro pago 620 euro per la stanza.", "Ines: Io ne pago 480, con il balcone.")


def test_what_comes_back_in_all_that_was_said_is_told_whole() -> None:
    """Of a long Chinese word two pieces come back, and each by itself is none."""
    texts = ["志远: 我想学高山滑板运动呀。", "若兰: 高山滑板运动不错。", "志远: 嗯嗯。"]
    assert back_among(texts, texts, ["志远", "若兰"], "Chinese") == ["高山滑板运动"]
    assert back_among(texts, ["志远: 嗯嗯。"], ["志远"], "Chinese") == []


def test_a_thing_without_an_article_stands_behind_a_name() -> None:
    """Where the statement of a name has no noun phrase that is sure."""
    assert foremost(["user: Physio verdict from Oonagh: no stress fracture."]) == "Oonagh: physio verdict"


def test_whoever_is_spoken_to_is_no_subject() -> None:
    """Nor is a weekday what tells a title from another one of the same user."""
    assert foremost(["Ana: Aww Piet, bummer about that."]) == ""
    assert foremost(["Ana: Piet Brand called about the roof."]).startswith("Piet Brand")
    texts = ["Ana: I challenged myself last Friday.", "Ana: It was great!"]
    assert told_apart("Ana", texts, ["Ana"], ["Ana, May 2023"], lambda _: None) == "Ana"
