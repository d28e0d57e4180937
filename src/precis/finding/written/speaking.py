"""Words for people: where the user speaks of themselves or of what is theirs, and who somebody is to somebody."""

from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from itertools import takewhile

from precis.finding import capitals, kinds, reading, scripts, values
from precis.finding.kinds import is_animal, is_person
from precis.finding.nouns import english, known, names_thing, nouns, persons, singular
from precis.finding.reading import Word
from precis.finding.tables import all_words, ground_languages, ground_words, groups, name_words, words_of
from precis.finding.written.languages import language_of
from precis.language.words import STOP_WORDS

#: Groups of people whom a memory may be about in place of the user.
RELATIONS = frozenset({"partner", "child", "parent", "sibling", "relative"})
#: The user who does or is something, and does not only have it.
SPEAKING = frozenset(
    "i i'm i've i'd i'll we we're we've ich wir je j'ai nous yo nosotros eu nós io noi я мы ik wij".split()
)
#: Who somebody is to the user is said in so many words at most: "my new training partner".
_CALLED = 3
#: How a verb ends in the first person of the past, where few names do, and so many letters it has at least.
_FIRST_PAST, _VERB = {"es": ("\u00e9", "\u00ed"), "pt": ("ei",), "it": ("\u00f2i",)}, 5
#: What stands behind whom or what a sentence is about, or behind its first clause, and in Japanese behind when.
_MARKS_JA, _BEHIND_TIME = "\u306f\u304c\u3082\u3001", "\u306f\u306b\u3001"
_MARKS_KO = ("\uc740", "\ub294", "\uc774", "\uac00", "\uaed8\uc11c", "\uace0", "\uba70")
#: How a Polish verb of the past ends in the first person.
_I_DID_PL = ("\u0142am", "\u0142em")
#: Before somebody of the user's whose something is: "o casamento da minha prima".
OF = frozenset("de da do dos das del della dello dei des von van du di lui cua".split())


@cache
def own_words(language: str, sort: str) -> frozenset[str]:
    """How the user speaks of themselves ("speaks") or of what is theirs (the other sorts), folded."""
    return frozenset(ground_words(language, sort)) if language in ground_languages() else frozenset()


def speaking(words: Sequence[Word], language: str, asked: Collection[values.Span]) -> int | None:
    """The number of the word by which a sentence tells of the user what was asked for; None where none does.

    A word for what is theirs stands right beside that: "min søsters løn" is not theirs.
    """
    speaks, theirs = own_words(language, "speaks"), own_words(language, "mine") | own_words(language, "mine_behind")
    within = {place for span in asked for place in range(*span)}
    places = [at for at, word in enumerate(words) if word.start in within]
    for at, word in enumerate(words):
        if word.low in speaks and (at == 0 or word.low not in theirs):
            return at
    if _opens_with_deed(words, language):
        return 0
    return next((at for at in places if is_mine(words, at, language) or _ends_mine(words[at], language)), None)


def _opens_with_deed(words: Sequence[Word], language: str) -> bool:
    """Whether a sentence opens with a verb that ends as in the first person: "Renové el pasaporte", "Pago 700"."""
    if language not in _FIRST_PAST or len(words) < 2 or words[0].low in name_words("given"):
        return False
    opening, behind = words[0].text.lower(), words[1]
    past = opening.endswith(_FIRST_PAST[language]) and len(opening) >= _VERB
    some = behind.low in name_words("some") or behind.text[0].isdigit()
    return past or (opening.endswith("o") and len(opening) > _CALLED and some and behind.gap == " ")


def of_past(words: Sequence[Word], language: str) -> bool:
    """Whether a sentence opens with when that was, and tells one thing of nobody else: "Antes trabajaba en ..."."""
    times, opening, behind = words_of(language, "earlier"), words[0].low, words[1:]
    if language == "ko":
        return opening.startswith(times) and not any(word.low.endswith(_MARKS_KO) for word in behind)
    if language == "ja":
        begins = next((time for time in times if opening.startswith(time)), "")
        rest = "".join([opening.removeprefix(begins).lstrip(_BEHIND_TIME), *(word.low for word in behind)])
        return bool(begins) and not any(mark in rest for mark in _MARKS_JA)
    joins, did = words_of(language, "joins"), any(word.text.endswith(_I_DID_PL) for word in behind)
    several = any(word.low in joins or "," in word.gap or is_being(word.low) for word in behind)
    return opening in times and not several and language not in {"en", "zh"} and (did or language != "pl")


