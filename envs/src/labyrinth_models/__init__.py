"""Builds sentence-embedding models out of weights in Python packages, without torch and without a model hub."""
