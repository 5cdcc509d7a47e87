"""``python -m tests.bad_input`` writes the sentences again."""

from .sentences import write

if __name__ == "__main__":
    write()
