"""``python -m tests.bad_input`` writes the sentences anew."""

from .sentences import write

if __name__ == "__main__":
    write()
