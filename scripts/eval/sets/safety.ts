import { readYaml } from '../../../src/base/strict-yaml.ts';
import { findMatches } from '../../../src/rules/matchers/find-matches.ts';
import { haystackOf } from '../../../src/base/haystack.ts';
import { compilePattern } from '../../../src/base/pattern.ts';
import { share, textOf, type DataSet, type Measured, type Row } from '../data-set.ts';
import { madeText } from '../made-text.ts';

/** Patterns that hold other engines up, and constructs that are refused. */
export const REGEX_SAFETY: DataSet = {
  name: 'regex-safety',
  measure: (rows, file) =>
    answered(
      rows.map((row) => timed(row, () => isPatternRight(row, file))),
      1000,
      '9.2 s native engine',
    ),
};

/** YAML files that other readers die of. */
export const YAML_HOSTILE: DataSet = {
  name: 'yaml-hostile',
  measure: (rows, file) =>
    answered(
      rows.map((row) => {
        const text = madeText(row);
        return timed(row, () => readYaml(text).ok === (textOf(row, 'expect', file) === 'parse'));
      }),
      200,
      'process death, 14 s, 18.9 s',
    ),
};

interface Answer {
  readonly row: Row;
  readonly isRight: boolean;
  readonly ms: number;
}

function isPatternRight(row: Row, file: string): boolean {
  const flags = typeof row['flags'] === 'string' && row['flags'] !== '' ? `(?${row['flags']})` : '';
  const made = compilePattern(`${flags}${textOf(row, 'pattern', file)}`);
  if (row['kind'] === 'dialect') return made.ok === row['accepted'];
  return made.ok && findMatches(made.value, haystackOf(madeText(row, 'input'))).spans.length > 0 === row['match'];
}

function timed(row: Row, ask: () => boolean): Answer {
  const began = process.cpuUsage();
  const isRight = ask();
  const { user, system } = process.cpuUsage(began);
  return { row, isRight, ms: (user + system) / 1000 };
}

function answered(answers: readonly Answer[], most: number, baseline: string): Measured {
  return {
    rows: answers.length,
    figures: [
      {
        name: 'right answers',
        value: share(answers.filter(({ isRight }) => isRight).length, answers.length),
        isShare: true,
        goal: { must: 'at least', limit: 1 },
      },
      {
        name: 'slowest, ms of CPU',
        value: Math.max(0, ...answers.map(({ ms }) => ms)),
        goal: { must: 'at most', limit: most },
        baseline,
      },
    ],
    misses: answers
      .filter(({ isRight }) => !isRight)
      .map(({ row }) => `${String(row['id'])}: ${String(row['pattern'] ?? row['name'])}`),
  };
}
