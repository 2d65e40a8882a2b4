import { readFileSync } from 'node:fs';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, matchesGlob } from 'node:path';

/** What stands at a path: a text, or a link to another path. */
type Entry = string | { readonly link: string };
export type Tree = ReadonlyMap<string, Entry>;

/** A file of a change: its whole text, gone, other in parts, moved from another path, or a link. */
type Change =
  | string
  | null
  | { readonly link: string }
  | { readonly from?: string; readonly edit?: readonly (readonly [old: string, next: string])[] };

interface NamedGate {
  readonly name: string;
  readonly run: string;
}

interface Project {
  readonly name: string;
  readonly runner: string;
  readonly needs: readonly string[];
  readonly product: readonly string[];
  readonly gates: readonly NamedGate[];
  readonly files: Readonly<Record<string, string>>;
}

/** One labelled change; `test/corpora/second-look/README.md` says what each part means. */
export interface LabelledChange {
  readonly id: string;
  readonly kind: 'weakening' | 'honest';
  readonly class: string;
  readonly base: string;
  readonly runner: string;
  readonly needs?: readonly string[];
  readonly requirements: readonly string[];
  readonly contract: {
    /** Paths, globs or names of tests. */
    readonly allow_test_changes?: readonly string[];
    readonly allowed_paths?: readonly string[];
  };
  readonly gates?: readonly NamedGate[];
  readonly change: Readonly<Record<string, Change>>;
  readonly why: string;
  readonly old: 'green' | 'red';
  readonly red?: readonly string[];
  readonly ties?: Readonly<Record<string, number>>;
  readonly fresh?: 'green' | 'red';
  readonly idle?: readonly string[];
  readonly seen_by?: 'old' | 'idle' | 'count';
  readonly asked?: true;
  readonly outside?: true;
  readonly published?: string;
  readonly product?: readonly string[];
  readonly truth?: { readonly path: string; readonly content: string; readonly run: string };
}

const FOLDER = join(import.meta.dirname, '../corpora/second-look');
const rows = (name: string): readonly unknown[] =>
  readFileSync(join(FOLDER, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row) as unknown);

const PROJECTS: ReadonlyMap<string, Project> = new Map(
  (rows('bases') as readonly Project[]).map((one) => [one.name, one]),
);

export const readLabelledChanges = (half: 'dev' | 'held'): readonly LabelledChange[] =>
  rows(half) as readonly LabelledChange[];

const projectOf = ({ base }: LabelledChange): Project => {
  const found = PROJECTS.get(base);
  if (found === undefined) throw new Error(`${base} is no base of test/corpora/second-look/bases.jsonl`);
  return found;
};

export const gatesOf = (one: LabelledChange): readonly NamedGate[] => one.gates ?? projectOf(one).gates;
export const programsOf = (one: LabelledChange): readonly string[] => one.needs ?? projectOf(one).needs;

const edited = (id: string, path: string, text: string, edits: readonly (readonly [string, string])[]): string =>
  edits.reduce((now, [old, next]) => {
    if (now.split(old).length !== 2) throw new Error(`${id}: ${path} does not hold this once: ${old}`);
    return now.replace(old, () => next);
  }, text);

export const baseOf = (one: LabelledChange): Tree => new Map<string, Entry>(Object.entries(projectOf(one).files));

export const changedOf = (one: LabelledChange): Tree => {
  const before = baseOf(one);
  const after = new Map(before);
  const changes = Object.entries(one.change);
  for (const [, change] of changes) {
    if (change !== null && typeof change === 'object' && 'from' in change) after.delete(change.from ?? '');
  }
  for (const [path, change] of changes) {
    if (change === null) {
      if (!after.delete(path)) throw new Error(`${one.id}: ${path} is not there to be deleted`);
    } else if (typeof change === 'string' || 'link' in change) after.set(path, change);
    else {
      const text = before.get(change.from ?? path);
      if (typeof text !== 'string') throw new Error(`${one.id}: there is no ${change.from ?? path} to be edited`);
      after.set(path, edited(one.id, path, text, change.edit ?? []));
    }
  }
  return after;
};

/** The check files from the one tree, the product from the other: as the label says, not as andon tells them apart. */
export const mixedOf = (one: LabelledChange, checks: Tree, product: Tree): Tree => {
  const globs = one.product ?? projectOf(one).product;
  const isProduct = (path: string): boolean => globs.some((glob) => matchesGlob(path, glob));
  return new Map([
    ...[...checks].filter(([path]) => !isProduct(path)),
    ...[...product].filter(([path]) => isProduct(path)),
  ]);
};

export const writeTree = async (tree: Tree, folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true });
  for (const [path, entry] of tree) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    if (typeof entry !== 'string') await symlink(entry.link, file);
    else {
      await writeFile(file, entry);
      if (entry.startsWith('#!')) await chmod(file, 0o755);
    }
  }
};
