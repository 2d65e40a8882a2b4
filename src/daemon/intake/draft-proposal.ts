import { basename } from 'node:path';
import { faultInWords } from '../../base/fault-in-words.ts';
import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { sha256 } from '../../base/sha256.ts';
import { readProposal } from '../../contract/draft/proposal.ts';
import { ruleOnProposal } from '../../inspection/rule-on-proposal.ts';
import type { DraftDesk } from './contract-draft.ts';
import type { Services } from '../wiring/services.ts';

/** The contract that a proposal would become, and what a human should know who approves it. */
export interface ProposalDraft {
  readonly taskId: string;
  /** The contract's text, as it would be dropped. */
  readonly contract: string;
  readonly inferred: readonly string[];
  readonly notices: readonly string[];
}

/** Makes the contract of a proposal, as the line would admit it; every reason why there is none, a sentence each. Nothing is written. */
export async function draftProposal(
  services: Pick<Services, 'root' | 'settings' | 'clock' | 'journal'>,
  desk: Pick<DraftDesk, 'write' | 'look' | 'unmatched'>,
  text: string,
): Promise<Outcome<ProposalDraft, readonly string[]>> {
  const { roles, enforcement } = services.settings;
  const standard = {
    project: basename(services.root),
    implementers: roles.implementers,
    reviewer: (roles.reviewers ?? [roles.localReviewer]).join(','),
  };
  const ruling = await ruleOnProposal({ ...services, enforcement, now: services.clock.now() }, text);
  const read = readProposal(text, standard);
  if (!read.ok) return failure([...read.why, ...ruling.refused]);
  const { wishes, inferred, notices } = read.value;
  const contract = madeOf(text, desk.write(wishes));
  const looked = await desk.look(contract);
  const faults = [...looked.faults.map((fault) => `${fault.path}: ${faultInWords(fault)}`), ...ruling.refused];
  if (faults.length > 0) return failure(faults);
  const unmatched = await desk.unmatched(contract);
  return success({
    taskId: wishes.taskId,
    contract,
    inferred,
    notices: [
      ...notices,
      ...unmatched.map((path) => `"${path}" matches no file of the repository; fine if it is yet to be made`),
      ...looked.notices,
      ...ruling.noted,
    ],
  });
}

/** A contract says which proposal it was made of, so that none is made twice. */
function madeOf(proposal: string, contract: string): string {
  const document = JSON.parse(contract) as { readonly metadata?: object };
  return `${JSON.stringify({ ...document, metadata: { ...document.metadata, proposal: sha256(proposal) } }, null, 2)}\n`;
}
