import { formatValue, toOneLine } from '../../base/fault.ts';
import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { CONTRACT_FIELDS } from '../contract-fields.ts';
import type { FieldKey, FieldValues, PartialDraft, WrittenGate } from '../contract-fields.ts';
import { parseGate } from '../gate.ts';
import { COMPLEXITIES } from '../task-contract-shape.ts';
import { isTemplateText } from './markdown-sections.ts';

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
  for (const [written, value] of Object.entries(flattenKeys(keys))) {
    const field = FIELDS.get(plainKey(written));
    const shown = toOneLine(written, 60);
    if (field === undefined && HARMLESS.test(written)) notices.push(`${shown} is not read`);
    else if (field === undefined)
      faults.push(
        `${shown}: is not known; known are ${CONTRACT_FIELDS.map(({ key }) => key).join(', ')} (your own keys: x-…)`,
      );
    else if (value !== null && value !== undefined) {
      const read = READERS[field.kind](value);
      if (!read.ok) faults.push(`${shown}: ${read.why}`);
      else if (field.key in draft) faults.push(`${shown}: said twice, under two names`);
      else draft[field.key] = read.value;
    }
  }
  return { draft, faults, notices };
}

/** The field that a name means, in any spelling: `Allowed paths` is `allowed_paths`. */
export const fieldKeyOf = (name: string): FieldKey | undefined => FIELDS.get(plainKey(name))?.key;

const plainKey = (key: string): string =>
  key
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

const FIELDS: ReadonlyMap<string, (typeof CONTRACT_FIELDS)[number]> = new Map(
  CONTRACT_FIELDS.flatMap((field) => [field.key, ...(field.aliases?.split(' ') ?? [])].map((name) => [name, field])),
);
const HARMLESS = /^(?:x-.*|authors?|date|created|updated|tags|status|version)$/i;

type Read = (value: unknown) => Outcome<unknown, string>;

const refuse = (value: unknown, expected: string): Outcome<never, string> =>
  failure(`found ${formatValue(value)}; expected ${expected}`);

function textIn(value: unknown): string | undefined {
  const isText = typeof value === 'string' || typeof value === 'number';
  return isText && String(value).trim() !== '' ? String(value).trim() : undefined;
}

const readText: Read = (value) => {
  const text = textIn(value);
  return text === undefined ? refuse(value, 'text') : success(text);
};

const readTexts: Read = (value) => {
  const texts = [value].flat().map(textIn);
  return texts.includes(undefined) ? refuse(value, 'a list of texts') : success(texts);
};

/** Paths as texts, or as a contract writes its sources: `{ path }`. */
const readPaths: Read = (value) => {
  const texts = [value].flat().map((one: unknown) => textIn((Object(one) as { readonly path?: unknown }).path ?? one));
  const paths: string[] = [];
  for (const text of texts) {
    const read = text === undefined ? refuse(value, 'a list of paths') : splitPaths(text);
    if (!read.ok) return read;
    paths.push(...read.value);
  }
  return success(paths);
};

const readPath: Read = (value) => {
  const read = readPaths(value);
  return !read.ok || (read.value as readonly string[]).length === 1 ? first(read) : refuse(value, 'only one path');
};

const first = (read: Outcome<unknown, string>): Outcome<unknown, string> =>
  read.ok ? success((read.value as readonly unknown[])[0]) : read;

/** The paths of one line, with commas between them. Text beside a path is refused: it is never a part of the path. */
function splitPaths(text: string): Outcome<readonly string[], string> {
  const parts = (text.match(/(?:`[^`]*`|[^,])+/g) ?? []).map((part) => part.trim());
  const quoted = parts.flatMap((part) => [...part.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path.trim()));
  // Words beside a path in backticks explain it; what looks like one more path is a fault.
  const bare = parts.filter((part) => !part.includes('`') && !isTemplateText(part));
  const mixed = quoted.length === 0 ? undefined : bare.find((part) => /^["']?\S*(?:\/|\.\w)\S*$/.test(part));
  if (mixed !== undefined) return refuse(mixed, 'all paths in backticks, or none');
  if (quoted.length > 0) return success(quoted);
  const long = bare.find((part) => /\s/.test(part) && !/^(["']).*\1$/.test(part));
  if (long !== undefined)
    return refuse(long, 'the path alone, without text behind it (a path with blanks: in backticks)');
  return success(bare.map((part) => part.replace(/^(["'])(.*)\1$/, '$2').trim()));
}

/** `150 lines` is 150; `$2` is 2. */
const readNumber: Read = (value) => {
  const [, digits] =
    /^\$?\s*(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)\s*(?:lines?|minutes?|tokens?|usd)?$/i.exec(textIn(value) ?? '') ?? [];
  return digits === undefined ? refuse(value, 'a number') : success(Number(digits));
};

const readBoolean: Read = (value) => {
  if (typeof value === 'boolean') return success(value);
  const [word, isYes] = /^(?:(yes|true|allowed)|no|false|none|never)$/i.exec(textIn(value) ?? '') ?? [];
  return word === undefined ? refuse(value, 'yes or no') : success(isYes !== undefined);
};

const readComplexity: Read = (value) => {
  const word = textIn(value)?.toLowerCase();
  return (COMPLEXITIES as readonly (string | undefined)[]).includes(word)
    ? success(word)
    : refuse(value, `one of ${COMPLEXITIES.join(', ')}`);
};

const readGates: Read = (value) => {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  const written = isMap ? Object.entries(value).map(([name, run]) => ({ name, run: run as unknown })) : [value].flat();
  const gates = written.map((one: unknown) => (typeof one === 'string' ? gateInLine(one) : gateInMap(one)));
  return gates.includes(undefined) ? refuse(value, 'gates, each name=command, or name and run') : success(gates);
};

/** A gate as a line: `name=command`, `name: command` with the command in backticks, or the command alone in backticks. */
function gateInLine(line: string): WrittenGate | undefined {
  const [, before = '', code] = /^([^`]*)`([^`]*[^`\s][^`]*)`/.exec(line) ?? [];
  if (code === undefined) return parseGate(line);
  const name = before.replace(/[*_]|\s*[:=–-]\s*$/g, '').trim();
  return { name: name === '' ? code.trim().slice(0, 80) : name, run: code.trim() };
}

/** The schema of contracts checks the rest. */
function gateInMap(value: unknown): WrittenGate | undefined {
  const { name, run } = Object(value) as { name?: unknown; run?: unknown };
  return typeof name === 'string' && typeof run === 'string' ? (value as WrittenGate) : undefined;
}

const READERS: Readonly<Record<keyof FieldValues, Read>> = {
  text: readText,
  texts: readTexts,
  path: readPath,
  paths: readPaths,
  number: readNumber,
  boolean: readBoolean,
  complexity: readComplexity,
  gates: readGates,
};

/** Flattens maps: `budget: {usd: 1}` is `budget_usd`; `limits`, `constraints` and the like only group. */
const flattenKeys = (keys: SpecKeys): SpecKeys =>
  Object.fromEntries(
    Object.entries(keys).flatMap(([key, value]): [string, unknown][] => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[key, value]];
      if (/^(?:budget|holdout)$/i.test(key)) return Object.entries(value).map(([name, one]) => [`${key}_${name}`, one]);
      if (/^(?:limits|constraints|roles|specification)$/i.test(key))
        return Object.entries(flattenKeys(value as SpecKeys));
      return [[key, value]];
    }),
  );
