#!/bin/sh
# install-logs.sh FOLDER: builds what is foreign to this repository and speaks of public logs, from Go modules:
#   rekor-server-2.3.0  https://github.com/sigstore/rekor-tiles, a log of Rekor v2 on a POSIX file system
#   verify-entry-1.3.0  https://github.com/sigstore/sigstore-go, with verify-entry.go of this folder as its program
#   fsck-1.0.4          https://github.com/transparency-dev/tessera, which reads a whole log and checks it
#   litewitness-0.10.0  https://github.com/FiloSottile/torchwood, a witness; and witnessctl-0.10.0, which sets it up
# What is built already is kept.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
bin=$(cd "$1" && pwd)
export CGO_ENABLED=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ ! -x "$bin/rekor-server-2.3.0" ]; then
  GOBIN="$work" go install github.com/sigstore/rekor-tiles/v2/cmd/rekor-server/posix@v2.3.0
  mv "$work/posix" "$bin/rekor-server-2.3.0"
fi
if [ ! -x "$bin/verify-entry-1.3.0" ]; then
  # The folder of a downloaded module is read only, and has the sums of all that it needs.
  source=$(go mod download -json github.com/sigstore/sigstore-go@v1.3.0 | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  cp -r "$source" "$work/sigstore-go"
  chmod -R u+w "$work/sigstore-go"
  mkdir -p "$work/sigstore-go/cmd/verify-entry"
  cp "$here/verify-entry.go" "$work/sigstore-go/cmd/verify-entry/main.go"
  (cd "$work/sigstore-go" && go build -o "$bin/verify-entry-1.3.0" ./cmd/verify-entry)
fi
if [ ! -x "$bin/fsck-1.0.4" ]; then
  GOBIN="$work" go install github.com/transparency-dev/tessera/cmd/fsck@v1.0.4
  mv "$work/fsck" "$bin/fsck-1.0.4"
fi
if [ ! -x "$bin/litewitness-0.10.0" ]; then
  # Its version of Go is newer than that of the others.
  export GOTOOLCHAIN=go1.27.0
  source=$(go mod download -json filippo.io/torchwood@v0.10.0 | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  cp -r "$source" "$work/torchwood"
  chmod -R u+w "$work/torchwood"
  # It takes two hashes from a module that the proxy of Go does not serve.
  mkdir -p "$work/sigsum/pkg/crypto" "$work/sigsum/pkg/merkle"
  printf 'module sigsum.org/sigsum-go\n' >"$work/sigsum/go.mod"
  cat >"$work/sigsum/pkg/crypto/crypto.go" <<'EOF'
package crypto

import "crypto/sha256"

const PublicKeySize = 32

type PublicKey [PublicKeySize]byte

func HashBytes(b []byte) [32]byte { return sha256.Sum256(b) }
EOF
  cat >"$work/sigsum/pkg/merkle/merkle.go" <<'EOF'
package merkle

import "crypto/sha256"

func HashEmptyTree() [32]byte { return sha256.Sum256(nil) }
EOF
  (
    cd "$work/torchwood"
    go mod edit -replace "sigsum.org/sigsum-go=$work/sigsum"
    go build -mod=mod -o "$work/" ./cmd/litewitness ./cmd/witnessctl
  )
  mv "$work/witnessctl" "$bin/witnessctl-0.10.0"
  mv "$work/litewitness" "$bin/litewitness-0.10.0"
fi
