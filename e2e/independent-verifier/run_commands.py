"""Runs `answer-evidence-verify` once for each line of arguments (JSON), and writes how it ended and what it printed."""

import contextlib
import io
import json
import sys

from answer_evidence.verify.cli import main

for line in sys.stdin:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        status = main(json.loads(line))
    print(json.dumps({"status": status, "stdout": printed.getvalue()}), flush=True)
