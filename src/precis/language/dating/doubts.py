"""Where a phrase for a time means no day, or one told before: a measure, a saying, a guess, a title, "that week"."""

from precis import patterns as re
from precis.language import tables
from precis.language.dating.tense import (
    CLAUSE_END,
    SENTENCE_END,
    Tense,
    cues_of,
    is_past,
    stretch,
    telling_verb,
    tense_of,
)
from precis.language.grammar import FORMS

_RECURS = re.compile(rf"\b(?:{tables.choices('tenses.recurring')})\b", re.IGNORECASE)
_SAYING, _SUPPOSED, _GENERAL, _MEASURED, _WILL, _SUPERLATIVE = (
    tables.whole_words(f"doubts.{name}")
    for name in ("sayings", "supposed", "general", "measured", "will", "superlative")
)
_NO_SUPERLATIVE, _SET_AHEAD, _SET_OF_THINGS = (
    frozenset(tables.words(f"doubts.{name}")) for name in ("no_superlative", "set_ahead", "set_of_things")
)
_THROUGH = re.compile(rf"\b(?:{tables.choices('doubts.through')}) $", re.IGNORECASE)
_WANTED, _TERMS, _RATES = (
    re.compile(rf"(?<!\w)(?:{tables.choices(f'doubts.{name}')}) $", re.IGNORECASE)
    for name in ("wanted", "terms", "rates")
)
_ONE_OF_THEM = re.compile(rf"(?:\b(?:{tables.choices('doubts.before_last')})|['\u2019]s) $", re.IGNORECASE)
_OF_NIGHT = re.compile(rf" (?:{tables.choices('doubts.of_night')})\b", re.IGNORECASE)
_AWAITED = re.compile(rf"(?:{tables.choices('doubts.awaited')})\b[^,;:]*$", re.IGNORECASE)
_WATCHED = re.compile(rf"\b(?:{tables.choices('doubts.watching')}) (?:the )?$", re.IGNORECASE)
_ON, _A_UNIT = re.compile(r" on(?:wards?)?\b"), re.compile(r"an? ", re.IGNORECASE)
#: Something that is counted, right before a number of units: "five kilos in two weeks".
_COUNTED_THING = re.compile(
    rf"\b(?:\d[\d.,]*|{tables.choices('doubts.counts')})((?: (?!times\b)[\w'\u2019-]+){{1,3}} )$", re.IGNORECASE
)
#: Things of which all are spoken of: "Roses are lovely in June"; those that are set for a time begin or are "in" it.
_KIND_OF_THING = re.compile(
    r"(?!(?:The|My|Our|Your|His|Her|Their|These|Those|Its|Both)\b)"
    r"(?:[A-Z]\w+ )?[A-Z]?[a-z]+s (?:are(?! (?:in|on|at|by|due|until|over|closed|off|out|back)\b)|\w+)\b"
)
#: Of one thing of its kind what is always so: in the present, and nothing that comes or is new.
_OF_ANY_THING = re.compile(
    rf"(?:an?|any|every|each) (?!(?:{tables.choices('doubts.particular')})\b)(?:[\w'\u2019-]+ ){{1,8}}?"
    rf"(?!(?:{tables.choices('doubts.coming')})\b)[a-z]+(?<![s'\u2019u])s "
    r"(?!(?:going|coming|due|leaving)\b)",
    re.IGNORECASE,
)
_OF_SOMEBODY = re.compile(r"\b(?:[Mm]y|[Oo]ur|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|I|we|you|me|us)\b|(?<=\s)[A-Z]")
#: To leave something behind is no departure.
_LEAVES_BEHIND = re.compile(rf"\bleaves? (?:{tables.choices('doubts.left_behind')})\b", re.IGNORECASE)
_PERFECT = re.compile(r"(?:\b(?:have|has|had)|['\u2019](?:ve|s)) (?:\w+ )?\w", re.IGNORECASE)
_BEGUN = re.compile(rf"\b(?:{tables.choices('tenses.perfect')})\b", re.IGNORECASE)
_POSSIBLE = re.compile(rf"\b(?:{tables.choices('tenses.possible')})\b", re.IGNORECASE)
#: Of "who've been away" the time is not that of the sentence, which goes on behind it.
_WHO = re.compile(r"\b(?:who|which|that)(?:['\u2019]ve|['\u2019]s| have| has)\b", re.IGNORECASE)
#: A month that is a first name as well, behind what was done.
_BY_NAME = re.compile(rf"by (?:{tables.choices('doubts.names')})\.?", re.IGNORECASE)
_DONE = re.compile(r"\b(?P<verb>[^\W\d_]+)(?: (?:off|up|out|over|back|down))? $")


