"""Planted structure: sets of sequences whose groups are known because they were made (``make laboratory``).

:mod:`.kinds` holds what groups can differ in, :mod:`.planted` draws sets, :mod:`.grid` says which, :mod:`.rules` holds rules
that people use on one matrix, :mod:`.looking` single views, :mod:`.answer` reads what the product says, :mod:`.asking` holds
all of them against the truth of a set, :mod:`.running` goes through the sets, :mod:`.page` shows.
"""
