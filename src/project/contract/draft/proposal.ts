import { toOneLine } from '../../../base/fault.ts';
import { failure, success, type Outcome } from '../../../base/outcome.ts';
import type { ContractDraft, PartialDraft } from '../contract-fields.ts';
import { fillDefaults, type ProjectDefaults } from './contract-draft.ts';
import { sectionsOf, stripBold, type SpecSection } from './markdown-sections.ts';
import { isStructured, idOfTitle, readSpec, vagueRequirements, type SpecReading } from './spec-markdown.ts';

/** A task before it is completed. */
export interface ProposedTask extends SpecReading {
  /** The fields that the proposal does not name, a sentence each. */
  readonly inferred: readonly string[];
}

/** One task of a proposal, as the draft of a whole contract. */
export interface ReadTask extends ProposedTask {
  readonly draft: ContractDraft;
}

/** Whether a proposal has text, and none of it under a heading or in a field that code can read. */
export function isProse(text: string): boolean {
  const { common, tasks } = splitProposal(text.replaceAll('\r\n', '\n'));
  const read = readSpec(text);
  const hasFields = !read.ok || Object.keys(read.value.draft).some((key) => key !== 'title');
  const hasText = common.replace(/^\s*#.*$/gm, '').trim() !== '';
  return tasks.length === 0 && !hasFields && hasText && !isStructured(common);
}

/**
 * Reads a proposal without a model, as specs are read, and completes it; by default tasks run in order. Every reason
 * for a refusal is named, such as a requirement that cannot be checked.
 */
export function readProposal(text: string, defaults: ProjectDefaults): Outcome<readonly ReadTask[], readonly string[]> {
  const { common, tasks } = splitProposal(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  const shared = readSpec(common);
  const read = tasks.map((task) => readSpec(task));
  const faults = [
    ...(shared.ok ? [] : shared.why),
    ...read.flatMap((one, at) => (one.ok ? [] : one.why.map((why) => `task ${at + 1}: ${why}`))),
  ];
  if (!shared.ok || faults.length > 0) return failure(faults);
  if (tasks.length === 0) return completeTasks([{ ...shared.value, inferred: [] }], defaults);
  const own = read.flatMap((one) => (one.ok ? [one.value] : []));
  return completeTasks(
    own.map((task, at) => addCommon(task, shared.value, at)),
    defaults,
  );
}

/**
 * Splits a proposal at its headings `## Task 1: Title`, all of the level of the first one. Each task has its title as the
 * first heading. Text before them, and under another heading of that level or above, is common to all.
 */
function splitProposal(text: string): { readonly common: string; readonly tasks: readonly string[] } {
  const sections = sectionsOf(text);
  const level = sections.find((one) => titleOfTask(one) !== undefined)?.level;
  if (level === undefined) return { common: text, tasks: [] };
  const common: string[] = [];
  const tasks: string[][] = [];
  let part = common;
  for (const one of sections) {
    const title = one.level === level ? titleOfTask(one) : undefined;
    if (title !== undefined) tasks.push((part = [`# ${title}`]));
    else if (one.level > 0) {
      if (one.level <= level) part = common;
      part.push(`${'#'.repeat(one.level)} ${one.heading}`);
    }
    part.push(...one.rows.map(({ text: row }) => row));
  }
  return { common: common.join('\n'), tasks: tasks.map((rows) => rows.join('\n')) };
}

/** `Task 2: Title` or `Task – Title`; the title of the proposal itself is no task. */
function titleOfTask({ level, heading }: SpecSection): string | undefined {
  const [whole, number, title = ''] =
    /^task(?:\s+#?(\d+))?(?:\s*:\s*|\s+[–—-]\s+|\s*$)(.*)$/i.exec(stripBold(heading)) ?? [];
  return level < 2 || whole === undefined || (number === undefined && title === '') ? undefined : title.trim();
}

/** Adds the common part to a task: its own words win, lists are joined, a common id is numbered. */
function addCommon({ draft: own, notices }: SpecReading, common: SpecReading, at: number): ProposedTask {
  const { title: _title, ...shared } = common.draft;
  const join = (key: 'requirements' | 'acceptance_criteria' | 'forbidden_paths'): readonly string[] => [
    ...(shared[key] ?? []),
    ...(own[key] ?? []),
  ];
  const isNumbered = own.task_id === undefined && shared.task_id !== undefined;
  const taskId = isNumbered ? `${shared.task_id}-${at + 1}` : own.task_id;
  const isFirst = at === 0;
  return {
    draft: {
      ...shared,
      ...own,
      task_id: taskId,
      requirements: join('requirements'),
      acceptance_criteria: join('acceptance_criteria'),
      forbidden_paths: join('forbidden_paths'),
      after: own.after === undefined ? (isFirst ? shared.after : undefined) : [...(shared.after ?? []), ...own.after],
    },
    inferred: isNumbered ? [`task_id ${taskId}: the id of the proposal and the number of the task`] : [],
    notices: [...(isFirst ? common.notices : []), ...notices],
  };
}

/** Completes the tasks of a proposal: an id from the title, a scope from the named files, a place in the order. */
export function completeTasks(
  planned: readonly ProposedTask[],
  defaults: ProjectDefaults,
): Outcome<readonly ReadTask[], readonly string[]> {
  const ids = planned.map(({ draft: { task_id: id, title } }) => id ?? idOfTitle(title));
  const gaps = planned.flatMap(({ draft }, at) =>
    [...gapsOf(draft, ids[at]), ...vagueRequirements(draft), ...sameId(ids, at)].map((gap) =>
      planned.length > 1 ? `task ${at + 1}: ${gap}` : gap,
    ),
  );
  if (gaps.length > 0) return failure(gaps);
  return success(planned.map((one, at) => complete(one, defaults, orderOf(planned, ids, at), ids[at] ?? '')));
}

function complete(
  { draft: written, notices, inferred }: ProposedTask,
  defaults: ProjectDefaults,
  after: readonly string[] | undefined,
  taskId: string,
): ReadTask {
  const named = written.target_file === undefined ? (written.source_files ?? []) : [written.target_file];
  const draft = fillDefaults(
    {
      ...written,
      task_id: taskId,
      after,
      complexity: written.complexity ?? 'minor',
      allowed_paths: written.allowed_paths ?? named,
    },
    defaults,
  );
  const added: readonly [keyof PartialDraft, string][] = [
    ['task_id', ` ${taskId}: made of the title`],
    ['after', ` ${draft.after.join(', ')}: the order in which the tasks are written`],
    ['project', ` ${draft.project}: the name of the folder`],
    ['complexity', ' minor: none is named, and the limits follow from it'],
    ['allowed_paths', ` ${named.join(', ')}: the files that the proposal names`],
    ['gates', ": those of the project's configuration"],
    ['implementer', ` ${draft.implementer.join(', ')}: as configured`],
    ['local_reviewer', ` ${draft.local_reviewer}: as configured`],
    ['judge', ` ${draft.judge}: as configured`],
  ];
  const missing = added.filter(([key]) => written[key] === undefined && (key !== 'after' || draft.after.length > 0));
  return { draft, notices, inferred: [...inferred, ...missing.map(([key, text]) => `${key}${text}`)] };
}

/** The predecessors of a task, by ids; other tasks may be named by number or title; default: the one before. */
function orderOf(
  planned: readonly ProposedTask[],
  ids: readonly (string | undefined)[],
  at: number,
): readonly string[] | undefined {
  const written = planned[at]?.draft.after;
  if (written === undefined) return at === 0 ? undefined : [ids[at - 1] ?? ''];
  if (planned.length === 1) return written;
  const indexOf = (name: string): number =>
    planned.findIndex(({ draft: { title } }) => title?.toLowerCase() === name.toLowerCase());
  return written.map((name) => {
    const [, number] = /^(?:task\s*)?#?(\d{1,3})$/i.exec(name) ?? [];
    return ids[number === undefined ? indexOf(name) : Number(number) - 1] ?? name;
  });
}

/** Two tasks of one proposal cannot share an id, even with different case. */
function sameId(ids: readonly (string | undefined)[], at: number): readonly string[] {
  const id = ids[at];
  const first = ids.findIndex((one) => one?.toLowerCase() === id?.toLowerCase());
  if (id === undefined || first === at) return [];
  return [`its id ${toOneLine(id, 64)} is that of task ${first + 1}; give it a title, or a Task id, of its own`];
}

function gapsOf(draft: PartialDraft, id: string | undefined): readonly string[] {
  const { requirements = [], allowed_paths: allowed = [], target_file: target, source_files: sources = [] } = draft;
  return [
    id === undefined ? 'there is no title to make a task id of: `# Proposal: Merge the login pages`' : '',
    requirements.length === 0 ? 'there are no requirements: a list under `## Requirements`' : '',
    allowed.length === 0 && target === undefined && sources.length === 0
      ? 'nothing says which files may change: a list under `## Allowed paths`, or a file under `## Target`'
      : '',
  ].filter((gap) => gap !== '');
}
