"""What a clause that cannot be read alone is put behind: its speaker's own words, or what another asked or said."""

import re
from collections.abc import Sequence
from dataclasses import replace

from precis.checks.answering import opens_on_answer, with_its_answer
from precis.checks.asides import Manners, hangs, lacks_clause
from precis.checks.reactions import (
    is_aside,
    is_fragment,
    is_reaction,
    lacks_verb,
    states,
    states_more,
    tells_enough,
    tells_more,
)
from precis.checks.trifles import changes_a_life
from precis.extractive import antecedents
from precis.extractive.candidate import Candidate, asks_shortly, size_of
from precis.extractive.conflicts import Conflicts
from precis.extractive.rendering import closed
from precis.extractive.trim import capital, trimmed
from precis.extractive.weights.agents import is_agents
from precis.extractive.weights.decisions import decides
from precis.extractive.weights.weighty import of_health
from precis.language.chitchat import OF_SELF, greets, hollow, telling_in
from precis.language.dating.resolving import dated
from precis.language.script import is_foreign
from precis.language.sentences import is_question, sentences
from precis.language.unmarked import asks_unmarked
from precis.language.values import unit_of
from precis.language.words import STOP_WORDS, content, kept_where_short, words
from precis.makers import Item

#: An answer of no more words tells little without its question.
_ANSWER = 8
#: An answer opens on so few words that more is told behind them.
_BARER = 3
#: So few signs are few words in a script without spaces, and one or two in others.
_FEW_SIGNS = 10
#: Who is asked and answers has told what is asked about so many turns before.
_TURNS = 2
_BUT = re.compile(r",? but ", re.IGNORECASE)
#: Before "of" stands no verb: "End of next week".
_OF = re.compile(r"^\W*\w+ of\b")
_FIGURE = re.compile(r"\d")
#: A value with its name.
_LABELED = re.compile(r"[^\W\d_](?:[^\W\d_]|[ /.-]){0,30}: *\W{0,2}\d")


def points_back(candidate: Candidate, item: Item, *, english: bool) -> bool:
    """Whether it opens on a word for what was said before, or is a scrap of a talk that means nothing by itself."""
    is_scrap = english and item.speaker is not None and is_fragment(candidate.text)
    # "Ilinca's pregnant." and "Total: 2,340.00" are short, and say all.
    says_all = is_scrap and (
        changes_a_life(candidate.text)
        or (item.alone and decides(candidate.text))
        or antecedents.says_what_somebody_has(candidate.text)
        or _LABELED.match(candidate.text) is not None
    )
    # "He encontrado piso" is Spanish, and of nobody else.
    points = english and antecedents.POINTS_BACK.match(candidate.text) is not None
    return points or (is_scrap and not says_all) or is_bare_figure(candidate.text)


@kept_where_short
def is_bare_figure(sentence: str) -> bool:
    """Whether it is a sum or a size alone, of what stands in the sentence before: "7,400 euros.", "1,100 a month."."""
    spoken = [word for word in words(sentence) if not (word in STOP_WORDS or unit_of(word) or word[0].isdigit())]
    return not spoken and any(map(str.isdigit, sentence))


def answers_unasked(option: Candidate, item: Item) -> bool:
    """Whether it is a short answer, and who asked is not there, as of "Ja, donnerstags um 17 Uhr.".

    "No, it's covered by the leasing company." has a verb, and tells that whatever was asked.
    """
    is_single = not (option.sentence or option.clause or option.derived or option.led) and len(option.sources) == 1
    if not (is_single and option.length <= _ANSWER and opens_on_answer(item.text)):
        return False
    return is_foreign(option.text) or lacks_verb(option.text)


def is_elliptic(candidate: Candidate, items: Sequence[Item]) -> bool:
    """Whether it opens on an answer without a verb, of which the question before says what it is about."""
    if candidate.derived or candidate.caption or candidate.sentence or candidate.clause or len(candidate.sources) > 1:
        return False
    # "A bit less, but it's nearer." has its verb behind what turns it.
    answer = _OF.sub("", _BUT.split(_opening(candidate))[0])
    return lacks_verb(answer) and bool(antecedents.question_before(items, candidate.item))


