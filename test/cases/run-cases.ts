import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

export type Facts = Readonly<Record<string, unknown>>;

/** What a runner is told of a row: never what is expected of it. */
export interface Given {
  readonly id: string;
  /** An input that is no object is the `value` of one. */
  readonly input: Facts;
  /** `fixtures.json` of the row's folder. */
  readonly fixtures: Facts;
}

/** Builds the input, asks the product, and gives back what was observed. */
export type Runner = (given: Given) => Facts | Promise<Facts>;

export interface Row extends Given {
  readonly expected: Facts;
  /** Our design decides otherwise, and where it says so. */
  readonly supersededBy: string | undefined;
}

export interface CaseFile {
  readonly feature: string;
  readonly rows: readonly Row[];
}

/** A folder or line that is no case: a mistake of whoever wrote it, not of the product. */
export class WrongInput extends Error {}

/** The folder whose cases run: the product's own, or the one that `ANDON_CASES` names. */
export function casesFolder(env: NodeJS.ProcessEnv): string {
  const named = env['ANDON_CASES'];
  return named === undefined || named === '' ? import.meta.dirname : resolve(env['ANDON_CWD'] ?? process.cwd(), named);
}

/** Every case file of a folder, or of those features alone that `only` names. */
export function readCases(folder: string, only: readonly string[] = []): readonly CaseFile[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new WrongInput(`${folder} is no folder`);
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length))
    .toSorted();
  if (names.length === 0) throw new WrongInput(`${folder} holds no case file (*.jsonl)`);
  const unknown = only.filter((feature) => !names.includes(feature));
  if (unknown.length > 0) throw new WrongInput(`no such case file: ${unknown.join(', ')}; known: ${names.join(', ')}`);
  const fixtures = readFixtures(join(folder, 'fixtures.json'));
  const files = names.map((feature) => ({ feature, rows: readRows(folder, feature, fixtures) }));
  const ids = files.flatMap(({ rows }) => rows.map(({ id }) => id));
  const twice = ids.filter((id, at) => ids.indexOf(id) < at);
  if (twice.length > 0) throw new WrongInput(`the same id twice: ${[...new Set(twice)].join(', ')}`);
  return files.filter(({ feature }) => only.length === 0 || only.includes(feature));
}

/** The rows with the rulings that the product's own cases give to the same ones: same id, same input, same expectation. */
export function ruledAsOurs(files: readonly CaseFile[], ours: readonly CaseFile[]): readonly CaseFile[] {
  const keyOf = ({ id, input, expected }: Row): string => JSON.stringify([id, input, expected]);
  const rulings = new Map(ours.flatMap(({ rows }) => rows.map((row) => [keyOf(row), row.supersededBy] as const)));
  return files.map(({ feature, rows }) => ({
    feature,
    rows: rows.map((row) => ({ ...row, supersededBy: row.supersededBy ?? rulings.get(keyOf(row)) })),
  }));
}

function readFixtures(file: string): Facts {
  if (!existsSync(file)) return {};
  const fixtures = parse(readFileSync(file, 'utf8'), file);
  if (!isFacts(fixtures)) throw new WrongInput(`${file} holds no JSON object`);
  return fixtures;
}

function readRows(folder: string, feature: string, fixtures: Facts): Row[] {
  const file = join(folder, `${feature}.jsonl`);
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : [readRow(line, `${file}:${String(at + 1)}`, feature, fixtures)]));
}

function readRow(line: string, place: string, feature: string, fixtures: Facts): Row {
  const row = parse(line, place);
  if (!isFacts(row)) throw new WrongInput(`${place}: no JSON object`);
  const { id, input, expected, superseded_by: supersededBy, maps_to: mapsTo } = row;
  if (typeof id !== 'string' || !id.startsWith(`${feature}-`))
    throw new WrongInput(`${place}: id must be a text that starts with ${feature}-`);
  if (row['feature'] !== feature) throw new WrongInput(`${place}: feature must be ${feature}, as the file is called`);
  if (input === undefined) throw new WrongInput(`${place}: there is no input`);
  if (!isFacts(expected)) throw new WrongInput(`${place}: expected must be an object`);
  if (mapsTo !== undefined && (typeof mapsTo !== 'string' || !/^(?:refused|accepted|trips:\w+)$/.test(mapsTo)))
    throw new WrongInput(`${place}: maps_to must be refused, accepted or trips:<breaker>`);
  return {
    id,
    input: isFacts(input) ? input : { value: input },
    fixtures,
    expected: mapsTo === undefined ? expected : { answer: mapsTo },
    supersededBy: typeof supersededBy === 'string' ? supersededBy : undefined,
  };
}

