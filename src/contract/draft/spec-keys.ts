import { oneLine } from '../../base/fault.ts';
import { pathFault, withoutQuotes } from './spec-paths.ts';
import { COMPLEXITIES } from '../task-contract-shape.ts';
import type { PartialWishes, Wishes, WrittenGate } from './wishes.ts';

/** What a spec says, key by key, as it was written. */
export type SpecKeys = Readonly<Record<string, unknown>>;

/** Turns the keys of a spec into wishes; a key or a value that is not understood is a fault, so that none is lost. */
export function wishesFromKeys(keys: SpecKeys): {
  readonly wishes: PartialWishes;
  readonly faults: readonly string[];
  readonly notices: readonly string[];
} {
  const wishes: Record<string, unknown> = {};
  const faults: string[] = [];
  const notices: string[] = [];
  for (const [key, value] of Object.entries(flat(keys))) {
    const known = KEYS.get(plainKey(key));
    const shown = oneLine(key, 60);
    if (known === undefined) {
      if (HARMLESS.test(key)) notices.push(`${shown} is not read`);
      else faults.push(`${shown}: is not known; known are ${[...new Set(NAMES)].join(', ')} (your own keys: x-…)`);
      continue;
    }
    const [wish, read] = known;
    const outcome = value === null || value === undefined ? undefined : read(value);
    if (outcome === REFUSED)
      faults.push(`${shown}: found ${oneLine(JSON.stringify(value), 80)}; expected ${EXPECTED.get(read) ?? ''}`);
    else if (wish in wishes) faults.push(`${shown}: said twice, under two names`);
    else if (outcome !== undefined) {
      wishes[wish] = outcome;
      if (read === paths || read === sources || read === path)
        faults.push(...pathFaults(outcome).map((fault) => `${shown}: ${fault}`));
    }
  }
  return { wishes, faults, notices };
}

/** Whether a key of a spec is known, in any spelling: `Allowed paths` is `allowed_paths`. */
export const isSpecKey = (key: string): boolean => KEYS.has(plainKey(key));

/** A gate as a line: `name=command`, or `name: command` with the command in backticks, or the command alone. */
function gateInLine(line: string): WrittenGate | undefined {
  const [, code] = /`([^`]+)`/.exec(line) ?? [];
  if (code !== undefined) {
    const name = line
      .slice(0, line.indexOf('`'))
      .replace(/[*_]/g, '')
      .trim()
      .replace(/\s*[:=–-]$/, '')
      .trim();
    return code.trim() === '' ? undefined : { name: name === '' ? firstWords(code) : name, run: code.trim() };
  }
  const at = line.indexOf('=');
  const [name, run] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  return at < 1 || name === '' || run === '' ? undefined : { name, run };
}

type Read = (value: unknown) => unknown;

const REFUSED = Symbol('refused');
const plainKey = (key: string): string =>
  key
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
const firstWords = (command: string): string => command.trim().split(/\s+/).slice(0, 2).join(' ').slice(0, 80);

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

const paths: Read = (value) => {
  const items = texts(value);
  return Array.isArray(items) ? items.map(path) : items;
};

const pathFaults = (value: unknown): readonly string[] =>
  [value].flat().flatMap((one) => (typeof one === 'string' ? (pathFault(one) ?? []) : []));

const sources: Read = (value) =>
  paths(Array.isArray(value) ? value.map((one: unknown) => (Object(one) as { path?: unknown }).path ?? one) : value);

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

/** The schema of contracts says the rest. */
function gateInMap(value: unknown): WrittenGate | undefined {
  const { name, run } = Object(value) as { name?: unknown; run?: unknown };
  return typeof name === 'string' && typeof run === 'string' ? (value as WrittenGate) : undefined;
}

const EXPECTED = new Map<Read, string>([
  [text, 'text'],
  [texts, 'a list of texts'],
  [path, 'text'],
  [paths, 'a list of paths'],
  [sources, 'a list of paths'],
  [number, 'a number'],
  [yesOrNo, 'yes or no'],
  [complexity, `one of ${COMPLEXITIES.join(', ')}`],
  [gates, 'gates, each name=command, or name and run'],
]);

