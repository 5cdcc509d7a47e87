from .for_aeon import AeonClustering as AeonClustering
from .for_sktime import SktimeClustering as SktimeClustering

__all__ = [
    "AeonClustering",
    "SktimeClustering",
]
