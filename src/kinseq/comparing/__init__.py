"""Two files or folders in, an answer out: do they come from the same distribution, and how far apart are they?

``make compare A=... B=...`` and ``kinseq compare A B`` lead through :mod:`.request` and :mod:`.run`; Python users call
:func:`kinseq.compare`.
"""
