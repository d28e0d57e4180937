"""The same for the commonest phrases of eight other languages, out of a table."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from precis import patterns as re
from precis.language import tables
from precis.language.dating.abroad import ABROAD, BACK
from precis.language.dating.counted import Place, combined
from precis.language.dating.spans import DAY, Span, Unit, days, month_of, whole, year
from precis.language.script import FREQUENT


class _Tongue:
    """The phrases of one language."""

    def __init__(self, name: str) -> None:
        rows = tables.section(f"elsewhere.{name}")
        self._more = ABROAD[name]
        self.spaced = rows.get("spaced") != "no"
        # The names of days tell the language as its frequent words do; fragments of patterns are no words.
        telling = [word for word in _spoken(f"{rows['days']} {rows['weekdays']}") if len(word) >= _LONG]
        self.marks = FREQUENT.get(name, frozenset()) | frozenset([*rows["marks"].split(), *telling])
        self._past = frozenset(rows.get("past", "").split())
        self._past_form = re.compile(rows.get("past_form", "(?!)"))
        self.weekdays = [_any_case(spellings) for spellings in rows["weekdays"].split()]
        idioms = _pairs(rows["behind"]) if "behind" in rows else []
        self._behind = [(_any_case(rf"(?<=\w )(?:{form})(?!\w)"), int(step)) for form, step in idioms]
        self._sayings = _any_case(rf"(?:{'|'.join(_filled(rows.get('sayings', '(?!)'), {}))})")
        self._exact, self._rough = (_any_case(rf"(?<!\w)(?:{rows.get(key, '(?!)')})") for key in ("exact", "rough"))
        self._days = [(_any_case(phrase), int(step)) for phrase, step in _pairs(rows["days"])]
        self._units = [(_any_case(spellings), unit) for unit, spellings in map(_halves, rows["units"].split(";"))]
        numbers = (part.split("=") for part in rows["numbers"].split())
        self._counts = [(_any_case(spellings), int(number)) for spellings, number in numbers]
        counts = "|".join(count.pattern for count, _ in self._counts)
        units = "|".join(part.pattern for part in (*self.weekdays, *(unit for unit, _ in self._units)))
        slots = {
            "{unit}": rf"(?P<unit>{units})(?:-feira)?",
            "{count}": rf"{_not_after(rows.get('before_count', ''))}(?P<count>\d{{1,3}}|{counts})",
        }
        # Of several characters in a row that are numbers the last one alone is another number.
        before, behind = (r"(?<!\w)", r"(?!\w)") if self.spaced else (rf"(?<![\d{counts.replace('|', '')}])", "")
        self._phrases = [
            (_any_case(rf"{before}{form}{behind}"), way) for way in _WAYS for form in _filled(rows.get(way, ""), slots)
        ]
        before, behind = (r"(?<![\w-])", r"(?![\w-])") if self.spaced else ("", "")
        self._any_day = _any_case(rf"{before}(?:{'|'.join(day.pattern for day, _ in self._days)}){behind}")
        # Where no spaces are, a character that is a number or a unit is mostly part of another word.
        times = rows.get("times") or "|".join(day.pattern for day in self.weekdays)
        times = f"{units}|{counts}" if self.spaced else times
        self._any_time = _any_case(rf"{before}(?:{times}){behind}")

    def places_in(self, text: str, today: date) -> list[Place]:
        """(where a phrase begins, where it ends, the days it means), in order."""
        meanings: list[Place] = []
        for match in self._any_day.finditer(text):
            step = next(step for day, step in self._days if day.match(text, match.start()))
            meanings.append((match.start(), match.end(), (days(today + step * DAY),)))
        for phrase, way in self._phrases:
            for match in () if way == "ahead" and self._is_past(text) else phrase.finditer(text):
                span = self._span(match, way, today)
                if span and not any(match.start() < end and start < match.end() for start, end, _ in meanings):
                    meanings.append((match.start(), match.end(), (span,)))
        sayings = [match.span() for match in self._sayings.finditer(text)]
        known = [place for place in meanings if not any(place[0] < end and at < place[1] for at, end in sayings)]
        return sorted(known, key=lambda meaning: meaning[0])

    def idioms_in(self, text: str, today: date) -> list[Place]:
        """Numbers of days that are told only behind a day: "en huit"."""
        return [
            (match.start(), match.end(), (days(today + step * DAY),))
            for pattern, step in self._behind
            for match in pattern.finditer(text)
        ]

    def without_times(self, text: str) -> str:
        """The text without its phrases for days, names of weekdays, units of time and number words."""
        for pattern in (*(phrase for phrase, _ in self._phrases), self._any_day, self._any_time):
            text = pattern.sub(" ", text)
        return text

    def _is_past(self, text: str) -> bool:
        words = _spoken(text) if self.spaced else text
        return not self._past.isdisjoint(words) or any(map(self._past_form.fullmatch, words))

    def _span(self, match: re.Match[str], way: str, today: date) -> Span | None:
        word = match["unit"].lower()
        weekday = next((number for number, name in enumerate(self.weekdays) if name.fullmatch(word)), None)
        unit = next((unit for spellings, unit in self._units if spellings.fullmatch(word)), None)
        if way in ("since", "ago", "ahead"):
            span = self._away(match.groupdict().get("count") or "1", unit, today, 1 if way == "ahead" else -1)
            return self._as_exact(span, match.group(), unit, today)
        step = {"last": -1, "this": 0, "next": 1}[way]
        if weekday is not None:
            return self._weekday(weekday, step, today)
        span = whole(unit, today, step)[0] if unit in ("week", "weekend", "month", "year") else None
        return None if span is None or self._more.is_over(match, span, today) else span

    def _as_exact(self, span: Span | None, spoken: str, unit: str | None, today: date) -> Span | None:
        """A number of weeks, or of days that stands for one, is about then, as in English."""
        if span is None or span.unit is not Unit.DAYS or self._exact.search(spoken):
            return span
        is_rough = unit == "week" or abs((span.first - today).days) in _WEEKS_IN_DAYS or self._rough.search(spoken)
        return replace(span, lead="about") if is_rough else span

    def _weekday(self, weekday: int, step: int, today: date) -> Span | None:
        if not self.spaced:
            return days(today + (weekday - today.weekday() + 7 * step) * DAY)
        if step < 0:
            return days(today - ((today.weekday() - weekday - 1) % 7 + 1) * DAY)
        # "Next" may mean the one after that where it still comes in this week.
        return days(today + (weekday + 7 - today.weekday()) * DAY) if step and weekday <= today.weekday() else None

    def _away(self, count: str, unit: str | None, today: date, way: int) -> Span | None:
        number = int(count) if count.isdigit() else next(n for spelling, n in self._counts if spelling.fullmatch(count))
        if unit in ("day", "week"):
            return days(today + way * number * (DAY if unit == "day" else 7 * DAY))
        step = way * number
        if unit in ("month", "halfyear"):
            return month_of(today, step if unit == "month" else 6 * step)
        return year(today.year + step) if unit == "year" else None


#: "Quinze jours", "acht Tage": so many days may be said for weeks.
_WEEKS_IN_DAYS = (8, 14, 15)
#: A word of a pattern so long is one of the language.
_LONG = 5
#: "Since" holds the words of "ago" in some languages.
_WAYS = ("since", "ago", "ahead", "last", "this", "next")


def _not_after(listed: str) -> str:
    """That no other number stands before, nor one of these endings: "2-3 anni fa", "due o tre anni fa"."""
    endings = [ending.replace("_", " ") for ending in listed.split()]
    return r"(?<![\d.,/\u2013-])" + "".join(rf"(?<!{ending})" for ending in endings)


def _any_case(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _halves(text: str) -> tuple[str, str]:
    unit, _, phrase = text.strip().partition(" ")
    return unit, phrase


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(phrase.strip(), step) for phrase, _, step in (part.strip().rpartition(" ") for part in text.split(";"))]


def _filled(forms: str, slots: Mapping[str, str]) -> list[str]:
    """Forms parted by semicolons, with a pattern in each slot."""
    for slot, pattern in slots.items():
        forms = forms.replace(slot, pattern)
    return [form.strip() for form in forms.split(";") if form.strip()]


def _spoken(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.lower())


TONGUES = {name: _Tongue(name) for name in tables.entry("elsewhere")}
_SPACED = {name: tongue for name, tongue in TONGUES.items() if tongue.spaced}
_KNOWN = {name for name, language in ABROAD.items() if not language.has_script} | _SPACED.keys()
_ALL_MARKS = FREQUENT | {
    name: frozenset().union(
        FREQUENT.get(name, ()), *(table[name].marks for table in (_SPACED, ABROAD) if name in table)
    )
    for name in _KNOWN
}
#: Frequent words of these languages: a text without any is in none of them. "I've" has a word of Turkish in it.
_FOREIGN = frozenset().union(*(_ALL_MARKS[name] for name in _KNOWN)) - FREQUENT["English"] - {"ve"}
_OF_MARK = {
    word: [name for name, marks in _ALL_MARKS.items() if word in marks] for word in _FOREIGN | FREQUENT["English"]
}
_IDEOGRAPH = re.compile(r"[\u4e00-\u9fff]")


def meant_elsewhere(text: str, today: date) -> Sequence[tuple[int, Sequence[Span]]]:
    """(where the phrase ends, the days it means), if the text is in one of these languages."""
    names = _names_of(text)
    # Of a text that may be in either of two languages a word of one may tell that it recurs.
    recurs = len(names) > 1 and any(ABROAD[name].recurs(text) for name in names if not _has_letters(name))
    readings = [_places(name, text, today, recurs=recurs) for name in names]
    return [(end, spans) for _, end, spans in max(readings, key=len, default=())]


def _has_letters(name: str) -> bool:
    return name not in ABROAD or ABROAD[name].has_script


def _places(name: str, text: str, today: date, *, recurs: bool) -> Sequence[Place]:
    """What either table of a language reads; the longer table of two that read the same words."""
    places: list[Place] = []
    language = ABROAD.get(name)
    is_written = language is not None and not recurs and (not language.has_script or language.is_written_in(text))
    for table in (language if is_written else None, TONGUES.get(name)):
        try:
            read = table.places_in(text, today) if table is not None else []
        except (OverflowError, ValueError):  # no calendar has it
            continue
        places += [place for place in read if not any(place[0] < end and at < place[1] for at, end, _ in places)]
    places = [language.with_day(text, place) if language else place for place in places]
    back = BACK[name].places_in(text) if places and name in BACK else ()
    places = [place for place in places if not any(place[0] < end and at < place[1] for at, end in back)]
    tongue = TONGUES.get(name)
    weekdays = [*(language.weekdays if language else ()), *(tongue.weekdays if tongue else ())]
    try:
        return combined(text, places, weekdays, tongue.idioms_in(text, today) if tongue else (), today)
    except OverflowError:
        return ()


def without_times(text: str) -> str:
    """The text without what says when or how many, if it is in one of these languages."""
    for tongue in (TONGUES[name] for name in _names_of(text) if name in TONGUES):
        text = tongue.without_times(text)
    return text


def _names_of(text: str) -> Sequence[str]:
    """The languages that a text may be in."""
    if not text.isascii():
        if _IDEOGRAPH.search(text):
            unspaced = [name for name, tongue in TONGUES.items() if not tongue.spaced]
            return [name for name in unspaced if ABROAD[name].is_written_in(text)] or unspaced
        by_letters = [name for name, language in ABROAD.items() if language.is_written_in(text)]
        if by_letters:
            return by_letters
    spoken = _spoken(text)
    if _FOREIGN.isdisjoint(spoken):
        return ()
    hits = Counter(name for word in spoken for name in _OF_MARK.get(word, ()))
    most = max(hits.values())
    return [name for name in _ALL_MARKS if name in _KNOWN and hits[name] == most]
