"""Readers for users' files: from a folder, a table or an archive to a set of sequences and notes.

Nothing is guessed silently: whatever is left out, repaired or chosen for the user is said in one sentence of the notes,
and what cannot be read is refused with the file, the line and the column named.

:func:`read` (in :mod:`.folder`, where to begin) takes the steps in their order, by the options of :mod:`.reading`.
:mod:`.discovery` lists the files of the folder. A reader for the kind reads them: :mod:`.single_tables`, :mod:`.long_table`,
:mod:`.npz` or :mod:`.ts`; recordings are read by :mod:`kinseq.features`. :mod:`.missing` fills gaps or refuses them,
:mod:`.labels` attaches labels, and :mod:`.notes` writes the notes.

Text tables are sheets of cells (:mod:`.delimited`, :mod:`.columns`; of spreadsheets :mod:`.workbooks`) until :mod:`.layout` has
settled over the whole folder what their rows and columns mean, and :mod:`.dates` how dates are written. Layouts of programs are
in :mod:`.known`, those of poses made of :mod:`.poses`. They and :mod:`.npy` (:mod:`.arrays`), :mod:`.parquet`, :mod:`.edf` and
:mod:`.records` (:mod:`.signals`) become a :mod:`.table`, with :mod:`.times`. :mod:`.tidy` and :mod:`.series` are of tables whose
rows are no frames. :mod:`.raw` is the form that all readers return. :mod:`.streaming` takes the same steps with a table that is
too large for memory. :mod:`.file_stamp` says by which files a reading can change.
"""

# Plain imports, so that a fingerprint of code that uses this package covers every file of it.
from ..core.folders import UNLABELLED, Kind, Missing
from .file_stamp import Extent, extent, files_read, stamp
from .folder import read
from .reading import Reading

__all__ = [
    "UNLABELLED",
    "Extent",
    "Kind",
    "Missing",
    "Reading",
    "extent",
    "files_read",
    "read",
    "stamp",
]
