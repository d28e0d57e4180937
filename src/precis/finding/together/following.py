"""What goes on in a talk about a thing that was asked for: "It cost 450." behind a message of the bicycle."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from precis.finding import nouns, parts
from precis.finding.beyond.tables import any_language, listed
from precis.finding.reading import Word, folded, read_words, sentence_spans
from precis.finding.tables import all_words, name_words, words_of
from precis.finding.together.pronouns import MACHINES, persons
from precis.finding.values import Kin, Level, Match, Row, Span
from precis.finding.written import languages, speaking
from precis.language.words import STOP_WORDS

_Bounds = Callable[[Row], Iterable[Match]]
#: In so many messages behind one about a thing a pronoun may still take it up, and words near to it may go on about it.
_REACH = 2
#: Notes without a session go on about each other where no more time lies between them.
_SOON = timedelta(days=4)
#: So many words before a pronoun may open a message: "But yesterday it ...".
_OPENING = 3
#: So many words at least are no chance where two memories have them.
_ECHO = 3
#: Nearness of a word of the message to the thing from which on it may go on about that.
_AKIN = 0.3
_LATIN = re.compile(r"[a-z]{4,}")


@dataclass(frozen=True, slots=True)
class _Told:
    """The last message of a talk about the thing."""

    row: Row
    #: How surely it is about that.
    level: Level
    #: Whether it names nothing else that a pronoun may take up.
    alone: bool
    #: How many messages ago it was.
    gap: int = 0


def take_following(
    rows: Sequence[Row], matches: dict[str, Match], subject: parts.Subject, bounds: _Bounds, kin: Kin | None
) -> None:
    """Raise what goes on about a thing behind a message of the same talk that tells of it.

    It is sure behind one that names nothing else, right behind it and of the same speaker, where it opens with a
    pronoun for one thing; else it is in doubt, and so is what has a word near in meaning to the thing. Notes without a
    session are in doubt at most.
    """
    talks: dict[str | None, _Told] = {}
    things = [part for part in subject.parts if not part.modifies]
    whole = len(things) == 1 and not (subject.names or subject.clause)
    for row in rows:
        match, talk = matches[row.id], talks.get(row.session_id)
        if match.level >= Level.DOUBTFUL and match.spans:
            talks[row.session_id] = _Told(row, match.level, _names_nothing_else(row.text, match.spans))
            continue
        if talk is None or folded(row.speaker or "") in MACHINES:
            continue
        level = _go_on(row, talk, subject, kin) if match.level < Level.DOUBTFUL else None
        level = min(level, Level.SURE if whole else Level.DOUBTFUL) if level is not None else None
        level = min([level, *(it.level for it in bounds(row))]) if level is not None else None
        if level is not None and level >= Level.DOUBTFUL:
            why = "it goes on about that in the same talk" if level is Level.SURE else "it may go on about that"
            matches[row.id] = Match(level=level, why=why)
        ended = talk.gap >= _REACH or any_language("turns_away").match(row.text) is not None
        if ended and level is None:
            del talks[row.session_id]
        else:
            gap = 0 if level is Level.SURE else talk.gap + 1
            talks[row.session_id] = _Told(talk.row, talk.level, talk.alone, gap)


def take_echoes(rows: Sequence[Row], matches: dict[str, Match], *, bounded: bool) -> None:
    """Make sure of a part of a message what another memory says with the same words, where all of that is sure.

    A fact is read from a message and stands beside it: "I quit coffee." and "Badly. Also I quit coffee." Where a
    request is ``bounded`` by a time, a source or a speaker, that is of one memory alone.
    """
    said = {plain: row for row in rows if matches[row.id].level is Level.SURE and (plain := _plain(row.text))}
    if not said or bounded:
        return
    for row in rows:
        if matches[row.id].level is Level.SURE:
            continue
        low = folded(row.text)
        own = len(low) == len(row.text)
        places = [(at, at + len(plain)) for plain in said if own and (at := _place_of(plain, low)) is not None]
        if places:
            why = "another memory says that in the same words"
            matches[row.id] = Match(level=Level.SURE, why=why, spans=tuple(places))


def _plain(text: str) -> str:
    """A text as it is found again within another one; nothing where it is too short for that."""
    plain = folded(text).strip(" .!")
    return plain if len(text) == len(folded(text)) and plain.count(" ") >= _ECHO - 1 else ""


def _place_of(plain: str, low: str) -> int | None:
    """Where a text has another one as a sentence or as its end, behind at most a word that only joins it."""
    if plain not in low:  # as nearly always: each of the texts that are meant is looked for in every other one
        return None
    for start, end in sentence_spans(low):
        at = low.find(plain, start, end)
        ahead = low[start:at].strip(" ,") if at >= 0 else ""
        if at >= 0 and (not ahead or ahead in STOP_WORDS) and not low[at + len(plain) : end].strip(" .!"):
            return at
    return None


def going_on(rows: Sequence[Row], about: Collection[str]) -> set[str]:
    """The ids of messages that may go on about rows of these ids: by a pronoun, in the same talk, somebody or a thing.

    A message behind one may name others besides; what names somebody and takes nobody up ends it.
    """
    taken: set[str] = set()
    talks: dict[str | None, tuple[Row, int]] = {}
    for row in rows:
        before = talks.pop(row.session_id, None)
        if row.id in about:
            talks[row.session_id] = row, 0
            continue
        if before is None or any_language("turns_away").match(row.text):
            continue
        last, gap = before
        words = read_words(row.text)
        language = languages.language_of([word.low for word in words], row.text)
        late = row.session_id is None and (gap or row.created_at - last.created_at > _SOON)
        late = late or (row.session_id is None and _opens_with(words, row.text, language) is None)
        if not late and _takes_up(words, language):
            taken.add(row.id)
            talks[row.session_id] = row, 0
        elif not persons(row.text) and gap < _REACH:
            talks[row.session_id] = row, gap + 1
    return taken


def _takes_up(words: Sequence[Word], language: str) -> bool:
    """Whether a message has a pronoun for somebody or something that was spoken of before."""
    listed_ = (*listed("taken_up", language), *listed("taken_up_several", language), *words_of(language, "third"))
    pronouns = {folded(word) for word in listed_}
    for at, word in enumerate(words):
        if (word.text.lower().replace("\u2019", "'") in pronouns or word.low in pronouns) and _stands_alone(words, at):
            return True
    return False


def _go_on(row: Row, talk: _Told, subject: parts.Subject, kin: Kin | None) -> Level | None:
    """How surely a message goes on about a thing; None where nothing says so."""
    if row.session_id is None and (row.created_at - talk.row.created_at > _SOON or talk.gap):
        return None
    if any_language("turns_away").match(row.text):
        return None
    words = read_words(row.text)
    language = languages.language_of([word.low for word in words], row.text)
    taken = _opens_with(words, row.text, language)
    if taken is None:
        akin = kin is not None and row.session_id is not None and _is_akin(row.text, subject, kin)
        return Level.DOUBTFUL if akin else None
    sure = taken and talk.alone and not talk.gap and talk.level is Level.SURE and row.session_id is not None
    sure = sure and row.speaker == talk.row.speaker and bool(listed("of_nothing", language))
    nothing = any_language("of_nothing").match(row.text.replace("\u2019", "'")) is not None
    return Level.SURE if sure and not nothing else Level.DOUBTFUL


def _opens_with(words: Sequence[Word], text: str, language: str) -> bool | None:
    """Whether a message opens with a pronoun for one thing; False for another one, None where it opens otherwise."""
    one = {folded(word) for word in listed("taken_up", language)}
    several = {folded(word) for word in listed("taken_up_several", language)} | {*words_of(language, "third")}
    named = {start for start, _, _ in persons(text)}
    for at, word in enumerate(words[: _OPENING + 1]):
        low = word.text.lower().replace("\u2019", "'")
        if low in one or word.low in one:
            return at == 0 and _stands_alone(words, at)
        if low in several or word.low in several:
            return False if _stands_alone(words, at) else None
        if word.start in named or word.low not in STOP_WORDS | all_words("small"):
            return None
        if word.low in all_words("first"):
            return None
    return None


def _stands_alone(words: Sequence[Word], at: int) -> bool:
    """Whether a pronoun is no article of a thing behind it: "das Rad", "that bike"."""
    behind = words[at + 1] if at + 1 < len(words) else None
    article = words[at].low in name_words("articles") or words[at].low in {"that", "those", "these", "this"}
    return behind is None or not article or behind.low in STOP_WORDS or (not behind.capital and words[at].low == "das")


def _names_nothing_else(text: str, spans: Collection[Span]) -> bool:
    """Whether a message names no other thing, and nobody, whom or which a pronoun behind it may take up."""
    words = read_words(text)
    language = languages.language_of([word.low for word in words], text)
    named = {start for start, _, _ in persons(text)}
    covered = {at for start, end in spans for at in range(start, end)}
    phrases = 0
    met = False
    before: Word | None = None
    for word in words:
        own = not covered.isdisjoint(range(word.start, word.end))
        met = met or own
        opens = before is not None and (before.low in all_words("articles") | all_words("first")) and not own
        opens = opens and language != "de" and (language != "en" or nouns.names_thing(word.low))
        noun = language == "de" and word.capital and not word.opens and not own
        if speaking.is_being(word.low) and not own:
            return False
        phrases += bool(noun or (opens and not _leads_to(words, word, spans)) or (word.start in named and not own))
        before = word
    return met and not phrases


def _leads_to(words: Sequence[Word], word: Word, spans: Collection[Span]) -> bool:
    """Whether what stands behind an article only describes the thing: "a used racing bike"."""
    starts = {start for start, _ in spans}
    at = words.index(word)
    for behind in words[at + 1 : at + 4]:
        if behind.gap != " " or behind.low in STOP_WORDS:
            return False
        if behind.start in starts:
            return True
    return False


def _is_akin(text: str, subject: parts.Subject, kin: Kin) -> bool:
    """Whether a message has a word near in meaning; of one that has the very word it was judged before by that."""
    things = [part.word for part in subject.parts if part.word.isascii()]
    words = [low for low in _LATIN.findall(folded(text)) if low not in STOP_WORDS]
    return not set(things) & set(words) and any(kin(thing, low) >= _AKIN for thing in things for low in words)
