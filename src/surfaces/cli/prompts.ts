import { hasFlag } from './options.ts';
import type { Invocation } from './command.ts';

/** Why an answer is refused, in one sentence; undefined when it is fine. */
export type CheckAnswer = (answer: string) => string | undefined | Promise<string | undefined>;

/** The same for one of several lines; the earlier ones are known. */
export type CheckLine = (line: string, earlier: readonly string[]) => string | undefined | Promise<string | undefined>;

/** One thing to choose from. */
export interface PromptChoice<Value extends string> {
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
    more?: {
      readonly initial?: string;
      /** What an empty answer means; typing replaces it. */
      readonly standard?: string;
      readonly hint?: string;
      readonly check?: CheckAnswer;
    },
  ): Promise<string>;
  /** Lines of text until an empty one. */
  lines(
    question: string,
    more?: { readonly check?: CheckLine; readonly atLeastOne?: string },
  ): Promise<readonly string[]>;
  choose<Value extends string>(
    question: string,
    choices: readonly PromptChoice<Value>[],
    initial?: Value,
  ): Promise<Value>;
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
  const pasted = new Pasted(process.stdin);
  // Ctrl-D is how many leave a program that asks.
  clack.updateSettings({ aliases: { '\u0004': 'cancel' } });
  try {
    clack.intro(title);
    return await talk(promptsOf(clack, left.signal, pasted));
  } catch (error) {
    if (!(error instanceof Left)) throw error;
    clack.cancel('You left; nothing was written.');
    return 1;
  } finally {
    process.stdin.off('end', leave);
    pasted.close();
  }
}

class Left extends Error {}

/** Several lines that were pasted at once: a question ends with the first of them; the next ones get the others. */
class Pasted {
  private readonly input: NodeJS.ReadStream;
  private lines: string[] = [];

  constructor(input: NodeJS.ReadStream) {
    this.input = input;
    input.on('data', this.read);
  }

  next(): string {
    return this.lines.shift() ?? '';
  }

  forget(): void {
    this.lines = [];
  }

  close(): void {
    this.input.off('data', this.read);
    this.input.pause();
  }

  private readonly read = (chunk: Buffer | string): void => {
    const [, ...others] = String(chunk).split(/\r\n|\r|\n/);
    for (const line of others) if (/^\P{C}+$/u.test(line.trim())) this.lines.push(line.trim());
  };
}

function promptsOf(clack: typeof import('@clack/prompts'), signal: AbortSignal, pasted: Pasted): Prompts {
  const given = <Answer>(answer: Answer): Exclude<Answer, symbol> => {
    if (typeof answer === 'symbol') throw new Left();
    return answer as Exclude<Answer, symbol>;
  };
  const text: Prompts['text'] = async (question, { initial = '', standard = '', hint = '', check } = {}) =>
    given(
      await clack.text({
        message: question,
        initialValue: initial,
        defaultValue: standard,
        placeholder: standard === '' ? hint : standard,
        signal,
        validate: (answer) => check?.((answer ?? '').trim() || standard),
      }),
    ).trim() || standard;
  return {
    say: (words) => clack.log.message(words),
    warn: (words) => clack.log.warn(words),
    show: (title, words) => clack.note(words, title, { format: (row) => row }),
    text,
    async lines(question, { check, atLeastOne } = {}) {
      const lines: string[] = [];
      pasted.forget();
      for (;;) {
        const isFirst = lines.length === 0;
        const line = await text(isFirst ? question : `${question} (another, or empty to go on)`, {
          initial: pasted.next(),
          hint: isFirst && atLeastOne !== undefined ? '' : 'empty: go on',
          check: (answer) => {
            if (answer === '') return isFirst ? atLeastOne : undefined;
            return check?.(answer, lines);
          },
        });
        if (line === '') break;
        lines.push(line);
      }
      pasted.forget();
      return lines;
    },
    async choose(question, choices, initial) {
      const options = choices.map(({ value, label, hint }) => ({
        value: value as string,
        label,
        ...(hint === undefined ? {} : { hint }),
      }));
      const answer = await clack.select<string>({
        message: question,
        options,
        signal,
        maxItems: 12,
        ...(initial === undefined ? {} : { initialValue: initial }),
      });
      return given(answer) as (typeof choices)[number]['value'];
    },
  };
}
