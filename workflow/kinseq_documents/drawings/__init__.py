"""Figures that no scores stand behind: one file a drawing, which computes arrays and draws them."""
