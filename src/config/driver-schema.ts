import { z } from 'zod';
import { once } from '../base/once.ts';

/** What an argument may hold, each put in as one argument or a part of one; no shell reads any of it. */
export const PLACEHOLDERS = ['model', 'prompt', 'prompt_file', 'schema', 'schema_file', 'home'] as const;

/** Plain dotted names, such as `item.text`; `*` stands for every key of a map and counts only where figures are added up. */
const path = z
  .string()
  .max(200)
  .regex(/^(?:[\w-]+|\*)(?:\.(?:[\w-]+|\*))*$/, 'expected plain names with dots between them, such as item.text');
const paths = z.union([path, z.array(path).min(1).max(10)]);

const scalar = z.union([z.string().max(200), z.number(), z.boolean()]);
const where = z
  .record(path, z.union([scalar, z.array(scalar).min(1).max(20)]))
  .describe('What an event must hold, by dotted names; a list names alternatives. Empty: every event.');

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of a variable');
const args = z.array(z.string().max(4000)).max(50);
const callArgs = z
  .array(z.union([z.string().max(4000), z.array(z.string().max(4000)).min(1).max(10)]))
  .max(60)
  .describe(
    'Arguments, each as it stands; `{model}`, `{prompt}`, `{prompt_file}`, `{schema}`, `{schema_file}` and `{home}` are put in. A list inside is left out when one of its placeholders has no value.',
  );
const call = z.strictObject({ args: callArgs });
const pattern = z.string().min(1).max(2000);
const usd = z.number().min(0).max(100_000);

/** A file below the private home: no way out of it. */
const homeFile = z
  .string()
  .max(200)
  .regex(/^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$))[\w./-]+$/, 'expected a path below the home folder');

const outputSchema = z.strictObject({
  format: z
    .enum(['text', 'json', 'jsonl', 'json-array'])
    .describe(
      'text: the answer as it is; json: one object; json-array: a list of events; jsonl: one event a line, read as it comes.',
    ),
  done: z.strictObject({ where }).optional().describe('An event that must occur for the call to have ended well.'),
  failed: z
    .strictObject({ where, say: paths.optional() })
    .optional()
    .describe('An event by which the program says that the call failed, and where its words stand.'),
  trouble: z
    .strictObject({ where, say: paths.optional() })
    .optional()
    .describe(
      'An event that tells of a retry or a lost network. It is never a sign of life; its words count when a cause is looked for.',
    ),
  answer: z
    .strictObject({
      where: where.optional(),
      take: paths.optional().describe('The first of these that is there.'),
      which: z
        .enum(['last', 'join'])
        .optional()
        .describe('Of several: the last one (default), or all of them, one after the other.'),
    })
    .optional()
    .describe('Where the answer stands; not needed for text.'),
  structured: z
    .strictObject({ where: where.optional(), take: path })
    .optional()
    .describe('Where the answer by a schema stands, if not where every answer stands. andon checks it in any case.'),
  usage: z
    .strictObject({
      where: where.optional(),
      in: paths.optional().describe('Tokens that were read, cached ones included; several are added up.'),
      cached: path.optional().describe('How many of these came from a cache.'),
      out: paths.optional().describe('Tokens that were written; several are added up.'),
      usd: path.optional().describe('Dollars, where the program tells them.'),
      how: z
        .enum(['last', 'sum'])
        .optional()
        .describe('last: each event tells all so far (default); sum: they are added up.'),
    })
    .optional()
    .describe('What the call used. What is not told is unknown, never zero.'),
  only_output: z
    .boolean()
    .optional()
    .describe(
      'true: what its processes compute or write to files is no sign of life, as of programs that wait for a dead network and log it. Default: false.',
    ),
});

