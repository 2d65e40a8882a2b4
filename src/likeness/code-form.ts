import { z } from 'zod';
import { lazy } from '../base/lazy.ts';
import { findLanguageFamily, tokenizeSource } from './code-tokens.ts';
import { splitUnits } from './code-units.ts';
import type { CodeUnit } from './read-code-unit.ts';
import { codeParts } from './code-parts.ts';
import { fingerprint } from '../base/fingerprint.ts';

/** An edit of a text that keeps its meaning. */
export type Disguise = 'spacing' | 'comments' | 'names' | 'order';

/** Hashes of a text, each ignoring more: spacing; comments too; names; order; both. */
export const formSchema = lazy(() =>
  z.strictObject({
    spacing: z.string(),
    comments: z.string(),
    names: z.string(),
    order: z.string(),
    both: z.string(),
    // So that a requested name is known.
    own: z.array(z.string()).describe('Prints of the names that the file introduces.'),
    // The following is missing in journals of an older version.
    shape: z.string().optional().describe('Print of the form alone, blind to every name.'),
    imports: z.string().optional().describe('Print of the imports, in any turn.'),
    called: z
      .array(z.string())
      .optional()
      .describe('Prints of all names in their turn; `+` behind one that comes again.'),
    parts: z.string().optional().describe('Print that is blind to every name and to the turn of declarations.'),
    met: z
      .array(z.string())
      .optional()
      .describe(
        'Prints of all names in a turn of their own; `+` behind one that comes again, `!` behind one from elsewhere.',
      ),
  }),
);
type CodeForms = Readonly<z.infer<ReturnType<typeof formSchema>>>;

/** Rounds in which names learn their identity from the units around them; three are enough in practice. */
const ROUNDS = 3;
/** Enclosing conditions and loops in which the order of a unit counts; deeper ones are ignored. */
const MOST_AROUND = 12;
/** Kept names of one text. */
const KEPT_NAMES = 100;
/** Kept names of one text in order; the first ones of a longer text are enough. */
const KEPT_CALLED = 200;
/** Fewer renamed names may be a correction of a wrong one. */
const RENAMED_AT_LEAST = 3;
/** This share of the changed names occurs more than once: a corrected value occurs once. */
const RENAMED_THROUGHOUT = 0.6;

/** The forms of one text; generic tokens for every kind of text, no language parser. */
export function computeForms(path: string, text: string): CodeForms {
  const family = findLanguageFamily(path);
  const all = tokenizeSource(text, family);
  const code = all.filter(({ kind }) => kind !== 'comment');
  const units = splitUnits(code, family);
  const foreign = new Set(units.flatMap((unit) => unit.foreign));
  const own = new Set(units.flatMap(({ declares }) => [...declares]).filter((name) => !foreign.has(name)));
  const withComments = splitUnits(all, family);
  return {
    spacing: inTurn(withComments, new Set()),
    comments: inTurn(units, new Set()),
    names: inTurn(units, own),
    order: inAnyTurn(units, new Set()),
    both: inAnyTurn(units, own),
    own: [...own].slice(0, KEPT_NAMES).map(fingerprint),
    ...shapeOf(units),
    ...codeParts(units),
  };
}

/** The structure of a text: which names are equal, independent of the names themselves. */
function shapeOf(units: readonly CodeUnit[]): Required<Pick<CodeForms, 'shape' | 'called' | 'imports'>> {
  const times = new Map<string, { readonly number: number; count: number }>();
  const imports = new Set<number>();
  const number = (mentioned: string): string => {
    const name = mentioned.replace(/:$/, '');
    const known = times.get(name) ?? { number: times.size, count: 0 };
    known.count += 1;
    times.set(name, known);
    return `\u0001${known.number}`;
  };
  const words = units.flatMap((unit, at) => {
    const isImport = unit.imports || (unit.parent !== undefined && imports.has(unit.parent));
    if (isImport) imports.add(at);
    return isImport ? [] : [`${at - (unit.parent ?? at)}\u0003${inWords(unit, EVERY, number)}`];
  });
  const called = [...times]
    .slice(0, KEPT_CALLED)
    .map(([name, { count }]) => `${fingerprint(name)}${count > 1 ? '+' : ''}`);
  const imported = units.flatMap((unit, at) => (imports.has(at) ? [inAnyTurnInside(unit.words)] : [])).toSorted();
  return { shape: fingerprint(words.join('\u0002')), called, imports: fingerprint(imported.join('\u0002')) };
}

