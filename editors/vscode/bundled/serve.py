"""Runs the server that comes with the extension, with the modules beside this file."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "libs"))

from flowls.main import main

sys.exit(main())
