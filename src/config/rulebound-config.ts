import { z } from 'zod';
import { once } from '../base/once.ts';
import type { EnforcementSettings } from './enforcement-settings.ts';
import { jsonPath } from '../base/fault.ts';
import { readJson } from '../base/json.ts';
import { LLM_PROVIDERS } from './llm-settings.ts';
import type { LlmProvider } from './llm-settings.ts';
import { checkPath } from '../base/paths.ts';
import type { ConfigFile } from './config-file.ts';
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
export function readRuleboundConfig({ name, text }: ConfigFile): RuleboundConfig {
  if (text === undefined) return NOTHING;
  const read = readJson(text);
  if (!read.ok) {
    const { line, path, found, expected } = read.why;
    return { ...NOTHING, faults: [faultIn(name, path, `found ${found}, expected ${expected}`, REMEDY, line)] };
  }
  const parsed = schema().safeParse(read.value.value);
  if (!parsed.success)
    return {
      ...NOTHING,
      faults: parsed.error.issues.map(({ path, message }) => {
        const steps = path.filter((step) => typeof step !== 'symbol');
        return faultIn(name, jsonPath(steps), message, REMEDY, read.value.lineOf(steps));
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

/** What is wrong in a file, and what to do about it. */
export const faultIn = (name: string, path: string, message: string, remedy: string, line?: number): RuleFault => ({
  source: { name, ...(line === undefined ? {} : { line }) },
  path,
  message,
  remedy,
});

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
