import { createUsageError } from './problem.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that name a folder of the user for andon, git or an agent. */
export const FOLDER_VARIABLES = [
  'HOME',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  'TMPDIR',
  'TMP',
  'TEMP',
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
] as const;

/** Variables that list folders of programs. */
const PATH_VARIABLES = ['PATH', 'ANDON_PATH'] as const;

/** Proxy variables; programs differ in which case they read. */
export const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

/** Variables that name certificates, or say where a program takes them from. */
export const CERTIFICATE_VARIABLES = [
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'PIP_CERT',
  'UV_NATIVE_TLS',
  'UV_SYSTEM_CERTS',
  'CARGO_HTTP_CAINFO',
  'GIT_SSL_CAINFO',
  'DENO_CERT',
] as const;

/** The user's PATH: `scripts/run.mjs` puts andon's own Node.js in front of the other one. */
export const findUserPath = (env: Environment): string | undefined => env['ANDON_PATH'] ?? env['PATH'];

/**
 * The folder of a variable; `otherwise` where it is unset or empty, by the XDG specification. A relative one depends on
 * the current folder, so that a repository could bring the user's configuration: throws a Problem.
 */
export function resolveBaseFolder(env: Environment, name: string, otherwise: () => string): string {
  const value = env[name] ?? '';
  if (value === '') return otherwise();
  if (isAbsolutePath(value)) return value;
  throw createUsageError(
    `${name} is ${JSON.stringify(value)}, which is not an absolute path`,
    `unset ${name}, or set it to a path that begins with /`,
  );
}

/**
 * The environment for andon and its children: base folders are absolute or unset, HOME is set, and PATH holds absolute
 * folders only, so that no program comes from the current folder. `homeOf` gives the user's home folder. Throws a
 * Problem for a relative folder.
 */
export function cleanEnvironment(env: Environment, homeOf: () => string): Record<string, string | undefined> {
  const cleaned = { ...env };
  for (const name of FOLDER_VARIABLES) {
    if (resolveBaseFolder(env, name, () => '') === '') delete cleaned[name];
  }
  cleaned['HOME'] ??= resolveBaseFolder({ HOME: homeOf() }, 'HOME', () => '/');
  for (const name of PATH_VARIABLES) {
    const folders = (env[name] ?? '').split(PATH_SEPARATOR).filter(isAbsolutePath);
    if (folders.length > 0) cleaned[name] = folders.join(PATH_SEPARATOR);
    else delete cleaned[name];
  }
  cleaned['PATH'] ??= USUAL_PATH;
  return cleaned;
}

const PATH_SEPARATOR = ':';
/** Default folders of the system's programs. */
const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin';

const isAbsolutePath = (path: string): boolean => path.startsWith('/');
