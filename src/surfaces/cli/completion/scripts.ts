/**
 * One short script a shell. Each asks `andon completion <shell> -- <words>` at every Tab, so it knows the commands of the
 * installed version, and passes the typed words as arguments: nothing in them is ever evaluated. The answer `:files` asks
 * the shell for file names.
 */
export const COMPLETION_SCRIPTS = {
  /** From bash 3.2 on, without the package bash-completion. */
  bash: `_andon() {
  local current=\${COMP_WORDS[COMP_CWORD]} found word
  [ "$current" != '=' ] || current=''
  found=$(command andon completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=()
  if [ "$found" = :files ]; then
    compopt -o default 2>/dev/null && return
    found=$(compgen -f -- "$current")
  fi
  while IFS= read -r word; do [ -z "$word" ] || COMPREPLY+=("$word"); done <<< "$found"
}
complete -F _andon andon
`,
  /** Read after compinit, or as a file \`_andon\` in fpath. */
  zsh: `#compdef andon
_andon() {
  local -a found
  found=("\${(@f)$(command andon completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $found[1] == :files ]]; then
    compset -P '--*='
    _files
  elif [[ -n $found[1] && $PREFIX == -* ]]; then
    _describe -o andon found
  elif [[ -n $found[1] ]]; then
    _describe andon found
  fi
}
if [ "$funcstack[1]" = _andon ]; then _andon "$@"; else compdef _andon andon; fi
`,
  /** From fish 3.0 on. */
  fish: `function __andon
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l found (command andon completion fish -- $typed[2..-1] "$current" 2>/dev/null)
    if test "$found[1]" = :files
        set -l before (string match -r -- '^--[^=]*=' "$current")
        __fish_complete_path (string replace -r -- '^--[^=]*=' '' "$current") | string replace -r -- '^' "$before"
    else if test -n "$found[1]"
        printf '%s\\n' $found
    end
end
complete -c andon -f -a '(__andon)'
`,
} as const;
