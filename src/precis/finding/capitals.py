"""Whether a word is a name where it stands: "Will called", and not "I will call" or "in May"."""

import re
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise, takewhile

from precis.finding.nouns import known, names_thing
from precis.finding.reading import Word
from precis.finding.tables import all_words, name_words
from precis.finding.values import Level
from precis.finding.written.persons import WITH_ARTICLES, acts_elsewhere, is_trade
from precis.language.dates import MONTHS, WEEKDAYS
from precis.language.tokens import token
from precis.language.verbs import form_of
from precis.language.words import STOP_WORDS

_BEFORE_MONTHS = name_words("before_months")
_POSSESSIVES = frozenset("my our his her their your".split())
#: Before a month or a person: "all of April", "a letter from June".
_OF_TIMES = frozenset("of from for to around about all".split())
#: Between a subject and its verb.
ADVERBS = name_words("adverbs")
#: Behind a name they say which one it is: "Bill from accounting".
_FROM = frozenset("from at of with".split())
#: So many words say from where somebody is.
_WHENCE = 4
#: Behind the plural of a noun: "stocks are".
_PLURAL = frozenset("are were have do don".split())
#: Of these something is liked, and nobody is called so: "Rose, my favorite color".
_FAVORITES = frozenset("favorite favourite color colour flower herb spice season month drink dish word".split())
#: Verbs of several.
SEVERAL = frozenset("are were have do".split())
#: So many words of a line show who speaks.
_LINE = 12
DENIED = re.compile(r"n['\u2019]t$")
_TOGETHER = frozenset("and or & und oder et ou y e o и".split())


#: In other languages it is "to" somebody.
_ARTICLES_OF_ENGLISH = frozenset({"a"})
#: Behind a name they say when; and before the name of who gets something.
_WHENS = frozenset("today yesterday tomorrow tonight last next this every once twice again home here there".split())
_GIVING = name_words("giving_verbs")
_WITHIN = frozenset({"in", "em", "en"})
#: Of "a devout Christian"; and before "in" somebody.
_KINDS = frozenset({"a", "an"})
_TRUSTING = name_words("trusting")
#: Before the name of whoever is spoken of with respect.
_ADDRESSED = frozenset("mr mrs ms miss dr prof".split())
_NAMED = (Level.SURE, "it has that name")
_WORD = (Level.NEAR, "there it is a word and no name")
#: In German, before nouns and nobody's name: "im Ernst".
_IN_THE = frozenset({"im", "ins"})
_DOUBT = (Level.DOUBTFUL, "it begins the sentence and may be a word and no name")


def as_name(
    words: Sequence[Word], place: int, size: int, text: str, small: Collection[str], language: Callable[[], str]
) -> tuple[Level, str]:
    """Whether this word is a name: ``size`` words have capitals together, ``small`` are written small elsewhere."""
    word = words[place]
    ambiguous = word.low in name_words("words") | name_words("times")
    if not ambiguous and word.low in small and "-" not in word.low:
        ambiguous = not _only_names(word.low, language)
    if (
        word.capital
        and size == 1
        and place
        and word.low in name_words("places")
        and words[place - 1].low in name_words("where")
    ):
        return Level.DOUBTFUL, "there it may be a place"
    if not ambiguous or (word.capital and size > 1):
        kind = not ambiguous and size == 1 and _describes(words, place, {"a", "an"})
        small_there = not word.capital and word.low in small and "-" not in word.low and text.lower() != text
        doubt = "it may say there of what kind something is" if kind else "it is written small there"
        return (Level.DOUBTFUL, doubt) if kind or small_there else _NAMED
    if not word.capital:
        return _written_small(words, place, text) if word.text.upper() != word.text else _NAMED
    doubt = "all of it is in capitals, and the name is a word, too" if len(text) > 3 and text.isupper() else ""
    if word.text.lower().endswith("\u00e9") and word.low.endswith("e"):
        doubt = "it may be a word and no name there"  # "Ros\u00e9", where Rose was asked for
    if doubt:
        return Level.DOUBTFUL, doubt
    if _is_date(words, place):
        return Level.NEAR, "there it is a time"
    titled = place > 0 and words[place - 1].low in _ADDRESSED and word.gap in {". ", " "}
    return _opening(words, place, language()) if word.opens and not titled else _inside(words, place, language())


def _only_names(low: str, language: Callable[[], str]) -> bool:
    """Whether a word that is written small is none of English, and so is a name in chats: "porto is 96"."""
    strange = low.isascii() and not known(low) and low not in STOP_WORDS and form_of(token(low)) is None
    return strange and language() == "en"


def _describes(words: Sequence[Word], place: int, articles: Collection[str]) -> bool:
    """Whether a word is an adjective here, behind an article and before a noun: "an old Christian hymn"."""
    behind = words[place + 1] if place and words[place].capital and place + 1 < len(words) else None
    if behind is None or behind.gap != " " or behind.capital or words[place].owns or words[place].opens:
        return False
    near = any(word.low in articles for word in words[max(0, place - 2) : place])
    return near and known(behind.low) and not finite(behind) and behind.low not in STOP_WORDS


