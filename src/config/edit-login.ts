import { z } from 'zod';
import { once } from '../base/once.ts';
import { callArgs, homeFile, variable } from './driver-arguments.ts';

/** What stands in the place of a key where the user lets his login into the cage. */
export interface EditLogin {
  /** Below the user's home, and in the same place below the private one. */
  readonly file: string;
  /** `host` or `host:port`, lower case; nothing else is connected to. */
  readonly hosts: readonly string[];
}

/** How a program works with the login of a subscription, which no proxy can put in from outside. */
export const editLoginSchema = once(() =>
  z.strictObject({
    file: homeFile().describe(
      'The file that holds the login, below your home; it lies at the same place in its private home.',
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
        'The hosts that it may connect to, by a proxy of andon’s at `{door}`; nothing else is reached. Default port: 443.',
      ),
    args: callArgs().optional().describe('In place of the `args` of the edit call.'),
    env: z.record(variable(), z.string().max(20_000)).optional().describe('In place of its `env`.'),
    home_files: z.record(homeFile(), z.string().max(20_000)).optional().describe('In place of its `home_files`.'),
  }),
);
