"""kinseq.data"""
