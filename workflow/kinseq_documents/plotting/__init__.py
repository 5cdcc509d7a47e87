"""Figures of the documents: what of scores is drawn, how it is laid out, and the panels that drawings are made of."""
