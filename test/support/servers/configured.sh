# configured.mjs as a shell script: see there. The first argument is the path of that file.
shift
if [ -n "${HANGS-}" ]; then
  printf %s $$ >"$HANGS"
  exec cat >/dev/null
fi

# A process for each value would be most of the cost, so one hashes all of them.
told() {
  folder=$(mktemp -d) count=1000 names=
  keep() {
    count=$((count + 1))
    printf %s "$1" >"$folder/$count"
  }
  for word; do keep "$word"; done
  env | LC_ALL=C sort >"$folder/env"
  while IFS= read -r variable; do
    case $variable in ANNAL_*=* | GEMINI_CLI=*)
      keep "${variable#*=}"
      names="$names ${variable%%=*}"
      ;;
    esac
  done <"$folder/env"
  sha256sum "$folder"/1* >"$folder/sums"
  {
    printf args
    for word; do
      read -r sum rest
      printf ' %s' "${sum%"${sum#??????}"}"
    done
    for name in $names; do
      read -r sum rest
      printf ', %s in %s' "${sum%"${sum#??????}"}" "$name"
    done
  } <"$folder/sums"
  rm -r "$folder"
}

first='{"event":"session_start","context_tool":"recall","priority":"important"}'
second='{"event":"pre_request","context":"Annal is there.","priority":"suggestion"}'
case ${DECLARES-2} in
0) declarations= ;;
1) declarations=$first ;;
*) declarations=$first,$second ;;
esac
while read -r line; do
  case $line in *'"id":'*) ;; *) continue ;; esac
  id=${line#*'"id":'}
  id=${id%%[!0-9]*}
  case $line in
  *'"method":"initialize"'*)
    version=${line#*'"protocolVersion":"'}
    result='{"protocolVersion":"'${version%%'"'*}'","capabilities":{"tools":{},"experimental":{"hooks":{"declarations":['$declarations']}}},"serverInfo":{"name":"annal","version":"1"}}'
    ;;
  *'"method":"tools/call"'*) result='{"content":[{"type":"text","text":"'$(told "$@")'"}]}' ;;
  *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
