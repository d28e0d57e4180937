"""Who a sentence speaks of where that stands in a sentence before: told with it, or led by it, and never without."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from precis.checks.asides import Manners, manners_of
from precis.extractive.candidate import Candidate
from precis.extractive.leading import led_by_own
from precis.extractive.rendering import closed
from precis.extractive.weights.agents import is_agents
from precis.language import tables
from precis.language.chitchat import telling_in
from precis.language.dating.resolving import dated
from precis.language.grammar import LEADS, PEOPLE
from precis.language.script import is_foreign
from precis.language.sentences import is_entry, is_question, sentences
from precis.language.words import MARKS, kept, names
from precis.makers import Item
from precis.trust import KNOWN_ROLES

_ENGLISH = "English"
_DROPPING = frozenset(tables.words("persons.dropping.all"))
#: A word with a capital inside a sentence, where nouns have none.
_INSIDE = re.compile(r"(?<=[^\W\d_,] )[A-Z\u00c0-\u00de\u0400-\u042f][^\W\d_]+")
#: Letters of Japanese, and of it and Chinese.
_KANA, _HAN = re.compile(r"[\u3041-\u30fa]"), re.compile(r"[\u4e00-\u9fff]")
#: More sentences than this are not quoted for the sake of one.
_MOST = 4


class _Words(NamedTuple):
    """By what a language speaks of somebody who was named, of somebody, and of whoever writes."""

    third: re.Pattern[str]
    people: re.Pattern[str]
    own: re.Pattern[str]
    topic: re.Pattern[str] | None
    drops: bool
    named: bool


@cache
def _words_of(language: str) -> _Words | None:
    """Those of a language; None where they are not known."""
    unspaced = language in tables.section("persons.people_unspaced")
    if unspaced:
        third, people = (
            tables.entry("persons.third_unspaced")[language],
            tables.entry("persons.people_unspaced")[language],
        )
        topic = tables.section("persons.topic").get(language)
        own = tables.section("persons.own")[language]
        return _Words(
            re.compile(third), re.compile(people.replace("\n", "")), re.compile(own),
            re.compile(topic) if topic else None, drops=True, named=False,
        )  # fmt: skip
    if language not in tables.section("persons.third") or language not in tables.section("kin.people"):
        return None
    mine = [*tables.words(f"kin.first.{language}"), *tables.section("kin.my").get(language, "").split()]
    endings = tables.section("persons.own").get(language)
    own = "|".join((*(re.escape(word) for word in mine), *([endings] if endings else [])))
    return _Words(
        _whole(tables.choices(f"persons.third.{language}")), _whole(_people(language)), _whole(own), None,
        drops=language in _DROPPING, named=language != "German",
    )  # fmt: skip


def _people(language: str) -> str:
    if language == _ENGLISH:
        return "|".join(sorted(map(re.escape, PEOPLE), key=len, reverse=True))
    listed = (word.replace("_", " ") for word in tables.words(f"kin.people.{language}"))
    return "|".join(re.escape(word[:-1]) if word.endswith("|") else rf"{re.escape(word)}\w*" for word in listed)


def _whole(choices: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w{MARKS}])(?:{choices})(?![\w{MARKS}])", re.IGNORECASE)


def opens_on_somebody(sentence: str, before: str, talk: str) -> bool:
    """Whether in the language of a talk it opens on a word for who is named before it: "Sie ist allergisch"."""
    listed = _words_of(_language(talk, None, english=False))
    third = listed.third.search(sentence) if listed else None
    if listed is None or third is None or sentence[: third.start()].strip(' \u00bf\u00a1"'):
        return False
    return _first_person_in(before, listed) < len(before)


def with_their_person(
    options: Sequence[Candidate], items: Sequence[Item], manners: Manners | None, *, english: bool
) -> list[Candidate]:
    """The candidates, each bound to those of the sentences before in which stands of whom it speaks.

    Where one of these is no candidate, it is quoted with it. Of English talks of several people it is only known what
    opens on a word that points back: whoever else spoke may have named whom they speak of.
    """
    if english and len({item.speaker for item in items if item.speaker and not is_agents(item)}) > 1:
        return list(options)
    of_item: dict[int, list[int]] = {}
    for at, option in enumerate(options):
        if not (option.derived or option.caption or option.code or len(option.sources) > 1):
            of_item.setdefault(option.item, []).append(at)
    every = list(options)
    for item, places in of_item.items():
        parts = tuple(sentences(items[item].text))
        needs = _needs(parts, _language(items[item].text, manners, english=english)) if len(parts) > 1 else {}
        for at in places:
            wanted = needs.get(every[at].sentence, ())
            if wanted and every[at].clause == 0 and not _tells_it(every[at], parts, wanted):
                _bind(every, at, wanted, [other for other in places if other < at], parts, items[item])
    return every


def _language(text: str, manners: Manners | None, *, english: bool) -> str:
    if english and not is_foreign(text):
        return _ENGLISH
    if _KANA.search(text) or _HAN.search(text):
        return "Japanese" if _KANA.search(text) else "Chinese"
    own = manners_of([text]) or manners
    return own.language if own else ""


def _tells_it(option: Candidate, parts: Sequence[str], wanted: Sequence[int]) -> bool:
    """Whether it opens on the first of the sentences already: halves that stand together, a whole note."""
    opening = parts[wanted[0]].strip(" .!?\u3002\uff01")
    return opening[:20].casefold() in option.text.casefold()


def _bind(
    every: list[Candidate], at: int, wanted: Sequence[int], before: Sequence[int], parts: Sequence[str], item: Item
) -> None:
    """Tie a candidate to those of the sentences it needs, in their order; what is no candidate is put before it."""
    chain = [other for other in before if every[other].sentence in wanted]
    told = {every[other].sentence for other in chain}
    told |= {number for number in wanted for other in chain if parts[number].strip(" .")[:20] in every[other].text}
    # "Good idea." names nobody.
    missing = [number for number in wanted if number not in told and telling_in(parts[number])]
    if missing and len(missing) <= _MOST:
        quoted = " ".join(closed(dated(parts[number], item.day, whole=item.text)) for number in missing)
        if not chain or missing[0] < every[chain[0]].sentence:
            first = chain[0] if chain else at
            every[first] = _behind(every[first], quoted)
        else:
            every[at] = _behind(every[at], quoted)
    for earlier, later in pairwise([*chain, at]):
        if every[later].points_to is None:
            every[later] = replace(every[later], points_to=earlier, dangling=False)


def _behind(option: Candidate, quoted: str) -> Candidate:
    return led_by_own(option, quoted) if quoted.casefold() not in option.text.casefold() else option


@kept
def _needs(parts: tuple[str, ...], language: str) -> dict[int, tuple[int, ...]]:
    """For each sentence of a text that speaks of somebody named before those without which nobody knows of whom."""
    listed = _words_of(language)
    if listed is None or sum(map(is_entry, parts)) > 1:
        return {}
    run: list[int] = []
    needs: dict[int, tuple[int, ...]] = {}
    of_writer = False
    for number, sentence in enumerate(parts):
        person, third = _first_person_in(sentence, listed), listed.third.search(sentence)
        own = listed.own.search(sentence) is not None
        if number and third is not None and third.start() < person:
            needs[number] = _nearest(run, number, parts, listed)
            run.append(number)
        elif person < len(sentence):
            run.append(number)
        elif is_question(sentence) or own:
            of_writer = own or of_writer
            continue
        elif listed.drops and run and not of_writer:
            needs[number] = tuple(run)
            run.append(number)
        elif number and listed.topic is not None and not listed.topic.search(sentence):
            needs[number] = (*needs.get(number - 1, ()), number - 1)
        of_writer = False
    return needs


def _nearest(run: Sequence[int], number: int, parts: Sequence[str], listed: _Words) -> tuple[int, ...]:
    """The sentences from the last one that names somebody on; the one right before where none does."""
    named = [at for at in run if _first_person_in(parts[at], listed) < len(parts[at])]
    return tuple(at for at in run if at >= named[-1]) if named else (number - 1,)


def _first_person_in(sentence: str, listed: _Words) -> int:
    """Where a sentence names somebody first; its length where it does not."""
    places = [match.start() for match in [listed.people.search(sentence)] if match]
    if listed.named:
        places += [match.start() for match in [_INSIDE.search(sentence)] if match]
        places += [sentence.find(name) for name in names(sentence)[:1]]
    return min(places, default=len(sentence))


# --- who speaks, where the texts say it themselves ---

#: A name before a colon, of one to three words in any script.
_SPOKEN = re.compile(
    rf"(?P<name>[^\W\d_][\w{MARKS}'\u2019.-]{{0,30}}(?: [\w{MARKS}'\u2019.-]{{1,30}}){{0,2}})(?:: +|\uff1a ?)(?=\S)"
)
#: A capital opens one or two words that name a speaker, wherever they stand.
_CAPITALIZED = 2


def with_speakers(items: Sequence[Item]) -> list[Item]:
    """The items with their speaker apart where their text opens with it: "Ana: ...", "user: ...", "서연: ...".

    Else a sentence from the middle of one would stand without the name, next to what somebody else said. What has no
    capital may be a heading ("Gate code: 4471"): it is a speaker's where most of the items open so, with several names.
    """
    openings = [None if item.derived or item.speaker else _SPOKEN.match(item.text) for item in items]
    names = [opening["name"] if opening and opening["name"].casefold() not in LEADS else "" for opening in openings]
    times = Counter(filter(None, names))
    is_talk = len(times) > 1 and 2 * times.total() > len(items)
    is_whole = len(items) > 1 and times.total() == len(items)

    def is_speaker(name: str) -> bool:
        parts = name.split()
        if name.casefold() in KNOWN_ROLES or (len(parts) <= _CAPITALIZED and all(part[0].isupper() for part in parts)):
            return True
        return (is_talk and (is_whole or times[name] > 1)) or (is_whole and len(parts) == 1)

    return [
        replace(item, speaker=name, text=item.text[opening.end() :]) if opening and name and is_speaker(name) else item
        for item, opening, name in zip(items, openings, names, strict=True)
    ]
