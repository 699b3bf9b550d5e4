# A server that answers `initialize`, `tools/list` and `tools/call` with the first, second and third line of a file, each
# {"body":{"result":...}}. It knows no method without a line. If the file is empty, it ends with a word on stderr.
# scripted.mjs can do more, but takes ten times as long.
while read -r line; do
  case $line in *'"id":'*) ;; *) continue ;; esac
  id=${line#*'"id":'}
  id=${id%%[!0-9]*}
  case $line in
  *'"method":"initialize"'*) lines='1' ;;
  *'"method":"tools/list"'*) lines='1 2' ;;
  *'"method":"tools/call"'*) lines='1 2 3' ;;
  *) lines='' ;;
  esac
  plan=
  for _ in $lines; do read -r plan; done <"$1"
  case $lines$plan in
  1) echo 'no disk' >&2 && exit 3 ;;
  *'{'*)
    rest=${plan#'{"body":{'}
    rest=${rest%'}}'}
    ;;
  *) rest='"error":{"code":-32601,"message":"Method not found"}' ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$rest"
done
