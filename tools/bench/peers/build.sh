#!/bin/sh
# build.sh FOLDER: builds the peers that `npm run bench -- peers` measures, from their sources as Go modules:
#   immudb   https://github.com/codenotary/immudb, `cmd/immudb`, with the load of this folder beside it
#   Tessera  https://github.com/transparency-dev/tessera, its conformance server on a POSIX file system, and the log of
#            this folder that it is a library of
#   Rekor    https://github.com/sigstore/rekor-tiles, its server of version 2 on a POSIX file system
# What is built already is kept.
set -eu
IMMUDB=github.com/codenotary/immudb@v1.10.0
TESSERA=github.com/transparency-dev/tessera@v1.0.4
REKOR=github.com/sigstore/rekor-tiles/v2/cmd/rekor-server/posix@v2.3.0
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/bin"
folder=$(cd "$1" && pwd)

# copy_module MODULE NAME PROGRAM: a copy of its source to build in, with a program of this folder beside those of its
# own. The folder of a downloaded module is read only, and has the sums of all that it needs.
copy_module() {
  source=$(go mod download -json "$1" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  rm -rf "${folder:?}/$2"
  cp -r "$source" "$folder/$2"
  chmod -R u+w "$folder/$2"
  mkdir -p "$folder/$2/cmd/$3"
  cp "$here/$3.go" "$folder/$2/cmd/$3/main.go"
  cd "$folder/$2"
}

# is_built PROGRAM SOURCE: whether it is there and not older than what was written for it here.
is_built() {
  [ -x "$folder/bin/$1" ] && [ -z "$(find "$here/$2" -newer "$folder/bin/$1")" ]
}

if ! is_built immudb-load immudb-load.go; then
  # Its go.mod does not allow `go install`.
  copy_module "$IMMUDB" immudb-source immudb-load
  go build -o "$folder/bin/immudb" ./cmd/immudb
  go build -o "$folder/bin/immudb-load" ./cmd/immudb-load
fi
if ! is_built tessera-log tessera-log.go; then
  copy_module "$TESSERA" tessera-source tessera-log
  go build -o "$folder/bin/tessera" ./cmd/conformance/posix
  go build -o "$folder/bin/tessera-log" ./cmd/tessera-log
fi
if [ ! -x "$folder/bin/rekor" ]; then
  GOBIN="$folder/bin" go install "$REKOR"
  mv "$folder/bin/posix" "$folder/bin/rekor"
fi
