import { toBranchName } from '../../base/names.ts';
import { commitPeople } from '../core/commit-people.ts';
import type { Needs } from '../services/services.ts';

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
