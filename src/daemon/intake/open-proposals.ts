import { FILES, HANDOFF } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import { renderDraft } from '../../contract/draft/proposal-page.ts';
import type { DraftOnPage } from '../../contract/draft/proposal-page.ts';
import type { Outcome } from '../../base/outcome.ts';
import { askDrafter, drafterOf } from './ask-drafter.ts';
import { draftDesk } from './contract-draft.ts';
import { draftProposal } from './draft-proposal.ts';
import { dropContract } from './drop-contract.ts';
import { handoffAt, shownInInbox } from '../../wiring/files.ts';
import { NO_JOURNAL, readJournal } from '../../wiring/open-journal.ts';
import { homeOf, openLedgerIn } from '../../wiring/open-ledger.ts';
import { servicesOnTarget } from '../../wiring/configuration.ts';
import { buildServices } from '../../wiring/open-services.ts';
import type { Place } from '../../wiring/open-place.ts';

/** Opens a repository for reading, to say what a proposal would become. */
export async function openProposals(place: Place, env: NodeJS.ProcessEnv) {
  const journal = readJournal(place);
  const services = await servicesOnTarget(await buildServices(place, env, () => {}, journal ?? NO_JOURNAL, 'drafting'));
  return {
    /** What a proposal would become; nothing is written, and nobody is asked. */
    draft: (text: string) => draftProposal(services, draftDesk(services), text),
    /** Who is asked about prose; undefined = nobody. */
    drafter: drafterOf(services),
    /** Asks about prose, and keeps the answer; the reason when there is none. */
    async ask(text: string, signal: AbortSignal): Promise<Outcome<unknown, string>> {
      const ledger = openLedgerIn(homeOf(place));
      try {
        const asked = await askDrafter({ ...services, ledger }, text, { isTyped: true, signal });
        return asked.ok ? asked : { ok: false, why: asked.why.why };
      } finally {
        ledger.close();
      }
    },
    close: (): void => journal?.close(),
  };
}

/** Proposals of a repository, for whoever types a command. */
export type OpenProposals = Awaited<ReturnType<typeof openProposals>>;

/**
 * Approves what a human has seen, and gives the path of what lies there now. The proposal in `_handoff/` becomes the approved
 * one, of which the line makes the contracts; one from elsewhere stays where it is: its one contract waits in the queue, or a
 * copy of it is the approved one, so that several are made at once.
 */
export function approveProposal(place: Place, path: string, text: string, draft: DraftOnPage): string {
  const handoff = handoffAt(place.inboxRoot);
  const own = (name: string): string => `${handoff.folder}/${name}`;
  const final = shownInInbox(place, FILES.proposalFinal);
  const [only, ...others] = draft.tasks;
  const isElsewhere = path !== own(FILES.proposalFinal) && path !== own(FILES.proposal);
  if (isElsewhere && draft.by === undefined && only !== undefined && others.length === 0)
    return dropContract(place, only.taskId, only.contract, true);
  handoff.prepare();
  const tick = (): unknown =>
    draft.by === undefined || handoff.write(FILES.proposalDraft, renderDraft(FILES.proposalFinal, draft, true));
  if (path === own(FILES.proposalFinal)) {
    tick();
    return final;
  }
  if (handoff.exists(FILES.proposalFinal)) throw inTheWay();
  tick();
  const isDone = isElsewhere
    ? handoff.write(FILES.proposalFinal, text, () => !handoff.exists(FILES.proposalFinal))
    : handoff.renameToFree(FILES.proposal, FILES.proposalFinal, (found) => found === text);
  if (!isDone) throw inTheWay();
  return final;
}

const inTheWay = (): Problem =>
  new Problem(
    'file-exists',
    `${HANDOFF}/${FILES.proposalFinal} is there already, or ${FILES.proposal} was changed meanwhile`,
    'look at both, then approve again',
  );
