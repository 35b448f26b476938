"""`python -m flowrt`."""

import sys

# Python puts the folder that we run in first; a file there must never be taken for a library.
if not sys.flags.safe_path:
    del sys.path[0]

from flowrt.cli.main import main

sys.exit(main())
