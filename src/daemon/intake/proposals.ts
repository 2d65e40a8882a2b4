import { FILES, HANDOFF, keptProposal } from '../../base/names.ts';
import { inOneTerminalLine } from '../../base/plain-text.ts';
import { sha256 } from '../../base/sha256.ts';
import { isApproved, renderDraft, renderRejected } from '../../contract/draft/proposal-page.ts';
import { draftDesk } from './contract-draft.ts';
import { draftProposal } from './draft-proposal.ts';
import type { Services } from '../wiring/services.ts';

/** What is well in itself may become possible by what happens in the repository; it is tried again this often, in ms. */
const AGAIN_MS = 5000;

/**
 * Proposals in `_handoff/`. `PROPOSAL.md` is answered with the contract that it would become, and waits for a human;
 * `PROPOSAL_FINAL.md` is one that a human approved, and becomes a contract in the queue. What makes none is refused in writing.
 */
export class Proposals {
  private readonly services: Services;
  /** What was answered as it stands, by the file's name. */
  private readonly answered = new Map<string, { readonly text: string; readonly until: number }>();

  /** What was looked for since the start. */
  private readonly looked = new Set<string>();

  constructor(services: Services) {
    this.services = services;
  }

  /** Looks at what lies there; may be called as often as anybody likes. */
  async look(): Promise<void> {
    const { handoff } = this.services;
    await this.finish();
    this.takeTick();
    const final = this.textOf(FILES.proposalFinal);
    if (final !== undefined) await this.takeFinal(final);
    const waiting = this.textOf(FILES.proposal);
    if (waiting !== undefined) await this.draft(waiting);
    else if (this.forget(FILES.proposal)) handoff.remove(FILES.proposalDraft);
    const refused = final ?? waiting;
    if (refused === undefined && this.forget(FILES.proposalFinal)) handoff.remove(FILES.proposalRejected);
  }

  /** A box that was ticked under this very text makes it the approved one. */
  private takeTick(): void {
    const { handoff } = this.services;
    const page = this.textOf(FILES.proposalDraft);
    const text = this.textOf(FILES.proposal);
    if (page === undefined || text === undefined || !isApproved(page, text)) return;
    if (!handoff.renameToFree(FILES.proposal, FILES.proposalFinal, (found) => found === text)) return;
    this.say('info', `${HANDOFF}/${FILES.proposal} was approved by a tick in ${FILES.proposalDraft}`);
  }

  private async takeFinal(text: string): Promise<void> {
    const { handoff } = this.services;
    if (this.isAnswered(FILES.proposalFinal, text)) return;
    const drafted = await draftProposal(this.services, draftDesk(this.services), text);
    if (!drafted.ok) return this.refuse(FILES.proposalFinal, text, drafted.why);
    if (!handoff.renameToFree(FILES.proposalFinal, FILES.proposalTaken, (found) => found === text)) return;
    this.answered.delete(FILES.proposalFinal);
    await this.finish();
  }

  /**
   * Makes the contract of a proposal that was taken, also one that a killed andon had begun with: first the contract, then
   * the proposal goes into the archive. What the queue or the journal holds of it already is not made again.
   */
  private async finish(): Promise<void> {
    const { handoff } = this.services;
    const text = this.textOf(FILES.proposalTaken);
    if (text === undefined) return;
    let taskId = this.madeBefore(text);
    if (taskId === undefined) {
      const drafted = await draftProposal(this.services, draftDesk(this.services), text);
      const name = drafted.ok ? `${FILES.queue}/${drafted.value.taskId}.json` : '';
      if (!drafted.ok || !handoff.write(name, drafted.value.contract, () => !handoff.exists(name))) {
        handoff.renameToFree(FILES.proposalTaken, FILES.proposalFinal, (found) => found === text); // refused in words then
        return;
      }
      taskId = drafted.value.taskId;
      this.say('info', `${taskId}: made of ${FILES.proposalFinal}; it waits in ${HANDOFF}/${name}`);
    }
    for (let number = 1; ; number += 1) {
      const kept = keptProposal(number === 1 ? taskId : `${taskId}.${number}`);
      if (handoff.exists(kept)) continue;
      handoff.renameToFree(FILES.proposalTaken, kept, (found) => found === text);
      break;
    }
    for (const page of [FILES.proposalDraft, FILES.proposalRejected]) handoff.remove(page);
  }

  /** The task that was made of this very text. */
  private madeBefore(text: string): string | undefined {
    const { handoff, journal } = this.services;
    const digest = sha256(text);
    const queued = handoff.queued().find((name) => {
      const read = handoff.read(`${FILES.queue}/${name}`);
      return read.ok && read.value !== undefined && proposalOf(read.value) === digest;
    });
    if (queued !== undefined) return queued.replace(/\.json$/, '');
    return journal
      .taskIds()
      .find((id) =>
        journal
          .entries(id)
          .some((entry) => entry.kind === 'admitted' && proposalOf(JSON.stringify(entry.document)) === digest),
      );
  }

  /** A proposal that nobody approved yet: the contract that it would become, for whoever decides. */
  private async draft(text: string): Promise<void> {
    const { handoff } = this.services;
    if (this.isAnswered(FILES.proposal, text)) return;
    const drafted = await draftProposal(this.services, draftDesk(this.services), text);
    if (!drafted.ok) {
      handoff.remove(FILES.proposalDraft);
      return this.refuse(FILES.proposal, text, drafted.why);
    }
    handoff.write(FILES.proposalDraft, renderDraft(text, drafted.value));
    if (!handoff.exists(FILES.proposalFinal)) handoff.remove(FILES.proposalRejected);
    this.remember(FILES.proposal, text, Number.POSITIVE_INFINITY);
    this.say(
      'info',
      `${drafted.value.taskId}: a proposal waits for your approval; see ${HANDOFF}/${FILES.proposalDraft}`,
    );
  }

  private refuse(name: string, text: string, why: readonly string[]): void {
    const page = renderRejected(name, text, why);
    const there = this.services.handoff.read(FILES.proposalRejected);
    this.remember(name, text, performance.now() + AGAIN_MS);
    if (there.ok && there.value === page) return;
    this.services.handoff.write(FILES.proposalRejected, page);
    const [first = ''] = why;
    const more = why.length === 1 ? '' : ` (and ${why.length - 1} more)`;
    this.say(
      'warn',
      `${name} is refused: ${inOneTerminalLine(first, 300)}${more}; see ${HANDOFF}/${FILES.proposalRejected}`,
    );
  }

  private isAnswered(name: string, text: string): boolean {
    const known = this.answered.get(name);
    return known?.text === text && performance.now() < known.until;
  }

  private remember(name: string, text: string, until: number): void {
    this.answered.set(name, { text, until });
  }

  /** Whether something was answered, or may have been before this start, that is not there any more. */
  private forget(name: string): boolean {
    const isFirst = !this.looked.has(name);
    this.looked.add(name);
    return this.answered.delete(name) || isFirst;
  }

  /** A file that cannot be read waits: it says nothing yet. */
  private textOf(name: string): string | undefined {
    const read = this.services.handoff.read(name);
    return read.ok ? read.value : undefined;
  }

  private say(level: 'info' | 'warn', text: string): void {
    this.services.say({ kind: 'word', level, text });
  }
}

/** The proposal that a contract was made of, by its digest. */
function proposalOf(contract: string): unknown {
  try {
    return (JSON.parse(contract) as { readonly metadata?: { readonly proposal?: unknown } } | null)?.metadata?.proposal;
  } catch {
    return undefined;
  }
}
