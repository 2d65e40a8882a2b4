import { CONFIGURATIONS, plainLines } from './configurations.ts';
import { languageOf } from './syntax.ts';
import { deeper, isSign } from './nesting.ts';
import { tokensOf } from './tokens.ts';
import { MAKEFILES, targetsReached } from './make-targets.ts';
import { keysOf, scriptsOf } from './package-scripts.ts';
import type { Reach } from './reach.ts';

/** One changed file, as text before and after; undefined where it is not there. */
export interface ChangedText {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What a change does to the definition of a gate: with `isNew`, it defines one that was not there. */
export interface Redefined {
  readonly path: string;
  readonly what: string;
  readonly isNew: boolean;
}

/** Compares what of a file the gates depend on; nothing when the file is none of a gate's definition. */
export function redefined(
  file: ChangedText,
  reach: Reach,
  hadTests: (folder: string) => boolean,
): readonly Redefined[] {
  const { path } = file;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === 'package.json') return inPackage(file, reach);
  if (MAKEFILES.includes(name))
    return reach.makeFolders.has(path.slice(0, -name.length - 1)) ? inMakefile(file, reach) : [];
  if (reach.files.has(path)) return asWhole(file, false, hadTests);
  if (reach.shadows.has(path) && file.after !== undefined)
    return [
      { path, what: `${path}: stands before the installed module of that name, which a gate runs`, isNew: false },
    ];
  for (const { names, tools, part } of CONFIGURATIONS) {
    if (!names.test(path)) continue;
    if (tools !== undefined && ![...reach.words].some((word) => tools.test(word))) continue;
    if (part === undefined) return asWhole(file, true, hadTests);
    const [was, is] = [part(file.before ?? ''), part(file.after ?? '')];
    if (was !== is) return [{ path, what: `${path}: ${difference(was, is)}`, isNew: false }];
  }
  return [];
}

/** Keys of package.json that belong to a runner. */
const RUNNER_KEYS = [
  'jest',
  'vitest',
  'mocha',
  'ava',
  'nyc',
  'c8',
  'tap',
  'jasmine',
  'cypress',
  'wtr',
  'karma',
  'lint-staged',
  'eslintConfig',
  'xo',
  'standard',
  'stylelint',
  'prettier',
  'workspaces',
  'wireit',
];
/** Keys that matter only where their program is at work. */
const TOOL_OF: Readonly<Record<string, RegExp>> = {
  eslintConfig: /^eslint$/,
  xo: /^xo$/,
  standard: /^standard$/,
  stylelint: /^stylelint$/,
  prettier: /^prettier$/,
  'lint-staged': /^lint-staged$/,
  wireit: /^wireit$/,
};

function inPackage({ path, before, after }: ChangedText, reach: Reach): readonly Redefined[] {
  if (path !== 'package.json' && !reach.everyPackage) return [];
  if (before !== undefined && after !== undefined && !isJson(after))
    return isJson(before) ? [{ path, what: `${path}: can no longer be read`, isNew: false }] : [];
  const [was, is] = [scriptsOf(before), scriptsOf(after)];
  const found: Redefined[] = [];
  for (const name of reach.scripts) {
    const [old, now] = [was[name], is[name]].map((one) => (typeof one === 'string' ? one : undefined));
    if (old === now) continue;
    const hooked = /^(?:pre|post)(.+)$/.exec(name)?.[1];
    const isNew = old === undefined && (hooked === undefined || was[hooked] === undefined);
    if (isNew && path !== 'package.json' && !isEmptyCommand(now ?? '')) continue;
    const what = `${path}: script "${name}": ${old === undefined ? 'none' : JSON.stringify(old)} -> ${now === undefined ? 'none' : JSON.stringify(now)}`;
    found.push({ path, what, isNew: isNew && !isEmptyCommand(now ?? '') });
  }
  const [old, now] = [keysOf(before), keysOf(after)];
  for (const key of RUNNER_KEYS) {
    const tool = TOOL_OF[key];
    if (tool !== undefined && ![...reach.words].some((word) => tool.test(word))) continue;
    if (key === 'workspaces' && (old[key] === undefined || now[key] !== undefined)) continue;
    const [one, other] = [JSON.stringify(old[key]), JSON.stringify(now[key])];
    if (one !== other && before !== undefined)
      found.push({ path, what: `${path}: "${key}": ${difference(one ?? '', other ?? '')}`, isNew: false });
  }
  return found;
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** A command that is green whatever the project does. */
export function isEmptyCommand(command: string): boolean {
  const bare = command.trim();
  if (
    /^(?:|true|:|exit 0|exit|echo\b[^&|;]*|node -e ["']{0,2}|printf\b[^&|;]*|(?:echo\b[^&|;]*(?:&&|;)\s*)?exit 0)$/.test(
      bare,
    )
  )
    return true;
  return /\|\|\s*(?:true|:|exit 0|echo\b)|;\s*(?:true|:|exit 0)\s*$|--passWithNoTests|--pass-with-no-tests|--exit-zero|--allowNoTests|--if-present\s*$/.test(
    bare,
  );
}

function inMakefile({ path, before, after }: ChangedText, { targets }: Reach): readonly Redefined[] {
  const [was, is] = [before ?? '', after ?? ''].map(
    (text) => new Map(targetsReached(text, targets).map((target) => [target.name, target.text])),
  );
  const found: Redefined[] = [];
  for (const name of new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])) {
    const [old, now] = [was?.get(name), is?.get(name)];
    if (old === now) continue;
    const empty = (now ?? '')
      .split('\n')
      .slice(1)
      .some((line) => isEmptyCommand(line.replace(/^[@+]+/, '')) || /^@?-/.test(line));
    found.push({
      path,
      what: `${path}: target "${name}": ${difference(old ?? '', now ?? '')}`,
      isNew: old === undefined && !empty,
    });
  }
  const used = [...(was?.values() ?? []), ...(is?.values() ?? [])].join('\n');
  const [oldVars, newVars] = [variables(before ?? '', used), variables(after ?? '', used)];
  if (oldVars !== newVars)
    found.push({ path, what: `${path}: ${difference(oldVars, newVars)}`, isNew: before === undefined });
  return found;
}

