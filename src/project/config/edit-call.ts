import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { optionalKey } from '../../base/optional.ts';
import { commandText } from '../contract/task-contract-fields.ts';
import { callArgs, homeFile, listPlaceholders, variable } from './driver-arguments.ts';
import { outputSchema, type DriverOutput } from './driver-output.ts';

/** How a program edits a copy of the project, defaults filled in. */
export type EditCall = NonNullable<ReturnType<typeof editOf>>;

/** How a program uses the login of a subscription, which a proxy cannot insert. */
const editLoginSchema = lazy(() =>
  z.strictObject({
    file: homeFile().describe(
      'The file that holds the login, below your home; it is at the same path in its private home.',
    ),
    hosts: z
      .array(
        z
          .string()
          .regex(
            /^(?!-)[a-z0-9.-]{1,200}(?::\d{1,5})?$/,
            'expected the name of a host, in lower case, with a port or without',
          )
          .refine((host) => Number(host.split(':')[1] ?? 443) <= 65_535, 'expected a port of at most 65535'),
      )
      .min(1)
      .max(20)
      .describe(
        'The hosts that it may connect to by TLS, by a proxy of andon’s at `{door}`; nothing else is reached. Default port: 443.',
      ),
    args: optionalKey(callArgs(), 'In place of the `args` of the edit call.'),
    env: optionalKey(z.record(variable(), commandText().max(20_000)), 'In place of its `env`.'),
    home_files: optionalKey(z.record(homeFile(), z.string().max(20_000)), 'In place of its `home_files`.'),
  }),
);

/** An edit call; a user may set one key alone. */
export const editCallSchema = lazy(() =>
  z.strictObject({
    args: callArgs().optional(),
    env: optionalKey(
      z.record(variable(), commandText().max(20_000)),
      'The variables of this call; those of `env` and `pass` are not there. `{door}`, `{key}`, `{model}`, `{home}`.',
    ),
    home_files: optionalKey(
      z.record(homeFile(), z.string().max(20_000)),
      'Files of its private home, such as its settings, with the same placeholders.',
    ),
    hide: optionalKey(
      z
        .array(
          z.string().regex(/^(?!\/)(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^*?[\]{}]+$/, 'expected a name or a path, no pattern'),
        )
        .max(100),
      'Files and folders of the repository that it does not see: a name hides it in every folder, a path only there. What it writes at these is not taken. Default: nothing; for the shipped drivers `.env` and the settings of agents.',
    ),
    output: optionalKey(outputSchema(), 'How what it prints is understood, where that differs from `output`.'),
    uncaged: optionalKey(
      z.boolean(),
      'true: with `cage: none` in your configuration it runs without a cage, as you, with your network and files. Default: false: then it does not run.',
    ),
    login: optionalKey(editLoginSchema(), 'How it works with the login of a subscription, where `with_login` says so.'),
    with_login: optionalKey(
      z.boolean(),
      'true: a copy of your login file enters the cage, and its program works with your subscription. What it asks is not seen by andon then: no model is pinned, and what is used is known only as the program tells it. Default: false.',
    ),
  }),
);
type WrittenEdit = z.infer<ReturnType<typeof editCallSchema>>;

/** The model door. */
export const doorSchema = lazy(() =>
  z.strictObject({
    to: optionalKey(
      z.url({ protocol: /^https?$/ }),
      'The address that requests go to, host and path prefix; nothing else is reached.',
    ),
    key_env: optionalKey(
      z.array(variable()).max(10),
      'Variables of your environment of which the first that is set holds the key. It is put in outside the cage.',
    ),
    key_header: optionalKey(
      z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,60}$/, 'expected the name of a header'),
      'The header that carries the key. Default: authorization, as `Bearer`.',
    ),
    model: optionalKey(
      z.enum(['exact', 'family']),
      'exact (default): every request asks the model that the profile names, whatever the program wrote; family: the program may write a longer name of which that one is a part (`sonnet`).',
    ),
    requests: optionalKey(z.int().min(1).max(100_000), 'The most requests of one call. Default: 200.'),
  }),
);

type WrittenDoor = z.infer<ReturnType<typeof doorSchema>>;

/** Settings by which a repository would steer an agent, and secrets: hidden by every shipped driver. */
const AGENT_SETTINGS = [
  ...'.env .mcp.json .claude .codex .agents .opencode opencode.json opencode.jsonc'.split(' '),
  ...'.qwen .gemini .copilot .github/hooks'.split(' '),
];

/** Merges the shipped and the user's calls: a kind of call replaces the shipped one; for an edit call each key does. */
export function withCalls<Calls extends { readonly edit?: WrittenEdit | undefined }>(
  base: Calls | undefined,
  own: Calls | undefined,
): { readonly calls?: Calls } {
  const [calls] = [own ?? base];
  if (calls === undefined) return {};
  const shipped = base?.edit && { hide: AGENT_SETTINGS, ...base.edit };
  const edit = own?.edit === undefined ? shipped : { ...shipped, ...own.edit };
  return { calls: { ...base, ...calls, ...(edit === undefined ? {} : { edit }) } };
}

/** Placeholders in variables and files of an edit call. */
const PUT_IN: readonly string[] = ['door', 'key', 'model', 'home'];

/** Placeholders without a value in variables and files of an edit call, and a consent without effect. */
export function editFaults(edit: WrittenEdit | undefined): readonly string[] {
  const known = PUT_IN.map((one) => `{${one}}`).join(' ');
  const filled = {
    env: edit?.env,
    home_files: edit?.home_files,
    'login.env': edit?.login?.env,
    'login.home_files': edit?.login?.home_files,
  };
  const consents = edit?.with_login === true && edit.login === undefined;
  const unfilled = Object.entries(filled).flatMap(([place, all = {}]) =>
    Object.entries(all).flatMap(([name, value]) =>
      listPlaceholders(value)
        .filter((word) => !PUT_IN.includes(word))
        .map((word) => `calls.edit.${place}.${name}: {${word}} is not put in here, only ${known}`),
    ),
  );
  return consents ? [...unfilled, 'calls.edit.with_login: its driver knows no login (`calls.edit.login`)'] : unfilled;
}

/** Default limit of requests per call: an agent that needs more is in a loop. */
const MOST_REQUESTS = 200;

/** An edit call with its defaults; undefined where it does not exist. */
export function editOf(edit: WrittenEdit | undefined, door: WrittenDoor | undefined, output: DriverOutput) {
  if (edit?.args === undefined || door?.to === undefined) return undefined;
  const login = edit.with_login === true ? edit.login : undefined;
  return {
    args: login?.args ?? edit.args,
    env: login?.env ?? edit.env ?? {},
    homeFiles: login?.home_files ?? edit.home_files ?? {},
    /** The user's login enters the cage, and the door leads to its hosts; undefined: the door inserts a key. */
    login: login && { file: login.file, hosts: login.hosts },
    /** Names that are hidden everywhere, and hidden paths. */
    hide: edit.hide ?? [],
    output: edit.output ?? output,
    /** The user allows it to run with the user's rights where there is no cage. */
    mayBeUncaged: edit.uncaged === true,
    door: {
      /** Host and path prefix. */
      to: door.to.replace(/\/+$/, ''),
      keyEnv: door.key_env ?? [],
      keyHeader: (door.key_header ?? 'authorization').toLowerCase(),
      pins: door.model ?? 'exact',
      mostRequests: door.requests ?? MOST_REQUESTS,
    },
  };
}
