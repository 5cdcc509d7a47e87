"""Summaries over trials, claims, and the comparison with published numbers."""
