import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { keyWithDefault, optionalKey } from '../../base/optional.ts';
import { cageDriverSchema, limitsSchema } from '../../sandbox/cage-limits.ts';
import { driverSchema } from './driver-schema.ts';
import { userLlmSchema } from './llm-settings.ts';
import { notificationsSchema, TIME } from './notification.ts';
import { commandText } from '../contract/task-contract-fields.ts';
import { nightFields } from './night-settings.ts';

/** A model's name, which must not look like an option of a command. */
const modelName = lazy(() =>
  z.string().regex(/^[^-\s][^\s]*$/, 'expected the name of a model: no spaces, no dash in front'),
);

/** The settings of the program `ollama`. */
export const ollamaSchema = lazy(() =>
  z.strictObject({
    program: optionalKey(commandText().min(1), 'Default: ollama, found on PATH.'),
    args: optionalKey(z.array(commandText()), "Arguments put before andon's own."),
    env: optionalKey(z.record(z.string(), commandText()), 'Further variables of its environment.'),
    model: z.string().min(1).optional(),
    models: optionalKey(
      z.record(modelName(), modelName()),
      'The model that is asked in place of one that a contract names, such as `andon-qwen2.5-coder-32k` for `qwen2.5-coder`; `andon doctor --fix` writes it.',
    ),
  }),
);

/** Where code that a model wrote runs. */

const userPart = lazy(() => ({
  cage: z
    .strictObject({
      driver: optionalKey(
        cageDriverSchema(),
        'Default: bubblewrap. `sandbox-runtime` is the package @anthropic-ai/sandbox-runtime, installed by you beside andon; `none` runs gates outside any cage, as you.',
      ),
      read: optionalKey(z.array(z.string().min(1)), 'Further paths that commands in the cage may read.'),
      env: optionalKey(z.array(z.string().min(1)), 'Names of further variables that commands in the cage may see.'),
      limits: optionalKey(
        limitsSchema(),
        'What gates and setup may use; a command that uses more is ended and is an ERROR, neither red nor green.',
      ),
    })
    .or(cageDriverSchema())
    .optional(),
  second_look: optionalKey(
    z.enum(['on', 'off']),
    'Whether gates run again with the tests and the configuration of the base on the changed product, which shows what a change breaks and hides. Off: a merge says so. Default: on.',
  ),
  second_look_minutes: optionalKey(
    z.number().min(0).max(1440),
    'A gate that takes longer runs again only right before the merge, and not with each attempt. Default: 5.',
  ),
  canary: optionalKey(
    z.strictObject({
      every: z
        .int()
        .min(0)
        .max(10_000)
        .describe(
          'Before the first judgement, and then at this interval of judgements, the judge gets a change that is known to be bad; passing it stops the line. Costs one call of the judge each time. Default: 0 = never.',
        ),
    }),
    'Trying the judge.',
  ),
  unprotected_paths: optionalKey(
    z.array(z.string().min(1).max(1000)).max(200),
    'Entries of the list of protected files (yours or the built-in one), as they stand there, that shall not count. `.git`, `_handoff/` and `.andon/` always do.',
  ),
  agents: optionalKey(
    z.object({ ollama: ollamaSchema().optional() }).catchall(z.lazy(driverSchema)),
    'How programs are started. Any other name is a driver: one that andon brings along (claude, codex, gemini, qwen, opencode, copilot), of which you say only what is to be otherwise, or one of your own, told whole.',
  ),
  llm: optionalKey(z.lazy(userLlmSchema), 'Which language model `andon check --llm` asks, and what one run may cost.'),
  notifications: optionalKey(
    z.lazy(notificationsSchema),
    'How you are notified of events. Default: bell and title of the terminal, and the desktop where there is one.',
  ),
}));

const MOST_DAYS = 36_500;

export const logSchema = lazy(() =>
  z.strictObject({
    keep_days: keyWithDefault(
      z.int().min(1).max(MOST_DAYS),
      14,
      'The number of days with a log that are kept; older files are removed.',
    ),
    mb_per_day: keyWithDefault(
      z.number().min(0.01).max(10_000),
      50,
      'The most megabytes of one day; later lines of that day are left out.',
    ),
  }),
);

export const cleanSchema = lazy(() =>
  z.strictObject({
    after_days: keyWithDefault(
      z.number().min(0).max(MOST_DAYS),
      90,
      'The days after which `andon clean` removes what a task that has ended left behind.',
    ),
  }),
);

/** The user's own configuration: what no repository may decide. Sections under `projects` override the general part. */
export const userSchema = lazy(() =>
  z.strictObject({
    ...userPart(),
    digest: optionalKey(
      z.strictObject({
        at: z
          .string()
          .regex(new RegExp(`^${TIME}$`), 'expected a time of day such as 07:00')
          .describe('The local time at which a watching andon sends a digest of all repositories, once a day.'),
      }),
      'A digest of all repositories every day, over the channels of notifications. Default: none.',
    ),
    web: optionalKey(
      z.strictObject({
        url: optionalKey(
          z.string().superRefine(mustBeOrigin),
          'Where `andon web` is reached, through a TLS proxy or `ssh -L`: links of notifications lead there, and its name is one that a Host may say. Default: none.',
        ),
      }),
      'How the board of `andon web` is reached.',
    ),
    log: optionalKey(logSchema(), "How much of the watchdog's own log is kept, for each repository."),
    clean: optionalKey(cleanSchema(), 'What `andon clean` removes.'),
    ...nightFields(),
    projects: z.record(z.string(), z.strictObject(userPart())).optional(),
  }),
);

function mustBeOrigin(text: string, context: z.RefinementCtx): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && text.replace(/\/$/, '') === url.origin;
  if (!isPlain || !['http:', 'https:'].includes(url.protocol))
    context.addIssue({
      code: 'custom',
      message: 'expected an address without a path, such as https://board.example.org',
    });
}
