import type { CliCommand } from './command.ts';

/**
 * Replaces each word that the usage of a command lists (`<yaml|prose>`) by its listed spelling, in any case and with `-`
 * for `_`; refuses all others. The code of a command receives only known words.
 */
export function checkWords(
  { usage, options: rows = [], refusesWords }: CliCommand,
  args: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
  attributeOf: (flags: string) => string,
): { readonly args: readonly unknown[]; readonly options: Readonly<Record<string, unknown>> } {
  if (refusesWords === true) return { args, options };
  const [, ...slots] = usage.split(/ (?=[<[])/);
  const canonical = (what: string, slot: string, value: unknown): unknown => {
    const known = listWords(slot);
    if (known.length === 0) return value;
    if (Array.isArray(value)) return value.map((one) => canonical(what, slot, one));
    return typeof value === 'string' ? findWord(what, value, known) : value;
  };
  return {
    args: args.map((value, at) => canonical('argument', slots[at] ?? '', value)),
    options: {
      ...options,
      ...Object.fromEntries(
        rows.flatMap(([flags]) => {
          const key = attributeOf(flags);
          const [flag = '', slot = ''] = flags.split(/ (?=[<[])/);
          return options[key] === undefined ? [] : [[key, canonical(`value of ${flag}`, slot, options[key])]];
        }),
      ),
    },
  };
}

/** A word that the usage does not list. It is explained later, for that loads more than a command needs. */
export class UnknownWord extends Error {
  readonly what: string;
  readonly value: string;
  readonly known: readonly string[];

  constructor(what: string, value: string, known: readonly string[]) {
    super(value);
    this.what = what;
    this.value = value;
    this.known = known;
  }
}

/** The words of `<a|b>` and `[a|b...]`; empty for any other slot. */
const listWords = (slot: string): readonly string[] =>
  slot.includes('|') ? slot.replaceAll(/[<>[\].]/g, '').split('|') : [];

function findWord(what: string, value: string, known: readonly string[]): string {
  const word = known.find((one) => normalize(one) === normalize(value));
  if (word !== undefined) return word;
  throw new UnknownWord(what, value, known);
}

const normalize = (word: string): string => word.toLowerCase().replaceAll('-', '_');