def is_before_thing(words: Sequence[Word], place: int) -> bool:
    """Whether a name stands before a thing as its make: "our Dyson vacuum", and not "I gave Ana flowers"."""
    behind = words[place + 1] if place + 1 < len(words) else None
    if behind is None or words[place].owns or behind.gap != " " or behind.capital or behind.low in _WHENS:
        return False
    before = words[place - 1].low if place else ""
    thing = (
        names_thing(behind.low)
        and not finite(behind)
        and behind.low not in STOP_WORDS
        and form_of(token(behind.low)) is None
    )
    return (thing and before not in _GIVING) or (before in _FROM | {"for"} and names_thing(behind.low))


def _written_small(words: Sequence[Word], place: int, text: str) -> tuple[Level, str]:
    titled = words[place].owns or (place > 0 and words[place - 1].low in name_words("titles"))
    if text.lower() != text or (not titled and _opening(words, place, "en")[0] is Level.NEAR):
        return _WORD
    return Level.DOUBTFUL, "all of it is in small letters, and the name is a word, too"


def _is_date(words: Sequence[Word], place: int) -> bool:
    word = words[place]
    if word.low not in name_words("times"):
        return False
    before = words[place - 1].low if place else ""
    behind = words[place + 1] if place + 1 < len(words) else None
    if behind is not None and (behind.text[0].isdigit() or calendar(behind.low)):
        return True
    return before in _BEFORE_MONTHS or before[:1].isdigit() or calendar(before)


#: How adjectives of German end between an article and a noun.
_DECLINED = ("e", "en", "er", "es", "em")


def _is_noun(words: Sequence[Word], place: int) -> bool:
    """Whether it has its capital as each noun of German: "mein voller Ernst", but "die kleine Frau Winter"."""
    before, led = words[place - 1], name_words("articles") | name_words("before_nouns_de")
    described = place > 1 and not before.capital and before.low.endswith(_DECLINED) and words[place - 2].low in led
    return described or before.low in _IN_THE or (before.low in name_words("before_nouns_de") and not before.owns)


def _inside(words: Sequence[Word], place: int, language: str) -> tuple[Level, str]:
    """A capital inside a sentence; behind an article it may be a noun."""
    articles = name_words("articles") - (frozenset() if language == "en" else _ARTICLES_OF_ENGLISH)
    before = words[place - 1].low
    person = before == "to" and place > 1 and words[place - 2].low in name_words("to_persons")
    time = words[place].low in name_words("times") and before in _OF_TIMES and not person
    aside = _describes(words, place, {"a", "an", "the"})
    noun = language == "de" and _is_noun(words, place)
    within = before in _WITHIN and not (place > 1 and words[place - 2].low in _TRUSTING)  # "I wrote it in Ruby"
    kind = language == "en" and place > 1 and words[place - 2].low in _KINDS and not words[place - 1].capital
    if time or aside or noun or within or kind or (before in articles and words[place].gap == " "):
        return Level.DOUBTFUL, "it may be a word and no name there"
    return _NAMED


def _opening(words: Sequence[Word], place: int, language: str) -> tuple[Level, str]:
    """At the beginning of a sentence: what follows decides."""
    word = words[place]
    if word.owns or _speaks(words, place):
        return _NAMED
    behind = words[place + 1] if language != "en" and place + 1 < len(words) else word
    acts = behind.gap == " " and behind.low in name_words("acting") and behind is not word
    # The verb of a Turkish sentence stands last.
    acts = acts or (language == "tr" and words[-1].low in name_words("acting") and words[-1] is not word)
    acts = acts or (language in WITH_ARTICLES and _does(words, place)) or acts_elsewhere(words, place, language)
    return _NAMED if acts else _by_next(words, place)


def _does(words: Sequence[Word], place: int) -> bool:
    """Whether a word without an article does something with a thing that has one: "Paz poda los naranjos"."""
    if place + 2 >= len(words):
        return False
    verb, thing = words[place + 1], words[place + 2]
    joins = name_words("prepositions") | name_words("articles") | _TOGETHER
    plain = verb.gap == thing.gap == " " and not verb.capital and verb.low not in joins
    return plain and (thing.low in name_words("articles") or thing.text[0].isdigit())


