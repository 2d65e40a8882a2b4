import { toCamelCase } from '../../base/letter-case.ts';
import type { FieldValues, PartialDraft, WrittenGate } from '../../project/contract/contract-fields.ts';
import { COMPLEXITIES } from '../../project/contract/task-contract-shape.ts';
import { parseGate } from '../../project/contract/gate.ts';
import type { Invocation } from './command.ts';
import { FLAG_FIELDS } from './contract-options.ts';
import { hasFlag, readTextOption, readTextsOption, readWordOption } from './options.ts';
import { invalidValue } from './usage-errors.ts';

type Options = Invocation['options'];

export const draftFromFlags = (options: Options): PartialDraft =>
  Object.fromEntries(
    FLAG_FIELDS.flatMap(({ key, kind, flag: flags }) => {
      const value = READERS[kind](options, flags.split(' ')[0] ?? '');
      return value === undefined ? [] : [[key, value]];
    }),
  );

const nameOf = (shown: string): string => toCamelCase(shown.slice('--'.length));

const text = (options: Options, shown: string): string | undefined => readTextOption(options, nameOf(shown));

function texts(options: Options, shown: string): readonly string[] | undefined {
  const given = readTextsOption(options, nameOf(shown));
  return given.length === 0 ? undefined : given;
}

function number(options: Options, shown: string): number | undefined {
  const given = text(options, shown);
  if (given === undefined) return undefined;
  if (given.trim() !== '' && Number.isFinite(Number(given))) return Number(given);
  throw invalidValue(shown, given, 'a number', `andon new ${shown} 2`);
}

const READERS: {
  readonly [Kind in keyof FieldValues]: (options: Options, shown: string) => FieldValues[Kind] | undefined;
} = {
  text,
  texts,
  path: text,
  paths: texts,
  number,
  boolean: (options, shown) => hasFlag(options, nameOf(shown)) || undefined,
  complexity: (options, shown) => readWordOption(options, nameOf(shown), COMPLEXITIES),
  gates: (options, shown) => {
    const gates = texts(options, shown)?.map((line) => gateIn(line, shown));
    return shown === '--gate' ? withGateOptions(options, gates ?? []) : gates;
  },
};

function gateIn(line: string, shown: string): WrittenGate {
  const gate = parseGate(line);
  if (gate !== undefined) return gate;
  throw invalidValue(shown, line, 'name=command', `andon new ${shown} 'test=npm test'`);
}

function withGateOptions(options: Options, gates: readonly WrittenGate[]): readonly WrittenGate[] | undefined {
  const mustFail = texts(options, '--must-fail-before') ?? [];
  const timeout = number(options, '--gate-timeout');
  const unknown = mustFail.find((name) => !gates.some((gate) => gate.name === name));
  if (unknown !== undefined)
    throw invalidValue(
      '--must-fail-before',
      unknown,
      'a gate of this task',
      `andon new --gate '${unknown}=<command>' --must-fail-before '${unknown}'`,
    );
  if (gates.length === 0) return undefined;
  return gates.map((gate) => ({
    ...gate,
    ...(timeout === undefined ? {} : { timeout_minutes: timeout }),
    ...(mustFail.includes(gate.name) ? { must_fail_before: true } : {}),
  }));
}
