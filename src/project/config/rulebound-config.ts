import { isObject } from '../../base/json-object.ts';
import { z } from 'zod';
import { readJson, type JsonDocument } from '../../base/read-json.ts';
import { failure, type Outcome } from '../../base/outcome.ts';
import { lazy } from '../../base/lazy.ts';
import { checkPath } from '../../base/paths.ts';
import { type RuleFault, faultAt } from './rule-fault.ts';
import { LLM_PROVIDERS, MODES, type LlmProvider, type Mode } from './config-words.ts';
import type { ConfigFile } from './config-file.ts';
import type { JsonPath } from '../../base/fault.ts';

/** `.rulebound/config.json` in andon's own keys; a file with a fault sets nothing. */
export interface RuleboundConfig {
  readonly stack: readonly string[];
  readonly extends: readonly string[];
  /** A folder of the project, as a path from its root. */
  readonly rulesDir: string | undefined;
  /** Keys of `.andon/config.yaml`, which win over these. */
  readonly enforcement: {
    readonly mode?: Mode | undefined;
    readonly score_threshold?: number | undefined;
    readonly auto_promote?: boolean | undefined;
  };
  readonly llm: { readonly provider?: LlmProvider | undefined; readonly model?: string | undefined };
  readonly faults: readonly RuleFault[];
}

const EMPTY: RuleboundConfig = { stack: [], extends: [], rulesDir: undefined, enforcement: {}, llm: {}, faults: [] };
const REMEDY = 'correct it, or remove the key';

/** Converts the configuration of rulebound; anything wrong in it is a fault, never a silent default. */
export function readRuleboundConfig({ name, text }: ConfigFile): RuleboundConfig {
  if (text === undefined) return EMPTY;
  const read = readForeignJson(name, text, REMEDY);
  if (!read.ok) return { ...EMPTY, faults: [read.why] };
  const parsed = schema().safeParse(read.value.value);
  if (parsed.success) return { ...parsed.data, faults: [] };
  const faults = parsed.error.issues.map(({ path, message }) => {
    const steps = path.filter((step) => typeof step !== 'symbol');
    return faultAt(name, read.value.lineOf(steps), steps, message, REMEDY);
  });
  return { ...EMPTY, faults };
}

function readForeignJson(name: string, text: string, remedy: string): Outcome<JsonDocument, RuleFault> {
  const read = readJson(text);
  if (read.ok) return read;
  const { line, path, found, expected } = read.why;
  return failure({ ...faultAt(name, line, [], `found ${found}, expected ${expected}`, remedy), path });
}

/** The keys that andon knows; rulebound reads the others itself. */
const schema = lazy(() =>
  z
    .looseObject({
      project: z.looseObject({ stack: z.array(z.string()).optional() }).optional(),
      extends: z.union([z.array(z.string()), z.string()]).optional(),
      rulesDir: z
        .string()
        .transform((path) => path.replace(/^\.\//, '').replace(/\/+$/, ''))
        .superRefine((path, context) => {
          const unsafe = checkPath(path);
          if (unsafe !== undefined) context.addIssue({ code: 'custom', message: unsafe });
        })
        .optional(),
      enforcement: z
        .strictObject({
          mode: z.enum(MODES).optional(),
          scoreThreshold: z.number().min(0).max(100).optional(),
          autoPromote: z.boolean().optional(),
        })
        .optional(),
      llm: z
        .looseObject({ provider: z.enum(LLM_PROVIDERS).optional(), model: z.string().min(1).max(200).optional() })
        .optional(),
    })
    .transform(({ project, extends: packs = [], rulesDir, enforcement = {}, llm = {} }) => ({
      stack: (project?.stack ?? []).map((one) => one.toLowerCase()),
      extends: [packs].flat(),
      rulesDir,
      enforcement: {
        mode: enforcement.mode,
        score_threshold: enforcement.scoreThreshold,
        auto_promote: enforcement.autoPromote,
      },
      llm,
    })),
);

/** One agent profile in the keys of `.andon/agents/<name>.yaml`, not yet checked. */
export interface ProfileDraft {
  readonly name: string;
  readonly value: unknown;
  readonly path: JsonPath;
  readonly lineOf: (path: JsonPath) => number | undefined;
}

const AGENTS_REMEDY = 'correct it: `{ "agents": { "<name>": { … } } }`';

/** Converts `.rulebound/agents.json`, which holds all profiles of a project. */
export function readRuleboundAgents({ name: file, text }: ConfigFile): {
  readonly profiles: readonly ProfileDraft[];
  readonly faults: readonly RuleFault[];
} {
  if (text === undefined) return { profiles: [], faults: [] };
  const read = readForeignJson(file, text, AGENTS_REMEDY);
  if (!read.ok) return { profiles: [], faults: [read.why] };
  const { value, lineOf } = read.value;
  if (value === null) return { profiles: [], faults: [] };
  if (!isObject(value))
    return { profiles: [], faults: [faultAt(file, 1, [], 'expected a map of keys', AGENTS_REMEDY)] };
  const { agents = {}, ...others } = value;
  const faultIn = (key: string, message: string): RuleFault =>
    faultAt(file, lineOf([key]), [key], message, AGENTS_REMEDY);
  const faults = [
    ...Object.keys(others).map((key) => faultIn(key, 'the key is not known')),
    ...(isObject(agents) ? [] : [faultIn('agents', 'expected a map of names and profiles')]),
  ];
  if (faults.length > 0 || !isObject(agents)) return { profiles: [], faults };
  return {
    profiles: Object.entries(agents).map(([name, one]) => ({ name, value: one, path: ['agents', name], lineOf })),
    faults,
  };
}
