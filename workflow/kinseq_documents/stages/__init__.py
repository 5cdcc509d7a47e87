"""The stages of the workflow as plain functions: from a data set to a table of scores.

Each module is one stage. A function takes and returns arrays, a pair ``read``/``write`` next to it moves them through
files, and every stage can be called from Python without the workflow.
"""
