import { toOneLine } from '../../base/fault.ts';

/** The paths in an item or a line of a spec, unquoted; text after a path is a fault, never a part of it. */
export function findSpecPaths(text: string): { readonly paths: readonly string[]; readonly faults: readonly string[] } {
  const parts = (text.match(/(?:`[^`]*`|[^,])+/g) ?? []).map((part) => part.trim());
  const quoted = parts.flatMap((part) => [...part.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path.trim()));
  if (quoted.length > 0)
    return { paths: quoted, faults: parts.filter((part) => !part.includes('`') && PATHLIKE.test(part)).map(mixed) };
  const paths = parts.filter((name) => !isTemplateText(name)).map((name) => ({ name, path: withoutQuotes(name) }));
  return {
    paths: paths.map(({ path }) => path),
    faults: paths.filter(({ name, path }) => name === path && /\s/.test(path)).map(({ path }) => behind(path)),
  };
}

/** The fault of a path that was given alone, in which blanks may occur; undefined for a valid path. */
export const pathFault = (path: string): string | undefined =>
  /\s(?:[([{<"'#=]|[-–—]+\s|->|→)/.test(path) ? behind(path) : undefined;

/** A path without the quotes or backticks around it. */
export const withoutQuotes = (text: string): string => text.replace(/^(["'`])(.*)\1$/, '$2').trim();

/** The placeholders of an untouched template, and usual words for "nothing". */
export const isTemplateText = (text: string): boolean =>
  text === '' || /^(?:\[[^\]`]*\]|<[^>]*>|\.{3}|…|none|n\/a|todo|tbd|-)\.?$/i.test(text);

/** Text beside paths in backticks that may be one more path; other words explain them. */
const PATHLIKE = /^["']?\S*(?:\/|\.\w)\S*$/;

const behind = (path: string): string =>
  `found "${toOneLine(path, 80)}"; expected the path alone, without text behind it (a path with blanks: in backticks)`;

const mixed = (part: string): string =>
  `found "${toOneLine(part, 80)}" beside paths in backticks; expected all of them in backticks`;
