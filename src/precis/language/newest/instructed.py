"""How an assistant is to work from now on, and which newer instruction has taken the place of which older one. Pure.

Both have to be what users say. In doubt both stand.
"""

from collections.abc import Sequence
from typing import NamedTuple

from precis import patterns as re
from precis.language import tables
from precis.language.grammar import BE
from precis.language.script import is_foreign
from precis.language.sentences import is_question, sentences
from precis.language.verbs import has_verb
from precis.language.vocabulary import NEGATORS
from precis.language.words import content, kept, normal, numbers, words


def _listed(*places: str) -> str:
    return "|".join(tables.choices(f"instructed.{place}") for place in places)


def _anywhere(*places: str) -> re.Pattern[str]:
    return re.compile(_listed(*places), re.IGNORECASE)


_LASTING, _WORDING = (
    re.compile(f"{tables.whole(_listed(name))}|{_listed(f'{name}_unspaced')}", re.IGNORECASE)
    for name in ("lasting", "wording")
)
#: What may stand before an order.
_OPENS = rf"^\W*(?:(?:{_listed('lasting', 'before_deeds')})[,:]?\s+)*"
_ORDERS = re.compile(rf"{_OPENS}(?:{_listed('deeds')})(?!\w)", re.IGNORECASE)
_HENCEFORTH, _WRITTEN, _EVERY_KIND, _BESIDES = (
    re.compile(tables.whole(_listed(name)), re.IGNORECASE)
    for name in ("henceforth", "written", "every_kind", "besides")
)
#: "Beträge nenn mir bitte immer netto."
_OBJECT_FIRST = re.compile(rf"^\W*(?:\w+ ){{1,4}}(?:{_listed('deeds')}) (?:{_listed('to_me')})(?!\w)", re.IGNORECASE)
#: To answer somebody else so.
_TO_OTHERS = re.compile(rf"{_OPENS}(?:{_listed('deeds')})?\s*(?:{_listed('to_others')})(?!\w)", re.IGNORECASE)
_ALLOWED = re.compile(rf"(?<!\w)(?:{_listed('allowed')}) (?:{_listed('deeds')})(?!\w)", re.IGNORECASE)
_WISHES = re.compile(tables.whole(_listed("wishes")), re.IGNORECASE)
_ENDS = re.compile(tables.whole(_listed("ends")), re.IGNORECASE)
_OPENS_ENDING = re.compile(rf"^\W*(?:(?:{_listed('before_deeds')})\s+)*(?:{_listed('ends')})(?!\w)", re.IGNORECASE)
_UNSPACED = tables.section("instructed.dimensions_unspaced")
_DIMENSIONS = {
    name: re.compile(
        "|".join([
            rf"(?<![\w-])(?:{tables.choices(f'instructed.dimensions.{name}')})(?![\w-])",
            *([tables.choices(f"instructed.dimensions_unspaced.{name}")] if name in _UNSPACED else []),
        ]),
        re.IGNORECASE,
    )
    for name in tables.section("instructed.dimensions")
}  # fmt: skip
#: What goes on with what was told right before.
_GOES_ON = re.compile(rf"^\W*(?:{_listed('before_deeds')})(?!\w)", re.IGNORECASE)
#: Behind what has no verb it rules for good: "..., never unittest".
_RULES = re.compile(
    r"\s*(?:and |but )?(?:(?:never|always) (?:in|with|by|as|on|at|to|from|without)|"
    r"never (?!again|mind|knew|know|once|better|more|so|\w+ing)\w+)\b",
    re.IGNORECASE,
)
_CLOSES = re.compile(rf"\b(?:{_listed('closing_deeds')})\W*$", re.IGNORECASE)
#: What lasts, or a wording, in small letters: every text that is written is searched for one.
_MAY_LAST = re.compile(rf"\b(?:{_listed('lasting', 'wording')})|{_listed('lasting_unspaced', 'wording_unspaced')}")
#: In other scripts: what asks not to do something, what asks wherever it stands, and how one tells of oneself.
_FORBIDS_ELSEWHERE = _anywhere("forbidding_unspaced")
_ASKS_ELSEWHERE = re.compile(rf"(?:{_listed('closing_unspaced')})\W*$|{_listed('asking_unspaced')}", re.IGNORECASE)
_TELLS_ELSEWHERE = re.compile(rf"^\W*(?:{_listed('telling_unspaced')})", re.IGNORECASE)
#: "No emojis, ever.", and what may stand around that.
_AROUND = rf"(?:{_listed('lasting', 'written', 'before_deeds')})(?!\w)"
_BARE = re.compile(
    rf"^\W*(?:{_AROUND}\W+)*(?:{_listed('bare')})\s*(?:{_listed('wording')})(?:\W+(?:{_AROUND}|ever|mehr|più|más|mais))*\W*$",
    re.IGNORECASE,
)
_IN_FORM = re.compile(
    rf"\b(?:{_listed('as_form')}) (?:\w+ ){{0,2}}?(?:{tables.choices('instructed.dimensions.form')})(?![\w-])",
    re.IGNORECASE,
)
#: What every instruction has words of, and none is about.
_GENERAL = content(" ".join((*tables.words("instructed.general"), *tables.words("instructed.sides"))))
#: "With" and "without" VAT, before and after: what two that are else the same say otherwise.
_SIDES = NEGATORS | frozenset(tables.words("instructed.sides"))
_FORBIDDING = NEGATORS | frozenset(tables.words("instructed.forbidding"))
#: So many words open a sentence.
_OPENING = 5
#: So much of what the older one is about the newer one has to speak of as well.
_SHARED = 0.6
#: The date behind a relative one, which a summary adds.
_ADDED = re.compile(r" ?\([^()]*\b(?:19|20)\d\d(?:-\d\d-\d\d)?\)")
#: "I ...", "We ..." tell of whoever speaks.
_TELLS = re.compile(r"^\W*(?:I|we|my|our|he|she|they|it)(?:['\u2019]\w+)?\b", re.IGNORECASE)


