import { toCamelKeys } from '../base/letter-case.ts';
import type { z } from 'zod';
import type { ollamaSchema } from './user-schema.ts';

/** How an agent's program is started. */
export interface ProgramSettings {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly model: string | undefined;
  /** Replacements for models of contracts. */
  readonly models: Readonly<Record<string, string>>;
  /** Replacements for models of contracts after a strike. */
  readonly fallbacks: Readonly<Record<string, string>>;
}

/** The settings of a program, with its defaults. */
export const fillProgramDefaults = (
  name: string,
  written: z.infer<ReturnType<typeof ollamaSchema>> = {},
): ProgramSettings => ({
  program: name,
  args: [],
  env: {},
  model: undefined,
  models: {},
  fallbacks: {},
  ...toCamelKeys(written),
});