def _by_next(words: Sequence[Word], place: int) -> tuple[Level, str]:
    """A word at the beginning of a sentence, by the one behind it."""
    word = words[place]
    if place + 1 == len(words) or words[place + 1].opens or words[place + 1].low in name_words("thing_verbs"):
        return _DOUBT
    behind = words[place + 1]
    over = words[place + 2].low if place + 2 < len(words) else ""
    if behind.low in name_words("growing_verbs") and over not in _POSSESSIVES | {"for"}:
        return _DOUBT
    if "," in behind.gap:
        return _NAMED if _is_apposition(words, place + 1) else _DOUBT
    if behind.low in _TOGETHER:
        other = place + 2 < len(words) and (words[place + 2].capital or words[place + 2].low in _POSSESSIVES)
        other = other or (place + 3 < len(words) and words[place + 3].low in name_words("persons") | {"user"})
        return _NAMED if other or _verb_follows(words, place + 1) else _DOUBT
    if behind.low in {"is", "was", "are", "were"}:
        return _described(words, place)
    acts = _acts(words, place + 1) or (behind.low in _FROM - {"of"} and _acts_behind(words, place + 2))
    return _NAMED if acts else _before_no_verb(word, behind)


def _acts_behind(words: Sequence[Word], place: int) -> bool:
    """Whether a verb follows where somebody is from: "Rose from number 12 waters the plants"."""
    return any(finite(word) for word in words[place : place + _WHENCE] if not word.opens)


def _speaks(words: Sequence[Word], place: int) -> bool:
    """Whether it is who says a line of a chat in which somebody speaks of themselves: "Mark: I start on Monday"."""
    line = words[place + 1 : place + 1 + _LINE]
    return bool(line) and line[0].gap.startswith(":") and any(word.low in all_words("first") for word in line)


def _before_no_verb(word: Word, behind: Word) -> tuple[Level, str]:
    """A word before one that is no verb: "Mark the date", or "Bill from accounting"."""
    if word.low in name_words("auxiliaries"):
        return _WORD
    return _WORD if behind.low in STOP_WORDS and behind.low not in _FROM else _DOUBT


def _acts(words: Sequence[Word], place: int) -> bool:
    """Whether a verb stands here, perhaps behind an adverb: "once lent me", "doesn't"; not in "penny stocks are"."""
    while place < len(words) - 1 and words[place].low in ADVERBS:
        place += 1
    word = words[place]
    if DENIED.search(word.text):
        return True
    ends = word.low.endswith("s") and word.low not in name_words("finite")
    behind = words[place + 1] if place + 1 < len(words) else None
    plural = ends and behind is not None and (finite(behind) or behind.low in _PLURAL or _only_verb(behind.low))
    return finite(word) and not plural


def _only_verb(low: str) -> bool:
    """Whether it is a verb as it stands and no noun: "page numbers belong"."""
    form = form_of(token(low))
    return form is not None and form.lemma == low and not known(low) and low not in STOP_WORDS


def _is_apposition(words: Sequence[Word], place: int) -> bool:
    """Whether it is said behind a comma who it is: "Grace, my boss", "Will, who lives next door"."""
    near = {word.low for word in words[place : place + 4]}
    whose = words[place].low in _POSSESSIVES or words[place].owns
    person = bool(near & name_words("persons")) or (whose and near.isdisjoint(_FAVORITES))
    return words[place].low == "who" or ((whose or words[place].low in {"a", "the"}) and person)


def _described(words: Sequence[Word], place: int) -> tuple[Level, str]:
    """Of "Rose is my aunt" and "Rose is my favorite color": what makes a person is said, or it stays in doubt."""
    near = words[place + 2 : place + 9]
    beside = any(before.low == "with" and word.low in {"me", "us"} for before, word in pairwise(near))
    person = beside or not name_words("persons").isdisjoint(word.low for word in near)
    person = person or (bool(near) and near[0].low in _KINDS and is_trade(near[1:]))
    return _NAMED if person or _is_to_somebody(near) else _DOUBT


def _is_to_somebody(words: Sequence[Word]) -> bool:
    """Whether it is said who somebody is to the user or to another: "(Will is) user's new flatmate"."""
    if not words or not (words[0].low in _POSSESSIVES or words[0].owns):
        return False
    noun = [*takewhile(lambda word: word.gap == " " and word.low not in STOP_WORDS, words[1:])]
    return bool(noun) and noun[-1].low in name_words("others") | name_words("roles_elsewhere") | name_words("persons")


def _verb_follows(words: Sequence[Word], place: int) -> bool:
    return place + 2 < len(words) and finite(words[place + 2])


def finite(word: Word) -> bool:
    """Whether it is a verb in the third person or the past."""
    if word.low in name_words("finite"):
        return True
    *_, last = word.text.split("-")
    form = form_of(token(last))
    # "He bench-presses": of a word with a hyphen only the third person is a verb beyond doubt.
    if last != word.text and last.lower().endswith("sses"):
        return True
    return form is not None and bool(form.kinds & ({"third"} if last != word.text else {"third", "past"}))


def calendar(word: str) -> bool:
    """Whether it is the name of a month or a weekday."""
    return word in MONTHS or word in WEEKDAYS or word.removesuffix("s") in WEEKDAYS
