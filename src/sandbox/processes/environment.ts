/** Variables that every child may see; no others are inherited. */
const ALLOWED = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TERM', 'TZ', 'TMPDIR', 'USER', 'LOGNAME'];

/** The environment of a child: the allow-list, further names, and fixed values. */
export function buildChildEnvironment(
  parent: Readonly<Record<string, string | undefined>>,
  names: readonly string[] = [],
  fixed: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of [...ALLOWED, ...names]) {
    const value = parent[name];
    if (value !== undefined) env[name] = value;
  }
  return { ...env, ...fixed };
}
