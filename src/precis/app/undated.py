"""Texts without a date: "yesterday" stays yesterday, and no statement may name a day that no text names.

An item has a date in any case, so these get one that no calendar uses. What it brings into a draft is taken out again,
and what only a date of its own could support is not supported.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from precis.app.texts import OTHER_DAY
from precis.checks import Checked, Verdict, check
from precis.language.vocabulary import MONTHS, WEEKDAYS
from precis.lineage import Statement
from precis.makers import Draft, DraftStatement, Item, Request, Summarizer

#: As precis.language.dates writes a date behind a relative one: up to a thousand years around a day of the year 8888.
_ADDED = re.compile(r" \((?:(?:week|weekend) of |about )?(?:\d{1,2} )?(?:[A-Z][a-z]+ )?[789]\d{3}\)")
_CALENDAR = re.compile(rf"\b(?:{'|'.join((*MONTHS, *WEEKDAYS))})\b|\d[-/.]\d", re.IGNORECASE)
_NO_DATES = (
    "\n- The texts have no dates; the one shown is a placeholder. Leave words such as yesterday as they are, and write "
    "no date that the texts do not write."
)


class Undated:
    """A summarizer of texts without dates, over one that reckons with dates."""

    def __init__(self, summarizer: Summarizer) -> None:
        self.name = summarizer.name
        self._summarizer = summarizer

    async def summarize(self, request: Request) -> Draft:
        """Its draft without the dates it added."""
        draft = await self._summarizer.summarize(replace(request, prompt=request.prompt + _NO_DATES))
        said = "\n".join(item.text for item in request.items)
        statements = tuple(replace(one, text=_without_dates(one.text, said)) for one in draft.statements)
        return replace(draft, statements=statements)


def _without_dates(text: str, said: str) -> str:
    return _ADDED.sub(lambda added: added.group() if added.group() in said else "", text)


def held_on_any_day(statements: Sequence[Statement], items: Sequence[Item]) -> tuple[Statement, ...]:
    """Those that also pass on a day that shares neither month nor season nor year with the placeholder."""
    if not any(_CALENDAR.search(one.text) for one in statements):
        return tuple(statements)
    draft = Draft(
        statements=tuple(DraftStatement(text=one.text, importance=one.importance, sources=()) for one in statements),
        made_by="",
    )
    verdicts = check(draft, _moved(items)).verdicts
    return tuple(one for one, verdict in zip(statements, verdicts, strict=True) if verdict.kept)


def worst_of_both_days(checked: Checked, draft: Draft, items: Sequence[Item]) -> tuple[Verdict, ...]:
    """Each statement's verdict, or the one of the other day where that is worse."""
    if not any(_CALENDAR.search(one.text) for one in draft.statements):
        return checked.verdicts
    others = check(draft, _moved(items)).verdicts
    return tuple(min(pair, key=lambda one: one.score) for pair in zip(checked.verdicts, others, strict=True))


def _moved(items: Sequence[Item]) -> tuple[Item, ...]:
    return tuple(replace(item, created_at=OTHER_DAY.replace(microsecond=item.created_at.microsecond)) for item in items)
