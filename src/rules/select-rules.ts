import type { InspectionContext, Subject } from './model/inspection.ts';
import { matchesGlobs } from '../base/path-globs.ts';
import { looksForSomething, type Rule } from './model/rule.ts';
import { isChosen } from './checks/search-targets.ts';
import { forbidsSecretsInCode } from './checks/secrets.ts';
import { impliedMetric } from './checks/metric.ts';
import { impliesPlan } from './checks/plan.ts';
import { rememberLast, remembered } from './text/remembered.ts';
import { compare, vectorOf, type TermVector } from './text/tf-idf.ts';
import { sentencesOf } from './text/units.ts';

/** The rules that apply to a subject under the given circumstances, in the order of the rulebook, and why others do not. */
export function selectRules(
  rules: readonly Rule[],
  subject: Subject,
  context: InspectionContext,
): { readonly kept: readonly Rule[]; readonly left: readonly { readonly rule: Rule; readonly why: string }[] } {
  const kept: Rule[] = [];
  const left: { readonly rule: Rule; readonly why: string }[] = [];
  for (const rule of rules) {
    const why =
      outsidePhase(rule, context) ??
      outsideContext(rule, context) ??
      outsideStack(rule, context) ??
      outsideFiles(rule, subject) ??
      (isAlways(rule)
        ? undefined
        : (outsideProfile(rule, context) ?? outsideScope(rule, context) ?? outsideTask(rule, context)));
    if (why === undefined) kept.push(rule);
    else left.push({ rule, why });
  }
  return { kept, left };
}

/** The rules that the globs of an agent profile hold it to, and the globs that name none. */
export function rulesOfProfile(
  globs: readonly string[],
  rules: readonly Rule[],
): { readonly kept: readonly Rule[]; readonly idle: readonly string[] } {
  const kept = rules.filter((rule) => isAlways(rule) || answersTo(rule, globs));
  return { kept, idle: globs.filter((glob) => !rules.some((rule) => answersTo(rule, [glob]))) };
}

/** Whether a rule is about messages between agents: on the line, in `andon messages check`, in a hook. */
export const isAboutMessages = ({ match }: Rule): boolean => match?.on === 'message';

/** What narrows attention never drops a hard constraint of everywhere. */
export const isAlways = ({ is_hard_constraint: isHard, scope }: Rule): boolean => isHard && scope === 'GLOBAL';

/** Whether a rule is in force by the name of its scenario or step, whatever is asked. */
export const isNamedScope = ({ scope, scope_id: name }: Rule): boolean => scope !== 'GLOBAL' && name !== undefined;

/** A rule that is boosted in a later phase is checked there as well. */
function outsidePhase({ phase: phases, soft_hooks: hooks }: Rule, { phase }: InspectionContext): string | undefined {
  if (phase === undefined || phases.includes(phase) || hooks?.priority_boost_phase === phase) return undefined;
  return `it is for ${phases.join(', ')}, not for ${phase}`;
}

/** A filter value without data is false. */
function outsideContext({ match, agents }: Rule, context: InspectionContext): string | undefined {
  const facts: Readonly<Record<string, string | undefined>> = {
    agent_type: context.agentType,
    task_status: context.taskStatus,
    phase: context.phase,
    quality: context.quality,
  };
  for (const [key, wanted] of Object.entries(match?.context_filter ?? {})) {
    const found = Object.hasOwn(facts, key) ? facts[key] : undefined;
    if (found === undefined) return `its context_filter asks for ${key}, which is not known here`;
    if (!isSameWord(found, wanted)) return `its context_filter asks for ${key} ${wanted}, here it is ${found}`;
  }
  const { agentType } = context;
  if (agentType === undefined || agents.length === 0) return undefined;
  const isMeant = agents.some((agent) => isSameWord(agent, 'all') || isSameWord(agent, agentType));
  return isMeant ? undefined : `it is for ${agents.join(', ')}, not for ${agentType}`;
}

const isSameWord = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** A project that says nothing of its stack is asked all rules. */
function outsideStack({ stack }: Rule, context: InspectionContext): string | undefined {
  if (stack.length === 0 || (context.stack ?? []).length === 0 || sharesStack(stack, context)) return undefined;
  return `it is for ${stack.join(', ')}`;
}

