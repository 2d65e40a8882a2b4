import { isObject, parseJson } from '../../base/json-object.ts';

/** What happened to a login in a cage, where the agent can write anything into its file. */
type LoginChange =
  /** The same login, or the same refresh token: the user's file loses nothing. */
  | { readonly is: 'same' }
  /** It claims another account; a claim of the user's own proves nothing. */
  | { readonly is: 'foreign'; readonly claim: string }
  /** It is no login of this program. */
  | { readonly is: 'invalid' }
  /** It has other tokens; only the service knows their account. */
  | { readonly is: 'unproven' };

/** Compares the text of a login file before and after a call. */
export function compareLogins(before: string, left: string | undefined): LoginChange {
  if (left === before) return { is: 'same' };
  return withinLimits(() => compareTexts(before, left)) ?? { is: 'invalid' };
}

/** Whether a value is nested deeper than a login, or has longer names. */
export const isBeyondLogin = (value: unknown): boolean => withinLimits(() => claimsIn(value)) === undefined;

/** Undefined where a value is beyond a login. */
function withinLimits<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function compareTexts(before: string, left: string | undefined): LoginChange {
  const [old, now] = [parseJson(before), parseJson(left ?? '')];
  if (!isObject(old) || !isObject(now)) return { is: 'invalid' };
  if (Object.keys(old).some((key) => !Object.hasOwn(now, key))) return { is: 'invalid' };
  const claims = claimsIn(now);
  for (const [path, claim] of claimsIn(old)) {
    const other = claims.get(path);
    if (other !== undefined && other !== claim) return { is: 'foreign', claim: path };
  }
  const renewing = stringsAt(old, RENEWS);
  const isKept = renewing.size > 0 && isSame(renewing, stringsAt(now, RENEWS));
  return { is: isKept || isSame(stringsAt(old), stringsAt(now)) ? 'same' : 'unproven' };
}

const RENEWS = /refresh_?token$/i;
/** Keys that identify an account, in files and in tokens of the services. */
const CLAIM =
  /(?:^|[._])(?:sub|subject|email|account|user|organi[sz]ation|org|tenant|workspace|client|project)(?:_?(?:id|uuid))?$/i;
/** Times, which change with every renewal. */
const TIME = /(?:^|\.)(?:last_?refresh|expir\w*|\w*_at|\w*At|iat|exp|nbf)$/;

const isSame = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  one.size === other.size && [...one].every(([path, value]) => other.get(path) === value);

/** The strings of a login by their paths, without times. */
const stringsAt = (value: unknown, name: RegExp = /./): ReadonlyMap<string, string> =>
  collectStrings(
    value,
    (path) => name.test(path) && !TIME.test(path),
    () => undefined,
  );

/** The account claims of a login. Tokens are decoded without checking their signatures. */
const claimsIn = (value: unknown): ReadonlyMap<string, string> =>
  collectStrings(value, (path) => CLAIM.test(path), payloadOf);

/** Limit of nesting of a login, so that a forged file does not keep andon busy. */
const MOST_NESTED = 20;
const LONGEST_PATH = 1000;

/** The wanted strings of a value by their paths; `decode` returns the content of a string that holds more. */
function collectStrings(
  value: unknown,
  isWanted: (path: string) => boolean,
  decode: (text: string) => unknown,
  path = '',
  depth = 0,
): ReadonlyMap<string, string> {
  if (depth > MOST_NESTED || path.length > LONGEST_PATH) throw new RangeError('too deep for a login');
  const within = (one: unknown, at: string) => collectStrings(one, isWanted, decode, at, depth + 1);
  if (typeof value === 'string') {
    const content = decode(value);
    return content === undefined ? new Map(isWanted(path) ? [[path, value]] : []) : within(content, path);
  }
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(Object.entries(value).flatMap(([key, one]) => [...within(one, path === '' ? key : `${path}.${key}`)]));
}

/** The payload of a JSON web token. */
function payloadOf(text: string): unknown {
  const [, body] = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(text) ?? [];
  const payload = body === undefined ? undefined : parseJson(Buffer.from(body, 'base64url').toString());
  return typeof payload === 'object' && payload !== null ? payload : undefined;
}
