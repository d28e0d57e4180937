"""Whether a text names somebody: names against words that look like them, and against other people's names.

A name matches as a name and not as a word. A first name that several people share is in doubt, a full name is not that
of a namesake, and a street that is called so is nobody.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from precis.finding.asked.firms import legal_forms, of_firm, without_forms
from precis.finding.capitals import as_name, calendar, finite, is_before_thing
from precis.finding.reading import UNSPACED, Word, bare_name, folded, read_words, words_before
from precis.finding.tables import characters, name_words
from precis.finding.values import SPOKEN, Level, Match, Row
from precis.finding.written.caseless import as_caseless_name, goes_on, is_only_a_name
from precis.finding.written.forms import any_of, same_word
from precis.finding.written.languages import language_of
from precis.finding.written.named import is_place
from precis.finding.written.speaking import beings_of
from precis.finding.written.unspaced import as_unspaced_word
from precis.language.words import STOP_WORDS, kept_where_short

Name = tuple[str, ...]
#: So many words on either side of a name tell the language it stands in.
_BESIDE = 12
#: Before a name of a place.
_PLACES = frozenset("in at near around im en em dans chez a à в".split())
#: Before "from" and "to" they make a place of what follows: "she is from Leeds".
_COMING = frozenset("is was are were am i'm he's she's they're come comes came originally".split())
_GOING = frozenset("move moves moved moving go goes went going drive drove travel traveled travelled fly flew".split())
_INITIAL = re.compile(r"^[A-Z]$")


@dataclass(frozen=True, slots=True)
class Mention:
    """A place where a text may name somebody: the whole name as it is written there, folded."""

    level: Level
    full: Name
    start: int
    end: int
    why: str = ""


@dataclass
class Namesakes:
    """Who else of the rows is called like that, by each word of the name; and which words are written small as well."""

    fulls: Counter[Name] = field(default_factory=Counter)
    small: set[str] = field(default_factory=set)
    #: The language of the request, in which a short text is likely to be.
    likely: str = "en"
    #: Whether somebody of that name does or is something: then it is no make of things alone.
    acts: bool = False
    #: Whether it was asked for with a legal form; and the forms that stand behind it.
    is_firm: bool = False
    forms: set[str] = field(default_factory=set)
    #: In which sessions a full name stands.
    sessions: dict[Name, set[str]] = field(default_factory=lambda: defaultdict(set))

    def sharing(self, word: str) -> set[Name]:
        """The different full names with this word."""
        return {full for full in self.fulls if word in full and len(full) > 1}


def mentions(name: Name, text: str, namesakes: Namesakes) -> list[Mention]:
    """Where a text may name somebody who is called by the first word of ``name``, or by any of its words."""
    if UNSPACED.search(name[0]):
        return list(_unspaced_mentions(name[0], text))
    words = read_words(text)
    # Few need it, and a long text names somebody often.
    language = cache(lambda: language_of([word.low for word in words], text, namesakes.likely))
    listed: list[Mention] = []
    for place, word in enumerate(words):
        if any(same_word(part, word.low) or part == bare_name(word) for part in name) and not (
            listed and word.start < listed[-1].end
        ):
            listed.append(_mention(name, words, place, text, namesakes, language))
    return listed


def _mention(
    name: Name, words: Sequence[Word], place: int, text: str, namesakes: Namesakes, language: Callable[[], str]
) -> Mention:
    first, last = place, place
    while first > 0 and (goes_on(words, first - 1) or _joins_before(words, first)):
        first -= 1
    while last + 1 < len(words) and (goes_on(words, last) or _joins_behind(words, last)):
        last += 1
    run = words[first : last + 1]
    own = (bare_name(word) for word in run if not _INITIAL.match(word.text) and word.low not in name_words("companies"))
    full = tuple(own) or (words[place].low,)
    level, why = as_caseless_name(words, place) or as_name(words, place, len(run), text, namesakes.small, language)
    whole = place > 0 and words[place - 1].low in name  # "Saint Mary" was asked for, and not Mary
    if level > Level.NEAR and not whole and not is_place(name) and _is_thing(words, last, place):
        level, why = Level.NEAR, "a place or thing has that name"
    return Mention(level, full, run[0].start, run[-1].end, why)


_OF = frozenset("de del la las los du des da do dos das".split())


def _is_thing(words: Sequence[Word], last: int, place: int) -> bool:
    at = last if last > place else last + 1
    behind = words[at] if at < len(words) and (at == last or words[at].gap == " ") else None
    thing = behind is not None and behind.low in name_words("things") and behind.capital and not words[place].owns
    before = words[place - 1] if place > 0 else None
    street = next((it.low for it in reversed(words[max(0, place - 3) : place]) if it.low not in _OF), "")
    thing = thing or street in name_words("streets_before")
    return thing or (before is not None and before.low in name_words("things_before") and before.capital)


def _joins_before(words: Sequence[Word], place: int) -> bool:
    """Whether the word before belongs to the same name."""
    word, before = words[place], words[place - 1]
    if not word.capital or word.opens or word.gap.strip(" .") != "" or word.gap == "" or "\n" in word.gap:
        return False
    if not before.capital or before.owns or before.low in name_words("titles") or calendar(before.low):
        return False
    if _INITIAL.match(before.text) and before.text != "I":
        return True
    given = before.low in name_words("given")
    if before.low in STOP_WORDS or beings_of(before.low):  # "meine Tochter Lene"
        return given
    return given or not before.opens


def _joins_behind(words: Sequence[Word], place: int) -> bool:
    word, behind = words[place], words[place + 1]
    if not word.capital or word.owns or not behind.capital or (behind.opens and "." not in behind.gap):
        return False
    if _INITIAL.match(word.text) or (word.gap == "" and place):
        return behind.gap in {". ", " "} and behind.text != "I"
    if behind.gap != " " or behind.text == "I" or calendar(behind.low):
        return False
    return behind.low not in STOP_WORDS or behind.low in name_words("given")


def _unspaced_mentions(name: str, text: str) -> Iterator[Mention]:
    """In a script without spaces: the characters around decide whether it is the whole name."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        behind = text[end : end + 2]
        grows = len(name) == 2 and behind[:1] in characters("chinese") and behind not in name_words("chinese_words")
        why = "it may be a longer name" if grows else as_unspaced_word(name, text, start, end)
        yield Mention(Level.DOUBTFUL if why else Level.SURE, (name,), start, end, why or "it has that name")
        start = text.find(name, end)


