import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compileExpression } from '../../../src/rules/expressions/compile-expression.ts';
import { valueFrom, type Value } from '../../../src/rules/expressions/value.ts';
import { WrongData, share, textOf, type DataSet, type Measured, type Row } from '../data-set.ts';
import { madeText } from '../made-text.ts';

/** Expressions with the truth value that the real simpleeval gives, or that it raises. */
export const EXPRESSION_PARITY: DataSet = parity('expression-parity', 0.78);

/** The same for expressions that a program made up out of the grammar. */
export const EXPRESSION_PARITY_MADE: DataSet = parity('expression-parity-made', 0.78);

/** Attempts to reach what is outside, or to take for ever: nothing may come of them, and that within 100 ms. */
export const EXPRESSION_ESCAPES: DataSet = {
  name: 'expression-escapes',
  group: 'expressions',
  measure(rows, file) {
    const variables = variablesBeside(file);
    const tried = rows.map((row) => {
      const text = typeof row['expr'] === 'string' ? row['expr'] : madeText(row);
      const began = process.cpuUsage();
      const outcome = outcomeOf(text, variables);
      const { user, system } = process.cpuUsage(began);
      const isFree = outcome === 'unknown' ? row['expect'] !== 'unknown_or_refused' : outcome !== 'refused';
      return { row, outcome, isFree, ms: (user + system) / 1000 };
    });
    const free = tried.filter(({ isFree }) => isFree);
    return {
      rows: rows.length,
      figures: [
        { name: 'probes that got further', value: free.length, goal: { must: 'at most', limit: 0 } },
        {
          name: 'slowest, ms of CPU',
          value: Math.max(0, ...tried.map(({ ms }) => ms)),
          goal: { must: 'at most', limit: 100 },
        },
      ],
      misses: free.map(({ row, outcome }) => `${String(row['id'])}: ${outcome}`),
    };
  },
};

function parity(name: string, supported: number): DataSet {
  return {
    name,
    group: 'expressions',
    measure(rows, file) {
      const variables = variablesBeside(file);
      const asked = rows.map((row) => ({ row, outcome: outcomeOf(textOf(row, 'expr', file), variables) }));
      return measured(asked, supported);
    },
  };
}

interface AskedRow {
  readonly row: Row;
  readonly outcome: Outcome;
}

type Outcome = 'true' | 'false' | 'unknown' | 'refused';

function measured(asked: readonly AskedRow[], supported: number): Measured {
  const valid = asked.filter(({ row }) => typeof row['result'] === 'boolean');
  const wrong = valid.filter(({ row, outcome }) => isValue(outcome) && outcome !== String(row['result']));
  const right = valid.filter(({ row, outcome }) => outcome === String(row['result']));
  const invalid = asked.filter(({ row }) => typeof row['result'] !== 'boolean');
  const taken = invalid.filter(({ outcome }) => isValue(outcome));
  return {
    rows: asked.length,
    figures: [
      {
        name: 'wrong values',
        value: wrong.length,
        goal: { must: 'at most', limit: 0 },
        baseline: '2 to 13 of 89, five packages',
      },
      {
        name: 'errors refused',
        value: share(invalid.length - taken.length, invalid.length),
        isShare: true,
        goal: { must: 'at least', limit: 1 },
        baseline: '84 % to 100 %',
      },
      {
        name: 'valid ones supported',
        value: share(right.length, valid.length),
        isShare: true,
        goal: { must: 'at least', limit: supported },
        baseline: '78 % to 98 %, with the wrong values',
      },
    ],
    misses: [
      ...wrong.map(({ row, outcome }) => `wrong value ${outcome}: ${String(row['expr'])}`),
      ...taken.map(({ row, outcome }) => `${outcome} instead of an error: ${String(row['expr'])}`),
      ...valid.filter(({ outcome }) => !isValue(outcome)).map(({ row }) => `not supported: ${String(row['expr'])}`),
    ],
  };
}

const isValue = (outcome: Outcome): boolean => outcome === 'true' || outcome === 'false';

function outcomeOf(source: string, variables: ReadonlyMap<string, Value>): Outcome {
  const made = compileExpression(source);
  if (!made.ok) return 'refused';
  const { outcome } = made.value.evaluate(variables);
  return outcome === 'error' ? 'refused' : outcome;
}

/** The values for which the results were taken. */
function variablesBeside(file: string): ReadonlyMap<string, Value> {
  const name = join(dirname(file), 'expression-parity.vars.json');
  const read = JSON.parse(readFileSync(name, 'utf8')) as Record<string, unknown>;
  return new Map(
    Object.entries(read).map(([key, plain]) => {
      const value = valueFrom(plain);
      if (!value.ok) throw new WrongData(`${name}: ${key}: ${value.why}`);
      return [key, value.value];
    }),
  );
}
