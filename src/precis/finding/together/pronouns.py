"""Who "she" and "my boss" are in a talk: messages that go on about somebody by a pronoun, or by another name."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from precis.finding import kinds, parts
from precis.finding.doubts.bearers import is_firm
from precis.finding.names import people
from precis.finding.nouns import singular
from precis.finding.reading import Word, folded, read_words, sentence_spans, word_from, words_before
from precis.finding.tables import all_words, languages, name_words, raw, words_of
from precis.finding.together.by_pronoun import Rival, genders_in, only_object, rival_of
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written.languages import language_of
from precis.finding.written.speaking import RELATIONS, is_german_noun
from precis.language.words import STOP_WORDS

_Bounds = Callable[[Row], Iterable[Match]]
#: In how many messages behind a name a pronoun may still take it up.
_REACH = 6
#: How many words may stand between a role and the name of who has it.
_BETWEEN = 4
#: A label has fewer characters.
_LABEL = 40
#: A sentence of fewer words that has a pronoun may only confirm whom another meant: "Yes, him."
_CONFIRMS = 4
#: Groups of words by which somebody is asked for: "my neighbors", "my doctor".
_PERSONS = RELATIONS | {"role", "doctor"}
#: Whose messages between two of the user's change nothing of whom those are about.
MACHINES = frozenset("assistant system tool ai bot".split())


@dataclass(frozen=True, slots=True)
class _Talk:
    """A session behind a message that names whom it is about."""

    #: Whether it named nobody else.
    alone: bool
    #: How many messages ago somebody was last meant.
    gap: int
    #: By what other names they were introduced.
    names: frozenset[str]
    #: Who said it last.
    speaker: str = ""
    #: The word before a colon with which the message that named them begins.
    label: str = ""


def take_up(
    rows: Sequence[Row],
    matches: dict[str, Match],
    about: Callable[[Row], Match],
    bounds: _Bounds,
    own: Collection[str],
    language: str,
) -> None:
    """Raise what goes on about somebody behind a message of the same session that names them alone.

    ``about`` says whether a row names them, ``bounds`` what else holds of it; ``own`` are the words of their name and
    the user's names, ``language`` that of the request.
    """
    tongues = _tongues(rows, language)
    talks: dict[str, _Talk] = {}
    genders = Counter[str]()
    for row in rows:
        match = about(row) if matches[row.id].level is Level.SURE else Match(level=Level.NO)
        named = match.level is Level.SURE
        if named and _is_only_spoken(row, match.spans, own):
            continue  # who speaks is no "she" of those who answer
        if row.session_id is None or not (named or row.session_id in talks):
            continue
        talk = talks.get(row.session_id, _Talk(alone=True, gap=0, names=frozenset()))
        known = talk.names | frozenset(names_introduced(row.text, match.spans) if named else ())
        # Of "Ana: he is back" behind "Ana: Tom rang" Ana is who says it, and nobody else who is named.
        label = label_of(row.text)
        aside = {*own, *known, *((label,) if named or label == talk.label else ())}
        others = any(low not in aside for low in _named(row.text))
        rival = rival_of(row.text, match.spans if named else (), aside)
        if named:
            talks[row.session_id] = _Talk(
                alone=not others and rival is None, gap=0, names=known, speaker=folded(row.speaker or ""), label=label
            )
            genders.update(genders_in(row.text) if rival is None and not others else ())
            continue
        others = others or rival is Rival.TAKEN or _is_of_other_gender(row.text, genders)
        again = _go_on(row, talk, tongues[row.session_id], others=others, rival=rival)
        if again is not None:
            _raise(row, again, bounds, matches)
            genders.update(genders_in(row.text) if again is Level.SURE else ())
        talks[row.session_id] = _next(row, talk, again, others=others or rival is not None)
        if others or talk.gap >= _REACH:
            del talks[row.session_id]


def _is_only_spoken(row: Row, spans: Collection[Span], own: Collection[str]) -> bool:
    """Whether a message is only by who was asked for, and does not name them."""
    words = read_words(row.text)
    named = len(words) == 1 and words[0].low in own
    return bool(row.speaker) and not named and all(span == (0, len(row.text)) for span in spans)


def _is_of_other_gender(text: str, genders: Mapping[str, int]) -> bool:
    """Whether it only says "he", where all that was said of who was asked for was "she"."""
    said = set(genders_in(text))
    return len(said) == 1 and len(genders) == 1 and said.isdisjoint(genders)


def _go_on(row: Row, talk: _Talk, tongue: str, *, others: bool, rival: Rival | None) -> Level | None:
    """How surely a message goes on about who was named in its session; None where it does not."""
    if talk.gap >= _REACH:
        return None
    if others:
        opens = talk.gap == 0 and _opens_with_pronoun(row.text)
        return Level.DOUBTFUL if opens else None
    places = [span for _, span, _ in places_of_names(row.text, talk.names)]
    if is_firm(row.text, places):
        return Level.DOUBTFUL
    called = not talk.names.isdisjoint(_named(row.text))
    if not (_taken_up(row.text, tongue) or called):
        return None
    by_another = bool(row.speaker) and not {folded(row.speaker or ""), talk.speaker} & {"", *MACHINES}
    by_another = by_another and folded(row.speaker or "") != talk.speaker and only_object(row.text)
    sure = talk.alone and talk.gap == 0 and (called or rival is None) and not by_another
    sure = sure and not _only_confirms(row.text, tongue)
    return Level.SURE if sure else Level.DOUBTFUL


def _next(row: Row, talk: _Talk, again: Level | None, *, others: bool) -> _Talk:
    if again is Level.SURE:
        return replace(talk, gap=0, speaker=folded(row.speaker or ""))
    talk = replace(talk, alone=talk.alone and not others)
    silent = row.speaker is not None and folded(row.speaker) in MACHINES and again is None and not others
    return talk if silent else replace(talk, gap=talk.gap + 1)


def places_of_names(text: str, introduced: Collection[str]) -> Iterator[tuple[str, Span, bool]]:
    """Where a text has one of these names, and whether it stands alone: not "Lasse Berg", not "my boss Lasse"."""
    words = read_words(text)
    for at, word in enumerate(words):
        if word.low not in introduced or not word.capital:
            continue
        before, behind = words[at - 1] if at else None, words[at + 1] if at + 1 < len(words) else None
        long = behind is not None and behind.capital and behind.gap == " " and not word.owns
        long = long or (before is not None and before.capital and word.gap == " " and not word.opens and at > 1)
        role = before is not None and (kinds.is_person(before.low) or before.low in name_words("others"))
        verbal = word.opens and word.low in STOP_WORDS  # "Will you ..."
        yield word.low, (word.start, word.end), not (long or role or verbal)


def names_introduced(text: str, spans: Sequence[Span]) -> Iterator[str]:
    """The names of who has the role at these places: "My boss is called Ferrer", "Ferrer, our boss"."""
    words = read_words(text)
    named = {place for place, _ in _name_places(words, text)}
    for start, end in spans:
        behind, before = word_from(words, end), words_before(words, start) - 1
        if before == 0 and label_of(text) and text[start : start + 1].isupper():
            before = -1  # who says it: "Ana: Tom rang"
        yield from _towards(words, named, range(behind, min(len(words), behind + _BETWEEN)))
        yield from _towards(words, named, range(before, max(-1, before - _BETWEEN), -1))


def label_of(text: str) -> str:
    """The word with which a text begins, where a colon is right behind it; it may be who says the text."""
    words = read_words(text[:_LABEL])[:1]
    return words[0].low if words and words[0].capital and text.startswith(":", words[0].end) else ""


def _towards(words: Sequence[Word], named: Collection[int], places: range) -> Iterator[str]:
    """The name behind words that only say that it is one, and what directly belongs to it."""
    met = False
    for at in places:
        if at in named:
            met = True
            yield words[at].low
        elif met or words[at].low not in name_words("introduces") | name_words("titles") | all_words("first"):
            return


def _named(text: str) -> list[str]:
    return [low for _, low in _name_places(read_words(text), text)]


def _name_places(words: Sequence[Word], text: str) -> Iterator[tuple[int, str]]:
    """Where somebody is named, also behind a title: "Mrs. Aldous"."""
    starts = {start for start, _, _ in persons(text)}
    apposed = {at for at, _ in enumerate(words) if _is_apposed(words, at)}
    for at, word in enumerate(words):
        titled = at > 0 and words[at - 1].low in name_words("titles") and word.capital and words[at - 1].capital
        if titled or at in apposed or (word.start in starts and word.low not in name_words("titles")):
            yield at, word.low


def _is_apposed(words: Sequence[Word], at: int) -> bool:
    """Whether what opens a sentence is a name that a pronoun takes up within it: "Yannick, lui, travaille"."""
    if not (words[at].opens and words[at].capital) or at + 1 >= len(words) or "," not in words[at + 1].gap:
        return False
    return words[at + 1].text.lower() in name_words("opening_persons") | all_words("third")


def _raise(row: Row, level: Level, bounds: _Bounds, matches: dict[str, Match], spans: tuple[Span, ...] = ()) -> None:
    """A row is meant after all, as far as it lies within the bounds."""
    level = min([level, *(match.level for match in bounds(row))])
    if level >= Level.DOUBTFUL and matches[row.id].level < level:
        why = "it goes on about them in the same session" if level is Level.SURE else "it may go on about them"
        why = "it names whoever that is" if spans and level is Level.SURE else why
        matches[row.id] = Match(level=level, why=why, spans=spans if level is Level.SURE else ())


def is_somebody(subject: parts.Subject) -> bool:
    """Whether it is a person or several, whom a pronoun may take up: by name, or as "my neighbors"."""
    if subject.identifiers:
        return False
    if len(subject.parts) != 1:
        return bool(subject.names) and not subject.parts
    part = subject.parts[0]
    others = any(single in name_words("others") for single in singular(part.word))
    return others or part.is_of(_PERSONS) or kinds.is_person(part.word)


def _opens_with_pronoun(text: str) -> bool:
    """Whether a message begins with one who was named before, beside whom it names others: "She and Imad marry"."""
    opening = next(iter(read_words(text)), None)
    return opening is not None and opening.text.lower() in name_words("opening_persons")


def _tongues(rows: Sequence[Row], likely: str) -> dict[str | None, str]:
    """The language of each session: one short message says little of it."""
    texts: dict[str | None, list[str]] = {}
    for row in rows:
        texts.setdefault(row.session_id, []).append(row.text)
    joined = {session: " ".join(said) for session, said in texts.items() if session is not None}
    return {
        session: language_of([word.low for word in read_words(text)], text, likely) for session, text in joined.items()
    }


def _taken_up(text: str, tongue: str) -> list[int]:
    """Where a text has a pronoun for somebody; one that is an article without its accent has it: "\u00e9l".

    It is one of the language of the text, or opens it in that of its session.
    """
    words = read_words(text)
    language = language_of([word.low for word in words], text)
    own = [word.start for word in words if _is_third(word, language)]
    return own or [word.start for word in words[:1] if _is_third(word, tongue)]


def _is_third(word: Word, language: str) -> bool:
    written = raw(language, "third").split() if language in languages() else []
    third = word.low in words_of(language, "third")
    return third and (word.low not in words_of(language, "articles") or word.text.lower() in written)


def _only_confirms(text: str, tongue: str) -> bool:
    """Whether it takes somebody up in so few words, and then tells of something else: "Yes, him. Football is ..."."""
    taken, spans = _taken_up(text, tongue), sentence_spans(text)
    takes = [any(start <= place < end for place in taken) for start, end in spans]
    short = all(len(read_words(text[slice(*span)])) < _CONFIRMS for span, it in zip(spans, takes, strict=True) if it)
    return short and any(takes) and not all(takes)


def persons(text: str) -> list[tuple[int, int, str]]:
    """Who is named in a text, without German nouns, which have a capital each."""
    words = read_words(text)
    nouns = {word.start for place, word in enumerate(words) if is_german_noun(words, place, text)}
    given = name_words("given")
    return [named for named in people(text) if named[0] not in nouns or named[2] in given]
