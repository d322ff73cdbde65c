"""`python -m answer_evidence.verify`, the same as `answer-evidence-verify`."""

import sys

from .cli import main

sys.exit(main())
