import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { idOfTitle, readSpec, vagueRequirements } from './task-spec.ts';
import { completeWishes } from './wishes.ts';
import type { PartialWishes, Wishes } from './wishes.ts';

/** What a proposal comes to: a whole contract's wishes, and what of them nobody wrote. */
export interface ReadProposal {
  readonly wishes: Wishes;
  /** What was made of something else, or is the usual, a sentence each. */
  readonly inferred: readonly string[];
  readonly notices: readonly string[];
}

/**
 * Reads a proposal without any model, as a spec is read, and completes it: an id out of its title, a scope out of the files
 * that it names. Every reason for which it makes no contract is named; a requirement that nobody can check is one.
 */
export function readProposal(
  text: string,
  standard: Pick<Wishes, 'project' | 'implementers' | 'reviewer'>,
): Outcome<ReadProposal, readonly string[]> {
  const read = readSpec(text);
  if (!read.ok) return read;
  const { wishes: said, notices } = read.value;
  const gaps = [...gapsOf(said), ...vagueRequirements(said)];
  if (gaps.length > 0) return failure(gaps);
  const named = [said.target, ...(said.target === undefined ? (said.sources ?? []) : [])].filter(
    (path) => path !== undefined,
  );
  const taskId = said.taskId ?? idOfTitle(said.title);
  const wishes = completeWishes(
    { ...said, taskId, complexity: said.complexity ?? 'minor', allowed: said.allowed ?? named },
    standard,
  );
  const inferred = [
    ...(said.taskId === undefined ? [`task_id ${wishes.taskId}: made of the title`] : []),
    ...(said.project === undefined ? [`project ${wishes.project}: the name of the folder`] : []),
    ...(said.complexity === undefined ? ['complexity minor: none is named, and the limits follow from it'] : []),
    ...(said.allowed === undefined ? [`allowed_paths ${named.join(', ')}: the files that the proposal names`] : []),
    ...((said.gates ?? []).length === 0 ? ["gates: those of the project's configuration"] : []),
    ...(said.implementers === undefined ? [`implementer ${wishes.implementers.join(', ')}: as configured`] : []),
    ...(said.reviewer === undefined ? [`local_reviewer ${wishes.reviewer}: as configured`] : []),
  ];
  return success({ wishes, inferred, notices });
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
