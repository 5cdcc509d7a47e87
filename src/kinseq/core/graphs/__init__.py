"""Affinities, their Laplacian and spectrum, fused graphs, and k-means on the embeddings."""