def is_mine(words: Sequence[Word], at: int, language: str) -> bool:
    """Whether a word for what is the user's stands right beside another word, on its side of it."""
    before, behind = own_words(language, "mine"), own_words(language, "mine_behind")
    return (at > 0 and words[at - 1].low in before) or (at + 1 < len(words) and words[at + 1].low in behind)


def calls_mine(words: Sequence[Word], language: str) -> int | None:
    """The number of the word of a request by which, or by the ending of which, something is called the user's."""
    mine = own_words(language, "mine") | own_words(language, "mine_behind")
    return next(
        (at for at, word in enumerate(words) if word.low in mine or (at > 0 and _ends_mine(word, language))), None
    )


def _ends_mine(word: Word, language: str) -> bool:
    endings = tuple(own_words(language, "ends_mine"))
    return bool(endings) and word.low.endswith(endings)


def relations_of(word: Word) -> set[str]:
    """The groups of relatives that a word is of: "Mum walked the pier" tells of a parent, who is the user's."""
    return {name for name in RELATIONS for called in groups()[name] if called.fullmatch(word.low)}


def of_own_person(
    words: Sequence[Word], own: Collection[str], own_names: Collection[str], subject: Collection[values.Span]
) -> bool:
    """Whether the user is only named by whose somebody or some animal is: "User's cat gets tablets"."""
    owners = [at for at, word in enumerate(words) if word.low in own]
    language = language_of([word.low for word in words], " ".join(word.text for word in words)) if owners else "en"
    verbs = own_words(language, "speaks") if language != "en" else frozenset()
    aside = _aside() if language != "en" else frozenset()
    return bool(owners) and all(
        words[at].low not in verbs and _owns_being(words, at, own_names, subject, aside) for at in owners
    )


@cache
def _aside() -> frozenset[str]:
    """Small words of other languages than English, some of which are somebody in English: "con", "son"."""
    return OF | name_words("copulas") | name_words("prepositions") | name_words("articles")


def _owns_being(
    words: Sequence[Word], at: int, own_names: Collection[str], subject: Collection[values.Span], aside: Collection[str]
) -> bool:
    owner = words[at]
    if owner.low in own_names and not owner.owns and owner.low not in name_words("users_before"):
        joints = OF | name_words("articles")
        owned = next((word for word in reversed(words[:at]) if word.low not in joints), None)
        # "Sestra uživatele má alergii", "A tia da usuária": whatever opens a sentence so is what it tells of.
        behind_article = owned is words[min(1, at)] and words[0].low in name_words("articles")
        of = at == 1 or words[at - 1].low in OF
        opening = of and (owned is words[0] or behind_article)
        return owned is not None and (opening or _is_being(owned)) and not _is_within(owned, subject)
    if at + 1 == len(words) or (owner.low in SPEAKING and not owner.owns):
        return False
    if aside and _is_within(words[at + 1], subject):
        return False  # "Mein Hund Rex" is the dog; in English "my dog walker" is somebody
    called = takewhile(lambda word: word.low not in aside, _called_so(words, at))
    owned = next(filter(_is_being, called), words[at + 1])
    return ((_is_being(owned) and owned.low not in aside) or (at > 0 and words[at - 1].low in OF)) and not _is_within(
        owned, subject
    )


def is_anothers(words: Sequence[Word], own: Collection[str], subject: Collection[values.Span]) -> bool:
    """Whether all of it is called somebody else's, right before it or behind: "a colleague's wedding"."""
    places = [at for at, word in enumerate(words) if any(start == word.start for start, _ in subject)]
    ends = {end for _, end in subject}
    behind = [at for at, word in enumerate(words, start=1) if word.end in ends]
    before = bool(places) and all(at and words[at - 1].owns and words[at - 1].low not in own for at in places)
    times = name_words("caseless_times") | name_words("times")
    before = before and not any(words[at - 1].low in times for at in places)
    return before or (bool(behind) and all(_goes_to(words[at : at + _CALLED + 1]) for at in behind))


def _goes_to(words: Sequence[Word]) -> bool:
    """Whether "of" somebody follows: "(la boda) de un colega", "(die Hochzeit) meiner Kollegin"."""
    if not words or words[0].gap != " ":
        return False
    aside = OF | name_words("articles") | all_words("first")
    at = next((at for at, word in enumerate(words) if word.low not in aside), 0)
    return at > 0 and (words[0].low in OF or words[0].low.endswith("er")) and _is_being(words[at])


