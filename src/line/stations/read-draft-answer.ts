import { toOneLine } from '../../base/fault.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { checkPath } from '../../base/paths.ts';
import { sha256 } from '../../base/sha256.ts';
import { COMPLEXITIES } from '../../project/contract/task-contract-defaults.ts';
import type { ProposedTask } from '../../project/contract/draft/proposal.ts';
import { spokenDraftSchema, draftAnswerSchema } from '../record/agent-answers.ts';
import { readOnlyObject, type SpokenAnswer } from '../../agents/json-objects.ts';
import { prohibitedPaths } from '../../project/contract/draft/contract-draft.ts';
import { idOfTitle } from '../../project/contract/draft/spec-markdown.ts';
import { jsonSchemaForModel } from '../../base/json-schema-for-model.ts';
import type { Brief } from '../../agents/agent.ts';
import { fenceText, fenceRule } from '../../agents/fence-text.ts';

/** The context of the check: the words of the proposal, and the files of the target. */
interface Grounds {
  readonly proposal: string;
  readonly by: string;
  readonly isFile: (path: string) => boolean;
  readonly isFolder: (path: string) => boolean;
  /** Control files and secrets: a person may open one by name, an agent never. */
  readonly isProtected: (path: string) => boolean;
}

/** Longer lists and sentences are cut. */
const MOST_ITEMS = 30;
const LONGEST = 500;

type SpokenTask = ReturnType<ReturnType<typeof spokenDraftSchema>['parse']>['tasks'][number];

/**
 * Parses an agent's draft from a proposal in prose. Everything but quoted requirements is marked as inferred. Missing,
 * protected and invalid paths are dropped. Gates, budgets, roles and deletion rights are never taken from the agent.
 */
export function readDraftAnswer(answer: SpokenAnswer, grounds: Grounds): Outcome<readonly ProposedTask[], string> {
  const read = readOnlyObject(answer, 'draft', (value) => spokenDraftSchema().safeParse(value));
  if (!read.ok) return read;
  const { tasks } = read.value;
  const questions = cutList(read.value.questions);
  if (tasks.length === 0) return failure(['it finds no task in it', ...questions].join('; it asks: '));
  if (tasks.length > MOST_TASKS)
    return failure(`it makes ${tasks.length} tasks of it; at most ${MOST_TASKS} are taken`);
  const asks = questions.map((one) => `${grounds.by} asks: ${one}`);
  return success(tasks.map((task, at) => readTask(task, at, tasks, grounds, at === 0 ? asks : [])));
}

function readTask(
  task: SpokenTask,
  at: number,
  tasks: readonly SpokenTask[],
  grounds: Grounds,
  asks: readonly string[],
): ProposedTask {
  const { by, proposal, isFile, isFolder, isProtected } = grounds;
  const words = normaliseWords(proposal);
  const requirements = task.requirements
    .slice(0, MOST_ITEMS)
    .map((one) => (typeof one === 'string' ? { text: one, quote: '' } : one))
    .map(({ text, quote }) => ({ text: cut(text), isAsked: isQuoted(words, quote ?? '') }))
    .filter(({ text }) => text !== '');
  const criteria = cutList(task.acceptance_criteria);
  const after = (task.after ?? []).map(Number).filter((one) => Number.isInteger(one) && one > 0 && one <= tasks.length);
  const toCome = after.flatMap((one) => tasks[one - 1]?.changed_files ?? []).map(barePath);
  const prohibited = prohibitedPaths(proposal);
  const sources = pathsOf(task.source_files, (path) => {
    if (isProtected(path)) return 'a protected file';
    return isFile(path) || toCome.includes(path) ? undefined : 'no file of the project';
  });
  const changed = pathsOf(task.changed_files, (path) => {
    if (isProtected(path)) return 'a protected file';
    if (prohibited.includes(path)) return 'a file that the proposal says not to touch';
    return isFolder(path) || /[*?[\]{}]/.test(path) ? 'no path of one file' : undefined;
  });
  const title = cut(task.title);
  const taskId = idOfTitle(title) ?? `PROPOSAL-${sha256(proposal).slice(0, 8).toUpperCase()}-${at + 1}`;
  const complexity = COMPLEXITIES.find((one) => one === task.complexity?.trim().toLowerCase());
  const quoted = requirements.filter(({ isAsked }) => isAsked).length;
  const inferred: readonly (readonly [isShown: boolean, text: string])[] = [
    [true, `task_id ${taskId}: made of the title that ${by} gave it`],
    ...requirements.map(
      ({ text, isAsked }) =>
        [!isAsked, `requirement "${text}": ${by} added it; no words of the proposal ask for it`] as const,
    ),
    [
      quoted > 0,
      `${quoted} of ${requirements.length} requirements: in the words of ${by}, which quotes the proposal for each`,
    ],
    [criteria.length > 0, `acceptance_criteria: by ${by}`],
    [complexity !== undefined, `complexity ${complexity}: by ${by}; the limits follow from it`],
    [changed.paths.length > 0, `allowed_paths ${changed.paths.join(', ')}: the files that ${by} names`],
    [after.length > 0, `after task ${after.join(', ')}: by ${by}`],
  ];
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
      ...(tasks.length === 1 ? {} : { after: after.map(String) }),
    },
    inferred: inferred.flatMap(([isShown, text]) => (isShown ? [text] : [])),
    notices: [...asks, ...[...sources.dropped, ...changed.dropped].map((why) => `left out: ${by} names ${why}`)],
  };
}

