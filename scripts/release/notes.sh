#!/usr/bin/env bash
# `notes.sh <tag> <sha256>`: the release of a tag on GitHub, with the packed file of that digest. A run that broke off may have
# left a draft, or a release without all of its files.
set -euo pipefail
cd "$(dirname "$0")/../../release"
files=(*.tgz mcp-hooks.rb mcp-hooks.json)
echo "$2  ${files[0]}" | sha256sum --check --strict
if gh release view "$1" >/dev/null 2>&1; then
  gh release upload "$1" --clobber "${files[@]}"
  gh release edit "$1" --draft=false --notes-file notes.md
else
  gh release create "$1" --verify-tag --notes-file notes.md "${files[@]}"
fi
