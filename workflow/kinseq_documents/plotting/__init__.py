"""Figures of the documents: selection of scores, layout, and the panels of drawings."""
