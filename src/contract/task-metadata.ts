/** The parts of a contract's `metadata` that rules use. */
interface TaskMetadata {
  /** The active scenario (`metadata.scenario`). */
  readonly scenario?: string;
  /** Variables for the expressions of rules (`metadata.vars`): numbers, texts, true, false, and lists of them. */
  readonly vars: Readonly<Record<string, unknown>>;
  /** What was left out, and why. */
  readonly notices: readonly string[];
}

/** Reads the parts of a contract's `metadata` that rules use; invalid ones are left out with a notice. */
export function readTaskMetadata({ metadata }: Readonly<Record<string, unknown>>): TaskMetadata {
  if (!isObject(metadata)) return { vars: {}, notices: [] };
  const { scenario, vars } = metadata;
  const isName = typeof scenario === 'string' && scenario.trim() !== '' && scenario.length <= LONGEST;
  const read = isObject(vars) ? Object.entries(vars) : [];
  const kept = read.filter(([name, value]) => NAME.test(name) && isPlain(value));
  const dropped = read.filter(([name, value]) => !NAME.test(name) || !isPlain(value)).map(([name]) => name);
  return {
    ...(isName ? { scenario: scenario.trim() } : {}),
    vars: Object.fromEntries(kept),
    notices: [
      ...(scenario === undefined || isName
        ? []
        : ['metadata.scenario is no name of a scenario, so no rule of a scenario holds']),
      ...(vars === undefined || isObject(vars)
        ? []
        : ['metadata.vars is no object of variables, so the rules know none of them']),
      ...(dropped.length === 0
        ? []
        : [
            `metadata.vars: ${dropped.slice(0, 5).join(', ').slice(0, 200)} ${dropped.length === 1 ? 'is' : 'are'} left out: a variable has a name of letters, digits and _, and is a number, a text, true, false, or a list of them`,
          ]),
    ],
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isScalar = (value: unknown): boolean =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= LONGEST_TEXT);

const isPlain = (value: unknown): boolean =>
  isScalar(value) || (Array.isArray(value) && value.length <= MOST_OF_A_LIST && value.every(isScalar));

/** The names of variables in rules. */
const NAME = /^(?!__)[A-Za-z_]\w{0,63}$/;
const LONGEST = 200;
const LONGEST_TEXT = 2000;
const MOST_OF_A_LIST = 100;
