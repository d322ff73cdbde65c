#!/usr/bin/env bash
# Installs the Python tools that e2e/foreign-tools.test.ts runs, in exactly the versions of requirements.txt, once for
# each state of that file. Prints the folder.
set -euo pipefail
cd "$(dirname "$0")"
version=$(sha256sum requirements.txt | cut -c1-16)
folder=${XDG_CACHE_HOME:-$HOME/.cache}/answer-evidence/openapi-tools-$version
if [ ! -e "$folder/complete" ]; then
  rm -rf "$folder"
  python3 -m venv "$folder"
  "$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps -r requirements.txt
  touch "$folder/complete"
fi
echo "$folder"