/** The order of names in an import list does not count. */
function inAnyTurnInside(words: readonly string[]): string {
  const [from, to] = [words.indexOf('('), words.lastIndexOf(')')];
  if (from === -1 || to < from) return words.join(' ');
  return [...words.slice(0, from), ...words.slice(from, to).toSorted(), ...words.slice(to)].join(' ');
}

const EVERY: Pick<ReadonlySet<string>, 'has'> = { has: () => true };

/** The weakest disguise that makes two texts equal; undefined when they differ in more. */
export function findDisguise(now: CodeForms, before: CodeForms): readonly Disguise[] | undefined {
  if (now.spacing === before.spacing) return ['spacing'];
  if (now.comments === before.comments) return ['comments'];
  if (now.names === before.names) return ['names'];
  if (now.order === before.order) return ['order'];
  if (now.both === before.both) return ['names', 'order'];
  if (now.shape !== undefined && now.shape === before.shape) {
    const changed = (now.called ?? []).filter((name, at) => name !== before.called?.[at]);
    if (changed.length === 0) return now.imports === before.imports ? ['order'] : undefined;
    return isRenaming(changed) && newNames(now, before) ? ['names'] : undefined;
  }
  return sameParts(now, before);
}

/** The same declarations in another order, under the same names or under new ones of their own. */
function sameParts(now: CodeForms, before: CodeForms): readonly Disguise[] | undefined {
  if (now.parts === undefined || now.parts !== before.parts || now.imports !== before.imports) return undefined;
  const changed = (now.met ?? []).filter((name, at) => name !== before.met?.[at]);
  if (changed.length === 0) return ['order'];
  return isRenaming(changed) && newNames(now, before) ? ['names', 'order'] : undefined;
}

/** Whether all differing names are own and new; otherwise the change fixes a mix-up. */
function newNames(now: CodeForms, before: CodeForms): boolean {
  const [mine, theirs] = [now.met ?? [], before.met ?? []];
  const bare = (name: string): string => name.replace(/[+!]+$/, '');
  const known = new Set(theirs.map(bare));
  return mine.every((name, at) => {
    const was = theirs[at] ?? '';
    return name === was || !(name.endsWith('!') || was.endsWith('!') || known.has(bare(name)));
  });
}

/** Several names, and each throughout: correcting a single wrong name is no disguise. */
function isRenaming(changed: readonly string[]): boolean {
  const throughout = changed.filter((name) => name.includes('+')).length;
  return throughout >= RENAMED_AT_LEAST && throughout >= RENAMED_THROUGHOUT * changed.length;
}

/**
 * The units in order; each renameable name is the number of its first mention. Names local to a top-level block are
 * numbered within it.
 */
function inTurn(units: readonly CodeUnit[], own: ReadonlySet<string>): string {
  const numbers = new Map<string, number>();
  const shared = new Set(
    units.flatMap(({ parent, declares, parameters }) =>
      parent === undefined ? [...declares].filter((name) => !parameters.has(name)) : [],
    ),
  );
  const tops: number[] = [];
  const inUnit = (unit: CodeUnit, at: number): string => {
    const top = unit.parent === undefined ? at : (tops[unit.parent] ?? at);
    tops.push(top);
    const number = (name: string): string => {
      const key = shared.has(name) ? name : `${name}\u0003${top}`;
      const known = numbers.get(key) ?? numbers.size;
      numbers.set(key, known);
      return `\u0001${known}`;
    };
    return `${unit.parent ?? ''}\u0003${inWords(unit, own, number)}`;
  };
  return fingerprint(units.map(inUnit).join('\u0002'));
}

