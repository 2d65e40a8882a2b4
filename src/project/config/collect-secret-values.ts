import { parseJson } from '../../base/json-object.ts';
import { isIdentifier, looksRandom } from '../../base/random-text.ts';
import type { Settings } from './read-settings.ts';

/** The sections with a user's secrets, which only the user's own configuration can have. */
type WithSecrets = Pick<Settings, 'ollama' | 'drivers' | 'notifications' | 'llm' | 'web'>;

/**
 * Every secret value: of variables and keys with secret names, of variables named as `key_env` or `secret_env`,
 * passwords in addresses, options such as `--token`, and values of agents' variables that look like keys.
 */
export function collectSecretValues(
  { ollama, drivers, notifications, llm, web }: WithSecrets,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const ofMachine = Object.entries(env).flatMap(([name, value = '']) =>
    isSecretName(name, value) ? valuesNamed(name, value) : passwordsIn(value),
  );
  const addresses = [notifications.webhook?.url ?? '', ...(notifications.command ?? [])].filter((one) =>
    one.includes('://'),
  );
  const configured = secretsBelow({ ollama, drivers, notifications, llm, web }, '', env, false);
  return [...ofMachine, ...addresses.flatMap(splitSecretValue), ...configured].filter(
    ({ length }) => length >= SHORTEST,
  );
}

/** A shorter value may be ordinary text. */
const SHORTEST = 8;

/**
 * Whether a name marks a secret: `apiKey`, `GITHUB_TOKEN`, not `KEY_FILE` or `max_tokens`. For the key of a table the
 * value decides: some services name their own keys so.
 */
export function isSecretName(name: string, value = ''): boolean {
  if (OWN_NAMES.has(name)) return false;
  const words = wordsOf(name);
  const [last = ''] = words.slice(-1);
  const joined = words.join('_');
  if (ABOUT.has(last) || words.includes('max') || PUBLIC.test(joined)) return false;
  if (last === 'url' || last === 'uri') return words.some((word) => IN_ADDRESS.has(word));
  if (OF_TABLE.test(joined) && !value.split('/').some((part) => looksRandom(part))) return false;
  return words.some((word) => PASSWORD.has(word) || KEY.has(word));
}

const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');

/** Variables that are no secrets, whatever their names suggest. */
const OWN_NAMES = new Set(['PWD', 'OLDPWD', 'GOOGLE_APPLICATION_CREDENTIALS']);
/** Names of secrets that people choose, or that are sometimes words. */
const PASSWORD = new Set(
  'token tokens secret secrets password passwd passphrase pass pwd pw bearer pat jwt'.split(' '),
);
/** Words in names of random secrets; the same words mark what is not secret. */
const KEY = new Set('key keys apikey credential credentials auth authorization cookie dsn sas webhook'.split(' '));
/** For these, the secret is in the address itself. */
const IN_ADDRESS = new Set(['webhook', 'dsn', 'sas']);
/** A name with this ending is about a secret, and not the secret. */
const ABOUT = new Set(
  `file path dir directory folder name id host domain port type env header headers method algorithm length size limit count
  sock socket ttl expiry prefix format version enabled mode model`.split(/\s+/),
);
/** Public values: the public half of a pair of keys, and what web tools put into pages. */
const PUBLIC = /(?:^|_)public_keys?(?:_|$)|^(?:(?:next|nuxt|expo)_)?public_/;
/** Keys of database tables. */
const OF_TABLE = /(?:^|_)(?:primary|sort|partition|foreign)_keys?$/;

/** Whether a name makes a value a secret. A key is no plain identifier; a password may be one. */
function valuesNamed(name: string, value: string): readonly string[] {
  const isPassword = wordsOf(name).some((word) => PASSWORD.has(word));
  return splitSecretValue(value).filter((one) => isPassword || !isIdentifier(one));
}

/** The secrets in the text of a variable: the strings of JSON, the lines of a PEM file. */
export function splitSecretValue(text: string): readonly string[] {
  const value = text.includes('{') ? parseJson(text) : undefined;
  if (typeof value === 'object' && value !== null) return stringsIn(value);
  if (text.trim().includes('\n'))
    return text.split('\n').filter((line) => line.length >= LONG && !line.startsWith('-----'));
  if (!URL.canParse(text) || !text.includes('://')) return [text];
  const { pathname, searchParams, hash } = new URL(text);
  const parts = [...pathname.split('/'), ...searchParams.values(), hash.slice(1)];
  return [...passwordsIn(text), ...parts.filter((part) => looksRandom(part))];
}

/** Shorter words of a document (a kind, a name, a short id) are no secrets. */
const LONG = 20;

const MOST_NESTED = 20;

/** The secrets of a document: values of secret names, long words below one, and long words with digits anywhere. */
function stringsIn(value: unknown, isNamed = false, isBelow = false, depth = 0): readonly string[] {
  if (typeof value === 'string') {
    if (value.includes('\n')) return isNamed ? splitSecretValue(value) : [];
    const isLong = value.length >= LONG && !/:\/\/|\s/.test(value);
    return isNamed || (isLong && (isBelow || /\d/.test(value))) ? splitSecretValue(value) : [];
  }
  if (typeof value !== 'object' || value === null || depth === MOST_NESTED) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const isSecret = Array.isArray(value) ? isNamed : isSecretName(key);
    return stringsIn(one, isSecret, isBelow || isSecret, depth + 1);
  });
}

function secretsBelow(
  value: unknown,
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  isVariable: boolean,
): readonly string[] {
  if (typeof value === 'string') {
    if (/^(?:key|secret)(?:_env|Env)$/.test(name)) return splitSecretValue(env[value] ?? '');
    if (isSecretName(name, value)) return valuesNamed(name, value);
    return [...writtenIn(value), ...passwordsIn(value), ...(isVariable && looksRandom(value) ? [value] : [])];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value) && name === 'pass') return []; // names of variables
  if (Array.isArray(value))
    return value.flatMap((one, at) =>
      typeof value[at - 1] === 'string' && /^--?[a-z]/i.test(value[at - 1]) && isSecretName(value[at - 1])
        ? valuesNamed(value[at - 1], String(one))
        : secretsBelow(one, name, env, isVariable),
    );
  const areVariables = isVariable || name === 'env';
  // A driver's own variables are looked up before those of the machine.
  const seen = 'env' in value && typeof value.env === 'object' ? { ...env, ...value.env } : env;
  return Object.entries(value).flatMap(([key, one]) => secretsBelow(one, key, seen, areVariables));
}

/** `api_key = "…"` in a file of settings, `--token=…` and `Bearer …` in an argument. */
function writtenIn(text: string): readonly string[] {
  const given = [...text.matchAll(/([A-Za-z][\w-]{0,60})["']?\s{0,3}[:=]\s{0,3}["']?([^\s"',;&{}]{8,})/g)];
  return [
    ...given.flatMap(([, key = '', value = '']) => (isSecretName(key, value) ? valuesNamed(key, value) : [])),
    ...[...text.matchAll(/\b(?:bearer|basic)\s{1,4}([^\s"']{8,})/gi)].map(([, value = '']) => value),
  ];
}

/** Passwords of addresses, encoded and decoded. */
const passwordsIn = (text: string): readonly string[] =>
  [...text.matchAll(/:\/\/[^\s:/@]{0,200}:([^\s/@]{1,200})@/g)].flatMap(([, written = '']) => {
    try {
      return [written, decodeURIComponent(written)];
    } catch {
      return [written];
    }
  });
