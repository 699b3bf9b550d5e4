#!/bin/sh
# mcp-hooks: the first stage of the hook runner. The command in a client's config starts it as
#   run.sh <client> <native event>
# with the client's payload on stdin. It leaves at once when no hook can match (<client>.sh, made at install), and
# otherwise finds a node and starts the second stage beside it. Whatever is missing or goes wrong: it says nothing
# and exits 0, because a client may block on anything else.
exec 2>/dev/null
trap 'exit 0' EXIT # also when a file that is read in below is broken
node=node # install puts the absolute path of the node that installed here
here=${0%/*}

unset payload
# Byte by byte: in some encodings a character may end with what looks like the beginning of a word.
locale=${LC_ALL-}
LC_ALL=C
[ -r "$here/$1.sh" ] && . "$here/$1.sh"
LC_ALL=$locale
[ -n "$locale" ] || unset LC_ALL

[ -x "$node" ] || node=$(command -v node) || exit 0
[ -r "$here/runner.cjs" ] || exit 0
if [ -n "${payload+read}" ]; then
  printf '%s' "$payload" | "$node" "$here/runner.cjs" "$@"
else
  "$node" "$here/runner.cjs" "$@"
fi
exit 0
