"""What is added to a title that another summary of the same user has too, or that is only a name. Pure."""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile

from precis import patterns as re
from precis.engine.titles.abroad import is_noun_abroad, notable_abroad
from precis.engine.titles.held import tells_of_enough
from precis.engine.titles.names import GENERAL, is_name, kin_in
from precis.engine.titles.noun_phrases import TOKEN, Phrase, body, phrases_of, single_nouns_of
from precis.engine.titles.tellings import apart, capitals, listing, particular, without_sayings, works
from precis.language import tables
from precis.language.dates import MONTHS, WEEKDAYS
from precis.language.grammar import AMBIGUOUS_FORMS, FORMS, STATES, WITHOUT
from precis.language.script import is_english
from precis.language.sentences import sentences
from precis.language.vocabulary import ADJECTIVES, NO_NOUNS, UNITS, does, is_noun, may_name_a_kind
from precis.language.words import STOP_WORDS, names, stem
from precis.makers import WordRank

ENGLISH = "English"
_KIN = frozenset(tables.words("titles.kin"))
_PHRASES = 2
#: What comes back stands in so many members.
_OFTEN = 2
_ADJECTIVES = (*ADJECTIVES, "ic")
#: A shorter word says too little by itself.
_SHORTEST = 4
#: What comes back in another statement is worth so many times as much.
_AGAIN = 1.5
#: And a general noun is worth this share.
_GENERAL = 0.5
#: A word of several tokens is as rare as one of this rank.
_RARE = 100_000
#: What has a capital and is no name of anything: a month, a weekday, a form of address.
NO_NAMES = frozenset((*MONTHS, *WEEKDAYS, *tables.words("titles.no_subjects")))
_NO_NAMES = NO_NAMES | STOP_WORDS | NO_NOUNS | FORMS.keys()
#: A name that somebody is called by, and one behind a form of address.
_CALLED = re.compile(r"\b[A-Z][\w'-]+(?=[,!])|(?<=, )[A-Z][\w'-]+(?=[.!?]|$)")
#: The same where a sentence opens: "Aww Bo, no!"
_SPOKEN_TO = re.compile(r"^(?:[A-Z][\w'-]*,? )?[A-Z][\w'-]+[,!] ")
_ADDRESSED = re.compile(rf"\b(?:{'|'.join(tables.words('titles.no_subjects'))})\b\.? [A-Z][\w'-]+", re.IGNORECASE)
#: Behind which two words may be one thing: "no ice cream".
_OPENING = frozenset((*FORMS, *AMBIGUOUS_FORMS, *"no some any more".split()))
#: What somebody is, at the end of a clause.
_IS = re.compile(
    r"(?:\b(?:is|am|are)|['\u2019](?:s|m|re)) (?:an? )?([a-z-]{4,})(?=\s*(?:[.,;!]|$| and\b| since\b| now\b))"
)
_TOKENS = re.compile(r"\w+['\u2019](?=\w)|[\w-]+|[.!?:;,]")
#: From when to when, behind the last comma.
_SPAN = re.compile(r", [^,:]*\d{4}(?:-\d\d)?(?:[\u2013 ][^,:]*\d{4}(?:-\d\d)?)?$")


def notable(texts: Sequence[str], people: Sequence[str], rank: WordRank) -> str:
    """The two rarest nouns of different statements, for a summary of which nothing comes back: "cake, script and more".

    Rarest by how often people write the words; where only one statement has any, its rarest: "Lisbon and more". Where
    nothing is surely a noun, it is what they mention, and empty where there is none of that either.
    """
    nouns = _rarest(texts := [without_sayings(text) for text in texts], people, rank)
    if nouns:
        return listing(nouns, len(texts)) if len(nouns) > 1 else f"{nouns[0]} and more"
    return _mentioned(texts, {stem(part.casefold()) for who in people for part in who.split()})


def _rarest(texts: Sequence[str], people: Sequence[str], rank: WordRank) -> list[str]:
    """The rarest nouns of two statements, or of the one that has any; none of a word of ``people``."""
    names_of_people = {stem(part.casefold()) for who in people for part in who.split()}
    spoken = [{stem(word.casefold()) for word in TOKEN.findall(body(text))} for text in texts]
    places: dict[str, int] = {}
    worth: dict[str, float] = {}
    sure: set[str] = set()
    for at, text in enumerate(texts):
        for phrase in _nouns(text):
            wording = capitals(phrase.text, texts)
            if names_of_people.isdisjoint(phrase.stems) and wording not in places:
                again = sum(phrase.stems[-1] in words for words in spoken) > 1
                places[wording] = at
                sure |= {wording} if phrase.sure else set()
                # "Community" is listed as a noun, and stands in what many of somebody's summaries are about.
                general = not GENERAL.isdisjoint(phrase.stems)
                worth[wording] = _rarity(wording, rank) * (_AGAIN if again else 1.0) * (_GENERAL if general else 1.0)
    order = sorted(places, key=lambda wording: (-worth[wording], wording))
    second = next((it for it in order if places[it] != places[order[0]] and apart(it, order[0])), "")
    if second:
        return [order[0], second]
    # A capital may be that of a sentence, unless a preposition or a determiner stands before it.
    return [wording for wording in order if wording.islower() or wording in sure][:1]


