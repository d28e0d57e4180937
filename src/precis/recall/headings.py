"""What stands above and before the lines of a context, in the language of the question. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Self

from precis.language import tables
from precis.language.dates import MONTHS_ELSEWHERE
from precis.language.script import languages_of

_ENGLISH = "English"
#: So many characters of the lines tell which of two languages a short question is in.
_READ = 2_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Headings:
    """The words of one language: of each part, of an unsure context, of what stands before a line; and how days are."""

    titles: Mapping[str, str]
    unsure: str
    later: str
    as_of: str
    day_form: str
    date_form: str
    months: tuple[str, ...]

    @classmethod
    def of(cls, question: str, lines: Collection[str] = ()) -> Self:
        """In the language of a question, or of the lines where it may be in one of two; in English otherwise."""
        languages = languages_of(question)[0]
        if len(languages) > 1:
            told = languages_of(" ".join(lines)[:_READ])[0]
            languages = tuple(name for name in languages if name in told[:1]) or languages
        name = languages[0] if languages and languages[0] in tables.entry("headings") else _ENGLISH
        return cls.in_(name)

    @classmethod
    @cache
    def in_(cls, language: str) -> Self:
        """In one of the languages of ``headings.toml``, by its name. Raises LookupError for any other."""
        rows = tables.section(f"headings.{language}")
        months = tuple(rows["months"].split()) if "months" in rows else MONTHS_ELSEWHERE.get(language, ())
        titles = {name: rows[name] for name in ("insights", "summaries", "memories")}
        return cls(
            titles=titles, unsure=rows["unsure"], later=rows["later"], as_of=rows["as_of"],
            day_form=rows["day"], date_form=rows["date"], months=months,
        )  # fmt: skip

    def day(self, day: date) -> str:
        """A day, below its year: ``4 July``, ``4. Juli``."""
        return self._filled(self.day_form, day)

    def whole(self, day: date) -> str:
        """A day with its year: ``4 July 2026``."""
        return self._filled(self.date_form, day)

    def _filled(self, form: str, day: date) -> str:
        month = self.months[day.month - 1] if self.months else ""
        return form.format(day=day.day, month=month, number=day.month, year=day.year)

    @classmethod
    @cache
    def every(cls) -> tuple[Self, ...]:
        """Those of all languages."""
        return tuple(cls.in_(language) for language in tables.entry("headings"))


ENGLISH = Headings.of("")
#: What stands above lines of which none is surely relevant, where the door speaks English.
UNSURE = ENGLISH.unsure
