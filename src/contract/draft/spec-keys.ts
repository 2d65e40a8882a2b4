import { toOneLine } from '../../base/fault.ts';
import { CONTRACT_FIELDS } from '../contract-fields.ts';
import type { FieldKey, FieldValues, PartialDraft, WrittenGate } from '../contract-fields.ts';
import { parseGate } from '../gate.ts';
import { COMPLEXITIES } from '../task-contract-shape.ts';
import { pathFault, withoutQuotes } from './spec-paths.ts';

/** The keys of a spec, as they were written. */
export type SpecKeys = Readonly<Record<string, unknown>>;

/** Converts the keys of a spec to a draft; an unknown key or a value of a wrong kind is a fault, so that none is lost. */
export function draftFromKeys(keys: SpecKeys): {
  readonly draft: PartialDraft;
  readonly faults: readonly string[];
  readonly notices: readonly string[];
} {
  const draft: Record<string, unknown> = {};
  const faults: string[] = [];
  const notices: string[] = [];
  for (const [written, value] of Object.entries(flat(keys))) {
    const field = FIELDS.get(plainKey(written));
    const shown = toOneLine(written, 60);
    if (field === undefined) {
      if (HARMLESS.test(written)) notices.push(`${shown} is not read`);
      else
        faults.push(
          `${shown}: is not known; known are ${CONTRACT_FIELDS.map(({ key }) => key).join(', ')} (your own keys: x-…)`,
        );
      continue;
    }
    const { key, kind } = field;
    const { read, expected } = READERS[kind];
    const found = value === null || value === undefined ? undefined : read(value);
    if (found === REFUSED) faults.push(`${shown}: found ${toOneLine(JSON.stringify(value), 80)}; expected ${expected}`);
    else if (key in draft) faults.push(`${shown}: said twice, under two names`);
    else if (found !== undefined) {
      draft[key] = found;
      if (kind === 'path' || kind === 'paths') faults.push(...pathFaults(found).map((fault) => `${shown}: ${fault}`));
    }
  }
  return { draft, faults, notices };
}

/** The field that a name means, in any spelling: `Allowed paths` is `allowed_paths`. */
export const fieldKeyOf = (name: string): FieldKey | undefined => FIELDS.get(plainKey(name))?.key;

/** Whether a key of a spec is known, in any spelling. */
export const isSpecKey = (key: string): boolean => fieldKeyOf(key) !== undefined;

const plainKey = (key: string): string =>
  key
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

const FIELDS: ReadonlyMap<string, { readonly key: FieldKey; readonly kind: keyof FieldValues }> = new Map(
  CONTRACT_FIELDS.flatMap((field) => [field.key, ...(field.aliases?.split(' ') ?? [])].map((name) => [name, field])),
);
const HARMLESS = /^(?:x-.*|authors?|date|created|updated|tags|status|version)$/i;

/** A gate as a line: `name=command`, or `name: command` with the command in backticks, or the command alone. */
function gateInLine(line: string): WrittenGate | undefined {
  const [, code] = /`([^`]+)`/.exec(line) ?? [];
  if (code === undefined) return parseGate(line);
  const name = line
    .slice(0, line.indexOf('`'))
    .replace(/[*_]/g, '')
    .trim()
    .replace(/\s*[:=–-]$/, '')
    .trim();
  const firstWords = code.trim().split(/\s+/).slice(0, 2).join(' ').slice(0, 80);
  return code.trim() === '' ? undefined : { name: name === '' ? firstWords : name, run: code.trim() };
}

type Read = (value: unknown) => unknown;

const REFUSED = Symbol('refused');

const text: Read = (value) =>
  ['string', 'number'].includes(typeof value) && String(value).trim() !== '' ? String(value).trim() : REFUSED;

const texts: Read = (value) => {
  const items = Array.isArray(value) ? value.map(text) : [text(value)];
  return items.includes(REFUSED) ? REFUSED : items;
};

const path: Read = (value) => {
  const written = text(value);
  return typeof written === 'string' ? withoutQuotes(written) : written;
};

/** Paths, also as a contract writes its sources: `{ path }`. */
const paths: Read = (value) => {
  const items = texts(
    Array.isArray(value) ? value.map((one: unknown) => (Object(one) as { path?: unknown }).path ?? one) : value,
  );
  return Array.isArray(items) ? items.map(path) : items;
};

const pathFaults = (value: unknown): readonly string[] =>
  [value].flat().flatMap((one) => (typeof one === 'string' ? (pathFault(one) ?? []) : []));

/** `150 lines` is 150; `$2` is 2. */
const number: Read = (value) => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : REFUSED;
  const [, digits] =
    (typeof value === 'string' &&
      /^\$?\s*(-?\d+(?:\.\d+)?)\s*(?:lines?|minutes?|min|tokens?|usd|dollars?)?$/i.exec(value.trim())) ||
    [];
  return digits === undefined ? REFUSED : Number(digits);
};

const yesOrNo: Read = (value) => {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return REFUSED;
  if (/^(?:yes|true|allowed)$/i.test(value.trim())) return true;
  return /^(?:no|false|none|never)$/i.test(value.trim()) ? false : REFUSED;
};

const complexity: Read = (value) => {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return (COMPLEXITIES as readonly string[]).includes(word) ? word : REFUSED;
};

const gates: Read = (value) => {
  if (typeof value === 'string') return gates([value]);
  const written: readonly unknown[] = Array.isArray(value)
    ? value
    : Object.entries(Object(value) as object).map(([name, run]) => ({ name, run: run as unknown }));
  const read = written.map((one) => (typeof one === 'string' ? gateInLine(one) : gateInMap(one)));
  return read.includes(undefined) ? REFUSED : read;
};

/** The schema of contracts checks the rest. */
function gateInMap(value: unknown): WrittenGate | undefined {
  const { name, run } = Object(value) as { name?: unknown; run?: unknown };
  return typeof name === 'string' && typeof run === 'string' ? (value as WrittenGate) : undefined;
}

const READERS: Readonly<Record<keyof FieldValues, { readonly read: Read; readonly expected: string }>> = {
  text: { read: text, expected: 'text' },
  texts: { read: texts, expected: 'a list of texts' },
  path: { read: path, expected: 'text' },
  paths: { read: paths, expected: 'a list of paths' },
  number: { read: number, expected: 'a number' },
  boolean: { read: yesOrNo, expected: 'yes or no' },
  complexity: { read: complexity, expected: `one of ${COMPLEXITIES.join(', ')}` },
  gates: { read: gates, expected: 'gates, each name=command, or name and run' },
};

/** Flattens maps: `budget: {usd: 1}` is `budget_usd`; `limits`, `constraints` and the like only group. */
function flat(keys: SpecKeys): SpecKeys {
  const isMap = (value: unknown): value is SpecKeys =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    Object.entries(keys).flatMap(([key, value]): [string, unknown][] => {
      if (!isMap(value)) return [[key, value]];
      if (/^(?:budget|holdout)$/i.test(key)) return Object.entries(value).map(([name, one]) => [`${key}_${name}`, one]);
      if (/^(?:limits|constraints|roles|specification)$/i.test(key)) return Object.entries(flat(value));
      return [[key, value]];
    }),
  );
}
