import type { MatchPlace, RuleMatch, Subject } from '../../rule-model/inspection.ts';
import type { Rule, RuleCheck } from '../../rule-model/rule.ts';
import type { RulePlace } from '../../rule-model/rule-words.ts';
import type { MatchSpan } from '../matchers/pattern.ts';
import type { Check } from './check.ts';
import { exactPass, exactViolation, locateMatch } from './exact-match.ts';
import { selectTargets } from './search-targets.ts';
import { choiceOf, textsOf, wrongChoice, wrongPlace } from './settings.ts';

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
  const texts = selectTargets(subject, place, { ...choiceOf(check, rule), reads: isSource }).filter(
    ({ file }) => file !== undefined,
  );
  if (texts.length === 0) return [];
  const forbidden = modulesOf(check);
  const places: MatchPlace[] = texts.flatMap((text) =>
    importsIn(text.file ?? '', text.haystack.text)
      .filter(({ module }) => forbidden.some((one) => isOf(module, one)))
      .map((found) => locateMatch(text, found)),
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

/** The modules that a text imports, in JavaScript, TypeScript, Python or Go by the ending of its path, and where. */
function importsIn(path: string, text: string): readonly (MatchSpan & { readonly module: string })[] {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  const patterns = ending === 'py' ? PYTHON : ending === 'go' ? GO : SCRIPT;
  return patterns
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .filter((match) => !isComment(text, match.index))
    .flatMap((match) =>
      modulesIn(match[1] ?? '', ending).map((module) => ({
        start: match.index,
        end: match.index + match[0].length,
        module,
      })),
    )
    .toSorted((one, other) => one.start - other.start);
}

const SCRIPT: readonly RegExp[] = [
  /\b(?:import|export)\b[^'"`;()]{0,2000}?\bfrom\s{0,4}["']([^"'\n]{1,300})["']/g,
  /\bimport\s{0,4}["']([^"'\n]{1,300})["']/g,
  /\b(?:import|require(?:\.resolve)?)\s{0,4}\(\s{0,4}["'`]([^"'`\n]{1,300})["'`]/g,
  // Of an import over several lines, its last line may be all that a change adds.
  /^\s{0,8}\}\s{0,4}from\s{0,4}["']([^"'\n]{1,300})["']/gm,
];
const PYTHON: readonly RegExp[] = [
  /^[ \t]{0,40}import[ \t]{1,8}([\w., \t]{1,500})/gm,
  /^[ \t]{0,40}from[ \t]{1,8}([\w.]{1,300})[ \t]{1,8}import\b/gm,
];
const GO: readonly RegExp[] = [
  /^[ \t]{0,8}(?:import[ \t]{1,4})?(?:[\w.]{1,60}[ \t]{1,4})?"([\w.~/-]{1,300})"[ \t]{0,8}(?:\/\/.*)?$/gm,
];

const modulesIn = (written: string, ending: string): readonly string[] =>
  ending === 'py'
    ? written
        .split(',')
        .map((part) => part.trim().split(/\s+as\s+/)[0] ?? '')
        .filter((name) => name !== '')
    : [written];

function isComment(text: string, at: number): boolean {
  const from = text.lastIndexOf('\n', at) + 1;
  return /^\s*(?:\/\/|#|\*)/.test(text.slice(from, Math.max(at, from) + 2));
}
