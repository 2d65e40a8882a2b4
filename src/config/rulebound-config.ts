import { z } from 'zod';
import { once } from '../base/once.ts';
import type { EnforcementSettings } from './enforcement-settings.ts';
import { jsonPath } from '../base/fault.ts';
import { readJson } from '../base/json.ts';
import { LLM_PROVIDERS } from './llm-settings.ts';
import type { LlmProvider } from './llm-settings.ts';
import { checkPath } from '../base/paths.ts';
import type { RuleFault } from '../rule-model/rule.ts';
import { MODES } from '../rule-model/rule-words.ts';

/** What andon reads of `.rulebound/config.json`; a file with a fault in it says nothing else. */
export interface RuleboundConfig {
  readonly stack: readonly string[];
  readonly extends: readonly string[];
  /** A folder of the project, as a path from its root. */
  readonly rulesDir: string | undefined;
  readonly enforcement: Partial<EnforcementSettings>;
  readonly llm: { readonly provider?: LlmProvider | undefined; readonly model?: string | undefined };
  readonly faults: readonly RuleFault[];
}

/** Reads the configuration of the tool whose rules andon reads too; what is wrong in it is a fault, never a silent default. */
export function readRuleboundConfig({
  name,
  text,
}: {
  readonly name: string;
  readonly text: string | undefined;
}): RuleboundConfig {
  if (text === undefined) return NOTHING;
  const read = readJson(text);
  if (!read.ok) {
    const { line, path, found, expected } = read.why;
    const source = { name, ...(line === undefined ? {} : { line }) };
    return { ...NOTHING, faults: [{ source, path, message: `found ${found}, expected ${expected}`, remedy: REMEDY }] };
  }
  const parsed = schema().safeParse(read.value.value);
  if (!parsed.success)
    return {
      ...NOTHING,
      faults: parsed.error.issues.map(({ path, message }) => {
        const steps = path.filter((step) => typeof step !== 'symbol');
        const line = read.value.lineOf(steps);
        const source = { name, ...(line === undefined ? {} : { line }) };
        return { source, path: jsonPath(steps), message, remedy: REMEDY };
      }),
    };
  const { project, extends: extended = [], rulesDir, enforcement = {}, llm = {} } = parsed.data;
  return {
    stack: (project?.stack ?? []).map((one) => one.toLowerCase()),
    extends: typeof extended === 'string' ? [extended] : extended,
    rulesDir,
    enforcement: Object.fromEntries(Object.entries(enforcement).filter(([, value]) => value !== undefined)),
    llm,
    faults: [],
  };
}

const NOTHING: RuleboundConfig = { stack: [], extends: [], rulesDir: undefined, enforcement: {}, llm: {}, faults: [] };
const REMEDY = 'correct it, or remove the key';

/** The other keys of that file are read by whoever they are meant for. */
const schema = once(() =>
  z.looseObject({
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
  }),
);
