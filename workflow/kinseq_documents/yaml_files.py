"""Files of the configuration, parsed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from kinseq.core.errors import ConfigError


# The C parser if available: there are more than a hundred files, and every command reads them all.
class _UniqueKeys(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """A parser that refuses a key that is given twice, of which the first would count for nothing."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        for number, key in enumerate(keys):
            if key in keys[:number]:
                raise yaml.YAMLError(f"the key {key!r} is given twice, {str(node.start_mark).strip()}")
        return super().construct_mapping(node, deep)


def load(path: Path) -> Any:
    """Parse a YAML file.

    Raises
    ------
    ConfigError
        If it cannot be read, is not UTF-8 or no YAML, or a key stands in it twice.
    """
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=_UniqueKeys)
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is not UTF-8; save it as that") from None
    except (OSError, yaml.YAMLError) as error:
        raise ConfigError(f"{path}: cannot be read ({' '.join(str(error).split())}); repair it") from None
