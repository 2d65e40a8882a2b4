import { hasFlag } from './options.ts';
import type { Invocation } from './command.ts';

/** Why an answer is refused, in one sentence; undefined when it is fine. */
type CheckAnswer = (answer: string) => string | undefined;

/** One thing to choose from. */
interface PromptChoice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

/** Asks a human in a terminal; Ctrl-C, Esc, Ctrl-D or a closed terminal at any question ends the whole conversation. */
export interface Prompts {
  say(text: string): void;
  warn(text: string): void;
  show(title: string, text: string): void;
  /** A line of text, trimmed; empty when the human gave none. */
  text(
    question: string,
    more?: { readonly initial?: string; readonly hint?: string; readonly check?: CheckAnswer },
  ): Promise<string>;
  choose<Value extends string>(
    question: string,
    choices: readonly PromptChoice<Value>[],
    initial?: Value,
  ): Promise<Value>;
  /** Any of several; all are chosen at first. */
  chooseSeveral(question: string, choices: readonly PromptChoice<string>[]): Promise<readonly string[]>;
}

/** Whether a human can be asked: a real terminal on both sides, no CI, and no flag that says not to. */
export function mayAsk({ options, env }: Invocation): boolean {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY && env['TERM'] !== 'dumb';
  const isCi = !['', '0', 'false'].includes(env['CI'] ?? '');
  return isTerminal && !isCi && !hasFlag(options, 'yes') && !hasFlag(options, 'json') && !hasFlag(options, 'print');
}

/** Holds a conversation; gives back its exit code, or 1 and one sentence when the human left it. */
export async function runPrompts(title: string, talk: (ask: Prompts) => Promise<number>): Promise<number> {
  const clack = await import('@clack/prompts');
  const left = new AbortController();
  const leave = (): void => left.abort();
  process.stdin.once('end', leave);
  // Ctrl-D is how many leave a program that asks.
  clack.updateSettings({ aliases: { '\u0004': 'cancel' } });
  try {
    clack.intro(title);
    return await talk(promptsOf(clack, left.signal));
  } catch (error) {
    if (!(error instanceof Left)) throw error;
    clack.cancel('You left; nothing was written.');
    return 1;
  } finally {
    process.stdin.off('end', leave);
    process.stdin.pause();
  }
}

class Left extends Error {}

function promptsOf(clack: typeof import('@clack/prompts'), signal: AbortSignal): Prompts {
  const given = <Answer>(answer: Answer): Exclude<Answer, symbol> => {
    if (typeof answer === 'symbol') throw new Left();
    return answer as Exclude<Answer, symbol>;
  };
  return {
    say: (words) => clack.log.message(words),
    warn: (words) => clack.log.warn(words),
    show: (title, words) => clack.note(words, title, { format: (row) => row }),
    async text(question, { initial = '', hint = '', check } = {}) {
      const validate = (answer = ''): string | undefined => check?.(answer.trim());
      const prompt = { message: question, initialValue: initial, placeholder: hint, signal, validate };
      return given(await clack.text(prompt)).trim();
    },
    async choose(question, options, initial) {
      const prompt = { message: question, options: [...options] as PromptChoice<string>[], signal, maxItems: 12 };
      const answer = await clack.select<string>(initial === undefined ? prompt : { ...prompt, initialValue: initial });
      return given(answer) as (typeof options)[number]['value'];
    },
    async chooseSeveral(question, options) {
      const initialValues = options.map(({ value }) => value);
      return given(
        await clack.multiselect<string>({
          message: question,
          options: [...options],
          initialValues,
          required: false,
          signal,
        }),
      );
    },
  };
}
