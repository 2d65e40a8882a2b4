# Sourced by the stand-ins. Where `<scenario>.host` is a pipe, a program that runs already reads it, and plays plain
# answers without a start of Node.js; a test holds it to the same words. It is told who asks, finds arguments,
# environment and folder in /proc, and says the exit code, or `no`: then standard input lies in $asked.in.
asked=
ask_host() {
  [ -p "$ANDON_SCENARIO.host" ] && [ -d "/proc/$$/fd" ] || return 0
  asked=$ANDON_SCENARIO.$$
  cat >"$asked.in" && mkfifo "$asked.said" || return 0
  exec 3<>"$asked.said" # before it is asked: to write into a pipe that nobody reads would hold it up
  printf '%s %s\n' "$$" "$asked" >"$ANDON_SCENARIO.host"
  IFS= read -r code <&3
  exec 3<&-
  [ "$code" != no ] || return 0
  cat "$asked.out"
  cat "$asked.err" >&2
  rm -f "$asked.in" "$asked.said" "$asked.out" "$asked.err"
  exit "$code"
}

# Becomes the Node.js program of this name, with the standard input that was read already.
become() {
  [ -n "$asked" ] || exec node "$@"
  exec <"$asked.in"
  rm -f "$asked.in" "$asked.said"
  exec node "$@"
}
