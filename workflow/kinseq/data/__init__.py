"""Data sets: loaders, one file each; where their files are found; readers for users' own files."""

from ..lazy import attach

__getattr__, __dir__ = attach(
    __name__,
    {
        "Loader": ".registry",
        "checksum": ".registry",
        "make": ".registry",
        "verify": ".registry",
        "acquire": ".acquire",
        "readers": ".readers",
        "registry": ".registry",
    },
)
