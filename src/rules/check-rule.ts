import { listNames } from '../base/list-names.ts';
import type { RuleMatch, Subject, SubjectFile } from './model/inspection.ts';
import { looksForSomething, type Rule, type RuleCheck } from './model/rule.ts';
import type { Check, CheckTools } from './checks/check.ts';
import { checkOf } from './checks/index.ts';
import { impliedMetric } from './checks/metric.ts';
import { PLAN, impliesPlan } from './checks/plan.ts';
import { SECRETS } from './checks/secrets.ts';
import { exactError } from './checks/exact-match.ts';
import { checkExpression } from './response/check-expression.ts';
import { judgeResponse } from './response/judge-response.ts';
import { isChosen, isInFiles, isNewcomer, type FileChoice } from './checks/search-targets.ts';
import { choiceOf, isRequiring, placeOf } from './checks/settings.ts';
import { looksInto, matchSubject } from './checks/match-subject.ts';
import { maskSecrets } from './secrets/mask-secrets.ts';
import { sentencesOf, type PlanSentence } from './text/units.ts';
import { getErrorMessage } from '../base/get-error-message.ts';

/** Everything that a rule's `match`, expression and `checks` say about a subject; nothing when none of them applies to it. */
export async function checkRule(rule: Rule, subject: Subject, tools: CheckTools): Promise<readonly RuleMatch[]> {
  const { match } = rule;
  const checks = [...rule.checks, ...impliedChecks(rule)];
  const steps: readonly (() => ReturnType<Check['run']>)[] = [
    () => (match === undefined ? [] : matchSubject(match, subject, tools.context)),
    () => checkExpression(rule, subject, tools),
    () => judgeResponse(rule, subject, tools),
    ...checks.map((check) => () => run(check, rule, subject, tools)),
    () => unreadFiles(rule, checks, subject),
  ];
  const matches: RuleMatch[] = [];
  for (const step of steps) matches.push(...(await safely(step)));
  return matches;
}

function impliedChecks(rule: Rule): readonly RuleCheck[] {
  const metric = impliedMetric(rule);
  if (metric !== undefined) return [metric];
  if (!impliesPlan(rule)) return [];
  return [{ type: PLAN.type }, ...(forbidsSecretsInCode(rule) ? [{ type: SECRETS.type }] : [])];
}

/**
 * Whether a rule in prose is about secrets that stand in code, so that the lines of a change can be looked through for them
 * and an unchecked rule never counts as passed: a sentence of it speaks of secrets together with hard-coding
 * them, or says that they do not belong into what is kept in the repository.
 */
export function forbidsSecretsInCode({ title, content, action_text: action }: Rule): boolean {
  return sentencesOf([title, content ?? '', action ?? ''].join('\n')).some(
    (sentence) =>
      (FOREIGN_SECRET.test(sentence.text) && FOREIGN_CODE.test(sentence.text)) ||
      (speaksOf(sentence, 'secrets.secret') &&
        (speaksOf(sentence, 'secrets.hardcode') ||
          (speaksOf(sentence, 'secrets.sourcecode') && sentence.scopes.length > 0))),
  );
}

const FOREIGN_SECRET = /비밀번호|암호|토큰|密钥|密码|令牌|凭据|凭证/u;
const FOREIGN_CODE = /하드\s?코딩|소스|코드|저장소|硬编码|写死|源码|源代码|代码|仓库/u;

/** The concept itself, not its replacement (an environment variable). */
const speaksOf = ({ units }: PlanSentence, concept: string): boolean =>
  units.some(({ meanings }) => meanings.some((meaning) => meaning.concept === concept && meaning.sign === 1));

function run(check: RuleCheck, rule: Rule, subject: Subject, tools: CheckTools): ReturnType<Check['run']> {
  const known = checkOf(check.type);
  if (known === undefined) return [exactError(`andon knows no check of the type ${JSON.stringify(check.type)}`)];
  const faults = known.lint(check, rule);
  if (faults.length > 0)
    return [
      exactError(`the check ${known.type} is not set up rightly: ${faults.map(({ message }) => message).join('; ')}`),
    ];
  return known.run(check, rule, subject, tools);
}

/** A check that throws is a fault of andon or of the rule, and never a pass. */
async function safely(work: () => ReturnType<Check['run']>): Promise<readonly RuleMatch[]> {
  try {
    return await work();
  } catch (error) {
    return [exactError(`the check failed: ${maskSecrets(getErrorMessage(error)).slice(0, 300)}`)];
  }
}

/** Reports that a rule about file contents could not be applied to unreadable files. */
function unreadFiles(rule: Rule, checks: readonly RuleCheck[], subject: Subject): readonly RuleMatch[] {
  const { match } = rule;
  const choices: readonly Choice[] = [
    ...(match !== undefined && looksForSomething(match) && isInFiles(match.on)
      ? [{ ...match, reads: (path: string) => looksInto(path, match.file_patterns) }]
      : []),
    ...checks.flatMap((check) => choiceIn(check, rule)),
  ];
  if (choices.length === 0) return [];
  const missed = subject.files.flatMap((file) => {
    const why = choices.map((choice) => explainMissed(file, choice)).find((one) => one !== undefined);
    return why === undefined ? [] : [{ path: file.path, why }];
  });
  if (missed.length === 0) return [];
  const named = listNames(missed.map(({ path, why }) => `${path} (${why})`));
  return [exactError(`not looked into: ${named}; exclude_patterns can leave files out`)];
}

type Choice = FileChoice & { readonly on: unknown };

function choiceIn(check: RuleCheck, rule: Rule): readonly Choice[] {
  const reads = checkOf(check.type)?.reads;
  const on = placeOf(check, rule, isRequiring(check) ? 'file' : 'added_lines');
  if (reads === undefined || !isInFiles(on)) return [];
  const choice = choiceOf(check, rule);
  return [{ ...choice, on, reads: (path) => reads(path, choice.file_patterns) }];
}

/** Why a choice of files is not satisfied with what is known of one; undefined when it is. */
function explainMissed(file: SubjectFile, choice: Choice): string | undefined {
  if (file.change === 'deleted' || !isChosen(file.path, choice)) return undefined;
  if (file.unread !== undefined) return file.unread;
  const isUnknown = file.all === undefined && file.content === undefined && file.isSubmodule === undefined;
  if (file.change !== 'moved' || !isUnknown) return undefined;
  return isNewcomer(file, choice) || (choice.on === 'file' && file.added.length === 0) ? MOVED_UNSEEN : undefined;
}

const MOVED_UNSEEN = 'moved, and a patch shows only what was edited in it';
