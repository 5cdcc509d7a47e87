"""What everything stands on: sequences and tokens, forms in which people hold them, checks, random streams, files, registries."""
