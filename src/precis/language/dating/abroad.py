"""More phrases of other languages: feasts, days of months, times of two ends, and more languages."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date

from precis import patterns as re
from precis.language import tables
from precis.language.dates import MONTHS, easter
from precis.language.dating.doubts import Pointing
from precis.language.dating.spans import DAY, Span, Spans, Unit, day_after, day_before, days, month_of, whole, year

#: One of two days is meant where the other is so many times as far.
_MUCH_FARTHER = 4
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[\u3002\uff01\uff1f\u0964\u061f\n]")
_UNITS = {"w": "week", "m": "month", "y": "year"}
#: Words so long tell a language.
_LONG = 4
#: A year of its own, or what the day is each year: "le 8 mai est".
_NO_YEAR = r"(?!,? ?(?:de |del |do |of )?\d{4}(?!\d))(?! (?:est|es|è|é)\b)"


class Abroad:
    """The phrases of one language."""

    def __init__(self, name: str) -> None:
        rows = tables.section(f"abroad.{name}")
        months = rows.get("months", "").split()
        listed_names = [*months, *rows.get("weekdays", "").split()]
        names = [word for listed in listed_names for word in re.findall(r"[^\W\d_]+", listed) if len(word) >= _LONG]
        self.marks = frozenset(rows.get("marks", "").split()) | frozenset(names) - MONTHS.keys() - {"mars", "mart"}
        script = rows.get("script", "")
        self._script = re.compile(f"[{script}]") if script else None
        self._no_script = re.compile(f"[{rows['not_script']}]") if "not_script" in rows else None
        letter = rf"[\w{script}]" if name == "Hindi" else r"\w"
        glued = name in ("Japanese", "Chinese")
        before, behind = "" if glued else f"(?<!{letter})", "" if glued or name == "Korean" else f"(?!{letter})"
        self._months = [re.compile(month.replace("_", " "), re.IGNORECASE) for month in months]
        self.weekdays = [re.compile(weekday, re.IGNORECASE) for weekday in rows.get("weekdays", "").split()]
        self._pointing = BACK[name]
        #: How a number is written that is counted with, and words for the first day of a month: "1er", "premier".
        ordinal, first = rows.get("ordinal", "(?!)"), rows.get("first", "(?!)")
        slots = {
            "nth": f"{{day}}(?:{ordinal})?|(?P<first>{first})",
            "weekday": "|".join(weekday.pattern for weekday in self.weekdays),
            "month": "|".join(month.pattern for month in self._months),
        }

        def compiled(form: str, behind: str = behind) -> re.Pattern[str]:
            return re.compile(f"{before}(?:{_filled(form, slots)}){behind}", re.IGNORECASE)

        self._phrases = [(compiled(form), code) for form, code in _coded(rows.get("phrases", ""), 1)]
        self._feasts = [(compiled(form), code) for form, code in _coded(rows.get("feasts", ""), 2)]
        self._dates = [compiled(form, behind + _NO_YEAR) for form in _forms(rows.get("dates", ""))]
        named = f"(?:{slots['month']})"
        number = rf"(?<![\d.,:])\d{{1,2}}(?:{ordinal})?"
        self._named_day = (
            re.compile(rf"{number}(?: (?:de|do|del|di) | ){named}|{named} {number}(?![\d:])", re.IGNORECASE)
            if months else None
        )  # fmt: skip
        self._ranges = [compiled(form) for form in _forms(rows.get("ranges", ""))]
        behind_month, before_month = (_filled(rows.get(f"day_{key}", "(?!)"), slots) for key in ("behind", "before"))
        self._day_behind = re.compile(behind_month, re.IGNORECASE)
        self._day_before = re.compile(f"(?:{before_month})$", re.IGNORECASE)
        self._either = [(compiled(form), int(step)) for form, step in _coded(rows.get("either", ""), 1)]
        self._was, self._will = (re.compile(rows.get(key, "(?!)"), re.IGNORECASE) for key in ("was", "will"))
        always = "|".join(rows["always"].split())
        self._always = re.compile(always if self._script else rf"(?<!\w)(?:{always})(?!\w)", re.IGNORECASE)
        self._for = frozenset(rows.get("for", "").split())

    def is_written_in(self, text: str) -> bool:
        """Whether a text is in the letters of the language, where it has letters of its own."""
        return (
            self._script is not None
            and self._script.search(text) is not None
            and (self._no_script is None or self._no_script.search(text) is None)
        )

    def recurs(self, text: str) -> bool:
        """Whether a text tells what is so each time."""
        return self._always.search(text) is not None

    @property
    def has_script(self) -> bool:
        """Whether the language is known by its letters."""
        return self._script is not None

    def places_in(self, text: str, today: date) -> list[tuple[int, int, Sequence[Span]]]:
        """(where a phrase begins, where it ends, the days it means), in order."""
        meanings: list[tuple[int, int, Sequence[Span]]] = []
        for match, spans in self._read(text, today):
            if spans and not any(match.start() < end and start < match.end() for start, end, _ in meanings):
                meanings.append((match.start(), match.end(), spans))
        return sorted(meanings, key=lambda meaning: meaning[0])

    def names_a_day(self, text: str) -> bool:
        """Whether a text has a month of this language with a day of it, before it or behind it."""
        return self._named_day is not None and self._named_day.search(text) is not None

    def with_day(self, text: str, place: tuple[int, int, Sequence[Span]]) -> tuple[int, int, Sequence[Span]]:
        """A month with the day of it that stands beside it, where one does: "the 15th of next month"."""
        start, end, spans = place
        if len(spans) != 1 or spans[0].unit is not Unit.MONTH:
            return place
        behind, before = self._day_behind.match(text, end), self._day_before.search(text, 0, start)
        match = behind or before
        if match is None:
            return place
        with suppress(ValueError):  # no month has it
            spans = (days(spans[0].first.replace(day=int(match["day"]))),)
        return min(start, match.start()), max(end, match.end()), spans

    def _read(self, text: str, today: date) -> Iterator[tuple[re.Match[str], Spans]]:
        for pattern, code in self._phrases:
            for match in pattern.finditer(text):
                yield match, self._meant(match, code, today)
        for pattern in self._ranges:
            for match in pattern.finditer(text):
                yield match, self._range(match, today)
        yield from self._read_by_tense(text, today)

    def _read_by_tense(self, text: str, today: date) -> Iterator[tuple[re.Match[str], Spans]]:
        for pattern in self._dates:
            for match in pattern.finditer(text):
                number = int(match["day"] or 1)
                day = self._nearest(match, _days_of(today, self._month(match), number), today)
                yield match, (year(day.year),) if day else ()
        for pattern, code in self._feasts:
            for match in pattern.finditer(text):
                day = self._nearest(match, [_feast(code, today.year + step) for step in (-1, 0, 1)], today)
                yield match, (days(day),) if day else ()
        for pattern, step in self._either:
            for match in pattern.finditer(text):
                sentence, _ = _sentence(match)
                was, will = self._was.search(sentence) is not None, self._will.search(sentence) is not None
                yield match, (days(today + (step if will else -step) * DAY),) if was != will else ()

    def _meant(self, match: re.Match[str], code: str, today: date) -> Spans:
        kind, step = code[0], code[1:]
        if kind in _UNITS and step[-1] != "n":
            spans = whole(_UNITS[kind], today, int(step))
            return () if self.is_over(match, spans[0], today) else spans
        if kind in "dw":
            number = int(f"{step[0]}{match['day']}" if step[-1] == "n" else step) * (7 if kind == "w" else 1)
            # What is counted in weeks is about then.
            return (days(today + number * DAY, lead="" if number % 7 or not number else "about"),)
        weekday = next(number for number, name in enumerate(self.weekdays) if name.fullmatch(match["weekday"]))
        if kind in "ab":
            return (days((day_after if kind == "a" else day_before)(today, weekday)),)
        # A week may begin with its Sunday.
        if 6 in (weekday, today.weekday()):
            return ()
        return (days(today + (weekday - today.weekday() + 7 * int(step)) * DAY),)

    def is_over(self, match: re.Match[str], span: Span, today: date) -> bool:
        """Whether something was done in a week, month or year that only begins today: then another may be meant."""
        return span.first == today < span.last and self._was.search(_sentence(match)[0]) is not None

    def _month(self, match: re.Match[str]) -> int:
        named = match.groupdict().get("month")
        if named is None:
            return int(match["m"])
        return next(number for number, name in enumerate(self._months, start=1) if name.fullmatch(named))

    def _nearest(self, match: re.Match[str], options: Sequence[date], today: date) -> date | None:
        """The one that the verb tells; without a past verb one to come that is much nearer than the other."""
        sentence, at = _sentence(match)
        moved = self._pointing.moves(sentence, at, at + len(match.group()))
        if moved or self._always.search(sentence) or not options:
            return None
        past = max((day for day in options if day <= today), default=None)
        ahead = min((day for day in options if day >= today), default=None)
        if past is None or ahead is None or past == ahead:
            return past if past == ahead else None
        back, on = (today - past).days, (ahead - today).days
        if self._was.search(sentence):
            leads = {*match.string[: match.start()].lower().split()[-2:], *match.group().lower().split()[:-2]}
            return past if back < on and self._for.isdisjoint(leads) else None
        return ahead if _MUCH_FARTHER * on < back else None

    def _range(self, match: re.Match[str], today: date) -> Spans:
        """Of a time from one day of the month to another the one to come, or in which it is today."""
        first, last, (sentence, _) = int(match["day"]), int(match["last"]), _sentence(match)
        if first >= last or self._always.search(sentence):
            return ()
        spans = [span for step in range(-2, 4) for span in _in_month(month_of(today, step).first, first, last)]
        ahead = next((span for span in spans if span.last >= today), None)
        was = next((span for span in spans[::-1] if span.last < today), None)
        if ahead is None or was is None:
            return ()
        if self._was.search(sentence):
            return (was,) if ahead.first > today and today - was.last < ahead.first - today else ()
        return (ahead,) if ahead.first - today <= today - was.first else ()


def _sentence(match: re.Match[str]) -> tuple[str, int]:
    """The sentence in which a phrase stands, and where in it."""
    text, start, end = match.string, match.start(), match.end()
    before = [mark.end() for mark in _SENTENCE_END.finditer(text, 0, start) if not text[: mark.start()][-1:].isdigit()]
    behind = _SENTENCE_END.search(text, end)
    opens = before[-1] if before else 0
    return text[opens : behind.end() if behind else len(text)], start - opens


def _in_month(month: date, first: int, last: int) -> list[Span]:
    try:
        return [days(month.replace(day=first), month.replace(day=last))]
    except ValueError:
        return []


def _days_of(today: date, month: int, day: int) -> list[date]:
    """That day of the last year, of this one and of the next, where they have it."""
    options = []
    for number in range(today.year - 1, today.year + 2):
        with suppress(ValueError):  # 31 February, a month 13, a year before the first
            options.append(date(number, month, day))
    return options


def _feast(code: str, number: int) -> date:
    month, day = code.split() if " " in code else ("E", code[1:])
    return easter(number) + int(day) * DAY if month == "E" else date(number, int(month), int(day))


def _forms(listed: str) -> list[str]:
    return [form.strip() for form in listed.split(";") if form.strip()]


def _coded(listed: str, most: int) -> list[tuple[str, str]]:
    """Patterns with what stands behind them: one code, or two numbers."""
    pairs = []
    for form in _forms(listed):
        words = form.split()
        size = 1 if words[-1].startswith("E") else most
        pairs.append((" ".join(words[:-size]), " ".join(words[-size:])))
    return pairs


def _filled(form: str, slots: dict[str, str]) -> str:
    """A form with patterns in its slots: the first of a name is read, a second number is where it ends."""
    for name, pattern in slots.items():
        form = form.replace(f"{{{name}}}", f"(?P<{name}>{pattern})", 1).replace(f"{{{name}}}", f"(?:{pattern})")
    number = r"(?<![\d.,/:-])(?P<{}>\d{{1,2}})(?![\d/]|:\d)"
    return form.replace("{day}", number.format("day"), 1).replace("{day}", number.format("last"))


def names_a_day(text: str) -> bool:
    """Whether a text of one of these languages has a month with a day of it, whatever year that is of."""
    return _DAY_IN_SIGNS.search(text) is not None or any(language.names_a_day(text) for language in ABROAD.values())


#: As Chinese, Japanese and Korean write it.
_DAY_IN_SIGNS = re.compile(r"\d{1,2}\s?[\u6708\uc6d4]\s?\d{1,2}\s?[\u65e5\u53f7\u865f\uc77c]")
BACK = {name: Pointing(name) for name in tables.entry("abroad")}
ABROAD = {name: Abroad(name) for name in tables.entry("abroad")}
