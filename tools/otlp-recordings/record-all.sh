#!/usr/bin/env bash
# Records every scenario anew, with the versions of requirements.txt or, with --newest, those of today: a run of the
# tests then shows what has changed. Needs Python 3.11 or newer with venv, and a package index.
set -euo pipefail
cd "$(dirname "$0")"
packages=$(mktemp -d)
trap 'rm -rf "$packages"' EXIT
python3 -m venv "$packages"
"$packages/bin/pip" install --quiet --disable-pip-version-check uv
if [ "${1:-}" = --newest ]; then
  sed 's/==.*//' requirements.txt >"$packages/newest.txt"
  "$packages/bin/uv" pip install --quiet --python "$packages/bin/python" -r "$packages/newest.txt"
  "$packages/bin/uv" pip freeze --quiet --python "$packages/bin/python" | grep -E "^($(sed 's/==.*//' requirements.txt | paste -sd'|'))==" >requirements.txt
else
  "$packages/bin/uv" pip install --quiet --python "$packages/bin/python" -r requirements.txt
fi
rm -rf recordings
"$packages/bin/python" record.py list | while read -r instrumentation scenario; do
  "$packages/bin/python" -W ignore record.py "$instrumentation" "$scenario" recordings </dev/null
done
