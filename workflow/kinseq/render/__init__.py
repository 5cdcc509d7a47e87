"""Tables, figures and pages: what was computed elsewhere, made fit to print."""

from ..lazy import attach

__all__ = ["fidelity", "figures", "layout", "own", "style", "tables"]

__getattr__, __dir__ = attach(
    __name__,
    {
        "fidelity": ".fidelity",
        "figures": ".figures",
        "layout": ".layout",
        "own": ".own",
        "style": ".style",
        "tables": ".tables",
    },
)
