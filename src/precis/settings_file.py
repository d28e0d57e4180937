"""The YAML file of settings: it lists pools, and a block of another program's document may stand in it unchanged."""

from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_settings import YamlConfigSettingsSource

from precis.errors import ConfigurationError
from precis.ids import is_storable

#: What requests call precis's own store, beside the pools.
OWN_STORE = "precis"
#: Where a block of settings lies in a document, and which setting each of its names stands for.
BLOCKS: Mapping[tuple[str, ...], Mapping[str, str]] = {
    ("settings", "memory", "summarization"): {
        "enabled": "rollups_enabled",
        "scheduleTime": "rollups_schedule_time",
        "retainDays": "rollups_retain_days",
        "model": "rollups_model",
    },
    ("memory_summarization",): {
        "enabled": "archive_enabled",
        "schedule": "archive_schedule",
        "interval_days": "archive_interval_days",
        "keep_original_days": "archive_keep_original_days",
        "min_age_days": "archive_min_age_days",
        "max_memories_per_batch": "archive_max_memories_per_batch",
    },
}


#: Hours and minutes. YAML reads 10:30 without quotes as 630.
ClockTime = Annotated[
    str,
    BeforeValidator(lambda value: f"{value // 60:02}:{value % 60:02}" if type(value) is int else value),
    Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$"),
]


def _named(path: object) -> object:
    if path == "":
        raise ValueError("the name of this folder is empty: name one, or leave the setting out")
    return path


def _readable(path: Path) -> Path:
    if not is_storable(str(path)):
        raise ValueError("the name of this folder is not UTF-8; choose another one")
    return path


#: A folder whose name every program that is called with it can print.
Folder = Annotated[Path, BeforeValidator(_named), AfterValidator(_readable)]


def _addressed(url: object) -> object:
    if url == "":
        raise ValueError("it is empty: name a place, or leave the setting out")
    return url


def _of_postgresql(url: str) -> str:
    if not url.startswith(("postgresql://", "postgres://")) and ("=" not in url or "://" in url):
        raise ValueError("it names no PostgreSQL database: write postgresql://USER@HOST/NAME, or host=HOST dbname=NAME")
    return url


#: Where something lies that is no folder.
PlaceUrl = Annotated[str, BeforeValidator(_addressed)]
ServerUrl = Annotated[PlaceUrl, AfterValidator(_of_postgresql)]


def _network(text: str) -> str:
    return str(ip_network(text, strict=False))


#: An address, or a network such as 10.0.0.0/8.
Network = Annotated[str, AfterValidator(_network)]


class PoolSettings(BaseModel):
    """Somebody else's store of memories that the archive keeps small, too."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    #: What it is called in requests and on the timetable.
    name: str = Field(min_length=1, max_length=100, pattern=r"^[\w.:-]+$")
    kind: Literal["chroma", "cognee"]
    #: The tenant whose archive it is.
    tenant: str = "default"
    #: Of a Chroma store: its folder, and which collection of it; unset is the only collection of the store.
    path: Path | None = None
    collection: str | None = None
    #: What embeds for the store, and where; unset is what it brings itself.
    embed_model: str | None = None
    embed_url: str | None = None
    #: The summaries go to precis, not into the store.
    keep_in_precis: bool = False

    @model_validator(mode="after")
    def _has_a_place(self) -> Self:
        if self.name == OWN_STORE:
            raise ValueError(f"name: {OWN_STORE!r} is precis's own store; choose another")
        if self.kind == "chroma" and self.path is None:
            raise ValueError("path: name the folder of the Chroma store")
        return self


def named_file(name: str | None) -> Path:
    """The file of settings: what PRECIS_CONFIG names, else ./precis.yaml if there is one.

    Raises ConfigurationError where a file is named that is not there.
    """
    file = Path(name or "precis.yaml")
    if name and not file.exists():
        raise ConfigurationError(f"PRECIS_CONFIG: there is no file {file}")
    if name and file.is_dir():
        raise ConfigurationError(f"PRECIS_CONFIG: {file} is a folder; name a YAML file")
    return file


def _refuse_doubled(node: yaml.Node | None) -> None:
    """Raise MarkedYAMLError where a block has a name twice: the last would count, and nobody is told."""
    for part in node.value if isinstance(node, yaml.CollectionNode) else ():
        for inner in part if isinstance(part, tuple) else (part,):
            _refuse_doubled(inner)
    if isinstance(node, yaml.MappingNode):
        names: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in names:
                message = f"the name {key.value} stands twice in one block; give it once"
                raise yaml.MarkedYAMLError(problem=message, problem_mark=key.start_mark)
            names.add(key.value if isinstance(key, yaml.ScalarNode) else "")


class SettingsFile(YamlConfigSettingsSource):
    """A YAML file; a block of a document may stand in it unchanged."""

    def _read_file(self, file_path: Any) -> dict[str, Any]:
        """What stands in it. Raises ConfigurationError, which quotes nothing: keys may stand in it as well."""
        try:
            text = file_path.read_text("utf-8")
            _refuse_doubled(yaml.compose(text, Loader=yaml.SafeLoader))
            content = yaml.safe_load(text) or {}
        except yaml.MarkedYAMLError as error:
            at = error.problem_mark
            where = f" at line {at.line + 1}, column {at.column + 1}" if at else ""
            raise ConfigurationError(f"{file_path}: this is no YAML{where}: {error.problem}") from error
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"{file_path}: this is no YAML: it holds bytes that are not text") from error
        except OSError as error:
            raise ConfigurationError(f"{file_path}: cannot be read ({error.strerror})") from error
        if not isinstance(content, Mapping):
            raise ConfigurationError(f"{file_path}: settings are `name: value`, a line each; this is something else")
        return unfolded({str(name): value for name, value in content.items()})


def unfolded(content: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with each block laid flat; a name that is not known keeps its path and is refused by it."""
    blocks = {path[0] for path in BLOCKS}
    flat = {name: value for name, value in content.items() if name not in blocks}
    for name in blocks & set(content):
        flat |= _leaves((name,), content[name])
    return flat


def _leaves(path: tuple[str, ...], value: Any) -> dict[str, Any]:
    """What lies below a path, by the name of a setting or else by the path itself."""
    if isinstance(value, Mapping) and any(block[: len(path)] == path for block in BLOCKS):
        names = BLOCKS.get(path, {})
        leaves: dict[str, Any] = {}
        for key, below in value.items():
            leaves |= {names[key]: below} if key in names else _leaves((*path, str(key)), below)
        return leaves
    return {".".join(path): value}
