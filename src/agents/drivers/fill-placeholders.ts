import { listPlaceholders, PLACEHOLDER, type Argument } from '../../project/config/driver-arguments.ts';
import type { PrivateFolder } from './private-folder.ts';

/** The values of placeholders; undefined or empty means absent. */
export type Values = Readonly<Record<string, string | undefined>>;

/** Desktop programs look for their files here rather than below HOME. */
export const freshHome = (home: string): Readonly<Record<string, string>> => ({
  HOME: home,
  XDG_CONFIG_HOME: `${home}/.config`,
  XDG_DATA_HOME: `${home}/.local/share`,
  XDG_STATE_HOME: `${home}/.local/state`,
  XDG_CACHE_HOME: `${home}/.cache`,
});

/** The arguments of a call; those of an inner list are kept or left out together. */
export const fillArguments = (list: readonly Argument[], values: Values): readonly string[] =>
  list.flatMap((one) => {
    if (typeof one === 'string') return [fill(one, values)];
    const lacks = one.flatMap(listPlaceholders).some((word) => isNothing(values[word]));
    return lacks ? [] : one.map((part) => fill(part, values));
  });

/** Variables, or files by name, with their placeholders filled. */
export const fillPlaceholders = (texts: Readonly<Record<string, string>>, values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, fill(value, values)]));

export function writeHomeFiles(place: PrivateFolder, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) place.write(`home/${name}`, text);
}

export const isNothing = (value: string | undefined): boolean => value === undefined || value === '';

/** In one pass: inserted values are never expanded again. */
const fill = (text: string, values: Values): string =>
  text.replace(PLACEHOLDER, (whole, word: string) => (Object.hasOwn(values, word) ? (values[word] ?? '') : whole));
