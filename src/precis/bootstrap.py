"""Put the parts together: settings in, a running precis out."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import timedelta
from os import PathLike, fspath
from typing import Any

import structlog
from psycopg.conninfo import conninfo_to_dict

from precis.app import App, app_over
from precis.app.archive import archive_passes
from precis.app.parts import Background, Parts, Pressure
from precis.app.passes import Pass, clusters_pass, rollup_settings, rollups_pass
from precis.database.clocks import APART, apart, clock_words
from precis.database.connections import Database, open_database
from precis.database.migrate import check_migrated, migrate
from precis.database.replicas import with_replicas
from precis.embedded.place import has_database
from precis.embedded.server import APPLICATION, running
from precis.engine.engine import Engine
from precis.engine.policy import Policy
from precis.engine.spending import Guards
from precis.errors import ConfigurationError, InvalidInput
from precis.extractive.summarizer import Extractive
from precis.ids import system_clock
from precis.keys.opening import open_checked, refuse_strange_logs
from precis.keys.tenants import DEFAULT_TENANT, checked_tenant
from precis.keys.vault import refuse_strange_log
from precis.language.labels import extract, normalize_key
from precis.logs import default_to_standard_logging
from precis.makers import Clock, Summarizer
from precis.metrics import WorkerFigures
from precis.models import asking, chat, extraction, rendering, tokens
from precis.models.embeddings import StaticEmbedder
from precis.policies.archive import archive
from precis.policies.clusters import clusters
from precis.policies.conversations import conversations
from precis.policies.rollups import rollups
from precis.policies.views import PROMPT_TOKENS, views
from precis.settings import Settings
from precis.sources.archive import archive_settings
from precis.store.ledger import PostgresLedger, PostgresRuns
from precis.store.postgres import PostgresStore, postgres_store
from precis.work import ended, ended_in_order

_log = structlog.get_logger(__name__)
#: How long a closing precis waits for work that was cancelled; the lease and the slot of the rest run out.
_ENDING_SECONDS = 5.0
Progress = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Runtime:
    """Everything one process shares between tenants."""

    settings: Settings
    database: Database
    store: PostgresStore
    engine: Engine
    ledger: PostgresLedger
    runs: PostgresRuns
    #: What policies do on their timetables.
    passes: tuple[Pass, ...] = ()
    #: What goes on after its caller was answered; stopped before the database is.
    background: Background = field(default_factory=Background)
    #: Requests that wait in this process.
    pressure: Pressure = field(default_factory=Pressure)
    #: What the worker counted that is a process of its own.
    worker_figures: WorkerFigures = field(default_factory=WorkerFigures)

    def app(self, tenant_id: str) -> App:
        """precis for this tenant."""
        return app_over(
            Parts(
                tenant_id=tenant_id, store=self.store, engine=self.engine, settings=self.settings, ledger=self.ledger,
                background=self.background, pressure=self.pressure,
            )
        )  # fmt: skip

    async def follow(self) -> None:
        """Bring the database up to the forgotten-log, before anybody reads it. Raises ConfigurationError.

        Every start does, and a process that goes on while an older copy of the database is put in place.
        """
        store, log = self.store, self.store.restoring.log
        # Before anything is made or read: that database, keys and log belong together.
        known = await store.tenants.list()
        for tenant_id in known:
            await store.tenants.prove(tenant_id)
        logs = await asyncio.to_thread(log.tenants)
        for tenant_id in set(logs).difference(known):
            await asyncio.to_thread(refuse_strange_log, store.tenants.keyring, log, tenant_id)
        if DEFAULT_TENANT not in known:
            await store.tenants.create(DEFAULT_TENANT, name=DEFAULT_TENANT, now=self.engine.clock())
        for tenant_id in logs:
            await self.forget_again(tenant_id)

    async def forget_again(self, tenant_id: str) -> int:
        """What the forgotten-log has and the database lacks, as every start does; answers how many memories went."""
        restoring = self.store.restoring
        count = await restoring.forget_again(tenant_id, now=self.engine.clock(), edit=self.app(tenant_id).memories.edit)
        await restoring.finish(tenant_id)
        return count


@asynccontextmanager
async def open_runtime(
    settings: Settings | None = None, *, clock: Clock = system_clock, progress: Progress | None = None,
    follows: bool = True,
) -> AsyncIterator[Runtime]:  # fmt: skip
    """Start or join the database, migrate it, and build the engine. Raises ConfigurationError, StoreUnavailable.

    Without ``follows`` nothing is compared with the forgotten-log: nobody may read what it was to forget.
    """
    settings = settings or Settings()
    default_to_standard_logging()
    async with AsyncExitStack() as stack:
        dsn = await _database_dsn(settings, stack, clock, progress)
        primary = await stack.enter_async_context(open_database(dsn, max_size=settings.database_connections))
        await primary.check_role()
        replicas = with_replicas(primary, settings.replica_urls, wait=settings.replica_wait)
        database = await stack.enter_async_context(replicas)
        policies = build_policies(settings)
        guards = build_guards(settings)
        tokenizers = tokens.tokenizers_for(settings.model, settings.tokenizer)
        log, keyring = await asyncio.to_thread(open_checked, settings)
        store = postgres_store(
            database, keyring, policies, log, ticks=guards.concurrent_jobs,
            history=settings.history_refreshes,
        )  # fmt: skip
        ledger = PostgresLedger(database, clock, guards=guards, model=settings.model or "", margin=tokenizers.margin)
        engine = build_engine(settings, store, policies, ledger, clock, tokenizers)
        if isinstance(engine.summarizer, asking.Asker):
            # Calls under way are settled while there is a database to note it in.
            stack.push_async_callback(engine.summarizer.aclose)
        # What was cancelled at its deadline gives back its lease and its slot while there is a database.
        stack.push_async_callback(ended, _ENDING_SECONDS)
        background = Background(asyncio.get_running_loop())
        stack.push_async_callback(background.aclose)
        runtime = Runtime(
            settings=settings, database=database, store=store, engine=engine, ledger=ledger,
            runs=PostgresRuns(database, guards, scheduled(policies)), passes=build_passes(settings),
            background=background,
        )  # fmt: skip
        if follows:
            database.copies.watch(runtime.follow)
        await database.ask("ping")
        difference = await apart(database, clock)
        if difference > APART:
            _log.warning("clocks_differ", what=clock_words(difference))
        yield runtime


@asynccontextmanager
async def open(  # noqa: A001 - precis.open() reads as what it is
    settings: Settings | None = None, *, tenant_id: str = DEFAULT_TENANT, clock: Clock = system_clock, **overrides: Any
) -> AsyncIterator[App]:
    """precis for one tenant: ``async with precis.open() as app``. Keywords override settings: ``data_dir=...``.

    In a program that leaves SIGTERM alone, it closes the embedded database before it ends by it.
    """
    if isinstance(settings, str | PathLike):
        raise InvalidInput(f"open() takes settings; a folder is a keyword: open(data_dir={fspath(settings)!r})")
    used = settings.model_copy(update=overrides) if settings is not None else Settings(**overrides)
    checked_tenant(tenant_id)
    with nullcontext() if used.database_url else ended_in_order():
        async with open_runtime(used, clock=clock) as runtime:
            if tenant_id != DEFAULT_TENANT:
                await runtime.store.tenants.create(tenant_id, name=tenant_id, now=clock())
            yield runtime.app(tenant_id)


def build_policies(settings: Settings) -> Mapping[str, Policy]:
    """The policies of this deployment, by name."""
    return {
        "clusters": clusters(
            min_members=settings.min_cluster_items,
            refresh_after=settings.refresh_after,
            distance=settings.cluster_distance,
        ),
        **rollups(rollup_settings(settings)),
        "archive": archive(archive_settings(settings)),
        "views": views(
            model=settings.fast_model,
            every=timedelta(minutes=settings.view_refresh_minutes),
            prompt_tokens=min(PROMPT_TOKENS, int(settings.working_memory_threshold * settings.conversation_window)),
        ),
        "conversations": conversations(
            summary_tokens=settings.conversation_summary_tokens, title_model=settings.title_model
        ),
    }


def scheduled(policies: Mapping[str, Policy]) -> list[str]:
    """The policies whose groups a worker refreshes by itself."""
    return [name for name, policy in policies.items() if not policy.paused]


def build_passes(settings: Settings) -> tuple[Pass, ...]:
    """What the policies of this deployment do on their timetables."""
    return (rollups_pass(), *clusters_pass(settings), *archive_passes(settings))


def build_guards(settings: Settings) -> Guards:
    """The limits of each tenant."""
    cooldown = settings.cooldown
    if cooldown is None:
        # Offline a run costs nothing: there is nothing to cool down from.
        cooldown = 0.0 if settings.model is None else Guards().cooldown.total_seconds()
    return Guards(
        monthly_ceiling=settings.monthly_ceiling,
        kept_share=settings.ceiling_kept_share,
        concurrent_jobs=settings.concurrent_jobs,
        slot_wait=timedelta(seconds=settings.inline_deadline),
        reservation_lasts=timedelta(seconds=settings.reservation_lasts),
        cooldown=timedelta(seconds=cooldown),
        jobs_per_run=settings.jobs_per_run,
    )


def build_engine(
    settings: Settings, store: PostgresStore, policies: Mapping[str, Policy], ledger: PostgresLedger, clock: Clock,
    tokenizers: tokens.Tokenizers,
) -> Engine:  # fmt: skip
    """The engine: offline unless a model is set. Raises ConfigurationError."""
    extractive = Extractive()
    summarizer: Summarizer = extractive
    model_parts: Mapping[str, Any] = {}
    if settings.model is not None:
        summarizer = chat.ChatSummarizer(
            model=settings.model,
            base_url=settings.model_base_url,
            api_key=settings.model_api_key.get_secret_value() if settings.model_api_key else None,
            prices=tokens.Prices.of(settings.prices),
            meter=ledger,
            counter=tokenizers.counter,
        )
        model_parts = _model_parts(settings, summarizer, tokenizers)
    elif "model" in (settings.extraction, settings.conversation_extraction) or settings.judge != "off":
        reason = "PRECIS_EXTRACTION=model, PRECIS_CONVERSATION_EXTRACTION=model and PRECIS_JUDGE need a model"
        raise ConfigurationError(f"{reason}: set PRECIS_MODEL")
    return Engine(
        lease_lasts=timedelta(seconds=settings.lease_seconds),
        groups=store.groups,
        policies=dict(policies),
        summarizer=summarizer,
        fallback=extractive,
        embedder=StaticEmbedder(),
        count=tokenizers.counter(settings.model),
        rank=tokens.rank,
        clock=clock,
        **model_parts,
    )


def _model_parts(settings: Settings, asker: asking.Asker, tokenizers: tokens.Tokenizers) -> Mapping[str, Any]:
    """What else the engine has where there is a model to ask."""
    extractor = extraction.ChatExtractor(
        asker=asker,
        rules=lambda text, speaker: extract(text, speaker=speaker),
        tidy_key=normalize_key,
        count=tokenizers.counter(settings.model),
        seconds=settings.inline_deadline,
    )
    return {
        "wording": f"rendering@{rendering.RENDERING}",
        "judge": None if settings.judge == "off" else chat.ChatJudge(asker=asker, model=settings.judge),
        "extractor": extractor if settings.extraction == "model" else None,
        "proposer": chat.ChatProposer(asker=asker, count=tokenizers.counter(settings.model))
        if settings.forget_proposals
        else None,
    }


async def _database_dsn(settings: Settings, stack: AsyncExitStack, clock: Clock, progress: Progress | None) -> str:
    """Where the role that serves connects, after its schema is up to date."""
    if settings.database_url is None:
        if not has_database(settings.data_dir):
            await asyncio.to_thread(refuse_strange_logs, settings)
        server = await stack.enter_async_context(running(settings.data_dir, progress=progress))
        await migrate(server.owner_dsn, app_role=APPLICATION, now=clock())
        return server.dsn(user=APPLICATION)
    if settings.database_owner_url is not None:
        role = conninfo_to_dict(settings.database_url).get("user")
        if not role:
            raise ConfigurationError("PRECIS_DATABASE_URL names no user; the role that serves must be told")
        await migrate(settings.database_owner_url, app_role=str(role), now=clock())
    else:
        await check_migrated(settings.database_url)
    return settings.database_url


__all__ = ["Runtime", "build_engine", "build_guards", "build_policies", "open", "open_runtime", "system_clock"]
