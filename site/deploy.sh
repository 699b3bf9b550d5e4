#!/usr/bin/env bash
# Publishes the site of the current commit, for GitHub Pages: bash site/deploy.sh <remote> [<base>]
# It replaces the branch gh-pages of the remote. The base is the path under which the site is served, /mcp-hooks/ by default.
set -euo pipefail
remote=${1:?usage: bash site/deploy.sh <remote> [<base>]}
export MCP_HOOKS_SITE_BASE=${2:-/mcp-hooks/}
cd "$(dirname "$0")/.."
if [ -n "$(git status --porcelain)" ]; then
  echo 'There are changes that are not committed. Nothing was published.' >&2
  exit 1
fi
address=$(git remote get-url "$remote" 2>/dev/null || echo "$remote")
commit=$(git rev-parse --short HEAD)
npm run site
# Pages serves the files as they are.
touch site/dist/.nojekyll
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git init --quiet "$work"
git --git-dir="$work/.git" --work-tree=site/dist add --all --force
git --git-dir="$work/.git" commit --quiet --message "Publish the site of $commit"
git --git-dir="$work/.git" push --force "$address" HEAD:refs/heads/gh-pages
