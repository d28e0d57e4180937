"""What a title names that one statement tells, where nothing comes back or that says too little. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from precis import patterns as re
from precis.engine.titles.names import GENERAL, is_name
from precis.engine.titles.noun_phrases import TOKEN, Phrase, body, phrases_of
from precis.language import tables
from precis.language.chitchat import MOODS
from precis.language.grammar import FORMS
from precis.language.languages import PASSING, names_nothing
from precis.language.script import is_foreign, repeated
from precis.language.sentences import sentences
from precis.language.vocabulary import NO_NOUNS, SECRETS, does, is_noun, is_term, may_name_a_kind
from precis.language.words import STOP_WORDS, kept_where_short, stem
from precis.language.written.runs import repeated_runs

_SAYINGS = re.compile(rf"\b(?:{'|'.join(tables.phrases('reactions.sayings'))})", re.IGNORECASE)
#: The name of a book, a film or a song of two to five words.
_WORK = re.compile(r"[\"\u201c\u201e\u00ab]([^\W\d_a-z][\w'\u2019]*(?: [\w'\u2019]+){1,4})[.,!]?[\"\u201d\u201c\u00bb]")
#: A phrase of so many words with its owner: "Ana's boat".
_OWNER = re.compile(r"(?P<owner>\S+['\u2019]s) (?P<own>.+)")
_TIES = "|".join(tables.words("titles.ties"))
#: The number of a thing, or its letter.
_NUMBER = re.compile(r"\d\d?|[A-Z]")
#: What comes back stands in so many statements.
_OFTEN = 2
#: Most phrases of a title; a noun of so many letters may say by itself what something is about.
_PHRASES, _RARE = 2, 5


def without_sayings(text: str) -> str:
    """The text without sentences of proverbs, whose words are about nothing: "Rome wasn't built in a day"."""
    if not _SAYINGS.search(text):
        return text
    return " ".join(part for part in sentences(text) if not _SAYINGS.search(part))


def particular(texts: Sequence[str], besides: Sequence[str] = (), *, core: bool = False) -> list[str]:
    """What is told of, where nothing comes back: at most two phrases, of different statements and with no common word.

    Names of two words or more, then who does something or what is done, then phrases of which each word tells
    something, and what other statements share a word with; none with a word of ``besides``. ``core``: no phrase of
    when, where or with what.
    """
    if is_foreign(" ".join(texts)):
        return []
    spoken = [{stem(word.casefold()) for word in TOKEN.findall(body(text))} for text in texts]
    places: dict[str, int] = {}
    rank: dict[str, tuple[bool, bool, bool, int, int]] = {}
    for at, text in enumerate(texts):
        for phrase in (*works(text), *phrases_of(text)):
            if (
                not _tells(phrase)
                or (core and not phrase.is_core)
                or not all(apart(phrase.text, other) for other in besides)
            ):
                continue
            wording = capitals(phrase.text, texts)
            before, head = phrase.text.split()[:-1], phrase.text.split()[-1]
            named = head[0].isupper() and before[0][0].isupper()
            places.setdefault(wording, at)
            shared = max(sum(root in words for words in spoken) for root in phrase.stems)
            general = not GENERAL.isdisjoint(phrase.stems)
            # A long word is rarer than a short one.
            order = (not named, not phrase.is_core, general, -shared, -len(wording))
            rank[wording] = min(rank.get(wording, order), order)
    best = sorted(places, key=rank.__getitem__)
    second = next((wording for wording in best if places[wording] != places[best[0]] and apart(wording, best[0])), None)
    return [wording for wording in (*best[:1], second) if wording]


def listing(phrases: Sequence[str], among: int) -> str:
    """Phrases of so many statements, which are a part and say so."""
    if among <= len(phrases):
        return " and ".join(phrases)
    return f"{', '.join(phrases)} and more" if phrases else ""


def merged(phrases: Sequence[str], texts: Sequence[str]) -> str:
    """Two phrases as one: of one owner, who stands there once, "Ana's boat and garden"; of one person, "Dr Roe"."""
    owned = [match for match in map(_OWNER.fullmatch, phrases) if match]
    if len(owned) == len(phrases) > 1 and len({match["owner"] for match in owned}) == 1:
        return f"{owned[0]['owner']} {' and '.join(match['own'] for match in owned)}"
    for pair in (phrases, phrases[::-1]):
        # "Our plumber, Dr Roe": a name behind who that is.
        who = ", ".join(pair).casefold()
        if (
            len(pair) > 1
            and pair[0].islower()
            and pair[1][0].isupper()
            and any(who in text.casefold() for text in texts)
        ):
            return " ".join(pair)
    return " and ".join(phrases)


def in_compound(word: str, texts: Sequence[str]) -> str:
    """The word with what stands by it in most places, "swimming lessons", "aisle 7".

    Where it stands by itself nowhere, it is a part of the one noun phrase that has it: "import profile".
    """
    root = stem(word.casefold())
    before: Counter[str] = Counter()
    behind: Counter[str] = Counter()
    for text in texts:
        tokens = ["", *TOKEN.findall(body(text)), ""]
        for left, token, right in zip(tokens, tokens[1:], tokens[2:], strict=False):
            if stem(token.casefold()) == root:
                before[left.casefold()] += 1
                behind[right] += 1
    kind, times = max(before.items(), key=lambda pair: pair[1], default=("", 0))
    if times >= _OFTEN and times >= before.total() / 2 and may_name_a_kind(kind):
        return f"{kind} {word}"
    if (
        word.casefold() not in SECRETS
        and len(behind) == 1
        and behind.total() >= _OFTEN
        and _NUMBER.fullmatch(next(iter(behind)))
    ):
        return f"{word} {''.join(behind)}"
    places = [phrase for text in texts for phrase in phrases_of(text) if root in phrase.stems]
    compounds = {phrase.text: phrase for phrase in sorted(places, key=_is_sure) if len(phrase.stems) > 1}
    # "8.14 imports it" is no noun.
    alone = any(len(phrase.stems) == 1 and (phrase.sure or not does([phrase.text])) for phrase in places)
    sure = [phrase for phrase in compounds.values() if phrase.sure and not GENERAL.issuperset(phrase.stems)]
    if alone or not sure or (len(compounds) > 1 and not word.isupper()):
        return word
    return max(sure, key=lambda phrase: (phrase.is_core, len(phrase.text))).text


def in_full_behind(name: str, texts: Sequence[str]) -> str:
    """The name as some text has it with what stands behind it: "Fennick Supplies" of Fennick; the only one there is."""
    longer = {match for text in texts for match in re.findall(rf"\b{re.escape(name)}(?: [A-Z][a-z]+)+", text)}
    return "".join(longer) if len(longer) == 1 else name


def _is_sure(phrase: Phrase) -> bool:
    return phrase.sure


def without_owning(text: str) -> str:
    """The text with whose something is as who that is: "Dad hip operation"."""
    return re.sub(r"['\u2019]s\b", "", text)


def tied(name: str, texts: Sequence[str]) -> str:
    """What is with, for or from whom, or what, all is told of: "single sign-on with Entra"."""
    spoken = [
        {stem(part) for word in TOKEN.findall(body(text)) for part in word.casefold().split("-")} for text in texts
    ]
    ties: dict[str, int] = {}
    for text in texts:
        for phrase in phrases_of(text):
            match = re.search(rf"\b{re.escape(phrase.text)} (?:{_TIES}) {re.escape(name)}\b", text)
            if match and len(phrase.stems) > 1 and not _tells_nothing(phrase):
                roots = {stem(part) for word in phrase.text.casefold().split() for part in word.split("-")}
                ties[match.group()] = sum(not roots.isdisjoint(words) for words in spoken)
    best = max(ties, key=lambda tie: (ties[tie], -len(tie)), default="")
    return best if best and ties[best] >= max(_OFTEN, len(texts) / 2) else ""


def own_word(phrase: str) -> tuple[str, str] | None:
    """The owner and the word of a single thing of somebody: "Ana's boat"."""
    match = _OWNER.fullmatch(phrase)
    return (match["owner"], match["own"]) if match and " " not in match["own"] else None


def pair_of_nouns(texts: Sequence[str]) -> str:
    """Two nouns of different statements, the longest first, where not even two words tell of what something is told."""
    places: dict[str, int] = {}
    for at, text in enumerate(texts):
        for phrase in phrases_of(text):
            word = phrase.text.casefold()
            telling = phrase.is_core and len(phrase.stems) == 1 and not _tells_nothing(phrase)
            if phrase.sure and telling and len(word) >= _RARE:
                places.setdefault(capitals(phrase.text, texts), at)
    order = sorted(places, key=lambda wording: -len(wording))
    best = [next((wording for wording in order if places[wording] == at), "") for at in range(len(texts))]
    pair = [wording for wording in order if wording in best][:_PHRASES]
    return f"{', '.join(pair)} and more" if len(pair) == _PHRASES and apart(*pair) else ""


def works(text: str) -> Iterator[Phrase]:
    """The names of books, films and songs that stand in quotation marks."""
    for match in _WORK.finditer(body(text)):
        words = match[1].split()
        capital = all(word[0].isupper() or word.casefold() in STOP_WORDS for word in words)
        if capital and words[-1][0].isupper():
            yield Phrase(
                text=match[1], stems=tuple(stem(word.casefold()) for word in words), speaker=None, own=False,
                is_core=True,
            )  # fmt: skip


def _tells(phrase: Phrase) -> bool:
    """Whether two words or more tell something: no plural before a noun, which is a verb, and no feeling."""
    *before, head = phrase.text.split()
    plural = before and before[-1].endswith("s") and not before[-1].endswith("ss")
    named = before and before[0][0].isupper() and head[0].isupper()
    return phrase.sure and bool(before) and (named or not plural) and not _tells_nothing(phrase)


def _tells_nothing(phrase: Phrase) -> bool:
    """Whether it is of feelings, of general words alone, or of a part of something."""
    *before, head = phrase.text.split()
    if is_term(before, head):
        return False
    moody = any(
        root in MOODS and not is_noun(word) for word, root in zip(phrase.text.split(), phrase.stems, strict=True)
    )
    return head.casefold() in NO_NOUNS or moody or GENERAL.issuperset(phrase.stems)


def apart(wording: str, other: str) -> bool:
    """Whether two phrases have no word in common."""
    return {stem(word.casefold()) for word in wording.split()}.isdisjoint(
        stem(word.casefold()) for word in other.split()
    )


def capitals(phrase: str, texts: Sequence[str]) -> str:
    """The phrase, with the capitals of words that have one wherever no sentence begins."""
    parts = [tokens for text in texts for tokens in _by_sentence(text)]
    inside = {token for tokens in parts for token in tokens[1:]}
    # Who opens sentence after sentence and says or has something there is somebody: "Hamish has", "Hamish says".
    wanted = {word.capitalize() for word in phrase.split() if word not in inside}
    opened = [tokens for tokens in parts if tokens and tokens[0] in wanted]
    opening = Counter(tokens[0] for tokens in opened if is_name(tokens, 0))
    names = {name for name, times in opening.items() if times >= _OFTEN} | inside
    names |= {token for tokens in opened for token, follows in pairwise(tokens[:2]) if _is_given_name(token, follows)}
    return " ".join(
        word.capitalize() if word.capitalize() in names and word not in inside else word for word in phrase.split()
    )


@kept_where_short
def _by_sentence(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of each of its sentences: each phrase of a title looks for its capitals there."""
    return tuple(tuple(TOKEN.findall(part)) for part in sentences(body(text)))


