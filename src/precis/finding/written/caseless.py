"""Names in scripts without capitals: by lists of given names, and by what stands beside one that is a word as well."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from precis.finding.reading import HANGUL, Word, is_caseless, unelided, users_of
from precis.finding.scripts import ARABIC
from precis.finding.tables import fields, groups, name_words, words_of
from precis.finding.values import Level, Span

#: What Arabic writes together with a name.
_BEFORE = ("\u0648", "\u0644", "\u0628", "\u0641")
_ARTICLE = "\u0627\u0644"
#: How a thing of the user's ends that somebody is to forget: "migrenimi", "kedimizi".
_OBJECT_TR = re.compile("[aeiou]m(?:[iu]z)?[iu]$")
#: "Of" before a name that begins with a vowel.
_ELIDED = re.compile(r"\b(?:d|dell)['\u2019](?=[A-Z\u00c0-\u00dd])")
#: Of each 28 syllables of Hangul the first ends in a vowel; and particles behind a given name that ends in none.
_FIRST_SYLLABLE, _SYLLABLES_EACH = 0xAC00, 28
_NAMED_KO = "이(?:는|가|를|도|와|랑|의|에게|한테|네)(?!\\w)"
_ABOUT = re.compile("에 ?(?:대한|관한) ?(?:건|것|걸|거|얘기|이야기)[은는이가을를]?$")
#: In Hindi, before it the name of who is given or told something.
_TO = "\u0915\u094b"
#: How verbs of somebody in Arabic begin.
_DOES = ("\u064a", "\u062a")
_SHORTEST_VERB = 4
#: So many words behind one it may be said that a book is about it.
_NEAR = 6
#: A family has at least so many letters, with the article.
_FAMILY = 5
_NAMED = (Level.SURE, "it has that name")
_DOUBT = (Level.DOUBTFUL, "it may be a word and no name there")
_PLACE = (Level.DOUBTFUL, "a place or thing may have that name")


@lru_cache(maxsize=8192)
def without_prefix(low: str) -> str:
    """A word of Arabic that is a name behind "and", "to" or "with", without that; any other as it stands."""
    bare = low[1:]
    known = low[:1] in _BEFORE and low not in name_words("caseless") and bare in name_words("caseless")
    return bare if known else low


def is_given(word: Word) -> bool:
    """Whether it is a given name in a script without capitals."""
    return is_caseless(word.text) and without_prefix(word.low) in name_words("caseless")


def may_be_word(low: str, text: str) -> bool:
    """Whether what a text calls somebody may be a word besides: no script without capitals tells them apart.

    A frequent Korean or Japanese given name is none, nor is what Korean writes "\uc774" behind, as behind given names.
    """
    if not is_caseless(low) or low in name_words("given_eastern"):
        return False
    closed = HANGUL.search(low[-1:]) is not None and (ord(low[-1]) - _FIRST_SYLLABLE) % _SYLLABLES_EACH != 0
    return not (closed and re.search(rf"(?<!\w){re.escape(low)}{_NAMED_KO}", text))


def standing_behind(names: Collection[str], texts: Collection[str]) -> set[str]:
    """Those of these in a script without capitals that stand behind a word that may say whose name it is.

    "\u540c\u50da\u306e\u76f4\u6a39" is a colleague.
    """
    behind = {
        low: re.compile(rf"[\u306e\u3400-\u9fff\uac00-\ud7a3]\s?{re.escape(low)}") for low in filter(is_caseless, names)
    }
    return {low for low, pattern in behind.items() if any(map(pattern.search, texts))}


def is_only_a_name(word: Word) -> bool:
    """Whether it is such a name and no word besides."""
    return is_given(word) and without_prefix(word.low) not in name_words("caseless_words")


def goes_on(words: Sequence[Word], place: int) -> bool:
    """Whether a given name and the word behind it are one full name."""
    word, behind = words[place], words[place + 1]
    if behind.gap != " " or not is_given(word) or word.low in name_words("caseless_words"):
        return False
    family = behind.low in name_words("caseless_families")
    family = family or (
        behind.low.startswith(_ARTICLE)
        and len(behind.low) >= _FAMILY
        and behind.low not in name_words("caseless_times")
    )
    return family or (behind.low in name_words("caseless") and behind.low not in name_words("caseless_words"))


def names_somebody(words: Sequence[Word], place: int) -> bool:
    """Whether a word of a request is a name or goes on one."""
    if is_given(words[place]):
        return True
    if place == 0 or not is_caseless(words[place].text):
        return False
    return goes_on(words, place - 1) or _is_behind_somebody(words, place)


def _is_behind_somebody(words: Sequence[Word], place: int) -> bool:
    """Whether a word that no table knows ends a request, in Arabic right behind somebody: "my sister Manal"."""
    word, before = words[place], words[place - 1]
    last = place == len(words) - 1 and word.gap == " " and ARABIC.search(word.text) is not None
    if not last or len(word.low) < _SHORTEST_VERB - 1 or word.low.startswith(_ARTICLE) or not _is_person(before.low):
        return False
    return not any(called.fullmatch(word.low) for both in groups().values() for called in both)


def as_caseless_name(words: Sequence[Word], place: int) -> tuple[Level, str] | None:
    """Whether this word is a name: what is a word as well is one beside somebody, or before what somebody does.

    None of a script that has capitals.
    """
    if not is_caseless(words[place].text):
        return None
    if HANGUL.search(words[place].text):
        return _korean(words, place)
    before = words[place - 1].low if place else ""
    behind = words[place + 1].low if place + 1 < len(words) else ""
    if before in name_words("caseless_places_before") or behind in name_words("caseless_places"):
        return _PLACE
    if not is_given(words[place]) or is_only_a_name(words[place]):
        return _NAMED
    if _is_person(before) or before in name_words("titles"):
        return _NAMED
    return _NAMED if behind and _goes_on_as_somebody(words, place) else _DOUBT


def _korean(words: Sequence[Word], place: int) -> tuple[Level, str]:
    """A name of Korean that is a word as well is one behind which another syllable stands before its particle.

    Of the sky is said "하늘이", of somebody "하늘이는"; and only somebody is given something, or is a friend.
    """
    low = words[place].low
    noun = next((word for word in name_words("korean_words") if low.startswith(word)), "")
    behind = low.removeprefix(noun)
    bare = behind.removeprefix("이")
    if not noun or bare not in {"", *words_of("ko", "behind")}:
        return _NAMED
    named = behind in {"씨", "아", "야"} or bare in name_words("korean_to") or (behind != bare != "")
    ends = tuple(name_words("korean_is"))
    last = words[-1].low
    is_who = words[place].opens and any(_is_person(last.removesuffix(end)) for end in ends if last.endswith(end))
    return _NAMED if named or is_who else _DOUBT


def names_user(words: Sequence[Word]) -> bool:
    """Whether the user is named as notes do it: "das Gehalt des Nutzers"."""
    users = users_of(())
    return any({low, low.removesuffix("s")} & users for low in (unelided(word.low) for word in words))


def parted(text: str, language: str) -> str:
    """What a request is about, in French and Italian with "d'Ida" in two words.

    In Korean it is without "the thing about" behind a relative, a given name, or a name that is a word as well.
    """
    if language in {"fr", "it"}:
        return _ELIDED.sub("de ", text)
    bare = _ABOUT.sub("", text) if language == "ko" else text
    about = bare.startswith(tuple(name_words("korean_words"))) or bare in name_words("given_eastern")
    return bare if about or any(map(_is_person, bare.split()[-1:])) else text


def _goes_on_as_somebody(words: Sequence[Word], place: int) -> bool:
    """Whether it is said behind a word who that is, or what they do."""
    behind = words[place + 1]
    if ARABIC.search(words[place].text):
        acts = words[place].opens and behind.low.startswith(_DOES) and len(behind.low) >= _SHORTEST_VERB
        return acts or is_only_a_name(behind) or _is_person(behind.low)
    mine = behind.low in words_of("hi", "first") and any(_is_person(word.low) for word in words[place + 2 : place + 5])
    given = behind.low == _TO and not name_words("caseless_given_to").isdisjoint(
        word.low for word in words[place + 2 :]
    )
    return mine or given or behind.low in name_words("caseless_families") | name_words("caseless_acting")


@lru_cache(maxsize=4096)
def _is_person(low: str) -> bool:
    return low in name_words("roles_elsewhere") or any(
        called.fullmatch(low)
        for name, both in groups().items()
        if name in fields()["family"][1] or name.startswith("role.")
        for called in both
    )


def is_of_another(words: Sequence[Word], spans: Collection[Span]) -> bool:
    """Whether it is somebody's who is named beside it, or only says what something else is for."""
    return _of_named(words, spans) or _of_another_thing(words, spans)


