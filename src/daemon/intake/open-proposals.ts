import { FILES, HANDOFF } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import type { DraftOnPage } from '../../contract/draft/proposal-page.ts';
import type { Outcome } from '../../base/outcome.ts';
import { askDrafter } from './ask-drafter.ts';
import { createContractChecker } from './contract-checker.ts';
import { draftProposal } from './draft-proposal.ts';
import { dropContract } from './drop-contract.ts';
import { writePlan } from './make-contracts.ts';
import { handoffAt, formatInboxPath } from '../../wiring/files.ts';
import { NO_JOURNAL, readJournal } from '../../wiring/open-journal.ts';
import { getStatesHome, openLedgerIn } from '../../wiring/open-ledger.ts';
import { openTargetServices } from '../../wiring/configuration.ts';
import { buildServices } from '../../wiring/open-services.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';

/** Opens a repository for reading, to draft the contracts of a proposal. */
export async function openProposals(place: Workspace, env: NodeJS.ProcessEnv) {
  const journal = readJournal(place);
  const services = await openTargetServices(
    await buildServices(place, env, () => {}, journal ?? NO_JOURNAL, 'drafting'),
  );
  return {
    /** Drafts the contracts of a proposal; writes nothing and asks no agent. */
    draft: (text: string) => draftProposal(services, createContractChecker(services), text),
    /** Asks about prose and keeps the answer, or returns the reason of a failure. */
    async ask(text: string, signal: AbortSignal, onAsk: (agent: string) => void): Promise<Outcome<unknown, string>> {
      const ledger = openLedgerIn(getStatesHome(place));
      try {
        const asked = await askDrafter({ ...services, ledger }, text, { isTyped: true, signal, onAsk });
        return asked.ok ? asked : { ok: false, why: asked.why.why };
      } finally {
        ledger.close();
      }
    },
    close: (): void => journal?.close(),
  };
}

/** The proposals of a repository, for commands. */
export type OpenProposals = Awaited<ReturnType<typeof openProposals>>;

/**
 * Approves a shown proposal, and returns the path of the resulting file. A proposal in `_handoff/` is renamed to the approved
 * one, and the line makes its contracts. From another folder, one contract goes to the queue; several are made of a copy. The
 * contracts of prose are kept as they were shown.
 */
export function approveProposal(place: Workspace, path: string, text: string, draft: DraftOnPage): string {
  const handoff = handoffAt(place.inboxRoot);
  const name = [FILES.proposal, FILES.proposalFinal].find((one) => path === `${handoff.folder}/${one}`);
  const [only, ...others] = draft.tasks;
  const isProse = draft.by !== undefined;
  if (name === undefined && !isProse && only !== undefined && others.length === 0)
    return dropContract(place, only.taskId, only.contract, true);
  handoff.prepare();
  const approved = isProse ? FILES.proposalTaken : FILES.proposalFinal;
  if (name === approved) return formatInboxPath(place, approved);
  if (handoff.exists(approved)) throw inTheWay(approved);
  if (isProse) writePlan({ handoff }, text, draft);
  const isDone =
    name === undefined
      ? handoff.write(approved, text, () => !handoff.exists(approved))
      : handoff.renameToFree(name, approved, (found) => found === text);
  if (!isDone) throw inTheWay(approved);
  return formatInboxPath(place, approved);
}

const inTheWay = (name: string): Problem =>
  new Problem(
    'file-exists',
    `${HANDOFF}/${name} is there already, or the proposal was changed meanwhile`,
    'look at both, then approve again',
  );
