import type { MatchPlace, RuleMatch, Subject } from '../model/inspection.ts';
import type { Rule, RuleCheck } from '../model/rule.ts';
import { findImports, readsImports } from '../../source/find-imports.ts';
import { escapePattern } from '../../base/pattern.ts';
import type { Check } from './check.ts';
import { concludeSearch, exactUndecided } from './exact-match.ts';
import { CHOICE_KEYS, choiceOf, placeOf, settingFault, textsOf, wrongChoice, wrongPlace } from './settings.ts';
import { selectSources, type SourceTarget } from './source-targets.ts';

const MODULE_KEYS = ['modules', 'module', 'imports', 'import', 'pattern'];

/** Modules that must not be imported; `lodash` includes its parts, `@old/*` every package of a scope. */
export const FORBIDDEN_IMPORT: Check = {
  type: 'forbidden_import',
  keys: [...MODULE_KEYS, ...CHOICE_KEYS],
  reads: readsImports,
  lint: (check) => [
    ...(modulesOf(check).length === 0
      ? settingFault('modules', 'modules is missing: name the modules that must not be imported')
      : []),
    ...wrongChoice(check),
    ...wrongPlace(check),
  ],
  run,
};

const modulesOf = (check: RuleCheck): readonly string[] => textsOf(check, ...MODULE_KEYS);

async function run(check: RuleCheck, rule: Rule, subject: Subject): Promise<readonly RuleMatch[]> {
  const sources = selectSources(subject, placeOf(check, rule), { ...choiceOf(check, rule), reads: isSource });
  const found = await Promise.all(sources.map((source) => searchSource(source, modulesOf(check))));
  const known = found.filter((one) => one !== undefined);
  return known.length === 0
    ? []
    : concludeSearch(known, 'imports a module that is forbidden', 'none of the modules is imported');
}

/** Whether imports are read, or may at least be seen: code of other languages. */
const isSource = (path: string): boolean =>
  readsImports(path) ||
  /\.(?:kts?|swift|scala|lua|dart|exs?|erl|zig|jl|hs|clj[cs]?|fsx?|p[lm]|r|groovy|gradle|mm?|nim|mli?|vb|pas|d|cr|elm|zsh|fish|ps1|astro)$/i.test(
    path,
  );

/** The forbidden imports of a file, or why they are not known; undefined where imports are not read and none is named. */
async function searchSource(
  source: SourceTarget,
  forbidden: readonly string[],
): Promise<readonly MatchPlace[] | RuleMatch | undefined> {
  if (!readsImports(source.path))
    return seemsToImport(source.text, forbidden)
      ? exactUndecided(`${source.path} names a forbidden module, and imports of its language are not read`)
      : undefined;
  if (!mayImport(source.text, forbidden)) return [];
  const read = await findImports(source.path, source.text);
  if (read === undefined) return exactUndecided(`${source.path} is too large to parse`);
  const places = read.imports
    .filter(({ module }) => forbidden.some((one) => includesModule(one, module)))
    .flatMap((span) => source.locate(span) ?? []);
  if (places.length > 0) return places;
  if (source.isFragment && read.isPartial)
    return exactUndecided(`${source.path} names a forbidden module, and only its added lines are known`);
  const hidden = [
    ...read.imports.filter(({ module }) => forbidden.some((one) => hasAllOf(module, one))),
    ...read.computed.filter(({ module }) => forbidden.some((one) => namesModule(module, one))),
  ].find((span) => source.locate(span) !== undefined);
  return hidden === undefined
    ? []
    : exactUndecided(`${source.path} imports ${hidden.module}, which may be a forbidden module`);
}

function includesModule(forbidden: string, module: string): boolean {
  const one = withoutScheme(forbidden);
  return [module, withoutScheme(module)].some((other) =>
    one.endsWith('*')
      ? other.startsWith(prefixOf(one))
      : other === one || ['/', '.', ':', '\\'].some((mark) => other.startsWith(`${one}${mark}`)),
  );
}

/** `node:fs` is `fs`; `node:*` stays. */
const withoutScheme = (name: string): string => name.replace(/^node:(?!\*)/, '');
const prefixOf = (module: string): string => module.replace(/\*+$/, '');

/** Whether a text names such a module, and not merely a longer word with it. */
function namesModule(text: string, module: string): boolean {
  const end = module.endsWith('*') ? '' : String.raw`(?!\w)`;
  return new RegExp(String.raw`(?<!\w)${escapePattern(prefixOf(module))}${end}`).test(text);
}

/** Whether `java.util.*` imports `java.util.List`, if the file uses it. */
const hasAllOf = (module: string, forbidden: string): boolean =>
  module.endsWith('*') && forbidden.startsWith(module.slice(0, -1));

/** A line that is a comment in one of these languages, and no directive (`#  include`, `#load`). */
const COMMENT = /^\s*(?:\/\/|--|#(?!\s*(?:include|import|load|require|using|open)\b|\[)|%|;)/;

/** Whether a line of an unknown language imports such a module, as most languages write it. */
const seemsToImport = (text: string, forbidden: readonly string[]): boolean =>
  text
    .split('\n')
    .some(
      (line) =>
        /(?<![\w.])(?:import|use|using|require|include|open|load|from|source|extern|alias)(?!\w)/.test(line) &&
        !COMMENT.test(line) &&
        forbidden.some((module) => namesModule(line, module)),
    );

/** Whether parsing is worth its milliseconds: the parts of a name are there, or texts that may be joined or escaped to it. */
const mayImport = (text: string, forbidden: readonly string[]): boolean =>
  /["'`]\s*\+|\\[ux0-7]/.test(text) ||
  forbidden.some((module) => module.split(/node:|[.*:\\]+/).every((part) => text.includes(part)));
