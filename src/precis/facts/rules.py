"""Which sentences of a message are facts about a person that stand alone, and how each names its speaker.

In doubt none: the message stays as it is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from precis.checks.pasted import parts_of_mail
from precis.checks.reactions import POINTS_BACK, is_fragment, is_reaction, tells_listener
from precis.facts import elsewhere
from precis.facts.anchored import anchored, is_figure_or_trifle, is_of_a_moment, leaves_subject_out, without_quoted
from precis.facts.joined import by_itself, goes_on_with_value, introduces, with_first_person
from precis.facts.named import (
    as_meant,
    has_health,
    in_third_person,
    is_passing,
    is_plainly_english,
    may_be_another,
    speaks_english,
    tells_of_health,
    tells_of_named,
)
from precis.language import tables
from precis.language.chitchat import hollow, is_small_talk, telling_in, uncalled
from precis.language.grammar import FORMS
from precis.language.labels import extract
from precis.language.newest.instructed import holds_of_every_answer, instructs
from precis.language.newest.renewed import single_in
from precis.language.newest.taken_back import jokes_in, laughs, puts_right, takes_back
from precis.language.script import is_english
from precis.language.sentences import asks, is_question, sentences
from precis.language.unmarked import asks_unmarked
from precis.language.words import STOP_WORDS, names, normal, numbers, words

_I = re.compile(r"\bI\b")
_FIRST = re.compile(r"\b(?:I|I['\u2019]\w+|[Mm]y|[Mm]e)\b")
#: Types of sentences that tell something of somebody.
_TELLING = frozenset({"preference", "fact", "relationship", "plan", "event"})
#: Words whose meaning stands in another sentence, or that only the listener knows.
_POINTS = re.compile(
    r"\b(?:it|its|they|them|their|he|him|his|she|her|hers|this|these|those|that|thats|there|then|here|such|same|one|ones|"
    r"you|your|yours|yourself|we|us|our|ours|too|either|neither|so|else|otherwise)\b"
    r"|\bthe (?:idea|thing|rest|lot|latter|former)(?=\W*$|[,;])",
    re.IGNORECASE,
)
#: Of those, what joins the halves of a sentence, or belongs to somebody named before it in the same sentence.
_WITHIN = frozenset("its their his her that so then there".split())
#: And what tells more of whoever was named right before: "Dr. Okafor, the one on Mill Street".
_APPOSED = re.compile(r"\w, the $")
#: What adds to something, and points nowhere where the sentence tells enough by itself.
_ADDS, _ENOUGH = frozenset({"too", "either"}), 2
#: And what opens a half of a sentence and stands for something named in the other: "a bike, and it is red".
_OPENS_HALF = re.compile(
    r"(?:[,;:\u2013\u2014-]|\b(?:and|but|because|since|so|that|when|as|though|while))\s+$", re.IGNORECASE
)
#: And whom whoever speaks did something to, with nobody named between: "I told her".
_DONE_TO = re.compile(r"(?:^|[,;:.] )I(?:['\u2019]\w+)?(?: \w+){1,2} $")
_SUBJECTS = frozenset("it they he she".split())
_OF_OTHER = re.compile(r"\b(?:s?he|his|her|him|they|their)\b", re.IGNORECASE)
#: What is not yet so, or only thought.
_UNSURE = re.compile(
    r"\b(?:if|unless|maybe|perhaps|probably|possibly|wish|guess|suppose|wonder|hopefully|would|wouldn't|should|"
    r"might|could|not sure|i say|i meant|i think|i feel|i hope|let['\u2019]?s|let me)\b|\bI['\u2019]d\b|\b(?-i:may)\b"
    r"|\b(?:kidding|joking|all ears)\b|\bhave (?:\w+ ){1,2}(?:questions?|remarks?|comments?|suggestions?|options?)\b",
    re.IGNORECASE,
)
#: What stands before a fact and is no part of it.
_OPENS = re.compile(
    r"^(?:(?:oh|ah|well|yes|yeah|yep|no(?=[,.!]| I\b| wait)|ok|okay|actually|by the way|btw|and|but|also|so|hi|hey"
    r"|hello"
    rf"|(?:please )?(?:remember|note) that|just so you know|(?:{tables.choices('told_of.leads')})(?=[,:]))\b[,:!. ]*)+",
    re.IGNORECASE,
)
#: How somebody found something that is over: "King's day was fun."
_JUDGED = re.compile(
    rf"[\w'\u2019 -]{{1,40}}? (?:was|were|went) (?:(?:so|really|very|such|quite|just|a lot of|great) )*"
    rf"(?:{tables.choices('told_of.judged')})[.! ]*",
    re.IGNORECASE,
)
_MARKS = " ,;:.-!"
#: Opens what puts a fact right, and tells nothing of who speaks.
_I_MEAN = re.compile(r"^(?:well, )?I mean,? ", re.IGNORECASE)
#: "I" as it is typed on a phone.
_TYPED_I = re.compile(r"(?<![\w.'\u2019-])i(?=['\u2019 ])")
_FEWEST_WORDS, _MOST_WORDS = 3, 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """One fact, and who is quoted with it where it is not in the third person."""

    text: str
    speaker: str | None
    #: The type that the rules see in it.
    type: str


def facts_in(text: str, *, name: str | None, role: str) -> Sequence[Fact]:
    """The facts of one message; ``name`` is its speaker's, where anybody knows it.

    What an assistant says is no fact about the person it speaks to, unless it has a name; nor is what others signed.
    """
    if role != "user" and name is None:
        return ()
    text = "\n".join(part.text for part in parts_of_mail(text, name) if part.speaker == name)
    english, told, before = is_english(text), " ".join(without_quoted(text).split()), None
    facts, last = dict[Fact, None](), ""
    for sentence, rest in _meant(text):
        fact = _completed(_read(sentence, name, role, english, own=sentence in told), rest, name)
        behind = _behind(before, sentence, name) if fact is None and before is not None else None
        if behind is not None and before is not None:
            facts.pop(before, None)
        elif fact is before is None and introduces(last) and _goes_on(sentence, last) and f"{last} {sentence}" in told:
            behind = Fact(text=f"{last} {sentence}", speaker=name or role, type="fact")
        before, last = behind or fact, sentence
        if before is not None:
            facts[before] = None
    return list(facts)


def _meant(text: str) -> Iterator[tuple[str, str]]:
    """Each sentence that may be meant, and what stands right behind it and puts it right: that is told with it or not.

    None with a laugh in it, none that is taken back, and none that takes another back.
    """
    parts = as_meant([" ".join(each.split()) for each in sentences(text)])
    jokes = jokes_in(parts)
    for at, part in enumerate(parts):
        rest = " ".join(takewhile(takes_back, parts[at + 1 :]))
        # What is asked is no fact, and what stands behind it answers.
        right = bool(rest) and all(map(puts_right, sentences(rest))) and not (laughs(part) or is_question(part))
        if not takes_back(part) and (right or not jokes[at]):
            yield part, rest


def _completed(fact: Fact | None, rest: str, name: str | None) -> Fact | None:
    """The fact with what puts it right; None where that cannot be told of its speaker by name, as the fact is."""
    if fact is None or not rest:
        return fact
    rest = _I_MEAN.sub("That is, ", rest)
    about = in_third_person(rest, name) if name and fact.speaker is None else rest
    return None if about is None else replace(fact, text=f"{fact.text} {about}")


def _behind(before: Fact, sentence: str, name: str | None) -> Fact | None:
    """The fact before with this sentence, where that tells of somebody's health and says "he" or "she" of whom it is.

    Or who succeeds them, and what their number is. Whose it is stands in the words before: no rule has to guess.
    """
    of_other = _OF_OTHER.search(sentence) and (has_health(sentence) or tells_who_to_whom(sentence))
    goes_on = of_other or _goes_on(sentence, before.text)
    if not goes_on or is_question(sentence) or _UNSURE.search(sentence):
        return None
    if before.speaker is not None or not (names(before.text) or tells_of_named(before.text)):
        return None
    about = in_third_person(sentence, name) if name else sentence
    return None if about is None else replace(before, text=f"{before.text} {about}")


def _goes_on(sentence: str, before: str) -> bool:
    return goes_on_with_value(sentence, before) and not (asks(sentence) or _UNSURE.search(f"{before} {sentence}"))


def _read(sentence: str, name: str | None, role: str, english: bool, *, own: bool) -> Fact | None:  # noqa: FBT001
    if own and role == "user" and holds_of_every_answer(sentence):
        return Fact(text=sentence, speaker=name or role, type="preference")
    if speaks_english(sentence):
        return _fact(sentence, name, role)
    english = (english or is_plainly_english(sentence)) and not (_I.search(sentence) or may_be_another(sentence))
    fact = _fact(sentence, name, role) if english else None
    return fact or _fact_elsewhere(sentence, name, role, own=own)


def _fact_elsewhere(sentence: str, name: str | None, role: str, *, own: bool) -> Fact | None:
    """The fact in a sentence of another language; ``own`` where it stands in no long quotation."""
    telling = elsewhere.telling(sentence) or (anchored(sentence) if own else None)
    if telling is None:
        return None
    about = telling.in_third_person(name) if name else None
    return Fact(text=about or telling.text, speaker=None if about else name or role, type=telling.type)


def _fact(sentence: str, name: str | None, role: str) -> Fact | None:
    plain = by_itself(_OPENS.sub("", uncalled(sentence).lstrip(_MARKS)).strip())
    plain = typed = plain.lstrip(_MARKS)
    plain = plain[:1].upper() + plain[1:]
    if (spoken := with_first_person(plain)) is not None:
        fact = _fact(spoken, name, role)
        return replace(fact, text=plain, speaker=name or role) if fact else None
    # What begins in small letters begins with nobody's name, unless it tells of health: "theo is allergic to nuts".
    typed = plain if _FIRST.match(plain) or tells_of_health(plain) else typed
    if not _of_somebody(typed) or not _stands_alone(plain):
        return None
    labels = extract(plain, speaker=name or role)
    type_ = "fact" if labels.type == "opinion" and tells_of_health(plain) else labels.type
    of_dealings = is_agreement(plain) or gives_value(plain)
    type_ = "fact" if of_dealings else type_
    if type_ not in _TELLING or (labels.person is None and not of_dealings and not tells_of_named(typed)):
        return None
    plain = _TYPED_I.sub("I", plain)
    # How an assistant is to answer is quoted: "answer Ilse" would be another's order.
    plainly = name and without_we(plain) == plain and not (instructs(plain) and _FIRST.search(plain))
    about = in_third_person(plain, name) if name and plainly else None
    return Fact(text=about or plain, speaker=None if about else name or role, type=type_)


def _stands_alone(sentence: str) -> bool:
    judges = _JUDGED.fullmatch(sentence) is not None and not _FIRST.search(sentence)
    if judges or is_question(sentence) or asks(sentence) or is_small_talk(sentence) or hollow(sentence):
        return False
    if leaves_subject_out(sentence) or (is_passing(sentence) and not _FIRST.search(sentence)):
        return False
    of_a_moment = is_of_a_moment(sentence) and not tells_of_health(sentence)
    if asks_unmarked(sentence) or is_figure_or_trifle(sentence) or of_a_moment:
        return False
    is_scrap = is_fragment(sentence) and not tells_of_health(sentence)
    if is_reaction(sentence) or is_scrap or tells_listener(sentence) or POINTS_BACK.match(sentence):
        return False
    number, is_ill = sum(1 for _ in words(sentence)), has_health(sentence) and _I.match(sentence)  # "I'm celiac."
    fewest = _FEWEST_WORDS - 1 if is_ill else _FEWEST_WORDS
    if not fewest <= number <= _MOST_WORDS or _UNSURE.search(sentence) or "[" in sentence:
        return False
    tells = bool(telling_in(sentence)) or (number > _FEWEST_WORDS and bool(numbers(sentence)))
    return tells and not _asks_for(sentence) and not _points(without_we(sentence))


def _of_somebody(sentence: str) -> bool:
    """Whether its speaker or somebody with a name is in it: what is so of a thing is so of nobody."""
    return _FIRST.search(sentence) is not None or bool(names(sentence)) or tells_of_named(sentence)


def _asks_for(sentence: str) -> bool:
    """Whether it is, or may be, a request: it opens with a verb, with "don't" or with "please"."""
    first = next(iter(words(sentence)), "").replace("\u2019", "'")
    return first in {"please", "don't", "do"} or (first in FORMS and "base" in FORMS[first].kinds)


def _points(sentence: str) -> bool:
    """Whether a word of it has its meaning elsewhere."""
    for match in _POINTS.finditer(sentence):
        word, before = match[0].casefold(), sentence[: match.start()]
        if word in _ADDS and len(telling_in(sentence)) >= _ENOUGH:
            continue
        joins = word in _WITHIN or (word in _SUBJECTS and _OPENS_HALF.search(before) is not None)
        joins = joins and not _DONE_TO.search(before)
        joins = joins or (word == "one" and _APPOSED.search(before) is not None)
        nouns = (other for other in words(before) if other not in FORMS and other not in STOP_WORDS)
        if not joins or not any(len(noun) > 2 for noun in nouns):
            return True
    return False


# Facts of dealings: what was agreed with somebody, the code or number of a place, who succeeds whom.
_FIGURE = re.compile(r"\d")
#: "We agreed on 85 euros with Lumo", "At Brandt we fixed 12.40": whoever speaks, and those they deal with.
_AGREED = re.compile(
    rf"\b(?P<who>I|we)(?:['\u2019]ve| have)?(?: \w+ly| now| also| just)? (?:{tables.choices('told_of.agreed')})\b",
    re.IGNORECASE,
)
_VALUED = frozenset(tables.words("told_of.valued"))
#: Who is what to somebody named right before: "Her successor is one Tobias Weiher."
_RELATED = re.compile(
    rf"(?:his|her|their) (?:new |direct |private |work |own )?(?:{tables.choices('told_of.related')})"
    r" (?:is|are|will be|is called|['\u2019]s)(?: now| called| one| a certain| going to be)* (?P<value>.+)",
    re.IGNORECASE,
)
_NAME = re.compile(r"[A-Z\u00c0-\u00de][^\W\d_]+")


def is_agreement(sentence: str) -> bool:
    """Whether it says what whoever speaks agreed with somebody it names, with a figure."""
    return _AGREED.search(sentence) is not None and _FIGURE.search(sentence) is not None and bool(_partners(sentence))


def _partners(sentence: str) -> list[str]:
    return [name for name in names(sentence) if name != "I"]


def without_we(sentence: str) -> str:
    """An agreement as if one alone had made it: it is known who "we" are, whoever speaks for them."""
    return re.sub(r"\b[Ww]e\b", "I", sentence) if is_agreement(sentence) else sentence


def gives_value(sentence: str) -> bool:
    """Whether it gives the code, the number, the price of something that it says by name where or whose it is."""
    single = single_in(sentence)
    if single is None or not _FIGURE.search(single.value):
        return False
    named = re.split(r"\b(?:is|are|was|were)\b|[:=]", normal(sentence), maxsplit=1)[0]
    return not _VALUED.isdisjoint(words(named)) and bool(_partners(named))


def tells_who_to_whom(sentence: str) -> bool:
    """Whether it names who or what is whose, where "his" or "her" is of whoever the sentence before is about."""
    match = _RELATED.fullmatch(sentence)
    return match is not None and (_NAME.search(match["value"]) or _FIGURE.search(match["value"])) is not None
