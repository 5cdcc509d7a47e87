"""Publish the results of ``make thesis`` and ``make multiverse``: ``publish.py --document V,S --results results``."""

import sys

from kinseq.core.errors import KinseqError
from kinseq_documents.publishing import run

if __name__ == "__main__":
    try:
        sys.exit(run())
    except KinseqError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)