def _is_given_name(token: str, follows: str) -> bool:
    """Whether what opens a sentence with a capital belongs to the name behind it: "Tom Aldous wants the deck"."""
    low = token.casefold()
    is_word = low in STOP_WORDS or low in NO_NOUNS or low in FORMS or stem(low) in GENERAL
    named = follows.istitle() and follows.casefold() not in STOP_WORDS and follows.casefold() not in NO_NOUNS
    return token.istitle() and named and not is_word


#: Of languages without capitals, in how many texts a word comes back that is no form of a verb by chance.
CHINESE = "Chinese"
_BACK = {"Arabic": 3, "Hindi": 3, "Korean": 3, "Chinese": 2, "Japanese": 2}


@cache
def _passing() -> re.Pattern[str]:
    """Words of Chinese, of two signs or more, that come back and name nothing."""
    return re.compile("|".join(sorted((word for word in PASSING[CHINESE] if len(word) > 1), key=len, reverse=True)))


def without_capitals(texts: Sequence[str], language: str | None) -> list[str]:
    """The two things that come back most, of a language in which no capital tells what a name is; else nothing."""
    if language not in _BACK:
        return []
    if language == CHINESE:
        # Where a word that names nothing ends, one begins: "继续保持联系" has no "续保持联系".
        texts = [_passing().sub("\n", text) for text in texts]
    bodies = ["\n".join(sorted(runs)) for runs in repeated_runs(texts)] if language in PASSING else texts
    return repeated(bodies, least=_BACK[language], may_be=lambda word: not names_nothing(word, language), most=2)


def back_among(members: Sequence[str], texts: Sequence[str], people: Sequence[str], language: str | None) -> list[str]:
    """What comes back in all that was said, and stands in one of the texts, of a language without capitals."""
    back = without_capitals([body(text) for text in members], language)
    return [word for word in in_one(back, texts) if any(word in text for text in texts) and word not in "".join(people)]


def in_one(runs: Sequence[str], texts: Sequence[str]) -> Sequence[str]:
    """Two pieces of one longer word, of which one goes on where the other ends, as that; others as they are."""
    for first, second in (runs, runs[::-1]) if len(runs) == _PHRASES else ():
        for size in range(min(len(first), len(second)) - 1, 0, -1):
            longer = first + second[size:]
            if first.endswith(second[:size]) and any(longer in text for text in texts):
                return [longer]
    return runs
