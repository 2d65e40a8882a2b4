import type { Repository } from '../../project/git/git-repository.ts';
import type { WorkFolders } from '../../project/folders/work-folders.ts';
import type { Agent, AgentCall, Brief, CallOutcome, EditPlace } from '../agent.ts';
import type { LedgerReserve } from '../ledger.ts';

/** A call of an agent within its reserve. */
interface RunOptions
  extends Pick<AgentCall, 'folder' | 'signal'>, Partial<Pick<AgentCall, 'edit' | 'isAnswerCode' | 'show'>> {
  readonly brief: Brief;
  readonly idleMinutes: number;
}

/** Runs an agent; its program, or the proxy of one that edits, ends the call at the reserve. */
export function runAgent(
  { agent, model }: { readonly agent: Agent; readonly model: string },
  { usd, tokens, minutes }: LedgerReserve,
  { brief, idleMinutes, ...call }: RunOptions,
): Promise<CallOutcome> {
  const isEdit = call.edit !== undefined;
  const { takesBudget, billing } = agent.capabilities;
  const takesDollars = takesBudget || (isEdit && billing !== 'free');
  return agent.run({
    prompt: brief.prompt,
    schema: brief.schema,
    model,
    idleMs: idleMinutes * 60_000,
    hardMs: minutes * 60_000,
    ...(takesDollars && usd !== null ? { maxUsd: usd } : {}),
    ...(isEdit && tokens !== null ? { maxTokens: tokens } : {}),
    ...call,
  });
}

/** A copy of a commit for an implementer that edits files directly; every call gets a fresh one. */
export function prepareEditCopy(
  { folders, repository }: { readonly folders: WorkFolders; readonly repository: Repository },
  { taskId }: { readonly taskId: string },
  head: string,
  { editing }: Pick<Agent, 'editing'>,
): EditPlace {
  const folder = folders.tree(taskId, 'edit');
  const hide = editing?.hide ?? [];
  return {
    folder,
    layOut: () => repository.layOut(head, folder, hide),
    changes: () => repository.editedIn(folder, hide),
  };
}
