"""Files of other programs that are no text tables: MATLAB, HDF5, JSON, ARFF, Arrow, BVH, EEG, FIT, GPX, HTK, Kaldi, LIBSVM, NMEA.

A kind of file is one module with a :data:`CONTAINER`, listed in :data:`CONTAINERS`; all else that knows of kinds of files
(what a folder holds, which reader opens a file, the documentation) takes it from there.
"""

from __future__ import annotations

from . import arff, arrow, bvh, eeg, fit, gpx, hdf5, htk, json_records, kaldi, libsvm, matlab, nmea
from .container import Container

CONTAINERS: tuple[Container, ...] = (
    matlab.CONTAINER,
    hdf5.CONTAINER,
    json_records.CONTAINER,
    arff.CONTAINER,
    arrow.CONTAINER,
    bvh.CONTAINER,
    eeg.CONTAINER,
    fit.CONTAINER,
    gpx.CONTAINER,
    htk.CONTAINER,
    kaldi.CONTAINER,
    libsvm.CONTAINER,
    nmea.CONTAINER,
)
"""All kinds of files."""

__all__ = ["CONTAINERS", "Container"]
