import { isAbsolute, relative, sep } from 'node:path';
import type { InspectionContext, Subject, SubjectFile } from '../../rule-model/inspection.ts';
import { sha256 } from '../../base/sha256.ts';
import { checkPath } from '../../base/paths.ts';
import { PHASES, type Phase } from '../../rule-model/rule-words.ts';
import { readOutsideDiff } from '../files-between.ts';
import { readWholeFile } from '../read-files.ts';
import { createUsageError } from '../../base/problem.ts';

/** Input of an outside caller to be checked; nothing is read from the disk. */
export interface Handed {
  readonly subject: Subject;
  /** In words; empty when there is nothing to look at. */
  readonly title: string;
  readonly context: Omit<InspectionContext, 'now' | 'phase' | 'stack'>;
  /** What the response answers, where one is handed over. */
  readonly query: string | undefined;
  readonly phase: Phase | undefined;
  readonly ruleId: string | undefined;
  /** Without a file name, no rule is excluded by name. */
  readonly isUnnamed: boolean;
  /** What the agent answers to reminders, by their rules. */
  readonly hooks: ReadonlyMap<string, 'IGNORE' | 'COMPLY'>;
  /** What tells these texts from others. */
  readonly digest: string;
  /** Keys that mean nothing here. */
  readonly ignored: readonly string[];
}

/** The most characters that one question may bring. */
const MOST_TEXT = 1_000_000;

/** Reads the `context` of a question; a value of the wrong kind is a mistake, an unknown key is only told. */
export function readContextSubject(context: Readonly<Record<string, unknown>>, root: string): Handed {
  const text = (key: string): string | undefined => textOf(context, key);
  const size = Object.values(context).reduce<number>((sum, one) => sum + (typeof one === 'string' ? one.length : 0), 0);
  if (size > MOST_TEXT)
    throw createUsageError(`context holds more than ${MOST_TEXT / 1_000_000} MB of text`, 'ask in parts');
  const prose = Object.entries(PROSE).flatMap(([key, name]) => {
    const found = text(key);
    return found === undefined ? [] : [[key, name, found] as const];
  });
  const files = filesFrom(text('code'), text('file'), text('diff'), root);
  const quality = text('quality');
  if (quality !== undefined && quality !== 'high')
    throw createUsageError('context.quality is not known', 'high, or nothing');
  return {
    subject: { ...Object.fromEntries(prose.map(([, name, found]) => [name, found])), files },
    title: [...prose.map(([key]) => `the ${key.replace('_', ' ')}`), ...files.map(({ path }) => path)].join(', '),
    context: {
      task: text('task'),
      agentType: text('agent_type') ?? text('agent'),
      taskStatus: text('task_status'),
      quality,
      variables: variablesFrom(context),
      scopes: scopesFrom(context['scenario']),
    },
    query: text('query'),
    phase: parsePhase(context['phase'], 'context.phase'),
    ruleId: text('rule_id'),
    isUnnamed: text('code') !== undefined && (text('file') ?? '') === '',
    hooks: hooksFrom(context),
    digest: sha256(JSON.stringify([context['code'], context['file'], context['diff'], prose])),
    ignored: Object.keys(context).filter((key) => !KNOWN.includes(key)),
  };
}

/** Parses a phase; an unknown word is an error. */
export function parsePhase(value: unknown, where: string): Phase | undefined {
  if (value === undefined || value === null) return undefined;
  const phase = PHASES.find((one) => one === value);
  if (phase !== undefined) return phase;
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : 'what is there';
  throw createUsageError(`${where}: ${shown} is not a phase`, `one of: ${PHASES.join(', ')}`);
}

const PROSE = {
  plan: 'plan',
  contract: 'contract',
  response: 'response',
  report: 'report',
  message: 'message',
  test_output: 'testOutput',
} as const;
const KNOWN: readonly string[] = [
  ...Object.keys(PROSE),
  'code',
  'file',
  'diff',
  'task',
  'agent_type',
  'agent',
  'task_status',
  'quality',
  'phase',
  'rule_id',
  'query',
  'vars',
  'profile',
  'scenario',
  'hooks',
];

/** What is known of the session and of whom an answer is for. */
function variablesFrom(context: Readonly<Record<string, unknown>>): InspectionContext['variables'] {
  const facts = (key: string): Readonly<Record<string, unknown>> =>
    objectAt(context, key, `context: { ${key}: { user_tier: "VIP" } }`);
  const [session, profile] = [facts('vars'), facts('profile')];
  return Object.keys(session).length + Object.keys(profile).length === 0 ? undefined : { session, profile };
}

function objectAt(
  context: Readonly<Record<string, unknown>>,
  key: string,
  remedy: string,
): Readonly<Record<string, unknown>> {
  const value = (Object.hasOwn(context, key) ? context[key] : undefined) ?? {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
  throw createUsageError(`context.${key} is not an object`, remedy);
}

/** Answers to reminders: `{ "PRACTICE-001": "IGNORE: it is private" }`. */
function hooksFrom(context: Readonly<Record<string, unknown>>): Handed['hooks'] {
  return new Map(
    Object.entries(objectAt(context, 'hooks', HOOKS)).map(([rule, said]) => {
      const answer = typeof said === 'string' ? /^\s*(IGNORE|COMPLY)\b/i.exec(said)?.[1]?.toUpperCase() : undefined;
      if (answer === 'IGNORE' || answer === 'COMPLY') return [rule, answer];
      throw createUsageError(`context.hooks: the answer to ${JSON.stringify(rule.slice(0, 64))} is neither`, HOOKS);
    }),
  );
}

const HOOKS = 'context: { code, file, hooks: { "PRACTICE-001": "IGNORE: why" } }, or COMPLY';

/** Scenarios and steps that are in force: one, or a list. */
function scopesFrom(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const named = [value].flat();
  if (named.every((one) => typeof one === 'string')) return named;
  throw createUsageError('context.scenario is not a name or a list of names', 'give it as a string');
}

function textOf(context: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = Object.hasOwn(context, key) ? context[key] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw createUsageError(`context.${key} is not a text`, 'give it as a string');
}

function filesFrom(
  code: string | undefined,
  file: string | undefined,
  diff: string | undefined,
  root: string,
): readonly SubjectFile[] {
  if (code !== undefined && diff !== undefined)
    throw createUsageError('context holds code and diff', 'ask about one after the other');
  if (diff !== undefined) {
    const read = readOutsideDiff(diff);
    if (read.ok) return read.value;
    throw createUsageError(`context.diff is no unified diff: ${read.why}`, 'make it with git diff');
  }
  if (code === undefined && file !== undefined)
    throw createUsageError('context.file is there without context.code', 'files are not read: give the text');
  return code === undefined ? [] : [readWholeFile(pathOf(file, root), new TextEncoder().encode(code))];
}

/** A path is only compared with globs and shown; it is taken from the root of the project all the same. */
function pathOf(file: string | undefined, root: string): string {
  if (file === undefined || file === '') return 'unnamed';
  const path = isAbsolute(file) ? relative(root, file).split(sep).join('/') : file.replace(/^\.\//, '');
  const why = checkPath(path);
  if (why === undefined) return path;
  throw createUsageError(`context.file: ${why}`, 'give the path of a file from the root of the project');
}
