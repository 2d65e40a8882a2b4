import type { Finding } from '../../formats/finding.ts';
import type { MatchPlace, RuleMatch, Subject } from '../../formats/inspection.ts';
import type { Rule, RuleCheck } from '../../formats/rule.ts';
import type { RulePlace } from '../../formats/rule-words.ts';
import type { Check, CheckTools } from '../check.ts';
import { printOf } from '../enforce/findings-of.ts';
import { exactError, exactPass, exactViolation, matchedIn, placeIn } from '../exact-match.ts';
import { budgetFor, lookedAt } from '../looked-at.ts';
import { allSecrets } from '../secrets/all-secrets.ts';
import type { FoundSecret } from '../secrets/found-secret.ts';
import { secretLookAlikes } from '../secrets/look-alikes.ts';
import { choiceOf, wrongChoice, wrongPlace } from './settings.ts';

/** No secret is in the lines that a change adds, in files or in prose. */
export const SECRETS: Check = {
  type: 'secrets',
  readsFiles: true,
  lint: (check) => [...wrongChoice(check), ...wrongPlace(check)],
  run,
};

async function run(
  check: RuleCheck,
  rule: Rule,
  subject: Subject,
  { context }: CheckTools,
): Promise<readonly RuleMatch[]> {
  const texts = lookedAt(subject, placeOf(check, rule), choiceOf(check, rule));
  if (texts.length === 0) return [];
  const budget = budgetFor(subject, context);
  const kinds = new Map<string, MatchPlace[]>();
  const tooLarge: string[] = [];
  const tooMuch: string[] = [];
  for (const text of texts) {
    const { length } = text.haystack.text;
    if (length > MOST_CHARACTERS || !budget.spend(length * STEPS_PER_CHARACTER)) {
      (length > MOST_CHARACTERS ? tooLarge : tooMuch).push(text.file ?? 'the text');
      continue;
    }
    for (const { start, end, what } of await allSecrets(text.file ?? '', text.haystack.text)) {
      const places = kinds.get(what) ?? [];
      kinds.set(what, places);
      places.push(placeIn(text, { start, end }));
    }
  }
  const errors = [
    ...unchecked(`with more than ${MOST_CHARACTERS / 1_000_000} million characters it is too large`, tooLarge),
    ...unchecked('all that is looked at together is too much; make the change in parts', tooMuch),
  ];
  if (kinds.size > 0) return [...[...kinds].map(([what, at]) => exactViolation(`holds ${what}`, at)), ...errors];
  return errors.length > 0 ? errors : [exactPass('no secret was found')];
}

const unchecked = (why: string, names: readonly string[]): readonly RuleMatch[] =>
  names.length === 0
    ? []
    : [
        exactError(
          `not looked through for secrets, because ${why}: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`,
        ),
      ];

const placeOf = (check: RuleCheck, rule: Rule): RulePlace =>
  (check['on'] ?? rule.match?.on ?? 'added_lines') as RulePlace;

/** What a human let stand at halts of a task: the rules that look for secrets, and the fingerprints that were waived. */
export interface LetStand {
  readonly rules: readonly string[];
  readonly waived: readonly string[];
}

/**
 * Secrets that a change adds to a file; what was there before is not its doing. The secret itself is never repeated.
 * The very text that a human waived in this file when a rule held it is told, and stops nothing a second time.
 */
export async function secrets(
  path: string,
  before: string,
  after: string,
  { rules, waived }: LetStand = { rules: [], waived: [] },
): Promise<readonly Finding[]> {
  const stands = (place: FoundSecret): boolean =>
    rules.some((rule) => waived.includes(printOf(rule, path, matchedIn(after, place))));
  const old = new Set((await secretsOrLookAlikes(path, before)).map(({ start, end }) => before.slice(start, end)));
  return (await secretsOrLookAlikes(path, after))
    .filter(({ start, end }) => !old.has(after.slice(start, end)))
    .map((place) => ({
      source: 'secrets',
      severity: stands(place) ? 'low' : 'critical',
      category: 'security',
      file: path,
      line: lineOf(after, place.start),
      description: `adds ${place.what}${stands(place) ? ', which a human waived at a halt' : ''}`,
      security: true,
    }));
}

/** What an agent adds is held against the mere shape of a key as well: a made-up one is for a human to allow. */
async function secretsOrLookAlikes(path: string, text: string): Promise<readonly FoundSecret[]> {
  const found = await allSecrets(path, text);
  const lines = new Set(found.map(({ start }) => lineOf(text, start)));
  return [...found, ...secretLookAlikes(text).filter(({ start }) => !lines.has(lineOf(text, start)))];
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;

const MOST_CHARACTERS = 1_000_000;
const STEPS_PER_CHARACTER = 8;