/** Each wish: how it is read, the names that it has in a spec, and where in a contract it ends up. */
const TABLE: readonly (readonly [wish: keyof Wishes, read: Read, names: string, place?: string])[] = [
  ['taskId', text, 'task_id id', '$.task_id'],
  ['title', text, 'title', '$.title'],
  ['project', text, 'project target_project', '$.project'],
  ['complexity', complexity, 'complexity', '$.complexity'],
  ['priority', number, 'priority', '$.priority'],
  ['after', texts, 'after', '$.after'],
  ['notBefore', text, 'not_before', '$.not_before'],
  ['requirements', texts, 'requirements requirement', '$.specification.requirements'],
  ['criteria', texts, 'acceptance_criteria criteria acceptance', '$.specification.acceptance_criteria'],
  ['allowed', paths, 'allowed_paths allow allowed', '$.constraints.allowed_paths'],
  ['forbidden', paths, 'forbidden_paths forbid forbidden', '$.constraints.forbidden_paths'],
  ['sources', sources, 'source_files sources source', '$.specification.source_files'],
  ['target', path, 'target_file target target_output', '$.specification.target_file'],
  ['allowDeletes', yesOrNo, 'allow_deletes deletions_allowed delete_allowed'],
  ['allowShrink', yesOrNo, 'allow_shrink'],
  ['allowTestChanges', texts, 'allow_test_changes'],
  ['allowTestLoss', yesOrNo, 'allow_test_loss test_loss_allowed'],
  ['maxDiffSize', number, 'max_diff_size max_diff_lines', '$.constraints.max_diff_size'],
  ['maxDeleteRatio', number, 'max_delete_ratio', '$.breaker.max_delete_ratio'],
  ['branch', text, 'base_branch branch target_branch', '$.git'],
  ['implementers', texts, 'implementer implementers', '$.roles.implementer'],
  ['reviewer', text, 'local_reviewer reviewer', '$.roles.local_reviewer'],
  ['judge', text, 'judge', '$.roles.judge'],
  ['floorManager', text, 'floor_manager', '$.roles.floor_manager'],
  ['gates', gates, 'gates gate', '$.gates'],
  ['holdoutGates', gates, 'holdout_gates', '$.holdout.gates'],
  ['holdoutCriteria', texts, 'holdout_criteria', '$.holdout.criteria'],
  ['usd', number, 'budget_usd cost_ceiling_usd', '$.limits.budget.usd'],
  ['tokens', number, 'budget_tokens token_budget', '$.limits.budget.tokens'],
  ['minutes', number, 'budget_minutes', '$.limits.budget.minutes'],
  ['maxRebuttals', number, 'max_rebuttals', '$.limits.max_rebuttals'],
  ['maxReviewCycles', number, 'max_review_cycles', '$.limits.max_review_cycles'],
  ['timeoutMinutes', number, 'timeout_minutes', '$.limits.timeout_minutes'],
  ['hardLimitMinutes', number, 'hard_limit_minutes', '$.limits.hard_limit_minutes'],
  ['notes', text, 'notes'],
];

/** Where in a contract a wish ends up: what is wrong there is wrong with that wish. */
export const PLACE_OF_WISH: Readonly<Partial<Record<keyof Wishes, string>>> = Object.fromEntries(
  TABLE.flatMap(([wish, , , place]) => (place === undefined ? [] : [[wish, place]])),
);

const KEYS: ReadonlyMap<string, readonly [keyof Wishes, Read]> = new Map(
  TABLE.flatMap(([wish, read, names]) => names.split(' ').map((name) => [name, [wish, read] as const])),
);
const NAMES = TABLE.map(([, , names]) => names.split(' ')[0] ?? '');
const HARMLESS = /^(?:x-.*|authors?|date|created|updated|tags|status|version)$/i;

/** Maps inside: `budget: {usd: 1}` is `budget_usd`; `limits`, `constraints` and the like only group. */
function flat(keys: SpecKeys): SpecKeys {
  const inside = (value: unknown): value is SpecKeys =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    Object.entries(keys).flatMap(([key, value]): [string, unknown][] => {
      if (!inside(value)) return [[key, value]];
      if (/^(?:budget|holdout)$/i.test(key)) return Object.entries(value).map(([name, one]) => [`${key}_${name}`, one]);
      if (/^(?:limits|constraints|roles|specification)$/i.test(key)) return Object.entries(flat(value));
      return [[key, value]];
    }),
  );
}
