"""Reads patterns with texts (JSON) and says of each text whether Python finds that it matches."""

import json
import re
import sys

cases = json.load(sys.stdin)
json.dump([[re.search(case["pattern"], text) is not None for text in case["texts"]] for case in cases], sys.stdout)
