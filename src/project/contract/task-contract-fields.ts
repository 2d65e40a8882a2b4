import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { HANDOFF, HUMAN, RESERVED_TASK_IDS, TASK_ID } from '../../base/names.ts';
import { findNearestWord } from '../../base/find-nearest-word.ts';
import { checkPath, checkPattern } from '../../base/paths.ts';

const SHA256 = /^(?:(?:sha256-)?[0-9a-fA-F]{64})?$/;
const BRANCH = /^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|\.lock(?:\/|$)|\/\.))[^\s~^:?*[\\\p{C}]+(?<![/.])$/u;
const WEEK_MINUTES = 7 * 24 * 60;

/** Adds a description and an example to a schema, for the JSON Schema and for refusals. */
export const describeField = <Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  example: unknown,
): Schema => schema.meta({ description, examples: [example] });

/** An object without further keys. Refusals show its required keys, else its first one. */
export function section<Keys extends z.core.$ZodLooseShape>(keys: Keys, note = ''): z.ZodObject<Keys, z.core.$strict> {
  const entries: readonly (readonly [string, z.ZodType])[] = Object.entries(keys);
  const required = entries.filter(([, schema]) => !schema.safeParse(undefined).success);
  const shown = required.length > 0 ? required : entries.slice(0, 1);
  const example = Object.fromEntries(shown.map(([key, schema]) => [key, exampleOf(schema)]));
  const names = required.length > 0 ? `at least ${listWords(shown)}` : listWords(entries);
  return describeField(z.strictObject(keys), `an object with ${names}${note}`, example);
}

const listWords = (entries: readonly (readonly [string, unknown])[]): string =>
  new Intl.ListFormat('en-GB').format(entries.map(([key]) => key));

/** A list of described values. */
export const listOf = <Item extends z.ZodType>(item: Item, things: string): z.ZodArray<Item> =>
  describeField(z.array(item), `a list of ${things}`, [exampleOf(item)]);

function exampleOf(schema: z.ZodType): unknown {
  const described = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  return (described.meta() as { readonly examples?: readonly unknown[] } | undefined)?.examples?.[0];
}

/** Keys that andon or another tool writes: accepted with any value, never trusted. */
export const ignored = <Key extends string>(
  ...keys: readonly Key[]
): Readonly<Record<Key, z.ZodOptional<z.ZodUnknown>>> =>
  Object.fromEntries(keys.map((key) => [key, z.unknown().optional()])) as Record<Key, z.ZodOptional<z.ZodUnknown>>;

/** Whether a pattern names the repository's root, and so everything in it. */
export const meansAll = (text: string): boolean => text === '.' || text === './';

/** Turns a check that returns a reason into one for zod. */
export const refused = (reason: (text: string) => string | undefined) => (context: z.core.ParsePayload<string>) => {
  const why = reason(context.value);
  if (why !== undefined) context.issues.push({ code: 'custom', message: why, input: context.value, continue: true });
};

/** A whole number from 0 that fits a double exactly. */
export const countField = (description: string, example: number): z.ZodInt =>
  describeField(z.int().min(0), `a whole number from 0: ${description}`, example);
/** Text that is not blank. */
export const sentenceField = (description: string, example: string): z.ZodString =>
  describeField(z.string().trim().min(1).check(refused(isBlank)), description, example);
/** A yes or a no, by default no. */
export const booleanField = (question: string): z.ZodBoolean =>
  describeField(z.boolean(), `true or false: ${question}`, false);
/** A command, or a part of one: a program, an argument, a variable. */
export const commandText = (): z.ZodString => z.string().check(refused(holdsNul));
/** The title of a task, on one line: the subject of its commit. */
export const title = lazy(() =>
  describeField(
    z.string().trim().min(1).max(500).check(refused(hasControls)),
    'one line of text: what the task is called',
    'One guide instead of two',
  ),
);

/** The name of a model or an agent; it must not look like an option of a command. */
const worker = (description: string, example: string): z.ZodString =>
  describeField(
    z.string().trim().min(1).max(200).regex(/^[^-]/).check(refused(hasControls)),
    `one line of text that does not begin with a dash: ${description}`,
    example,
  );

/** The most names of one list; a task that needs more is better split. */
const MOST_WORKERS = 5;

/** A worker, or an ordered list of fallbacks. */
export const workers = (description: string, example: string): z.ZodType<string | string[]> =>
  oneOrSeveral(worker(description, example), `${description}, and who takes it over in turn`, [
    example,
    `${example}:32b`,
  ]);

/** A reviewer, or a panel of several that decides together. */
export const reviewers = (description: string, example: string): z.ZodType<string | string[]> =>
  oneOrSeveral(worker(description, example), `${description}, or a panel that decides together`, example);

function oneOrSeveral(one: z.ZodString, description: string, example: unknown): z.ZodType<string | string[]> {
  const length = `a list of 1 to ${MOST_WORKERS} names, each once`;
  const list = describeField(z.array(one).min(1).max(MOST_WORKERS).check(refuseTwice), length, [example].flat());
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
/** Paths that a task may or may not change. */
export const patterns = lazy(() =>
  listOf(
    describeField(
      z
        .string()
        .min(1)
        .check(refused((text) => (meansAll(text) ? undefined : checkPattern(text)))),
      'a file, a folder ending in / or a glob, from the root of the repository',
      'docs/',
    ),
    'at most 1000 paths, folders or globs',
  ).max(1000),
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
    z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]), // seconds are optional
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

/** A text that shows nothing: format characters, fillers, the empty Braille cell. */
const isBlank = (text: string): string | undefined =>
  /^[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]+$/u.test(text)
    ? 'The text holds no visible character.'
    : undefined;

/** Not a pattern: `\p` in a JSON Schema means something else to most readers. */
export function hasControls(name: string): string | undefined {
  return /\p{C}/u.test(name) ? 'The name holds control characters; use plain ones.' : undefined;
}

const holdsNul = (command: string): string | undefined =>
  command.includes('\0') ? 'The command holds a NUL character, which no shell takes.' : undefined;

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