function parse(text: string, place: string): unknown {
  try {
    return joined(JSON.parse(text));
  } catch (error) {
    throw new WrongInput(`${place}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Puts texts together that were written in pieces, `{"$join": […]}`. */
function joined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(joined);
  if (!isFacts(value)) return value;
  const pieces = value['$join'];
  if (Array.isArray(pieces)) return pieces.join('');
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, joined(inner)]));
}

export const isFacts = (value: unknown): value is Facts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// What is expected, held against what was observed.

/** Every expectation that does not hold, one sentence each. */
export function differences(expected: Facts, observed: Facts): string[] {
  return Object.entries(expected).flatMap(([key, wanted]) => {
    const { place, rule } = ruleOf(key, wanted, observed);
    const found = at(observed, place);
    if (RULES[rule](found, wanted, observed)) return [];
    return [`${key}: expected ${shown(wanted)}, observed ${shown(rule === 'nowhere' ? observed : found)}`];
  });
}

type Rule = 'same' | 'other' | 'holds' | 'lacks' | 'nowhere' | 'atLeast' | 'atMost' | 'below';

const RULES: Readonly<Record<Rule, (found: unknown, wanted: unknown, observed: Facts) => boolean>> = {
  same: isSame,
  other: (found, wanted) => listOf(wanted).every((one) => !isSame(found, one)),
  holds: (found, wanted) => listOf(wanted).every((one) => holds(found, one)),
  lacks: (found, wanted) => listOf(wanted).every((one) => !holds(found, one)),
  atLeast: (found, wanted) => Number(found) >= Number(wanted),
  atMost: (found, wanted) => Number(found) <= Number(wanted),
  below: (found, wanted) => Number(found) < Number(wanted),
  nowhere: (_, wanted, observed) => listOf(wanted).every((text) => !isAnywhere(observed, String(text))),
};

/** Lists of which all must be there, among others. */
const SUBSETS: ReadonlySet<string> = new Set([
  'exists',
  'contains',
  'archived',
  'kept',
  'mentions',
  'prints',
  'fields',
]);

/** Words for an answer that is any but this one. */
const ANY_BUT: ReadonlyMap<unknown, unknown> = new Map([['NOT_PASS_ALONE', 'PASS']]);

function ruleOf(key: string, wanted: unknown, observed: Facts): { readonly place: string; readonly rule: Rule } {
  if (key === 'absent') return { place: key, rule: 'nowhere' };
  if (key === 'must_not_create') return { place: 'created', rule: 'lacks' };
  if (SUBSETS.has(key) && (Array.isArray(wanted) || key === 'mentions' || key === 'contains'))
    return { place: key, rule: 'holds' };
  if (Object.hasOwn(observed, key)) return { place: key, rule: 'same' };
  const part = /^(.+?)(?:_contains|Contains|_includes?|_mentions)$/.exec(key)?.[1];
  if (part !== undefined) return { place: part, rule: 'holds' };
  const bound = /^(.+)_at_(least|most)$/.exec(key);
  if (bound?.[1] !== undefined) return { place: bound[1], rule: bound[2] === 'least' ? 'atLeast' : 'atMost' };
  const below = /^(.+)_below$/.exec(key)?.[1];
  if (below !== undefined) return { place: below, rule: 'below' };
  const not = /^(.+)_not$/.exec(key)?.[1] ?? /^not_(.+)$/.exec(key)?.[1];
  return not === undefined ? { place: key, rule: 'same' } : { place: not, rule: 'other' };
}

function at(observed: Facts, place: string): unknown {
  if (Object.hasOwn(observed, place)) return observed[place];
  return place
    .split('.')
    .reduce<unknown>(
      (value, step) => (typeof value === 'object' ? (value as Facts | null)?.[step] : undefined),
      observed,
    );
}

/** Equal in all that is named; null means that there is nothing. */
function isSame(found: unknown, wanted: unknown): boolean {
  if (wanted === null) return found === null || found === undefined;
  if (ANY_BUT.has(wanted)) return typeof found === 'string' && found !== ANY_BUT.get(wanted);
  if (Array.isArray(wanted))
    return (
      Array.isArray(found) && found.length === wanted.length && wanted.every((one, index) => isSame(found[index], one))
    );
  if (isFacts(wanted))
    return isFacts(found) && Object.entries(wanted).every(([key, one]) => isSame(at(found, key), one));
  return found === wanted;
}

function holds(found: unknown, one: unknown): boolean {
  if (typeof found === 'string') return found.toLowerCase().includes(String(one).toLowerCase());
  return Array.isArray(found) && found.some((item) => isSame(item, one));
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** In a text, or as the whole name of a file that exists: `a.json.lock` is not `a.json`. */
function isAnywhere({ exists, ...observed }: Facts, text: string): boolean {
  return listOf(exists).includes(text) || textsOf(observed).includes(text);
}

function textsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? Object.values(value).map(textsOf).join('\n') : '';
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
