import { quoted } from '../../../base/shell-word.ts';
import { sharedFunctions } from './bourne.ts';
import type { CommandWords } from './words.ts';

/** The completion of bash, from 3.2 on. */
export const bashScript = (
  commands: readonly CommandWords[],
): string => `# What \`andon completion bash\` prints; made from the commands of this andon, so print it anew after an update.
${sharedFunctions(commands)}
_andon_options() {
  case $1 in
${commands.map(({ name, options }) => `    ${name}) words=${quoted(options.map(({ flag }) => flag).join(' '))} ;;`).join('\n')}
  esac
}

_andon() {
  local current=\${COMP_WORDS[COMP_CWORD]} takes='' words='' word IFS=$' \\t\\n'
  COMPREPLY=()
  [ "$current" != '=' ] || current=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${quoted([...commands.map(({ name }) => name), '--help', '--version'].join(' '))}
  elif [[ $current == -* ]]; then
    _andon_options "\${COMP_WORDS[1]}"
  else
    _andon_next "\${COMP_WORDS[@]:1:COMP_CWORD-1}"
  fi
  case $takes in
    @files)
      compopt -o default 2>/dev/null && return
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
      return
      ;;
    @tasks) words=$(command andon completion tasks 2>/dev/null) ;;
    @waiting) words=$(command andon completion waiting 2>/dev/null) ;;
    @text) ;;
    ?*) words=$takes ;;
  esac
  for word in $words; do
    [[ $word != "$current"* ]] || COMPREPLY+=("$word")
  done
}

complete -F _andon andon
`;
