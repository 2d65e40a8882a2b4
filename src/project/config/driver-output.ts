import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { optionalKey } from '../../base/optional.ts';

/**
 * Plain dotted names, such as `item.text`; `*` matches every key of a map and counts only where figures are added up.
 */
const path = lazy(() =>
  z
    .string()
    .max(200)
    .regex(/^(?:[\w-]+|\*)(?:\.(?:[\w-]+|\*))*$/, 'expected plain names with dots between them, such as item.text'),
);
const paths = lazy(() => z.union([path(), z.array(path()).min(1).max(10)]));

const scalar = lazy(() => z.union([z.string().max(200), z.number(), z.boolean()]));
const where = lazy(() =>
  z
    .record(path(), z.union([scalar(), z.array(scalar()).min(1).max(20)]))
    .describe('What an event must hold, by dotted names; a list names alternatives. Empty: every event.'),
);

/** What people see of an event while the program runs. */
const showRule = lazy(() =>
  z.strictObject({
    where: where(),
    each: optionalKey(path(), 'A list in the event: the other names are looked up in each of its elements.'),
    text: optionalKey(paths(), 'A whole text of the model.'),
    text_delta: optionalKey(paths(), 'A piece of a text, which goes on in the next event.'),
    thought: optionalKey(paths(), 'A whole thought of the model.'),
    thought_delta: optionalKey(paths(), 'A piece of a thought.'),
    tool: optionalKey(paths(), 'The name of a tool that it uses.'),
    input: optionalKey(path(), 'What the tool is given: its path, command or pattern is shown.'),
    step: optionalKey(paths(), 'What it does, such as a command or a path.'),
    verb: optionalKey(z.string().max(40), 'The word before `step`, such as `runs` or `writes`.'),
  }),
);
export type ShowRule = z.infer<ReturnType<typeof showRule>>;

/** How to parse a program's output: data, by dotted names. */
export const outputSchema = lazy(() =>
  z.strictObject({
    format: z
      .enum(['text', 'json', 'jsonl', 'json-array'])
      .describe(
        'text: the plain answer; json: one object; json-array: a list of events; jsonl: one event a line, read as it comes.',
      ),
    done: optionalKey(z.strictObject({ where: where() }), 'An event that must occur for the call to have ended well.'),
    failed: optionalKey(
      z.strictObject({ where: where(), say: paths().optional() }),
      'An event by which the program says that the call failed, and where its words stand.',
    ),
    trouble: optionalKey(
      z.strictObject({ where: where(), say: paths().optional() }),
      'An event that tells of a retry or a lost network. It is never a sign of life; its words count when a cause is looked for.',
    ),
    answer: optionalKey(
      z.strictObject({
        where: where().optional(),
        take: optionalKey(paths(), 'The first of these that is there.'),
        which: optionalKey(
          z.enum(['last', 'join']),
          'Of several: the last one (default), or all of them, one after the other.',
        ),
        restart: optionalKey(where(), 'An event after which the answer begins again, such as the use of a tool.'),
      }),
      'The path of the answer; not needed for text.',
    ),
    structured: optionalKey(
      z.strictObject({ where: where().optional(), take: path() }),
      'The path of an answer by a schema, if it differs. andon checks it in any case.',
    ),
    usage: optionalKey(
      z.strictObject({
        where: where().optional(),
        in: optionalKey(paths(), 'Tokens that were read, cached ones included; several are added up.'),
        cached: optionalKey(path(), 'How many of these came from a cache.'),
        out: optionalKey(paths(), 'Tokens that were written; several are added up.'),
        total: optionalKey(path(), 'All tokens together, where `out` leaves some out: what was not read was written.'),
        usd: optionalKey(path(), 'Dollars, where the program tells them.'),
        file: optionalKey(
          z.boolean(),
          'true: the figures are in a JSON object that the program writes to the file `{usage_file}` when it ends. Default: false: they are in events.',
        ),
        how: optionalKey(
          z.enum(['last', 'sum']),
          'last: each event tells all so far (default); sum: they are added up.',
        ),
      }),
      'What the call used. What is not told is unknown, never zero.',
    ),
    opened: optionalKey(
      z.strictObject({
        where: where(),
        take: paths().describe('The path of the file.'),
        id: optionalKey(path(), 'The id of the call of the tool, where another event says how that ended.'),
        ended: optionalKey(
          z.strictObject({ where: where(), id: path() }),
          'The event by which that call ended well. Default: the first event says so itself.',
        ),
      }),
      'A file of its working directory that its own tools have read (`jsonl` only). With it a `review` call can also judge: it must let the program read its working directory, and nothing else.',
    ),
    show: optionalKey(
      z.array(showRule()).max(30),
      'What people who watch see of events, as they come (`jsonl` only). Default: the answer.',
    ),
    only_output: optionalKey(
      z.boolean(),
      'true: what its processes compute or write to files is no sign of life, as of programs that wait for a dead network and log it. Default: false.',
    ),
  }),
);
export type DriverOutput = z.infer<ReturnType<typeof outputSchema>>;
export type FieldPath = z.infer<ReturnType<typeof where>>;