class Instruction(NamedTuple):
    """What an instruction is about."""

    #: Stems of its content, without the words that every instruction has.
    about: frozenset[str]
    #: By dimension the values that it wants, and those that it wants no more.
    wants: tuple[tuple[str, frozenset[str]], ...]
    ended: frozenset[str]
    figures: frozenset[str]
    sides: frozenset[str]


@kept
def instruction_of(sentence: str) -> Instruction | None:
    """What a sentence tells an assistant to do from now on; None where it tells, asks, or wants one thing done."""
    text = _ADDED.sub("", normal(sentence)).strip()
    if is_question(text) or not text:
        return None
    ends = _OPENS_ENDING.match(text)
    if not (_is_ordered(text) or (ends and _dimensions(text))):
        return None
    gone = _ENDS.search(text)
    behind = text[gone.end() :] if gone else ""
    ended = content(re.split(r"[,;.]", behind)[0]) - _GENERAL if gone else frozenset()
    wants = _dimensions(text[: gone.start()]) if gone and not ends else () if ends else _dimensions(text)
    return Instruction(
        about=content(text) - _GENERAL,
        wants=wants,
        ended=ended,
        figures=frozenset(numbers(text)),
        sides=frozenset(words(text)) & _SIDES,
    )


def forbids(sentence: str) -> bool:
    """Whether it asks an assistant not to do something, for good or once: "Please don't send it yet"."""
    text = normal(sentence).strip()
    opening = list(words(text))[:_OPENING]
    return _ORDERS.match(text) is not None and not _FORBIDDING.isdisjoint(opening)


def _is_ordered(text: str) -> bool:
    """Whether it asks for something that lasts, or for a way to write: by an order, a wish or without a verb."""
    lasts, tells = _lasts(text), _tells(text)
    if not tells and (_forbids_wording(text) or _asks_without_order(text, lasts=lasts)):
        return True
    if _WISHES.search(text) and (lasts or _dimensions(text)):
        return True
    if _ORDERS.match(text):
        return lasts or _IN_FORM.search(text) is not None or any(name != "form" for name, _ in _dimensions(text))
    if lasts and (_OBJECT_FIRST.match(text) or any(_ORDERS.match(part) for part in text.split(":")[1:])):
        return True
    if not lasts or tells:
        return False
    asks = any(pattern.search(text) for pattern in (_CLOSES, _ASKS_ELSEWHERE, _FORBIDS_ELSEWHERE))
    return asks or any(_ORDERS.match(part) for part in re.split(r"[,;]\s+", text)[1:])


def _tells(text: str) -> bool:
    """Whether it opens on whoever speaks."""
    return _TELLS.match(text) is not None or _TELLS_ELSEWHERE.match(text) is not None


def _forbids_wording(text: str) -> bool:
    """Whether it asks to leave words, or marks, out of what is written: that lasts."""
    asks = forbids(text) or _FORBIDS_ELSEWHERE.search(text) or _OPENS_ENDING.match(text)
    return _BARE.match(text) is not None or bool(asks and _WORDING.search(text))


def _asks_without_order(text: str, *, lasts: bool) -> bool:
    """As "No emojis in your answers", "British spelling from now on", "Tests with pytest, never unittest"."""
    opening, _, behind = text.partition(",")
    is_bare = BE.isdisjoint(words(opening)) and not has_verb(list(words(opening))) and not is_foreign(text)
    if is_bare and _RULES.match(behind) and len(content(opening) - _GENERAL) > 1:
        return True
    rest = _HENCEFORTH.sub(" ", _WRITTEN.sub(" ", opening))
    if rest != opening and BE.isdisjoint(words(rest)) and not has_verb(list(words(rest))):
        return True
    # "You can use the car for 60 miles" gives a figure, and no unit.
    has_dimension = not numbers(opening) and any(name != "form" for name, _ in _dimensions(opening))
    if _ALLOWED.search(opening):
        return lasts or has_dimension
    return has_dimension and _BESIDES.search(opening) is not None