def foremost(texts: Sequence[str]) -> str:
    """Who or what the first text that has a name is about, and the first noun phrase of it: "Gareth Pym: bathroom".

    Where no text has both it is the first noun phrase of all, else the first name; and what all tell of, by itself. The
    texts stand by what they weigh.
    """
    parts = [(_proper(text), _first_phrase(text)) for text in texts]
    parts = [(name, noun or (_compound(text) if name else "")) for (name, noun), text in zip(parts, texts, strict=True)]
    both = next((f"{name}: {noun}" for name, noun in parts if name and noun and apart(name, noun)), "")
    nouns = [noun for _, noun in parts if noun]
    held = [{stem(token.casefold()) for token in TOKEN.findall(body(text))} for text in texts]
    if len(texts) > 1 and nouns and stem(nouns[0].split()[-1].casefold()) in set.intersection(*held):
        return nouns[0]
    return both or next(iter(nouns), "") or next((name for name, _ in parts if name), "")


def _proper(text: str) -> str:
    """The surest name of a text: of several words, "Colin Shaw", then one inside a sentence, then what opens one."""
    found: dict[str, int] = {}
    for sentence in sentences(body(text)):
        tokens = TOKEN.findall(_SPOKEN_TO.sub("", sentence))
        for at, token in enumerate(tokens):
            behind = list(takewhile(_may_be_name, tokens[at + 1 :]))
            mixed = any(map(str.isupper, token[1:])) and len(token) > _PHRASES  # "SQLite", "NASA"
            # "Patience Mensah": inside a sentence a word that is one has its capital from the name that it is of.
            if (_may_be_name(token) or (at and behind and token.istitle())) and (
                behind or mixed or (at and is_name(tokens, at)) or does(tokens[at + 1 :])
            ):
                found.setdefault(" ".join([token, *behind]), 0 if behind else 1 if at or mixed else 2)
    return min(found, key=lambda name: found[name], default="")


def _may_be_name(token: str) -> bool:
    if not token[0].isupper():
        return False
    low = token.casefold()
    no_name = low in _NO_NAMES or low in GENERAL or stem(low) in GENERAL
    return not no_name and token.isalnum()


def _first_phrase(text: str) -> str:
    """The first noun phrase of a text: one that tells something, and who does it or what is done, before others."""
    phrases = [it for it in phrases_of(text) if it.sure and it.text[0].islower() and not _is_degree(it.text)]
    order = {phrase.text: (not _is_telling(phrase), not phrase.is_core, len(phrase.stems) == 1) for phrase in phrases}
    return min(order, key=lambda wording: order[wording], default="")


def _compound(text: str) -> str:
    """Two words without an article that may be one thing: "shin splints", "Full rewire for 4,900"."""
    return next((it.text for it in phrases_of(text) if len(it.stems) == _PHRASES and _is_telling(it)), "")


def _mentioned(texts: Sequence[str], spoken: Collection[str]) -> str:
    """What somebody tells of where nothing is surely a noun: a work or a name, two nouns, or what they are, "vegan".

    The first of each kind of different statements: "Greek and more". Empty where there is none.
    """
    for kind in (_named, _compounds, _states):
        places: dict[str, int] = {}
        for at, text in enumerate(texts):
            for wording in kind(text):
                if not any(stem(word.casefold()) in spoken for word in wording.split()):
                    places.setdefault(wording, at)
        first = next(iter(places), "")
        second = next((it for it in places if places[it] != places[first] and apart(it, first)), "") if first else ""
        if first:
            return listing([first, second], len(texts)) if second else f"{first} and more"
    return ""


def _named(text: str) -> Iterator[str]:
    """Works in quotation marks, and names, of a statement; not who is spoken to ("Aww Bo, no!"), nor "Mrs Roe"."""
    yield from (phrase.text for phrase in works(text))
    rest = _CALLED.sub(" ", _ADDRESSED.sub(" ", body(text)))
    yield from (name for name in names(rest) if name.istitle() and name.casefold() not in NO_NAMES)


def _compounds(text: str) -> Iterator[str]:
    """Two small words that may be one thing, where a sentence opens or behind a verb or "no": "no ice cream"."""
    for phrase in phrases_of(text):
        kind, *_ = phrase.text.split()
        before = re.search(rf"([\w'\u2019]+) {re.escape(phrase.text)}", body(text))
        stands = before is None or before[1].casefold() in _OPENING
        if len(phrase.stems) == _PHRASES and phrase.text.islower() and stands and _is_telling(phrase):
            yield from [phrase.text] if may_name_a_kind(kind) else []


def _states(text: str) -> Iterator[str]:
    """What somebody is, of which there are a few: "vegetarian", "married"."""
    for match in _IS.finditer(body(text)):
        state = stem(match[1].casefold())
        if state in STATES or state in WITHOUT:
            yield match[1]


