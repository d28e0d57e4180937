"""Words that say of whom something is told: names, relatives, "I" and "my", by language. Pure."""

import unicodedata
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache

from precis import patterns as re
from precis.language import tables
from precis.language.dates import MONTHS, WEEKDAYS
from precis.language.grammar import THEIR, THIRD
from precis.language.script import without_small
from precis.language.words import LETTERED, STOP_WORDS, index_terms, kept, normal, stem, words

#: What is elided before a word; a word with what stands behind its apostrophe; and what parts two clauses.
_TOKEN = re.compile(
    r"\b(?:d|l|j|m|qu|all|dell|un)['\u2019](?=\w)|"
    rf"{LETTERED}(?:-{LETTERED})*(?:['\u2019](?:{LETTERED})?)?"
    r"|[.!?;:,\u3002\uff0c\u3001]",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d[\d.,:]*")
_APOSTROPHE = re.compile(r"['\u2019].*")
#: What is of whoever writes, as Turkish says it: who somebody is to them, and any other noun.
OWN_NOUN = re.compile(rf"\b(?:{tables.choices('kin.endings.nouns')})\b", re.IGNORECASE)
OWN_ENDING = re.compile(rf"(?:{tables.choices('kin.endings.own')})$")
#: Turkish words of whoever writes: their nouns, and their verbs.
_OF_WRITER = re.compile(rf"(?:{tables.choices('kin.endings.own')}|{tables.entry('kin.endings.verbs')})$")
#: In these a noun, and a name, has other endings in other cases.
INFLECTING = frozenset(tables.words("kin.subject.inflecting"))
#: So many words open a note; and what stands behind a name there, and who may change something of whoever writes.
_OPENING = 4
#: What stands before the name of whose something is; and letters that two names of one begin with: "Kate", "Katherine".
_BEFORE_OWNER, _OF_ONE = frozenset(tables.words("kin.whose.before")), 3
_OWNED = ("'s", "\u2019s", "s'", "s\u2019")
_TIMES = frozenset((*MONTHS, *WEEKDAYS, *tables.words("calendar.anchors")))
_COPULAS = frozenset(tables.words("kin.subject.copulas"))
#: Letters that two forms of a word share at least, and that either has more at most.
_SHARED, _ENDING = 3, 3
#: The language that any question may be in, and that which says "my" at the end of a noun.
ENGLISH, _TURKISH = "English", "Turkish"
#: In Swedish it says where.
_SMALL_I = "i"
#: Languages in which a verb says who does it, without a word for "I".
WITHOUT_I = frozenset(tables.words("kin.subject.left_out"))
#: Languages in which a name may have an article.
_NAMES_AN_ARTICLE = frozenset(tables.words("kin.subject.names_an_article"))
#: By language: how whoever asks calls themselves without a word of their own, or without spaces; the same of a writer;
#: and how a note opens with somebody else who lives or moves somewhere.
_ASKERS, WRITES, _DWELLS = (
    {name: re.compile(pattern, re.IGNORECASE) for name, pattern in tables.section(f"kin.{key}").items()}
    for key in ("asker", "writes", "dwells")
)


@kept
def tokens_of(text: str) -> tuple[str, ...]:
    """The words of a text, with the signs that part its clauses."""
    return tuple(_TOKEN.findall(unicodedata.normalize("NFC", text)))


@kept
def by_letter(text: str) -> Mapping[str, frozenset[str]]:
    """The words of a text as ``folded`` makes them, by the letter that they begin with."""
    words_by_letter: dict[str, set[str]] = defaultdict(set)
    for spoken in map(folded, tokens_of(text)):
        words_by_letter[spoken[:1]].add(spoken)
    return {letter: frozenset(of_letter) for letter, of_letter in words_by_letter.items()}


def beginning_as(text: str, word: str) -> Collection[str]:
    """Those that begin as this word does: the others are no form of it."""
    return by_letter(text).get(word[:1], ())


def bare(token: str) -> str:
    """A word without what stands behind its apostrophe."""
    return _APOSTROPHE.sub("", token)


@lru_cache(maxsize=8192)
def folded(token: str) -> str:
    """A word in small letters, without accents and without what stands behind its apostrophe."""
    marked = unicodedata.normalize("NFD", bare(token).casefold())
    return "".join(sign for sign in marked if not unicodedata.combining(sign))


@cache
def small_words(key: str, languages: tuple[str, ...]) -> frozenset[str]:
    """The words of these languages for "I", or for "my"."""
    listed = tables.section(f"kin.{key}")
    return frozenset(folded(word) for name in languages for word in listed.get(name, "").split())


_ROLES = tuple(folded(role) for role in tables.words("kin.subject.roles"))


@cache
def _people(languages: tuple[str, ...]) -> re.Pattern[str]:
    """The words of these languages for who somebody may be to somebody else."""
    listed = tables.section("kin.people")
    nouns = [word for name in languages for word in listed.get(name, "").split()]
    endings = [f"{folded(noun[:-1])}" if noun.endswith("|") else rf"{folded(noun)}[\w-]*" for noun in nouns]
    return re.compile("|".join(sorted(endings, key=len, reverse=True)) or "(?!)")


@lru_cache(maxsize=65536)
def is_kin(token: str, languages: tuple[str, ...]) -> bool:
    """Whether a word is one of these languages for who somebody may be to somebody else."""
    return _people(languages).fullmatch(folded(token)) is not None


@kept
def tells_of_kin(text: str, languages: tuple[str, ...]) -> bool:
    """Whether a text has such a word."""
    return any(is_kin(token, languages) for token in tokens_of(text))


def is_first(token: str, languages: tuple[str, ...]) -> bool:
    """Whether it is how whoever writes calls themselves. "i" is small in English alone: in Swedish it says where."""
    is_small = languages[0] != ENGLISH and token == _SMALL_I
    return not is_small and folded(token) in small_words("first", languages)


@kept
def tells_of_writer(text: str, languages: tuple[str, ...]) -> bool:
    """Whether a text has a word of whoever writes it for themselves, or for what is theirs."""
    my = small_words("my", languages)
    return any(is_first(token, languages) or folded(token) in my for token in tokens_of(text))


def is_named(token: str, word: str) -> bool:
    """Whether a word is this one of the question, or of it: "Hanne", "Hannes", "Hanne's"."""
    spoken = folded(token)
    return spoken in {word, f"{word}s"}


def is_genitive(token: str, word: str) -> bool:
    """Whether a word is the name of the question with the ending of whose something is."""
    spoken = folded(token)
    return spoken == f"{word}s" or (spoken == word and (token != bare(token) or word.endswith(("s", "x", "z"))))


def is_of(token: str) -> bool:
    """Whether a name has the ending of whose something is, as English, German and Turkish write it."""
    return token != bare(token) or token.endswith("s")


def is_inflected(token: str, word: str) -> bool:
    """Whether a name is this one with the ending of another case."""
    spoken = folded(token)
    return token[0].isupper() and spoken != word and alike(spoken, word) >= max(2, len(word) - 2)


@lru_cache(maxsize=65536)
def is_form(spoken: str, word: str) -> bool:
    """Whether two words may be forms of one: "fahre" and "fährt"."""
    shared = alike(spoken, word)
    shortest, longest = sorted((len(spoken), len(word)))
    return spoken == word or (shared >= max(_SHARED, shortest - 2) and longest - shared <= _ENDING)


def alike(first: str, second: str) -> int:
    """How many letters two words begin with alike."""
    for at, (letter, other) in enumerate(zip(first, second, strict=False)):
        if letter != other:
            return at
    return min(len(first), len(second))


def asks_of_asker(question: str, languages: tuple[str, ...]) -> bool:
    """Whether a question is asked of whoever asks it: "I", "my", or, where a verb says that, neither and no name."""
    if tells_of_writer(question, languages):
        return True
    tokens = tokens_of(question)
    if _TURKISH in languages and any(OWN_ENDING.search(folded(token)) for token in tokens):
        return True
    if any(name in _ASKERS and _ASKERS[name].search(normal(question)) for name in languages):
        return True
    is_of_name = _TURKISH in languages and tokens[:1] != tuple(map(bare, tokens[:1]))  # "Selin'in"
    return not WITHOUT_I.isdisjoint(languages) and not (is_of_name or any(token[0].isupper() for token in tokens[1:]))


def tells_of_another(text: str, languages: tuple[str, ...], asked: Collection[str], *, changes: bool) -> bool:
    """Whether a note that may be of whoever writes opens with somebody else: a relative of theirs, or a name.

    ``asked`` are the words of the question in small letters. Where a note tells of a change, a landlord, a boss or a
    doctor may have made it, and it is of whoever writes all the same.
    """
    tokens = tokens_of(_NUMBER.sub("", text))
    my = small_words("my", languages)
    opening = [token for token in tokens[:_OPENING] if token[0].isalpha()]
    kin = next((at for at, token in enumerate(opening) if is_kin(token, languages)), None)
    is_own_kin = kin is not None and any(folded(token) in my for token in opening[:kin])
    mine = [at for at, token in enumerate(tokens) if folded(token) in my and not (is_own_kin and at < _OPENING)]
    if mine or any(is_first(token, languages) for token in tokens):
        return False
    if _TURKISH in languages and any(_OF_WRITER.search(token.casefold()) for token in tokens):
        return False
    if kin is None and any(WRITES[name].search(normal(text)) for name in languages if name in WRITES):
        return False
    if kin is not None and not any(is_form(folded(opening[kin]), word) for word in asked):
        return not (changes and folded(opening[kin]).startswith(_ROLES))
    dwells = any(_DWELLS[name].match(text) for name in languages if name in _DWELLS)
    if not _NAMES_AN_ARTICLE.isdisjoint(languages) and tokens[:1] and _is_small(tokens[0], languages):
        tokens = tokens[1:]
    if dwells or not tokens or (changes and folded(tokens[0]).startswith(_ROLES)):
        return dwells
    return len(tokens) > 1 and _opens_with_a_name(tokens, languages, asked)


def _opens_with_a_name(tokens: Sequence[str], languages: tuple[str, ...], asked: Collection[str]) -> bool:
    """Whether a note opens with a name that is no word of the question, and with what somebody of it does."""
    if not tokens[0][0].isupper():
        return False
    if tokens[0] != bare(tokens[0]):
        # "Nilo's new salary" is Nilo's, "It's a new one" nobody's.
        is_owner = tokens[0].casefold().endswith(("'s", "\u2019s"))
        return is_owner and folded(tokens[0]) not in asked and not _is_small(bare(tokens[0]), languages)
    first, second = folded(tokens[0]), folded(tokens[1])
    if first in asked or second in asked or _is_small(tokens[0], languages):
        return False
    # "Próba chóru": a noun in another case, and no verb of somebody.
    if not INFLECTING.isdisjoint(languages) and any(is_form(second, word) for word in asked):
        return False
    is_case = _TURKISH in languages and tokens[1] != bare(tokens[1])  # "Selin Bursa'ya"
    return (tokens[1][0].islower() or is_case) and (second in _COPULAS or not _is_small(tokens[1], languages))


def _is_small(token: str, languages: tuple[str, ...]) -> bool:
    """Whether it is a function word of one of these languages."""
    return token.casefold() in STOP_WORDS or not all(without_small(token, name).strip() for name in languages)


def is_of_another_owner(question: str, text: str, speaker: str | None) -> bool:
    """Whether it is asked of what somebody, or some firm, owns or keeps, and a row tells it of another one.

    "The gate code at Tarvik" is none of "What is the gate code at Fenix?". So it is only where the question names whose
    it is, the row names another one in the same place, and has neither a name of the question nor a pronoun for it.
    """
    asked, tokens = owners_in(question), tokens_of(text)
    spoken = {folded(token) for token in (*tokens, *tokens_of(speaker or ""))}
    names = {folded(token) for token in tokens_of(question)[1:] if token[0].isupper()} | set(asked.values())
    if not (THIRD | THEIR).isdisjoint(spoken) or any(_is_one(name, word) for name in names for word in spoken):
        return False
    return any(place in asked and not _is_one(asked[place], name) for place, name in owners_in(text).items())


def owners_in(text: str) -> dict[str, str]:
    """The names of whose something is, in small letters, each by what stands before it; "of" for an ending."""
    tokens = tokens_of(text)
    owners: dict[str, str] = {}
    for at, token in enumerate(tokens):
        name = folded(token)
        if not token[0].isupper() or name in STOP_WORDS or name in _TIMES or len(name) < _OF_ONE:
            continue
        begins = at
        while begins and tokens[begins - 1][0].isupper() and tokens[begins - 1].casefold() not in STOP_WORDS:
            begins -= 1
        before = tokens[begins - 1].casefold() if begins else "."
        if token.endswith(_OWNED):
            owners["of"] = name
        elif before in _BEFORE_OWNER:
            owners[before] = name
    return owners


def _is_one(name: str, other: str) -> bool:
    """Whether two names may be of one: they are the same, or begin alike."""
    return name == other or alike(name, other) >= _OF_ONE


#: What an agent is called that says a turn; and those who talk with one, and the agent.
ASSISTANTS = frozenset(tables.words("kin.subject.assistants"))
AGENTS = ASSISTANTS.union(tables.words("kin.subject.users"))

# Words for the user whose memory it is, as layers that write notes of them put it: "The user moved to Leeds".
_LISTED = frozenset(tables.words("words.users"))
#: In English the word has an article, or an owner's ending; without one it may be any user of anything.
_OTHERS = _LISTED - {"user", "users", "user's"}
_THE_USER = re.compile(r"\b(?:the|this|our) user(?:['\u2019]s?)?(?![\w-])", re.IGNORECASE)
#: Where no spaces part words.
_UNSPACED = re.compile(tables.choices("words.users_unspaced"))
#: What French and Italian elide before them.
_ELIDED = ("l'", "d'", "qu'", "dell'", "all'", "dall'", "sull'", "nell'", "un'")
#: Their stems, as rows hold them.
USERS = frozenset(map(stem, _LISTED)).union(
    (stem(f"{part}{word}") for part in _ELIDED for word in _LISTED if word[0] == "u"),
    (term for word in tables.phrases("words.users_unspaced") for term in index_terms(word) if len(term) > 1),
)


def users_in(text: str) -> frozenset[str]:
    """The stems of the words of a text that call the user whose memory it is."""
    spoken = [word for word in words(text) if word.rpartition("'")[2] in _OTHERS or word in _OTHERS]
    stems = frozenset(map(stem, spoken))
    if _THE_USER.search(text):
        stems |= {stem("user")}
    return stems if text.isascii() else stems.union(*map(index_terms, _UNSPACED.findall(text)))
