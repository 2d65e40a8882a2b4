import { mkdir, rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { matchesGlobs } from '../../src/base/path-globs.ts';
import { detectWeakening, type Side } from '../../src/rules/weakened-gates/detect-weakening.ts';
import { COUNTED_KINDS } from '../../src/line/gates/measure-gates.ts';
import { findGateFiles, type GateFiles } from '../../src/rules/weakened-gates/gate-files.ts';
import { swapChecks, type RawFile, type SwappedChecks } from '../../src/rules/weakened-gates/swap-checks.ts';
import { isRunnerConfiguration } from '../../src/rules/weakened-gates/check-files.ts';
import { isTestPath } from '../../src/rules/weakened-gates/test-paths.ts';
import { runIn } from './prove-label.ts';
import { baseOf, changedOf, gatesOf, writeTree, type LabelledChange, type Tree } from './labelled-changes.ts';

/** How andon takes a labelled change: sent back by what is counted, by what ran, or reported to the judge; by nothing: let pass. */
export interface Taken {
  readonly counted: readonly string[];
  /** What is counted and only reported to the judge. */
  readonly told: readonly string[];
  /** What the gates print with the check files of the base; undefined where they are green. */
  readonly red: string | undefined;
  /** The gates are green with the change's tests and without its product. */
  readonly isIdle: boolean;
}

const TOLD: ReadonlySet<string> = COUNTED_KINDS;
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const textOf = (tree: Tree, path: string): string | undefined => {
  const entry = tree.get(path);
  return typeof entry === 'string' ? entry : undefined;
};

function gateFilesFor(one: LabelledChange, base: Tree): GateFiles {
  const paths = new Set(base.keys());
  const configurations = [...paths].filter(isRunnerConfiguration);
  const texts = new Map<string, string>();
  const commands = gatesOf(one).map(({ run }) => run);
  for (;;) {
    const { gateFiles, wanted } = findGateFiles(commands, { paths, texts, configurations });
    const more = wanted.filter((path) => paths.has(path));
    if (more.length === 0) return gateFiles;
    for (const path of more) texts.set(path, textOf(base, path) ?? '');
  }
}

/** Runs the gates of a labelled change as andon does, twice; `folder` is emptied. */
export async function lookTwice(one: LabelledChange, folder: string): Promise<Taken> {
  const [base, changed] = [baseOf(one), changedOf(one)];
  const paths = [...new Set([...base.keys(), ...changed.keys()])].filter(
    (path) => JSON.stringify(base.get(path)) !== JSON.stringify(changed.get(path)),
  );
  const gateFiles = gateFilesFor(one, base);
  const allowed = one.contract.allow_test_changes ?? [];
  const named = new Set(one.contract.allowed_paths ?? []);
  const measured = detectWeakening({
    files: paths.map((path) => ({ path, before: side(base, path), after: side(changed, path) })),
    gateFiles,
    isNamed: (path) => named.has(path),
    allowsTestLoss: false,
    digest,
  });
  const swapped = swapChecks({
    files: paths.map((path) => ({ path, before: raw(base, path), after: raw(changed, path) })),
    renames: Object.entries(one.change).flatMap(([to, change]) =>
      typeof change === 'object' && change !== null && 'from' in change && change.from !== undefined
        ? [{ from: change.from, to }]
        : [],
    ),
    gateFiles,
    isAllowed: (path) => matchesGlobs(path, allowed),
  });
  const run = async (tree: Tree): Promise<{ readonly isGreen: boolean; readonly output: string }> => {
    const at = join(folder, 'tree');
    const home = join(folder, 'home');
    await mkdir(home, { recursive: true });
    await writeTree(tree, at);
    let output = '';
    let isGreen = true;
    for (const { run: command } of gatesOf(one)) {
      const ran = await runIn(at, home, command);
      output += ran.output;
      isGreen &&= ran.isGreen;
    }
    await rm(folder, { recursive: true, force: true });
    return { isGreen, output };
  };
  const { hasProduct, baseChecks, changeChecks } = swapped;
  const old = hasProduct && baseChecks.length > 0 ? await run(written(changed, baseChecks)) : undefined;
  const asksNew = hasProduct && changeChecks.some(({ path, content }) => content !== null && isTestPath(path));
  const idle = asksNew && (await run(written(base, changeChecks))).isGreen;
  return {
    counted: measured.weakenings
      .filter(({ kind, consent }) => consent === undefined && !TOLD.has(kind))
      .map(({ kind, what }) => `${kind}: ${what}`),
    told: [
      ...measured.weakenings.filter(({ kind }) => TOLD.has(kind)).map(({ what }) => what),
      ...measured.notes.filter((note) => note.startsWith('a checker is silenced')),
    ],
    red: old?.isGreen === false ? old.output : undefined,
    isIdle: idle,
  };
}

function side(tree: Tree, path: string): Side | undefined {
  const entry = tree.get(path);
  if (entry === undefined) return undefined;
  return typeof entry === 'string'
    ? { oid: digest(entry), text: entry }
    : { oid: digest(entry.link), unread: 'it is a link' };
}

function raw(tree: Tree, path: string): RawFile | undefined {
  const entry = tree.get(path);
  if (entry === undefined) return undefined;
  if (typeof entry !== 'string') return { mode: '120000', bytes: Buffer.from(entry.link) };
  return { mode: entry.startsWith('#!') ? '100755' : '100644', bytes: Buffer.from(entry) };
}

function written(onto: Tree, writes: SwappedChecks['baseChecks']): Tree {
  const tree = new Map(onto);
  for (const { path, content } of writes)
    if (content === null) tree.delete(path);
    else tree.set(path, Buffer.from(content).toString());
  return tree;
}
