"""Tables, figures and pages: what was computed elsewhere, made fit to print."""

from kinseq.core.lazy import attach

__all__ = ["fidelity", "tables"]

__getattr__, __dir__ = attach(
    __name__,
    {
        "fidelity": ".fidelity",
        "tables": ".tables",
    },
)
