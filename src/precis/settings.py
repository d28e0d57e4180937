"""Settings: environment (PRECIS_...), then a YAML file (PRECIS_CONFIG, else ./precis.yaml), then the defaults."""

import os
import re
from pathlib import Path
from typing import ClassVar, Literal, Self

from pydantic import AliasChoices, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from precis.settings_file import ClockTime, Folder, Network, PlaceUrl, PoolSettings, ServerUrl, SettingsFile, named_file
from precis.sizes import SizeText, refuse_more

#: Variables that name where something lies.
_PLACES = frozenset(
    f"precis_{name}" for name in ("data_dir", "keys_dir", "forgotten_dir", "database_url", "keys_url", "forgotten_url")
)


class Settings(BaseSettings):
    """Everything that can be set. Read once at start and passed on; nothing reads the environment later."""

    model_config = SettingsConfigDict(env_prefix="PRECIS_", extra="forbid", populate_by_name=True)
    #: Whether neither the environment nor a file is read.
    keywords_alone: ClassVar[bool] = False

    #: Where the embedded database (DATA_DIR/db) and the keys (DATA_DIR/keys) lie.
    data_dir: Folder = Path(".precis")
    #: An external PostgreSQL, as a plain role that owns nothing; unset means the embedded one.
    database_url: ServerUrl | None = None
    #: The owner of its tables, for migrations only.
    database_owner_url: ServerUrl | None = None
    #: Replicas of the database, as the same plain role: recall and lists ask one that has all that was acknowledged.
    replica_urls: list[ServerUrl] = Field(default_factory=list)
    #: Seconds a read waits until a replica has it; then the primary answers.
    replica_wait: float = Field(default=0.05, ge=0, le=5)
    #: Most connections of a process to its database at once; a worker has up to four more.
    database_connections: int = Field(default=16, ge=2, le=1_000)
    #: Key files, when they are not to lie under the data directory.
    keys_dir: Folder | None = None
    #: The forgotten-log (DATA_DIR/forgotten): it only grows, and no restore of a backup may touch it.
    forgotten_dir: Folder | None = None
    #: 32 bytes in base64url; else DATA_DIR/keys/master.key is made and used.
    master_key: SecretStr | None = None

    #: The keys, where several machines reach them: s3://BUCKET/PREFIX, or a second database, postgresql://...
    keys_url: PlaceUrl | None = None
    #: The forgotten-log, in the same way.
    forgotten_url: PlaceUrl | None = None
    #: Who wraps keys at PRECIS_KEYS_URL; ``folder`` is PRECIS_MASTER_KEY.
    key_provider: Literal["folder", "aws-kms", "vault"] = "folder"
    #: The key of AWS KMS: an id, an ARN or an alias.
    kms_key: str | None = None
    #: Where Vault is, who precis is to it (a file is read again when Vault refuses), and the key of its transit engine.
    vault_url: str | None = None
    vault_token: SecretStr | None = None
    vault_token_file: Path | None = None
    vault_mount: str = "transit"
    vault_key: str = "precis"
    #: Where the server listens; the options of `precis serve` come first.
    host: str = Field(default="127.0.0.1", min_length=1)
    port: int = Field(default=8766, ge=0, le=65_535)
    #: A PEM file with the server's certificate and those between it and the root: it speaks HTTPS, and only that.
    tls_certificate: Path | None = None
    #: Its private key, without a passphrase, where it is not in the same file.
    tls_key: Path | None = None
    #: Whether the worker of `precis serve` is a process of its own; otherwise it shares the server's.
    worker_process: bool = True
    #: Addresses or networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed; nobody else's are.
    trusted_proxies: list[Network] = Field(default_factory=list)
    #: Host names under which a server without keys is reached besides localhost and the loopback addresses.
    allowed_hosts: list[str] = Field(default_factory=list)
    #: Whether the server shows a page to look at, at ``/``.
    page: bool = True
    #: Whether the server tells its figures at ``/metrics``.
    metrics: bool = True
    #: What a scraper sends as its bearer token; unset, only a server without keys tells them.
    metrics_key: SecretStr | None = Field(default=None, min_length=32)
    #: Whether figures out of the database name their tenant: of the first 1,000.
    metrics_by_tenant: bool = False

    #: A model's name; unset means offline: extractive summaries, no call to anybody.
    model: str | None = None
    model_base_url: str = "https://api.openai.com/v1"
    model_api_key: SecretStr | None = None
    #: The model's own tokenizer.json, to count with; needs the extra ``tokenizers``. Unset: the shipped ranks.
    tokenizer: Path | None = None
    #: Who finds type and subject of what is written: rules, or the model.
    extraction: Literal["rules", "model"] = "rules"
    #: A model that checks drafts a second time, after the rules; needs a model.
    judge: str = "off"
    #: Whether the model, where there is one, is asked what a request to forget in words may mean; it proposes only.
    forget_proposals: bool = True
    #: US dollars a tenant and calendar month (UTC); unset is no ceiling.
    monthly_ceiling: float | None = Field(default=None, ge=0)
    #: The part of the ceiling that only re-derivation after forgetting or an edit may use.
    ceiling_kept_share: float = Field(default=0.1, ge=0, le=1)
    #: A tenant's model calls under way at once, inline ones included, and scheduler jobs at once.
    concurrent_jobs: int = Field(default=3, ge=1)
    #: Seconds after the death of a process until a group it refreshed is free; renewed while it lives.
    lease_seconds: float = Field(default=30.0, ge=1)
    #: Seconds after which a call that was never settled counts as spent and frees its slot. Longer than any call.
    reservation_lasts: float = Field(default=120.0, gt=0)
    #: Seconds between two scheduler runs of a tenant; unset is 120 with a model, none offline, where a run is free.
    cooldown: float | None = Field(default=None, ge=0)
    #: Summaries of one user and project that one scheduler run makes.
    jobs_per_run: int = Field(default=20, ge=1)
    #: US dollars a million tokens for models the price list does not know, and overrides for those it does:
    #: {model: {input_per_million, output_per_million, cached_per_million}}.
    prices: dict[str, dict[str, float]] = Field(default_factory=dict)

    #: Whether a new memory replaces an older one by the rules alone, where nothing of that one stands any more.
    supersede_by_rule: bool = True
    #: Refreshes that the history of a summary keeps; 0 keeps none.
    history_refreshes: int = Field(default=20, ge=0, le=1_000)

    #: Members below which a cluster has no summary.
    min_cluster_items: int = Field(
        default=3,
        ge=2,
        validation_alias=AliasChoices(
            "PRECIS_SUMMARY_MIN_CLUSTER_ITEMS", "SUMMARY_MIN_CLUSTER_ITEMS", "min_cluster_items"
        ),
    )
    #: New members a refresh waits for once a summary stands.
    refresh_after: int = Field(default=1, ge=1)
    #: Hours between two looks at whether clusters should merge or split, where new ones have begun; 0: never.
    regroup_hours: float = Field(default=24, ge=0)
    #: Largest distance (0..2) of a memory to a cluster that still joins: 1 less how like they are, each less what all
    #: memories of the scope have in common. Among many clusters it is narrower.
    cluster_distance: float = Field(default=0.76, ge=0, le=2)

    #: Whether notes are rolled up by day, week and month; off, groups are kept up and none is refreshed by its date.
    rollups_enabled: bool = True
    #: When the nightly run is, in the user's zone (UTC unless one is set).
    rollups_schedule_time: ClockTime = "05:00"
    #: Days for which raw notes are kept before their day is compacted.
    rollups_retain_days: int = Field(default=30, ge=0, le=36_500)
    #: A model for rollups in place of the configured one, at the same endpoint.
    rollups_model: str | None = None
    #: Statements less important than this are left out of weeks, months and key insights.
    rollups_min_importance: float = Field(default=0.5, ge=0, le=1)
    #: Most key insights of a summary.
    rollups_max_insights: int = Field(default=10, ge=1)
    #: What metadata.kind of an episodic memory says when it is a note.
    rollups_note_kinds: list[str] = Field(default_factory=lambda: ["note"])
    #: Whether weeks and months read also what users say in conversations.
    rollups_messages: bool = False

    #: Whether the archive runs on its timetable; a pass can be asked for in any case.
    archive_enabled: bool = False
    #: How often: ``daily`` (every ``archive_interval_days``), ``weekly``, or ``next_run`` (the same as daily, by the
    #: name of the document).
    archive_schedule: Literal["daily", "weekly", "next_run"] = "daily"
    #: Days between two runs of ``daily`` and ``next_run``.
    archive_interval_days: int = Field(default=1, ge=1, le=36_500)
    #: With ``ttl``: days after which an original that a summary covers goes.
    archive_keep_original_days: int = Field(default=365, ge=0, le=36_500)
    #: Younger memories are left alone; those of the last day in any case.
    archive_min_age_days: int = Field(default=7, ge=0, le=36_500)
    #: So many new memories of a user begin a pass for that user, besides the timetable; 0 leaves it to the timetable.
    archive_after_memories: int = Field(default=50, ge=0, le=1_000_000)
    #: Most memories of one summary.
    archive_max_memories_per_batch: int = Field(default=50, ge=1, le=1_000)
    #: What becomes of the originals: deleted after their time, deleted at once, or kept.
    archive_originals: Literal["ttl", "delete", "keep"] = "ttl"
    #: Whose memories share a summary: all of a user, of a user and agent, or of a user, agent and run.
    archive_group_by: Literal["user", "agent", "run"] = "user"
    #: Opens a summary in a pool without metadata. "[HomeClaw summary] " is recognized besides.
    archive_marker: str = Field(default="[HomeClaw summary] ", min_length=1, max_length=100)
    #: Other people's stores that the timetable and POST /memory/summarize archive, too: a list in the file, or as JSON.
    archive_pools: list[PoolSettings] = Field(default_factory=list)
    #: For the embedding endpoint of a pool, where it is not the models' own.
    archive_embed_api_key: SecretStr | None = None

    #: Over any of these a conversation is summarized: "20 messages", "4000 tokens", "0.7 window".
    conversation_triggers: list[SizeText] = Field(default_factory=lambda: ["20 messages", "4000 tokens"])
    #: What stays verbatim, in the same words.
    conversation_keep: SizeText = "4 messages"
    #: Tokens the model reads: what a share is a share of, and what a context has to fit.
    conversation_window: int = Field(default=128_000, ge=100)
    #: Longest summary of a conversation, in tokens.
    conversation_summary_tokens: int = Field(default=800, ge=50)
    #: Seconds a turn waits for a summary before it goes on with the one that stands.
    conversation_deadline: float = Field(default=10.0, gt=0)
    #: Share of the model's window over which a session of the wire is summarized.
    working_memory_threshold: float = Field(default=0.7, gt=0, le=1)
    #: A model for titles in place of the configured one, at the same endpoint.
    title_model: str | None = None
    #: Whether messages take part in recall, one by one; a turn may say otherwise of its conversation.
    conversations_in_recall: bool = True
    #: Who finds facts in messages, in the background: nobody, rules, or the model; a turn may say otherwise.
    conversation_extraction: Literal["off", "rules", "model"] = "rules"
    #: Seconds for which messages wait for others, to be read with them.
    conversation_extraction_wait: float = Field(default=5.0, ge=0)

    #: A model for views that name none, at the same endpoint; unset is PRECIS_MODEL.
    fast_model: str | None = None
    #: Minutes between two refreshes of a continuous view.
    view_refresh_minutes: float = Field(default=60, gt=0)
    #: Longest run of a whole view, in seconds; one that takes longer has failed.
    view_run_seconds: float = Field(default=21_600, gt=0)

    #: Whether recall, context and the wire's search want to be told whose memories; else they look at all of a tenant.
    recall_needs_user: bool = False
    #: Raw memories newer than this are preferred in recall, summaries once what they rest on is older than that.
    recall_raw_days: int = Field(default=7, ge=0, le=36_500)
    recall_summary_days: int = Field(default=30, ge=0, le=36_500)

    #: Seconds a request to summarize waits for the end; what takes longer becomes a task.
    summarize_wait_seconds: float = Field(default=10.0, ge=0, le=600)
    #: Longest run of such a task, in seconds; one that takes longer has failed.
    summarize_run_seconds: float = Field(default=21_600, gt=0)
    #: Seconds a write may spend on inline summaries before the rest is left to a worker.
    inline_deadline: float = Field(default=10.0, gt=0)
    #: Largest write that is summarized inline.
    inline_rows: int = Field(default=100, ge=0)
    #: Requests that write, and that read, which a server works on at once; unset: by its cores and its connections.
    writes_at_once: int | None = Field(default=None, ge=1, le=1_000)
    reads_at_once: int | None = Field(default=None, ge=1, le=1_000)
    #: Requests of either kind that wait for their turn, of all tenants together; one more is answered 503.
    requests_waiting: int = Field(default=64, ge=0, le=100_000)
    #: Seconds after which a request that waits is answered 503.
    wait_seconds: float = Field(default=5.0, ge=0, le=600)
    #: Longest text of one memory, in characters.
    max_text_chars: int = Field(default=32_000, ge=100)
    #: Most memories in one call.
    max_batch: int = Field(default=5_000, ge=1)

    log_format: Literal["console", "json"] = "console"
    log_level: Literal["debug", "info", "warning", "error"] = "warning"

    @model_validator(mode="after")
    def _keeps_less_than_it_gathers(self) -> Self:
        refuse_more(self.conversation_keep, self.conversation_triggers, window=self.conversation_window)
        return self

    @model_validator(mode="after")
    def _has_a_certificate(self) -> Self:
        if self.tls_key is not None and self.tls_certificate is None:
            raise ValueError("tls_key: a key needs its certificate, set PRECIS_TLS_CERTIFICATE")
        return self

    @property
    def keys_folder(self) -> Path:
        """Where the key files lie."""
        return self.keys_dir or self.data_dir / "keys"

    @property
    def forgotten_folder(self) -> Path:
        """Where the forgotten-log lies."""
        return self.forgotten_dir or self.data_dir / "forgotten"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, then environment, then the file."""
        del dotenv_settings, file_secret_settings
        if cls.keywords_alone:
            return (init_settings,)
        if isinstance(env_settings, EnvSettingsSource):
            # What passes variables on sends those that nobody set as empty ones. An empty place is an error: another
            # one would be used in its stead.
            env_settings.env_vars = {
                name: value for name, value in env_settings.env_vars.items() if value or name in _PLACES
            }
        file = named_file(os.environ.get("PRECIS_CONFIG"))
        return init_settings, env_settings, SettingsFile(settings_cls, yaml_file=file)


def fault_of(error: SettingsError | ValidationError) -> str:
    """What is wrong with which setting, without what was set: that may be a secret."""
    if isinstance(error, SettingsError):
        names = re.findall(r"field .(\w+)", str(error))
        return f"{_both_names(names[0] if names else 'in the environment')}: it has to be JSON, such as " + '["a", "b"]'
    first = error.errors(include_input=False, include_url=False)[0]
    name = ".".join(str(part) for part in first["loc"])
    unread = "nothing reads it: correct its name, or leave it out"
    what = unread if first["type"] == "extra_forbidden" else first["msg"].removeprefix("Value error, ")
    if first["type"] == "too_short" and name == "metrics_key":
        what = "it has to have at least 32 characters"  # of a secret, the package counts "items"
    return f"{_both_names(name)}: {what}" if name else what


def _both_names(name: str) -> str:
    """A setting as a file has it, with the variable that says the same."""
    top = name.partition(".")[0]
    return f"{name} (PRECIS_{top.upper()})" if top in Settings.model_fields else name
