import { createMatch, type RuleMatch } from '../model/inspection.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { Rule } from '../model/rule.ts';
import { readPlan, type PlanSentence } from '../text/units.ts';
import { evidenceOf, type PlanEvidence } from './plan-evidence.ts';
import { statementsOf } from './statements.ts';

/**
 * Reads by words and negation whether a plan does what a rule forbids (VIOLATED), does what it demands (PASS), or does
 * not touch it (NOT_COVERED). It accuses only what is certain; otherwise it is not sure (UNDECIDED).
 */
export function matchKeywords(rule: Rule, plan: string): RuleMatch {
  const ruleText = [rule.title, rule.content ?? '', rule.action_text ?? ''].join('\n');
  const unread = [ruleText, plan].find((text) => !isReadable(text));
  if (unread !== undefined && plan.trim() !== '')
    return createMatch(
      'keyword',
      'UNDECIDED',
      0.3,
      `not sure: the words of ${unread === plan ? 'the plan' : 'the rule'} are not English`,
    );
  const sentences = readPlan(plan);
  const found = sentences.flatMap((sentence) => judge(rule, sentence) ?? []);
  // A demand that another sentence of the plan keeps is not broken for certain.
  const isKept = found.some(({ says, statement }) => says === 'keeps' && !statement.forbids);
  const certain = found.filter(
    ({ statement, act, sentence }) =>
      (statement.forbids || !isKept) && (act !== 'states' || !isSolvedBeside(sentence, sentences)),
  );
  const best =
    strongest(certain, 'breaks') ??
    strongest(found, 'unsure') ??
    demoted(strongest(found, 'breaks')) ??
    strongest(found, 'keeps');
  if (best === undefined) return createMatch('keyword', 'NOT_COVERED', 0.5, 'the plan does not speak of it');
  const { says, strength } = best;
  if (says === 'unsure')
    return createMatch('keyword', 'UNDECIDED', 0.3, `not sure: ${reasonOf(best, 'may go against')}`);
  const confidence = Math.round((0.6 + 0.35 * strength) * 100) / 100;
  if (says === 'keeps' && isOfOtherNumber(ruleText, best.sentence.text))
    return createMatch('keyword', 'UNDECIDED', 0.3, `not sure: ${reasonOf(best, 'names another number than')}`);
  if (says === 'keeps') return createMatch('keyword', 'PASS', confidence, reasonOf(best, 'keeps'));
  const { text } = best.sentence;
  const reason = reasonOf(best, best.statement.forbids ? 'does what is forbidden by' : 'goes against');
  return createMatch('keyword', 'VIOLATED', confidence, reason, [{ excerpt: toTerminalLine(text), matched: text }]);
}

/** What is so may be the problem that another sentence of the plan solves. */
const isSolvedBeside = (sentence: PlanSentence, all: readonly PlanSentence[]): boolean =>
  all.some((one) => one !== sentence && one.scopes.some(({ kind }) => kind !== 'none' && kind !== 'later'));

const demoted = (broken: PlanEvidence | undefined): PlanEvidence | undefined =>
  broken === undefined ? undefined : { ...broken, says: 'unsure' };

/** The clearest evidence of one sentence about a rule; one that both keeps and may break it is not sure. */
function judge(rule: Rule, sentence: PlanSentence): PlanEvidence | undefined {
  const found = statementsOf(rule).flatMap((statement) => evidenceOf(statement, sentence) ?? []);
  const [broken, kept, unsure] = [strongest(found, 'breaks'), strongest(found, 'keeps'), strongest(found, 'unsure')];
  if (broken === undefined) return unsure !== undefined && unsure.strength >= (kept?.strength ?? 0) ? unsure : kept;
  return kept === undefined || kept.strength < broken.strength ? broken : demoted(broken);
}

const strongest = (found: readonly PlanEvidence[], says: PlanEvidence['says']): PlanEvidence | undefined =>
  found.filter((one) => one.says === says).toSorted((one, other) => other.strength - one.strength)[0];

function reasonOf({ words, statement, sentence }: PlanEvidence, verb: string): string {
  const quoted = [sentence.text, statement.text].map((text) => `"${text.slice(0, 120)}"`);
  return toTerminalLine(`${quoted.join(` ${verb} `)} (${words.slice(0, 5).join(', ').toLowerCase()})`, 300);
}

/** Whether the letters of a text are mostly Latin ones: the grammar of no other script is known. */
function isReadable(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const foreign = text.match(/(?!\p{Script=Latin})\p{L}/gu)?.length ?? 0;
  return foreign <= letters / 10;
}

/** Whether rule and sentence each name a number, or a document, that the other lacks. */
const isOfOtherNumber = (rule: string, sentence: string): boolean =>
  [documentsIn, numbersIn].some((read) => {
    const [ruled, named] = [read(rule), read(sentence)];
    return ruled.some((one) => !named.includes(one)) && named.some((one) => !ruled.includes(one));
  });

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const NUMBER =
  /(?<![\p{L}\p{N}.,_/-])(?:\d+(?:[.,]\d+)*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand)(?![\p{L}\p{N}_])/gu;

/** The number of a document is no bound. */
const DOCUMENT = /\b(?:RFC|ISO|IEC|IEEE|PEP|CVE|CWE|ECMA|WCAG)[ -]?\d[\d.-]*/g;

const documentsIn = (text: string): readonly string[] =>
  (text.match(DOCUMENT) ?? []).map((one) => one.replace(/[ -]|[.-]+$/g, '').replace(/^IEC/, 'ISO'));

const numbersIn = (text: string): readonly string[] =>
  (text.replace(DOCUMENT, '').toLowerCase().match(NUMBER) ?? []).map((one) =>
    NUMBERS.includes(one) ? String(NUMBERS.indexOf(one)) : one.replaceAll(',', ''),
  );
