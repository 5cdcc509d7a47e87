"""kinseq.features"""
