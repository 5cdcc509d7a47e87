"""Whose clusters are better: an open benchmark of what people would use on sequences of their own (``make bench``).

:mod:`.sets` holds the data, :mod:`.contenders` who takes part, :mod:`.running` runs them one by one with limits,
:mod:`.comparison` compares, :mod:`.page` shows.
"""
