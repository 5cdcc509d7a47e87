"""Foundations: sequences and tokens, accepted forms of data, checks, random streams, files, registries."""
