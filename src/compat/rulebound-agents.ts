import type { JsonPath } from '../base/fault.ts';
import { readJson } from '../base/json.ts';
import type { RuleFault } from '../rule-model/rule.ts';
import { faultAt, type ForeignFile } from './dialect.ts';

/** One agent profile in the keys of `.andon/agents/<name>.yaml`, not yet checked. */
export interface ProfileDraft {
  readonly name: string;
  readonly value: unknown;
  readonly path: JsonPath;
  readonly lineOf: (path: JsonPath) => number | undefined;
}

const REMEDY = 'correct it: `{ "agents": { "<name>": { … } } }`';

/** Converts `.rulebound/agents.json`, which holds all profiles of a project. */
export function readRuleboundAgents({ name: file, text }: ForeignFile): {
  readonly profiles: readonly ProfileDraft[];
  readonly faults: readonly RuleFault[];
} {
  if (text === undefined) return { profiles: [], faults: [] };
  const read = readJson(text);
  if (!read.ok) {
    const { path, line, found, expected } = read.why;
    const fault = faultAt(file, line, [], `found ${found}, expected ${expected}`, REMEDY);
    return { profiles: [], faults: [{ ...fault, path }] };
  }
  const { value } = read.value;
  if (value === null) return { profiles: [], faults: [] };
  if (!isMap(value)) return { profiles: [], faults: [faultAt(file, 1, [], 'expected a map of keys', REMEDY)] };
  const { agents = {}, ...others } = value;
  const faults = [
    ...Object.keys(others).map((key) => faultAt(file, read.value.lineOf([key]), [key], 'the key is not known', REMEDY)),
    ...(isMap(agents)
      ? []
      : [faultAt(file, read.value.lineOf(['agents']), ['agents'], 'expected a map of names and profiles', REMEDY)]),
  ];
  if (faults.length > 0 || !isMap(agents)) return { profiles: [], faults };
  const lineOf = (path: JsonPath): number | undefined => read.value.lineOf(path);
  return {
    profiles: Object.entries(agents).map(([name, one]) => ({ name, value: one, path: ['agents', name], lineOf })),
    faults,
  };
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
