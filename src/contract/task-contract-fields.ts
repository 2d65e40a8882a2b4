import { z } from 'zod';
import { lazy } from '../base/lazy.ts';
import { HANDOFF, HUMAN, RESERVED_TASK_IDS, TASK_ID } from '../base/names.ts';
import { findNearestWord } from '../base/nearest-word.ts';
import { checkPath, checkPattern } from '../base/paths.ts';

const SHA256 = /^(?:(?:sha256-)?[0-9a-fA-F]{64})?$/;
const BRANCH = /^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|\.lock(?:\/|$)|\/\.))[^\s~^:?*[\\\p{C}]+(?<![/.])$/u;
const WEEK_MINUTES = 7 * 24 * 60;

/** Adds a description and an example to a schema, for the JSON Schema and for refusals. */
export const describeField = <Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  example: unknown,
): Schema => schema.meta({ description, examples: [example] });

/** Whether a pattern names the repository's root, and so everything in it. */
export const meansAll = (text: string): boolean => text === '.' || text === './';

/** Turns a check that returns a reason into one for zod. */
const refused = (reason: (text: string) => string | undefined) => (context: z.core.ParsePayload<string>) => {
  const why = reason(context.value);
  if (why !== undefined) context.issues.push({ code: 'custom', message: why, input: context.value, continue: true });
};

/** A whole number from 0 that fits a double exactly. */
export const countField = (description: string, example: number): z.ZodInt =>
  describeField(z.int().min(0), description, example);
/** Text that is not blank. */
export const sentenceField = (description: string, example: string): z.ZodString =>
  describeField(z.string().trim().min(1), description, example);
/** The title of a task, on one line: the subject of its commit. */
export const title = lazy(() =>
  describeField(
    z.string().trim().min(1).max(500).check(refused(hasControls)),
    'one line of text: what the task is called',
    'One guide instead of two',
  ),
);
/** Written by andon or another tool: parsed, never trusted. */
export const foreign = (description: string): z.ZodNullable<z.ZodString> =>
  describeField(z.string().nullable(), `text or null; ${description}`, null);
/** The name of a model or an agent; it must not look like an option of a command. */
export const worker = (description: string, example: string): z.ZodString =>
  describeField(
    z.string().trim().min(1).max(200).regex(/^[^-]/).check(refused(hasControls)),
    `one line of text that does not begin with a dash: ${description}`,
    example,
  );

/** The most names of one list; a task that needs more is better split. */
const MOST_WORKERS = 5;

/** A worker, or an ordered list of fallbacks. */
export const workers = (description: string, example: string): z.ZodType<string | string[]> => {
  const list = [example, `${example}:32b`];
  const inOrder = ', in the order in which they take the work over';
  return oneOrSeveral(
    worker(description, example),
    inOrder,
    `${description}, and who takes it over in turn`,
    list,
    list,
  );
};

/** A reviewer, or a panel of several that decides together. */
export const reviewers = (description: string, example: string): z.ZodType<string | string[]> => {
  const together = ': a panel that decides together';
  const panel = ['security-one', 'architect-one'];
  return oneOrSeveral(worker(description, example), together, `${description}, or a panel of several`, panel, example);
};

/** A name, or a list of names; `of` says what each list is, `description` what the field is. */
function oneOrSeveral(
  one: z.ZodString,
  of: string,
  description: string,
  several: readonly string[],
  example: string | readonly string[],
): z.ZodType<string | string[]> {
  const length = `a list of 1 to ${MOST_WORKERS} names, each once`;
  const list = describeField(z.array(one).min(1).max(MOST_WORKERS).check(refuseTwice), `${length}${of}`, several);
  return describeField(
    z.union([one, list.meta({ uniqueItems: true })]),
    `a name, or ${length}: ${description}`,
    example,
  );
}

/** The decider on a report. A near miss of `human` must not become the built-in policy, which decides alone. */
export const floorManager = lazy(() =>
  worker('the agent that decides what a verdict leads to', 'gemini').check(refused(isNearlyHuman)),
);

