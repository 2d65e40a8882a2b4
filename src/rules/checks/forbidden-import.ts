import type { MatchPlace, RuleMatch, Subject } from '../../rule-model/inspection.ts';
import type { Rule, RuleCheck } from '../../rule-model/rule.ts';
import type { RulePlace } from '../../rule-model/rule-words.ts';
import type { Check } from './check.ts';
import { exactPass, exactViolation, placeIn } from './exact-match.ts';
import { lookedAt } from './search-targets.ts';
import { choiceOf, textsOf, wrongChoice, wrongPlace } from './settings.ts';
import { importsIn } from './imports.ts';

/** Modules that must not be imported; `lodash` means its parts as well, `@old/*` every package of a scope. */
export const FORBIDDEN_IMPORT: Check = {
  type: 'forbidden_import',
  readsFiles: true,
  reads: isSource,
  lint: (check) => [
    ...(modulesOf(check).length === 0
      ? [{ path: '$.modules', message: 'modules is missing: name the modules that must not be imported' }]
      : []),
    ...wrongChoice(check),
    ...wrongPlace(check),
  ],
  run,
};

const modulesOf = (check: RuleCheck): readonly string[] =>
  textsOf(check, 'modules', 'module', 'imports', 'import', 'pattern');

function run(check: RuleCheck, rule: Rule, subject: Subject): readonly RuleMatch[] {
  const place = (check['on'] ?? rule.match?.on ?? 'added_lines') as RulePlace;
  const texts = lookedAt(subject, place, { ...choiceOf(check, rule), reads: isSource }).filter(
    ({ file }) => file !== undefined,
  );
  if (texts.length === 0) return [];
  const forbidden = modulesOf(check);
  const places: MatchPlace[] = texts.flatMap((text) =>
    importsIn(text.file ?? '', text.haystack.text)
      .filter(({ module }) => forbidden.some((one) => isOf(module, one)))
      .map((found) => placeIn(text, found)),
  );
  return [
    places.length === 0
      ? exactPass('none of the modules is imported')
      : exactViolation('imports a module that is forbidden', places),
  ];
}

function isSource(path: string): boolean {
  return LANGUAGES.test(path);
}

const LANGUAGES = /\.(?:[cm]?[jt]sx?|vue|svelte|py|go)$/i;

function isOf(module: string, forbidden: string): boolean {
  if (forbidden.endsWith('*')) return module.startsWith(forbidden.replace(/\*+$/, ''));
  return module === forbidden || module.startsWith(`${forbidden}/`) || module.startsWith(`${forbidden}.`);
}
