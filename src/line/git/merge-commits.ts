import type { TaskRecord } from '../record/task-record.ts';
import { commitMessages, commitPeople } from '../words/commit-messages.ts';
import { success, type Outcome } from '../../base/outcome.ts';
import type { CommitPlan } from '../../project/git/repository-facts.ts';
import type { Needs } from '../services/services.ts';
import { isUtf8 } from 'node:buffer';
import { toBranchName } from '../../base/names.ts';

/** What the target is moved to: the commit that is the receipt of the merge, and the tip, which may be a tick on top. */
export interface MergeCommits {
  readonly commit: string;
  readonly tip: string;
  /** Whether it ticks TODO.md; without that, it may land where this one did not. */
  readonly isTicked: boolean;
}

/** The parts of a plan that are the same for every commit that lands on a target. */
type LandingPlan = Pick<CommitPlan, 'author' | 'committer' | 'sign' | 'at'>;

/** Whose names commits on the target carry, and whether they are signed; refuses in one sentence. */
export async function planLanding(
  services: Needs<'repository' | 'settings'>,
  record: Pick<TaskRecord, 'calls' | 'change' | 'target'>,
  at: string,
): Promise<
  Outcome<LandingPlan & { readonly coAuthors: readonly string[]; readonly signedOffBy: string | undefined }, string>
> {
  const { signs, user } = await services.repository.signing(record.target);
  const people = commitPeople(record, services.settings.history, { signs, user });
  return people.ok ? success({ ...people.value, at, sign: signs }) : people;
}

/**
 * The commits of a judged change on `target`, with the tick of TODO.md where `ticks`. What `refs/andon/` keeps (rejected
 * attempts, a human's own commits) never becomes part of the target's history: the change is one commit of the judged tree.
 */
export async function buildMerge(
  services: Needs<'configuration' | 'repository' | 'settings'>,
  record: TaskRecord,
  { target, tree, ticks }: { readonly target: string; readonly tree: string; readonly ticks: boolean },
): Promise<Outcome<MergeCommits, string>> {
  const { repository, settings } = services;
  const { change } = record;
  if (change === undefined) throw new Error('there is no change to merge');
  const landing = await planLanding(services, record, record.updatedAt);
  if (!landing.ok) return landing;
  const { coAuthors, signedOffBy, ...plan } = landing.value;
  const messages = commitMessages(record, settings.history, { coAuthors, signedOffBy }, services.configuration.isTrial);
  const tick = async (commit: string, by: LandingPlan): Promise<string | undefined> =>
    ticks ? tickTodo(services, record, commit, by) : undefined;
  if (settings.history.style === 'squash') {
    const squash = { ...plan, parents: [target], message: messages.squash };
    const ticked = await tick(await repository.commitTree(tree, { ...squash, sign: false }), { ...plan, sign: false });
    const commit = await repository.commitTree(ticked === undefined ? tree : await repository.treeOf(ticked), squash);
    return success({ commit, tip: commit, isTicked: ticked !== undefined });
  }
  const own = await repository.commitTree(change.tree, { ...plan, parents: [record.base], message: messages.change });
  const commit = await repository.commitTree(tree, { ...plan, parents: [target, own], message: messages.merge });
  const ticked = await tick(commit, plan);
  return success({ commit, tip: ticked ?? commit, isTicked: ticked !== undefined });
}

/** A separate commit that ticks the item of TODO.md that names the task; undefined without such an item. */
async function tickTodo(
  services: Needs<'repository'>,
  record: TaskRecord,
  commit: string,
  plan: LandingPlan,
): Promise<string | undefined> {
  const file = (await services.repository.files(commit)).find(
    ({ path, mode }) => path === 'TODO.md' && mode.startsWith('100'),
  );
  if (file === undefined || (await services.repository.filtered(commit, ['TODO.md'])).size > 0) return undefined;
  const bytes = (await services.repository.read(commit, ['TODO.md'])).get('TODO.md') ?? new Uint8Array();
  if (!isUtf8(bytes)) return undefined; // writing it back would change unrelated bytes
  const text = tickItem(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), record.taskId);
  if (text === undefined) return undefined;
  const built = await services.repository.build(
    [{ path: 'TODO.md', mode: file.mode as '100644', content: new TextEncoder().encode(text) }],
    {
      ...plan,
      parents: [commit],
      message: `Tick ${record.taskId} in TODO.md\n\nAndon-Task: ${record.taskId}\n`,
    },
  );
  return built.commit;
}

/** Ticks the first unticked item that names the task; undefined when there is no such item. */
export function tickItem(todo: string, taskId: string): string | undefined {
  const names = new RegExp(`(?<![A-Za-z0-9_-])${taskId}(?![A-Za-z0-9_-])`, 'i');
  const lines = todo.split('\n');
  const at = lines.findIndex((line) => /^\s*[-*+] \[ \] /.test(line) && names.test(line));
  const line = lines[at];
  if (line === undefined) return undefined;
  lines[at] = line.replace('[ ]', '[x]');
  return lines.join('\n');
}

/** What is known of signatures and names before a merge is made. */
interface SignatureCheck {
  /** Why no merge could land, with what to do. */
  readonly fault?: { readonly sentence: string; readonly remedy: string };
  /** That merges are not signed although git is set to sign. */
  readonly unsigned?: { readonly sentence: string; readonly remedy: string };
  /** How merges are signed. */
  readonly signed?: string;
}

/** Asks the user's git whether what andon commits on `target` will be signed, and whether it would be merged. */
export async function checkSignatures(
  { repository, settings }: Needs<'repository' | 'settings'>,
  target: { readonly ref: string; readonly commit: string },
): Promise<SignatureCheck> {
  const signing = await repository.signing(target.ref);
  const { signs, ignoredProgram, verifies, format } = signing;
  const people = commitPeople({ change: undefined, calls: [] }, settings.history, signing);
  if (!people.ok) return { fault: { sentence: people.why, remedy: 'git config user.name, and git config user.email' } };
  if (verifies && !signs)
    return {
      fault: {
        sentence: `git merges only signed commits into ${toBranchName(target.ref)} (merge.verifySignatures, or --verify-signatures for the branch), and ${ignoredProgram === undefined ? 'commit.gpgSign is not set' : neverRun(ignoredProgram)}`,
        remedy: ignoredProgram === undefined ? 'git config commit.gpgSign true' : setGlobally(ignoredProgram),
      },
    };
  if (ignoredProgram !== undefined)
    return {
      unsigned: {
        sentence: `merges are not signed although commit.gpgSign is set: ${neverRun(ignoredProgram)}`,
        remedy: setGlobally(ignoredProgram),
      },
    };
  if (!signs) return {};
  const why = await repository.trySigning(await repository.treeOf(target.commit), signing, people.value.committer);
  if (why !== undefined)
    return {
      fault: {
        sentence: `commits are signed here (commit.gpgSign), and ${why}`,
        remedy:
          'make the key usable without a question (an agent that holds it), or git config commit.gpgSign false in this repository',
      },
    };
  return { signed: `merges are signed (${format}), committed by ${people.value.committer}` };
}

const neverRun = (key: string): string =>
  `${key} is in the configuration of this repository, whose programs andon never runs`;

const setGlobally = (key: string): string => `git config --global ${key} …, and git config --unset ${key}`;
