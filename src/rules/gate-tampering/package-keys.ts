import { parseJsonObject } from '../../base/json-object.ts';

/** The keys of a package.json; none where it cannot be read. */
export const keysOf = (text: string | undefined): Readonly<Record<string, unknown>> =>
  parseJsonObject<Record<string, unknown>>(text ?? '{}', []) ?? {};

/** The scripts of a package.json; none where it cannot be read. */
export function scriptsOf(text: string | undefined): Readonly<Record<string, string>> {
  const entries = Object.entries(Object(keysOf(text)['scripts']) as Record<string, unknown>);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