def is_bare(named: str, texts: Sequence[str], language: str | None) -> bool:
    """Whether a title only says whom, or which firm or place, something is about: "Ana", "Mr Roe", "Papa"."""
    *address, name = named.split() or [""]
    if any(word.casefold().rstrip(".") not in NO_NAMES for word in address) or not name:
        return False
    if language == ENGLISH:
        return name.casefold() in _KIN or name[:1].isupper()
    if kin_in(language or "").match(name):
        return True
    small = any(name.lower() in TOKEN.findall(text) for text in texts)  # "Multa de 200 euros", and "la multa"
    return name[:1].isupper() and not small and not is_noun_abroad(name, texts, language or "")


def in_company(named: str, texts: Sequence[str], besides: Sequence[str], language: str | None, rank: WordRank) -> str:
    """A bare name with what is told of it: "Ana: letter and locker", "Quorra, entrevista"; alone where that is nothing.

    Told of it is what stands in statements that have the name, as far as they have anything.
    """
    saying = [text for text in texts if named.casefold() in body(text).casefold()] or list(texts)
    if language == ENGLISH:
        nouns = _rarest(saying, besides, rank)
        return f"{named}: {' and '.join(nouns)}" if nouns else named
    noun = notable_abroad(saying, besides, language or "").split(", ")[0]
    talks = len(besides) > len(named.split())
    is_told = noun and (talks or tells_of_enough(noun, named, texts))
    return f"{named}, {noun}" if is_told else named


def told_apart(named: str, texts: Sequence[str], people: Sequence[str], taken: Collection[str], rank: WordRank) -> str:
    """The title with what only this summary tells, where another one of the user has the same."""
    others = {_SPAN.sub("", title).casefold() for title in taken}
    if named.casefold() not in others:
        return named
    for phrase in _further(named, texts, people, rank):
        longer = f"{named} and {phrase}" if ": " in named else f"{named}: {phrase}"
        if longer.casefold() not in others:
            return longer
    return named


def _further(named: str, texts: Sequence[str], people: Sequence[str], rank: WordRank) -> Iterator[str]:
    words = re.split(r"[\s:,]+", named)
    if is_english(" ".join(texts)):
        yield from particular(texts, besides=words)
        yield from filter(None, [re.split(r",| and ", notable(texts, [*people, *words], rank))[0]])
    seen = Counter(
        name for text in texts for name in names(body(text)) if apart(name, named) and name.casefold() not in NO_NAMES
    )
    yield from (name for name, _ in seen.most_common(_PHRASES))


def covering(texts: Sequence[str], members: Sequence[str], people: Sequence[str], taken: Collection[str]) -> str:
    """The noun of a statement that most of the members have, a third of them at least; in fewer other titles counts.

    Empty where there is none: a general word, and what somebody is called, is none.
    """
    spoken = [{stem(word.casefold()) for word in TOKEN.findall(body(text))} for text in members]
    elsewhere = Counter(root for title in taken for root in {stem(word.casefold()) for word in TOKEN.findall(title)})
    of_people = {stem(part.casefold()) for who in people for part in who.split()}
    worth: dict[str, float] = {}
    for text in texts:
        for phrase in (*phrases_of(text), *single_nouns_of(text)):
            root = phrase.stems[-1]
            standing = sum(root in words for words in spoken)
            if (
                len(phrase.stems) > 1
                or not phrase.text.islower()
                or standing < max(_OFTEN, len(members) / 3)
                or root in of_people
            ):
                continue
            if (phrase.sure or phrase.is_object) and _is_telling(phrase) and root not in GENERAL:
                wording = capitals(phrase.text, texts)
                worth[wording] = standing * (1 - elsewhere[root] / (len(taken) + 1))
    return max(worth, key=lambda wording: (worth[wording], len(wording), wording), default="")


def _nouns(text: str) -> Iterator[Phrase]:
    for phrase in (*phrases_of(text), *single_nouns_of(text)):
        if (phrase.sure or phrase.is_object) and len(phrase.stems) <= _PHRASES and _is_telling(phrase):
            yield phrase


def _is_telling(phrase: Phrase) -> bool:
    """Whether each of its words may be a noun, or says of what kind it is; no verb, no feeling, no unit."""
    *kinds, head = phrase.text.split()
    word = head.casefold()
    form = FORMS.get(word) or AMBIGUOUS_FORMS.get(word)
    verb = form is not None and not is_noun(word) and not (phrase.is_object and form.kinds == {"ing"})
    general = not (is_noun(word) or GENERAL.isdisjoint(phrase.stems)) or word in NO_NOUNS or word in UNITS
    return not (
        verb
        or general
        or _is_degree(word)
        or len(word) < _SHORTEST
        or word.endswith(_ADJECTIVES)
        or kinds[:1] == ["own"]
    )


def _is_degree(word: str) -> bool:
    """Whether it says how much of something: "the longest"."""
    return word.endswith("est") and stem(word.removesuffix("est")) in GENERAL


def _rarity(wording: str, rank: WordRank) -> float:
    """How seldom its rarest word is written; two words tell more than one."""
    words = wording.casefold().split()
    return max(math.log(rank(word) or _RARE) for word in words) * (1.0 + 0.2 * (len(words) - 1))
