"""kinseq.divergences"""
