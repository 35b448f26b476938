"""Answers to the requests of editors: one file each. Nothing is here yet."""
