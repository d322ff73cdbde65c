#!/usr/bin/env bash
# Records every scenario anew, with the versions that the programs name or, with --newest, those of today, and prints
# what has changed in the records and in the names of the attributes. record.py says what it needs.
# A scenario that fails is named and keeps its recording; the others go on, and the exit status is 1.
set -euo pipefail
cd "$(dirname "$0")"
describe() { node --disable-warning=ExperimentalWarning describe.ts; }
before=$(mktemp) after=$(mktemp)
trap 'rm -f "$before" "$after"' EXIT
describe >"$before"
status=0
python3 record.py "$@" || status=1
describe >"$after"
if cmp --quiet "$before" "$after"; then
  echo 'nothing has changed'
else
  diff --unified=0 "$before" "$after" | grep '^[-+]' || true
fi
exit "$status"
