import { createUsageError } from '../../base/problem.ts';
import { parseMoment } from '../../base/local-time.ts';
import { toSeparatedCase } from '../../base/letter-case.ts';
import { invalidValue, missingArgument } from './usage-errors.ts';
import type { Invocation } from './command.ts';

type Options = Invocation['options'];

/** `maxDiffSize` as it is typed: `--max-diff-size`. */
export const toFlag = (name: string): string => `--${toSeparatedCase('-', name)}`;

/** The text of an option; undefined when it was not given. */
export function readTextOption(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** The word of an option whose usage lists these words, so that it is one of them; undefined when it was not given. */
export const readWordOption = <Word extends string>(
  options: Options,
  name: string,
  known: readonly Word[],
): Word | undefined => known.find((one) => one === options[name]);

/** The number of an option, whole unless `isWhole` is false; undefined when it was not given. */
export function readNumberOption(
  options: Options,
  name: string,
  {
    from,
    to,
    isWhole = true,
    example,
  }: { readonly from: number; readonly to: number; readonly isWhole?: boolean; readonly example: string },
): number | undefined {
  const written = readTextOption(options, name);
  if (written === undefined) return undefined;
  const number = (isWhole ? /^\d+$/ : /^\d+(?:\.\d+)?$/).test(written) ? Number(written) : Number.NaN;
  if (number >= from && number <= to) return number;
  throw invalidValue(toFlag(name), written, `a ${isWhole ? 'whole ' : ''}number from ${from} to ${to}`, example);
}

/** The moment that an option names, as the journal writes moments; undefined when it was not given. */
export function readMomentOption(options: Options, name: string): string | undefined {
  const written = readTextOption(options, name);
  if (written === undefined) return undefined;
  const at = parseMoment(written);
  if (at === undefined)
    throw createUsageError(
      `Invalid value: --${name} ${written}. Expected a date.`,
      `Write --${name} 2026-01-31T18:00.`,
    );
  return at;
}

/** The texts of an option that may be repeated; empty when it was not given. */
export function readTextsOption(options: Options, name: string): readonly string[] {
  const value = options[name];
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string');
  return typeof value === 'string' ? [value] : [];
}

export const SUBJECT_OPTIONS = ['plan', 'contract', 'file', 'diff', 'staged'] as const;

export const listGivenOptions = <Name extends string>(options: Options, names: readonly Name[]): readonly Name[] =>
  names.filter((name) => options[name] !== undefined && options[name] !== false);

export const hasFlag = (options: Options, name: string): boolean => options[name] === true;

export function readTaskArgument({ args }: Invocation): string {
  const [task] = args;
  if (typeof task !== 'string' || task === '') throw missingArgument('task id', 'andon list', 'to see all tasks');
  return task;
}