/**
 * The units in a canonical order: as a multiset, each with its block. Units keep their order where it matters: per
 * name, those between two writes of it; all that have effects. A renameable name is identified by its places.
 */
function inAnyTurn(units: readonly CodeUnit[], own: ReadonlySet<string>): string {
  let colours = new Map<string, string>([...own].map((name) => [name, '']));
  let prints: readonly string[] = [];
  let places: ReadonlyMap<string, string> = new Map();
  for (let round = 0; round < ROUNDS; round += 1) {
    const colour = (name: string): string => `\u0001${colours.get(name) ?? ''}`;
    const found: string[] = [];
    for (const unit of units)
      found.push(
        fingerprint(`${unit.parent === undefined ? '' : found[unit.parent]}\u0003${inWords(unit, own, colour)}`),
      );
    prints = found;
    places = sequences(units, prints);
    colours = new Map([...own].map((name) => [name, fingerprint(places.get(name) ?? '')]));
  }
  const turns = [...places].map(([name, turn]) => `${own.has(name) ? '' : name}\u0003${turn}`);
  return fingerprint([...prints.toSorted(), ...turns.toSorted()].join('\u0002'));
}

/**
 * Every name, in every block, with the units that mention it; units between two writes of it may change places. The
 * content of a condition or loop counts in the blocks around it; that of a routine runs when it is called.
 */
function sequences(units: readonly CodeUnit[], prints: readonly string[]): ReadonlyMap<string, string> {
  const turns = new Map<string, Map<string, string[][]>>();
  const add = (name: string, block: string, word: string, writes: boolean): void => {
    const blocks = turns.get(name) ?? new Map<string, string[][]>();
    const groups = blocks.get(block) ?? [[]];
    if (writes) groups.push([word], []);
    else groups.at(-1)?.push(word);
    blocks.set(block, groups);
    turns.set(name, blocks);
  };
  units.forEach((unit, index) => {
    const print = prints[index] ?? '';
    const names = Map.groupBy(unit.mentions, ({ name }) => name);
    const around = blocksAround(units, unit, prints);
    for (const [name, mentions] of names) {
      const word = `${print}@${mentions.map(({ at }) => at).join(',')}`;
      const blocks = unit.parameters.has(name) ? [print] : around;
      for (const block of blocks) add(name, block, word, unit.writes.has(name));
    }
    if (unit.acts) add('\u0004', unit.parent === undefined ? '' : (prints[unit.parent] ?? ''), print, true);
  });
  return new Map([...turns].map(([name, blocks]) => [name, [...blocks].map(inBlock).toSorted().join('/')]));
}

const inBlock = ([block, groups]: readonly [string, readonly (readonly string[])[]]): string =>
  `${block}=${groups.map((group) => group.toSorted().join(' ')).join('|')}`;

function blocksAround(units: readonly CodeUnit[], unit: CodeUnit, prints: readonly string[]): readonly string[] {
  const blocks: string[] = [];
  for (let at = unit.parent; ; at = units[at]?.parent) {
    blocks.push(at === undefined ? '' : (prints[at] ?? ''));
    if (at === undefined || units[at]?.acts !== true || blocks.length === MOST_AROUND) return blocks;
  }
}

function inWords(unit: CodeUnit, own: Pick<ReadonlySet<string>, 'has'>, as: (name: string) => string): string {
  const mentioned = new Map(unit.mentions.map(({ at, name }) => [at, name]));
  return unit.words
    .map((word, at) => {
      const name = mentioned.get(at);
      return name !== undefined && own.has(name) ? as(name) : word;
    })
    .join(' ');
}
