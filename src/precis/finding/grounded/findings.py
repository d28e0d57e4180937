"""What is said of the rows that match, and the findings of several readings of one request as one."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from precis.finding.about.measures import takes_more_along
from precis.finding.about.tellings import TOLD
from precis.finding.beyond.pasted import with_sender
from precis.finding.capitals import calendar
from precis.finding.doubts.beside import tells_more
from precis.finding.doubts.losses import takes_along, without_label, without_partner
from precis.finding.doubts.of_subject import DOUBTS
from precis.finding.doubts.second_half import (
    becomes_users,
    is_torn,
    leans_on_them,
    only_crumbs,
    points_back,
    takes_now,
    tells_two_values,
)
from precis.finding.halves import Places, parted
from precis.finding.names import people
from precis.finding.parts import Subject
from precis.finding.reading import Word, folded, read_words, sentence_spans
from precis.finding.tables import name_words
from precis.finding.together.by_pronoun import without_told
from precis.finding.values import LEFT_ALONE, Finding, Findings, Level, Match, Row, Span
from precis.finding.written.clauses import clauses_of
from precis.finding.written.forms import same_word
from precis.finding.written.speaking import is_being
from precis.language.newest.taken_back import takes_back
from precis.language.sentences import opens_sentence
from precis.language.words import STOP_WORDS

_NAME = r"[A-Z\u00c0-\u00de][\w'\u2019-]+(?: [A-Z\u00c0-\u00de][\w'\u2019-]+)?"
#: Behind somebody: what they are called, one or several.
_APPOSED = re.compile(
    rf"(?:,| called| named|:) {_NAME}(?:(?:,? and|,| &) {_NAME})*(?=\s*(?:[.,;)!?]|$)| and (?:a|an|my)\b)"
)
#: Rows that are shown although they stay.
_NEAR_ROWS = 20


def shown(
    rows: Sequence[Row],
    matches: Mapping[str, Match],
    *,
    facts: bool,
    names: Collection[str] = (),
    asked: Collection[str] = (),
) -> Iterator[Finding]:
    """What is said of the rows that are meant, may be meant or are near, and what stays of those that go in part.

    ``facts`` says that something of somebody is meant, and not all of them; ``names`` are the words of their names,
    and ``asked`` those that nothing may keep of what goes in part.
    """
    near = 0
    for row in rows:
        match = matches[row.id]
        if match.level is Level.NO:
            continue
        if match.level is Level.NEAR:
            near += match.why not in LEFT_ALONE
            if near > _NEAR_ROWS and match.why not in LEFT_ALONE:
                continue
        going = _with_apposed(row.text, match.spans) if match.level >= Level.DOUBTFUL and match.spans else ()
        keeps, most = parted(row.text, going, facts=facts) if going else ((), Level.SURE)
        if going and not keeps and most is Level.SURE:
            more = tells_more(row.text, going, facts=facts) or (facts and tells_two_values(row.text, going))
            most = Level.DOUBTFUL if more else most
        apart = (without_label if facts else without_partner)(row.text, going) if going else ()
        if apart:
            keeps, most = apart, Level.SURE
        elif going and most is Level.SURE and takes_along(row.text, going, keeps, facts=facts):
            keeps, most = (), Level.DOUBTFUL
        by_pronoun = without_told(row.text, going, names) if going and facts and not keeps else None
        keeps, most = by_pronoun or (keeps, most)
        keeps, most = _rest(row.text, going, keeps, most, facts=facts)
        if keeps and any(_is_cut_short(row.text, piece, asked) or is_torn(row.text[slice(*piece)]) for piece in keeps):
            keeps, most = (), Level.DOUBTFUL
        if facts and going and most is Level.SURE and takes_more_along(row.text, going, keeps):
            keeps, most = (), Level.DOUBTFUL
        keeps, most = with_sender(row.text, going, keeps, most, facts=facts)
        shared = bool(going) and not keeps and _is_shared(row.text, going)
        why = match.why if match.level <= most else "it also tells something else, which cannot be parted from it"
        yield Finding(
            id=row.id, level=min(match.level, most), why=why, keeps=keeps, shared=shared, likelihood=match.likelihood
        )


def _rest(
    text: str, going: Sequence[Span], keeps: tuple[Span, ...], most: Level, *, facts: bool
) -> tuple[tuple[Span, ...], Level]:
    """What stays and how surely the rest goes, where what would stay can be read alone; else none of it stays."""
    if keeps and most is Level.SURE and only_crumbs(text, keeps):
        return (), most
    if keeps and (_is_put_right(text, keeps) or (facts and points_back(text, going, keeps))):
        return (), Level.DOUBTFUL
    taken = takes_now(text, going, keeps) if keeps else None
    if taken is not None:
        return (), taken
    if keeps and ((not facts and becomes_users(text, going, keeps)) or _leans(text, going, keeps)):
        return (), Level.DOUBTFUL
    return keeps, most


def _with_apposed(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """The places, with the names behind somebody who is called so: "two sons, Adam and Idris"."""
    beings = [(start, end) for start, end in spans if is_being(folded(text[start:end]))]
    named = ((start, _APPOSED.match(text, end)) for start, end in beings)
    return (*spans, *((start, match.end()) for start, match in named if match))


def _is_put_right(text: str, keeps: Sequence[Span]) -> bool:
    """Whether what would stay takes back or puts right what goes, or the other way round: "Well, Matteo did."."""
    kept = [any(start <= first < end for start, end in keeps) for first, _ in sentence_spans(text)]
    told = [text[slice(*span)] for span in sentence_spans(text)]
    return any(kept[at] != kept[at - 1] and takes_back(told[at]) for at in range(1, len(told)))


def names_asked(text: str, subjects: Sequence[Subject], keeps: Sequence[Subject]) -> frozenset[str]:
    """What may be names in a request for all of somebody, read as such or not; none of what it leaves alone."""
    named, kept = ({word for it in each for name in it.names for word in name} for each in (subjects, keeps))
    capitals = {word.low for word in read_words(text)[1:] if word.capital and not opens_sentence(word.text)}
    titles = name_words("titles") | name_words("titles_behind")
    plain = {low for low in capitals if low in STOP_WORDS or calendar(low)}
    return frozenset((named | capitals) - kept - titles - plain)


def _is_cut_short(text: str, span: Span, asked: Collection[str]) -> bool:
    """Whether a part that would stay still has the name of who goes, or ends in the title before a name."""
    piece, behind = text[slice(*span)], read_words(text[span[1] :])[:1]
    words = read_words(piece)
    titled = bool(words) and words[-1].capital and words[-1].low in name_words("titles") and piece[-1] == "."
    names = [word.capital and any(same_word(name, word.low) for name in asked) for word in words]
    alone = len(words) == 1 and any(word.low in asked for word in behind)
    return titled or alone or any(named and not _is_namesake(words, names, at) for at, named in enumerate(names))


def _is_namesake(words: Sequence[Word], asked: Sequence[bool], place: int) -> bool:
    """Whether a name that was asked for stands beside another: "Ana Berg" where Ana Roth was."""
    sides = [at for at in (place - 1, place + 1) if 0 <= at < len(words)]
    gaps = {at: words[max(at, place)].gap for at in sides}
    return any(gaps[at] == " " and words[at].capital and not (asked[at] or words[at].opens) for at in sides)


def _leans(text: str, going: Sequence[Span], keeps: Sequence[Span]) -> bool:
    """Whether a part that would stay is of somebody of who goes, and would be read of the user."""
    gone = [piece for piece in clauses_of(text) if piece not in keeps and Places(going).touch(piece)]
    return any(leans_on_them(text, kept, piece) for kept in keeps for piece in gone)


def _is_shared(text: str, spans: Sequence[Span]) -> bool:
    """Whether it also names somebody else."""
    places = Places(spans)
    return any(not places.touch((start, end)) for start, end, _ in people(text))


def leaves_to_memories(findings: Findings) -> bool:
    """Whether rules are sure of nothing, or only of what tells it in words of its own."""
    return all(finding.why.startswith(TOLD) for finding in findings.of(Level.SURE))


def in_doubt(findings: Findings) -> Findings:
    """The same, nothing of it sure."""
    rows = (
        replace(finding, level=Level.DOUBTFUL, why=f"{finding.why}; something is to be kept")
        if finding.level is Level.SURE
        else finding
        for finding in findings.rows
    )
    return replace(findings, rows=tuple(rows))


def with_versions(findings: Findings, anew: Findings) -> Findings:
    """The same with what is known of several versions of one thing, unless rules are sure of the newest of them."""
    left = {finding.id for finding in findings.rows if finding.why in LEFT_ALONE}
    anew = replace(anew, rows=tuple(finding for finding in anew.rows if finding.id not in left))
    sure = {finding.id for finding in findings.of(Level.SURE)}
    if any(finding.id in sure for finding in anew.of(Level.NEAR)):
        return findings
    if sure and sure.isdisjoint(finding.id for finding in anew.rows):
        # Rules know the old one, and this may be of something else.
        doubtful = (replace(finding, level=min(finding.level, Level.DOUBTFUL)) for finding in anew.rows)
        anew = Findings(rows=tuple(finding for finding in doubtful if finding.id not in _meant(findings)))
    known = {finding.id for finding in anew.rows}
    rows = (*(finding for finding in findings.rows if finding.id not in known), *anew.rows)
    return replace(findings, rows=rows)


def _meant(findings: Findings) -> frozenset[str]:
    return frozenset(finding.id for finding in findings.rows if finding.level >= Level.DOUBTFUL)


def joined(as_written: Findings, as_corrected: Findings, *, clear: bool) -> Findings:
    """What a request finds as written, and as it reads without slips of typing: in doubt unless those are clear."""
    most = Level.SURE if clear else Level.DOUBTFUL
    rows = {finding.id: replace(finding, level=min(finding.level, most)) for finding in as_corrected.rows}
    for finding in as_written.rows:
        if (
            finding.why in LEFT_ALONE
            or (finding.why in DOUBTS and finding.id in rows)
            or finding.id not in rows
            or rows[finding.id].level < finding.level
            or (rows[finding.id].level == finding.level and finding.level is not Level.SURE)
        ):
            rows[finding.id] = finding
    missing = tuple(thing for thing in as_written.missing if not as_corrected.rows or thing in as_corrected.missing)
    return Findings(rows=tuple(rows.values()), missing=missing)
