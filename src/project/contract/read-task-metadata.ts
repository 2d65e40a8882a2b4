import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { VARIABLE_NAME } from '../config/rule-fault.ts';

/** The parts of a contract's `metadata` that rules use. */
interface TaskMetadata {
  /** The active scenario (`metadata.scenario`). */
  readonly scenario?: string;
  /** Variables for the expressions of rules (`metadata.vars`): numbers, texts, true, false, and lists of them. */
  readonly vars: Readonly<Record<string, unknown>>;
  /** What was left out, and why. */
  readonly notices: readonly string[];
}

const object = lazy(() => z.record(z.string(), z.unknown()));
const scenarioName = lazy(() => z.string().trim().min(1).max(200));
const scalar = lazy(() => z.union([z.number(), z.boolean(), z.string().max(2000)]));
/** The value of a variable for the expressions of rules. */
export const variableValue = lazy(() => z.union([scalar(), z.array(scalar()).max(100)]));

/** Reads the parts of a contract's `metadata` that rules use; invalid ones are left out with a notice. */
export function readTaskMetadata({ metadata }: Readonly<Record<string, unknown>>): TaskMetadata {
  const { scenario, vars } = object().safeParse(metadata).data ?? {};
  const name = scenarioName().safeParse(scenario).data;
  const read = object().safeParse(vars);
  const all = Object.entries(read.data ?? {});
  const kept = all.filter(([key, value]) => VARIABLE_NAME.test(key) && variableValue().safeParse(value).success);
  const dropped = all.filter((entry) => !kept.includes(entry)).map(([key]) => key);
  const isWrongName = scenario !== undefined && name === undefined;
  const isWrongList = vars !== undefined && !read.success;
  return {
    ...(name === undefined ? {} : { scenario: name }),
    vars: Object.fromEntries(kept),
    notices: [
      ...(isWrongName ? ['metadata.scenario is no name of a scenario; no rule of a scenario applies'] : []),
      ...(isWrongList ? ['metadata.vars is no object of variables; the rules get none'] : []),
      ...(dropped.length > 0
        ? [
            `metadata.vars: left out ${dropped.slice(0, 5).join(', ').slice(0, 200)}; a variable has a name of letters, digits and _, and is a number, a text, true, false, or a list of them`,
          ]
        : []),
    ],
  };
}
