import type { ChangedText } from './changed-text.ts';
import { isObeyed, partOf, plainLines } from './configurations.ts';
import type { GateFiles } from './gate-files.ts';
import { MAKEFILES, targetsReached } from './make-targets.ts';
import { keysOf, scriptsOf } from './package-keys.ts';

/** A change of a gate's definition; with `isNew`, the definition did not exist before. */
export interface RedefinedGate {
  readonly path: string;
  readonly what: string;
  readonly isNew: boolean;
}

/**
 * Compares the part of a file that gates depend on; nothing where no gate does. Running the gates shows what a change
 * breaks today; that a gate is as strong tomorrow only its definition shows.
 */
export function findRedefinedGates(
  file: ChangedText,
  gateFiles: GateFiles,
  hadTests: (folder: string) => boolean,
): readonly RedefinedGate[] {
  const { path, before, after } = file;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const folder = path.slice(0, -name.length);
  const changed = (was: string, is: string, isNew = false): readonly RedefinedGate[] =>
    was === is ? [] : [{ path, what: `${path}: ${describeDifference(was, is)}`, isNew }];
  if (name === 'package.json') return inPackage(file, gateFiles);
  if (MAKEFILES.includes(name))
    return gateFiles.makeFolders.has(folder.replace(/\/$/, ''))
      ? changed(makePart(before, gateFiles), makePart(after, gateFiles), before === undefined)
      : [];
  const isConfiguration = isObeyed(path, gateFiles.words);
  if (gateFiles.shadows.has(path) && after !== undefined)
    return [{ path, what: `${path}: is run in place of an installed module of that name`, isNew: false }];
  if (!gateFiles.definitions.has(path) && !isConfiguration) return [];
  const part = partOf(path);
  if (part !== undefined) return changed(part(before ?? ''), part(after ?? ''));
  if (after === undefined) return [{ path, what: `${path}: deleted`, isNew: false }];
  if (before === undefined) return [{ path, what: `${path}: added`, isNew: !(isConfiguration && hadTests(folder)) }];
  const [was, is] = [withoutComments(path, before), withoutComments(path, after)];
  // Where line ends mean nothing, a formatter may move them.
  const isSame = /\.[cm]?[jt]sx?$/.test(path) && was.replaceAll('\n', ' ') === is.replaceAll('\n', ' ');
  return isSame ? [] : changed(was, is);
}

/** Keys of package.json that configure a runner of tests, and those that configure another program. */
const RUNNER_KEYS = ['jest', 'vitest', 'mocha', 'ava', 'nyc', 'c8', 'tap', 'jasmine', 'cypress', 'wtr', 'karma'];
const CHECKER_KEYS = ['eslintConfig', 'xo', 'standard', 'stylelint', 'prettier', 'lint-staged', 'wireit'];

function inPackage({ path, before, after }: ChangedText, gateFiles: GateFiles): readonly RedefinedGate[] {
  if (path !== 'package.json' && !gateFiles.everyPackage) return [];
  const [was, is] = [scriptsOf(before), scriptsOf(after)];
  const found: RedefinedGate[] = [];
  for (const name of gateFiles.scripts) {
    const [old, now] = [was[name], is[name]];
    if (old === now) continue;
    const hooked = /^(?:pre|post)(.+)$/.exec(name)?.[1];
    const isNew = old === undefined && (hooked === undefined || was[hooked] === undefined);
    const what = `${path}: script "${name}": ${old === undefined ? 'none' : JSON.stringify(old)} -> ${now === undefined ? 'none' : JSON.stringify(now)}`;
    found.push({ path, what, isNew });
  }
  const [old, now] = [keysOf(before), keysOf(after)];
  const keys = [...RUNNER_KEYS, ...CHECKER_KEYS.filter((key) => gateFiles.words.has(key.replace('Config', '')))];
  for (const key of before === undefined ? [] : keys) {
    const [one, other] = [writtenValue(old[key]), writtenValue(now[key])];
    if (one !== other) found.push({ path, what: `${path}: "${key}": ${describeDifference(one, other)}`, isNew: false });
  }
  return found;
}

const writtenValue = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value));

/** The recipes that gates reach, the variables in them, and lines that change every recipe. */
function makePart(text: string | undefined, { targets }: GateFiles): string {
  if (text === undefined) return '';
  const recipes = targetsReached(text, targets).map((target) => target.text);
  const used = new Set([...recipes.join('\n').matchAll(/\$[({]+\s*([\w.-]+)/g)].map(([, name = '']) => name));
  const variables = plainLines(text).filter((line) => {
    const name = /^\s*(?:export\s+)?([\w.-]+)\s*[:?+!]?:?=/.exec(line)?.[1];
    const isGlobal = /^(?:SHELL|MAKEFLAGS|\.SHELLFLAGS|\.IGNORE|\.SILENT|include|-include|import|set)\b/.test(line);
    return isGlobal || (name !== undefined && used.has(name));
  });
  return [...recipes, ...variables.map((line) => line.trim())].join('\n');
}

/** Lines without indentation, whole-line comments and the signs that formatters add at their ends. */
const withoutComments = (path: string, text: string): string =>
  /\.jsonc?$/.test(path)
    ? text.replace(/\s+/g, '')
    : plainLines(text)
        .map((line) => line.trim().replace(/[;,]$/, ''))
        .filter((line) => !/^(?:\/\/|\/\*|\*(?:\s|\/|$))/.test(line))
        .join('\n');

/** The first lines that differ, each cut to a readable length. */
function describeDifference(was: string, is: string): string {
  const [old, now] = [was.split('\n'), is.split('\n')];
  const at = old.findIndex((line, place) => line !== now[place]);
  const place = at === -1 ? old.length : at;
  const [one, other] = [old[place] ?? '', now[place] ?? ''];
  let from = 0;
  while (from < one.length && one[from] === other[from]) from += 1;
  const begin = Math.max(0, from - 40);
  return `${JSON.stringify(one.slice(begin, begin + 120))} -> ${JSON.stringify(other.slice(begin, begin + 120))}`;
}
