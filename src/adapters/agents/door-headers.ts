import type { KnownSecrets } from '../../base/known-secrets.ts';

/** Headers as Node.js reads them, their names in lower case. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;
/** Headers as it writes them. */
type Written = Record<string, string | string[] | number>;

/**
 * What a program may say of itself and of its protocol. Headers that choose an account, an organisation, another method
 * or another path are not here, and neither is any key.
 */
const ASKED = new Set([
  ...'accept user-agent originator session-id thread-id x-app x-initiator x-goog-api-client'.split(' '),
  ...'anthropic-version anthropic-beta anthropic-dangerous-direct-browser-access openai-beta'.split(' '),
  ...'x-client-request-id x-claude-code-session-id x-session-id x-session-affinity'.split(' '),
]);
const ASKED_FAMILIES = /^(?:x-stainless|x-codex)-[a-z-]{1,60}$/;

/** What a service may say beside its answer: how it is written, and when to come back. Nothing of the account. */
const ANSWERED = new Set([
  ...'content-type cache-control date retry-after retry-after-ms x-should-retry'.split(' '),
  ...'request-id x-request-id openai-processing-ms openai-version openai-model'.split(' '),
]);
const ANSWERED_FAMILIES = /^(?:anthropic-ratelimit|x-ratelimit|x-codex)-[a-z0-9-]{1,80}$/;

/** The headers of an outgoing request: the known ones, those that describe its body, and the real key. */
export const headersFor = (
  asked: Headers,
  { key, keyHeader }: { readonly key: string | undefined; readonly keyHeader: string },
  body: Buffer | undefined,
): Written => ({
  ...known(asked, (name) => name !== keyHeader && (ASKED.has(name) || ASKED_FAMILIES.test(name))),
  'accept-encoding': 'identity', // what is used is read from the answer as it passes
  ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
  ...(key === undefined ? {} : { [keyHeader]: keyHeader === 'authorization' ? `Bearer ${key}` : key }),
});

/** The headers of an answer as they go back into the cage. */
export const headersBack = (answered: Headers, secrets: KnownSecrets): Written =>
  Object.fromEntries(
    Object.entries(known(answered, (name) => ANSWERED.has(name) || ANSWERED_FAMILIES.test(name))).map(
      ([name, value]) => [name, secrets.mask(String(value))],
    ),
  );

const known = (headers: Headers, isKnown: (name: string) => boolean): Written =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || !isKnown(name) ? [] : [[name, typeof value === 'string' ? value : [...value]]],
    ),
  );