function pathsOf(
  named: readonly string[] | null | undefined,
  explainFault: (path: string) => string | undefined,
): { readonly paths: readonly string[]; readonly dropped: readonly string[] } {
  const paths = [...new Set((named ?? []).slice(0, MOST_ITEMS).map(barePath))];
  const faultOf = (path: string): string | undefined => checkPath(path) ?? explainFault(path);
  return {
    paths: paths.filter((path) => faultOf(path) === undefined),
    dropped: paths.flatMap((path) => {
      const fault = faultOf(path);
      return fault === undefined ? [] : [`"${toOneLine(path, 120)}": ${fault}`];
    }),
  };
}

/** A path as models write it, without backticks and leading root marks. */
const barePath = (text: string): string =>
  text
    .trim()
    .replace(/^`(.*)`$/, '$1')
    .replace(/^\.\//, '');

/** A quote found in the proposal; line breaks and list marks do not count. A very short quote fits any text. */
const isQuoted = (words: string, quote: string): boolean => {
  const wanted = normaliseWords(quote);
  return wanted.length >= 8 && words.includes(wanted);
};

const normaliseWords = (text: string): string =>
  text
    .replace(/[\s*_`#>]+/g, ' ')
    .trim()
    .toLowerCase();

const cut = (text: string): string => toOneLine(text, LONGEST).trim();

const cutList = (texts: readonly string[] | null | undefined): readonly string[] =>
  (texts ?? [])
    .slice(0, MOST_ITEMS)
    .map(cut)
    .filter((text) => text !== '');

/** The most paths listed in the brief; a larger project is listed by folders only. */
const MOST_PATHS = 400;

/** The brief for the floor manager's agent about a proposal in prose: its tasks and their files. */
export function briefDraft(proposal: string, files: readonly string[], nonce: string): Brief {
  const shown = files.length <= MOST_PATHS ? files : foldersOf(files).slice(0, MOST_PATHS);
  const prompt = [
    'You are the floor manager: you turn a proposal into tasks for a line of coding agents. A human will read every word before anything runs.',
    fenceRule(nonce),
    fenceText('proposal', proposal, nonce),
    fenceText(files.length <= MOST_PATHS ? 'files of the project' : 'folders of the project', shown.join('\n'), nonce),
    `One task is one change that can be reviewed and merged by itself. Most proposals are one task; at most ${MOST_TASKS} are taken. \`requirements\` are the results, one checkable sentence each; \`quote\` repeats the words of the proposal that ask for it, unchanged, and is empty for what you add. \`source_files\` are files of the project that the implementer must read. \`changed_files\` are the files that it may change or create, each by its whole path: no folder, no pattern. \`after\` are the numbers of your tasks that must be merged before, from 1. Ask in \`questions\` what the proposal leaves open. Invent nothing.`,
    'Answer with one JSON object: {"tasks": [{"title", "requirements": [{"text", "quote"}], "acceptance_criteria", "source_files", "changed_files", "complexity": "trivial", "minor", "major" or "critical", "after"}], "questions"}. No other text.',
  ];
  return { prompt: prompt.join('\n\n'), schema: jsonSchemaForModel(draftAnswerSchema()) };
}

const MOST_TASKS = 8;

const foldersOf = (files: readonly string[]): readonly string[] =>
  [
    ...new Set(files.flatMap((path) => (path.includes('/') ? [path.slice(0, path.lastIndexOf('/') + 1)] : []))),
  ].toSorted();
