# An MCP server that starts in no time. Only its tool `recall` can be called.
while read -r line; do
  case $line in *'"id":'*) ;; *) continue ;; esac
  id=${line#*'"id":'}
  id=${id%%[!0-9]*}
  case $line in
  *'"method":"initialize"'*)
    result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"annal","version":"1"}}'
    ;;
  *'"method":"tools/list"'*)
    result='{"tools":[{"name":"recall","description":"Finds notes.","inputSchema":{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}},{"name":"add_note","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}]}'
    ;;
  *'"name":"recall"'*)
    result='{"content":[{"type":"text","text":"Known so far:\n- The build needs Node 20."}]}'
    ;;
  *)
    printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"unknown tool"}}\n' "$id"
    continue
    ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
