"""Run further trials of undecided results: ``settle.py --results results --minutes 120 -- snakemake --cores 2 ...``."""

import sys

from kinseq.core.errors import KinseqError
from kinseq_documents.settling import run

if __name__ == "__main__":
    try:
        sys.exit(run())
    except KinseqError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)
