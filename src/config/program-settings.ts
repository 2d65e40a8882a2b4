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
export function programOf(
  name: string,
  written: z.infer<ReturnType<typeof ollamaSchema>> | undefined,
): ProgramSettings {
  return {
    program: written?.program ?? name,
    args: written?.args ?? [],
    env: written?.env ?? {},
    model: written?.model,
    models: written?.models ?? {},
    fallbacks: written?.fallbacks ?? {},
  };
}
