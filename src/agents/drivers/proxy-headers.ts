import type { KnownSecrets } from '../../base/known-secrets.ts';

/** Headers from Node.js, with names in lower case. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;
/** Headers for Node.js. */
type Written = Record<string, string | string[] | number>;

/**
 * Request headers about the program and its protocol. Those that choose an account, an organisation, another method or
 * path, and keys, are left out.
 */
const ASKED = new Set([
  ...'accept user-agent originator session-id thread-id x-app x-initiator x-goog-api-client'.split(' '),
  ...'anthropic-version anthropic-beta anthropic-dangerous-direct-browser-access openai-beta'.split(' '),
  ...'x-client-request-id x-claude-code-session-id x-session-id x-session-affinity'.split(' '),
]);
const ASKED_FAMILIES = /^(?:x-stainless|x-codex)-[a-z-]{1,60}$/;

/** Response headers about the format of the answer and when to retry; nothing about the account. */
const ANSWERED = new Set([
  ...'content-type cache-control date retry-after retry-after-ms x-should-retry'.split(' '),
  ...'request-id x-request-id openai-processing-ms openai-version openai-model'.split(' '),
]);
const ANSWERED_FAMILIES = /^(?:anthropic-ratelimit|x-ratelimit|x-codex)-[a-z0-9-]{1,80}$/;

/** The headers of an outgoing request: the known ones, those that describe its body, and the real key. */
export const buildRequestHeaders = (
  request: Headers,
  { key, keyHeader }: { readonly key: string | undefined; readonly keyHeader: string },
  body: Buffer | undefined,
): Written => ({
  ...pickHeaders(request, (name) => name !== keyHeader && (ASKED.has(name) || ASKED_FAMILIES.test(name))),
  'accept-encoding': 'identity', // usage is read from the answer, which must be plain
  ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
  ...(key === undefined ? {} : { [keyHeader]: keyHeader === 'authorization' ? `Bearer ${key}` : key }),
});

/** The headers of an answer that enters the cage. */
export const filterResponseHeaders = (answered: Headers, secrets: KnownSecrets): Written =>
  Object.fromEntries(
    Object.entries(pickHeaders(answered, (name) => ANSWERED.has(name) || ANSWERED_FAMILIES.test(name))).map(
      ([name, value]) => [name, secrets.mask(String(value))],
    ),
  );

const pickHeaders = (headers: Headers, isKnown: (name: string) => boolean): Written =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || !isKnown(name) ? [] : [[name, typeof value === 'string' ? value : [...value]]],
    ),
  );