def survey(
    names: Iterable[Name], rows: Iterable[Row], likely: str = "en", firms: Collection[Name] = ()
) -> Mapping[Name, Namesakes]:
    """Who is called how in all rows that may name one of them; a short one is likely in that language.

    ``firms`` are the names that were asked for with a legal form.
    """
    result = {name: Namesakes(likely=likely, is_firm=name in firms) for name in names}
    for name, namesakes in result.items():
        if UNSPACED.search(name[0]):
            continue
        pattern = any_of([name])
        listed = [(row, read_words(row.text)) for row in rows if pattern.search(folded(row.text))]
        for row, words in listed:
            if row.text != row.text.lower():
                namesakes.small |= {
                    word.low for word in words if not word.capital and any(same_word(part, word.low) for part in name)
                }
        for row, words in listed:
            for mention in mentions(name, row.text, namesakes):
                if mention.level > Level.NEAR:
                    after = words_before(words, mention.end)
                    namesakes.acts |= after < len(words) and finite(words[after]) and words[after].gap == " "
                    namesakes.fulls[mention.full] += 1
                    namesakes.forms |= legal_forms(row.text[mention.start : mention.end])
                    if row.session_id:
                        namesakes.sessions[mention.full].add(row.session_id)
    return result


def match_name(name: Name, row: Row, namesakes: Namesakes, not_titled: Collection[str] = ()) -> Match:
    """Whether a row names this person, in the company of all others who are called like that.

    ``not_titled`` are titles that this person does not have.
    """
    best = Match(level=Level.NO)
    spans: list[tuple[int, int]] = []
    if row.speaker and tuple(map(folded, row.speaker.split())) == name:
        best = Match(level=Level.SURE, why=SPOKEN)
        spans += [(0, len(row.text))] if read_words(row.text) else []  # a message of signs alone has no place
    for mention in mentions(name, row.text, namesakes):
        level, why = (_judged_firm if namesakes.is_firm else _judged)(name, mention, row, namesakes)
        if _title(mention, row.text) in not_titled:
            level, why = Level.NEAR, "it is somebody else of that name"
        if namesakes.acts and level is Level.SURE and _is_make(mention, read_words(row.text)):
            level, why = Level.DOUBTFUL, "it may say there of what kind something is"
        level = min(level, mention.level)
        why = why if level < mention.level else mention.why or why
        if level >= Level.DOUBTFUL:
            spans.append((mention.start, mention.end))
        if level > best.level:
            best = Match(level=level, why=why)
    return Match(level=best.level, why=best.why, spans=tuple(spans))


