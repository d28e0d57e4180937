"""Small deterministic stand-ins: a summarizer that quotes, an embedder that hashes words, and Cognee."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import blake2b
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4, uuid5

import numpy as np

from precis.engine.grouping import Vector
from precis.language.words import terms
from precis.makers import Draft, DraftStatement, Request, Usage

#: How long the vectors of ``HashEmbedder`` are.
DIMENSIONS = 64


class HashEmbedder:
    """A text is the sum of its words, each at a place of its own: texts that share words are near."""

    version = "hash@1"
    dimensions = DIMENSIONS

    async def embed(self, texts: list[str]) -> list[list[float]]:
        """One unit vector a text; zeros for a text without words."""
        return [[float(x) for x in hash_vector(text)] for text in texts]


def hash_vector(text: str) -> Vector:
    """The vector of ``HashEmbedder`` as an array."""
    vector = np.zeros(DIMENSIONS, dtype=np.float32)
    for term in terms(text):
        vector[int.from_bytes(blake2b(term.encode(), digest_size=4).digest()) % DIMENSIONS] += 1
    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length, dtype=np.float32) if length else vector


class Quoting:
    """A summarizer that quotes every item; a test may make it fail, say something else, or act while it drafts."""

    def __init__(self, name: str = "quoting@1") -> None:
        self.name = name
        self.requests: list[Request] = []
        #: Raised in place of an answer.
        self.error: Exception | None = None
        #: What it says in place of quotes; the first item is cited.
        self.says: tuple[str, ...] | None = None
        #: Awaited once the request is in and before the answer is made.
        self.meanwhile: Callable[[], Awaitable[object]] | None = None

    async def summarize(self, request: Request) -> Draft:
        """Each item as a statement that cites it."""
        self.requests.append(request)
        if self.meanwhile is not None:
            act, self.meanwhile = self.meanwhile, None
            await act()
        if self.error is not None:
            raise self.error
        quotes = [
            DraftStatement(text=i.text, importance=i.importance, sources=(at,)) for at, i in enumerate(request.items)
        ]
        scripted = [DraftStatement(text=text, importance=0.5, sources=(0,)) for text in self.says or ()]
        statements = quotes if self.says is None else scripted
        usage = Usage(calls=1, tokens_in=sum(count_words(i.text) for i in request.items), tokens_out=len(statements))
        if request.prose:
            prose = "\n".join(statement.text for statement in statements)
            return Draft(statements=(), prose=prose, made_by=self.name, usage=usage)
        return Draft(statements=tuple(statements), made_by=self.name, usage=usage)


class Condensing(Quoting):
    """A summarizer that does what models do: it drops some items, merges some, and cites some that it does not say.

    The same items give the same draft. What it says of an item is the item's own words, so that the checks pass it.
    """

    async def summarize(self, request: Request) -> Draft:
        """About two thirds of the items, some of them two in one statement."""
        draft = await super().summarize(request)
        if self.says is not None or request.prose:
            return draft
        statements: list[DraftStatement] = []
        places = [at for at, item in enumerate(request.items) if _lot(item.text, 3)] or [0]
        while places:
            at = places.pop(0)
            item, cited = request.items[at], [at]
            text = item.text
            if places and _lot(item.text, 4) == 1:
                cited.append(places.pop(0))
                text = f"{text.rstrip('.!?')} and {request.items[cited[1]].text}"
            if _lot(item.text, 5) == 1:
                cited.append((at + 1) % len(request.items))
            statements.append(
                DraftStatement(text=text, importance=item.importance, sources=tuple(dict.fromkeys(cited)))
            )
        return replace(draft, statements=tuple(statements))


def _lot(text: str, sides: int) -> int:
    """A number below ``sides`` that is always the same for a text."""
    return int.from_bytes(blake2b(text.encode(), digest_size=4).digest()) % sides


def count_words(text: str) -> int:
    """A token counter: one token a word."""
    return len(text.split())


_SPACE = UUID("00000000-0000-0000-0000-00000000c09e")


@dataclass(kw_only=True)
class _Row:
    """A row of a data set: what is said lies in a file."""

    id: UUID
    raw_data_location: str
    #: Without an offset, as its default database answers.
    created_at: datetime | None
    name: str = "text"
    external_metadata: dict[str, Any] = field(default_factory=dict)


class FakeCognee:
    """The module ``cognee`` with the calls that a pool needs.

    ``older`` names the calls as releases before 1.0 did.
    """

    def __init__(self, *, older: bool = False) -> None:
        self._rows: dict[str, list[_Row]] = {}
        self._files: dict[str, str] = {}
        #: Data sets in the order in which they were asked to be indexed.
        self.indexed: list[str] = []
        #: The time of rows that are added.
        self.now = datetime(2026, 3, 2, 12)  # noqa: DTZ001 - Cognee's rows have no offset
        names = ("get_data", "delete") if older else ("list_data", "delete_data")
        calls = {"list_datasets": self._list_datasets, names[0]: self._list_data, names[1]: self._delete_data}
        self.datasets = SimpleNamespace(**calls)

    async def add(self, data: str, dataset_name: str = "main_dataset") -> object:
        """A text that is there already stays one row."""
        if data not in self.texts(dataset_name):
            self.put(dataset_name, data, self.now)
        return SimpleNamespace(status="PipelineRunCompleted", dataset_name=dataset_name)

    async def cognify(self, datasets: list[str]) -> None:
        """Index them."""
        self.indexed += datasets

    def put(self, dataset: str, text: str, created_at: datetime | None) -> None:
        """A memory from some day."""
        row = _Row(id=uuid4(), raw_data_location="", created_at=created_at and created_at.replace(tzinfo=None))
        row.raw_data_location = f"file:///data/{row.id}.txt"
        self._files[row.raw_data_location] = text
        self._rows.setdefault(dataset, []).append(row)

    def texts(self, dataset: str) -> list[str]:
        """What a data set says."""
        return [self._files[row.raw_data_location] for row in self._rows.get(dataset, [])]

    async def read(self, location: str) -> str:
        """The file at a location."""
        return self._files[location]

    async def _list_datasets(self) -> list[Any]:
        return [SimpleNamespace(id=uuid5(_SPACE, name), name=name) for name in self._rows]

    async def _list_data(self, dataset_id: UUID) -> list[_Row]:
        return list(self._rows[self._name(dataset_id)])

    async def _delete_data(self, dataset_id: UUID, data_id: UUID) -> dict[str, str]:
        name = self._name(dataset_id)
        self._rows[name] = [row for row in self._rows[name] if row.id != data_id]
        return {"status": "success"}

    def _name(self, dataset_id: UUID) -> str:
        return next(name for name in self._rows if uuid5(_SPACE, name) == dataset_id)
