# As much of `codex app-server` as tells whether hooks are trusted: what codex-list.ts has put into a file.
while read -r line; do
  case $line in *'"id":'*) ;; *) continue ;; esac
  id=${line#*'"id":'}
  id=${id%%[!0-9]*}
  case $line in
  *'"method":"initialize"'*) result='{"userAgent":"codex/0.169.0 (Debian)"}' ;;
  *'"method":"hooks/list"'*) read -r result <"$1" ;;
  *) result='{"layers":[]}' ;;
  esac
  printf '{"id":%s,"result":%s}\n' "$id" "$result"
done
