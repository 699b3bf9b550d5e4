# configured.mjs as a shell script: see there. The first argument is the path of that file.
shift
if [ -n "${HANGS-}" ]; then
  printf %s $$ >"$HANGS"
  exec cat >/dev/null
fi

short() {
  sum=$(printf %s "$1" | sha256sum)
  rest=${sum#??????}
  printf %s "${sum%"$rest"}"
}
told() {
  printf args
  for word; do printf ' %s' "$(short "$word")"; done
  env | LC_ALL=C sort | while IFS= read -r variable; do
    case $variable in ANNAL_*=* | GEMINI_CLI=*) printf ', %s in %s' "$(short "${variable#*=}")" "${variable%%=*}" ;; esac
  done
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
