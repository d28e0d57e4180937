"""A request in words, read: whom or what it is about, of which time and place, and what it leaves alone.

What is said in any of the languages of requests.toml is stripped from both ends until the subject is left. The language
is the one in whose words most of the request can be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from precis.finding.about.whence import whence
from precis.finding.capitals import before_verb
from precis.finding.framing import CLAUSE, Asked, only_asks, opens_denied, says_all, unframed, without_comment
from precis.finding.names import Name, people
from precis.finding.parts import Subject
from precis.finding.periods import Period, read_period
from precis.finding.reading import UNSPACED, folded, read_words
from precis.finding.reasons import selects, without_reasons
from precis.finding.spelling import with_known_frame
from precis.finding.subjects import subjects_of
from precis.finding.tables import all_words, languages, patterns, times, words_of
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
    with_trade,
)
from precis.finding.written.languages import in_script, language_of
from precis.language.words import STOP_WORDS

#: A subject that only points at something, and what was said by whom no name tells.
_VAGUE = re.compile(
    r"(?i)(?<!\ball )(?<!\bmost )\b(?:about|of|on|regarding|concerning)\s+(?:that|it|this|him|her|them|these|those)\W*$"
    r"|\b(?:what|everything|anything|all)(?: that)? (?!(?:i|we)\b)(?:[\w'\u2019-]+ ){1,3}?(?:said|told|wrote)\b"
)
#: Between what is to be kept and what is not; and what is left beside that.
_JOINT = re.compile(
    r"[,;.]\s+(?:but|and|then|aber|und|mais|et|pero|y|mas|e|ma|\u043d\u043e|\u0438)?\s*|\s+(?:but|and)\s+",
    re.IGNORECASE,
)
_KEEP = re.compile(r"^(?:please )?(?:keep|remember|save|retain)\s+", re.IGNORECASE)
_REST = re.compile(
    r"\b(?:the rest|everything else|all else|anything else|all the others|den rest|alles andere|le reste|tout le reste"
    r"|el resto|todo lo dem\u00e1s|o resto|todo o resto|il resto|tutto il resto)\b(?: of (?:it|that|them))?",
    re.IGNORECASE,
)
#: Everything of which something does not hold: where that is read as no exception, what is meant may be the contrary.
_CONTRARY = re.compile(
    r"\b(?:every\w+|any\w+|all|what(?:ever)?|stuff|things?|memories|notes)\b[^,;.]*\b(?:that|which|who)\b[^,;.]*?"
    r"(?:n['\u2019]t|\b(?:do|does|did|is|are|was|were|has|have)nt|\bnot|\bnever|\bnothing)\b",
    re.IGNORECASE,
)
#: Somebody's, and not said what.
_BARE_OWNER = re.compile(r"['\u2019]s$|s['\u2019]$")
#: A request with so many of the small words of English is English.
_ENGLISH = 2
#: Before a thing each of which is meant.
_EACH = re.compile(
    r"\b(?:every|each|any|all)(?! (?:thing|time|of (?:it|that|this))\b)(?: of)?(?: the| those| these)? [a-z]",
    re.IGNORECASE,
)
#: What stands between an exception and what it excepts.
_FILLING = re.compile(
    r"^(?:anything |everything |what(?:ever)? )?(?:(?:is |was )?about|that|which|for|the one|those)\s+", re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """What is to be forgotten: any of the subjects, within the time, session and source, and none of ``keeps``."""

    subjects: tuple[Subject, ...] = ()
    keeps: tuple[Subject, ...] = ()
    period: Period | None = None
    #: The period is when it was said, not when it was.
    said: bool = False
    #: Who said it.
    by: str | None = None
    session: str | None = None
    origin: str | None = None
    language: str = "en"
    #: It lies before what this tells of, or after it: "before I moved".
    event: Subject | None = None
    before: bool = False
    #: Pairs of names that the request says to be of one person.
    aliases: tuple[tuple[Name, Name], ...] = ()
    #: Asks to keep something.
    refuses: bool = False
    #: Speaks of forgetting, and may not ask for it: what it finds is in doubt.
    unsure: bool = False
    #: Says whom or what it is about in words that name nobody: "her", "that".
    unclear: bool = False

    @property
    def empty(self) -> bool:
        """Whether it names nothing by which a memory could be chosen."""
        named = self.bounded or self.keeps or not all(subject.empty for subject in self.subjects)
        return self.unclear or not named

    @property
    def bounded(self) -> bool:
        """Whether it says of when, of whom or from where what is meant comes."""
        return any(map(bool, (self.period, self.by, self.session, self.origin, self.event)))

    @property
    def phrases(self) -> tuple[str, ...]:
        """What vectors are made of: of the subjects, then of what is kept and of what happened."""
        return tuple(subject.phrase for subject in (*self.subjects, *self.keeps, *filter(None, [self.event])))


def read_request(what: str, today: date) -> Request:
    """Read it in the language in which the least is left over."""
    text, aliases = without_aliases(with_known_frame(asked_kindly(" ".join(what.split()).strip(EDGE.replace('"', "")))))
    whole = text
    lows = [word.low for word in read_words(text)]
    spoken = language_of(lows, text)
    spoken = spoken if spoken in languages() else "en"
    if spoken == "en" and is_against(text):
        return Request(refuses=True)
    unsure = only_speaks(text, spoken)
    text = with_ages(without_reasons(text) if spoken == "en" else text, spoken)
    text = with_trade(behind_verb(text)) if spoken == "en" else text
    corrected = NOT_BUT.search(text) if spoken == "en" else None
    kept, text = (corrected["kept"], f"forget {corrected['what']}") if corrected else _first_kept(text, spoken)
    if any(_keeps(text, language) for language in languages()):
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
    keeps = tuple(subject for subject in subjects_of(kept, spoken) if not subject.empty) if kept else ()
    request = _completed(replace(request, keeps=(*request.keeps, *keeps)))
    contrary = language == "en" and not request.keeps and _CONTRARY.search(text) is not None
    unsure = unsure or contrary or (language != spoken and only_speaks(whole, language))
    nothing = request.keeps and not request.subjects and not request.bounded
    unsure = unsure or (bool(nothing) and not says_all(text, language))
    unsure = unsure or any(opens_denied(subject.text) and not subject.clause for subject in request.subjects)
    unsure = unsure or leaves_to_what_precedes(whole)
    unsure = unsure or any(selects(subject) for subject in (*request.subjects, *request.keeps))
    return replace(_taken_up(whole, language, today) or request, unsure=unsure, aliases=aliases)


def _completed(request: Request) -> Request:
    """Of "Ana's number stays, Ben's can go" the number as well, which is only said of what is kept."""
    parts = next((subject.parts for subject in request.keeps if subject.names and subject.parts), ())
    subjects = [
        replace(subject, parts=parts) if parts and not subject.parts and _BARE_OWNER.search(subject.text) else subject
        for subject in request.subjects
    ]
    return replace(request, subjects=tuple(subjects))


def _first_kept(text: str, language: str) -> tuple[str, str]:
    """What is to be kept where that is said first, and the rest of it: "keep the recipes, but lose the rest"."""
    for joint in _JOINT.finditer(text):
        first, last = text[: joint.start()], text[joint.end() :]
        bare, purpose = unframed(first, language)
        keeps = purpose is Asked.KEEP or _keeps(first, language)
        if keeps and unframed(last, language)[1] is Asked.FORGET and not _keeps(last, language):
            return stripped(_KEEP.sub("", bare), language), _REST.sub("everything", last)
    return "", text


def _taken_up(text: str, language: str, today: date) -> Request | None:
    """Where a pronoun takes up the one person who is named before it: "Ana moved out. Delete all about her."."""
    *before, last = [clause for clause in CLAUSE.split(text) if clause.strip()] or [""]
    names = {before_verb(clause, start) or clause[start:end] for clause in before for start, end in _names_in(clause)}
    pronoun = stripped(unframed(last, language)[0], language)
    taken = folded(pronoun) in words_of(language, "third") or (not pronoun and _VAGUE.search(last) is not None)
    return _read(names.pop(), language, today) if taken and len(names) == 1 else None


def _names_in(text: str) -> list[tuple[int, int]]:
    """Where somebody is named, neighboring words as one name."""
    spans: list[tuple[int, int]] = []
    for start, end, _ in people(text):
        if spans and not text[spans[-1][1] : start].strip():
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def _keeps(text: str, language: str) -> bool:
    """Whether it asks to keep something; in some languages that is said at the end."""
    search = re.search if language in {"zh", "ja", "ko", "tr"} else re.match
    return any(search(pattern, text, re.IGNORECASE) for pattern in patterns(language, "keep"))


def _read(text: str, language: str, today: date) -> Request:
    each = language == "en" and _EACH.search(text) is not None
    text, session, origin = whence(without_comment(text, language))
    text, by = _by(text, language)
    text, kept = _parted(text, language)
    period, text = _timed(text, language, today)
    text, said = _said(text, language)
    vague = _VAGUE.search(text) is not None
    event, before, text = _event(text, language)
    framed = text
    text = stripped(unframed(text, language)[0], language)
    if text and language not in {"en", "de"} and framed.startswith(text):
        text = f"{text[0].lower()}{text[1:]}"  # its capital says nothing
    complete = not text or any(re.fullmatch(pattern, text, re.IGNORECASE) for pattern in patterns(language, "whole"))
    bounded = bool(session or origin or by or kept or period or event)
    complete = complete or (bounded and only_asks(text, language))
    subjects = () if complete else tuple(subjects_of(text, language, each=each))
    keeps = tuple(subject for part in kept for subject in subjects_of(_kept(part, language), language))
    return Request(
        subjects=tuple(subject for subject in subjects if not subject.empty), period=period,
        keeps=tuple(subject for subject in keeps if not subject.empty), said=said or by is not None, by=by,
        session=session, origin=origin, language=language, event=event, before=before,
        unclear=vague or not (complete or text in words_of(language, "behind") or any(not it.empty for it in subjects)),
    )  # fmt: skip


def _kept(text: str, language: str) -> str:
    """What is left alone, without what it is wrapped in: "what I said about the choir"."""
    return stripped(_said(text, language)[0], language)


def _event(text: str, language: str) -> tuple[Subject | None, bool, str]:
    """What happened, whether what is meant lies before it, and the rest of the text, which names nothing but names."""
    for side in ("before", "after"):
        for pattern in patterns(language, side):
            match = re.search(rf"(?:^|(?<=\s)){pattern}$", text, re.IGNORECASE)
            if match is None:
                continue
            rest = stripped(unframed(text[: match.start()], language)[0], language)
            event = next(subjects_of(stripped(unframed(match["what"], language)[0], language), language), None)
            names = (
                all(subject.names and not subject.parts for subject in subjects_of(rest, language)) if rest else True
            )
            if event is not None and not event.empty and names:
                return event, side == "before", rest
    return None, False, text


def _by(text: str, language: str) -> tuple[str, str | None]:
    for pattern in patterns(language, "by"):
        match = re.search(rf"(?<!\w)(?:{pattern})", text, re.IGNORECASE)
        if match and folded(match["who"]) not in all_words("first") and not re.match("[a-z].* ", match["who"]):
            return f"{text[: match.start()]} {text[match.end() :]}".strip(), match["who"].strip()
    return text, None


def _parted(text: str, language: str) -> tuple[str, list[str]]:
    """What is asked for, and what is to be left alone."""
    around = _first(patterns(language, "except_around"), text)
    if around:
        return f"{text[: around.start()]}{text[around.end() :]}", [around["kept"]]
    behind = _first(patterns(language, "except_behind"), text)
    if behind and behind.start() > 0:
        return text[behind.end() :].strip(EDGE), [text[: behind.start()]]
    for pattern in patterns(language, "except"):
        match = re.search(pattern if UNSPACED.search(pattern) else rf"(?<!\w)(?:{pattern})", text, re.IGNORECASE)
        if match and match.start() > 0 and not only_asks(text[match.end() :], language):
            kept = _FILLING.sub("", text[match.end() :].strip(EDGE))
            return text[: match.start()].strip(EDGE), [kept] if kept else []
    return text, []


def _first(expressions: Iterable[str], text: str) -> re.Match[str] | None:
    return next(filter(None, (re.search(expression, text) for expression in expressions)), None)


def _timed(text: str, language: str, today: date) -> tuple[Period | None, str]:
    english = text
    for pattern, phrase in times(language):
        english = pattern.sub(rf" {phrase} ", english)
    period, rest = read_period(" ".join(english.split()), today)
    return (period, rest) if period is not None else (None, text)


def _said(text: str, language: str) -> tuple[str, bool]:
    for pattern in patterns(language, "said"):
        match = re.search(rf"(?<!\w)(?:{pattern})" if not UNSPACED.search(pattern) else pattern, text, re.IGNORECASE)
        if match and match.group().strip():
            inside = (match.groupdict().get("when") or "").strip()
            rest = " ".join(f"{text[: match.start()]} {inside} {text[match.end() :]}".split())
            again, _ = _said(rest, language) if rest != text else (rest, True)
            return again, True
    return text, False
