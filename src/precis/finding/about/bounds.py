"""What a request says of when, by whom, from where and of which exception, each with the rest of its text."""

import re
from collections.abc import Iterable
from datetime import date
from functools import cache

from precis.finding.about.kept import ownerless
from precis.finding.asked.dated import with_years
from precis.finding.asked.speech import Speaker, speaking_words, without_speaking
from precis.finding.asked.telling import told_by_another
from precis.finding.beyond.weeks import with_week
from precis.finding.framing import only_asks, unframed
from precis.finding.parts import Subject
from precis.finding.periods import Period, read_period
from precis.finding.reading import UNSPACED, folded, read_words
from precis.finding.subjects import subjects_of
from precis.finding.tables import (
    all_words,
    ground_phrases,
    ground_words,
    groups,
    name_words,
    patterns,
    sayings,
    speaking,
    times,
    words_of,
)
from precis.finding.wording import EDGE, stripped
from precis.finding.written.named import opens_with_name

_SESSION = re.compile(
    r"\b(?:(?:in|from|of|during)\s+)?(?:the\s+|my\s+)?(?:session|conversation|chat|thread)\s+(?:with id\s+)?"
    r"[\"'\u201c]?(?P<id>[\w.:/-]*[\d_:/.-][\w.:/-]*)[\"'\u201d]?(?:\s+only\b)?",
    re.IGNORECASE,
)
_ORIGIN = re.compile(
    r"\b(?:(?:what |that |which )?(?:you|i|we)(?:'ve| have| had)?\s+(?=(?:imported|read|taken|learned|copied)\s))?"
    r"(?:(?:what |that |which )?(?:(?:has |have )?(?:came|comes|come|was|were|is|are|been)\s+))?"
    r"(?:(?:imported|read|taken|learned|extracted|copied|loaded)\s+)?(?:from|in|out of)\s+(?:the\s+|my\s+)?"
    r"(?:(?:file|document|source|import|tool|namespace|agent|run|app|integration|upload|attachment)\s+"
    r"[\"'\u201c]?(?P<id>[\w.:/@ -]*?[\w])|[\"'\u201c]?(?P<file>[\w-][\w./-]*\.(?:pdf|md|txt|csv|tsv|docx?|xlsx?|pptx?"
    r"|odt|rtf|jsonl?|html?|xml|ya?ml|eml|png|jpe?g|log|zip)))[\"'\u201d]?(?=$|[,;]|[.!?]+(?:\s|$)| about | except )",
    re.IGNORECASE,
)


def whence(text: str) -> tuple[str, str | None, str | None]:
    """A request without the session and the source that it names, and these."""
    text, session = _taken(_SESSION, text)
    text, origin = _taken(_ORIGIN, text)
    return text, session, origin


def _taken(pattern: re.Pattern[str], text: str) -> tuple[str, str | None]:
    match = pattern.search(text)
    if match is None:
        return text, None
    named = next(filter(None, match.groupdict().values()))
    return f"{text[: match.start()]} {text[match.end() :]}".strip(), named.rstrip(":.,")


#: Of Arabic, what a clause begins with that may be denied: "that I do not".
_THAT = ("\u0627\u0646\u0646\u064a", "\u0627\u0646\u064a", "\u0627\u0646\u0646\u064a ", "\u0627\u0646\u064a ")
_FIRST = re.compile(r"(?:i|we)\b", re.IGNORECASE)
_WE = re.compile(r"\bwe\b", re.IGNORECASE)  # English has but one word for it
#: What stands between an exception and what it excepts.
_FILLING = re.compile(
    r"^(?:anything |everything |what(?:ever)? )?(?:(?:is |was )?about|that|which|for|the one|those)\s+", re.IGNORECASE
)


def event_of(text: str, language: str) -> tuple[Subject | None, bool, str]:
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


def said_by_whom(text: str, language: str) -> tuple[str, str | None]:
    """The text without who said what is meant, and who that is: of "what Ana said of the choir" the choir is left."""
    bare = stripped(unframed(text, language)[0], language)
    told = told_by_another(bare, language, lambda who: _is_name(who, language))
    if told is not None:
        return told
    for pattern in patterns(language, "by"):
        match = re.search(rf"(?<!\w)(?:{pattern})", text, re.IGNORECASE)
        aside = all_words("first") | name_words("copulas") | speaking_words(language)
        who, about = _without_topic(match["who"].strip(), language) if match else ("", "")
        who, when = _without_time(who, language)
        if match and who and folded(who) not in aside and not re.match("[a-z].* ", who):
            behind = _behind_topic(text[match.end() :], language)
            return " ".join(filter(None, (text[: match.start()].strip(), about, when, behind))), who
    return text, None


def _is_name(who: str, language: str) -> bool:
    subject = next(subjects_of(who, language))
    return bool(subject.names) and not (subject.parts or subject.mine) and not _without_time(who, language)[1]


