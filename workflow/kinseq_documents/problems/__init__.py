"""Estimators against a known truth: problems that are drawn, and what is estimated from them; a file registers either."""
