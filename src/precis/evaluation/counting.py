"""Counts what the checks say of every draft, without being one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from precis.checks import check
from precis.errors import DraftFailed
from precis.evaluation.measures import Share
from precis.makers import Draft, Request, Summarizer

#: After so many requests without any answer nobody is there.
_SILENT = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Drafts:
    """What became of the drafts."""

    #: Answers that could be read.
    drafts: int = 0
    #: Requests without one, by kind of error.
    failed: Mapping[str, int] = field(default_factory=dict)
    #: Drafts that the checks rejected as a whole.
    rejected: Share = Share()  # noqa: RUF009 - frozen
    #: Statements that the checks dropped, and by which reasons; a statement may have several.
    dropped: Share = Share()  # noqa: RUF009
    reasons: Mapping[str, int] = field(default_factory=dict)


class Counted:
    """A summarizer whose drafts are kept until they are counted: the checks take no time of what is measured."""

    def __init__(self, summarizer: Summarizer) -> None:
        self.name = summarizer.name
        self._summarizer = summarizer
        self._drafts: list[tuple[Draft, Request]] = []
        self._failed: Counter[str] = Counter()
        #: What was wrong with the last request that failed.
        self.last_error = ""

    async def summarize(self, request: Request) -> Draft:
        """What the summarizer answers."""
        try:
            draft = await self._summarizer.summarize(request)
        except DraftFailed as error:
            self._failed[type(error).__name__] += 1
            self.last_error = str(error)
            raise
        self._drafts.append((draft, request))
        return draft

    @property
    def is_silent(self) -> bool:
        """Whether several requests in a row, from the first on, got no answer at all."""
        return not self._drafts and self._failed["ModelUnavailable"] >= _SILENT

    def count(self) -> Drafts:
        """What the checks say of all drafts so far."""
        every = [check(draft, request.items) for draft, request in self._drafts if draft.statements]
        verdicts = [verdict for checked in every for verdict in checked.verdicts]
        dropped = [verdict for verdict in verdicts if not verdict.kept]
        return Drafts(
            drafts=len(self._drafts),
            failed=dict(self._failed),
            rejected=Share(hits=sum(not checked.passed for checked in every), of=len(every)),
            dropped=Share(hits=len(dropped), of=len(verdicts)),
            reasons=_by_number(reason for verdict in dropped for reason in verdict.reasons),
        )


def _by_number(reasons: Iterable[str]) -> dict[str, int]:
    """The most frequent first."""
    return dict(Counter(reasons).most_common())