def is_measured(text: str, start: int, end: int) -> bool:
    """Whether a number of units measures what was: "the first time in ten years", "twice in two days"."""
    first, _ = stretch(text, start, start, CLAUSE_END)
    clause = text[first:start]
    if _MEASURED.search(clause) or text.startswith(" than", end):
        return True
    if not _WILL.search(clause) and _THROUGH.search(clause):
        return True
    thing = _COUNTED_THING.search(clause)
    if thing and (len(thing[1].split()) == 1 or thing[1][-2:] == "s " or thing[1].split()[-1] not in FORMS):
        return True
    for match in _SUPERLATIVE.finditer(clause):
        between = clause[match.end() :]
        if match[0].lower() not in _NO_SUPERLATIVE and (
            not any(cue.tense is Tense.FUTURE for cue in cues_of(between)) or _PERFECT.search(between)
        ):
            return True
    return False


def is_wanted(text: str, start: int, _end: int) -> bool:
    """Whether somebody wants or offers so long a time: "she wants two years now, not three"."""
    return _WANTED.search(text, 0, start) is not None


def is_of_terms(text: str, start: int, _end: int) -> bool:
    """Whether it says within what time somebody pays or delivers each time: "Brandt pays in 60 days"."""
    return _TERMS.search(text, 0, start) is not None


def is_rate(text: str, start: int, end: int) -> bool:
    """Whether "a day" says how often, and what is behind it from when on: "twice a day from now on"."""
    return bool(_ON.match(text, end) or (_A_UNIT.match(text, start) and _RATES.search(text, 0, start)))


def is_awaited(text: str, start: int, _end: int) -> bool:
    """Whether a sentence without a verb begins as one of a time to come: "Back in a fortnight!"."""
    first, _ = stretch(text, start, start, SENTENCE_END)
    return _AWAITED.match(text[first:start].strip()) is not None


def lacks_verb(text: str, start: int, end: int) -> bool:
    """Whether its sentence has no verb that tells a time: "Surgery on the 27th."."""
    first, last = stretch(text, start, end, SENTENCE_END)
    return not any(cues_of(text[first:last]))


def is_counted_over(text: str, start: int, end: int) -> bool:
    """Whether a sentence without a verb tells what recurred: "Rain every single day"."""
    return lacks_verb(text, start, end) and recurs(text, start, end)


def is_saying(text: str, start: int, end: int) -> bool:
    """Whether a phrase is part of a saying: "here today, gone tomorrow"."""
    first, last = max(0, start - 30), end + 30
    return any(match.start() < end and start < match.end() for match in _SAYING.finditer(text, first, last))


def is_last_of_several(text: str, start: int, end: int) -> bool:
    """Whether "last night" may be the end of a stay, or part of a name: "our last night", "last night shift".

    At the beginning of a clause without a past verb in its sentence it may be either: "Last night in Hanoi!".
    """
    if _ONE_OF_THEM.search(text, max(0, start - 20), start) or _OF_NIGHT.match(text, end):
        return True
    first, _ = stretch(text, start, start, CLAUSE_END)
    opens = not any(map(str.isalnum, text[max(first, stretch(text, start, start, SENTENCE_END)[0]) : start]))
    if not opens or tense_of(text, start, end) is Tense.FUTURE:
        return opens
    return not any(cues_of(text[end : stretch(text, end, end, SENTENCE_END)[1]]))


def is_supposed(text: str, start: int, end: int) -> bool:
    """Whether the sentence up to here is made up: "what would you do if", "suppose"."""
    first, _ = stretch(text, start, end, SENTENCE_END)
    return _SUPPOSED.search(text, max(0, first - 1), end) is not None


def is_general(text: str, start: int, end: int) -> bool:
    """Whether the sentence is true of any year: "how many days are there in February"."""
    first, last = stretch(text, start, end, SENTENCE_END)
    if _GENERAL.search(text, first, last):
        return True
    kind = _KIND_OF_THING.match(text[first:start].strip())
    if kind is None:
        return False
    verb = kind[0].split()[-1]
    return verb == "are" or (verb in FORMS and not _is_set(verb, of_things=False) and "base" in FORMS[verb].kinds)