/** One file of the repository. */
export const file = lazy(() =>
  describeField(
    z.string().min(1).check(refused(checkPath)),
    'the path of a file, from the root of the repository',
    'docs/auth.md',
  ),
);
/** What a task may or may not change. */
export const pattern = lazy(() =>
  describeField(
    z
      .string()
      .min(1)
      .check(refused((text) => (meansAll(text) ? undefined : checkPattern(text)))),
    'a file, a folder ending in / or a glob, from the root of the repository',
    'docs/',
  ),
);
/** A file of andon or a judge; empty means missing. */
export const handoffFile = lazy(() =>
  describeField(
    z.string().check(refused(leavesHandoff)),
    `the path of a file inside ${HANDOFF}/`,
    `${HANDOFF}/JUDGE_REPORT.md`,
  ),
);
/** A time limit. */
export const minutes = lazy(() =>
  describeField(z.number().positive().max(WEEK_MINUTES), `minutes: a number above 0, at most ${WEEK_MINUTES}`, 10),
);
/** A sum of money. */
export const usd = lazy(() => describeField(z.number().min(0).max(1_000_000), 'US dollars: a number from 0', 0.5));
/** A number of tokens. */
export const tokens = lazy(() => describeField(z.int().positive(), 'tokens: a whole number from 1', 50_000));
/** The digest of a source file; empty means missing. */
export const digest = lazy(() =>
  describeField(z.string().regex(SHA256), 'the SHA-256 of the file as sha256- and 64 hex digits, or ""', ''),
);

/** The task's name: it becomes a branch, a folder and a file name. */
export const taskId = lazy(() =>
  describeField(
    z.string().regex(TASK_ID).check(refused(isReserved)),
    '1 to 64 letters, digits, - and _, beginning with a letter or digit, and no reserved name',
    'DOC-001-AUTH-MERGE',
  ),
);
/** Tasks in one list; chain them if more are needed. */
const MOST_BEFORE = 100;

/** The tasks that must be merged before this one begins. */
export const predecessors = lazy(() =>
  describeField(
    z.array(taskId()).max(MOST_BEFORE).check(refuseTwice),
    `a list of at most ${MOST_BEFORE} task ids, each once: tasks that must be merged before this one begins`,
    ['DOC-001'],
  ).meta({ uniqueItems: true }),
);

/** A moment with its zone, so that it is unambiguous. */
export const momentField = lazy(() =>
  describeField(
    z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]), // seconds may be left out
    'a moment as ISO 8601 with its zone, Z or an offset: before it the task does not begin',
    '2026-01-31T07:00:00+01:00',
  ),
);

/** The branch to merge into; empty or null means missing. */
export const targetBranch = lazy(() =>
  describeField(
    z.string().max(200).check(refused(isNoBranch)).nullable(),
    'the branch to merge into, as git names it',
    'main',
  ),
);

/** Not a pattern: `\p` in a JSON Schema means something else to most readers. */
function hasControls(name: string): string | undefined {
  return /\p{C}/u.test(name) ? 'The name holds control characters; use plain ones.' : undefined;
}

/** An agent cannot be its own fallback; the fault is the second place. */
function refuseTwice({ value: names, issues }: z.core.ParsePayload<string[]>): void {
  for (const [place, name] of names.entries())
    if (names.indexOf(name) < place)
      issues.push({
        code: 'custom',
        message: `The list names ${JSON.stringify(name)} before; name each once.`,
        input: name,
        path: [place],
        continue: true,
      });
}

function isNearlyHuman(name: string): string | undefined {
  return name !== HUMAN && findNearestWord(name, [HUMAN]) !== undefined
    ? `Unknown name; write "${HUMAN}", or name an agent.`
    : undefined;
}

function isNoBranch(branch: string): string | undefined {
  return branch === '' || BRANCH.test(branch) ? undefined : 'git refuses such a name.';
}

function isReserved(taskId: string): string | undefined {
  return RESERVED_TASK_IDS.includes(taskId.toLowerCase()) ? 'The name is reserved; choose another.' : undefined;
}

function leavesHandoff(path: string): string | undefined {
  if (path === '') return undefined;
  return (
    checkPath(path) ??
    (path.startsWith(`${HANDOFF}/`) ? undefined : `The path leaves ${HANDOFF}/; name a file inside it.`)
  );
}
