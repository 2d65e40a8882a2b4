import { ANDON_IDENTITY } from '../../base/names.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { IDENTITY, fillTemplate } from '../../project/config/fill-template.ts';
import type { HistorySettings } from '../../project/config/history-settings.ts';
import type { TaskRecord } from '../record/task-record.ts';

/** The names of a commit, each as `Name <email>`. */
export interface CommitPeople {
  readonly author: string;
  readonly committer: string;
  readonly coAuthors: readonly string[];
  readonly signedOffBy: string | undefined;
}

interface GitUser {
  readonly signs: boolean;
  /** user.name and user.email; undefined where they are not set. */
  readonly user: string | undefined;
}

/**
 * Determines the names of a change on the target; refuses where git lacks a required name. Signatures and sign-offs
 * need a person: then the user commits. People who committed on the task branch stay authors of their own commits, else
 * co-authors.
 */
export function commitPeople(
  { change, calls }: Pick<TaskRecord, 'change' | 'calls'>,
  history: HistorySettings,
  { signs, user }: GitUser,
): Outcome<CommitPeople, string> {
  const authors = (change?.authors ?? [ANDON_IDENTITY]).filter((who) => IDENTITY.test(who));
  const onlyByHand = authors.length > 0 && !authors.includes(ANDON_IDENTITY);
  const wanted = {
    author: history.author ?? (onlyByHand ? authors[0] : undefined) ?? 'andon',
    committer: history.committer ?? (history.signed_off_by || (signs && user !== undefined) ? 'user' : 'andon'),
  };
  const named = (who: string): string | undefined => (who === 'user' ? user : who === 'andon' ? ANDON_IDENTITY : who);
  const [author, committer] = [named(wanted.author), named(wanted.committer)];
  if (author === undefined || committer === undefined) return failure(NO_USER);
  const byHand = authors.filter((who) => who !== ANDON_IDENTITY);
  const coAuthors = [...byHand, ...agentsOf(calls, history.co_authored_by)].filter((who) => who !== author);
  return success({
    author,
    committer,
    coAuthors: [...new Set(coAuthors)],
    signedOffBy: history.signed_off_by ? committer : undefined,
  });
}

const NO_USER =
  '`history` in .andon/config.yaml asks for your own name in commits, and git has no user.name and user.email here';

/** Each entry for every implementer that answered; an entry without placeholders once. */
function agentsOf(calls: TaskRecord['calls'], entries: readonly string[]): readonly string[] {
  const implementers = calls.filter(({ station, ok }) => station === 'implementer' && ok);
  return entries.flatMap((entry) =>
    entry.includes('{')
      ? implementers.map(({ agent, model }) =>
          fillTemplate(entry, { agent: cleanIdentity(agent), model: cleanIdentity(model) }).replace(/\s+/g, ' '),
        )
      : [entry],
  );
}

const cleanIdentity = (name: string): string =>
  name
    .replace(/[<>\p{C}]/gu, '')
    .trim()
    .slice(0, 80);