def instructs(text: str) -> bool:
    """Whether a sentence of it tells an assistant how to work from now on."""
    return any(instruction_of(sentence) is not None for sentence in sentences(text))


def instructs_for_good(text: str) -> bool:
    """Whether a sentence of it does, and its words say that it lasts: of most texts no more is read."""
    return _MAY_LAST.search(normal(text).lower()) is not None and instructs(text)


def holds_of_every_answer(sentence: str) -> bool:
    """Whether it tells an assistant for good how to answer, whatever is asked: in which units, language or words."""
    instruction, text = instruction_of(sentence), normal(sentence)
    if _TO_OTHERS.match(text):
        return False
    if instruction is None or (instruction.ended and not instruction.wants):
        return instruction is not None and _forbids_wording(text)
    return _forbids_wording(text) or (_lasts(text) and any(name != "form" for name, _ in instruction.wants))


def standing_in(texts: Sequence[str]) -> list[tuple[int, str]]:
    """What of these texts, oldest first, tells an assistant for good how to work and stands: (text, what it says).

    It is read without what announces it ("Ground rules: always give me metric units"), and with what goes on behind it
    ("And prices always without VAT.").
    """
    lines = [(at, number, part) for at, text in enumerate(texts) for number, part in enumerate(sentences(text))]
    over = overruled_instructions(lines)
    standing: list[tuple[int, str]] = []
    goes_on: tuple[int, int] | None = None
    for at, number, part in lines:
        if goes_on == (at, number) and _GOES_ON.match(part) and instruction_of(part) is None and not is_question(part):
            standing[-1] = (at, f"{standing[-1][1]} {part}")
            goes_on = (at, number + 1)
        elif (at, number) not in over and _stands(part):
            end = part.rpartition(": ")[2]
            standing.append((at, end if _stands(end) else part))
            goes_on = (at, number + 1)
    return standing


def _stands(sentence: str) -> bool:
    instruction = instruction_of(sentence)
    lasts = instruction is not None and not (instruction.ended and not instruction.wants) and _lasts(sentence)
    return lasts or holds_of_every_answer(sentence)


def _lasts(text: str) -> bool:
    return _LASTING.search(text) is not None or _EVERY_KIND.search(text) is not None


def _dimensions(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    every = (
        (name, frozenset(match.group().casefold() for match in pattern.finditer(text)))
        for name, pattern in _DIMENSIONS.items()
    )
    return tuple((name, values) for name, values in every if values)


def takes_place_of(newer: Instruction, older: Instruction) -> bool:
    """Whether the newer instruction leaves nothing of the older one: it ends that, or gives it another value."""
    if newer.ended and older.about and _covers(newer.ended, older):
        return True
    if older.about and older.about == newer.about and older.figures == newer.figures:
        return older.sides != newer.sides
    old, new = dict(older.wants), dict(newer.wants)
    if older.ended or not old:
        return _another_figure(newer, older)
    same = [name for name in old if name in new]
    # "Answer in German, in short sentences" is not left by what is said of its length alone.
    if len(same) < len(old):
        return _another_figure(newer, older)
    differs = any(content(" ".join(old[name])) != content(" ".join(new[name])) for name in same)
    return bool(same) and differs and _of_the_same(newer, older)


def _covers(ended: frozenset[str], older: Instruction) -> bool:
    """Whether what is ended is what the older one asks for."""
    values = content(" ".join(value for _, each in older.wants for value in each))
    if values:
        return not ended.isdisjoint(values) and bool(older.wants)
    return len(ended & older.about) >= _SHARED * len(older.about)


def _another_figure(newer: Instruction, older: Instruction) -> bool:
    digits = {term for term in older.about | newer.about if any(map(str.isdigit, term))}
    old, new = older.about - digits, newer.about - digits
    return bool(old) and old == new and bool(older.figures) and newer.figures.isdisjoint(older.figures)


def _of_the_same(newer: Instruction, older: Instruction) -> bool:
    """Whether the newer one is of all that the older one is of: of all that is written, or of quantities."""
    bare = []
    for each in (newer, older):
        values = content(" ".join(value for _, values in each.wants for value in values))
        digits = {term for term in each.about if any(map(str.isdigit, term))}
        bare.append(each.about - values - digits - each.ended)
    new, old = bare
    return new <= old


def overruled_instructions(lines: Sequence[tuple[int, int, str]]) -> dict[tuple[int, int], tuple[int, int]]:
    """For each instruction that a newer one leaves nothing of the newest that does. Lines are oldest first.

    A line is (item, sentence, text); of one item the later sentence is newer.
    """
    read = [(item, number, instruction_of(text)) for item, number, text in lines]
    every = [(item, number, instruction) for item, number, instruction in read if instruction is not None]
    by: dict[tuple[int, int], tuple[int, int]] = {}
    for at, (item, number, older) in enumerate(every):
        for later_item, later_number, newer in every[at + 1 :]:
            if later_item > item and takes_place_of(newer, older):
                by[item, number] = (later_item, later_number)
    return by
