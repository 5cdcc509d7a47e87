"""Tables of segments of long recordings: one file per layout, and the cutting of recordings.

A layout is a module with a `LAYOUT` (:class:`.layout.SegmentLayout`): a `name`, `matches` (whether a text is laid out like
that), `read` (its segments) and `write` (the same text with a column of clusters). :data:`LAYOUTS` lists them in the order in which
they are tried. :mod:`.segmentation` finds the tables of recordings and checks segments against them; :mod:`.export` gives the
tables back with clusters; :mod:`.auto` finds segments by energy where there is no table.
"""

from . import audacity, delimited, raven, textgrid
from .layout import SegmentLayout

LAYOUTS: tuple[SegmentLayout, ...] = (raven.LAYOUT, textgrid.LAYOUT, audacity.LAYOUT, delimited.LAYOUT)
"""Known layouts; the first match reads a table."""
