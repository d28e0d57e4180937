"""A request in words, read: whom or what it is about, of which time and place, and what it leaves alone.

What is said in any of the languages of requests.toml is stripped from both ends until the subject is left. The language
is the one in whose words most of the request can be read.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from precis.finding.about import bounds
from precis.finding.about.bounds import as_said, event_of, said_by_whom, whence, with_period, without_exception
from precis.finding.about.denials import asks_for_others, quoted_denial, spares_own, with_denial, without_mine
from precis.finding.about.earlier import named_before, sentences_of, takes_up_person, with_person, with_thing
from precis.finding.about.kept import completed, first_kept, keeps, only_inquires, ownerless
from precis.finding.about.old_values import leaves_out_age, with_old_value
from precis.finding.about.times import newest_asked
from precis.finding.asked.asking import Request, of_others
from precis.finding.asked.corrections import as_meant
from precis.finding.asked.exceptions import all_but, excepts, without_kept
from precis.finding.asked.firms import plain_forms
from precis.finding.asked.refusals import may_be_of_somebody, refused, takes_back
from precis.finding.asked.speech import Speaker
from precis.finding.asked.standing import asks
from precis.finding.asked.tellings import kinds_of_telling
from precis.finding.doubts.which import named_beside, without_which
from precis.finding.framing import Asked, only_asks, opens_denied, says_all, unframed, without_comment
from precis.finding.kinds import is_person
from precis.finding.parts import Part, Subject
from precis.finding.reading import folded, read_words
from precis.finding.reasons import selects, without_reasons, without_reasons_abroad
from precis.finding.scripts import unmarked
from precis.finding.spelling import with_known_frame
from precis.finding.subjects import subjects_of
from precis.finding.tables import languages, patterns, words_of
from precis.finding.together.aliases import without_aliases
from precis.finding.wording import (
    EDGE,
    NOT_BUT,
    asked_kindly,
    behind_verb,
    is_against,
    leaves_to_what_precedes,
    only_speaks,
    stripped,
    with_ages,
    with_clause,
    with_trade,
)
from precis.finding.written.languages import asked_in, in_script, language_of
from precis.finding.written.named import narrows, opens_with_name
from precis.finding.written.rewordings import NO_MORE, reworded
from precis.finding.written.speaking import RELATIONS
from precis.finding.written.spellings import without_times
from precis.language.words import STOP_WORDS

#: A subject that only points at something, and what was said by whom no name tells.
_VAGUE = re.compile(
    r"(?i)(?<!\ball )(?<!\bmost )\b(?:about|of|on|regarding|concerning)\s+(?:that|it|this|him|her|them|these|those)\W*$"
    r"|\b(?:what|everything|anything|all)(?: that)? (?!(?:i|we)\b)(?:[\w'\u2019-]+ ){1,3}?(?:said|told|wrote)\b"
)
#: Everything of which something does not hold: where that is read as no exception, what is meant may be the contrary.
_CONTRARY = re.compile(
    r"\b(?:every\w+|any\w+|all|what(?:ever)?|stuff|things?|memories|notes)\b[^,;.]*\b(?:that|which|who)\b[^,;.]*?"
    r"(?:n['\u2019]t|\b(?:do|does|did|is|are|was|were|has|have)nt|\bnot|\bnever|\bnothing)\b",
    re.IGNORECASE,
)
#: A request with so many of the small words of English is English.
_ENGLISH = 2
#: Before a thing each of which is meant.
_EACH = re.compile(
    r"\b(?:every|each|any|all)(?! (?:time|of (?:it|that|this)|(?:the |those )?(?:notes?|memor(?:y|ies)|entr(?:y|ies)"
    r"|records?|info\w*|details?|data|facts?|mentions?|things?|stuff))\b)(?: of)?(?: the| those| these)? [a-z]",
    re.IGNORECASE,
)
#: In small letters it is one of two signs.
_DOTTED = "\u0130"


def read_request(what: str, today: date) -> Request:
    """Read it, each of its sentences by itself where each of them asks for something."""
    meant = as_meant(what)
    return replace(_read_plain(meant.text, what, today), now=meant.now, denied=meant.denied)


def _read_plain(text: str, what: str, today: date) -> Request:
    quoted = quoted_denial(text)
    if quoted and _asks_only(quoted[1], today):
        return Request(subjects=(Subject(text=quoted[0], quotes=(quoted[0],)),), text=text)
    if takes_back(text):
        return Request(refuses=True, text=text)
    if count := newest_asked(text):
        return Request(newest=count, said=Speaker.USER)
    excepted = all_but(text)
    rest = _read_sentences(excepted.rest, today) if excepted else None
    if excepted and rest and not (rest.bounded or rest.said or rest.refuses or rest.unsure):
        unsure = not excepted.keeps or excepted.unclear or only_speaks(text, excepted.language)
        return Request(keeps=excepted.keeps, language=excepted.language, unsure=unsure, text=text)
    request = _read_sentences(text, today)
    request = request if request.keeps or not excepts(text) else _excepting(text, request, today)
    return replace(request, text=text, unsure=request.unsure or only_inquires(what, request.language))


def _excepting(text: str, request: Request, today: date) -> Request:
    """A request of which no other rule has read what it leaves alone, in doubt where that is nothing that is known."""
    language, kept, rest = without_kept(text)
    if language in languages():
        again = _with_kept(_read_sentences(rest, today), kept, language)
        if again.keeps and again.subjects and not again.refuses:
            return again
    return replace(request, unsure=True)


def _asks_only(text: str, today: date) -> bool:
    """Whether a request without what it quotes asks to forget, and names nothing but the user."""
    request = _read_whole(text, today)
    return not request.refuses and all(subject.empty for subject in request.subjects) and not request.bounded


def _read_sentences(what: str, today: date) -> Request:
    pieces = [(piece, _read_whole(piece, today)) for piece in sentences_of(what)]
    plain = [(piece, request) for piece, request in pieces if _is_plain(request)]
    if len(pieces) < 2 or any(not (_is_plain(it) or it.unclear or it.empty) for _, it in pieces) or not plain:
        return _read_whole(what, today)
    return replace(
        plain[0][1],
        subjects=tuple(subject for _, request in plain for subject in request.subjects),
        unsure=any(request.unsure for _, request in plain),
        tellings=tuple(kind for _, request in plain for kind in request.tellings),
        unread=tuple(piece.partition(" ")[2] for piece, request in pieces if not _is_plain(request)),
    )


def _is_plain(request: Request) -> bool:
    """Whether it names something to forget, and nothing besides."""
    named = bool(request.subjects) and not (request.unclear or request.empty or request.refuses)
    return named and not (request.bounded or request.keeps or request.said or request.aliases)


def _read_whole(what: str, today: date) -> Request:
    """Read it in the language in which the least is left over."""
    what, but_mine = without_mine(unmarked(" ".join(what.split()).strip(EDGE.replace('"', ""))))
    text, aliases = without_aliases(with_known_frame(asked_kindly(plain_forms(what))))
    lows = [word.low for word in read_words(text)]
    spoken = asked_in(lows) or language_of(lows, text)
    spoken = spoken if spoken in languages() else "en"
    text = whole = reworded(text) if spoken == "en" else text
    text, which = without_which(text)
    against = spoken == "en" and is_against(text)
    kept, text = first_kept(text, spoken) if against else ("", text)
    if against and is_against(text):
        return Request(refuses=True)
    unsure = only_speaks(text, spoken) or NO_MORE.search(whole) is not None
    text = without_reasons(with_thing(text)) if spoken == "en" else without_reasons_abroad(text, spoken)
    text = with_ages(text, spoken)
    text = with_trade(with_clause(behind_verb(text))) if spoken == "en" else text
    corrected = NOT_BUT.search(text) if spoken == "en" and not kept else None
    if not kept:
        kept, text = (corrected["kept"], f"forget {corrected['what']}") if corrected else first_kept(text, spoken)
    if any(keeps(text, language) for language in languages()) or (not kept and refused(whole)):
        return Request(refuses=True)
    bare = {language: unframed(text, language) for language in languages()}
    english = sum(low in STOP_WORDS or only_asks(low, "en") for low in lows) >= _ENGLISH
    rest = []
    listed = [spoken] if in_script(text, spoken) else ["en"] if english and spoken == "en" else languages()
    for place, language in enumerate(listed):
        residue = len(stripped(bare[language][0], language))
        # Where nothing is left of an English request, its words were taken for small ones of another language.
        rest.append((residue or (len(text) if english and language != "en" else 0), place, language))
    language = min(rest)[2]
    if bare[language][1] is Asked.KEEP:
        return Request(refuses=True)
    request = _read(text, language, today)
    request = _with_kept(request, kept, spoken)
    request = _of_person(request, whole, today) if spoken == "en" else request
    contrary = language == "en" and not request.keeps and _CONTRARY.search(text) is not None
    unsure = unsure or request.unsure or contrary or (language != spoken and only_speaks(whole, language))
    nothing = request.keeps and not request.subjects and not request.bounded
    nothing = nothing and (may_be_of_somebody(whole) or not says_all(text, language) or _may_be_theirs(kept, request))
    unsure = unsure or bool(nothing)
    unsure = unsure or any(opens_denied(subject.text) and not subject.clause for subject in request.subjects)
    unsure = unsure or leaves_to_what_precedes(whole) or narrows(whole, request.subjects)
    unsure = unsure or any(selects(subject) for subject in (*request.subjects, *request.keeps))
    request = replace(request, subjects=with_denial(request.subjects, what))
    request = replace(_taken_up(whole, language, today) or request, unsure=unsure, aliases=aliases)
    request = replace(request, which=(*which, *named_beside(whole, request.subjects, spoken)))
    if spoken == "en":
        request = replace(request, tellings=kinds_of_telling(whole, request.subjects))
    return of_others(request, but_mine=True) if but_mine else of_others(request) if asks_for_others(what) else request


def _with_kept(request: Request, kept: str, language: str) -> Request:
    """The request, and what a clause of its own says is to be kept; in doubt where nobody knows what that is."""
    left = tuple(subjects_of(ownerless(kept, language), language)) if kept else ()
    subjects, all_kept = completed(request.subjects, (*request.keeps, *left))
    unknown = bool(kept) and all(subject.empty for subject in all_kept)
    all_kept = tuple(subject for subject in all_kept if not subject.empty)
    return replace(request, subjects=subjects, keeps=all_kept, unsure=request.unsure or unknown)


def _may_be_theirs(kept: str, request: Request) -> bool:
    """Whether the rest of what is kept may be that of somebody: "keep my sister's address, the rest can go"."""
    owners = (part for it in request.keeps for part in it.parts if len(it.parts) > 1)
    return bool(kept) and (any(it.names for it in request.keeps) or any(map(_is_somebodys, owners)))


def _is_somebodys(part: Part) -> bool:
    return is_person(part.word) or not RELATIONS.isdisjoint(part.roots)


def _of_person(request: Request, text: str, today: date) -> Request:
    """The request, of who is named before where it tells something of "him"; in doubt where that may be another."""
    named = any(subject.names or subject.identifiers for subject in request.subjects)
    if named or not request.subjects or not takes_up_person(text):
        return request
    names = named_before(text)[1]
    read = _read(names.pop(), request.language, today).subjects if len(names) == 1 else ()
    who = read[0].names if len(read) == 1 and len(read[0].names) == 1 else ()
    if not who:
        return replace(request, unsure=True)
    return replace(request, subjects=with_person(request.subjects, who))


def _taken_up(text: str, language: str, today: date) -> Request | None:
    """Where a pronoun takes up the one person who is named before it: "Ana moved out. Delete all about her."."""
    last, names = named_before(text)
    pronoun = stripped(unframed(last, language)[0], language)
    taken = folded(pronoun) in words_of(language, "third") or (not pronoun and _VAGUE.search(last) is not None)
    return _read(names.pop(), language, today) if taken and len(names) == 1 else None


def _read(text: str, language: str, today: date) -> Request:
    each = language == "en" and _EACH.search(text) is not None
    text, session, origin = whence(without_comment(text, language))
    text, by = said_by_whom(text, language)
    rest, kept = without_exception(text, language)
    # What asks for something itself is no exception: "... never had one called Muffin. Forget Muffin".
    kept = [] if any(asks(part, language) for part in kept) else kept
    text = rest if kept else text
    period, text = with_period(text, language, today)
    text, times_named = without_times(text)
    text, said = as_said(text, language, dated=period is not None)
    vague = _VAGUE.search(text) is not None
    event, before, framed = event_of(text, language)
    text = bounds.stated(framed, unframed(framed, language)[0], language)
    if text and language not in {"en", "de"} and framed.startswith(text) and not opens_with_name(text):
        text = f"{'i' if text[0] == _DOTTED else text[0].lower()}{text[1:]}"  # its capital says nothing
    complete = not text or any(re.fullmatch(it, text, re.IGNORECASE) for it in patterns(language, "whole"))
    bounded = any((session, origin, by, kept, period, times_named, event))
    # Of "o que a Camila contou da gravidez" one word is left, which may look like one that asks.
    only = (language == "en" or by is None) and only_asks(text, language, framed)
    wraps = only or (period is not None and bounds.only_time(text, language))
    complete = complete or (bounded and wraps)
    topic = text if not complete else bounds.in_confidence(framed) if by or said else ""
    subjects = with_old_value(tuple(subjects_of(topic, language, each=each)) if topic else (), framed)
    left = tuple(subject for part in kept for subject in subjects_of(bounds.kept_thing(part, language), language))
    keeps_own, named = spares_own(subjects, left), tuple(subject for subject in left if not subject.empty)
    subjects = tuple(replace(it, others=True) for it in subjects) if keeps_own else subjects
    # What nobody can read beside a time puts in doubt what is of that time.
    unread = period is not None and all(it.empty for it in subjects) and not (complete or vague)
    unread = unread and folded(text) not in words_of(language, "third")
    return Request(
        subjects=tuple(subject for subject in subjects if not subject.empty), period=period,
        unsure=leaves_out_age(subjects, framed, language) or (bool(kept) and not (named or keeps_own)) or unread,
        keeps=() if keeps_own else named, said=said or Speaker(by is not None), by=by,
        session=session, origin=origin, language=language, event=event, before=before, times=times_named,
        unclear=vague or not (complete or unread or text in words_of(language, "behind") or _names_any(subjects)),
    )  # fmt: skip


def _names_any(subjects: Sequence[Subject]) -> bool:
    return any(not subject.empty for subject in subjects)
