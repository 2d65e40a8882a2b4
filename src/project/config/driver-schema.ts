import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { optionalKey } from '../../base/optional.ts';
import { commandText } from '../contract/task-contract-fields.ts';
import { callArgs, homeFile, variable } from './driver-arguments.ts';
import { outputSchema } from './driver-output.ts';
import { doorSchema, editCallSchema } from './edit-call.ts';

const args = lazy(() => z.array(commandText().max(4000)).max(50));
const call = lazy(() => z.strictObject({ args: callArgs() }));
const pattern = lazy(() => z.string().min(1).max(2000));
const usd = lazy(() => z.number().min(0).max(100_000));

/** A driver: how a program is started, asked and understood. It contains no expressions. */
export const driverSchema = lazy(() =>
  z.strictObject({
    server: optionalKey(
      z.strictObject({
        url: z.url({ protocol: /^https?$/ }).describe('The address up to and with `/v1`.'),
        key_env: optionalKey(variable(), 'The name of the variable that holds its key.'),
        window: optionalKey(
          z.int().min(512).max(100_000_000),
          'The tokens that prompt and answer share; default: as the server tells (llama.cpp, LM Studio, ollama, vLLM).',
        ),
        remote: optionalKey(
          z.boolean(),
          'true: the server is not on this machine, and what is asked leaves it. Default: false.',
        ),
      }),
      "A server that speaks OpenAI's protocol, in the place of a program.",
    ),
    program: optionalKey(commandText().min(1).max(1000), 'Default: the name of the driver, found on PATH.'),
    args: optionalKey(args(), 'Arguments put before those of every call.'),
    env: optionalKey(z.record(variable(), commandText().max(20_000)), 'Further variables of its environment.'),
    pass: optionalKey(
      z.array(variable()).max(50),
      'Names of variables of your environment that it may see, such as the one that holds its key.',
    ),
    model: optionalKey(z.string().min(1).max(200), 'The model that is asked when a profile names none.'),
    billing: optionalKey(
      z.enum(['free', 'unpriced']),
      'free: its models run on this machine. Default: unpriced: calls cost an unknown amount.',
    ),
    usd_per_million: optionalKey(
      z.strictObject({ in: usd(), out: usd(), cached: usd().optional() }),
      "The model's prices per million tokens, for programs that tell no dollars; andon keeps no list of prices.",
    ),
    version: optionalKey(
      z.strictObject({
        args: args(),
        match: pattern().describe('A line by which the program names itself (RE2).'),
        from: optionalKey(
          z.string().regex(/^\d+(?:\.\d+){0,3}$/, 'expected a version such as 0.169.0'),
          'The oldest version that is taken.',
        ),
        remedy: z.string().max(300).optional(),
      }),
      'How it is known that this is the program, and which.',
    ),
    login: optionalKey(
      z.strictObject({
        args: optionalKey(args().min(1), 'Arguments of a command that exits with 0 when a login exists.'),
        env: optionalKey(z.array(variable()).min(1).max(10), 'Variables any of which counts as a login.'),
        remedy: z.string().max(300),
      }),
      'How `andon doctor` learns, without spending anything, whether the program may ask its model.',
    ),
    isolates: optionalKey(
      z.strictObject({
        args: args().min(1).describe('A question to the program that it answers with its options, such as `--help`.'),
        flags: z
          .array(z.string().regex(/^--[a-z][a-z-]{0,60}$/, 'expected an option such as --ephemeral'))
          .min(1)
          .max(20),
      }),
      'Options without which it would not be apart from your settings, or not be understood: `andon doctor` checks that it knows them.',
    ),
    prompt: optionalKey(
      z.strictObject({
        via: z.enum(['stdin', 'argument', 'file']),
        max_bytes: optionalKey(z.int().min(1).max(64_000_000), 'Default: 8,000,000; of an argument 120,000.'),
      }),
      'How the prompt reaches it, and how long it may be. Default: stdin.',
    ),
    calls: optionalKey(
      z.strictObject({
        text: optionalKey(call(), 'A call that is answered in text: what an implementer is asked.'),
        review: optionalKey(call(), 'A call that is answered by a schema: what a reviewer is asked.'),
        edit: optionalKey(
          editCallSchema(),
          'A call in which it works on the files itself: on a copy of the project, in the cage, behind the model door.',
        ),
      }),
      'The calls that it can take. Text and review run in an empty folder and edit nothing.',
    ),
    door: optionalKey(doorSchema(), 'Where the only network of an edit call leads to.'),
    home: optionalKey(
      z.enum(['own', 'fresh']),
      'own (default): your HOME, with your login and settings; fresh: a private one for each call.',
    ),
    home_files: optionalKey(
      z.record(homeFile(), z.string().max(20_000)),
      'Files of a fresh home, such as its settings. Keys do not belong here; name them in `pass`.',
    ),
    output: optionalKey(outputSchema(), 'How what it prints is understood.'),
    exits: optionalKey(
      z.strictObject({
        ok: optionalKey(z.array(z.int().min(0).max(255)).min(1), 'Default: 0.'),
        refused: optionalKey(z.array(z.int().min(1).max(255)), 'Something that only a human can put right.'),
        unavailable: optionalKey(z.array(z.int().min(1).max(255)), 'Something that passes by itself.'),
        too_long: optionalKey(z.array(z.int().min(1).max(255)), 'The prompt did not fit.'),
      }),
      'What exit codes mean where its words say nothing.',
    ),
    causes: optionalKey(
      z
        .array(
          z.strictObject({
            match: pattern().describe(
              'Looked for in what it says about its failure, and in its exit code as `exit N` (RE2, linear time).',
            ),
            kind: z.enum(['unavailable', 'refused', 'too-long', 'spent', 'unreadable', 'crash']),
            remedy: z.string().max(300).optional(),
            in_answer: optionalKey(
              z.enum(['always', 'in_trouble']),
              'Also looked for in an answer in text, of a program that reports it as a success: always, or in a short one while it is in trouble. Default: never.',
            ),
          }),
        )
        .max(50),
      'Why a call failed; the first that fits counts. When an unavailable one is back is read from its words.',
    ),
    end: optionalKey(
      z.strictObject({
        first: optionalKey(z.enum(['SIGTERM', 'SIGINT']), 'Default: SIGTERM.'),
        grace_seconds: optionalKey(z.number().min(0).max(60), 'Until the next signal. Default: some seconds.'),
      }),
      'How it is ended. Whatever it has started is killed with it in any case.',
    ),
  }),
);

/** A driver in a configuration file; for a shipped driver, a user writes only the changes. */
export type WrittenDriver = z.infer<ReturnType<typeof driverSchema>>;
