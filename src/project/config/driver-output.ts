import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { optionalKey } from '../../base/optional.ts';

/**
 * Plain dotted names, such as `item.text`; `*` matches every key of a map and counts only in `usage`.
 */
const path = lazy(() =>
  z
    .string()
    .max(200)
    .regex(/^(?:[\w-]+|\*)(?:\.(?:[\w-]+|\*))*$/, 'expected plain names with dots between them, such as item.text'),
);
const paths = lazy(() => z.union([path(), z.array(path()).min(1).max(10)]));

const scalar = lazy(() => z.union([z.string().max(200), z.number(), z.boolean(), z.null()]));
const where = lazy(() =>
  z
    .record(path(), z.union([scalar(), z.array(scalar()).min(1).max(20)]))
    .describe(
      'What an event must hold, by dotted names; a list names alternatives, null is a field that is not there. Empty: every event.',
    ),
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

const also = lazy(() =>
  optionalKey(
    z.array(path()).min(1).max(10),
    'Further fields that only count when a cause is looked for, as `name value`.',
  ),
);
const failedRule = lazy(() => z.strictObject({ where: where(), say: paths().optional(), also: also() }));
const troubleRule = lazy(() =>
  failedRule().extend({
    wait_ms: optionalKey(path(), 'Milliseconds until it asks again.'),
    wait_seconds: optionalKey(path(), 'The same in seconds; it precedes.'),
    recovered: optionalKey(
      where(),
      'An event after which it is over and its words count no more. Default: any event ends it, and its words still count.',
    ),
    until: optionalKey(path(), 'When the trouble ends, in seconds since 1970.'),
  }),
);
const openedRule = lazy(() =>
  z.strictObject({
    where: where(),
    take: paths().describe('The path of the file.'),
    id: optionalKey(path(), 'The id of the call of the tool, where another event says how that ended.'),
    ended: optionalKey(
      z.strictObject({ where: where(), id: path() }),
      'The event by which that call ended well. Default: the first event says so itself.',
    ),
  }),
);

/** How to parse a program's output: data, by dotted names. */
export const outputSchema = lazy(() =>
  z.strictObject({
    format: z
      .enum(['text', 'json', 'jsonl', 'json-array'])
      .describe(
        'text: the plain answer; json: one object; json-array: a list of events; jsonl: one event a line, read as it comes.',
      ),
    parts: optionalKey(
      path(),
      'A list in an event whose elements are looked at like events, for `structured` and `opened`, such as the parts of a message.',
    ),
    done: optionalKey(z.strictObject({ where: where() }), 'An event that must occur for the call to have ended well.'),
    failed: optionalKey(
      z.union([failedRule(), z.array(failedRule()).min(1).max(10)]),
      'An event by which the program says that the call failed, and where its words stand; several are alternatives.',
    ),
    trouble: optionalKey(
      z.union([troubleRule(), z.array(troubleRule()).min(1).max(10)]),
      'An event that tells of a retry, a lost network or a limit. It is never a sign of life; its words count where no other words tell why a call failed.',
    ),
    waits: optionalKey(
      z.union([where(), z.array(where()).min(1).max(5)]),
      'An event (several are alternatives) without news, such as that it asks its service; it is no sign of life.',
    ),
    model: optionalKey(
      z.strictObject({ where: where(), take: paths() }),
      'The model that answered; the last one counts.',
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
      z.strictObject({
        where: where().optional(),
        take: path(),
        required: optionalKey(
          z.boolean(),
          'true: an answer by a schema that stands only in its text does not count. Default: false.',
        ),
        handed_in: optionalKey(
          z.strictObject({
            where: where(),
            take: path(),
            id: path(),
            refused: z.strictObject({ where: where(), id: path() }),
          }),
          'The use of a tool by which the answer is handed in, and how it is turned back. None counts where two differ.',
        ),
      }),
      'The path of an answer by a schema, if it differs. andon checks it in any case. Of several that differ, none counts.',
    ),
    usage: optionalKey(
      z.strictObject({
        where: where().optional(),
        in: optionalKey(paths(), 'Tokens that were read, cached ones included; several are added up.'),
        cached: optionalKey(path(), 'How many of these came from a cache.'),
        out: optionalKey(paths(), 'Tokens that were written; several are added up.'),
        total: optionalKey(path(), 'All tokens together, where `out` leaves some out: what was not read was written.'),
        usd: optionalKey(path(), 'Dollars, where the program tells them.'),
        no_price: optionalKey(where(), 'Where any of these holds, its dollars do not count: they are unknown.'),
        requests: optionalKey(
          z.strictObject({ where: where(), id: paths(), in: paths(), out: paths() }),
          'Tokens of each request, by its id (without one: those of the last); the largest figures count. They count where the others are missing or zero; their price is unknown.',
        ),
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
      z.union([openedRule(), z.array(openedRule()).min(1).max(10)]),
      'A file of its working directory that its own tools have read (`jsonl` only). With it a `review` call can also judge: it must let the program read its working directory, and nothing else.',
    ),
    denied: optionalKey(
      z.strictObject({ where: where(), each: path(), say: path(), on: paths() }),
      'A list of the uses of tools that its own permissions refused: the name of the tool, and on what.',
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
export type OpenedRule = z.infer<ReturnType<typeof openedRule>>;
export type StructuredRule = NonNullable<DriverOutput['structured']>;
export type FailedRule = z.infer<ReturnType<typeof failedRule>>;
export type TroubleRule = z.infer<ReturnType<typeof troubleRule>>;
export type FieldPath = z.infer<ReturnType<typeof where>>;
