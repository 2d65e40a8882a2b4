import { inCamelCase } from '../base/letter-case.ts';
import type { z } from 'zod';
import type { ollamaSchema } from './user-schema.ts';

/** How an agent's program is started. */
export interface ProgramSettings {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly model: string | undefined;
  /** The model that is asked in place of one that a contract names. */
  readonly models: Readonly<Record<string, string>>;
  /** The model that is asked after a strike of one that a contract names. */
  readonly fallbacks: Readonly<Record<string, string>>;
}

/** What is written of a program, with its defaults. */
export const programOf = (name: string, written: z.infer<ReturnType<typeof ollamaSchema>> = {}): ProgramSettings => ({
  program: name,
  args: [],
  env: {},
  model: undefined,
  models: {},
  fallbacks: {},
  ...inCamelCase(written),
});
