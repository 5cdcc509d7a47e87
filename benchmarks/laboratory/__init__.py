"""Planted structure: sets of sequences whose groups are known because they were made (``make laboratory``).

:mod:`.kinds` holds what groups can differ in, :mod:`.planted` draws sets, :mod:`.grid` says which, :mod:`.rules` holds rules
that people use on one matrix, :mod:`.running` asks all of them, :mod:`.page` shows.
"""
