import { z } from 'zod';
import { once } from '../base/once.ts';
import { optional } from './optional.ts';

/**
 * Plain dotted names, such as `item.text`; `*` matches every key of a map and counts only where figures are added up.
 */
const path = once(() =>
  z
    .string()
    .max(200)
    .regex(/^(?:[\w-]+|\*)(?:\.(?:[\w-]+|\*))*$/, 'expected plain names with dots between them, such as item.text'),
);
const paths = once(() => z.union([path(), z.array(path()).min(1).max(10)]));

const scalar = once(() => z.union([z.string().max(200), z.number(), z.boolean()]));
const where = once(() =>
  z
    .record(path(), z.union([scalar(), z.array(scalar()).min(1).max(20)]))
    .describe('What an event must hold, by dotted names; a list names alternatives. Empty: every event.'),
);

/** How to parse a program's output: data, by dotted names. */
export const outputSchema = once(() =>
  z.strictObject({
    format: z
      .enum(['text', 'json', 'jsonl', 'json-array'])
      .describe(
        'text: the plain answer; json: one object; json-array: a list of events; jsonl: one event a line, read as it comes.',
      ),
    done: optional(z.strictObject({ where: where() }), 'An event that must occur for the call to have ended well.'),
    failed: optional(
      z.strictObject({ where: where(), say: paths().optional() }),
      'An event by which the program says that the call failed, and where its words stand.',
    ),
    trouble: optional(
      z.strictObject({ where: where(), say: paths().optional() }),
      'An event that tells of a retry or a lost network. It is never a sign of life; its words count when a cause is looked for.',
    ),
    answer: optional(
      z.strictObject({
        where: where().optional(),
        take: optional(paths(), 'The first of these that is there.'),
        which: optional(
          z.enum(['last', 'join']),
          'Of several: the last one (default), or all of them, one after the other.',
        ),
      }),
      'The path of the answer; not needed for text.',
    ),
    structured: optional(
      z.strictObject({ where: where().optional(), take: path() }),
      'The path of an answer by a schema, if it differs. andon checks it in any case.',
    ),
    usage: optional(
      z.strictObject({
        where: where().optional(),
        in: optional(paths(), 'Tokens that were read, cached ones included; several are added up.'),
        cached: optional(path(), 'How many of these came from a cache.'),
        out: optional(paths(), 'Tokens that were written; several are added up.'),
        usd: optional(path(), 'Dollars, where the program tells them.'),
        file: optional(
          z.boolean(),
          'true: the figures are in a JSON object that the program writes to the file `{usage_file}` when it ends. Default: false: they are in events.',
        ),
        how: optional(z.enum(['last', 'sum']), 'last: each event tells all so far (default); sum: they are added up.'),
      }),
      'What the call used. What is not told is unknown, never zero.',
    ),
    only_output: optional(
      z.boolean(),
      'true: what its processes compute or write to files is no sign of life, as of programs that wait for a dead network and log it. Default: false.',
    ),
  }),
);
export type DriverOutput = z.infer<ReturnType<typeof outputSchema>>;
export type Where = z.infer<ReturnType<typeof where>>;
