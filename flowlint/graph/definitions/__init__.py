"""Flow definitions as plain data become graphs, as far as they are right.

The runtime, which reads definitions from text, and its dialect, which reads them from source, both
stand on this package, so that they cannot differ.
"""
