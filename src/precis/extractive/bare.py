"""Bare lines: what of a talk nobody understands without what its speaker told before, and what says hardly anything.

Of what was picked out of talks that is what says hardly more than what all of it is about, or has no verb, likens what
was spoken of to something, or tells the listener not to speak of it.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import timedelta
from itertools import groupby

from precis import patterns as re
from precis.checks.answering import only_answers, opens_on_answer
from precis.checks.reactions import POINTS_BACK, counts, lacks_verb, speaks_of_somebody, states
from precis.extractive.candidate import Candidate, size_of
from precis.extractive.persons import opens_on_somebody
from precis.extractive.rendering import rendered
from precis.extractive.weights.agents import is_agents
from precis.language import tables
from precis.language.chitchat import telling_in
from precis.language.grammar import FORMS
from precis.language.newest.slots import changes
from precis.language.script import is_foreign
from precis.language.sentences import sentences
from precis.language.vocabulary import NEGATORS
from precis.language.words import words
from precis.makers import Item

#: A line without a verb of no more words is bare: "Nineteen tickets, all very polite."
_SHORT = 6
#: So many words beside what all of it is about are little.
_LITTLE = 1
#: So many other lines are told beside a bare one at least, and beside one that nobody understands alone.
_FEWEST, _FEW = 3, 2
#: What is not to be spoken of is a remark with so many words that could be looked up.
_REMARK = 2
#: Who speaks again within this time may go on from what they told, in at most so many words together.
_SITTING, _TOGETHER = timedelta(minutes=15), 60
#: What is meant is not named: "Signed it an hour ago", "I rang him".
_UNNAMED = re.compile(
    r"\W*(?:(?:i|we|he|she|they) )?(?P<verb>[a-z]+) (?:to |with |for )?(?:it|him|them|her(?! [a-z]))\b", re.IGNORECASE
)
#: What goes on from what is not told, and what only likens that to something: "And closer to home", "Wie ein Adler".
_HANGS = re.compile(rf"\W*(?:{tables.choices('statements.hangs')})\b", re.IGNORECASE)
_LIKENS = re.compile(
    rf"\W*(?:{tables.choices('statements.nearly')}\W+)?(?:like\b|"
    + "|".join(rows["likened"] for rows in tables.entry("titles_abroad").values() if "likened" in rows)
    + ")",
    re.IGNORECASE,
)
#: What somebody is told not to do; only what is about the talk is a remark.
_ORDERS = re.compile(
    rf"\W*(?:(?:{tables.choices('statements.orders')})\b\W*)*(?P<not>(?:do not|don['\u2019]t) )?",
    re.IGNORECASE,
)
_OF_TALK = frozenset(tables.words("statements.talking"))
#: In a language of which the verbs are not known so few words are no sentence.
_SCRAP = 4
#: So many items tell in which language a talk is.
_TELLING = 40


def threads(groups: Sequence[Sequence[Candidate]], items: Sequence[Item]) -> list[list[Candidate]]:
    """What is told of each item; what needs more than its question is one with what its speaker told before it.

    Of what one person writes down for themselves nobody knows whether the next line is of the same.
    """
    if len({item.speaker for item in items}) == 1:
        return [list(group) for group in groups]
    every: list[list[Candidate]] = []
    last: dict[str | None, int] = {}
    talk = " ".join(item.text for item in items[:_TELLING])
    for group in groups:
        speaker = items[group[0].item].speaker
        at = last.get(speaker)
        if at is not None and _goes_on(every[at], group, items) and _leans(group[0], thread_text(every[at]), talk):
            every[at] = [*every[at], *group]
        else:
            last[speaker] = len(every)
            every.append(list(group))
    return every


def _goes_on(thread: Sequence[Candidate], group: Sequence[Candidate], items: Sequence[Item]) -> bool:
    """Whether somebody tells on in the same sitting, in words that nobody understands alone."""
    before, item = items[thread[-1].item], items[group[0].item]
    if not item.speaker or is_agents(item) or item.apart:
        return False
    if any(other.speaker == item.speaker for other in items[thread[-1].item + 1 : group[0].item]):
        return False  # it goes on from what is not told
    if any(part.derived or part.order or part.caption or part.code for part in (*thread, *group)):
        return False
    if not (before.created_at and item.created_at and item.created_at - before.created_at <= _SITTING):
        return False
    return sum(part.length for part in (*thread, *group)) <= _TOGETHER


def _leans(part: Candidate, before: str, talk: str) -> bool:
    """Whether it, or the question that it is told behind, opens on what was named before, or is a figure alone."""
    opening = next((each for each in sentences(part.quoted or part.text) if not only_answers(each)), "")
    if not opening or opens_on_answer(opening):
        return False
    figure = re.search(r"\d", opening) is not None
    if is_foreign(talk):
        return opens_on_somebody(opening, before, talk) or (figure and size_of(opening) <= _SCRAP)
    unnamed = _UNNAMED.match(opening)
    leans = POINTS_BACK.match(opening) is not None or (figure and lacks_verb(opening))
    return leans or (unnamed is not None and unnamed["verb"].lower() in FORMS)


def thread_text(thread: Sequence[Candidate]) -> str:
    """The text of a thread; who goes on is not named again."""
    speaker = next((part.lead for part in thread if not part.quoted), "")
    first, *others = [rendered(list(group)) for _, group in groupby(thread, key=lambda part: part.item)]
    return " ".join([first, *(text.removeprefix(speaker) for text in others)])


def bare_lines(options: Sequence[Candidate], items: Sequence[Item]) -> set[int]:
    """Positions of the bare lines, where others tell something: three, or two beside what nobody understands alone."""
    told = [at for at, option in enumerate(options) if not option.aside and _may_be_bare(option, items)]
    scraps = _beside(options, {at for at in told if _is_scrap(options[at], items[options[at].item])}, _FEW)
    if is_foreign(" ".join(item.text for item in items)):
        return scraps
    topic = _topic(options, [at for at, option in enumerate(options) if not option.aside])
    little = {at for at in told if NEGATORS.isdisjoint(words(options[at].text)) and _is_bare(options[at].text, topic)}
    return scraps | _beside(options, little | scraps, _FEWEST)


def _beside(options: Sequence[Candidate], bare: set[int], fewest: int) -> set[int]:
    """The bare ones that are whole sentences, if so many memories tell something else."""
    clauses = Counter(option.place for option in options if not option.aside)
    bare = {at for at in bare if clauses[options[at].place] == 1}
    others = {option.item for at, option in enumerate(options) if not option.aside and at not in bare}
    return bare if len(others) >= fewest else set()


def _is_scrap(option: Candidate, item: Item) -> bool:
    """Whether it has no verb and hangs on what is not told, or tells the listener to do what nobody could look up."""
    text = option.text
    if counts(text):
        return False
    if likened := _LIKENS.match(text):
        return size_of(text) <= _SHORT and lacks_verb(text[likened.end() :])
    if is_foreign(item.text) or states(text) or speaks_of_somebody(text):
        return False
    is_line = size_of(text) <= _SHORT and lacks_verb(text) and NEGATORS.isdisjoint(words(text))
    if POINTS_BACK.match(text) or not is_line:
        return _orders(text)
    hangs = _HANGS.match(sentences(item.text)[option.sentence]) is not None
    return hangs or len(telling_in(text)) <= _LITTLE


def _orders(text: str) -> bool:
    opening = _ORDERS.match(text)
    verb = next(words(text[opening.end() :]), "") if opening else ""
    if opening is None or not verb or len(telling_in(text)) > _REMARK:
        return False
    # Any other order may be an errand: "Water the plants".
    return opening["not"] is not None and verb in _OF_TALK


def _topic(options: Sequence[Candidate], told: Sequence[int]) -> frozenset[str]:
    """Stems that half of the memories have in common."""
    by_item: dict[int, set[str]] = {}
    for at in told:
        by_item.setdefault(options[at].item, set()).update(telling_in(options[at].text))
    times = Counter(term for terms in by_item.values() for term in terms)
    return frozenset(term for term, number in times.items() if number > 1 and 2 * number >= len(by_item))


def _may_be_bare(option: Candidate, items: Sequence[Item]) -> bool:
    if not items[option.item].speaker or option.derived or option.code or len(option.sources) > 1:
        return False
    return not (option.standing or option.changes or option.of_health or option.order or changes(option.text))


def _is_bare(text: str, topic: Collection[str]) -> bool:
    if counts(text):
        return False
    names_nothing = text.endswith("!") or not states(text)
    if lacks_verb(text) and size_of(text) <= _SHORT and names_nothing and not speaks_of_somebody(text):
        return True
    return len(telling_in(text) - set(topic)) <= _LITTLE