def _is_make(mention: Mention, words: Sequence[Word]) -> bool:
    """Whether a name stands before a thing, as its make: "our Dyson vacuum"."""
    last = words_before(words, mention.end) - 1
    if last < 0 or len(mention.full) > 1 or not is_before_thing(words, last):
        return False
    near = words[max(0, last - _BESIDE) : last + _BESIDE]
    return language_of([word.low for word in near], " ".join(word.text for word in near)) == "en"


def _title(mention: Mention, text: str) -> str:
    """The word before a name."""
    words = read_words(text)
    before = words_before(words, mention.start)
    return words[before - 1].low if before else ""


def _parts(name: Name) -> Name:
    """The same without hyphens: "Jean-Pierre" and "Jean Pierre" are one name."""
    return tuple(piece for word in name for piece in word.split("-") if piece)


def _judged(name: Name, mention: Mention, row: Row, namesakes: Namesakes) -> tuple[Level, str]:
    name, full = _parts(name), _parts(mention.full)
    if len(full) == len(name) and all(map(same_word, name, full)):
        return Level.SURE, "it has that name"
    if len(name) == 1:
        return _longer(name[0], full, namesakes)
    if len(full) == 1 and any(same_word(part, full[0]) for part in name):
        return _part_of_name(name, full[0], row, namesakes)
    if _contains(full, name):
        return Level.DOUBTFUL, "the name goes on there"
    if len(full) > 1 and same_word(name[-1], full[-1]) and len(full[0]) == 1 and full[0] == name[0][0]:
        return Level.DOUBTFUL, "the first name is only a letter there"
    return Level.NEAR, "it is somebody else of that name"


def _judged_firm(name: Name, mention: Mention, row: Row, namesakes: Namesakes) -> tuple[Level, str]:
    firm, form = name[:-1], name[-1]
    known = map(without_forms, namesakes.fulls)
    others = not namesakes.forms <= {form} or any(len(it) > len(firm) and _contains(it, firm) for it in known)
    forms = legal_forms(row.text[mention.start : mention.end])
    return of_firm(firm, form, without_forms(mention.full), forms, others=others)


def _longer(word: str, full: Name, namesakes: Namesakes) -> tuple[Level, str]:
    """Frank Miller, where only Frank is asked for."""
    others = namesakes.sharing(full[0] if same_word(word, full[0]) else full[-1])
    if len(others) <= 1 and not any(len(known) == 1 for known in namesakes.fulls):
        return Level.SURE, "only one person of that name is known"
    return Level.DOUBTFUL, "several may be called so, and this is the full name of one"


def _part_of_name(name: Name, word: str, row: Row, namesakes: Namesakes) -> tuple[Level, str]:
    """Frank alone, where Frank Miller is meant."""
    same = {known for known in namesakes.sessions if len(known) == len(name) and all(map(same_word, name, known))}
    others = namesakes.sharing(word) - same
    introduced = row.session_id is not None and any(row.session_id in namesakes.sessions[known] for known in same)
    elsewhere = any(row.session_id in namesakes.sessions[known] for known in others)
    if introduced and not elsewhere and word == name[0]:
        return Level.SURE, "the full name stands in the same session"
    return Level.DOUBTFUL, "it has only a part of the name"


def _contains(full: Name, name: Name) -> bool:
    return any(all(map(same_word, name, full[at : at + len(name)])) for at in range(len(full) - len(name) + 1))


def _whence(before: Sequence[Word]) -> bool:
    verb, word = before[0].low, before[1].low
    return (word == "from" and verb in _COMING) or (word == "to" and verb in _GOING)


@kept_where_short
def people(text: str) -> tuple[tuple[int, int, str], ...]:
    """Words with a capital inside a sentence, or known given names: whoever else is named. "In Oslo" is no person."""
    words = read_words(text)
    listed = []
    for place, word in enumerate(words):
        named_so = word.low in name_words("words") and not word.opens  # "User's brother Will"
        plain = (word.low in STOP_WORDS and not named_so) or calendar(word.low) or word.text == "I"
        is_given_name = word.low in name_words("given")
        where = place > 0 and (words[place - 1].low in _PLACES or (place > 1 and _whence(words[place - 2 : place])))
        acts = (
            place + 1 < len(words) and finite(words[place + 1]) and words[place + 1].low not in name_words("of_things")
        )
        named = word.capital and (is_given_name or not (plain or where or (word.opens and not acts)))
        if named or is_only_a_name(word):
            listed.append((word.start, word.end, word.low))
    return tuple(listed)
