"""`python -m flowls`."""

import sys

from flowls.main import main

sys.exit(main())
