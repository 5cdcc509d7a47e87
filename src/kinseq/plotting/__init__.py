"""Shared drawing and HTML for product and documents: style of figures, parts of pages, sounds."""
