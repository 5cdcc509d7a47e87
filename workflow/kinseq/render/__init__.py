"""Tables, figures and the fidelity page: what was computed elsewhere, made fit to print."""

from ..lazy import attach

__all__ = ["fidelity", "figures", "layout", "style", "tables"]

__getattr__, __dir__ = attach(__name__, {name: f".{name}" for name in __all__})
