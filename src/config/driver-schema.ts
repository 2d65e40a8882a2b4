import { z } from 'zod';
import { once } from '../base/once.ts';
import { callArgs, homeFile, variable } from './driver-arguments.ts';
import { outputSchema } from './driver-output.ts';
import { doorSchema, editCallSchema } from './edit-call.ts';

const args = once(() => z.array(z.string().max(4000)).max(50));
const call = once(() => z.strictObject({ args: callArgs() }));
const pattern = once(() => z.string().min(1).max(2000));
const usd = once(() => z.number().min(0).max(100_000));

/** What may be said of a driver: how a program is started, asked and understood. Nothing in it is an expression. */
export const driverSchema = once(() =>
  z.strictObject({
    server: z
      .strictObject({
        url: z.url({ protocol: /^https?$/ }).describe('The address up to and with `/v1`.'),
        key_env: variable().optional().describe('The name of the variable that holds its key.'),
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
    args: args().optional().describe('Arguments put before those of every call.'),
    env: z.record(variable(), z.string().max(20_000)).optional().describe('Further variables of its environment.'),
    pass: z
      .array(variable())
      .max(50)
      .optional()
      .describe('Names of variables of your environment that it may see, such as the one that holds its key.'),
    model: z.string().min(1).max(200).optional().describe('The model that is asked when a profile names none.'),
    billing: z
      .enum(['free', 'unpriced'])
      .optional()
      .describe('free: its models run on this machine. Default: unpriced: calls cost, and nobody says how much.'),
    usd_per_million: z
      .strictObject({ in: usd(), out: usd(), cached: usd().optional() })
      .optional()
      .describe(
        "The model's prices per million tokens, for programs that tell no dollars; andon keeps no list of prices.",
      ),
    version: z
      .strictObject({
        args: args(),
        match: pattern().describe('A line by which the program names itself (RE2).'),
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
        args: args()
          .min(1)
          .optional()
          .describe('A question to the program that ends with 0 when somebody is logged in.'),
        env: z.array(variable()).min(1).max(10).optional().describe('Variables any of which stands for a login.'),
        remedy: z.string().max(300),
      })
      .optional()
      .describe('How `andon doctor` learns, without spending anything, whether the program may ask its model.'),
    isolates: z
      .strictObject({
        args: args().min(1).describe('A question to the program that it answers with its options, such as `--help`.'),
        flags: z
          .array(z.string().regex(/^--[a-z][a-z-]{0,60}$/, 'expected an option such as --ephemeral'))
          .min(1)
          .max(20),
      })
      .optional()
      .describe(
        'Options without which it would not be apart from your settings, or not be understood: `andon doctor` looks whether it knows them.',
      ),
    prompt: z
      .strictObject({
        via: z.enum(['stdin', 'argument', 'file']),
        max_bytes: z.int().min(1).max(64_000_000).optional().describe('Default: 8,000,000; of an argument 120,000.'),
      })
      .optional()
      .describe('How the prompt reaches it, and how long it may be. Default: stdin.'),
    calls: z
      .strictObject({
        text: call().optional().describe('A call that is answered in text: what an implementer is asked.'),
        review: call().optional().describe('A call that is answered by a schema: what a reviewer is asked.'),
        edit: editCallSchema()
          .optional()
          .describe(
            'A call in which it works on the files itself: on a copy of the project, in the cage, behind the model door.',
          ),
      })
      .optional()
      .describe('The calls that it can take. Text and review run in an empty folder and edit nothing.'),
    door: doorSchema().optional().describe('Where the only network of an edit call leads to.'),
    home: z
      .enum(['own', 'fresh'])
      .optional()
      .describe('own (default): your HOME, with your login and settings; fresh: a private one for each call.'),
    home_files: z
      .record(homeFile(), z.string().max(20_000))
      .optional()
      .describe('Files of a fresh home, such as its settings. Keys do not belong here; name them in `pass`.'),
    output: outputSchema().optional().describe('How what it prints is understood.'),
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
          match: pattern().describe('Looked for in what it says about its failure (RE2, linear time).'),
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
