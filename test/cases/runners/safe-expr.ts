import { compileExpression } from '../../../src/rules/expressions/compile-expression.ts';
import { valueFrom, type Value } from '../../../src/rules/expressions/value.ts';
import { isFacts, type Facts, type Runner } from '../run-cases.ts';
import { runShape, type Shape } from '../shapes.ts';

/** An expression that is evaluated with the variables of a row, or only read. */
export const safeExpr: Runner = ({ input }) => runShape(SHAPES, input);

const SHAPES: readonly Shape[] = [
  {
    fields: ['validate'],
    known: 'validate',
    run: ({ validate }) => ({ valid: compileExpression(textOf(validate)).ok }),
  },
  { fields: ['expr', 'vars'], known: 'expr', run: evaluated },
];

/** What an evaluation means for the rule it belongs to. */
const RESULTS = { true: 'pass', false: 'violation', unknown: 'not_applicable', error: 'error' } as const;

function evaluated({ expr, vars = {} }: Facts): Facts {
  if (!isFacts(vars)) throw new Error('vars must be an object');
  const made = compileExpression(textOf(expr));
  const variables = Object.entries(vars).map(
    ([name, plain]) => [name, valueFrom(plain === 'NaN' ? NaN : plain)] as const,
  );
  // What cannot be taken over as data is an error before anything is evaluated.
  if (!made.ok || variables.some(([, value]) => !value.ok)) return { result: 'error' };
  const known = new Map<string, Value>(variables.flatMap(([name, value]) => (value.ok ? [[name, value.value]] : [])));
  return { result: RESULTS[made.value.evaluate(known).outcome] };
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error('an expression must be a text');
  return value;
}
