"""What is so now goes first: what replaced an older value, what says "now", or else the newest value of its kind.

It moves statements and changes none of them, so that a wrong guess costs the order alone.
"""

import itertools
from collections.abc import Sequence
from datetime import date

from precis.checks.fates import Told
from precis.checks.reactions import POINTS_BACK, is_aside, is_reaction
from precis.language import chitchat, grammar, words
from precis.language.assertions.assertion import Assertion
from precis.language.dates import Day, moved_to
from precis.language.newest.instructed import instruction_of
from precis.language.newest.renewed import renews
from precis.language.newest.slots import Said, changes, taken_up
from precis.language.newest.taken_back import jokes_in
from precis.language.newest.undone import deed_of, undoes
from precis.language.reading import Line, Sentence, read
from precis.language.sentences import is_question, sentences
from precis.makers import Item, newness
from precis.summary import Fate, Statement, arranged, has_two_voices, speaker_of, unattributed
from precis.trust import SourceClass, Voice, class_of_role, voice_of

#: Pronouns for what was named before, and among how many words at the beginning they are looked for.
_POINTING, _OPENING = frozenset("it them him".split()), 4
#: What a sentence in one of the other languages with a rule says is so.
_FRAMED = "value"


def now_first(
    statements: Sequence[Statement], items: Sequence[Item], verdicts: Sequence[Told | None]
) -> tuple[Statement, ...]:
    """What is so now first, the newest of it first; then the others, oldest first. ``verdicts`` are their ``fates``.

    That is what overrules an item or another statement, and the newest statement of a change where that is newer. Where
    there is neither, it is the newest value of what somebody or something has one of at a time. What only tools and
    documents say opens a summary only where it overrules. Where a later statement took up what one of these says, the
    later one opens; what it took up stands behind it, and neither first nor last. Nothing opens that was set for a day
    before that of the newest item: "The scan moved to the 22nd". What is off again, or an estimate of what was paid,
    always stands right behind what says so.
    """
    ages = _ages(statements, items)
    by = [verdict.by for verdict in verdicts if verdict and verdict.fate is Fate.OVERRULED]
    standing = {at for at in (*by, *(statement.superseded_by for statement in statements)) if at is not None}
    vouched = _vouched(statements, items)
    last = max((ages[at] for at in standing), default=-1)
    changed = [at for at in vouched if ages[at] > last and _tells_of_change(statements[at].text)]
    passed = _passed(statements, items, ages)
    standing, changed = standing - passed, [at for at in changed if at not in passed]
    values = [at for at in vouched if not (standing or changed) and _gives_value(statements[at].text)]
    standing |= set(sorted(changed or values, key=ages.__getitem__)[-1:])
    later = _later(statements, vouched, ages)
    oldest = min(later, key=lambda at: (ages[at], at), default=None)
    if not standing and oldest is not None and ages[oldest] == min(ages):
        standing = {oldest}
    standing = {later.get(at, at) for at in standing} - passed
    undone = {at for at, newer in later.items() if _is_undone(statements[newer].text, statements[at].text)}

    def age(at: int) -> tuple[int, int, int, int]:
        newer = at if at in standing else later.get(at)
        if newer in standing:
            return (-1, -ages[newer], -ages[at], at)
        behind = newer is not None and at in undone
        return (0, ages[newer if behind and newer is not None else at], behind, at)

    return arranged(statements, sorted(range(len(statements)), key=age))