const sharesStack = (stack: readonly string[], context: InspectionContext): boolean =>
  stack.some((name) => (context.stack ?? []).some((own) => isSameWord(own, name)));

function outsideFiles({ match, checks }: Rule, { files }: Subject): string | undefined {
  const { file_patterns: wanted = [], exclude_patterns: excluded = [] } = match ?? {};
  if (files.length === 0 || checks.length > 0 || (wanted.length === 0 && excluded.length === 0)) return undefined;
  const isMeant = files.some(({ path }) => isChosen(path, match ?? {}));
  return isMeant ? undefined : 'none of the files is of the kind it is for';
}

function outsideProfile(rule: Rule, { profileRules }: InspectionContext): string | undefined {
  if (profileRules === undefined || answersTo(rule, profileRules)) return undefined;
  return 'the profile of this agent does not hold it';
}

/** `all`, an id, or a glob over ids and categories, in which a dot of an id is a folder: `security/*`, `security/no-*`. */
function answersTo({ id, category }: Rule, globs: readonly string[]): boolean {
  if (globs.some((glob) => isSameWord(glob, 'all') || glob === '*' || glob === '**' || glob === id)) return true;
  const names = [id, id.replaceAll('.', '/'), `${category.replaceAll('.', '/')}/${id}`];
  const anyDepth = globs.map((glob) => (glob.endsWith('/*') ? `${glob}*` : glob));
  return names.some((name) => matchesGlobs(name, anyDepth));
}

/** Scenarios and steps hold while they are in force; without an id, while the task is about their condition. */
function outsideScope(rule: Rule, { scopes = [], task }: InspectionContext): string | undefined {
  if (rule.scope === 'GLOBAL') return undefined;
  if (rule.scope_id !== undefined)
    return scopes.includes(rule.scope_id) ? undefined : `${rule.scope} ${rule.scope_id} is not in force`;
  if (task !== undefined && isRelevant(rule, task)) return undefined;
  return `nothing shows that its ${rule.scope.toLowerCase()} is in force`;
}

/** A task narrows rules of prose alone; what a program can check is checked, whatever the task is about. */
function outsideTask(rule: Rule, context: InspectionContext): string | undefined {
  const { task } = context;
  if (task === undefined || task.trim() === '' || !isProse(rule)) return undefined;
  if (rule.stack.length > 0 && sharesStack(rule.stack, context)) return undefined;
  // What says how to answer and names no condition is meant for every answer.
  if (rule.action_text !== undefined && rule.condition_text === undefined && rule.content === undefined)
    return undefined;
  return isRelevant(rule, task) ? undefined : 'the task is about something else';
}

const isProse = (rule: Rule): boolean =>
  !looksForSomething(rule.match) &&
  rule.enforcement_expression === undefined &&
  impliedMetric(rule) === undefined &&
  rule.checks.every(({ type }) => type === 'plan') &&
  !(impliesPlan(rule) && forbidsSecretsInCode(rule));

/**
 * Whether a task is about what a rule is about: some sentence of the task comes near the rule's words. Meant to keep too
 * much rather than too little, because a rule that is left out is not checked.
 */
export const isRelevant = (rule: Rule, task: string): boolean => relevanceOf(rule, task) >= RELEVANT_FROM;

/** How near the nearest sentence of a task comes to a rule, 0 to 1. */
function relevanceOf(rule: Rule, task: string): number {
  const subject = subjectOf(rule);
  const near = vectorsOfTask(task).flatMap((sentence) =>
    subject.map((statement) => compare(statement, sentence).score),
  );
  return Math.max(0, ...near);
}

/** One word in common that is not rare is less than this. */
const RELEVANT_FROM = 0.1;

/** The rule as a whole, and each of its statements by itself. */
const subjectOf = remembered((rule: Rule): readonly TermVector[] => {
  const { title, tags, condition_text: condition = '', content = '', action_text: action = '' } = rule;
  const text = [title, tags.join(' '), condition, content, action].join('\n');
  return [vectorOf(sentencesOf(text).map(({ units }) => units)), ...vectorsOf(text)];
});

const vectorsOf = (text: string): readonly TermVector[] =>
  sentencesOf(text.slice(0, LONGEST_TASK)).map(({ units }) => vectorOf([units]));

/** One task is asked about with every rule of a book. */
const vectorsOfTask = rememberLast(vectorsOf);

const LONGEST_TASK = 20_000;