def _without_time(who: str, language: str) -> tuple[str, str]:
    """Who said something, and when; English has names that are months as well."""
    found = (
        [match.start() for pattern, _ in times(language) if (match := pattern.search(who))] if language != "en" else []
    )
    if not found:
        return who, ""
    words = who[: min(found)].split()
    while words and only_time(words[-1], language):
        words.pop()
    name = " ".join(words)
    return name, who[len(name) :].strip()


def _without_topic(who: str, language: str) -> tuple[str, str]:
    """Who said something, and about what."""
    for pattern in patterns(language, "spoken_of"):
        match = re.search(rf"\s(?:{pattern})(?:(?<=['\u2019])|\s)", who, re.IGNORECASE)
        if match:
            return who[: match.start()].strip(), who[match.end() :].strip()
    return who, ""


def _behind_topic(text: str, language: str) -> str:
    for pattern in patterns(language, "spoken_of"):
        match = re.match(rf"\s*(?:{pattern})(?:(?<=['\u2019])|\s)", text, re.IGNORECASE)
        if match:
            return text[match.end() :].strip()
    return text.strip()


def without_exception(text: str, language: str) -> tuple[str, list[str]]:
    """What is asked for, and what is to be left alone."""
    around = _first(patterns(language, "except_around"), text)
    if around:
        return f"{text[: around.start()]}{text[around.end() :]}", [around["kept"]]
    behind = _first(patterns(language, "except_behind"), text)
    if behind and behind.start() > 0:
        # "All about Min but the address": whom it is about stands before what is kept.
        kept, rest = text[: behind.start()], text[behind.end() :].strip(EDGE)
        topic = _first(patterns(language, "topic"), kept)
        end = topic.end() if topic and kept[topic.end() :].strip(EDGE) else 0
        small = not end and not opens_with_name(kept) and kept.partition(" ")[2][:1].islower()
        kept = f"{kept[0].lower()}{kept[1:]}" if small else kept  # its capital says nothing
        return f"{kept[:end]} {rest}".strip(), [kept[end:].strip(EDGE)]
    for pattern in patterns(language, "except"):
        match = re.search(pattern if UNSPACED.search(pattern) else rf"(?<!\w)(?:{pattern})", text, re.IGNORECASE)
        clause = match is not None and folded(text[: match.start()]).endswith(_THAT)
        if match and match.start() > 0 and not clause and not only_asks(text[match.end() :], language):
            kept = _FILLING.sub("", text[match.end() :].strip(EDGE))
            return text[: match.start()].strip(EDGE), [kept] if kept else []
    return text, []


def _first(expressions: Iterable[str], text: str) -> re.Match[str] | None:
    return next(filter(None, (re.search(expression, text) for expression in expressions)), None)


def with_period(text: str, language: str, today: date) -> tuple[Period | None, str]:
    """The time that a text names, and the rest of it."""
    week, rest = with_week(text, language, today)
    if week is not None:
        return week, rest
    english = text
    for pattern, phrase in times(language):
        english = pattern.sub(rf" {phrase} ", english)
    english = in_english(english, language)
    period, rest = read_period(" ".join(english.split()), today)
    return (period, rest) if period is not None else (None, text)


def in_confidence(text: str) -> str:
    """The words of a request for what was told in confidence; nothing where it has none."""
    match = groups()["confidence"][0].search(folded(text))
    return match.group() if match else ""


def as_said(text: str, language: str, *, dated: bool = False) -> tuple[str, Speaker]:
    """The text without "what I said", and who said it, where it had that; of a ``dated`` one also "the messages"."""
    text, speaker = without_speaking(text, language, lambda rest: _named_in(rest, language) if dated else text)
    if speaker:
        return text, speaker
    for pattern in patterns(language, "said"):
        match = re.search(rf"(?<!\w)(?:{pattern})" if not UNSPACED.search(pattern) else pattern, text, re.IGNORECASE)
        if match and match.group().strip():
            inside = (match.groupdict().get("when") or "").strip()
            rest = " ".join(f"{text[: match.start()]} {inside} {text[match.end() :]}".split())
            again, _ = as_said(rest, language) if rest != text else (rest, speaker)
            return again, Speaker.BOTH if _WE.search(match.group()) else Speaker.USER
    return text, Speaker.UNASKED


def only_time(text: str, language: str) -> bool:
    """Whether what is left beside a time only joins it to the rest, or says "everything": "the month of"."""
    sorts = [word for sort in ("small", "every", "forgets") for word in ground_words(language, sort)]
    if ground_phrases(language):
        rest = re.sub("|".join(map(re.escape, sorted(sorts, key=len, reverse=True))), "", text)
        return not re.search(r"\w", rest.replace("\u4ece", ""))
    light = {*sorts, *words_of(language, "small"), *words_of(language, "articles"), *name_words("prepositions")}
    light |= name_words("month_words") | set(map(folded, speaking().get(language, {}).get("light", "").split()))
    return all(word.low in light for word in read_words(text))


