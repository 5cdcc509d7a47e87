"""Figures without scores: one file per drawing, which computes arrays and draws them."""
