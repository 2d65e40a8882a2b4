import { hasFlag } from './options.ts';
import type { Invocation } from './command.ts';

/** Why an answer is refused, in one sentence; undefined when it is fine. */
type CheckAnswer = (answer: string) => string | undefined;

interface PromptChoice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

/** Asks a human in a terminal; Ctrl-C, Esc, Ctrl-D or a closed terminal at any question ends the whole conversation. */
export type Prompts = ReturnType<typeof promptsOf>;

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

function promptsOf(clack: typeof import('@clack/prompts'), signal: AbortSignal) {
  const given = <Answer>(answer: Answer): Exclude<Answer, symbol> => {
    if (typeof answer === 'symbol') throw new Left();
    return answer as Exclude<Answer, symbol>;
  };
  return {
    say: (words: string): void => clack.log.message(words),
    warn: (words: string): void => clack.log.warn(words),
    show: (title: string, words: string): void => clack.note(words, title, { format: (row) => row }),
    /** A line of text, trimmed; empty when the human gave none. */
    async text(
      question: string,
      { hint = '', check }: { readonly hint?: string; readonly check?: CheckAnswer } = {},
    ): Promise<string> {
      const validate = (answer = ''): string | undefined => check?.(answer.trim());
      const prompt = { message: question, initialValue: '', placeholder: hint, signal, validate };
      return given(await clack.text(prompt)).trim();
    },
    async choose<Value extends string>(
      question: string,
      options: readonly PromptChoice<Value>[],
      initial?: Value,
    ): Promise<Value> {
      const prompt = { message: question, options: [...options] as PromptChoice<string>[], signal, maxItems: 12 };
      const answer = await clack.select<string>(initial === undefined ? prompt : { ...prompt, initialValue: initial });
      return given(answer) as Value;
    },
    /** Any of several; all are chosen at first. */
    async chooseSeveral(question: string, options: readonly PromptChoice<string>[]): Promise<readonly string[]> {
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
