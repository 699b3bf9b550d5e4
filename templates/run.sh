# mcp-hooks: the first stage of the hook runner. The shell that a client starts for our command reads this file, with the
# client's payload on stdin. It leaves early when no hook can have anything to show, answers when the answer has been known
# since the install, and otherwise finds a node and starts the second stage. Whatever is missing or goes wrong, it prints
# nothing and exits 0, because a client may block on anything else. For POSIX shells, bash and zsh. Nothing that the user's
# own shell brings along (options, aliases, functions, variables) may matter, hence `command` and the long names.

unalias -a
unset -f printf ulimit || : # zsh's `command` would not take its own
set +aeuvxC
unset payload more end found value session memory is whole at able up boot known size entries posix watch how letter room
# What install knows, for one client and one of its events:
node=node
here=.
client=none
event=none
memories=./sessions
log=./log
begins='{"session_id":"' # how the payload begins, up to the session
short=no # whether the payload of the event is short for certain
patience=5 # seconds to wait for a stdin that is not closed
zeros=no # whether grep -z means lines that end with a zero byte
set --      # words for grep: the payload of an event for which a hook may be shown has one of them
piece=65536 # characters that a shell may read and look through before grep is quicker
# End of what install knows.

trap 'exit 0' TERM INT HUP PIPE XFSZ
# If stdin is closed, what is opened next would be taken for it, and a program would wait for its own output.
true 9<&0 || exec </dev/null
# A relative entry of the PATH leads into the session's folder, which may be a clone.
case :${PATH-}: in
*:[!/]*)
  entries=${PATH-}:
  PATH=
  while [ -n "$entries" ]; do
    case $entries in /*) PATH=$PATH:${entries%%:*} ;; esac
    entries=${entries#*:}
  done
  PATH=${PATH#:}
  [ -n "$PATH" ] || PATH=/usr/bin:/bin
  ;;
esac
# Bytes, not characters: in some encodings a character may end with what looks like the beginning of a word.
locale=${LC_ALL-unset}
LC_ALL=C

# Exits if nothing of what is left to read has one of these words. Otherwise, `payload` gets all lines that have one. Fails where grep does.
mcp_find() {
  # GNU's and busybox's grep can take everything for one line, which is quicker. zsh would keep the zero byte at the end.
  whole=-C9999999
  [ "$zeros" = no ] || [ -n "${ZSH_VERSION-}" ] || whole=-z
  found=$(LC_ALL=C command grep -F "$whole" "$@")
  case $? in
  0) payload=${payload-}$found ;;
  1) exit 0 ;;
  *) return 1 ;;
  esac
}
# What reads byte by byte leaves the reading to grep, before it has read more of this file.
[ -n "${BASH_VERSION-}${ZSH_VERSION-}${YASH_VERSION-}" ] || mcp_find "$@" || :

# Options that change how a node behaves are for the server that it starts.
mcp_aside() {
  [ -n "${NODE_OPTIONS+is}" ] || return 0
  export MCP_HOOKS_NODE_OPTIONS="$NODE_OPTIONS"
  unset NODE_OPTIONS
}

# Reads the beginning of the payload if that takes no other program, which would cost more than all the rest.
# `more`: there is more to read; `end`: the last characters read; `able`: this is a bash with all that we need; `late`: the
# status of a read that has ended, above 128 if time was up.
# A client may keep stdin open: when time is up, what has arrived is taken for the whole payload.
mcp_take() {
  more=yes
  end=
  late=
  case ${BASH_VERSION-} in
  4.[2-9]* | [5-9]* | [1-9][0-9]*)
    command -v shopt >/dev/null || return 0 # it only claims to be bash
    able=yes
    how=-rt$patience
    # With -t, bash calls the system twice for each character, and where it stands in for sh, it reads them one by one.
    # So unless there are few, a copy of it waits instead. When time is up, it sends a signal that makes the read end as if
    # stdin had ended. It ends by itself when this shell closes the pipe, or is gone.
    if [ "$short" = no ]; then
      how=-r
      posix=${POSIXLY_CORRECT-y} # y is what bash itself sets it to, without exporting it
      eval 'set +o posix
        trap "late=142; exec </dev/null" ALRM
        exec {watch}> >(exec >&-; read -t "$patience" || [ $? -le 128 ] || kill -ALRM $$)'
    fi
    if read "$how" -N "$piece" payload; then eval 'end=${payload: -64}'
    else
      late=${late:-$?}
      [ -z "${payload+read}" ] || more=
    fi
    if [ "$short" = no ]; then
      eval 'exec {watch}>&-'
      wait $! || :
      trap : ALRM
      [ "$posix" = y ] || export POSIXLY_CORRECT="$posix"
      case $late in 1[2-9]?) more= ;; esac
    fi
    ;;
  *)
    if [ "$short" = no ]; then
      [ -n "${ZSH_VERSION-}" ] || return 0
      letter=k
      # It has a time limit only for the first character.
      if read -rk "$piece" -u 0 payload; then eval 'end=${payload: -64}'
      else [ -z "${payload+read}" ] || more=; fi
      return 0
    fi
    # Other shells read byte by byte, which is still quicker than a process if the payload is certainly short.
    IFS= read -r -t "$patience" payload
    case $?${POSH_VERSION+-posh}-${payload+read} in
    2- | 1-posh-) IFS= read -r payload ;; # a shell without -t, which has read nothing
    *-) exit 0 ;; # time is up, and nothing has arrived, or it is lost
    1[2-9]?-*) more= ;; # time is up
    esac
    case $payload in *'}') more= ;; ?*) payload="$payload
" ;; esac
    ;;
  esac
}

# Reads the rest; fails when nothing could be read at all.
mcp_rest() {
  [ -n "$more" ] || return 0
  if found=$(command cat); then
    payload=${payload-}$found
  elif [ -z "${payload-}" ]; then
    unset payload
    return 1
  else
    # Each piece is as long as all those before it, because adding one copies them all.
    size=16384
    while read -rt "$patience" "-${letter-N}" "$size" -u 0 found; do
      payload=$payload$found
      size=$((size * 2))
    done
    payload=$payload$found
  fi
}

# Sets `memory`: the names of the files that remember what was shown in the session begin with it. Fails when the session is
# not where we expect it, or has no plain name.
mcp_remember() {
  mcp_take
  mcp_rest || return 1
  case $payload in "$begins"*'}' | "$begins"*'}
') ;; *) return 1 ;; esac
  session=${payload#"$begins"}
  # To find the end of a long name, some shells need time that grows with its square.
  if [ ${#session} -lt 9999 ]; then :
  elif [ -n "${able-}" ]; then eval 'session=${session:0:80}'
  else session=$(printf %.80s "$session"); fi
  session=${session%%\"*}
  case $session in '' | *[!A-Za-z0-9_-]*) return 1 ;; esac
  [ ${#session} -le 64 ] || return 1
  [ -d "$memories" ] || command mkdir -m 700 "$memories"
  memory=$memories/$client.$session.$1.
}

# Sets `value` to the string under a key, as it is written, if the beginning of the payload has all of it. Otherwise sets it
# to a backslash, which no caller accepts: the second stage looks everywhere. A shell needs time that grows with the square
# of the text to cut out a value, and hears no signal until it has done so.
mcp_field() {
  value=$payload
  if [ ${#payload} -le 2048 ]; then :
  elif [ -n "${able-}" ]; then eval 'value=${payload:0:2048}'
  else value=$(printf %.2048s "$payload"); fi
  case $value in *"\"$1\":\""*) value=${value#*\"$1\":\"} ;; *) value= ;; esac
  case $value in *\"*) value=${value%%\"*} ;; *) value=\\ ;; esac
}

# Only one of many claims a name. Where nothing can be remembered, telling twice is better than never telling. No process
# that should have the user's umask starts after this.
mcp_claim() {
  umask 077
  [ ! -e "$1" ] || return 1 # some shells would open what is no regular file, and wait if it is a pipe
  set -C
  true >"$1"
  is=$?
  set +C
  [ $is = 0 ] || [ ! -e "$1" ]
}

# Writes a line of the log as the second stage does, but without the time it took, which a shell cannot measure. The last
# argument is what else there is to say.
mcp_note() {
  [ -d "$log" ] || command mkdir -m 700 "$log"
  mcp_clock
  [ -n "$at" ] || return 0
  [ -f "$log/$1.jsonl" ] || [ ! -e "$log/$1.jsonl" ] || return 0 # opening a pipe would wait
  printf '{"at":%s000,"client":"%s","event":"%s","hooks":%s,"characters":%s%s%s}\n' \
    "$at" "$client" "$event" "$2" "$3" "${4:+,$4}" "${MCP_HOOKS_TRIAL:+,\"trial\":true}" \
    >>"$log/$1.jsonl"
}

# Sets `at`, in seconds. A process that tells the time costs as much as all the rest. Where the shell has no clock, but the
# system says how long it has been up, we start that process once an hour and remember when the system came up.
mcp_clock() {
  at=
  [ -z "${able-}" ] || printf -v at '%(%s)T' -1
  [ -z "$at" ] || return 0
  up= boot= known=
  IFS= read -r up </proc/uptime
  IFS= read -r boot </proc/sys/kernel/random/boot_id
  [ ! -f "$memories/clock" ] || IFS= read -r known <"$memories/clock"
  up=${up%%.*}
  case $known in "$boot "[1-9]?????????*" "[0-9]*) known=${known#"$boot "} ;; *) known=- ;; esac
  case $up in '' | *[!0-9]*) up= known=- ;; esac
  case ${known%% *}${known#* } in
  *[!0-9]*) ;;
  *) [ "$up" -lt "${known#* }" ] || [ "$up" -gt $((${known#* } + 3600)) ] || at=$((${known%% *} + up)) ;;
  esac
  [ -z "$at" ] || return 0
  at=$(command date +%s)
  case $at in *[!0-9]*) at= ;; esac # a date that knows no seconds says something else
  [ -f "$memories/clock" ] || [ ! -e "$memories/clock" ] || return 0
  [ -z "$boot" ] || [ -z "$up" ] || [ -z "$at" ] || printf '%s %s %s\n' "$boot" $((at - up)) "$up" >"$memories/clock"
}

# Blocks a call that cannot be checked, because there is no node or runner, or it has ended with the status $1: for ten minutes in
# a session, like the second stage (templates/failure.cjs), unless policy.json may say otherwise, which only the second stage can tell.
mcp_deny() {
  case ${1-} in 129 | 130 | 137 | 141 | 143 | 257 | 258 | 265 | 269 | 271 | 385 | 386 | 393 | 397 | 399) return 0 ;; esac # a signal ended it, from another process or itself
  PATH=$PATH:/usr/bin:/bin
  LC_ALL=C
  umask 077
  [ -n "${payload+read}" ] || mcp_take
  [ -n "${payload+read}" ] || IFS= read -r payload
  begin=$(printf %.2048s "$payload") || begin=$(
    command dd bs=2048 count=1 <<MCP_HOOKS
$payload
MCP_HOOKS
  )
  hook= said= decided= tool= input= label=
  mcp_guards ''
  session=${begin#"$begins"}
  [ "$session" != "$begin" ] || session=
  session=${session%%\"*}
  case $session in '' | *[!A-Za-z0-9_-]*) session=- ;; esac
  [ ${#session} -le 64 ] || session=-
  if [ -n "$tool" ]; then
    # What the model has written into the input is not the name of the tool.
    payload=$begin
    [ -z "$input" ] || payload=${begin%%"\"$input\":"*}
    mcp_field "$tool"
    hook=
    mcp_guards "$value"
  fi
  [ -n "$hook" ] || return 0
  did=deny
  if [ -f "$policy" ]; then
    while IFS= read -r value || [ -n "$value" ]; do
      case $value in *'"muted"'* | *'"block"'* | *'"command"'* | *'"contextTool"'* | *'"onFailure"'*) did=allow ;; esac
    done <"$policy"
  fi
  [ $did = allow ] || mcp_since "$memories/$client.$session.$label.0.denied"
  [ $did = deny ] || decided=
  [ $did != deny ] || printf %s "$said"
  mcp_note "$label" '[]' 0 "\"why\":[{\"code\":\"node-missing\"}],\"onFailure\":[{\"hook\":$hook,\"action\":\"$did\"}]${decided:+,\"decisions\":$decided}"
}

# Remembers in a file when the session was blocked first. Ten minutes later, `did` becomes `allow-again`.
mcp_since() {
  [ -d "$memories" ] || command mkdir -m 700 "$memories"
  mcp_clock
  known=
  [ ! -f "$1" ] || IFS= read -r known <"$1"
  case $known in '' | *[!0-9]* | ???????????*) known= ;; esac
  [ -n "$at" ] || return 0
  [ -z "$known" ] || [ "$known" -le "$at" ] || known=
  # Where the session is not known, others share the file: it begins anew after an hour.
  [ "$session" != - ] || [ -z "$known" ] || [ $((at - known)) -le 3600 ] || known=
  if [ -z "$known" ]; then
    [ -f "$1" ] || [ ! -e "$1" ] || return 0
    printf '%s\n' "$at" >"$1"
  elif [ $((at - known)) -gt 600 ]; then did=allow-again; fi
}

# Exits when there is nothing to show or all was shown; may leave the payload in `payload`.
mcp_decide() { return 0; }
mcp_decide "$@"
if [ "$locale" = unset ]; then unset LC_ALL; else LC_ALL=$locale; fi

[ -x "$node" ] || node=$(command -v node) || exit 0
# The limit of memory, in bytes. To read what `ulimit` prints takes a process, which costs more than this file.
room=
if [ -r /proc/self/limits ]; then
  while IFS= read -r room; do
    case $room in 'Max address space '*) break ;; esac
  done </proc/self/limits
  room=${room#Max address space}
  room=${room#"${room%%[! ]*}"}
  room=${room%% *}
else room=$(ulimit -v)000; fi
# With less memory than this, some nodes wait for a thread of theirs that could not start, for ever (20.20.2). None can run.
[ -r "$here/runner.cjs" ] && case $room in ? | ?? | ??? | ???? | ????? | ?????? | ??????? | ???????? | 1????????) false ;; esac || exit 0
# Both flags only save time: one file is read, from an absolute path, and nothing is left to other threads. The second stage
# ends itself with a signal, which must not trigger a trap of the user's. No other shell may be between it and this one, at
# whose end it ends, too.
set -- "$node" --preserve-symlinks-main --v8-pool-size=1 "$here/runner.cjs" "$client" "$event"
# A here-document takes one process less than a pipe, but some shells write it to a file, always or when it is long. A printf
# that is a program, not a part of the shell, takes no long argument.
how=pipe
case ${ZSH_VERSION+zsh}${KSH_VERSION+ksh}-${BASH_VERSION-none} in
-none | -[6-9]* | -5.[1-9]*) [ ${#payload} -ge 4000 ] || how=here ;;
esac
[ $how = here ] || [ ${#payload} -lt 4000 ] || [ "$(command -v printf)" = printf ] || how=here
case ${payload+read}-$how in
-*) command "$@" stream || : ;;
*-here)
  command "$@" whole <<MCP_HOOKS || :
$payload
MCP_HOOKS
  ;;
*) printf '%s' "$payload" | ( exec "$@" whole ) || : ;;
esac
exit 0
