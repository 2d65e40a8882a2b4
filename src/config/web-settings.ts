import { z } from 'zod';
import { lazy } from '../base/lazy.ts';
import { optionalKey } from './optional.ts';

/** Access to the board from outside this machine. */
export interface WebSettings {
  /** Such as `https://board.example.org`; links in notifications lead there. Undefined = no links. */
  readonly url: string | undefined;
}

function mustBeOrigin(text: string, context: z.RefinementCtx): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && text.replace(/\/$/, '') === url.origin;
  if (!isPlain || !['http:', 'https:'].includes(url.protocol))
    context.addIssue({
      code: 'custom',
      message: 'expected an address without a path, such as https://board.example.org',
    });
}

/** `web` of the user's own configuration. */
export const webSchema = lazy(() =>
  z.strictObject({
    url: optionalKey(
      z.string().superRefine(mustBeOrigin),
      'Where `andon web` is reached, through a TLS proxy or `ssh -L`: links of notifications lead there, and its name is one that a Host may say. Default: none.',
    ),
  }),
);

/** What was written, with every default. */
export const toWeb = (written: z.infer<ReturnType<typeof webSchema>> | undefined): WebSettings => ({
  url: written?.url === undefined ? undefined : new URL(written.url).origin,
});
