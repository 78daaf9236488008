"""``python -m companion.cli`` does the same as ``quarterdeck``."""

import sys

from companion.cli import main

sys.exit(main())
