"""What the verbs share: the store, the engine and the limits of this deployment, for one tenant."""

from __future__ import annotations

from dataclasses import dataclass, field

from precis.app.background import Background
from precis.engine.pipeline import Engine
from precis.engine.policy import Policy
from precis.engine.spending import Ledger, NoLedger
from precis.settings import Settings
from precis.store.postgres import PostgresStore


@dataclass(frozen=True, kw_only=True)
class Parts:
    """Handed to every resource of the app."""

    tenant_id: str
    store: PostgresStore
    engine: Engine
    settings: Settings
    ledger: Ledger = field(default_factory=NoLedger)
    #: What goes on after its caller was answered.
    background: Background = field(default_factory=Background)

    @property
    def clusters(self) -> Policy:
        """The policy under which writes are grouped."""
        return self.engine.policies["clusters"]
