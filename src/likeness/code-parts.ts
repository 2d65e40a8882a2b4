import { fingerprint } from '../base/fingerprint.ts';
import { listIntroducedNames } from './introduced-names.ts';
import { setOf } from './read-code-unit.ts';
import type { CodeUnit } from './read-code-unit.ts';

/** The structure of a text: independent of names and of the order of declarations. */
export interface Parts {
  readonly parts: string;
  /** Hashes of all names in a canonical order; `+`: repeated, `!`: external. */
  readonly met: string[];
}

/** Rounds in which names learn their identity from the units around them. */
const ROUNDS = 3;
/** Kept names of one text. */
const KEPT_NAMES = 200;

const TYPES = setOf('struct class interface enum trait impl type record module namespace object protocol extension');
const ROUTINES = setOf('def fn func fun function sub');
const DECIDING = setOf(
  'if else elif unless while until for foreach do try catch except finally with switch case match',
);
/** A label that applies to everything after it in its block. */
const SECTION = setOf('private public protected');

/**
 * `free`: a routine or a type, which may move among its neighbours; `value`: a name gets a value, in order; `act`: an
 * effect, which nothing may cross.
 */
type Kind = 'free' | 'value' | 'act' | 'import';

/** The parts of a text: two texts have the same ones when moving declarations and renaming turns one into the other. */
export function codeParts(units: readonly CodeUnit[]): Parts {
  const kids = Map.groupBy(units.keys(), (at) => units[at]?.parent);
  const kinds = kindsOf(units, kids);
  const text: Text = { units, kids, kinds, keys: keysOf(units, kinds) };
  let prints = printsOf(text, new Map());
  for (let round = 0; round < ROUNDS; round += 1) prints = printsOf(text, coloursOf(text, prints));
  return numbered(text, prints);
}

type Kids = ReadonlyMap<number | undefined, readonly number[]>;

/** The units of a text with their tokens and kinds, and its names. */
interface Text {
  readonly units: readonly CodeUnit[];
  readonly kids: Kids;
  readonly kinds: readonly Kind[];
  readonly keys: readonly ReadonlyMap<number, string>[];
}

/** The kind of each unit for its neighbours. */
function kindsOf(units: readonly CodeUnit[], kids: Kids): readonly Kind[] {
  const kinds: Kind[] = [];
  const holdsMembers = (at: number | undefined): boolean => at === undefined || isType(units[at]);
  units.forEach((unit, at) => {
    const opens = kids.has(at);
    const [first = ''] = unit.words;
    const isImport = unit.imports || (unit.parent !== undefined && kinds[unit.parent] === 'import');
    if (isImport) kinds.push('import');
    else if (holdsMembers(unit.parent) && isDeclaration(unit, opens)) kinds.push('free');
    else if (unit.parent !== undefined && isType(units[unit.parent]))
      kinds.push(SECTION.has(first) && unit.words.length < 3 ? 'act' : 'value');
    else kinds.push(unit.acts ? 'act' : 'value');
  });
  return kinds;
}

function isDeclaration(unit: CodeUnit, opens: boolean): boolean {
  const head = unit.words.slice(0, 6);
  if (DECIDING.has(unit.words[0] ?? '')) return false;
  if (opens) return head.some((word) => TYPES.has(word) || ROUTINES.has(word)) || (!unit.acts && !head.includes('='));
  // A constant made of nothing else, or a routine.
  const made = unit.mentions.filter(({ name }) => !unit.writes.has(name));
  return !unit.acts && unit.writes.size > 0 && (made.length === 0 || isArrow(unit));
}

const isArrow = ({ words }: CodeUnit): boolean => words.some((word, at) => word === '=' && words[at + 1] === '>');
const isType = (unit: CodeUnit | undefined): boolean =>
  unit !== undefined && unit.words.slice(0, 6).some((word) => TYPES.has(word)) && !unit.words.includes('=');

/**
 * Per unit the key of each mentioned name: a name local to a top-level declaration differs from the same name
 * elsewhere.
 */
