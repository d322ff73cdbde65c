#!/usr/bin/env bash
# Installs the Python tools that e2e/foreign-tools.test.ts and e2e/python-package.test.ts run, in exactly the versions of
# requirements.txt, once for each state of that file. Prints the folder.
set -euo pipefail
cd "$(dirname "$0")"
version=$(sha256sum requirements.txt | cut -c1-16)
folder=${XDG_CACHE_HOME:-$HOME/.cache}/answer-evidence/openapi-tools-$version
# uv takes a tenth of the time of a processor that pip takes. It does not read the settings of pip.
install_with_uv() {
  "$folder/bin/pip" install --quiet --disable-pip-version-check --no-compile "$(grep '^uv==' requirements.txt)" &&
    "$folder/bin/uv" pip install --quiet --no-cache --python "$folder/bin/python" --no-deps -r requirements.txt
}
if [ ! -e "$folder/complete" ]; then
  rm -rf "$folder"
  python3 -m venv "$folder"
  install_with_uv ||
    "$folder/bin/pip" install --quiet --disable-pip-version-check --no-compile --no-deps -r requirements.txt
  touch "$folder/complete"
fi
# Programs in Go; without Go, the tests that run them are skipped, and in words where one could not be built.
rm -f "$folder/go-incomplete"
not_built() {
  echo "$1 was not built" >&2
  touch "$folder/go-incomplete"
}
# It reads the workflows.
if [ ! -x "$folder/bin/actionlint" ] && command -v go >/dev/null; then
  GOBIN="$folder/bin" go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 >&2 || not_built actionlint
fi
# What reads and writes public logs, in the versions that their names have.
if command -v go >/dev/null; then
  "$(pwd)/install-logs.sh" "$folder/bin" >&2 || not_built 'a program of public logs'
fi
# It verifies checkpoints of logs and witnesses by filippo.io/mldsa.
if command -v go >/dev/null; then
  (cd checkpoint && go build -o "$folder/bin/checkpoint" .) >&2 || not_built checkpoint
fi
echo "$folder"
