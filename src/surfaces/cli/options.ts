import { mistake } from '../../base/problem.ts';
import { missingArgument } from './usage-errors.ts';
import type { Invocation } from './command.ts';

type Options = Invocation['options'];

/** The text of an option; undefined when it was not given. */
export function textOption(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** The moment that an option names, as the journal writes moments; undefined when it was not given. */
export function momentOption(options: Options, name: string): string | undefined {
  const written = textOption(options, name);
  if (written === undefined) return undefined;
  const at = new Date(written);
  if (Number.isNaN(at.getTime()))
    throw mistake(`Invalid value: --${name} ${written}. Expected a date.`, `Write --${name} 2026-01-31T18:00.`);
  return at.toISOString();
}

/** The texts of an option that may be repeated; empty when it was not given. */
export function textsOption(options: Options, name: string): readonly string[] {
  const value = options[name];
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string');
  return typeof value === 'string' ? [value] : [];
}

/** Options that name a subject. */
export const LOOKS = ['plan', 'contract', 'file', 'diff', 'staged'] as const;

/** Those of some options that were given. */
export const givenOf = <Name extends string>(options: Options, names: readonly Name[]): readonly Name[] =>
  names.filter((name) => options[name] !== undefined && options[name] !== false);

/** Whether a flag was given. */
export const flag = (options: Options, name: string): boolean => options[name] === true;

/** The task a command is about. */
export function taskArgument({ args }: Invocation): string {
  const [task] = args;
  if (typeof task !== 'string' || task === '') throw missingArgument('task id', 'andon list', 'to see all tasks');
  return task;
}