function keysOf(units: readonly CodeUnit[], kinds: readonly Kind[]): readonly ReadonlyMap<number, string>[] {
  const tops: number[] = [];
  units.forEach(({ parent }, at) => tops.push(parent === undefined ? at : (tops[parent] ?? at)));
  const shared = new Set<string>();
  const own = new Map<number, Set<string>>();
  units.forEach((unit, at) => {
    const top = tops[at] ?? at;
    const mine = own.get(top) ?? new Set<string>();
    own.set(top, mine);
    for (const name of unit.declares) {
      const isLocal = kinds[top] === 'free' && (unit.parent !== undefined || unit.parameters.has(name));
      (isLocal && !name.startsWith('.') ? mine : shared).add(name);
    }
  });
  return units.map(
    (unit, at) =>
      new Map(
        unit.mentions.map((mention) => {
          const name = mention.name.replace(/:$/, '');
          const top = tops[at] ?? at;
          const isLocal = own.get(top)?.has(name) === true && !shared.has(name);
          return [mention.at, isLocal ? `${name}\u0003${top}` : name];
        }),
      ),
  );
}

/** The hash of every unit with its content; computed backwards, so that the content is known. */
function printsOf({ units, kids, kinds, keys }: Text, colours: ReadonlyMap<string, string>): readonly string[] {
  const prints: string[] = Array.from({ length: units.length }, () => '');
  for (let at = units.length - 1; at >= 0; at -= 1) {
    const words = (units[at]?.words ?? []).map((word, place) => {
      const key = keys[at]?.get(place);
      return key === undefined ? word : `\u0001${colours.get(key) ?? ''}`;
    });
    const inside = inOrder(kids.get(at) ?? [], kinds, prints).map((kid) => `${kinds[kid]}${prints[kid]}`);
    prints[at] = fingerprint(`${words.join(' ')}\u0002${inside.join('\u0002')}`);
  }
  return prints;
}

/** The identity of a name: the units that mention it, at which place, and the blocks of these. */
function coloursOf({ units, kinds, keys }: Text, prints: readonly string[]): ReadonlyMap<string, string> {
  const above: string[] = [];
  const found = new Map<string, string[]>();
  units.forEach((unit, at) => {
    above.push(fingerprint(`${unit.parent === undefined ? '' : above[unit.parent]}\u0003${prints[at]}`));
    if (kinds[at] === 'import') return;
    for (const [place, key] of keys[at] ?? []) {
      const places = found.get(key) ?? [];
      places.push(`${above[at]}@${place}`);
      found.set(key, places);
    }
  });
  return new Map([...found].map(([key, places]) => [key, fingerprint(places.toSorted().join(' '))]));
}

/** Siblings in comparison order: free ones between two effects by hash, all others in place. */
function inOrder(siblings: readonly number[], kinds: readonly Kind[], prints: readonly string[]): readonly number[] {
  const done: number[] = [];
  let free: number[] = [];
  let values: number[] = [];
  const finish = (): void => {
    const print = (at: number): string => prints[at] ?? '';
    done.push(...free.toSorted((a, b) => (print(a) < print(b) ? -1 : print(a) > print(b) ? 1 : 0)), ...values);
    [free, values] = [[], []];
  };
  for (const at of siblings) {
    const kind = kinds[at];
    if (kind === 'import') continue;
    if (kind === 'free') free.push(at);
    else if (kind === 'value') values.push(at);
    else {
      finish();
      done.push(at);
    }
  }
  finish();
  return done;
}

/** The text in that order, each name by the number of its first mention. */
function numbered({ units, kids, kinds, keys }: Text, prints: readonly string[]): Parts {
  const times = new Map<string, { readonly number: number; count: number }>();
  const words: string[] = [];
  const left = inOrder(kids.get(undefined) ?? [], kinds, prints)
    .map((at) => ({ at, depth: 0 }))
    .toReversed();
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { at, depth } = next;
    const said = (units[at]?.words ?? []).map((word, place) => {
      const key = keys[at]?.get(place);
      if (key === undefined) return word;
      const known = times.get(key) ?? { number: times.size, count: 0 };
      known.count += 1;
      times.set(key, known);
      return `\u0001${known.number}`;
    });
    words.push(`${depth}\u0003${said.join(' ')}`);
    const inside = inOrder(kids.get(at) ?? [], kinds, prints);
    for (const kid of inside.toReversed()) left.push({ at: kid, depth: depth + 1 });
  }
  const introduced = listIntroducedNames(units, kids);
  const met = [...times].slice(0, KEPT_NAMES).map(([key, { count }]) => {
    const [name = ''] = key.split('\u0003');
    return `${fingerprint(name)}${count > 1 ? '+' : ''}${introduced.has(name) ? '' : '!'}`;
  });
  return { parts: fingerprint(words.join('\u0002')), met };
}
