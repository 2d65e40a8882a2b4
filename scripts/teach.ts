import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { UNIT } from '../src/rules/guards/second-opinion.ts';
import type { Head } from '../src/rules/guards/second-opinion.ts';
import { learn } from './teach/learn.ts';
import { hashOf, taughtRows } from './teach/rows.ts';
import { tellUnseen } from './teach/unseen.ts';

const TABLE = join(import.meta.dirname, '../src/rules/guards/words/second-opinion.json');

/**
 * Learns the second opinion of the message guards anew from the rows that lie in `test/corpora/taught` and writes its
 * table. With `--unseen` it writes nothing: each file is measured by what is learned from all the others.
 */
function main(args: readonly string[]): void {
  const rows = taughtRows();
  if (args.includes('--unseen')) return tellUnseen(rows);
  const { empty, approves, bare } = learn(rows);
  const table = { rows: hashOf(rows), empty: asData(empty), approves: asData(approves), bare: asData(bare) };
  writeFileSync(TABLE, `${JSON.stringify(table, null, 2)}\n`);
  process.stdout.write(`learned from ${rows.length} texts; written: ${relative(process.cwd(), TABLE)}\n`);
}

/** Features by their weight in units. */
function asData({ bias, shown, weights }: Head): object {
  const byWeight = [...Map.groupBy(weights, ([, weight]) => Math.round(weight / UNIT))]
    .toSorted(([one], [other]) => one - other)
    .map(
      ([weight, features]) =>
        [
          `${weight}`,
          features
            .map(([feature]) => feature.toString(36))
            .toSorted()
            .join(' '),
        ] as const,
    );
  return { bias: rounded(bias), shown: rounded(shown), weights: Object.fromEntries(byWeight) };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

main(process.argv.slice(2));
