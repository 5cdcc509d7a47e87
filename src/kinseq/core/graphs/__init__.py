"""Affinities, their Laplacian and spectrum, fused graphs, and k-means on what comes out of them."""
