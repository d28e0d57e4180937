"""Settings: environment (PRECIS_...), then a YAML file (PRECIS_CONFIG, else ./precis.yaml), then the defaults."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field, SecretStr
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    YamlConfigSettingsSource,
)


class Settings(BaseSettings):
    """Everything that can be set. Read once at start and passed on; nothing reads the environment later."""

    model_config = SettingsConfigDict(env_prefix="PRECIS_", extra="forbid", populate_by_name=True)

    #: Where the embedded database (DATA_DIR/db) and the keys (DATA_DIR/keys) lie.
    data_dir: Path = Path(".precis")
    #: An external PostgreSQL, as a plain role that owns nothing; unset means the embedded one.
    database_url: str | None = None
    #: The owner of its tables, for migrations only.
    database_owner_url: str | None = None
    #: Key files, when they are not to lie under the data directory.
    keys_dir: Path | None = None
    #: The forgotten-log (DATA_DIR/forgotten): it only grows, and no restore of a backup may touch it.
    forgotten_dir: Path | None = None
    #: 32 bytes in base64url; else DATA_DIR/keys/master.key is made and used.
    master_key: SecretStr | None = None

    #: A model's name; unset means offline: extractive summaries, no call to anybody.
    model: str | None = None
    model_base_url: str = "https://api.openai.com/v1"
    model_api_key: SecretStr | None = None
    #: Who finds type and subject of what is written: rules, or the model.
    extraction: Literal["rules", "model"] = "rules"
    #: A model that checks drafts a second time, after the rules; needs a model.
    judge: str = "off"
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
    #: Largest cosine distance (0..2) to a centroid that still joins.
    cluster_distance: float = Field(default=0.45, ge=0, le=2)

    #: Seconds a write may spend on inline summaries before the rest is left to a worker.
    inline_deadline: float = Field(default=10.0, gt=0)
    #: Largest write that is summarized inline.
    inline_rows: int = Field(default=100, ge=0)
    #: Longest text of one memory, in characters.
    max_text_chars: int = Field(default=32_000, ge=100)
    #: Most memories in one call.
    max_batch: int = Field(default=5_000, ge=1)

    log_format: Literal["console", "json"] = "console"
    log_level: Literal["debug", "info", "warning", "error"] = "warning"

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
        file = Path(os.environ.get("PRECIS_CONFIG", "precis.yaml"))
        return init_settings, env_settings, YamlConfigSettingsSource(settings_cls, yaml_file=file)