/** What may be said of a driver: how a program is started, asked and understood. Nothing in it is an expression. */
export const driverSchema = once(() =>
  z.strictObject({
    server: z
      .strictObject({
        url: z.url({ protocol: /^https?$/ }).describe('The address up to and with `/v1`.'),
        key_env: variable.optional().describe('The name of the variable that holds its key.'),
        window: z
          .int()
          .min(512)
          .max(100_000_000)
          .optional()
          .describe(
            'The tokens that prompt and answer share; default: as the server tells (llama.cpp, LM Studio, ollama, vLLM).',
          ),
        remote: z
          .boolean()
          .optional()
          .describe('true: the server is not on this machine, and what is asked leaves it. Default: false.'),
      })
      .optional()
      .describe("A server that speaks OpenAI's protocol, in the place of a program."),
    program: z.string().min(1).max(1000).optional().describe('Default: the name of the driver, found on PATH.'),
    args: args.optional().describe('Arguments put before those of every call.'),
    env: z.record(variable, z.string().max(20_000)).optional().describe('Further variables of its environment.'),
    pass: z
      .array(variable)
      .max(50)
      .optional()
      .describe('Names of variables of your environment that it may see, such as the one that holds its key.'),
    model: z.string().min(1).max(200).optional().describe('The model that is asked when a profile names none.'),
    billing: z
      .enum(['free', 'unpriced'])
      .optional()
      .describe('free: its models run on this machine. Default: unpriced: calls cost, and nobody says how much.'),
    usd_per_million: z
      .strictObject({ in: usd, out: usd, cached: usd.optional() })
      .optional()
      .describe(
        "The model's prices per million tokens, for programs that tell no dollars; andon keeps no list of prices.",
      ),
    version: z
      .strictObject({
        args,
        match: pattern.describe('A line by which the program names itself (RE2).'),
        from: z
          .string()
          .regex(/^\d+(?:\.\d+){0,3}$/, 'expected a version such as 0.169.0')
          .optional()
          .describe('The oldest version that is taken.'),
        remedy: z.string().max(300).optional(),
      })
      .optional()
      .describe('How it is known that this is the program, and which.'),
    login: z
      .strictObject({
        args: args.min(1).optional().describe('A question to the program that ends with 0 when somebody is logged in.'),
        env: z.array(variable).min(1).max(10).optional().describe('Variables any of which stands for a login.'),
        remedy: z.string().max(300),
      })
      .optional()
      .describe('How `andon doctor` learns, without spending anything, whether the program may ask its model.'),
    prompt: z
      .strictObject({
        via: z.enum(['stdin', 'argument', 'file']),
        max_bytes: z.int().min(1).max(64_000_000).optional().describe('Default: 8,000,000; of an argument 120,000.'),
      })
      .optional()
      .describe('How the prompt reaches it, and how long it may be. Default: stdin.'),
    calls: z
      .strictObject({
        text: call.optional().describe('A call that is answered in text: what an implementer is asked.'),
        review: call.optional().describe('A call that is answered by a schema: what a reviewer is asked.'),
      })
      .optional()
      .describe('The calls that it can take. Both run in an empty folder; neither lets it edit anything.'),
    home: z
      .enum(['own', 'fresh'])
      .optional()
      .describe('own (default): your HOME, with your login and settings; fresh: a private one for each call.'),
    home_files: z
      .record(homeFile, z.string().max(20_000))
      .optional()
      .describe('Files of a fresh home, such as its settings. Keys do not belong here; name them in `pass`.'),
    output: outputSchema.optional().describe('How what it prints is understood.'),
    exits: z
      .strictObject({
        ok: z.array(z.int().min(0).max(255)).min(1).optional().describe('Default: 0.'),
        refused: z.array(z.int().min(1).max(255)).optional().describe('Something that only a human can put right.'),
        unavailable: z.array(z.int().min(1).max(255)).optional().describe('Something that passes by itself.'),
        too_long: z.array(z.int().min(1).max(255)).optional().describe('The prompt did not fit.'),
      })
      .optional()
      .describe('What exit codes mean where its words say nothing.'),
    causes: z
      .array(
        z.strictObject({
          match: pattern.describe('Looked for in what it says about its failure (RE2, linear time).'),
          kind: z.enum(['unavailable', 'refused', 'too-long']),
          remedy: z.string().max(300).optional(),
        }),
      )
      .max(50)
      .optional()
      .describe(
        'Why a call failed; the first that fits counts. When an unavailable one is back is read from its words.',
      ),
    end: z
      .strictObject({
        first: z.enum(['SIGTERM', 'SIGINT']).optional().describe('Default: SIGTERM.'),
        grace_seconds: z.number().min(0).max(60).optional().describe('Until the next signal. Default: some seconds.'),
      })
      .optional()
      .describe('How it is ended. Whatever it has started is killed with it in any case.'),
  }),
);

/** A driver as it is written; of one that andon brings along a user writes only what is to be otherwise. */
export type WrittenDriver = z.infer<ReturnType<typeof driverSchema>>;
export type DriverOutput = z.infer<typeof outputSchema>;
export type Where = z.infer<typeof where>;
