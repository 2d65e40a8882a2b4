import { DEFAULT_CONTRACT_LIMITS } from '../../contract/task-contract-defaults.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { EditedFile } from '../../record/edited-file.ts';
import { applyEditedTo } from '../git/apply-change.ts';
import type { CallServices, Needs, RuleServices } from '../../wiring/services.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';
import { withoutKnownSecrets } from './secrets-in-edits.ts';
import { refuseAnswer, refuseScopeRequest, createScopeFacts, type Taken } from './take-answer.ts';
import { takeMessage } from './take-message.ts';

/** Takes the changes of an implementer that edits files itself: its words are checked, its files compared with the copy it got. */
export async function takeEdited(
  services: CallServices & RuleServices & Needs<'repository'>,
  log: StepJournal,
  {
    head,
    text,
    edited: found,
  }: { readonly head: string; readonly text: string; readonly edited: readonly EditedFile[] },
  signal: AbortSignal,
): Promise<Outcome<Taken, StepOutcome>> {
  const { record } = log;
  const maxFiles = record.contract.constraints.maxFiles ?? DEFAULT_CONTRACT_LIMITS.maxFiles;
  const edited = await withoutKnownSecrets(services, head, found);
  const asks = refuseScopeRequest(services, record, text);
  if (asks !== undefined) return failure(asks);
  const message = { kind: 'change', edits: edited.map(({ path }) => ({ path })), notes: text } as const;
  const evidence = { kept: 0, settings: services.settings.messages };
  const heard = await takeMessage(services, log, 'change', { message, evidence, words: text }, signal);
  if (heard.unfit !== undefined) return failure(refuseAnswer(record, [heard.unfit], { rulings: [...heard.rulings] }));
  const applied = await applyEditedTo(services, record, head, edited);
  if (!applied.ok) {
    const reasons = applied.why.slice(0, MOST_TOLD).map(({ path, detail }) => `${path}: ${detail}`);
    const more = applied.why.length - reasons.length;
    const told = more > 0 ? [...reasons, `and ${more} more of this kind.`] : reasons;
    return failure(refuseAnswer(record, told, createScopeFacts(applied.why)));
  }
  if (edited.length > maxFiles)
    return failure(
      refuseAnswer(record, [`${edited.length} files were changed; max_files is ${maxFiles}, so change fewer.`], {}),
    );
  return success({
    changes: applied.value,
    notes: heard.instead ?? text,
    rulings: heard.rulings,
    objection: heard.objection,
  });
}

/** After a formatter ran over everything, not every file is listed. */
const MOST_TOLD = 20;
