"""Whom a title names, who speaks, whom all is told of, the name that comes back; and from when to when. Pure."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date
from functools import cache
from typing import NamedTuple

from precis import patterns as re
from precis.engine.titles.noun_phrases import TOKEN, body
from precis.language import tables
from precis.language.chitchat import MOODS
from precis.language.dates import MONTHS_ELSEWHERE, months_between
from precis.language.grammar import AMBIGUOUS_FORMS, FORMS, PEOPLE, REPORTS
from precis.language.languages import spoken_abroad
from precis.language.script import is_foreign, is_grammar, languages_of
from precis.language.sentences import sentences
from precis.language.vocabulary import LONGEST, NO_NOUNS, PLAIN, SECRETS, does
from precis.language.words import STOP_WORDS, stem
from precis.summary import speaker_of

_VERBS = REPORTS | frozenset(tables.words("tenses.have"))
_ROLES = frozenset(tables.words("titles.roles") + tables.words("cues.leads"))
#: Who answers: an assistant or a tool.
_ANSWERING = tables.words("titles.answering")
_ANSWER = f"(?:{'|'.join(_ANSWERING)})"
#: Most persons of a title. A name comes back that stands in so many statements.
_PERSONS, _OFTEN = 3, 2
#: Whoever opens this share of the statements is whom all is told of.
_MOSTLY = 0.75
#: What tells nothing in a phrase that stands but once.
GENERAL = PLAIN | MOODS
_WHOSE = r"\b(?:[Mm]y|[Oo]ur|[Tt]he|[Hh]is|[Hh]er|[Tt]heir)|['\u2019]s"
#: A name in letters of Russian or Ukrainian, and what a case may end it with.
_CYRILLIC_NAME = re.compile(r"\b[А-ЯЁЄІЇ][а-яёєії]{2,}\b")
_CASES, _VOWELS = ("а", "у", "ом", "е", "ой", "ы"), "аеёиоуыэюяьй"
#: What is called so in small letters.
_SMALL_NAME = re.compile(r"[a-z]{2,}(?:-[a-z0-9]{2,})+(?![\w-])")
_OWNED = re.compile(r"['\u2019]s\b")
#: "Mrs" is nobody's name.
NO_SUBJECTS = frozenset(tables.words("titles.no_subjects"))
#: A word with a capital before another, which may be a short form ("St. "), and behind it.
_BEFORE = r"(?<![^\W\d_])[^\W\d_a-z](?:[^\W\d_]+[ -]|[^\W\d_]\. )"
_AFTER = r"[ -][^\W\d_a-z][^\W\d_]+(?![^\W\d_])"


def people_of(texts: Sequence[str]) -> list[str]:
    """Who speaks, most first. Where most texts quote nobody, what a few open on is a heading."""
    spoken = ((speaker_of(text) or "").strip() for text in texts)
    speakers = Counter(filter(is_person, spoken))
    if speakers.total() <= len(texts) / 2:
        return []
    return [name for name, _ in sorted(speakers.items(), key=lambda pair: -pair[1])]


def without_answers(texts: Sequence[str]) -> list[str]:
    """Each statement as far as somebody says it who is no assistant, tool or system; empty where one says all of it."""
    asking = {re.escape(speaker) for text in texts if (speaker := speaker_of(text)) and speaker not in _ANSWERING}
    if not asking:
        return list(texts)
    answer = re.compile(rf"(?:^|\s+){_ANSWER}: .*?(?=\s(?:{'|'.join(sorted(asking))}): |$)", re.DOTALL)
    return [answer.sub("", text).strip() for text in texts]


def talking(texts: Sequence[str], named: str, language: str | None, told: Sequence[str]) -> list[str]:
    """Those who speak, without who hardly does where others do, else who is ``told`` of; of a mother, whose she is.

    Nobody's name stands before the illness or the medicine of somebody else; "Papa" does, where it is his.
    """
    if of_kin := whose_kin(named, texts, language):
        return of_kin
    people = people_of(texts)
    of_named = [body(text) for text in texts if any(word in text for word in named.split(", "))]
    listed_words = _words_of(language)
    if people and of_named and not any(map(listed_words.own.search, of_named)):
        kin = list(dict.fromkeys(match.group() for text in of_named for match in listed_words.kin.finditer(text)))
        if any(listed_words.health.search(text.lower()) for text in of_named):
            return kin if len(kin) == 1 and kin[0] not in named else []
    often = [who for who in people if sum(speaker_of(text) == who for text in texts) > len(texts) / _PERSONS]
    return often or people or list(told)


class _Words(NamedTuple):
    """By what a language speaks of whoever speaks, of relatives by that alone ("Papa"), and of illness."""

    own: re.Pattern[str]
    kin: re.Pattern[str]
    health: re.Pattern[str]


@cache
def _words_of(language: str | None) -> _Words:
    me = tables.choices(f"asides.{language}.me") if language in tables.entry("asides") else r"I|I['\u2019]\w+|me|we"
    own = rf"(?<!\w)(?:{me})(?!\w)"
    listed = (f"weighty.health.{name}" for name in tables.section("weighty.health") if name in {"English", language})
    names_of_health = "|".join(map(tables.choices, listed))
    suits = "|".join(tables.words("wishes.parts.suits"))
    return _Words(
        re.compile(own, re.IGNORECASE),
        re.compile(rf"(?<!\w)(?:{tables.choices('titles.called_by_kin')})(?!\w)"),
        re.compile(f"{tables.whole(names_of_health)}|{suits}"),
    )


def is_person(speaker: str) -> bool:
    """Whether a speaker is somebody: no role, nor the heading of a note ("Decided", "Draft plan", "Ana's answer")."""
    words = speaker.split()
    if speaker.casefold() in _ROLES or not speaker[:1].isalpha() or len(words) > LONGEST:
        return False
    if len(words) == 1:
        form = FORMS.get(speaker.casefold())
        return form is None or "participle" not in form.kinds
    small = {word for word in words if word.islower()}
    return (
        small.isdisjoint(STOP_WORDS)
        and small.isdisjoint(FORMS)
        and words[0].casefold() not in STOP_WORDS
        and not _OWNED.search(speaker)
    )


def listed(people: Sequence[str], joint: str = "and") -> str:
    """Their names, as far as a title has room for them, with the word of its language between the last two.

    Where none is known, a comma stands there.
    """
    if len(people) > _PERSONS:
        return f"{', '.join(people[:2])} and others" if joint == "and" else f"{', '.join(people[:2])} \u2026"
    between = f" {joint} " if joint.isascii() or joint[:1] < "\u3000" else joint
    return (between if joint else ", ").join(filter(None, (", ".join(people[:-1]), *people[-1:])))


def told_of(texts: Sequence[str]) -> list[str]:
    """Whom, or what, all is told of, where nobody speaks: "Bart won.", "On Monday Bart lost."."""
    bodies = [[TOKEN.findall(part) for part in sentences(body(text))] for text in texts]
    seen = Counter(token for parts in bodies for token in {token for tokens in parts for token in tokens})
    mostly = max(_OFTEN, _MOSTLY * len(texts))
    often = {token for token, times in seen.items() if times >= mostly and not seen[token.lower()]}
    places = ((tokens, at) for parts in bodies for tokens in parts for at in range(len(tokens)) if tokens[at] in often)
    names = list(dict.fromkeys(tokens[at] for tokens, at in places if is_name(tokens, at)))
    names = [name for name in names if not any(_is_secret(name, parts) for parts in bodies)]
    return sorted(names, key=lambda name: -seen[name])[:1]


def called(texts: Sequence[str], people: Sequence[str]) -> list[str]:
    """The name that comes back, of nobody who speaks or is spoken to; where somebody said who that is, with it."""
    speakers = {word for who in people for word in who.split()}
    bodies = [[TOKEN.findall(part) for part in sentences(body(text))] for text in texts]
    seen = Counter(
        name
        for parts in bodies
        for name in dict.fromkeys(
            _OWNED.sub("", token) for tokens in parts for at, token in enumerate(tokens) if is_name(tokens, at)
        )
    )
    lower = {token for parts in bodies for tokens in parts for token in tokens if token.islower()}
    seen = Counter({name: n for name, n in seen.items() if not any(_is_secret(name, parts) for parts in bodies)})
    names = seen.keys() - speakers
    often = [
        name for name in seen if name in names and name.lower() not in lower | NO_SUBJECTS and seen[name] >= _OFTEN
    ]
    best = max(often, key=lambda name: seen[name], default=None)
    return [] if best is None else [introduced(best, texts)]


def whose(named: str, texts: Sequence[str]) -> str:
    """A title that is no more than who somebody is to another ("sister", "Bo: boss"), with whose, if all say the same.

    "My" is of who speaks, "your" of the other one where two talk.
    """
    role = named.rpartition(": ")[2].casefold()
    if " " in role or role not in PEOPLE:
        return named
    spoken = {speaker_of(text) for text in texts} - {None}
    owners = set[str]()
    for text in texts:
        speaker = speaker_of(text) or ""
        others = [who for who in spoken if who != speaker]
        for match in re.finditer(
            rf"(?:\b([A-Z][\w-]+)['\u2019]s|\b(my|our|your)) (?:[a-z]+ )?{role}\b", text, re.IGNORECASE
        ):
            of_other = others[0] if len(others) == 1 and len(spoken) == _OFTEN else ""
            owners.add(match[1] or (speaker if match[2].casefold() != "your" else of_other) or "")
    owner = "".join(owners) if len(owners) == 1 else ""
    return f"{owner}'s {role}" if owner[:1].isupper() and is_person(owner) else named


def _is_secret(name: str, parts: Sequence[Sequence[str]]) -> bool:
    """Whether a code stands beside a word of secrets: "the gate code is GX-44"."""
    if not any(map(str.isdigit, name)):
        return False
    return any(name in tokens and not SECRETS.isdisjoint(token.casefold() for token in tokens) for tokens in parts)


def is_name(tokens: Sequence[str], at: int) -> bool:
    """Whether a word has its capital for what it is: inside a sentence, or before what somebody does."""
    token, behind = _OWNED.sub("", tokens[at]), tokens[at + 1 : at + 2]
    before = tokens[at - 1] if at else ""
    low = token.casefold()
    if token.isupper() and len(token) > _OFTEN:
        return True
    if not token.istitle() or low in STOP_WORDS or low in NO_NOUNS or low in FORMS or stem(low) in GENERAL:
        return False
    if before in {"", ",", ".", "!", "?"} and behind in ([","], ["!"], ["?"], ["."]):
        return False  # who is spoken to
    opens = before in {"", ":"}
    verb = "".join(behind)
    return before.isalpha() if not opens else verb in AMBIGUOUS_FORMS or verb in _VERBS or does(tokens[at + 1 :])


def introduced(name: str, texts: Sequence[str]) -> str:
    """The name behind what somebody calls their own by it: "Ana's dog Rex"."""
    for text in texts:
        if f" {name}" not in text:
            continue  # an expression for each name is made only where it may fit
        speaker, match = speaker_of(text), re.search(rf"\b[Mm]y ([a-z]+(?: [a-z]+)?) {re.escape(name)}\b", text)
        if match and speaker and is_person(speaker):
            return f"{speaker}'s {match[1]} {name}"
        # "Our plumber, Dr Roe", and in the notes of an assistant "her deputy, Ana".
        if (
            f", {name}" in text
            and (match := re.search(rf"(?:{_WHOSE}) ([a-z]+(?: [a-z]+)?), {re.escape(name)}\b", text))
            and FORMS.keys().isdisjoint(match[1].split())
        ):  # "the bell rang, Ana knelt"
            return f"{match[1]} {name}"
    return name


def in_full(name: str, texts: Sequence[str]) -> str:
    """The name with the words that stand by it wherever it stands: "Sofie Peeters" of Peeters, and "Jean-Luc" of Luc.

    A single text says nothing: there, two words may stand side by side by chance.
    """
    bare = rf"(?<![^\W\d_]){re.escape(name)}(?![^\W\d_])"
    alone = sum(len(re.findall(bare, text)) for text in texts)
    for before, behind in ((_BEFORE, ""), ("", _AFTER)):
        pattern = re.compile(f"{before}{bare}{behind}")
        forms = Counter(match.group() for text in texts for match in pattern.finditer(text))
        form = "".join(forms) if len(forms) == 1 and forms.total() == alone > 1 else ""
        called = re.split("[ -]", form)
        if form and all(word[:1].isupper() and not is_grammar(word.casefold()) for word in called):
            return form
    return name


def span_of(days: Sequence[date], text: str, language: str | None, *, english: bool) -> str | None:
    """The months of these days in the language of the text, if they are known and it is plain, else in figures."""
    # "Comprei uma airfryer, 389 reais" has no accent, and a small word that is Italian too.
    if english or not (is_foreign(text) or languages_of(text)[1] or language in spoken_abroad(text)):
        return months_between(days)
    return months_between(days, months=MONTHS_ELSEWHERE.get(language or "", ()), named=False)


def opened(named: str, texts: Sequence[str]) -> str:
    """A title with a capital, unless it opens on what a statement opens on in small letters: "tracking-api"."""
    match = _SMALL_NAME.match(named)
    if match and any(body(text).startswith(match.group()) for text in texts):
        return named
    return named[:1].upper() + named[1:]


def in_the_nominative(named: str, texts: Sequence[str]) -> str:
    """A title with Cyrillic names as a dictionary has them, as far as the texts show that: no name where all bend it.

    Two endings of one name tell which it is: one is a man's who is called without any, two are a woman's who is called
    by the first of ``_CASES``. One alone may be either, and stays.
    """
    words = {word for text in texts for word in _CYRILLIC_NAME.findall(body(text))}
    return _CYRILLIC_NAME.sub(lambda match: _nominative(match.group(), words), named)


def _nominative(name: str, words: Collection[str]) -> str:
    for stem_of in {name[: -len(ending)] for ending in _CASES if name.endswith(ending)}:
        endings = {word.removeprefix(stem_of) for word in words if word.startswith(stem_of)} & {"", *_CASES}
        if len(stem_of) > _OFTEN and stem_of[-1] not in _VOWELS:
            if "" in endings or ("ом" in endings and len(endings) > 1):
                return stem_of
            if "а" not in endings and endings & {"ы", "ой"} and len(endings) > 1:
                return f"{stem_of}а"
    return name


@cache
def kin_in(language: str) -> re.Pattern[str]:
    """Who somebody is to another, as its word begins."""
    listed = " ".join(tables.section("kin.people").get(language, "").split())
    beginnings = (rf"{part.removesuffix('|')}(?!\w)" if part.endswith("|") else part for part in listed.split())
    return re.compile("|".join(beginnings) or "(?!)", re.IGNORECASE)


def whose_kin(named: str, texts: Sequence[str], language: str | None) -> list[str]:
    """Who says "ma mère" of the mother whom a title names, in a language that says so; others say "ta mère"."""
    if not language or not kin_in(language).match(named):
        return []
    own = re.compile(rf"(?<!\w)m\w{{1,5}} {re.escape(named)}(?!\w)", re.IGNORECASE)
    return list(dict.fromkeys(speaker for text in texts if own.search(text) and (speaker := speaker_of(text))))
