#!/usr/bin/env bash
# Records every scenario anew, with the versions that the programs name or, with --newest, those of today, and prints
# what has changed in the records and in the names of the attributes. Needs Python 3.11, uv, Node and npm.
set -euo pipefail
cd "$(dirname "$0")"
before=$(mktemp)
trap 'rm -f "$before"' EXIT
node --disable-warning=ExperimentalWarning describe.ts >"$before"
python3 record.py "$@"
node --disable-warning=ExperimentalWarning describe.ts | diff --unified=0 "$before" - | grep '^[-+]' || echo 'nothing has changed'
