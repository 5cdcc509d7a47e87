"""Comparison of two files or folders: whether they come from the same distribution, and how much they differ.

``kinseq compare A B`` leads through :mod:`.request` and :mod:`.run`; Python users call :func:`kinseq.compare`.
"""