def _of_named(words: Sequence[Word], spans: Collection[Span]) -> bool:
    """Whether somebody is named as whose something is: right behind it in Arabic, before "of" in Hindi."""
    starts, ends = {start for start, _ in spans}, {end for _, end in spans}
    of = name_words("caseless_of")
    for at, word in enumerate(words):
        if at and is_only_a_name(word) and ARABIC.search(word.text) and words[at - 1].end in ends:
            return True
        if at > 1 and word.start in starts and words[at - 1].low in of and is_given(words[at - 2]):
            return True
    return False


def _of_another_thing(words: Sequence[Word], spans: Collection[Span]) -> bool:
    """Whether something else is told of in Hindi, of which it only says what it is for: "the medicine's shop"."""
    ends, of = {end for _, end in spans}, name_words("caseless_of")
    return any(
        word.end in ends and behind.low in of and thing.low not in name_words("weak")
        and not (at and words[at - 1].low in words_of("hi", "first"))
        for at, (word, behind, thing) in enumerate(zip(words, words[1:], words[2:], strict=False))
    )  # fmt: skip


def before_work(words: Sequence[Word], place: int) -> bool:
    """Whether a book or a film is said behind a word in Hindi to be about that: "a novel about divorce"."""
    near = [word.low for word in words[place + 1 : place + _NEAR]]
    about = next((at for at, low in enumerate(near) if low in name_words("works_about")), None)
    return (
        about is not None
        and near[about].isascii() is False
        and any(low in name_words("works") for low in near[about + 1 :])
    )


def uncased(word: str, language: str) -> str:
    """A name without what a request writes together with it: a Korean particle, an Arabic "to"."""
    if language == "ar":
        return without_prefix(word)
    if language == "ko" and HANGUL.search(word):
        for ending in sorted(words_of("ko", "behind"), key=len, reverse=True):
            if word.endswith(ending) and len(word) - len(ending) >= 2:
                return word[: -len(ending)]
    return word


def ends_mine(words: Sequence[Word], language: str) -> bool:
    """Whether a word of a request in Arabic or Turkish is called the user's by its ending: "my salary"."""
    if language == "tr" and words and words[-1].text.islower() and _OBJECT_TR.search(words[-1].low):
        return True
    return language == "ar" and any(
        word.low.endswith(("\u064a", "\u0646\u0627")) and len(word.low) > 3
        and not word.low.startswith(_ARTICLE) and not is_given(word)
        for word in words
    )  # fmt: skip
