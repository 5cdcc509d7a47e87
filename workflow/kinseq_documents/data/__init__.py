"""Data sets of the documents: loaders, one file each; where their files are found."""

from kinseq.core.lazy import attach

__getattr__, __dir__ = attach(
    __name__,
    {
        "Loader": ".registry",
        "checksum": ".registry",
        "make": ".registry",
        "verify": ".registry",
        "acquire": ".acquire",
        "registry": ".registry",
    },
)
