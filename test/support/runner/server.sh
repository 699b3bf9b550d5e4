# server.cjs as a shell script, for most of its options, at a tenth of the cost: sh server.sh LOG [WORDS...].
# told.sh next to LOG sets variables named like the options of server.cjs; `resultOf` is the tool that has the `result`.
# LOG contains its input as received. Needs /proc: files next to LOG contain its arguments and environment.
log=$1
shift
era= errorOn= exitOn= ignored= before= say= child= stubborn= deaf= resultOf= result= shaken=
lineEnd='
'
. "${log%/*}/told.sh"
echo 'noise on stderr' >&2
[ -z "$stubborn" ] || trap '' TERM
if [ -n "$child" ]; then
  exec 3<&0
  (trap '' TERM && exec /bin/sleep 1000) <&3 3<&- &
  child=$!
fi
/bin/cat "/proc/$$/environ" >"$log.$$.env"
[ $# -eq 0 ] || printf '%s\0' "$@" >"$log.$$.args"
printf '{"started":%s,"child":%s,"cwd":"%s"}\n' "$$" "${child:-null}" "$(pwd -P)" >>"$log"
printf %s "$say"
[ -z "$deaf" ] || exec /bin/sleep 1000

answer() {
  printf '{"jsonrpc":"2.0","id":%s,%s}%s' "$id" "$1" "$lineEnd"
}
while IFS= read -r line; do
  printf '%s\n' "$line" >>"$log"
  case $line in *'"method":"'*) ;; *) continue ;; esac
  method=${line#*'"method":"'}
  method=${method%%'"'*}
  [ "$method" != "$exitOn" ] || exit 3
  [ "$method" != "$ignored" ] || continue
  id=${line#*'"id":'}
  id=${id%%,*}
  code=
  case $era in
  '') ;;
  modern)
    case $line in *'"io.modelcontextprotocol/protocolVersion":"2026-07-28"'*) ;; *) code=-32602 ;; esac
    [ "$method" != initialize ] || code=-32022
    ;;
  *)
    if [ "$method" = tools/call ] && [ -z "$shaken" ]; then
      code=$era
      [ "$era" != legacy ] || code=-32602
    fi
    ;;
  esac
  if [ -z "$code" ] && { [ "$errorOn" = "$method" ] || [ "$errorOn" = '*' ]; }; then code=-32603; fi
  case $method in
  initialize)
    shaken=1
    version=${line#*'"protocolVersion":"'}
    body="\"result\":{\"protocolVersion\":\"${version%%'"'*}\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"told\",\"version\":\"1\"}}"
    ;;
  tools/call)
    name=${line#*'"params":{"name":"'}
    name=${name%%'"'*}
    case $line in *'"arguments":{}'*) text="$name {}" ;; *) text="$name {...}" ;; esac
    body="\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"$text\"}]}"
    [ "$name" != "$resultOf" ] || body="\"result\":$result"
    printf %s "$before"
    ;;
  *) continue ;;
  esac
  [ -z "$code" ] || body="\"error\":{\"code\":$code,\"message\":\"no: sw0rdfish\"}"
  answer "$body"
done
[ -z "$child" ] || wait
