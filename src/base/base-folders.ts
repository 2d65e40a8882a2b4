import { mistake } from './problem.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that name a folder in which andon, git or an agent looks for what belongs to the user. */
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

/** Variables that list folders in which programs are looked for. */
const PATH_VARIABLES = ['PATH', 'ANDON_PATH'] as const;

/** How a proxy is named in an environment; programs differ in which case they read. */
export const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

/**
 * The folder that a variable names; `otherwise` where it is unset or empty, as the XDG specification has it. A relative
 * one would lie in whatever folder andon is started in, so that a repository could bring the user's configuration: throws
 * a Problem.
 */
export function baseFolder(env: Environment, name: string, otherwise: () => string): string {
  const value = env[name] ?? '';
  if (value === '') return otherwise();
  if (isAbsolutePath(value)) return value;
  throw mistake(
    `${name} is ${JSON.stringify(value)}, which is not an absolute path`,
    `unset ${name}, or set it to a path that begins with /`,
  );
}

/**
 * The environment that andon works with and hands on: base folders are absolute or unset, HOME is always set, and PATH
 * holds absolute folders only, so that no program is taken from the folder andon is started in. `homeOf` gives the home
 * folder of the user's account. Throws a Problem for a folder that is relative.
 */
export function cleanEnvironment(env: Environment, homeOf: () => string): Record<string, string | undefined> {
  const cleaned = { ...env };
  for (const name of FOLDER_VARIABLES) {
    if (baseFolder(env, name, () => '') === '') delete cleaned[name];
  }
  cleaned['HOME'] ??= baseFolder({ HOME: homeOf() }, 'HOME', () => '/');
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
