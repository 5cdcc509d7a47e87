"""Report the results of a run: ``conclude.py results``, or ``conclude.py results V,S`` after a run of these documents."""

import sys
from pathlib import Path

from kinseq_documents.conclusion import conclusion, missing_data

if __name__ == "__main__":
    results, *documents = sys.argv[1:]
    said = [
        missing_data(Path(results, "data.csv")),
        f"done: {documents[0]}" if documents else conclusion(Path(results), Path(__file__).parents[1]),
    ]
    print("\n".join(filter(None, said)))
