#!/usr/bin/env python3
"""Verifies many bundles or runs in one process, for tests that compare outcomes with those of another verifier.

    many.py bundle|run < lines

Each line is a JSON array of texts: bundle and trust file, or proof, references, records and trust file. Prints for
each a JSON object of outcomes by check, or null when the trust file is refused.
"""

import functools
import json
import sys

sys.dont_write_bytecode = True

import notes
import verify
from canonical_json import Malformed

# One process of openssl for each signature that is another one, not for each file.
notes.is_signed = functools.cache(notes.is_signed)

if __name__ == "__main__":
    check = {"bundle": verify.verify_bundle, "run": verify.verify_run}[sys.argv[1]]
    for line in sys.stdin.buffer:
        try:
            results = check(*json.loads(line))
        except Malformed:
            print("null")
        else:
            print(json.dumps({name: outcome for name, outcome, _ in results}))
