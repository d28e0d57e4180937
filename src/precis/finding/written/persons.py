"""What shows that a word which begins a sentence is somebody's name: what they do to the user, or who they are."""

from collections.abc import Sequence
from functools import lru_cache

from precis.finding import nouns, reading, tables

#: In these a noun that begins a sentence has an article.
WITH_ARTICLES = frozenset({"es", "fr", "it", "pt"})
_OBJECTS = tables.name_words("objects_de")
#: The user to whom somebody does something.
_ME, _TO_ME = frozenset("me mi ci nos nous m".split()), frozenset("bana beni benimle bize bizi bizimle".split())
_POSSESSED = ("si", "su", "i", "u", "m", "im", "um")
#: So many words behind its verb it is said who somebody is: "är en av mina grannar".
_WITHIN = 4
_WHO = ("partner", "child", "parent", "sibling", "relative", "role")


def acts_elsewhere(words: Sequence[reading.Word], place: int, language: str) -> bool:
    """Whether in another language than English somebody does something to the user, or it is said who they are.

    "Paz me corta el pelo", "Deniz bana ders veriyor", "Roos past op de kinderen", "Olive, ma voisine, ...".
    """
    behind = words[place + 1] if language != "en" and place + 1 < len(words) else None
    if behind is None or behind.opens:
        return False
    return _is_said_who(words[place + 1 : place + 2 + _WITHIN], language) or _does(words, place, behind, language)


def _does(words: Sequence[reading.Word], place: int, behind: reading.Word, language: str) -> bool:
    if language == "tr":
        return "'" in words[place].text or "\u2019" in words[place].text or any(word.low in _TO_ME for word in words)
    if "," in behind.gap:
        near = [word.low for word in words[place + 1 : place + 4]]
        return near[0] in tables.words_of(language, "first") and any(map(_is_somebody, near[1:]))
    if language in WITH_ARTICLES:
        return behind.low in _ME and behind.gap == " "
    if language == "de":
        over = words[place + 2].low if place + 2 < len(words) else ""
        return behind.gap == " " and behind.text[0].islower() and behind.low.endswith("t") and over in _OBJECTS
    return language == "nl" and behind.gap == " " and behind.low.endswith("t") and not behind.capital


def _is_said_who(behind: Sequence[reading.Word], language: str) -> bool:
    """Whether it is said of what stands before who that is, behind a verb or a dash: "Björn är min svåger".

    In Turkish there is no verb: "Deniz benim teyzem."
    """
    dash = behind[0].gap.strip() in {"-", "\u2013", "\u2014"}
    if not (dash or behind[0].low in tables.name_words("copulas") or language == "tr"):
        return False
    ends = language == "tr"
    return any(_is_somebody(word.low) or (ends and _is_possessed(word.low)) for word in behind)


def _is_possessed(low: str) -> bool:
    """Whether it is a Turkish word for somebody with an ending that says whose: "yengesi"."""
    return any(_is_somebody(low.removesuffix(end)) for end in _POSSESSED if low.endswith(end))


@lru_cache(maxsize=4096)
def _is_somebody(low: str) -> bool:
    """Whether a word says who somebody is to the user, in any language: "voisine"."""
    return low in tables.name_words("roles_elsewhere") or any(
        pattern.fullmatch(low)
        for kind, patterns in tables.groups().items()
        if kind.partition(".")[0] in _WHO
        for pattern in patterns
    )


def is_trade(words: Sequence[reading.Word]) -> bool:
    """Whether one of the first words behind an article says who somebody is: "an apprentice electrician"."""
    return any(nouns.names_person(word.low) for word in words[:2] if word.gap == " ")