def _called_so(words: Sequence[Word], at: int) -> Iterator[Word]:
    """The words behind "my" or "User's" that may be those of who or what is theirs: "training partner"."""
    for word in words[at + 1 : at + 1 + _CALLED]:
        if (word is not words[at + 1] and word.gap != " ") or capitals.finite(word) or word.low in STOP_WORDS:
            return
        yield word


def _is_within(word: Word, spans: Collection[values.Span]) -> bool:
    return any(start <= word.start < end for start, end in spans)


def _is_being(word: Word) -> bool:
    if kinds.is_person(word.low) or kinds.is_animal(word.low) or word.low in name_words("others"):
        return True
    return bool(relations_of(word))


#: A word in a case is as long as this without its ending, of which so many letters are one.
_LEAST, _ENDING = 3, 5
_ROLES = "role."


@lru_cache(maxsize=16384)
def beings_of(low: str) -> frozenset[str]:
    """The groups of people, and the kinds within them, that a word is of: "partner.wife" of "wife"."""
    named = {
        name
        for name, both in groups().items()
        if (name.partition(".")[0] in RELATIONS or name.startswith(_ROLES))
        if any(called.fullmatch(low) for called in both)
    }
    kinds = {name for name in named if "." in name}
    return frozenset(kinds or named)


def _is_only_person(low: str) -> bool:
    """Whether an English noun says who somebody is in its usual senses: a tutor, and neither a router nor a printer."""
    senses = next((nouns().senses[form] for form in singular(low) if form in nouns().senses), {})
    usual = [senses[rank] for rank in (0, 1) if rank in senses]
    return low.isascii() and is_person(low) and all(line in persons() for line in usual)


@lru_cache(maxsize=16384)
def is_being(low: str) -> bool:
    """Whether it is somebody or an animal, as it stands or in a case."""
    if _is_only_person(low) or is_animal(low) or beings_of(low):
        return True
    if reading.UNSPACED.search(low) or reading.HANGUL.search(low) or scripts.ARABIC.search(low):
        return any(word in low for word in name_words("others_unspaced")) or low in name_words("roles_elsewhere")
    known = name_words("others") | name_words("roles_elsewhere")
    if low in known:
        return True
    forms = (low[:-cut] for cut in range(1, _ENDING + 1) if len(low) - cut >= _LEAST)
    return not reading.is_caseless(low) and any(form in known or beings_of(form) for form in forms)


def is_german_noun(words: Sequence[reading.Word], place: int, text: str) -> bool:
    """Whether a word has its capital as each noun in German has one: behind an article, an owner or a figure, or known.

    A given name is no noun.
    """
    word, before = words[place], words[place - 1] if place else None
    led = (
        before is not None and word.gap == " " and (before.low in name_words("before_nouns_de") or before.low.isdigit())
    )
    if not word.capital or not (led or word.low in english() or names_thing(word.low)):
        return False
    return language_of([each.low for each in words], text) == "de"


def names_nobody(text: str) -> bool:
    """Whether a text speaks of nobody: no name, no word for somebody but for one that describes a thing, no pronoun."""
    words = reading.read_words(text)
    language = language_of([word.low for word in words], text)
    if language not in {"en", "de"}:
        return False
    things = {"it", "its", "es"}
    for at, word in enumerate(words):
        behind = words[at + 1] if at + 1 < len(words) else None
        described = language == "en" and behind is not None and behind.gap == " " and names_thing(behind.low)
        if (word.low in words_of(language, "third") and word.low not in things) or word.owns:
            return False
        if is_being(word.low) and not (described and not word.owns):
            return False
        unknown = word.capital and (behind is None or not behind.gap.strip() or behind.gap[-1].isspace())
        unknown = unknown and not (word.opens or capitals.calendar(word.low) or is_german_noun(words, at, text))
        if unknown or (word.opens and word.low in name_words("given")):
            return False
    return bool(words) and not (words[0].capital and language == "en" and _may_be_name(words))


def _may_be_name(words: Sequence[reading.Word]) -> bool:
    """Whether what opens a text is no English word that is known, and may be a name."""
    return words[0].low not in STOP_WORDS and not known(words[0].low)