def _opening(candidate: Candidate) -> str:
    """The sentence that it opens on: a short message that was picked is one candidate."""
    return next(iter(sentences(candidate.text)), candidate.text)


def is_bare_answer(candidate: Candidate) -> bool:
    """Whether an answer opens on so few words that nobody understands them without the question: "Tomorrow. ..."."""
    return candidate.length <= antecedents.BARE or size_of(_opening(candidate)) <= _BARER


def is_short_answer(candidate: Candidate, items: Sequence[Item], manners: Manners | None) -> bool:
    """The same of another language than English, whose verbs are not known: what opens on a few words."""
    if candidate.derived or candidate.caption or candidate.sentence or candidate.clause or len(candidate.sources) > 1:
        return False
    opening = _opening(candidate)
    most = antecedents.CURT if " " in opening else antecedents.CURT_SIGNS
    if size_of(opening) > (2 * most if opens_on_answer(opening) else most):
        return False
    question = antecedents.question_before(items, candidate.item)
    return bool(question) and not (manners and manners.is_courtesy(question))


def goes_on_from(candidate: Candidate) -> bool:
    """Whether it says nothing without the sentence before it: "Pretends to sleep.", "Not deadly, just a bad night."."""
    follows = candidate.sentence > 0 and candidate.clause == 0
    return antecedents.lacks_subject(candidate.text) or (
        follows and lacks_clause(candidate.text) and not tells_enough(candidate.text)
    )


def is_price_of(candidate: Candidate) -> bool:
    """Whether it has a figure and no verb, of what the sentence before it tells: "2,200 cash to a farmer from Ross"."""
    return candidate.clause == 0 and _FIGURE.search(candidate.text) is not None and lacks_verb(candidate.text)


def _says_little(before: str, candidate: Candidate, item: Item) -> bool:
    """Whether a candidate is not worth the sentence before it, which may point back itself or speak of nobody."""
    if not item.speaker or is_foreign(item.text):
        return False
    both = f"{before} {candidate.text}"
    of_somebody = OF_SELF.search(both) is not None or states(both)
    return hangs(before, item.text) or is_aside(before) or not (tells_more(candidate.text) and of_somebody)


def _own_before(
    candidate: Candidate, item: Item, people: frozenset[str], conflicts: Conflicts, *, english: bool
) -> str:
    """What its speaker says right before it, unless that is out of date."""
    own = antecedents.own_words_before(candidate, item, people) if english and item.speaker else ""
    own = own or antecedents.own_sentence_before(candidate, item, people)
    before = candidate.sentence - (0 if candidate.clause else 1)
    return own if conflicts.holds((candidate.item, before), own) else ""


def leaning_on(
    candidate: Candidate, items: Sequence[Item], people: frozenset[str], conflicts: Conflicts,
    *, english: bool, leans: bool,
) -> Candidate | None:  # fmt: skip
    """A candidate behind what it cannot be read without; None where it is not worth that, or nobody knows what it is.

    What its own speaker says before it is what it points at: another's words are asked only where there are none.
    """
    item = items[candidate.item]
    before = _own_before(candidate, item, people, conflicts, english=english)
    if before:
        stays = states_more(candidate.text) or candidate.standing or not _says_little(before, candidate, item)
        return led_by_own(candidate, before) if stays else None
    if not (leans and item.speaker):
        return candidate
    own_last = sentences(item.text)[candidate.sentence - 1] if english and candidate.sentence else ""
    if own_last and not (is_reaction(own_last) or hollow(own_last) or greets(own_last) or is_question(own_last)):
        # "We won the bid! It starts in May." goes on from that, and not from what another said before it.
        return candidate if states_more(candidate.text) else None
    return _leaning(candidate, items, people)


def of_person_before(
    candidate: Candidate, items: Sequence[Item], people: frozenset[str], earlier: Sequence[Candidate]
) -> Candidate | None:
    """A candidate of a person whom its speaker named in the message before, behind an assistant's answer: with that.

    What tells of somebody's health stays, whomever it is of: "She's allergic to penicillin".
    """
    before = candidate.item - 1
    if antecedents.OF_A_PERSON.match(candidate.text) and before > 0 and is_agents(items[before]):
        own = items[before - 1]
        named = [
            at
            for at, option in enumerate(earlier)
            if option.item == before - 1 and not option.dangling and antecedents.names_somebody(option.text, people)
        ]
        if named and own.speaker == items[candidate.item].speaker:
            return replace(candidate, points_to=named[-1])
    return candidate if of_health(candidate.text) else None


