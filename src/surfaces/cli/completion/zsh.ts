import { quoted } from '../../../base/shell-word.ts';
import { sharedFunctions } from './bourne.ts';
import type { CommandWords } from './words.ts';

/** The completion of zsh: to be read after \`compinit\`, or as a file \`_andon\` in \`fpath\`. */
export const zshScript = (commands: readonly CommandWords[]): string => `#compdef andon
# What \`andon completion zsh\` prints; made from the commands of this andon, so print it anew after an update.
${sharedFunctions(commands)}
_andon_options() {
  case $1 in
${commands.map(({ name, options }) => `    ${name}) found=(${options.map(({ flag, text }) => described(flag, text)).join(' ')}) ;;`).join('\n')}
  esac
}

_andon() {
  local takes=''
  local -a found
  if (( CURRENT == 2 )); then
    found=(
${[...commands, { name: '--help', text: 'every command' }, { name: '--version', text: 'which andon this is' }]
  .map(({ name, text }) => `      ${described(name, text)}`)
  .join('\n')}
    )
    _describe -t commands 'andon command' found
    return
  fi
  if [[ $PREFIX == --*=* ]]; then
    _andon_next "\${(@)words[2,CURRENT-1]}" "\${PREFIX%%=*}"
    compset -P 1 '*='
  elif [[ $PREFIX == -* ]]; then
    _andon_options "$words[2]"
    _describe -o -t options option found
    return
  else
    _andon_next "\${(@)words[2,CURRENT-1]}"
  fi
  case $takes in
    @files) _files ;;
    @tasks) compadd -- \${(f)"$(command andon completion tasks 2>/dev/null)"} ;;
    @waiting) compadd -- \${(f)"$(command andon completion waiting 2>/dev/null)"} ;;
    @text | '') return 1 ;;
    *) compadd -- \${=takes} ;;
  esac
}

if [ "$funcstack[1]" = _andon ]; then _andon "$@"; else compdef _andon andon; fi
`;

/** A word with what is said beside it, as \`_describe\` reads both. */
const described = (word: string, text: string): string => quoted(`${word}:${text}`);
