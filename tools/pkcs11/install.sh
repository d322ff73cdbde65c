#!/usr/bin/env bash
# Compiles pkcs11js, which keys in an HSM need (docs/operations/keys-outside.md). Needs npm, tar, openssl and g++; no
# script of a package is run. The headers of Node's stable interface come as a package, so any Node loads the result.
# `install.sh FOLDER` makes the package in FOLDER; without FOLDER, in a cache, whose path is printed.
set -euo pipefail
version=2.1.7
pkcs11js='hstUuhkFoISF8BmTVRtaZzbF09WjE39K3gzZzUrI8WtRu4cYl4gakkd06I4Kq36kR/mkwVw2T2y3kHXk6JvuHQ=='
node_api_headers='2oNILP4jXwRB4ywnYKjVk1YyJ96n2D4EOVJO6S3oYZ5PtbJrw3Yt9TpAuX3nBLMuzn74rnfGQrv13pS9vC+YiA=='
if [ "$#" -gt 0 ]; then
  folder=$(realpath -m "$1")
else
  folder=${XDG_CACHE_HOME:-$HOME/.cache}/answer-evidence/pkcs11js-$version-$(node -p process.arch)
fi
# fetch NAME VERSION SHA512 FOLDER
fetch() {
  local file
  file=$(npm pack "$1@$2" --silent --ignore-scripts)
  if [ "$(openssl dgst -sha512 -binary "$file" | base64 -w0)" != "$3" ]; then
    echo "$1 $2 is not the package that it was; do not use it" >&2
    exit 1
  fi
  mkdir "$4"
  tar -xzf "$file" -C "$4" --strip-components=1
}
if [ ! -e "$folder/build/Release/pkcs11.node" ]; then
  if ! command -v g++ >/dev/null; then
    echo 'g++ is not installed: install it (on Debian: apt-get install g++), or run this on another machine of this kind' >&2
    exit 1
  fi
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cd "$work"
  fetch pkcs11js "$version" "$pkcs11js" package
  fetch node-api-headers 1.9.0 "$node_api_headers" headers
  mkdir -p package/build/Release
  g++ -O2 -shared -fPIC -DNAPI_DISABLE_CPP_EXCEPTIONS -Ipackage/includes -Iheaders/include \
    package/src/dl.cpp package/src/common.cpp package/src/main.cpp -o package/build/Release/pkcs11.node -ldl
  mkdir -p "$(dirname "$folder")"
  # Another run may have been first; what it made is in use, and the same.
  mv -T package "$folder" 2>/dev/null || [ -e "$folder/build/Release/pkcs11.node" ]
fi
echo "$folder"