def _leaning(candidate: Candidate, items: Sequence[Item], people: frozenset[str]) -> Candidate | None:
    """A candidate that points back, behind what it points at; None where that is not there and it states nothing."""
    item = items[candidate.item]
    before = antecedents.antecedent(items, candidate.item, candidate.text)
    judges = before is not None and not is_question(before)
    judges = judges and (is_fragment(candidate.text) or not tells_more(candidate.text) or is_agents(item))
    # "They're promoting me!" tells of whoever speaks, whoever they are; so does "They put me on lates, from the 14th."
    speaks_of_self = OF_SELF.search(candidate.text) is not None
    of_self = speaks_of_self and changes_a_life(candidate.text)
    # "No, it's covered by the leasing company" tells that, whatever was asked; who asked is not there.
    answers = (
        len({other.speaker for other in items}) == 1
        and opens_on_answer(candidate.text)
        and size_of(candidate.text) > antecedents.BARE
    )
    tells = states_more(candidate.text) or (speaks_of_self and states(candidate.text))
    if (before is None or judges) and not (of_self or answers or tells or candidate.standing):
        return None
    if before is None or of_self:
        return candidate
    led = led_by(candidate, before, items, people)
    return replace(candidate, led=led) if tells_enough(candidate.text) and not asks_shortly(before) else led


def behind_what_was_asked_about(options: Sequence[Candidate], items: Sequence[Item]) -> list[Candidate]:
    """The candidates; an answer to no more than "Where?" or "Welche Rasse?" behind what its speaker told before that.

    Where that was an answer itself, both are of what was spoken of before.
    """
    answering = {option.item for option in options if option.quoted}
    last_of = {
        option.item: at for at, option in enumerate(options) if not option.aside and option.item not in answering
    }

    def told_before(option: Candidate) -> int | None:
        at = option.item
        asked = antecedents.question_before(items, at) if option.quoted and option.points_to is None else ""
        few = size_of(asked) <= _BARER if " " in asked else len(asked) <= _FEW_SIGNS
        if not asked or at < _TURNS or not (few or not telling_in(asked)):
            return None
        goes_on = items[at - _TURNS].speaker == items[at].speaker
        return last_of.get(at - _TURNS) if goes_on and antecedents.answers(*items[at - _TURNS : at]) else None

    bound = [(option, told_before(option)) for option in options]
    return [option if back is None else replace(option, points_to=back) for option, back in bound]


def led_by_own(candidate: Candidate, before: str) -> Candidate:
    """The candidate behind what its speaker asked or said just before; in the middle of a sentence it goes on."""
    goes_on = before.rstrip()[-1:] not in ".!?"
    text = f"{before}{candidate.joint}{candidate.text}" if goes_on else f"{before} {capital(candidate.text)}"
    return replace(candidate, text=text, terms=content(text), length=size_of(text), dangling=False)


def led_by(candidate: Candidate, before: str, items: Sequence[Item], people: frozenset[str]) -> Candidate:
    """The candidate behind what was said just before: it rests on both. Who speaks on is not named again."""
    other, item = items[candidate.item - 1], items[candidate.item]
    before = trimmed(before, people)
    before = f"{before.rstrip(' .,;:')}?" if asks_unmarked(before) and not is_question(before) else before
    goes_on = candidate.lead if other.speaker != item.speaker else ""
    lead = f"{other.speaker}: {closed(dated(before, other.day, whole=other.text))} {goes_on}"
    opens = is_question(before) and not (candidate.sentence or candidate.clause)
    text = with_its_answer(candidate.text, item.text) if opens else candidate.text
    return replace(
        candidate,
        text=text,
        lead=lead,
        sources=(candidate.item - 1, candidate.item),
        terms=candidate.terms | content(before),
        length=size_of(text),
        lead_length=size_of(lead),
        dangling=False,
        quoted=before,
    )
