import { quoted } from '../../../base/shell-word.ts';
import { argumentCases, optionCases } from './words.ts';
import type { CommandWords } from './words.ts';

/** Text as one word of bash and zsh. */
/**
 * What bash and zsh share: `_andon_next` reads the words before the one that is typed and sets `takes` to what may follow:
 * @files, @tasks, @waiting, @text, the words themselves, or nothing.
 */
export const sharedFunctions = (commands: readonly CommandWords[]): string => `_andon_option() {
  takes=''
  case $1 in
${[...optionCases(commands)].map(([takes, places]) => `    ${places.map(quoted).join(' | ')}) takes=${quoted(takes)} ;;`).join('\n')}
  esac
}

_andon_argument() {
  takes=''
  case $1 in
${argumentCases(commands)
  .map(([place, takes]) => `    ${pattern(place)}) takes=${quoted(takes)} ;;`)
  .join('\n')}
  esac
}

_andon_next() {
  local command=\${1-} position=0 word
  takes=''
  [ "$#" -eq 0 ] || shift
  for word in "$@"; do
    case $word in
      '=') ;;
      --*=*) takes='' ;;
      --*) _andon_option "$command $word" ;;
      *)
        case $takes in
          '') position=$((position + 1)) ;;
          +*) ;;
          *) takes='' ;;
        esac
        ;;
    esac
  done
  takes=\${takes#+}
  [ -n "$takes" ] || _andon_argument "$command $position"
}
`;

/** A place as a pattern of \`case\`: quoted, but for the star. */
const pattern = (place: string): string => (place.endsWith('*') ? `${quoted(place.slice(0, -1))}*` : quoted(place));
