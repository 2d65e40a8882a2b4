import { isAbsolute, relative, sep } from 'node:path';
import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import type { InspectionContext, Subject, SubjectFile } from '../model/inspection.ts';
import { sha256 } from '../../base/sha256.ts';
import { checkPath } from '../../base/paths.ts';
import { PHASES, PROSE_PLACES, type Phase } from '../model/rule-words.ts';
import { readOutsideDiff } from '../text/unified-diff.ts';
import { readWholeFile } from './read-files.ts';
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

const MOST_TEXT = 1_000_000;

/** A value that may be left out, also by null. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

const contextSchema = lazy(() => {
  const text = optional(z.string());
  const facts = optional(z.record(z.string(), z.unknown()));
  return z.looseObject({
    plan: text,
    contract: text,
    response: text,
    report: text,
    message: text,
    test_output: text,
    code: text,
    file: text,
    diff: text,
    task: text,
    agent_type: text,
    agent: text,
    task_status: text,
    quality: optional(z.literal('high')),
    phase: optional(z.enum(PHASES)),
    rule_id: text,
    query: text,
    vars: facts.describe('facts of the session'),
    profile: facts.describe('facts of the user that an answer is for'),
    scenario: optional(z.union([z.string(), z.array(z.string())])).describe('scenarios and steps in force'),
    hooks: optional(z.record(z.string(), z.string().regex(HOOK_ANSWER, 'expected IGNORE or COMPLY'))).describe(
      'answers to reminders, by their rules',
    ),
  });
});

/** `IGNORE: it is private`, or `COMPLY`. */
const HOOK_ANSWER = /^\s*(IGNORE|COMPLY)\b/i;

/** Reads the `context` of a question; a value of the wrong kind is a mistake, an unknown key is only listed. */
export function readContextSubject(context: Readonly<Record<string, unknown>>, root: string): Handed {
  const size = Object.values(context).reduce<number>((sum, one) => sum + (typeof one === 'string' ? one.length : 0), 0);
  if (size > MOST_TEXT)
    throw createUsageError(`context holds more than ${MOST_TEXT / 1_000_000} MB of text`, 'ask in parts');
  const parsed = contextSchema().safeParse(context);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const at = issue?.path.join('.').slice(0, 80) ?? '';
    throw createUsageError(`context.${at}: ${issue?.message.slice(0, 200) ?? ''}`, EXAMPLE);
  }
  const given = parsed.data;
  const prose = PROSE_PLACES.flatMap((key) => (given[key] === undefined ? [] : [[key, given[key]] as const]));
  const files = filesFrom(given, root);
  return {
    subject: { ...Object.fromEntries(prose), files },
    title: [...prose.map(([key]) => `the ${key.replace('_', ' ')}`), ...files.map(({ path }) => path)].join(', '),
    context: {
      task: given.task,
      agentType: given.agent_type ?? given.agent,
      taskStatus: given.task_status,
      quality: given.quality,
      variables: { session: given.vars ?? {}, profile: given.profile ?? {} },
      scopes: given.scenario === undefined ? undefined : [given.scenario].flat(),
    },
    query: given.query,
    phase: given.phase,
    ruleId: given.rule_id,
    isUnnamed: given.code !== undefined && (given.file ?? '') === '',
    hooks: new Map(
      Object.entries(given.hooks ?? {}).map(([rule, text]) => [
        rule,
        HOOK_ANSWER.exec(text)?.[1]?.toUpperCase() === 'IGNORE' ? 'IGNORE' : 'COMPLY',
      ]),
    ),
    digest: sha256(JSON.stringify([context['code'], context['file'], context['diff'], prose])),
    ignored: Object.keys(context).filter((key) => !Object.hasOwn(contextSchema().shape, key)),
  };
}

const EXAMPLE = 'context: { code, file, phase, hooks: { "PRACTICE-001": "IGNORE: why" } }, or { plan }, { diff }, …';

export function parsePhase(value: unknown, where: string): Phase | undefined {
  if (value === undefined || value === null) return undefined;
  const phase = PHASES.find((one) => one === value);
  if (phase !== undefined) return phase;
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : 'what is there';
  throw createUsageError(`${where}: ${shown} is not a phase`, `one of: ${PHASES.join(', ')}`);
}

function filesFrom(
  { code, file, diff }: Partial<Record<'code' | 'file' | 'diff', string | undefined>>,
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
  const isOutside = isAbsolute(file) && path.startsWith('..');
  const why = isOutside ? 'an absolute path outside of the project' : checkPath(path);
  if (why === undefined) return path;
  throw createUsageError(`context.file: ${why}`, 'give the path of a file from the root of the project');
}
