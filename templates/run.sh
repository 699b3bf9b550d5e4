#!/bin/sh
# mcp-hooks: the first stage of the hook runner. The command in a client's config starts it as
#   run.sh <client> <native event>
# with the client's payload on stdin. It finds a node and starts the second stage beside it. Whatever is
# missing or goes wrong: it says nothing and exits 0, because a client may block on anything else.
node=node # install puts the absolute path of the node that installed here
runner=${0%/*}/runner.cjs

[ -x "$node" ] || node=$(command -v node) || exit 0
[ -r "$runner" ] || exit 0
"$node" "$runner" "$@" 2>/dev/null
exit 0
