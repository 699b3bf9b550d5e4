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
npm run site
# Pages serves the files as they are.
touch site/dist/.nojekyll
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_INDEX_FILE=$work/index
git --work-tree=site/dist add --all --force
commit=$(
  git -c user.name="$(git log -1 --format=%an)" -c user.email="$(git log -1 --format=%ae)" \
    commit-tree -m "Publish the site of $(git rev-parse --short HEAD)" "$(git write-tree)"
)
git push --force "$remote" "$commit:refs/heads/gh-pages"
