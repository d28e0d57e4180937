"""What fits one subject of a request, in doubt where it may tell of something else after all."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from precis.finding import identifiers, parts, reading, tables, values
from precis.finding.about.denials import denials
from precis.finding.doubts import bearers, care, clauses, other_values, replies, second_half, senses, whose
from precis.finding.written.clauses import clauses_of
from precis.finding.written.forms import LIKE_NAME
from precis.language.words import kept

# Whether a memory has only one of the two words of which a word of the request is made: "das WLAN-Passwort".
#: Languages that make one word of two, the second of which says what it is.
_JOINING = frozenset({"de", "nl", "sv"})
#: Shorter pieces go with the one behind them: "E-Mail", "Wi-Fi".
_PIECE = 3
#: So many letters of a word are more than an ending, and as many of two forms of one are the same but for these.
_MORE, _ENDING = 5, 2


def lacks_part(subject: parts.Subject, text: str, spans: Sequence[values.Span]) -> bool:
    """Whether one of the two words has nothing in the text that is it, or means the same."""
    if subject.language not in _JOINING or not spans or not subject.parts:
        return False
    low, called = reading.folded(text), {part.word for part in subject.parts}
    names = {word for name in subject.names for word in name}
    for word in reading.read_words(subject.text):
        if word.low in names or ("-" in word.low and word.low in called):
            continue
        pieces = [*_pieces(word.low)] if "-" in word.low else [*_halves(subject, word.low, low, spans)]
        if len(pieces) > 1 and not all(_holds(piece, low) for piece in pieces):
            return True
    return False


def _pieces(word: str) -> Iterator[str]:
    """The words of one with hyphens: "e-mail-adresse" is "email" and "adresse"."""
    short = ""
    for piece in word.split("-"):
        short += piece
        if len(piece) >= _PIECE or (len(short) > len(piece) and len(short) > _PIECE):
            yield short
            short = ""
    if short:
        yield short


def _halves(subject: parts.Subject, word: str, low: str, spans: Sequence[values.Span]) -> Iterator[str]:
    """A word without a hyphen of which the text has the beginning, and what stands behind that: "Geburtstagskuchen"."""
    part = next((part for part in subject.parts if part.word == word), None)
    there = {low[slice(*span)] for span in spans}
    begun = max((it for it in there if word.startswith(it)), key=len, default="") if part and part.groups else ""
    rest = word[len(begun) :].removeprefix("e").lstrip("ns")
    # Of a word that a table has for itself it is known in what other words it is told.
    if (
        begun
        and len(rest) >= _MORE
        and word not in there
        and not (_groups_of(rest) or rest in tables.name_words("weak_heads"))
    ):
        yield from (begun, rest)


def _holds(piece: str, low: str) -> bool:
    """Whether a text has a word, within another one, too, or one that means the same."""
    if identifiers.names_number(piece) or piece[: max(_MORE, len(piece) - _ENDING)] in low.replace("-", ""):
        return True
    meant = _groups_of(piece)
    return bool(meant) and tables.any_group(meant, plain=low.isascii()).search(low) is not None


@kept
def _groups_of(word: str) -> frozenset[str]:
    return frozenset(name for name, (called, _) in tables.groups().items() if called.fullmatch(word))


# Whether a memory says of the very thing that it is not so, or a request does: "Denise is not a nurse".
#: Between a denial and what is denied: "does not have any", "was never diagnosed with".
_WITHIN = tables.name_words("within_denial")


_JOINT = re.compile(r"[,;]\s|\s(?:and|but|or)\s")


def says_contrary(subject: parts.Subject, text: str, spans: Sequence[values.Span]) -> bool:
    """Whether one of the two denies what the other tells, in the very words; English only."""
    if subject.foreign or not subject.parts or not spans or subject.old or subject.current:
        return False
    low = reading.folded(text)
    if not all(reading.places_of(part.word, low) for part in subject.parts):
        return False
    if subject.states or subject.clause:
        return denials(reading.read_words(subject.text)) != _denies_there(text, spans)
    return all(_is_denied(text, span) for span in spans)


def _denies_there(text: str, spans: Sequence[values.Span]) -> bool:
    """Whether the clauses that have one of the places deny."""
    pieces = []
    for start, end in clauses_of(text):
        touched = [last for first, last in spans if first < end and last > start]
        joint = _JOINT.search(text, max(touched, default=start), end)  # "... a vegetarian and can't stand coriander"
        pieces += [(start, joint.start() if joint else end)] if touched else []
    inside = [word for word in reading.read_words(text) if any(s <= word.start < e for s, e in pieces)]
    return denials(inside)


def _is_denied(text: str, span: values.Span) -> bool:
    """Whether a denial stands before it, and nothing between that would be denied in its place."""
    before = [word for word in reading.read_words(text) if word.end <= span[0]]
    while before and before[-1].low in _WITHIN and not denials(before[-1:]):
        if before[-1].opens:
            return False
        before.pop()
    return bool(before) and denials(before[-1:]) and before[-1].low not in tables.name_words("copulas")


OF_NOW = "it tells what is so now, or was so"
_Doubt = Callable[[parts.Subject, str, Sequence[values.Span]], bool]


def _firm_of(subject: parts.Subject, text: str, spans: Sequence[values.Span]) -> bool:
    """Whether somebody is asked for, and the name is that of a firm there."""
    names = {name[0] for name in subject.names}
    placed = [span for span in spans if any(word.low in names for word in reading.read_words(text[slice(*span)]))]
    return bearers.says_role(subject) and bearers.is_firm(text, placed)


_DOUBTS: tuple[tuple[_Doubt, str], ...] = (
    (care.only_at_work, "it may only tell of a work or a study"),
    (care.of_an_animal, "it may tell that of an animal"),
    (care.only_colleagues, "it tells of somebody there"),
    (says_contrary, "one of the two says that it is not so"),
    (_firm_of, "there it may be a firm"),
    (senses.is_called_so, "somebody is only called so there"),
    (bearers.is_called_after, "it may be a thing that is called so"),
    (lacks_part, "it has only a part of what was asked for"),
    (care.is_only_felt, "it only says what the user likes, fears or does not bear"),
    (care.is_told_of_own, "it tells that of somebody or something of the user's"),
    (care.is_of_youth, "the user was a child then"),
    (care.only_modifies, "it only says of what kind another thing is"),
    (whose.of_another_owner, "it is called somebody else's"),
    (whose.only_of_theirs, "it tells of somebody of theirs"),
    (whose.has_such, "it tells of somebody there"),
    (other_values.is_other_address, "it is an address of another kind"),
    (replies.tells_no_place, "it does not say where"),
    (replies.tells_nobody, "it names nobody there"),
    (replies.lacks_deed, "it may be another thing of that kind"),
    (replies.tells_of_now, OF_NOW),
    (replies.is_of_another_time, OF_NOW),
    (other_values.is_no_amount, "it says nothing of how much or how often"),
    (other_values.is_other_secret, "it is a number, and no password"),
    (senses.opens_with_namesake, "it may tell that of somebody else"),
    (other_values.is_paid_out, "it tells what something costs"),
    (other_values.is_no_secret, "it has the words, perhaps in another sense"),
    (care.is_of_several, "it is called somebody else's"),
    (clauses.is_for_another, "it is for somebody else"),
    (clauses.is_told_of_another, "it is told of somebody else"),
    (clauses.is_of_one_named, "it may tell that of somebody who is named there"),
    (clauses.takes_up_clause, "it may tell that of something else"),
    (second_half.told_of_topic, "somebody else may do that"),
    (senses.is_supposed, "it may be a joke, or only supposed"),
    (senses.is_named_for, "it only says of what kind another thing is"),
    (senses.is_phrasal, "it has the words, perhaps in another sense"),
    (senses.is_only_place, "it has the words, perhaps in another sense"),
    (senses.drives_somebody, "it has the words, perhaps in another sense"),
    (senses.is_figure, "it only says of what kind another thing is"),
    (senses.is_otherwise_written, "it has the words, perhaps in another sense"),
)
#: Why a row is in doubt, whatever another reading of the request makes of it.
DOUBTS = frozenset(why for _, why in _DOUBTS) | {LIKE_NAME}


def _of_speaker(subject: parts.Subject, row: values.Row, holds: _Doubt) -> parts.Subject:
    """The subject as it is said by whom it names: "my knee" of Will's, where Will speaks."""
    if holds is not whose.of_another_owner or not (row.speaker and subject.parts) or subject.clause or subject.mine:
        return subject
    if subject.names != (tuple(map(reading.folded, row.speaker.split())),):
        return subject
    return replace(subject, text=f"my {' '.join(part.word for part in subject.parts)}", names=(), mine=True)


def with_doubts(subject: parts.Subject, row: values.Row, match: values.Match) -> values.Match:
    """The match of one subject, in doubt where any of these reasons holds."""
    if match.level is not values.Level.SURE:
        return match
    doubt = next((why for holds, why in _DOUBTS if holds(_of_speaker(subject, row, holds), row.text, match.spans)), "")
    return replace(match, level=values.Level.DOUBTFUL, why=doubt) if doubt else match
