"""Titles without a model: who it is about, what noun phrase is theirs, and from when to when. Pure.

Every word of a title stands in a statement, but for the months that its sources are of. A noun phrase is words behind a
determiner or a preposition, of which most come back in other statements; who says "my" of it owns it. Where none is
good enough, it is the object that comes back, else what is told of once, "and more", and else who spoke and when.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date

from precis.checks.asides import manners_of
from precis.engine.titles import shared, tellings
from precis.engine.titles.abroad import (
    is_in_english,
    language_of,
    may_be_a_subject,
    mentioned_abroad,
    notable_abroad,
    without_likening,
)
from precis.engine.titles.apart import ENGLISH, NO_NAMES, covering, foremost, in_company, is_bare, notable, told_apart
from precis.engine.titles.held import back, back_abroad, in_one_phrase
from precis.engine.titles.names import (
    GENERAL,
    called,
    in_the_nominative,
    introduced,
    is_person,
    listed,
    opened,
    people_of,
    span_of,
    talking,
    told_of,
    whose,
    without_answers,
)  # fmt: skip
from precis.engine.titles.noun_phrases import ASIDE, TOKEN, Phrase, body, phrases_of, single_nouns_of
from precis.language import tables
from precis.language.chitchat import MOODS, untimed
from precis.language.grammar import AMBIGUOUS_FORMS, FORMS
from precis.language.vocabulary import is_noun
from precis.language.words import names, stem
from precis.makers import WordRank
from precis.summary import Statement, speaker_of

#: Those who are in much that somebody tells: what they do with them is what it is about.
_KIN = frozenset(tables.words("titles.kin"))
_PHRASES, READ = 2, 4_000  #: Most noun phrases of a title; characters of a text that are read for one.
#: What stands in this share of the statements is what they are about.
_NEARLY_ALL = 0.75
_TALKING = 2  #: So many people who talk are named beside what they talk of.
#: A phrase is good that stands in so many statements, or each of whose words does; one common word in more than that.
_OFTEN = 2
#: The second must be worth this share of the first; an owner says this share of what is said of it.
_SECOND, _OWNED = 0.55, 0.7


def title_of(
    statements: Sequence[Statement],
    days: Mapping[str, date] | None = None,
    taken: Collection[str] = (),
    *,
    rank: WordRank = lambda _: None,
    members: Sequence[str] = (),
) -> str | None:
    """A title of served statements; ``days`` are those of their sources. None without a noun phrase or name.

    It is told from those that are ``taken``: titles of other summaries of the same user. Of nouns that come back in no
    other statement, those that ``rank`` says are rare tell most. ``members`` are the texts of which the summary was
    made: what most of them have is what it is about, where the statements by themselves do not show that.
    """
    served = [statement for statement in statements if statement.superseded_by is None]
    texts = [statement.text[:READ] for statement in served]
    # Of what is quoted with its answer the weight is that of both.
    weighed = zip(without_answers(texts), texts, (statement.importance for statement in served), strict=True)
    parts = sorted(weighed, key=lambda it: (it[0] != it[1], -it[2]))
    # What an assistant explains to one it explains to others, too: what somebody comes for is in their own words.
    asked = [part for part, _, _ in parts if part]
    english, named = is_in_english(texts, members), ""
    if 0 < len("".join(asked)) < len("".join(texts)):
        named = _named(asked, taken, rank, () if english else texts, english=is_in_english(asked, texts))
    told = texts if english else [text for _, text, _ in sorted(parts, key=lambda it: -it[2])]
    if not named or named in people_of(asked):
        named = _named(told, taken, rank, members, english=english) or named
    language = None if english else language_of(texts, manners_of(texts))
    days_of = [days[id_] for statement in served for id_ in statement.source_ids if days and id_ in days]
    span = span_of(days_of, " ".join(texts), language, english=english)
    return ", ".join(filter(None, [opened(named, texts), span])) if named else None


def _named(
    texts: Sequence[str], taken: Collection[str], rank: WordRank, members: Sequence[str], *, english: bool
) -> str:
    """What and whom texts are about; empty where nothing tells."""
    manners = None if english else manners_of(texts)
    language = None if english else language_of(texts, manners)
    topics = texts if english else [without_likening(untimed(body(text)), language or "") for text in texts]
    bare = [manners.topical(text) for text in topics] if manners else topics
    spoken = people_of(texts)
    people = spoken or (told_of(texts) if english else [])
    named = (
        _topic(texts, people, members or texts, taken)
        if english
        else back_abroad(topics, bare, spoken, language, manners)
    )
    people = talking(texts, named, language, people) if named else people
    tongue = ENGLISH if english else language
    if is_bare(named, texts, tongue):
        named = in_company(named, texts, [*spoken, *named.split()], tongue, rank)
    if english and named and not people:  # "Dad's hip", "Dad walked": of all that is told it is whose it is
        people = told_of([tellings.without_owning(text) for text in texts])
    joint = "and" if english else tables.section("titles.joints").get(language or "", "")
    if named and 0 < len(people) <= _TALKING and not any(person in named for person in people):
        named = f"{listed(people, joint)}: {named.replace(': ', ', ')}"
    if not named and english and not spoken:
        people = [tellings.in_full_behind(name, texts) for name in people]
    if not named and len(people) <= _TALKING and (people or not english):
        nouns = notable(texts, people, rank) if english else notable_abroad(texts, people, language or "")
        if not nouns and not english:
            again = tellings.back_among(members, topics, people, language)
            nouns = ", ".join(again) or mentioned_abroad(topics, people, language)
        named = ": ".join([*filter(None, [listed(people, joint)]), nouns]) if nouns else ""
    named = named or listed(people, joint) or (foremost(texts) if english else "")
    named = named or (_noun_back(topics) if english else back(bare, language)) or _names(topics, language)
    named = (
        whose(shared.of_most(named, texts, members), texts)
        if english
        else in_the_nominative(in_one_phrase(named, texts), texts)
    )
    return told_apart(named, texts, people, taken, rank) if taken and named else named


def _topic(texts: Sequence[str], people: Sequence[str], members: Sequence[str], taken: Collection[str]) -> str:
    """What English texts are about: what comes back, else what one of them tells, else kin, of whom all may tell."""
    texts = [tellings.without_sayings(text) for text in texts]
    best = _phrases(texts, people)
    kin = [phrase for phrase in best if _is_kin(phrase)]
    best = [phrase for phrase in best if phrase not in kin] or called(texts, people) or _shared(texts, people)
    best = [best[0] if " " in best[0] else tellings.in_compound(best[0], texts)] if len(best) == 1 else best
    best = [introduced(best[0], texts)] if len(best) == 1 and best[0][:1].isupper() else best
    if kin and all(map(_is_general, best)):
        best = kin
    telling = tellings.particular(texts)
    if len(best) == 1 and len(telling) > 1 and _is_general(best[0]) and _standing(best[0], texts) <= len(texts) / 2:
        best = []
    elif len(best) == 1 and (owned := tellings.own_word(best[0])):
        # What is somebody's own stands in many of their summaries: beside it stands what this one tells.
        if _standing(best[0].split()[-1], texts) >= _NEARLY_ALL * len(texts):
            return best[0]
        return ": ".join([best[0], *tellings.particular(texts, besides=[*people, *owned], core=True)[:1]])
    tie = next((tie for who in people if (tie := tellings.tied(who, texts))), "")
    if not best and not tie and (subject := covering(texts, members, people, taken)):
        return tellings.in_compound(subject, texts)
    if best or people_of(texts):
        return tellings.merged(best, texts) or tellings.listing(telling, len(texts)) or _last(texts, people)
    return tie or tellings.listing(telling, len(texts))


def _last(texts: Sequence[str], people: Sequence[str]) -> str:
    return "".join(_shared(texts, people, share=1 / 3)) or tellings.pair_of_nouns(texts)


def _standing(word: str, texts: Sequence[str]) -> int:
    """In how many texts a word stands, in whatever form."""
    root = stem(word.casefold())
    return sum(any(stem(token.casefold()) == root for token in TOKEN.findall(body(text))) for text in texts)


def _is_general(phrase: str) -> bool:
    return " " not in phrase and stem(phrase.casefold()) in GENERAL


def _is_kin(phrase: str) -> bool:
    """Whether it only says which people of somebody: "kids", "Ola's sister"."""
    return phrase.casefold() in _KIN or (tellings.own_word(phrase) or ("", ""))[1].casefold() in _KIN


def _noun_back(texts: Sequence[str]) -> str:
    """What comes back in English texts, if it may be a noun: no feeling, and nothing that somebody does."""
    word = back(texts, None)
    low = word.casefold()
    is_none = low in FORMS or low in AMBIGUOUS_FORMS or stem(low) in MOODS or stem(low) in GENERAL
    return word if is_noun(low) or not is_none else ""


def _names(texts: Sequence[str], language: str | None) -> str:
    """The first names of all, where nothing comes back; in German these are nouns."""
    every = dict.fromkeys(
        name
        for text in texts
        for name in names(body(text))
        if may_be_a_subject(name, language) and name.casefold() not in NO_NAMES
    )
    return ", ".join(list(every)[:_PHRASES])


def _phrases(texts: Sequence[str], people: Sequence[str]) -> list[str]:
    """The best noun phrase, with its owner, and another about something else where that is nearly as good.

    A common word by itself has to stand in more than two statements, unless there is nothing else.
    """
    names = {name.casefold() for name in people}
    places: dict[tuple[str, ...], list[Phrase]] = defaultdict(list)
    for text in texts:
        phrases = sorted(phrases_of(text), key=lambda phrase: phrase.sure)
        phrases = [phrase for phrase in phrases if phrase.text.casefold() not in names]
        for phrase in {phrase.stems: phrase for phrase in phrases}.values():
            places[phrase.stems].append(phrase)
    tokens = (TOKEN.findall(ASIDE.sub(" ", text)) for text in texts)
    words_of_texts = [frozenset(stem(word.casefold()) for word in of_text) for of_text in tokens]
    often = Counter(term for stems in words_of_texts for term in stems)
    worth = {
        stems: _worth(stems, len(phrases), often)
        for stems, phrases in places.items()
        if any(phrase.sure for phrase in phrases) or len(phrases) >= (_OFTEN if len(stems) > 1 else _OFTEN + 1)
    }
    good = [stems for stems in worth if worth[stems] > 0]
    named = {stems for stems in good if all(phrase.text[:1].isupper() for phrase in places[stems])}
    first = [stems for stems in good if len(stems) > 1 or len(places[stems]) > _OFTEN or stems in named] or good
    order = sorted(first, key=lambda stems: -worth[stems])
    best: list[tuple[str, ...]] = []
    for stems in order:
        if len(best) < _PHRASES and not any(set(stems) & set(other) for other in best):
            if best and worth[stems] < _SECOND * worth[best[0]]:
                break
            best.append(stems)
    spoken = [_owned(places[stems], words_of_texts, texts) for stems in best]
    pairs = (" ".join(pair) for pair in (spoken, spoken[::-1]) if len(pair) > 1)
    return next(([pair] for pair in pairs if any(pair.casefold() in text.casefold() for text in texts)), spoken)


def _shared(texts: Sequence[str], people: Sequence[str], share: float = 1 / 2) -> list[str]:
    """The noun, or what people do, that stands in most statements, in half of them or more; a general one last."""
    names = {name.casefold() for name in people}
    places: dict[tuple[str, ...], list[Phrase]] = defaultdict(list)
    for text in texts:
        nouns = sorted(single_nouns_of(text), key=lambda phrase: (phrase.is_object, phrase.sure))
        for phrase in {noun.stems: noun for noun in nouns if noun.text.casefold() not in names}.values():
            places[phrase.stems].append(phrase)
    words_of_texts = [frozenset(stem(word.casefold()) for word in TOKEN.findall(body(text))) for text in texts]
    standing = {stems: sum(set(stems) <= words for words in words_of_texts) for stems in places}
    objects = {stems for stems, phrases in places.items() if any(phrase.is_object for phrase in phrases)}
    sure = {stems for stems, phrases in places.items() if len(phrases) >= _OFTEN and any(noun.sure for noun in phrases)}
    often = [
        stems for stems in places if standing[stems] >= max(_OFTEN, len(texts) * share) and stems in objects | sure
    ]

    def rank(stems: tuple[str, ...]) -> tuple[bool, bool, int, int]:
        return GENERAL.isdisjoint(stems), stems in objects, standing[stems], len(places[stems])

    return [_owned(places[stems], words_of_texts, texts) for stems in sorted(often, key=rank, reverse=True)[:1]]


def _worth(stems: tuple[str, ...], standing: int, often: Mapping[str, int]) -> float:
    """How many statements it, and its words, stand in; two words tell more than one."""
    spread = sum(often[term] for term in stems) / len(stems)
    if standing < _OFTEN and (len(stems) < _OFTEN or min(often[term] for term in stems) < _OFTEN):
        return 0.0
    return (standing + 0.5 * spread + 0.5 * often[stems[-1]]) * (1.0, 1.6, 1.65)[len(stems) - 1]


def _owned(places: Sequence[Phrase], words_of_texts: Sequence[frozenset[str]], texts: Sequence[str]) -> str:
    """The phrase behind the name of the one who calls it their own."""
    stems = set(places[0].stems)
    # "Allergies" is the noun, "allergic" is none.
    spellings = Counter(phrase.text for phrase in places)
    nouns = [text for text in spellings if not text.endswith("ic")] or list(spellings)
    text = tellings.capitals(max(nouns, key=lambda spelling: spellings[spelling]), texts)
    saying = (statement for statement, words in zip(texts, words_of_texts, strict=True) if stems <= words)
    speakers = Counter(map(speaker_of, saying))
    speaker, times = max(speakers.items(), key=lambda pair: pair[1])
    of = Counter(phrase.owner for phrase in places if phrase.owner)
    if of and max(of.values()) >= _OWNED * sum(phrase.sure for phrase in places):
        owner = max(of, key=lambda name: of[name])
        return f"{owner} {text}"
    owns = any(phrase.own and phrase.speaker == speaker for phrase in places)
    if speaker is None or not owns or not is_person(speaker) or times < _OWNED * speakers.total():
        return text
    return f"{speaker}'s {text}"
