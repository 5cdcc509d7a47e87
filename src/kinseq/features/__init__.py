"""Features: what turns signals and raw sequences into the frames that models and measures look at."""

from ..core.lazy import attach

__all__ = [
    "AudioFeatures",
    "CepstralRecipe",
    "Scaling",
    "active_segments",
    "audio_info",
    "delta",
    "difference",
    "extract_features",
    "fit_scaling",
    "mar",
    "mfcc",
    "normalise",
    "read_audio",
    "scale",
    "stream_audio",
    "to_length",
    "trim",
]

__getattr__, __dir__ = attach(
    __name__,
    {
        "AudioFeatures": ".extraction",
        "CepstralRecipe": ".cepstral",
        "Scaling": ".frames",
        "active_segments": ".activity",
        "audio_info": ".audio",
        "delta": ".frames",
        "difference": ".frames",
        "extract_features": ".extraction",
        "fit_scaling": ".frames",
        "mar": ".autoregression",
        "mfcc": ".cepstral",
        "normalise": ".frames",
        "read_audio": ".audio",
        "scale": ".frames",
        "stream_audio": ".audio",
        "to_length": ".frames",
        "trim": ".audio",
    },
)
