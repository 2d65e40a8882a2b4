import { NO_SUPPRESSIONS } from '../../../src/rules/enforce/suppress.ts';
import { runRules } from '../../../src/rules/run-rules.ts';
import { BUILT_IN, extractFrom } from '../../../src/rules/variables/extract-from.ts';
import { mergeVariables } from '../../../src/rules/response/check-expression.ts';
import { Float, type Value } from '../../../src/rules/expressions/value.ts';
import { selectByKind } from '../../../src/rules/variables/extract-from.ts';
import { CONTEXT, aRule, aSubject } from '../../support/rules.ts';
import { isFacts, type Facts, type Runner } from '../run-cases.ts';
import { numberOf, runShape, type Shape } from '../shapes.ts';

/** The variables that come of a text and of what is known besides, or how often a text is read. */
export const variables: Runner = ({ input }) => runShape(SHAPES, input);

const SAID = ['text', 'session', 'profile', 'llm', 'text_vars'];

const SHAPES: readonly Shape[] = [
  { fields: ['rules_with_expression', 'text'], known: 'rules_with_expression', run: readings },
  ...SAID.map((known) => ({ fields: SAID, known, run: merged })),
];

/** What stands in `text_vars` was read out of the text by its patterns. */
function merged(input: Facts): Facts {
  const { text } = input;
  if (text !== undefined && typeof text !== 'string') throw new Error('text must be a text');
  const names = ['amount', 'discount_percent', ...BUILT_IN.filter((name) => name.startsWith('contains_'))];
  const found = typeof text === 'string' ? extractFrom(text, names).found : {};
  const { known } = mergeVariables({
    profile: factsOf(input, 'profile'),
    session: factsOf(input, 'session'),
    regex: { ...found, ...factsOf(input, 'text_vars') },
    llm: selectByKind(factsOf(input, 'llm'), {}),
  });
  return Object.fromEntries([...known].map(([name, { value }]) => [name, plain(value)]));
}

/** How often a text is read for the variables of so many rules: once for all of them, or not at all. */
async function readings(input: Facts): Promise<Facts> {
  const count = numberOf(input, 'rules_with_expression');
  const rules = Array.from({ length: Math.max(1, count) }, (_, at) =>
    aRule({ id: `R-${at}`, ...(at < count ? { enforcement_expression: 'amount <= 50' } : {}) }),
  );
  const subject = aSubject([], { response: typeof input['text'] === 'string' ? input['text'] : '$20' });
  const { trace } = await runRules(
    {
      rules: rules.map((rule) => ({ rule, source: { name: 'the row' } })),
      faults: [],
      notes: [],
      suppressions: NO_SUPPRESSIONS,
    },
    subject,
    CONTEXT,
    { surface: 'gate', mode: 'strict', threshold: 0, subject: 'the row' },
  );
  return { extraction_runs: trace.some(({ step }) => step === 'extract') ? 1 : 0 };
}

function factsOf(input: Facts, key: string): Facts {
  const value = input[key] ?? {};
  if (!isFacts(value)) throw new Error(`${key} must be an object`);
  return value;
}

const plain = (value: Value): unknown => (value instanceof Float ? value.value : value);