def instructions_first(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """How an assistant is to work from now on, as users told it, and then the rest; each in its order."""
    first = [
        statement.superseded_by is None
        and class_of_role(speaker_of(statement.text) or "") is not SourceClass.AGENT
        and all(instruction_of(sentence) is not None for sentence in sentences(unattributed(statement.text)))
        for statement in statements
    ]
    return arranged(statements, sorted(range(len(statements)), key=lambda at: not first[at]))


def _later(statements: Sequence[Statement], vouched: Sequence[int], ages: Sequence[int]) -> dict[int, int]:
    """For each served statement that says what is so the newest one that took it up, by their positions."""
    lines = [Said(unattributed(statements[at].text), speaker_of(statements[at].text), ages[at]) for at in vouched]
    return {vouched[older]: vouched[newer] for older, newer in taken_up(lines).items()}


def _passed(statements: Sequence[Statement], items: Sequence[Item], ages: Sequence[int]) -> set[int]:
    """Positions of those that set something for days which are all before the day of the newest item."""
    days = dict(zip(newness(items), (item.day for item in items), strict=True))
    newest = max((day for day in days.values() if day), default=None)
    spoken = [(at, days.get(ages[at]), moved_to(statement.text)) for at, statement in enumerate(statements)]
    return {at for at, day, named in spoken if newest and day and named and all(_on(it, day) < newest for it in named)}


def _on(named: Day, said_on: date) -> date:
    """The day that is named, the next one from the day on which that was said; the last of all where it is none."""
    if not named.day:
        return date.max
    month = named.month or said_on.month + (named.day < said_on.day)
    month += 12 * (named.month is not None and named.year is None and month < said_on.month)
    year = (named.year or said_on.year) + (month - 1) // 12
    try:
        return date(year, (month - 1) % 12 + 1, named.day)
    except ValueError:
        return date.max


def _is_undone(newer: str, older: str) -> bool:
    """Whether a statement says that what another says to be booked or planned is off, or what it cost in the end."""
    return any(
        undoes(deed_of(new), deed_of(old))
        for new, old in itertools.product(*(sentences(unattributed(text)) for text in (newer, older)))
    )


def _ages(statements: Sequence[Statement], items: Sequence[Item]) -> list[int]:
    """How new each statement is: as the item is that it shares most words with, of those it rests on.

    What a check added to its lineage holds a word of it, and may be from another day.
    """
    ranks, holding = newness(items), [words.content(item.text) for item in items]
    resting: dict[str, list[int]] = {}
    for at, item in enumerate(items):
        for id_ in item.source_ids:
            resting.setdefault(id_, []).append(at)

    def age(statement: Statement) -> int:
        stems = words.content(statement.text)
        places = {at for id_ in statement.source_ids for at in resting.get(id_, ())}
        return max(((len(stems & holding[at]), ranks[at]) for at in places), default=(0, 0))[1]

    return [age(statement) for statement in statements]


def _vouched(statements: Sequence[Statement], items: Sequence[Item]) -> list[int]:
    """Positions of the served statements that rest on what people and agents said, and that may be meant."""
    classes = {id_: item.classes for item in items for id_ in item.source_ids}
    jokes = [any(jokes_in(sentences(unattributed(s.text)))) for s in statements]
    voices = [voice_of(frozenset().union(*(classes.get(id_, frozenset()) for id_ in s.source_ids))) for s in statements]
    return [
        at
        for at, s in enumerate(statements)
        if s.superseded_by is None and voices[at] is Voice.VOUCHED and not jokes[at]
    ]


def lasts(text: str, speaker: str | None) -> bool:
    """Whether a sentence of it says what is so from now on, or what somebody has one of at a time."""
    return any(_changes(sentence) or _has_value(sentence) for sentence in read(Line(text=text, speaker=speaker)))


@words.kept_where_short
def _tells_of_change(statement: str) -> bool:
    """Whether a sentence of it says that something is so from now on, and neither asks, reacts nor advises."""
    # "My new number: 8 982" opens, in Russian as here, on nobody who speaks.
    return not _leans(statement) and (any(map(_changes, _read(statement))) or any(map(renews, sentences(statement))))


def _gives_value(statement: str) -> bool:
    """Whether it says what somebody or something has one of at a time: a home, an employer, a rent."""
    return not _leans(statement) and any(map(_has_value, _read(statement)))


def _leans(statement: str) -> bool:
    """Whether it opens on what only a statement before it names: "Worked round it by ..." cannot be read first.

    What somebody asks in the middle of a talk is of what was told before.
    """
    if has_two_voices(statement):
        return True
    text = unattributed(statement)
    opening = itertools.takewhile(lambda word: not word[:1].isupper() or word == "I", text.split()[1:_OPENING])
    return POINTS_BACK.match(text) is not None or any(word.strip(".,;:!?") in _POINTING for word in opening)


def _has_value(sentence: Sentence) -> bool:
    return any(map(_is_value, sentence.assertions))


def _read(statement: str) -> tuple[Sentence, ...]:
    return read(Line(text=unattributed(statement), speaker=speaker_of(statement)))


def _changes(sentence: Sentence) -> bool:
    text = sentence.text
    return (changes(text) or renews(text)) and not (
        is_question(text) or chitchat.hollow(text) or is_reaction(text) or is_aside(text)
    )


def _is_value(stated: Assertion) -> bool:
    if stated.past or stated.denied or stated.dated or stated.part == "leave":
        return False
    is_single = stated.attributes == {"is"} and stated.subject.head in grammar.SINGLE
    attributes = stated.attributes
    return is_single or _FRAMED in attributes or not attributes.isdisjoint(grammar.SINGLE_ATTRIBUTES)
