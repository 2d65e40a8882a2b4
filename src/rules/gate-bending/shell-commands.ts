import { isWord } from './nesting.ts';
import type { Token } from './tokens.ts';

/** The commands of a line or script, each as its words. */
export function commandsIn(tokens: readonly Token[]): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  for (const token of tokens) {
    if (
      (token.kind === 'sign' && ';&|()<>'.includes(token.text)) ||
      token.leads ||
      isWord(token, /^(?:do|then|else|done|fi|\{|\})$/)
    )
      commands.push([]);
    if (token.kind !== 'sign') commands.at(-1)?.push(token.text);
  }
  return commands.filter((words) => words.length > 0);
}

/** A program or file without the folders before it. */
export const baseName = (word: string): string => word.slice(word.lastIndexOf('/') + 1);

/** The file that an option of a program names as its configuration, or as what it loads first. */
export const fileBehind = (program: string, word: string, next: string | undefined): string | undefined => {
  const flag = (OBEYS.test(program) ? SHORT_OR_LONG : LONG).exec(word);
  return flag === null ? undefined : (flag[1] ?? next);
};

const LONG = /^--(?:config|file|require|import|project|rcfile|configuration|settings|setup|conf)(?:=(.+))?$/;
const SHORT_OR_LONG =
  /^(?:-[cfrp]|--(?:config|file|require|import|project|rcfile|configuration|settings|setup|conf))(?:=(.+))?$/;
/** Programs that read a configuration or a helper behind a short flag. */
const OBEYS =
  /^(?:make|gmake|just|jest|vitest|mocha|playwright|tsc|pytest|eslint|phpunit|phpstan|ava|karma|node|nodejs|tox|nox|mypy|pylint|rspec)$/;