def is_of_any(text: str, start: int, end: int) -> bool:
    """Whether a number of units ahead is of any such thing: "A rug leaves a dark spot in two years".

    What comes, whoever comes, may be awaited: "A parcel arrives in two days".
    """
    first, _ = stretch(text, start, end, SENTENCE_END)
    clause = text[first:start].lstrip()
    if _LEAVES_BEHIND.search(clause):
        return True
    return _OF_ANY_THING.match(clause) is not None and not _OF_SOMEBODY.search(clause)


def is_of_any_year(text: str, start: int, end: int) -> bool:
    """Whether a phrase may mean any year's: what recurs, and what is always so."""
    return recurs(text, start, end) or is_general(text, start, end)


def is_custom(text: str, start: int, end: int) -> bool:
    """Whether the present tense may tell what is so each time: "we eat carp on Christmas Eve"."""
    verb = telling_verb(text, start, end)
    return verb in ("do", "does", "don't", "doesn't") or is_custom_of(verb)


def is_custom_of(verb: str) -> bool:
    """Whether a verb in the present tells what is so each time, as far as it shows that."""
    return verb in FORMS and FORMS[verb].kinds <= {"base", "third"} and not _is_set(verb, of_things=verb.endswith("s"))


def _is_set(verb: str, *, of_things: bool) -> bool:
    lemma = FORMS[verb].lemma
    return lemma in _SET_AHEAD or (of_things and lemma in _SET_OF_THINGS)


def is_watched(text: str, start: int, _end: int) -> bool:
    """Whether a word for a day is the title of what is watched, read or heard: "binge-watched Wednesday"."""
    return _WATCHED.search(text, max(0, start - 40), start) is not None


def is_perfect(text: str, start: int, _end: int) -> bool:
    """Whether the sentence up to here tells of what began and goes on: "I have known them for"."""
    first, _ = stretch(text, start, start, SENTENCE_END)
    perfect = _BEGUN.search(text, first, start)
    if perfect is None:
        return False
    aside = _WHO.search(text, max(first, perfect.start() - 5), perfect.end()) is not None
    return not (aside and any(cue.tense is Tense.FUTURE for cue in cues_of(text[perfect.end() : start])))


def may_last(text: str, start: int, _end: int) -> bool:
    """Whether the sentence up to here says that something can be done, or how long it takes."""
    first, _ = stretch(text, start, start, SENTENCE_END)
    return _POSSIBLE.search(text, first, start) is not None


def is_by_whom(text: str, start: int, end: int) -> bool:
    """Whether a month after "by" may be who did it: "The text was signed off by May"; not what is due by then."""
    if _BY_NAME.fullmatch(text, start, end) is None:
        return False
    first, _ = stretch(text, start, start, CLAUSE_END)
    done = _DONE.search(text, first, start)
    return done is not None and is_past(done["verb"].lower()) and tense_of(text, start, end) is not Tense.FUTURE


#: What may join it to a date before: "le 8 mai de cette année-là".
_OF = r" (?:de |d['\u2019]|di |van |von |av |z )?"


class Pointing:
    """The phrases of one language that point back."""

    def __init__(self, name: str) -> None:
        rows = tables.entry("pointing").get(name)
        forms = rows["back"].replace("{time}", f"(?:{rows['times']})").split(";") if rows else ["(?!)"]
        any_form = "|".join(form.strip() for form in forms)
        self._any = re.compile(rf"(?<!\w)(?:{any_form})(?!\w)", re.IGNORECASE)
        self._behind = re.compile(rf"{_OF}(?:{any_form})(?!\w)", re.IGNORECASE)

    def places_in(self, text: str) -> list[tuple[int, int]]:
        """Where such phrases begin and end."""
        return [match.span() for match in self._any.finditer(text)]

    def moves(self, text: str, start: int, end: int) -> bool:
        """Whether a date from one place to another of a sentence is of a year that was told before.

        Such a phrase stands before it, or right behind: "cette année-là, le 8 mai"; "le 8 mai de cette année-là".
        """
        return self._any.search(text, 0, start) is not None or self._behind.match(text, end) is not None


_ENGLISH = Pointing("English")


def is_of_that_time(text: str, start: int, end: int) -> bool:
    """Whether an English phrase is of a time that was told before: "that week we met on Friday", "8 May that year"."""
    before = [mark.end() for mark in SENTENCE_END.finditer(text, 0, start)]
    opens = before[-1] if before else 0
    return _ENGLISH.moves(text[opens:], start - opens, end - opens)


def recurs(text: str, start: int, end: int) -> bool:
    """Whether the sentence tells of what happens again and again, or names a year of its own."""
    first, last = stretch(text, start, end, SENTENCE_END)
    return _RECURS.search(text, first, last) is not None
