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
# It reads the workflows. A program in Go; without Go, the test that runs it is skipped.
if [ ! -x "$folder/bin/actionlint" ] && command -v go >/dev/null; then
  GOBIN="$folder/bin" go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 >&2 || echo 'actionlint was not installed' >&2
fi
# What reads and writes public logs, in the versions that their names have. Programs in Go; without Go, the tests that run
# them are skipped.
if command -v go >/dev/null; then
  "$(pwd)/install-logs.sh" "$folder/bin" >&2 || echo 'the programs of public logs were not installed' >&2
fi
# It verifies checkpoints of logs and witnesses by filippo.io/mldsa; without Go, the test that runs it is skipped.
if command -v go >/dev/null; then
  (cd checkpoint && go build -o "$folder/bin/checkpoint" .) >&2 || echo 'checkpoint was not built' >&2
fi
echo "$folder"
