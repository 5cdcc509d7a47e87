"""``python -m kinseq`` does what the command ``kinseq`` does."""

from .doors import main

if __name__ == "__main__":
    raise SystemExit(main())
