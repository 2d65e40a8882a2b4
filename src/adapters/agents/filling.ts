import type { Argument } from '../../config/driver-arguments.ts';
import type { PrivateFolder } from './private-folder.ts';

/** What is put in for placeholders; undefined or empty: there is nothing. */
export type Values = Readonly<Record<string, string | undefined>>;

/** Programs that keep to the rules of desktops look for their files here rather than below HOME. */
export const freshHome = (home: string): Readonly<Record<string, string>> => ({
  HOME: home,
  XDG_CONFIG_HOME: `${home}/.config`,
  XDG_DATA_HOME: `${home}/.local/share`,
  XDG_STATE_HOME: `${home}/.local/state`,
  XDG_CACHE_HOME: `${home}/.cache`,
});

/** The arguments of a call; those of a list go together, or not at all. */
export const argumentsOf = (list: readonly Argument[], values: Values): readonly string[] =>
  list.flatMap((one) => {
    if (typeof one === 'string') return [fill(one, values)];
    const lacks = one.some((part) => [...part.matchAll(PLACEHOLDER)].some(([, word = '']) => isNothing(values[word])));
    return lacks ? [] : one.map((part) => fill(part, values));
  });

/** Variables, or files by name, with everything put in. */
export const filledIn = (texts: Readonly<Record<string, string>>, values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, fill(value, values)]));

/** Writes the files of a private home. */
export function written(place: PrivateFolder, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) place.write(`home/${name}`, text);
}

/** Whether there is nothing to put in. */
export const isNothing = (value: string | undefined): boolean => value === undefined || value === '';

/** In one pass: what is put in is never looked through again. */
const fill = (text: string, values: Values): string =>
  text.replace(PLACEHOLDER, (whole, word: string) => (Object.hasOwn(values, word) ? (values[word] ?? '') : whole));

const PLACEHOLDER = /\{([a-z_]+)\}/g;
