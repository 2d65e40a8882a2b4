import { FILES, HANDOFF } from '../../base/names.ts';
import type { Outcome } from '../../base/outcome.ts';
import { Problem } from '../../base/problem.ts';
import { draftDesk } from './contract-draft.ts';
import { draftProposal } from './draft-proposal.ts';
import type { ProposalDraft } from './draft-proposal.ts';
import { dropContract } from './drop-contract.ts';
import { handoffAt } from '../wiring/files.ts';
import { NO_JOURNAL, readJournal } from '../wiring/open-journal.ts';
import { buildServices } from '../wiring/open-services.ts';
import type { Place } from '../wiring/open-place.ts';

/** Opens a repository for reading, to say what a proposal would become. */
export async function openProposals(
  place: Place,
  env: NodeJS.ProcessEnv,
): Promise<{
  readonly draft: (text: string) => Promise<Outcome<ProposalDraft, readonly string[]>>;
  readonly close: () => void;
}> {
  const journal = readJournal(place);
  const services = await buildServices(place, env, () => {}, journal ?? NO_JOURNAL);
  return {
    draft: (text) => draftProposal(services, draftDesk(services), text),
    close: () => journal?.close(),
  };
}

/**
 * Approves what a human has seen, and gives the path of what lies there now. The proposal in `_handoff/` becomes the approved
 * one, of which the line makes the contract; one from elsewhere stays where it is, and its contract waits in the queue.
 */
export function approveProposal(root: string, path: string, text: string, { taskId, contract }: ProposalDraft): string {
  const handoff = handoffAt(root);
  const own = (name: string): string => `${handoff.folder}/${name}`;
  if (path === own(FILES.proposalFinal)) return `${HANDOFF}/${FILES.proposalFinal}`;
  if (path !== own(FILES.proposal)) return dropContract(root, taskId, contract, true);
  if (!handoff.renameToFree(FILES.proposal, FILES.proposalFinal, (found) => found === text))
    throw new Problem(
      'file-exists',
      `${HANDOFF}/${FILES.proposalFinal} is there already, or ${FILES.proposal} was changed meanwhile`,
      'look at both, then approve again',
    );
  return `${HANDOFF}/${FILES.proposalFinal}`;
}
