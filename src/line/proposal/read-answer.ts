import { toOneLine } from '../../base/fault.ts';
import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { checkPath } from '../../base/paths.ts';
import { COMPLEXITIES } from '../../contract/task-contract-shape.ts';
import type { ProposedTask } from '../../contract/draft/proposal.ts';
import { prohibitedPaths } from '../../contract/draft/prohibitions.ts';
import { idOfTitle } from '../../contract/draft/task-spec.ts';
import { spokenDraftSchema } from '../../record/draft-answer.ts';
import { findJsonObjects } from '../stations/json-objects.ts';
import { MOST_TASKS } from './brief.ts';

/** The context of the check: the words of the proposal, and the files of the target. */
interface Grounds {
  readonly proposal: string;
  /** The digest of the proposal; ids derive from it where a title yields none. */
  readonly digest: string;
  readonly by: string;
  readonly isFile: (path: string) => boolean;
  readonly isFolder: (path: string) => boolean;
  /** Control files and secrets: a person may open one by name, an agent never. */
  readonly isProtected: (path: string) => boolean;
}

/**
 * Parses an agent's draft from a proposal in prose. Everything but quoted requirements is marked as inferred. Missing,
 * protected and invalid paths are dropped. Gates, ceilings, roles and deletion rights are never taken from the agent.
 */
export function readDraftAnswer(
  { text, structured }: { readonly text: string; readonly structured?: unknown },
  grounds: Grounds,
): Outcome<readonly ProposedTask[], string> {
  const read = (structured === undefined ? findJsonObjects(text) : [structured])
    .map((value) => spokenDraftSchema().safeParse(value))
    .flatMap((one) => (one.success ? [one.data] : []));
  const [answer] = read;
  if (answer === undefined || read.length > 1) return failure('it gave no answer that can be read');
  const { tasks, questions } = answer;
  if (tasks.length === 0)
    return failure(`it finds no task in it${(questions ?? []).map((one) => `; it asks: ${short(one)}`).join('')}`);
  if (tasks.length > MOST_TASKS)
    return failure(`it makes ${tasks.length} tasks of it; at most ${MOST_TASKS} are taken`);
  const asks = (questions ?? []).slice(0, MOST_ITEMS).map((one) => `${grounds.by} asks: ${short(one)}`);
  return success(tasks.map((_, at) => plannedOf(tasks, at, grounds, at === 0 ? asks : [])));
}

type SpokenTask = ReturnType<ReturnType<typeof spokenDraftSchema>['parse']>['tasks'][number];

/** Longer lists and sentences are cut. */
const MOST_ITEMS = 30;
const LONGEST = 500;

function plannedOf(tasks: readonly SpokenTask[], at: number, grounds: Grounds, asks: readonly string[]): ProposedTask {
  const { by, proposal, isFile, isFolder, isProtected, digest } = grounds;
  const task = tasks[at] as SpokenTask;
  const count = tasks.length;
  const words = squeezed(proposal);
  const requirements = task.requirements
    .slice(0, MOST_ITEMS)
    .map((one) => (typeof one === 'string' ? { text: one, quote: '' } : one))
    .map(({ text, quote }) => ({ text: short(text), isAsked: isQuoted(words, quote ?? '') }))
    .filter(({ text }) => text !== '');
  const criteria = (task.acceptance_criteria ?? [])
    .slice(0, MOST_ITEMS)
    .map(short)
    .filter((one) => one !== '');
  const after = (task.after ?? []).map(Number).filter((one) => Number.isInteger(one) && one > 0 && one <= count);
  const toCome = after.flatMap((one) => tasks[one - 1]?.changed_files ?? []).map(barePath);
  const closed = (path: string): string | undefined => (isProtected(path) ? 'a protected file' : undefined);
  const sources = pathsOf(
    task.source_files,
    (path) => closed(path) ?? (isFile(path) || toCome.includes(path) ? undefined : 'no file of the project'),
  );
  const prohibited = prohibitedPaths(proposal);
  const changed = pathsOf(
    task.changed_files,
    (path) =>
      closed(path) ??
      (prohibited.includes(path) ? 'a file that the proposal says not to touch' : undefined) ??
      (isFolder(path) || /[*?[\]{}]/.test(path) ? 'no path of one file' : undefined),
  );
  const title = short(task.title);
  const taskId = idOfTitle(title) ?? `PROPOSAL-${digest.slice(0, 8).toUpperCase()}-${at + 1}`;
  const complexity = COMPLEXITIES.find((one) => one === task.complexity?.trim().toLowerCase());
  const quoted = requirements.filter(({ isAsked }) => isAsked).length;
  return {
    draft: {
      task_id: taskId,
      title,
      requirements: requirements.map(({ text }) => text),
      acceptance_criteria: criteria,
      source_files: sources.paths,
      ...(changed.paths.length === 1 ? { target_file: changed.paths[0] } : {}),
      ...(changed.paths.length === 0 ? {} : { allowed_paths: changed.paths }),
      ...(prohibited.length === 0 ? {} : { forbidden_paths: prohibited }),
      ...(complexity === undefined ? {} : { complexity }),
      ...(count === 1 ? {} : { after: after.map((one) => `${one}`) }),
    },
    inferred: [
      `task_id ${taskId}: made of the title that ${by} gave it`,
      ...requirements.flatMap(({ text, isAsked }) =>
        isAsked ? [] : [`requirement "${text}": ${by} added it; no words of the proposal ask for it`],
      ),
      ...(quoted === 0
        ? []
        : [
            `${quoted} of ${requirements.length} requirements: in the words of ${by}, which quotes the proposal for each`,
          ]),
      ...(criteria.length === 0 ? [] : [`acceptance_criteria: by ${by}`]),
      ...(complexity === undefined ? [] : [`complexity ${complexity}: by ${by}; the limits follow from it`]),
      ...(changed.paths.length === 0 ? [] : [`allowed_paths ${changed.paths.join(', ')}: the files that ${by} names`]),
      ...(after.length === 0 ? [] : [`after task ${after.join(', ')}: by ${by}`]),
    ],
    notices: [...asks, ...[...sources.left, ...changed.left].map((why) => `left out: ${by} names ${why}`)],
  };
}

/** The valid paths of a list, and the faults of the others. */
function pathsOf(
  named: readonly string[] | null | undefined,
  wrong: (path: string) => string | undefined,
): { readonly paths: readonly string[]; readonly left: readonly string[] } {
  const paths: string[] = [];
  const left: string[] = [];
  for (const one of (named ?? []).slice(0, MOST_ITEMS)) {
    const path = barePath(one);
    const why = checkPath(path) ?? wrong(path);
    if (why !== undefined) left.push(`"${toOneLine(path, 120)}": ${why}`);
    else if (!paths.includes(path)) paths.push(path);
  }
  return { paths, left };
}

/** A path as models write it, without backticks and leading root marks. */
const barePath = (text: string): string =>
  text
    .trim()
    .replace(/^`(.*)`$/, '$1')
    .replace(/^\.\//, '');

/** A quote found in the proposal; line breaks and list marks do not count. */
const isQuoted = (words: string, quote: string): boolean => {
  const asked = squeezed(quote);
  return asked.length >= SHORTEST_QUOTE && words.includes(asked);
};

/** A shorter quote fits any text. */
const SHORTEST_QUOTE = 8;

const squeezed = (text: string): string =>
  text
    .replace(/[\s*_`#>]+/g, ' ')
    .trim()
    .toLowerCase();
const short = (text: string): string => toOneLine(text, LONGEST).trim();