def stated(text: str, unframed_: str, language: str) -> str:
    """What is left of a request; of "that I want children" all, though many a request begins with "I want"."""
    rest = stripped(unframed_, language)
    place = unframed_.find(rest)
    clause = language == "en" and place > 0 and re.search(rf"\bthat {re.escape(unframed_)}", text, re.IGNORECASE)
    return unframed_[:place] + rest if clause and _FIRST.match(unframed_) else rest


def kept_thing(text: str, language: str) -> str:
    """What is left alone, without what it is wrapped in: "what I said about the choir"."""
    return ownerless(stripped(as_said(text, language)[0], language), language)


def _named_in(text: str, language: str) -> str:
    """What a request names besides what it is wrapped in; nothing where that is all."""
    rest = stripped(unframed(text, language)[0], language)
    return "" if only_asks(rest, language) or only_time(rest, language) else rest


# A day or a month of another language, and what stands before it, as English puts it: "seit dem 20. Juli 2025".
_MONTH = "january|february|march|april|may|june|july|august|september|october|november|december"
_YEAR = r"(?P<year>\d{4})"
_DAY = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:\.|\u00ba|er)?\s+(?:del?\s+|in\s+)?(?P<month>{_MONTH})\b(?:\s+(?:del?\s+|do\s+)?{_YEAR})?",
    re.IGNORECASE,
)
#: Day behind month, as East Asia has it: "2\uc6d4 19\uc77c\uc5d0", the month in English by now.
_NUMBERED = re.compile(
    rf"(?:\bin\s+)?\b(?P<month>{_MONTH})(?:\s+(?P<year>\d{{4}}))?\s+(?P<day>\d{{1,2}})\s*"
    r"(?:\uc77c(?:\uc5d0|\uc758)?(?!\w)|\uc77c(?=\s?(?:\ubd80\ud130|\uc774\uc804|\uc774\ud6c4|\uae4c\uc9c0|\uc804|\ud6c4))"
    r"|[\u65e5\u53f7\u865f](?:[\u306b\u306e](?!\u524d|\u5f8c|\u4ee5))?)",
    re.IGNORECASE,
)
_DATED = rf"(?P<date>\d{{1,2}} (?:{_MONTH})(?: \d{{4}})?|(?:{_MONTH}) \d{{4}})\b"
#: The same, or a month without its year, which says when something begins or ends: "avant avril".
_BOUND = rf"(?:in )?(?P<date>\d{{1,2}} (?:{_MONTH})(?: \d{{4}})?|(?:{_MONTH})(?: \d{{4}})?)\b"
_BOUNDS = ("before", "after", "since")
#: What Turkish writes behind a day.
_ENDED = tuple(
    (which, re.compile(rf"{_DATED}\s*['\u2019]?{ending}(?:ki)?\b", re.IGNORECASE))
    for which, ending in (
        ("since", "[dt][ea]n (?:beri|itibaren|sonra)"),
        ("before", "[dt][ea]n \u00f6nce"),
        ("in", "[dt][ea]"),
    )
)


def in_english(text: str, language: str) -> str:
    """A request whose names of months are English by now, with days and what stands before them put as in English."""
    text = with_years(text)
    if language == "en":
        return text
    text = _NUMBERED.sub(lambda match: " ".join(filter(None, match.group("day", "month", "year"))) + " ", text)
    text = _DAY.sub(lambda match: " ".join(filter(None, match.group("day", "month", "year"))), " ".join(text.split()))
    for which, pattern in (*_ENDED, *_followed(), *_joined()):
        text = pattern.sub(rf"{which} \g<date> ", text)
    return " ".join(text.split())


@cache
def _joined() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """What stands before a day, by what it is in English."""
    articles, behind = "|".join(sayings("date_articles")), "|".join(sayings("date_behind"))
    words = {which: "|".join(sayings(f"date_{which}")) for which in ("since", "before", "after", "in")}
    return tuple(
        (
            which,
            re.compile(
                rf"(?<!\w)(?:{listed})(?:\s+(?:{articles}))*\s+{_BOUND if which in _BOUNDS else _DATED}"
                rf"(?:\s+(?:{behind})\b)?",
                re.IGNORECASE,
            ),
        )
        for which, listed in words.items()
    )


@cache
def _followed() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """What stands behind a day or a month, by what it is in English: "4\u6708\u3088\u308a\u524d"."""
    return tuple(
        (which, re.compile(rf"{_BOUND}\s*(?:{'|'.join(sayings(f'date_then_{which}'))})", re.IGNORECASE))
        for which in _BOUNDS
    )