/** The variables that recipes use, and what changes every recipe. */
function variables(text: string, used: string): string {
  const wanted = new Set([...used.matchAll(/\$[({]+\s*([\w.-]+)/g)].map(([, name = '']) => name));
  const kept: string[] = [];
  for (const line of plainLines(text)) {
    const name = /^\s*(?:export\s+)?([\w.-]+)\s*[:?+!]?:?=/.exec(line)?.[1];
    const isGlobal = /^(?:SHELL|MAKEFLAGS|\.SHELLFLAGS|\.IGNORE|\.SILENT|include|-include|import|set)\b/.test(line);
    if (isGlobal || (name !== undefined && wanted.has(name))) kept.push(line.trim());
  }
  return kept.join('\n');
}

/** A file that counts as a whole: without its comments and spacing it must be the same. */
function asWhole(
  { path, before, after }: ChangedText,
  isConfiguration: boolean,
  hadTests: (folder: string) => boolean,
): readonly Redefined[] {
  const [was, is] = [before, after].map((text) => (text === undefined ? undefined : bare(path, text)));
  if (was === is) return [];
  if (after === undefined) return [{ path, what: `${path}: deleted`, isNew: false }];
  if (before === undefined) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    return [{ path, what: `${path}: added`, isNew: !(isConfiguration && hadTests(folder)) }];
  }
  return [{ path, what: `${path}: ${difference(was ?? '', is ?? '')}`, isNew: false }];
}

function bare(path: string, text: string): string {
  const language = languageOf(path);
  if (language === undefined)
    return /\.jsonc?$/.test(path)
      ? text.replace(/\s+/g, '')
      : plainLines(text)
          .map((line) => line.trim())
          .join('\n');
  const tokens = tokensOf(text, language);
  const isByLines = /python|ruby|shell/.test(language);
  return tokens
    .filter((token, at) => isByLines || !(isSign(token, ';') || (isSign(token, ',') && deeper(tokens[at + 1]) < 0)))
    .map(({ kind, text: piece, leads }) => `${leads && isByLines ? '\n' : ''}${kind === 'text' ? `"${piece}"` : piece}`)
    .join(' ');
}

/** The first lines that differ, each cut to a readable length. */
function difference(was: string, is: string): string {
  const [old, now] = [was.split('\n'), is.split('\n')];
  const at = old.findIndex((line, place) => line !== now[place]);
  const place = at === -1 ? old.length : at;
  const [one, other] = [old[place] ?? '', now[place] ?? ''];
  let from = 0;
  while (from < one.length && one[from] === other[from]) from += 1;
  const begin = Math.max(0, from - 40);
  return `${JSON.stringify(one.slice(begin, begin + 120))} -> ${JSON.stringify(other.slice(begin, begin + 120))}`;
}
