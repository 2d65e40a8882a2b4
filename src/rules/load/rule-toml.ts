import { TomlError, parse } from 'smol-toml';
import { z } from 'zod';
import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import type { YamlFault } from './rule-yaml.ts';

/** The most characters of a TOML file with rules, and of one line of it; the largest known files have half of that. */
const MAX_TOML_LENGTH = 512 * 1024;
const MAX_LINE_LENGTH = 16 * 1024;
/** The most rules of one file. */
const MAX_RULES = 2000;

const allowlist = z.looseObject({
  regexes: z.array(z.string()).optional(),
  regexTarget: z.string().optional(),
  paths: z.array(z.string()).optional(),
  stopwords: z.array(z.string()).optional(),
});

/** One rule of gitleaks, as far as it means something here; what else it says is kept by name. */
export const gitleaksRuleSchema = z.looseObject({
  id: z.string().min(1).max(200),
  description: z.string().optional(),
  regex: z.string().min(1).optional(),
  keywords: z.array(z.string()).optional(),
  entropy: z.number().optional(),
  secretGroup: z.int().min(0).optional(),
  path: z.string().optional(),
  tags: z.array(z.string()).optional(),
  allowlists: z.array(allowlist).optional(),
  allowlist: allowlist.optional(),
});
export type GitleaksRule = z.infer<typeof gitleaksRuleSchema>;

/** Why a TOML text holds no rules that can be read. */
export interface TomlFault extends Pick<YamlFault, 'line' | 'message'> {
  /** It is TOML, and a configuration of gitleaks. */
  readonly isReadable?: true;
}

/** Reads the `[[rules]]` of a gitleaks configuration; values that are no rule are left for the caller to complain of. */
export function readGitleaks(
  text: string,
): Outcome<{ readonly rules: readonly unknown[]; readonly other: readonly string[] }, TomlFault> {
  if (text.length > MAX_TOML_LENGTH) return failure({ line: undefined, message: 'more than 512 kB' });
  const long = text.split('\n').findIndex((line) => line.length > MAX_LINE_LENGTH);
  if (long !== -1) return failure({ line: long + 1, message: 'a line of more than 16 kB' });
  try {
    const document = parse(text.replace(/^\uFEFF/, ''), { maxDepth: 64 });
    const { rules, ...other } = document;
    if (!Array.isArray(rules) && 'extend' in other)
      return failure({
        line: undefined,
        isReadable: true,
        message:
          'it only extends the rules of gitleaks and brings none; write `extends: [secrets]` in .andon/rules for those that andon brings',
      });
    if (!Array.isArray(rules)) return failure({ line: undefined, message: 'there is no list `[[rules]]`' });
    if (rules.length > MAX_RULES) return failure({ line: undefined, message: `more than ${MAX_RULES} rules` });
    return success({ rules, other: Object.keys(other) });
  } catch (error) {
    if (error instanceof TomlError)
      return failure({ line: error.line, message: (error.message.split('\n')[0] ?? '').slice(0, 120) });
    return failure({ line: undefined, message: 'not valid TOML' });
  }
}
