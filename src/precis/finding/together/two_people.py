"""Of a memory that tells the same of two people, the half that is meant; and one that says it in so many words."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from precis.finding import halves, names, parts
from precis.finding.about.denials import denials
from precis.finding.reading import Word, read_words, sentence_spans
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written import clauses, languages

#: A text, or a sentence of it, begins.
_BEGINS = re.compile(r"(?:^|[.!?\u3002\uff01\uff1f\n])\W*$")
#: Why a row is meant that has all that was asked for, word for word.
VERBATIM = "it has the very words"
_SHORT = {"m": "am", "re": "are", "ve": "have", "ll": "will"}
#: Fewer words than these say nothing that could not be said of something else.
_FEWEST = 4
#: The same of the user by a name: "the user is religious".
_FEWEST_NOTED = 3
#: The user, as the subject of what is compared; and verbs with forms of their own.
_USER = "i"
_ONE_FORM = {
    "am": "be", "is": "be", "are": "be", "has": "have", "does": "do", "cannot": "can", "his": "my", "her": "my",
    "their": "my",
}  # fmt: skip


def in_so_many_words(subject: parts.Subject, row: Row, own_names: Collection[str]) -> Match | None:
    """The match of a row that says all of what was asked for, word for word, and denies no more than it does.

    "The user has no siblings" says what "I have no siblings" asks for.
    """
    noted = _noted(subject, row, own_names) if subject.clause and not subject.foreign else None
    return noted or _verbatim(subject, row)


def _noted(subject: parts.Subject, row: Row, own_names: Collection[str]) -> Match | None:
    """The match of a sentence that says of the user by a name what a clause says in the first person."""
    asking = read_words(subject.text)
    denied, asked = denials(asking), [*_of_user(asking, own_names)]
    if len(asked) < _FEWEST_NOTED or asked[0] != _USER or subject.old or subject.current:
        return None
    for start, end in sentence_spans(row.text):
        words = [word for word in read_words(row.text) if start <= word.start < end]
        if not words or words[0].low not in own_names or words[0].owns or denials(words) != denied:
            continue
        told: list[str] = []
        for word in words:
            told += _of_user([word], own_names)
            if len(told) >= len(asked):
                break
        if len(told) == len(asked) and all(map(_same_form, asked, told)):
            return Match(level=Level.SURE, why=VERBATIM, spans=((words[0].start, word.end),))
    return None


def _of_user(words: Sequence[Word], own_names: Collection[str]) -> Iterator[str]:
    """The words, with one for the user, short forms in full, and each verb that has forms of its own in one."""
    for word in words:
        if word.owns and word.low in own_names:
            yield "my"
            continue
        for low in _spelled([word]):
            yield _USER if low in own_names else _ONE_FORM.get(low, low)


def _same_form(first: str, second: str) -> bool:
    """Whether they are one word, or a verb of the first and of the third person: "like", "likes"."""
    short, long = sorted((first, second), key=len)
    return first == second or (
        long in {f"{short}s", f"{short}es"} or (short.endswith("y") and long == f"{short[:-1]}ies")
    )


def _verbatim(subject: parts.Subject, row: Row) -> Match | None:
    asked = read_words(subject.text)
    own = subject.clause or subject.mine
    if len(asked) < _FEWEST - subject.clause - subject.foreign or not own:
        return None
    words, lows = read_words(row.text), [*_spelled(asked)]
    for at in range(len(words)):
        if next(_spelled(words[at : at + 1])) != lows[0]:
            continue
        length = next((n for n in _lengths(asked) if [*_spelled(words[at : at + n])] == lows), 0)
        inside = words[at : at + length]
        if not inside or denials(words) != denials(asked):
            continue
        if _BEGINS.search(row.text[: inside[0].start]):  # "Ana: I am ill" is of Ana
            return Match(level=Level.SURE, why=VERBATIM, spans=((inside[0].start, inside[-1].end),))
    return None


def _spelled(words: Sequence[Word]) -> Iterator[str]:
    """The words with short forms in full: "I am", "do not", of "I'm" and "don't"."""
    for word in words:
        raw = word.text.lower().replace("\u2019", "'")
        if raw in {"cannot", "can't"}:
            yield from ("can", "not")
        elif raw.endswith("n't"):
            yield from ({"wo": "will", "sha": "shall"}.get(raw[:-3], raw[:-3]), "not")
        elif raw.partition("'")[2] in _SHORT:
            yield from (raw.partition("'")[0], _SHORT[raw.partition("'")[2]])
        else:
            yield word.low


def _lengths(asked: Sequence[Word]) -> Iterator[int]:
    """How many words may say the same as these, with short forms or without."""
    yield from (len(asked), len(asked) + 1, len(asked) - 1, len(asked) + 2)


def without_theirs(
    row: Row, spans: Sequence[Span], about: Callable[[Row], Match], *, several: bool
) -> tuple[Span, ...]:
    """Where it tells what was asked for, without the clauses that tell it of somebody else.

    Of "my salary is 54,000 and my brother's salary is 49,000" only the first has what "my salary" means: ``about`` says
    how well a clause fits by itself. Where ``several`` words were asked for, "my mother's illness", a clause that has
    only some of them is of somebody else; nothing is left where each clause has.
    """
    pieces = clauses.clauses_of(row.text)
    touched = [*filter(halves.Places(spans).touch, pieces)]
    if len(touched) < 2:
        return tuple(spans)
    levels = {piece: about(replace(row, text=row.text[slice(*piece)], likeness=())).level for piece in touched}
    best = max(levels.values())
    if best < Level.DOUBTFUL:
        return () if several or _of_one_sentence(row.text, touched) else tuple(spans)
    theirs = [
        piece
        for piece, level in levels.items()
        if level <= Level.NEAR or (level < best and (several or _opens_with_name(row.text, piece)))
    ]
    return _outside(spans, theirs)


def _of_one_sentence(text: str, pieces: Sequence[Span]) -> bool:
    """Whether clauses of one sentence have one of the words each, in another language than English."""
    one = any(start <= pieces[0][0] and pieces[-1][1] <= end for start, end in sentence_spans(text))
    return one and languages.language_of([word.low for word in read_words(text)], text) != "en"


def _opens_with_name(text: str, piece: Span) -> bool:
    """Whether a clause within a sentence begins with a capital, which in German is that of any noun."""
    inside = piece[0] > 0 and _BEGINS.search(text[: piece[0]]) is None
    german = languages.language_of([word.low for word in read_words(text)], text) == "de"
    named = any(first == piece[0] for first, _, _ in names.people(text)) if german else text[piece[0]].isupper()
    return inside and named


def without_kept(row: Row, match: Match, kept: Match) -> Match | None:
    """The match of the clauses that have nothing of what is to be left alone, where the memory can be parted so."""
    pieces = clauses.clauses_of(row.text)
    left = [*filter(halves.Places(kept.spans).touch, pieces)]
    spans = _outside(match.spans, left)
    if not left or not spans or len(left) == len(pieces):
        return None
    stays, _ = halves.parted(row.text, spans, facts=True)
    return replace(match, spans=spans) if all(piece in stays for piece in left) else None


def has_more(kept: Match, match: Match) -> bool:
    """Whether what is to be left alone is told by anything that does not tell what is asked for: a word, or a label."""
    return kept.level < Level.DOUBTFUL or not kept.spans or bool(_outside(kept.spans, match.spans))


def _outside(spans: Sequence[Span], pieces: Sequence[Span]) -> tuple[Span, ...]:
    """Those that lie in none of the pieces."""
    places = halves.Places(pieces)
    return tuple(span for span in spans if not places.touch(span))
