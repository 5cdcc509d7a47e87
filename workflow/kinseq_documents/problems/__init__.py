"""Estimators against a known truth: problems to draw from, and estimators; a file registers either."""
