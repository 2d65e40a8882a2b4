import { oneLine } from '../../base/fault.ts';
import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { partsOf } from './proposal-tasks.ts';
import { isStructured } from './spec-markdown.ts';
import { idOfTitle, readSpec, vagueRequirements } from './task-spec.ts';
import type { SpecReading } from './task-spec.ts';
import { completeWishes } from './wishes.ts';
import type { PartialWishes, StandardWishes, Wishes } from './wishes.ts';

/** One task of a proposal: a whole contract's wishes, and what of them nobody wrote. */
export interface ReadTask {
  readonly wishes: Wishes;
  /** What was made of something else, or is the usual, a sentence each. */
  readonly inferred: readonly string[];
  readonly notices: readonly string[];
}

/** What is known of one task before it is completed. */
export interface PlannedTask extends SpecReading {
  /** What of its wishes nobody wrote, a sentence each. */
  readonly inferred: readonly string[];
}

/** Whether a proposal says something, and none of it under a heading or in a field that code could read. */
export function isProse(text: string): boolean {
  const { common, tasks } = partsOf(text);
  const read = readSpec(text);
  const [known] = read.ok ? Object.keys(read.value.wishes).filter((wish) => wish !== 'title') : [''];
  const said = common.replace(/^\s*#.*$/gm, '').trim();
  return tasks.length === 0 && known === undefined && said !== '' && !isStructured(common.replaceAll('\r\n', '\n'));
}

/**
 * Reads a proposal without any model, as specs are read, and completes it; several tasks come one after the other unless
 * they say otherwise. Every reason for which it makes no contract is named; a requirement that nobody can check is one.
 */
export function readProposal(text: string, standard: StandardWishes): Outcome<readonly ReadTask[], readonly string[]> {
  const { common, tasks } = partsOf(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  const shared = readSpec(common);
  if (tasks.length === 0)
    return shared.ok ? completeTasks([{ ...shared.value, inferred: [] }], standard) : failure(shared.why);
  const read = tasks.map((task) => readSpec(task));
  const faults = [
    ...(shared.ok ? [] : shared.why),
    ...read.flatMap((one, at) => (one.ok ? [] : one.why.map((why) => `task ${at + 1}: ${why}`))),
  ];
  if (!shared.ok || faults.length > 0) return failure(faults);
  const planned = read.flatMap((one, at) =>
    one.ok ? [underCommon(one.value, shared.value, at === 0 ? shared.value.notices : [], at + 1)] : [],
  );
  return completeTasks(planned, standard);
}

/** Completes what is known of each task of a proposal: an id out of its title, a scope out of the files that it names, its place in the order. */
export function completeTasks(
  planned: readonly PlannedTask[],
  standard: StandardWishes,
): Outcome<readonly ReadTask[], readonly string[]> {
  const several = planned.length > 1;
  const ids = planned.map(({ wishes: { taskId, title } }) => taskId ?? idOfTitle(title));
  const gaps = planned.flatMap(({ wishes }, at) =>
    [...gapsOf(wishes), ...vagueRequirements(wishes), ...sameId(ids, at)].map((gap) =>
      several ? `task ${at + 1}: ${gap}` : gap,
    ),
  );
  if (gaps.length > 0) return failure(gaps);
  return success(planned.map((one, at) => complete(one, standard, orderOf(planned, ids, at), ids[at] ?? '')));
}

function complete(
  { wishes: said, notices, inferred }: PlannedTask,
  standard: StandardWishes,
  after: readonly string[] | undefined,
  taskId: string,
): ReadTask {
  const named = [said.target, ...(said.target === undefined ? (said.sources ?? []) : [])].filter(
    (path) => path !== undefined,
  );
  const complexity = said.complexity ?? 'minor';
  const wishes = completeWishes({ ...said, taskId, after, complexity, allowed: said.allowed ?? named }, standard);
  return {
    wishes,
    notices,
    inferred: [
      ...inferred,
      ...(said.taskId === undefined ? [`task_id ${wishes.taskId}: made of the title`] : []),
      ...(said.after === undefined && wishes.after.length > 0
        ? [`after ${wishes.after.join(', ')}: the order in which the tasks are written`]
        : []),
      ...(said.project === undefined ? [`project ${wishes.project}: the name of the folder`] : []),
      ...(said.complexity === undefined ? ['complexity minor: none is named, and the limits follow from it'] : []),
      ...(said.allowed === undefined ? [`allowed_paths ${named.join(', ')}: the files that the proposal names`] : []),
      ...((said.gates ?? []).length === 0 ? ["gates: those of the project's configuration"] : []),
      ...(said.implementers === undefined ? [`implementer ${wishes.implementers.join(', ')}: as configured`] : []),
      ...(said.reviewer === undefined ? [`local_reviewer ${wishes.reviewer}: as configured`] : []),
      ...(said.judge === undefined ? [`judge ${wishes.judge}: as configured`] : []),
    ],
  };
}

/** A task under what is common to all: its own words win, lists of what is wanted are put together, a common id is numbered. */
function underCommon(
  { wishes: own, notices }: SpecReading,
  { wishes: { title: _title, ...shared } }: SpecReading,
  more: readonly string[],
  number: number,
): PlannedTask {
  const together = (wish: 'requirements' | 'criteria' | 'forbidden'): readonly string[] => [
    ...(shared[wish] ?? []),
    ...(own[wish] ?? []),
  ];
  const numbered = own.taskId === undefined && shared.taskId !== undefined ? `${shared.taskId}-${number}` : undefined;
  const after = [shared.after, own.after].flatMap((one) => one ?? []);
  return {
    wishes: {
      ...shared,
      ...own,
      taskId: own.taskId ?? numbered,
      requirements: together('requirements'),
      criteria: together('criteria'),
      forbidden: together('forbidden'),
      after: own.after === undefined ? undefined : after,
      ...(own.after === undefined && shared.after !== undefined && number === 1 ? { after: shared.after } : {}),
    },
    inferred: numbered === undefined ? [] : [`task_id ${numbered}: the id of the proposal and the number of the task`],
    notices: [...more, ...notices],
  };
}

/** What a task comes after, by ids; others of the proposal may be named by number or title, and by default it is the one before. */
function orderOf(
  planned: readonly PlannedTask[],
  ids: readonly (string | undefined)[],
  at: number,
): readonly string[] | undefined {
  const said = planned[at]?.wishes.after;
  if (said === undefined) return at === 0 ? undefined : [ids[at - 1] ?? ''];
  if (planned.length === 1) return said;
  const titled = (name: string): number =>
    planned.findIndex(({ wishes: { title } }) => title?.toLowerCase() === name.toLowerCase());
  return said.map((name) => {
    const [, number] = /^(?:task\s*)?#?(\d{1,3})$/i.exec(name) ?? [];
    return ids[number === undefined ? titled(name) : Number(number) - 1] ?? name;
  });
}

/** Two tasks of one proposal cannot have one id, also where only the case differs. */
function sameId(ids: readonly (string | undefined)[], at: number): readonly string[] {
  const id = ids[at]?.toLowerCase();
  const first = ids.findIndex((one) => one?.toLowerCase() === id);
  return id === undefined || first === at
    ? []
    : [`its id ${oneLine(ids[at] ?? '', 64)} is that of task ${first + 1}; give it a title, or a Task id, of its own`];
}

function gapsOf({ taskId, title, requirements = [], allowed = [], target, sources = [] }: PartialWishes): string[] {
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
