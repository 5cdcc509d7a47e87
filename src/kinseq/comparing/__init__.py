"""Two files or folders in, an answer out: do they come from the same distribution, and how different are they?

``kinseq compare A B`` leads through :mod:`.request` and :mod:`.run`; Python users call :func:`kinseq.compare`.
"""
