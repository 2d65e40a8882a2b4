import { mkdir, rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { matchesGlobs } from '../../src/base/path-globs.ts';
import { detectGateTampering, type Side } from '../../src/rules/gate-tampering/detect-gate-tampering.ts';
import { COUNTED_KINDS } from '../../src/daemon/gates/measure-gates.ts';
import { findGateFiles, type GateFiles } from '../../src/rules/gate-tampering/gate-files.ts';
import { swapJudges, type RawFile, type SwappedJudges } from '../../src/rules/gate-tampering/swap-judges.ts';
import { isRunnerConfiguration } from '../../src/rules/gate-tampering/judging-files.ts';
import { isTestPath } from '../../src/rules/gate-tampering/test-paths.ts';
import { runIn } from './prove-label.ts';
import { baseOf, changedOf, gatesOf, writeTree, type JudgedChange, type Tree } from './two-judges.ts';

/** How andon takes a labelled change: sent back by what is counted, by what ran, or told to the judge; by nothing: let pass. */
export interface Taken {
  readonly counted: readonly string[];
  /** What is counted and only told to the judge. */
  readonly told: readonly string[];
  /** What the gates print with the old judges; undefined where they are green. */
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

function gateFilesFor(one: JudgedChange, base: Tree): GateFiles {
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
export async function askJudges(one: JudgedChange, folder: string): Promise<Taken> {
  const [base, changed] = [baseOf(one), changedOf(one)];
  const paths = [...new Set([...base.keys(), ...changed.keys()])].filter(
    (path) => JSON.stringify(base.get(path)) !== JSON.stringify(changed.get(path)),
  );
  const gateFiles = gateFilesFor(one, base);
  const allowed = one.contract.allow_test_changes ?? [];
  const named = new Set(one.contract.allowed_paths ?? []);
  const measured = detectGateTampering({
    files: paths.map((path) => ({ path, before: side(base, path), after: side(changed, path) })),
    gateFiles,
    isNamed: (path) => named.has(path),
    allowsTestLoss: false,
    digest,
  });
  const swapped = swapJudges({
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
  const { hasProduct, oldJudges, newJudges } = swapped;
  const old = hasProduct && oldJudges.length > 0 ? await run(written(changed, oldJudges)) : undefined;
  const asksNew = hasProduct && newJudges.some(({ path, content }) => content !== null && isTestPath(path));
  const idle = asksNew && (await run(written(base, newJudges))).isGreen;
  return {
    counted: measured.bends
      .filter(({ kind, consent }) => consent === undefined && !TOLD.has(kind))
      .map(({ kind, what }) => `${kind}: ${what}`),
    told: [
      ...measured.bends.filter(({ kind }) => TOLD.has(kind)).map(({ what }) => what),
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

function written(onto: Tree, writes: SwappedJudges['oldJudges']): Tree {
  const tree = new Map(onto);
  for (const { path, content } of writes)
    if (content === null) tree.delete(path);
    else tree.set(path, Buffer.from(content).toString());
  return tree;
}
