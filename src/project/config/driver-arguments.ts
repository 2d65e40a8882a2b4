import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { commandText } from '../contract/task-contract-fields.ts';

/** Placeholders of arguments, each replaced as one argument or a part of one, without a shell. */
export const PLACEHOLDERS = [
  'model',
  'prompt',
  'prompt_file',
  'schema',
  'schema_file',
  'home',
  'usage_file',
  'max_usd',
  'door',
  'key',
] as const;

/** A name in braces; `{"a": 1}` does not match. */
export const PLACEHOLDER = /\{([a-z_]+)\}/g;

/** The names in braces. */
export const listPlaceholders = (text: string): readonly string[] =>
  [...text.matchAll(PLACEHOLDER)].map(([, word = '']) => word);

/** The name of an environment variable. */
export const variable = lazy(() => z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of a variable'));

/** The arguments of a call. */
export const callArgs = lazy(() =>
  z
    .array(z.union([commandText().max(4000), z.array(commandText().max(4000)).min(1).max(10)]))
    .max(60)
    .describe(
      'Arguments, each verbatim; `{model}`, `{prompt}`, `{prompt_file}`, `{schema}`, `{schema_file}`, `{usage_file}`, `{max_usd}` and `{home}` are replaced. A list inside is left out when one of its placeholders has no value.',
    ),
);

/** The path of a file below a private home. */
export const homeFile = lazy(() =>
  z
    .string()
    .max(200)
    .regex(/^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$))[\w./-]+$/, 'expected a path below the home folder'),
);

/** An argument of a call, or several that are left out together when a placeholder has no value. */
export type Argument = string | readonly string[];
