import type { LineRecord } from '../../record/line-record.ts';
import type { Agent, AgentCall, EditPlace } from '../../ports/agent.ts';
import type { Needs } from '../../wiring/services.ts';

/** A copy of a commit for an implementer that edits files directly; every call gets a fresh one. */
export function prepareEditCopy(
  { folders, repository }: Needs<'folders' | 'repository'>,
  { taskId }: Pick<LineRecord, 'taskId'>,
  head: string,
): EditPlace {
  const folder = folders.tree(taskId, 'edit');
  let hidden: readonly string[] = [];
  return {
    folder,
    async layOut(hide) {
      hidden = hide;
      await repository.layOut(head, folder, hide);
    },
    changes: () => repository.editedIn(folder, hidden),
  };
}

/** Further settings of a call that edits files: its proxy enforces the reserved budget. */
export const editorRequirements = (
  edit: EditPlace,
  { capabilities }: Agent,
  usd: number | null,
  tokens: number | null,
): Pick<AgentCall, 'edit' | 'maxUsd' | 'maxTokens'> => ({
  edit,
  ...(usd === null || capabilities.billing === 'free' ? {} : { maxUsd: usd }),
  ...(tokens === null ? {} : { maxTokens: tokens }),
});
