import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { WrongData, findSet, readRows, type DataSet } from './eval/data-set.ts';
import { SETS } from './eval/sets/index.ts';
import { isReached, tableOf, type Outcome } from './eval/table.ts';

const OWN = join(import.meta.dirname, '../test/corpora');

/** Measures the data sets of a folder (`npm run eval -- [set…] [--misses]`, `ANDON_CORPORA=<folder>`) and holds each figure to its goal. */
async function main(args: readonly string[]): Promise<number> {
  const only = args.filter((arg) => !arg.startsWith('--'));
  const folder = folderOf(process.env);
  const unknown = only.filter((name) => SETS.every((set) => !isNamed(set, [name])));
  if (unknown.length > 0) throw new WrongData(`no such set: ${unknown.join(', ')}; known: ${NAMES.join(', ')}`);
  const outcomes: Outcome[] = [];
  for (const set of SETS) {
    const { name, measure, made } = set;
    if (made === true) {
      if (isNamed(set, only) || (only.length === 0 && folder === OWN))
        outcomes.push({ name, measured: await measure([], '') });
      continue;
    }
    const file = only.length === 0 || isNamed(set, only) ? findSet(folder, name) : undefined;
    if (file === undefined && only.includes(name))
      throw new WrongData(
        `${folder} does not hold ${name}.jsonl: name another set, or another folder by ANDON_CORPORA`,
      );
    if (file !== undefined) outcomes.push({ name, measured: await measure(readRows(file), file) });
  }
  if (outcomes.length === 0)
    throw new WrongData(
      `${folder} holds none of the known sets: ${SETS.map(({ name }) => `${name}.jsonl`).join(', ')}`,
    );
  process.stdout.write(tableOf(outcomes));
  if (args.includes('--misses')) for (const outcome of outcomes) tellMisses(outcome);
  return outcomes.every(({ measured }) => measured.figures.every(isReached)) ? 0 : 1;
}

const isNamed = ({ name, group }: DataSet, only: readonly string[]): boolean =>
  only.includes(name) || (group !== undefined && only.includes(group));

const NAMES = [...new Set(SETS.flatMap(({ name, group }) => [name, ...(group === undefined ? [] : [group])]))];

function folderOf(env: NodeJS.ProcessEnv): string {
  const named = env['ANDON_CORPORA'];
  const folder = named === undefined || named === '' ? OWN : resolve(env['ANDON_CWD'] ?? process.cwd(), named);
  if (!existsSync(folder))
    throw new WrongData(`${folder} is no folder; ANDON_CORPORA must name one that holds data sets`);
  return folder;
}

function tellMisses({ name, measured }: Outcome): void {
  for (const miss of measured.misses) process.stdout.write(`${name} ${miss}\n`);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof WrongData)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
