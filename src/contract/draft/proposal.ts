import { toOneLine } from '../../base/fault.ts';
import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { splitProposal } from './proposal-tasks.ts';
import { isStructured } from './spec-markdown.ts';
import { idOfTitle, readSpec, vagueRequirements } from './task-spec.ts';
import type { SpecReading } from './task-spec.ts';
import type { ContractDraft, PartialDraft } from '../contract-fields.ts';
import { fillDefaults } from './contract-draft.ts';
import type { ProjectDefaults } from './contract-draft.ts';

/** One task of a proposal, as the draft of a whole contract. */
export interface ReadTask {
  readonly draft: ContractDraft;
  /** The fields that the proposal does not name, a sentence each. */
  readonly inferred: readonly string[];
  readonly notices: readonly string[];
}

/** A task before it is completed. */
export interface ProposedTask extends SpecReading {
  /** The fields that the proposal does not name, a sentence each. */
  readonly inferred: readonly string[];
}

/** Whether a proposal has text, and none of it under a heading or in a field that code can read. */
export function isProse(text: string): boolean {
  const { common, tasks } = splitProposal(text);
  const read = readSpec(text);
  const [known] = read.ok ? Object.keys(read.value.draft).filter((key) => key !== 'title') : [''];
  const said = common.replace(/^\s*#.*$/gm, '').trim();
  return tasks.length === 0 && known === undefined && said !== '' && !isStructured(common.replaceAll('\r\n', '\n'));
}

/**
 * Reads a proposal without a model, as specs are read, and completes it; by default tasks run in order. Every reason
 * for a refusal is named, such as a requirement that cannot be checked.
 */
export function readProposal(text: string, defaults: ProjectDefaults): Outcome<readonly ReadTask[], readonly string[]> {
  const { common, tasks } = splitProposal(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  const shared = readSpec(common);
  if (tasks.length === 0)
    return shared.ok ? completeTasks([{ ...shared.value, inferred: [] }], defaults) : failure(shared.why);
  const read = tasks.map((task) => readSpec(task));
  const faults = [
    ...(shared.ok ? [] : shared.why),
    ...read.flatMap((one, at) => (one.ok ? [] : one.why.map((why) => `task ${at + 1}: ${why}`))),
  ];
  if (!shared.ok || faults.length > 0) return failure(faults);
  const planned = read.flatMap((one, at) =>
    one.ok ? [underCommon(one.value, shared.value, at === 0 ? shared.value.notices : [], at + 1)] : [],
  );
  return completeTasks(planned, defaults);
}

/** Completes the tasks of a proposal: an id from the title, a scope from the named files, a place in the order. */
export function completeTasks(
  planned: readonly ProposedTask[],
  defaults: ProjectDefaults,
): Outcome<readonly ReadTask[], readonly string[]> {
  const several = planned.length > 1;
  const ids = planned.map(({ draft: { task_id: id, title } }) => id ?? idOfTitle(title));
  const gaps = planned.flatMap(({ draft }, at) =>
    [...gapsOf(draft), ...vagueRequirements(draft), ...sameId(ids, at)].map((gap) =>
      several ? `task ${at + 1}: ${gap}` : gap,
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
  const named = [
    written.target_file,
    ...(written.target_file === undefined ? (written.source_files ?? []) : []),
  ].filter((path) => path !== undefined);
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
  return {
    draft,
    notices,
    inferred: [
      ...inferred,
      ...(written.task_id === undefined ? [`task_id ${draft.task_id}: made of the title`] : []),
      ...(written.after === undefined && draft.after.length > 0
        ? [`after ${draft.after.join(', ')}: the order in which the tasks are written`]
        : []),
      ...(written.project === undefined ? [`project ${draft.project}: the name of the folder`] : []),
      ...(written.complexity === undefined ? ['complexity minor: none is named, and the limits follow from it'] : []),
      ...(written.allowed_paths === undefined
        ? [`allowed_paths ${named.join(', ')}: the files that the proposal names`]
        : []),
      ...((written.gates ?? []).length === 0 ? ["gates: those of the project's configuration"] : []),
      ...(written.implementer === undefined ? [`implementer ${draft.implementer.join(', ')}: as configured`] : []),
      ...(written.local_reviewer === undefined ? [`local_reviewer ${draft.local_reviewer}: as configured`] : []),
      ...(written.judge === undefined ? [`judge ${draft.judge}: as configured`] : []),
    ],
  };
}

/** Merges a task with the common part: its own words win, lists are joined, a common id is numbered. */
function underCommon(
  { draft: own, notices }: SpecReading,
  { draft: { title: _title, ...shared } }: SpecReading,
  more: readonly string[],
  number: number,
): ProposedTask {
  const together = (key: 'requirements' | 'acceptance_criteria' | 'forbidden_paths'): readonly string[] => [
    ...(shared[key] ?? []),
    ...(own[key] ?? []),
  ];
  const numbered =
    own.task_id === undefined && shared.task_id !== undefined ? `${shared.task_id}-${number}` : undefined;
  const after = [shared.after, own.after].flatMap((one) => one ?? []);
  return {
    draft: {
      ...shared,
      ...own,
      task_id: own.task_id ?? numbered,
      requirements: together('requirements'),
      acceptance_criteria: together('acceptance_criteria'),
      forbidden_paths: together('forbidden_paths'),
      after: own.after === undefined ? undefined : after,
      ...(own.after === undefined && shared.after !== undefined && number === 1 ? { after: shared.after } : {}),
    },
    inferred: numbered === undefined ? [] : [`task_id ${numbered}: the id of the proposal and the number of the task`],
    notices: [...more, ...notices],
  };
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
  const titled = (name: string): number =>
    planned.findIndex(({ draft: { title } }) => title?.toLowerCase() === name.toLowerCase());
  return written.map((name) => {
    const [, number] = /^(?:task\s*)?#?(\d{1,3})$/i.exec(name) ?? [];
    return ids[number === undefined ? titled(name) : Number(number) - 1] ?? name;
  });
}

/** Two tasks of one proposal cannot share an id, even with different case. */
function sameId(ids: readonly (string | undefined)[], at: number): readonly string[] {
  const id = ids[at]?.toLowerCase();
  const first = ids.findIndex((one) => one?.toLowerCase() === id);
  return id === undefined || first === at
    ? []
    : [
        `its id ${toOneLine(ids[at] ?? '', 64)} is that of task ${first + 1}; give it a title, or a Task id, of its own`,
      ];
}

function gapsOf({
  task_id: taskId,
  title,
  requirements = [],
  allowed_paths: allowed = [],
  target_file: target,
  source_files: sources = [],
}: PartialDraft): string[] {
  return [
    taskId === undefined && idOfTitle(title) === undefined
      ? 'there is no title to make a task id of: `# Proposal: Merge the login pages`'
      : '',
    requirements.length === 0 ? 'there are no requirements: a list under `## Requirements`' : '',
    allowed.length === 0 && target === undefined && sources.length === 0
      ? 'nothing says which files may change: a list under `## Allowed paths`, or a file under `## Target`'
      : '',
  ].filter((gap) => gap !== '');
}
