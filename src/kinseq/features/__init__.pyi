from .activity import active_segments as active_segments
from .audio import audio_info as audio_info
from .audio import read_audio as read_audio
from .audio import stream_audio as stream_audio
from .audio import trim as trim
from .autoregression import mar as mar
from .cepstral import CepstralRecipe as CepstralRecipe
from .cepstral import mfcc as mfcc
from .extraction import AudioFeatures as AudioFeatures
from .extraction import extract_features as extract_features
from .frames import Scaling as Scaling
from .frames import delta as delta
from .frames import difference as difference
from .frames import fit_scaling as fit_scaling
from .frames import normalise as normalise
from .frames import scale as scale
from .frames import to_length as to_length

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
