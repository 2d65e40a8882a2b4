import type { MatchPlace, RuleMatch, Subject } from '../model/inspection.ts';
import type { Rule, RuleCheck } from '../model/rule.ts';
import { findImports, readsImports } from '../../source/find-imports.ts';
import type { Check } from './check.ts';
import { concludeSearch, exactUndecided } from './exact-match.ts';
import { choiceOf, placeOf, settingFault, textsOf, wrongChoice, wrongPlace } from './settings.ts';
import { selectSources, type SourceTarget } from './source-targets.ts';

/** Modules that must not be imported; `lodash` includes its parts, `@old/*` every package of a scope. */
export const FORBIDDEN_IMPORT: Check = {
  type: 'forbidden_import',
  readsFiles: true,
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

const modulesOf = (check: RuleCheck): readonly string[] =>
  textsOf(check, 'modules', 'module', 'imports', 'import', 'pattern');

async function run(check: RuleCheck, rule: Rule, subject: Subject): Promise<readonly RuleMatch[]> {
  const sources = selectSources(subject, placeOf(check, rule), { ...choiceOf(check, rule), reads: readsImports });
  if (sources.length === 0) return [];
  const found = await Promise.all(sources.map((source) => searchSource(source, modulesOf(check))));
  return concludeSearch(found, 'imports a module that is forbidden', 'none of the modules is imported');
}

/** The forbidden imports of a file, or why they are not known. */
async function searchSource(
  source: SourceTarget,
  forbidden: readonly string[],
): Promise<readonly MatchPlace[] | RuleMatch> {
  if (!mayImport(source.text, forbidden)) return [];
  const read = await findImports(source.path, source.text);
  if (read === undefined) return exactUndecided(`${source.path} is too large to parse`);
  const places = read.imports
    .filter(({ module }) => forbidden.some((one) => includesModule(one, module)))
    .flatMap((span) => source.locate(span) ?? []);
  if (places.length === 0 && source.isFragment && read.isPartial)
    return exactUndecided(`${source.path} names a forbidden module, and only its added lines are known`);
  return places;
}

function includesModule(forbidden: string, module: string): boolean {
  if (forbidden.endsWith('*')) return module.startsWith(forbidden.replace(/\*+$/, ''));
  return module === forbidden || ['/', '.', ':', '\\'].some((mark) => module.startsWith(`${forbidden}${mark}`));
}

/** Whether parsing is worth its milliseconds: the parts of a name are there, or texts that may be joined or escaped to it. */
const mayImport = (text: string, forbidden: readonly string[]): boolean =>
  /["'`]\s*\+|\\[ux0-7]/.test(text) ||
  forbidden.some((module) => module.split(/[.*]+/).every((part) => text.includes(part)));
