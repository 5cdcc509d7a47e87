"""kinseq.models"""
