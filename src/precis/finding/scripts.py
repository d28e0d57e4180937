"""Arabic and Devanagari: words with what is written together with them, and where such a word begins and ends.

Arabic writes "and", "to", "with" and the article before a word, and whose it is behind it. In Devanagari vowels are
marks, which regular expressions take for no letters; a dot below and two signs for a nasal are written or left out.
"""

import re
from functools import lru_cache

ARABIC, DEVANAGARI = re.compile("[\u0600-\u06ff]"), re.compile("[\u0900-\u097f]")
#: Marks of vowels, which are seldom written, and what only makes a word longer.
_VOWELS = re.compile("[\u064b-\u0652\u0670\u0640]")
_ALEFS = str.maketrans(dict.fromkeys("أإآٱ", "ا"))
#: What is written together with the word behind it; before a short word less of it: "باب" is a door.
_BEFORE, _BEFORE_SHORT = "[وف]?(?:[بلك]?ال|لل|[بلك])?", "و?(?:[بك]?ال|لل)?"
_SHORT = 3
#: Whose it is, behind a word.
_WHOSE = "(?:ي|نا|ه|ها|هم|ك|كم)"
_FEMININE = "ة"
_ARTICLE = re.compile(r"^[وف]?[بك]?ال(?=\w{3})|^لل(?=\w{3})")
#: The letters and signs of a word in Devanagari.
_SIGNS = "\\w\u0900-\u0963\u0971-\u097f"
_DOTTED = re.compile("([कखगजडढफ])\u093c?")
_NASAL = re.compile("[\u0901\u0902]")
#: Words that are others beside what stands here: "पता है" is "it is known", a title is no address, an account may be
#: "current", and some machines are no cars.
_APART = {
    "पता": r"पता(?!\s+(?:है|हैं|नहीं|चल|लग|था|हो|कर))",
    "عنوان": r"[وفبل]?(?:ال)?عنوان(?:ي|نا|ه|ها|هم|ك)?(?!\w)"
    r"(?!\s+(?:ال(?!بيت|سكن|منزل|عمل|شقة|مكتب)|كتاب|رواية|فيلم|مقال|اغنية|بريد))",
    "جاري": r"(?<!حساب )[ولب]?جاري(?!\w)",
    "машин*": "".join(
        f"(?<!{kind}{end} )" for kind in ("стиральн", "швейн", "посудомоечн") for end in ("ая", "ои", "ую", "ые", "ых")
    )
    + r"машин\w*",
}

_STEMS = tuple(phrase[:-1] for phrase in _APART if phrase.endswith("*"))


def is_inflected(text: str) -> bool:
    """Whether words of a text are to be found with what is written together with them."""
    return not text.isascii() and (ARABIC.search(text) or DEVANAGARI.search(text)) is not None


def unmarked(text: str) -> str:
    """A request in Arabic without marks of vowels, and each alef as the plain one."""
    return plain_alefs(_VOWELS.sub("", text)) if ARABIC.search(text) else text


def plain_alefs(text: str) -> str:
    """A text with each alef of Arabic as the plain one."""
    return text.translate(_ALEFS)


def apart(phrase: str) -> str | None:
    """A regular expression of a word that is another one beside some others; None of any other word."""
    return rf"(?<![{_SIGNS}]){_APART[phrase]}(?![{_SIGNS}])" if phrase in _APART else None


def is_another(low: str, start: int) -> bool:
    """Whether the word at this place of a text is such a one beside others: a washing machine is no car."""
    begun = next((stem for stem in _STEMS if low.startswith(stem, start)), "")
    return bool(begun) and re.compile(_APART[f"{begun}*"]).match(low, start) is None


@lru_cache(maxsize=8192)
def inflected(phrase: str) -> str:
    """A regular expression of a folded phrase, in the forms in which a text has it; "*" stands for any ending."""
    if phrase in _APART:
        return apart(phrase) or ""
    if DEVANAGARI.search(phrase):
        written = _NASAL.sub("[\u0901\u0902]", _DOTTED.sub("\\1\u093c?", re.escape(phrase)))
        written = written.replace(r"\*", f"[{_SIGNS}]*").replace(r"\ ", r"\s+")
        return rf"(?<![{_SIGNS}]){written}(?![{_SIGNS}])"
    *others, last = phrase.split(" ")
    first = others[0] if others else last
    before = _BEFORE_SHORT if len(first.rstrip("*")) <= _SHORT else _BEFORE
    words = [re.escape(word).replace(r"\*", r"\w*") for word in others]
    joint = r"\s+(?:ال)?"
    return rf"(?<!\w){before}{joint.join([*words, _with_owner(last)])}(?!\w)"


def _with_owner(word: str) -> str:
    """A word of Arabic, perhaps with whose it is behind it."""
    if word.endswith("*"):
        return rf"{re.escape(word[:-1])}\w*"
    if word.endswith(_FEMININE):
        return rf"{re.escape(word[:-1])}(?:[ةه]|ت{_WHOSE})"
    return f"{re.escape(word)}{_WHOSE}?"


def inflected_places(word: str, low: str) -> list[tuple[int, int]]:
    """Where a folded text has a word of a request, whatever is written together with it."""
    return [match.span() for match in _places(word).finditer(low)]


@lru_cache(maxsize=1024)
def _places(word: str) -> re.Pattern[str]:
    return re.compile(inflected(_ARTICLE.sub("", word)))
