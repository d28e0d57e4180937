"""What asks that something is not forgotten, takes a request back, or spares one of two (``words/refusals.toml``)."""

import re
from functools import cache

from precis.finding.reading import folded
from precis.finding.tables import name_words, refusals

#: What stands between two clauses, for a last one that takes a request back.
_JOINT = r"(?:(?<!\d)[.,;:!?\u2026\u3002\uff0c\u3001\uff01\uff1f\u060c\u061f\u0964-]+\s*|\s[\u2013\u2014-]\s)"
_END = r"[\s.,;:!?\u2026\u3002\uff01\uff1f\u061f\u0964)]*$"

#: Longest name of what is spared, in words; what may stand behind it, and what says that something is so no more.
_MOST = 6
_ASIDE = re.compile(
    r"[\s,]+(?:though|tho|please|however|bitte|por favor|per favore|s'il te pla\u00eet)$", re.IGNORECASE
)
_NO_LONGER = re.compile(
    r"\b(?:any ?more|longer|mehr|l\u00e4nger|plus|m\u00e1s|mais|pi\u00f9|ju\u017c|meer|l\u00e4ngre|art\u0131k"
    r"|\u0431\u043e\u043b\u044c\u0448\u0435|needed|true|right)\b",
    re.IGNORECASE,
)
#: Where everything but something is asked for, it may be everything of somebody: "Tom? Delete all except his email.".
_OF_SOMEBODY = re.compile(
    r"^\W*[^\W\d_][\w'\u2019 -]{0,30}?\s*[:?\u2013\u2014]\s"
    r"|['\u2019]s\b[^.,;]* (?:about|on|regarding) (?-i:[A-Z\u00c0-\u00de])"
    r"|\b(?:his|her|their|sein\w*|son|sa|ses|seu|sua|suo|zijn|haar|jego|jej|\u0435\u0433\u043e|\u0435\u0451)\b",
    re.IGNORECASE,
)


def denies_forgetting(text: str, language: str) -> bool:
    """Whether forgetting is denied in it, and no verb that forgets is left beside that: "don't ever forget Ana"."""
    never, verbs = _never(language)
    rest, denied = never.subn(" ", text)
    return denied > 0 and verbs.search(rest) is None


def refused(text: str) -> bool:
    """The same in any language, those of which nothing else is known among them."""
    return any(denies_forgetting(text, language) for language in refusals())


def tells_habit(text: str, language: str) -> bool:
    """Whether it tells that somebody forgets something, or forgot it: "I always forget", "my wife forgets"."""
    return _habit(language).search(text) is not None


def has_verb(text: str, language: str) -> bool:
    """Whether a verb of the language forgets in it, denied or not."""
    return _never(language)[1].search(text) is not None


def without_denial(text: str, language: str) -> str:
    """What is not to be forgotten: the text without the words that say so."""
    return " ".join(_never(language)[0].sub(" ", text).split()).strip(" .,;:!")


def takes_back(text: str) -> bool:
    """Whether a request that forgets is taken back by its last clause: "Forget Ana. No wait, don't."."""
    ended = ((language, _back(language).search(text)) for language in refusals())
    return any(match and _never(language)[1].search(text, 0, match.start()) for language, match in ended)


def spared_in(clause: str, language: str, *, opens: bool = False) -> str:
    """What the last clause of a request says is not meant, in few words: "not Carl"; nothing where it does not.

    Of a first one, which ``opens`` it, it is only what is called excepted: "the car aside, forget ...".
    """
    before, behind, excepted = _spares(language)
    text = clause.strip(" .,;:!?\u3002\uff0c\u0964")
    match = excepted.match(text)
    persons = (name_words("opening_persons") | name_words("subjects")) - name_words("articles")
    if match and folded(match["what"].split()[0]) in persons:
        match = None  # "she lives apart"
    match = match or (None if opens else before.match(text) or behind.match(text))
    spared = match["what"].strip(" ,") if match else ""
    spared = _ASIDE.sub("", spared)
    verbs = _never(language)[1].search(spared) or _NO_LONGER.search(spared)
    return "" if verbs or len(spared.split()) > _MOST else spared


def may_be_of_somebody(text: str) -> bool:
    """Whether what asks for everything names somebody, or takes them up, all of whose it may mean."""
    return _OF_SOMEBODY.search(text) is not None


@cache
def _spares(language: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """What stands before, or behind, what a last clause says is not meant, and what says that of any; with capitals."""
    listed, gap = refusals()[language], r"\s+" if refusals()[language].get("spaced", True) else r"\s*"
    spoken = re.sub(r"\[A-Z[^\]]*\]|\[\u0410-[^\]]*\]", lambda match: f"(?-i:{match.group()})", listed["spares"])
    return (
        re.compile(rf"(?:{spoken}){gap}(?P<what>\S.*)$", re.IGNORECASE),
        re.compile(rf"(?P<what>\S.*?){gap}(?:{listed['spares_behind']})$", re.IGNORECASE),
        re.compile(rf"(?P<what>\S.*?){gap}(?:{listed.get('excepted', '(?!)')})$", re.IGNORECASE),
    )


@cache
def _never(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """How a language denies forgetting, and its verbs that forget."""
    listed = refusals()[language]
    verbs = rf"(?<![^\W_]){listed['verbs']}" if listed.get("spaced", True) else listed["verbs"]
    never = (part.replace("{verbs}", listed["verbs"]) for part in listed["never"])
    edge = r"(?<![^\W_])" if listed.get("spaced", True) else ""
    return re.compile("|".join(f"{edge}(?:{part})" for part in never), re.IGNORECASE), re.compile(verbs, re.IGNORECASE)


@cache
def _habit(language: str) -> re.Pattern[str]:
    """How a language tells of somebody's forgetting."""
    listed = refusals()[language]
    edge = r"(?<![^\W_])" if listed.get("spaced", True) else ""
    told = "|".join(f"{edge}(?:{part})" for part in listed.get("habit", ("(?!)",)))
    for name in ("how", "opens"):
        told = told.replace(f"{{{name}}}", listed.get(name, ""))
    return re.compile(told, re.IGNORECASE)


@cache
def _back(language: str) -> re.Pattern[str]:
    """A last clause, or several, of nothing but what takes a request back."""
    said = "|".join(f"(?:{part})" for part in refusals()[language].get("back", ("(?!)",)))
    return re.compile(rf"{_JOINT}(?:{said})(?:[\s.,;!\u2026\u3002\uff0c]+(?:{said}))*{_END}", re.IGNORECASE)
