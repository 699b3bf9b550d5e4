# The part of `codex app-server` that tells whether hooks are trusted. The answer is in a file made by codex-list.ts.
while read -r line; do
  case $line in *'"id":'*) ;; *) continue ;; esac
  id=${line#*'"id":'}
  id=${id%%[!0-9]*}
  case $line in
  *'"method":"initialize"'*) result='{"userAgent":"codex/0.171.0 (Debian)"}' ;;
  *'"method":"hooks/list"'*) read -r result <"$1" ;;
  *) result='{"layers":[]}' ;;
  esac
  printf '{"id":%s,"result":%s}\n' "$id" "$result"
done
