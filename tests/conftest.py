"""What holds for all tests."""

from __future__ import annotations

import os

# Tests call make themselves. If make called them, they would inherit its level and flags, and theirs would print
# folders.
for _name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"):
    os.environ.pop(_name, None)
