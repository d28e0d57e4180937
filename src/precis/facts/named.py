"""Whether a sentence tells something of somebody by name, "Theo is allergic to peanuts", or is said for the moment."""

import re

from precis.language import tables
from precis.language.grammar import AMBIGUOUS_FORMS, FORMS
from precis.language.labels import NO_PERSON
from precis.language.script import is_foreign
from precis.language.words import STOP_WORDS, numbers, words

_TITLES = r"(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Sr|St)\.?"
#: A name, what may stand between it and its verb, and the next word; or what is the name's.
_NAMED = re.compile(
    rf"(?:{_TITLES} )?\b(?P<name>[A-Z][^\W\d_]+)(?:[ -](?P<last>[A-Z][^\W\d_]+)){{0,4}}"
    r"(?:['\u2019]s (?P<owned>[a-z][\w-]+)"
    r"|(?: (?:also|now|still|just|always|never|already|only|usually|often|really|[a-z]+ly))*"
    r" (?P<verb>[a-z]+(?:n['\u2019]t)?)\b)"
)
_VERBS, _BARE, _HEALTH = (frozenset(tables.words(f"told_of.{name}")) for name in ("verbs", "bare", "health"))
#: Nouns of what holds of everybody: "Swimming", "Happiness".
_ABSTRACT = re.compile(r".{3,}(?:ing|tion|ness|ment|ity|ship|ance|ence|ism|ery)")
#: "No peanuts, no cashews for Theo": what somebody does not get.
_KEPT_FROM = re.compile(r"no [\w -]+(?:, (?:and )?no [\w -]+)+ for [A-Z][^\W\d_]+\W*", re.IGNORECASE)
#: Behind one of these nobody is who does something: "the van to Glasgow comes".
_BEHIND = re.compile(r"\b(?:in|at|to|from|near|of|for|by|on|via|around|through) $")
_LONGEST = len(" through ")
#: "Olga's mobile is".
_OWNED = re.compile(r"\b[A-Z][^\W\d_]+['\u2019]s (?:[a-z-]+ ){1,3}(?:is|are|was|were|has)\b")
#: "Nordkaj went well", and words behind a verb that say it is of the moment, or goes without saying.
_WENT = re.compile(r" (?:went|goes|is going|was) (?:\w+ly )?(?:well|fine|great|badly|smoothly|ok(?:ay)?|so-so)\b")
_PASSING = frozenset(tables.words("told_of.passing"))
_JUST = re.compile(r"\bjust$")
_OPENING = re.compile(rf"\W*(?:{_TITLES} )?")


def tells_of_named(sentence: str) -> bool:
    """Whether somebody with a name does, is or has something in it.

    A capital letter at the beginning makes a name only of a word that is no verb and no noun without an article.
    """
    if _KEPT_FROM.fullmatch(sentence):
        return True
    return any(_tells(match, sentence) for match in _NAMED.finditer(sentence))


def is_passing(sentence: str) -> bool:
    """Whether all that it tells of somebody by name is what they did for a moment: "Tuss ate a sock."."""
    done = [match for match in _NAMED.finditer(sentence) if match["verb"] and _tells(match, sentence)]
    if not done or has_health(sentence) or any(match["verb"] not in _PASSING for match in done[:1]):
        return bool(done) and _WENT.search(sentence) is not None and not numbers(sentence)
    just = _JUST.search(sentence[: done[0].start("verb")].rstrip()) is not None
    off = re.match(r"\s+(?:off|in sick)\b", sentence[done[0].end() :]) is not None
    return just or not (off or numbers(sentence))


def tells_of_health(sentence: str) -> bool:
    """Whether it does so in a word of health, of medicine or of what somebody may not eat."""
    return has_health(sentence) and tells_of_named(sentence)


def has_health(sentence: str) -> bool:
    """Whether it has such a word, of whomever it tells."""
    return not _HEALTH.isdisjoint(words(sentence))


def is_plainly_english(sentence: str) -> bool:
    """Whether somebody with a name does something in a verb that is English, or is something in a word that is.

    It is for sentences too short for their language to show in the words of the grammar.
    """
    if is_foreign(sentence):
        return False
    if _OWNED.search(sentence):
        return True
    verbs = (match["verb"] for match in _NAMED.finditer(sentence) if match["verb"] and _tells(match, sentence))
    return tells_of_health(sentence) or any(verb in FORMS and "third" in FORMS[verb].kinds for verb in verbs)


def _tells(match: re.Match[str], sentence: str) -> bool:
    name = (match["last"] or match["name"]).casefold()
    opens = match["last"] is None and _OPENING.fullmatch(sentence, 0, match.start("name")) is not None
    if name in STOP_WORDS or name in NO_PERSON or (opens and _is_word(name, sentence)):
        return False
    if match["owned"] is None and _BEHIND.search(sentence, max(0, match.start() - _LONGEST), match.start()):
        return False
    return match["owned"] is not None or _is_verb(match["verb"].replace("\u2019", "'"))


def _is_word(opening: str, sentence: str) -> bool:
    """Whether the first word of a sentence is surely no name, as far as the lists go."""
    if re.match(rf"\W*{_TITLES} ", sentence):
        return False
    return opening in FORMS or opening in _BARE or _ABSTRACT.fullmatch(opening) is not None


def _is_verb(word: str) -> bool:
    form = FORMS.get(word) or AMBIGUOUS_FORMS.get(word)
    kinds = form.kinds if form else frozenset()
    return word in _VERBS or not kinds.isdisjoint({"third", "past"}) or word.endswith(("ed", "cts", "sts"))
