"""`python -m flowlint`."""

import sys

from flowlint.cli.main import main

sys.exit(main())
