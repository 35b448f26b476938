"""What earlier runs found out, kept on the disk for as long as it still holds.

`place` says where it lies, `records` how a file of it is written and read, `plain` remembers
which files hold no flow, `answers` what was found in those that may, and `observing` notes all
that an answer rests on. Nothing in it is trusted to be well-formed, and nothing in it is ever run.
"""
