"""``python -m kinseq`` does what the command ``kinseq`` does."""

from .cli.console import main

if __name__ == "__main__":
    raise SystemExit(main())
