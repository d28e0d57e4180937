"""What counts as a word of a text, in any script, and what recall files a row under."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.language.words import LETTERED, PASSAGE, WORDED, content, index_terms, names, passages, terms, words
from precis.recall.persons import tokens_of
from precis.recall.question import read_question

#: Letters, marks, digits, symbols and joiners of scripts that are written differently.
SIGNS = (
    "aZ\u00e9n\u0303\u0130\u00df\u20197 _.,'"
    "\u0915\u093f\u0924\u093e\u092c\u094d\u0bae\u0bbf\u0d4d"
    "\u0643\u064e\u062a\u0628\u0651\u0640\u0627\u0623\u05e9\u05c1\u05b8\ufb2a"
    "\u0e17\u0e35\u0e48\u1780\u17b6\u1019\u103c\u200c\u200d\u00ad"
    "\u8336\u7684\u72ac\u304c\u3099\u30fb\u3002\U00020bb7"
    "\U0001f389\U0001f44d\U0001f3fd\u2764\ufe0f\U0001f1eb\U0001f1f7\u2500"
)
texts = st.text(st.sampled_from(SIGNS) | st.characters(codec="utf-8"), max_size=40)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("किताब मेज पर है", ["किताब", "मेज", "पर", "है"]),
        ("தமிழ் മലയാളം বাংলা", ["தமிழ்", "മലയാളം", "বাংলা"]),
        ("क्\u200dष क्\u200cष क्ष", ["क्ष", "क्ष", "क्ष"]),
        ("می\u200cخواهم", ["میخواهم"]),
        ("كَتَبَ الطَّبِيبُ رِسَالَةً", ["كتب", "الطبيب", "رسالة"]),
        ("מְלָפְפוֹן \ufb2aלום", ["מלפפון", "שלום"]),
        ("cafe\u0301 re\u0301sume\u0301 x\u0304y", ["café", "résumé", "x\u0304y"]),
        ("co\u00adoperate", ["cooperate"]),
        ("Don\u2019t", ["don't"]),
        ("ที่บ้าน", ["ที", "ี่", "่บ", "บ้", "้า", "าน"]),
        ("人々", ["人々"]),
        ("\U00020bb7野家", ["\U00020bb7野", "野家"]),
    ],
)
def test_words_of_other_scripts(text: str, found: list[str]) -> None:
    """Marks go on with a word; points, joiners and soft hyphens may be left out of it."""
    assert found == list(words(text))


def test_an_arabic_word_has_a_stem() -> None:
    """With and without its article."""
    assert content("الطَّبِيبُ") == content("طبيب")


@pytest.mark.parametrize(
    ("one", "other"),
    [("собаку", "собаки"), ("किताबें", "किताब"), ("βιβλίων", "βιβλία"), ("புத்தகங்கள்", "புத்தகம்"), ("cats", "cat")],
)
def test_words_have_the_stems_of_their_script(one: str, other: str) -> None:
    """Forms of one word are one term."""
    assert content(one) == content(other) != frozenset()


def test_a_name_keeps_its_marks() -> None:
    """However its accent is written."""
    assert names("I met Jose\u0301 there.") == ("Jose\u0301",)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("🎉🎉🎂", ["🎉", "🎂"]),
        ("👍🏽 👍", ["👍", "👍"]),
        ("👨\u200d👩\u200d👧", ["👨", "👩", "👧"]),
        ("🤷\u200d♀\ufe0f", ["🤷"]),
        ("❤\ufe0f ❤", ["❤", "❤"]),
        ("🇫🇷🇩🇪", ["🇫🇷", "🇩🇪"]),
        ("1\ufe0f\u20e3 ──── → 「」", ["1"]),
        ("Tea ☕", ["tea", "☕"]),
        ("茶", ["茶"]),
        ("喝茶", ["喝茶", "喝", "茶"]),
        ("犬の名前", ["犬の", "の名", "名前", "犬", "名"]),
        ("我们的", ["我们", "们的"]),
        ("人々が", ["人々", "々が"]),
        ("Tea for two", ["tea", "two"]),
    ],
)
def test_index_terms(text: str, found: list[str]) -> None:
    """Symbols and single ideographs beside the terms; not those ideographs that every text holds."""
    assert found == index_terms(text)


def test_a_symbol_states_nothing() -> None:
    """Statements are compared without symbols."""
    assert terms("Tea 🎉") == ["tea"]


@given(texts)
def test_no_word_is_empty(text: str) -> None:
    """Whatever a text is made of."""
    assert all([*words(text), *index_terms(text)])


@given(texts)
def test_composed_and_decomposed_agree(text: str) -> None:
    """An accent is part of its letter or follows it: the word is the same."""
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert list(words(composed)) == list(words(decomposed)) == list(words(text))
    assert index_terms(composed) == index_terms(decomposed) == index_terms(text)


@given(texts)
def test_a_text_has_the_terms_of_its_parts(text: str) -> None:
    """White space stands between words, never in one."""
    parts = text.split()
    assert sorted(terms(text)) == sorted(term for part in parts for term in terms(part))
    assert sorted(index_terms(text)) == sorted(term for part in parts for term in index_terms(part))


@given(st.text(max_size=600))
def test_passages_hold_the_terms_of_the_text(text: str) -> None:
    """All of them, as often; each passage of a few sentences."""
    parts = passages(text)
    assert sorted(index_terms(text)) == sorted(term for part in parts for term in part)
    assert all(len(part) <= PASSAGE for part in parts)


def test_a_long_text_is_cut_at_its_sentences_and_lines() -> None:
    """Also where sentences end without a space, and in the middle of what has no end."""
    assert len(passages("A short note. With two sentences.")) == 1
    parts = passages("\n".join(f"item{at} costs {at}00 euros for everybody" for at in range(60)))
    assert len(parts) > 4
    assert all(part[0].startswith("item") for part in parts)
    assert len(passages("".join("今天我们去公园散步。" for _ in range(30)))) > 4
    assert len(passages(" ".join(f"word{at}" for at in range(200)))) == 5


@pytest.mark.parametrize(
    "text",
    ["मेरे भाई विवेक में", "என் அம்மா", "আমার মা", "ကျွန်တော့် အမေ", "ម៉ាក់ របស់ខ្ញុំ", "แม่ ของฉัน", "رَقْمُ هاتِفي"],
)
def test_no_word_is_cut_at_a_vowel_sign(text: str) -> None:
    """By whatever step reads words of people."""
    assert list(tokens_of(text)) == text.split()
    assert re.findall(WORDED, text) == re.findall(LETTERED, text) == text.split()


def test_the_small_words_of_hindi_are_left_out_whole() -> None:
    """What stays of them was a word of the question that no note has."""
    assert read_question("विवेक को किस चीज़ से एलर्जी है?").terms == ("विवेक", "चीज़", "एलर्ज")
