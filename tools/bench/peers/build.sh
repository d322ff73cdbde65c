#!/bin/sh
# build.sh FOLDER: builds the peers that `npm run bench -- peers` measures, from their sources as Go modules:
#   immudb   https://github.com/codenotary/immudb, `cmd/immudb`, with the load of this folder beside it
#   Tessera  https://github.com/transparency-dev/tessera, its conformance server on a POSIX file system
# What is built already is kept.
set -eu
IMMUDB=github.com/codenotary/immudb@v1.10.0
TESSERA=github.com/transparency-dev/tessera/cmd/conformance/posix@v1.0.4
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/bin"
folder=$(cd "$1" && pwd)

if [ ! -x "$folder/bin/immudb" ] || [ ! -x "$folder/bin/immudb-load" ]; then
  # Its go.mod does not allow `go install`, and the folder of a downloaded module is read only.
  source=$(go mod download -json "$IMMUDB" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  rm -rf "$folder/immudb"
  cp -r "$source" "$folder/immudb"
  chmod -R u+w "$folder/immudb"
  mkdir -p "$folder/immudb/cmd/load"
  cp "$here/immudb-load.go" "$folder/immudb/cmd/load/main.go"
  cd "$folder/immudb"
  go build -o "$folder/bin/immudb" ./cmd/immudb
  go build -o "$folder/bin/immudb-load" ./cmd/load
fi
if [ ! -x "$folder/bin/tessera" ]; then
  GOBIN="$folder/bin" go install "$TESSERA"
  mv "$folder/bin/posix" "$folder/bin/tessera"
fi
