import { FILES, HANDOFF } from '../../base/names.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { isProse } from '../../project/contract/draft/proposal.ts';
import { renderDraft, renderRejected, type DraftOnPage } from '../../project/contract/draft/proposal-page.ts';
import { createContractChecker } from './contract-checker.ts';
import { draftProposal, type Drafted } from './draft-proposal.ts';
import { isBegun, keepProposal, listBlockers, loadPlan, makeContracts, writePlan } from './proposal-plan.ts';
import { createDrafter } from './ask-drafter.ts';
import { openLineServices } from '../services/configuration.ts';
import type { LineServices } from '../services/services.ts';

/** A change of the repository may make a refused proposal possible; it is read again after this time. */
const RETRY_MS = 5000;
/** An approval writes its plan before it takes its proposal, which takes a moment. */
const PLAN_MS = 60_000;

type Name = typeof FILES.proposal | typeof FILES.proposalFinal;

interface Answer {
  readonly text: string;
  readonly is: 'shown' | 'refused';
  readonly until: number;
}

/**
 * Proposals in `_handoff/`. `PROPOSAL.md` is answered with its contracts, and waits for a human. `PROPOSAL_FINAL.md` is
 * approved by a human, and becomes contracts in the queue, all or none. Prose is approved only by `andon draft --approve`,
 * which takes the contracts as they were shown. A proposal that makes no contract is refused in writing.
 */
export class Proposals {
  private readonly services: LineServices;
  private readonly drafter: ReturnType<typeof createDrafter>;
  private readonly answers = new Map<Name, Answer>();
  /** The files that block an approved proposal, as last logged. */
  private blockedBy = '';

  /** `onAnswer` is called when there is an answer about prose to read. */
  constructor(services: LineServices, canStart: () => boolean, onAnswer: () => void) {
    this.services = services;
    this.drafter = createDrafter(services, canStart, onAnswer);
  }

  stop(): Promise<void> {
    return this.drafter.stop();
  }

  /** Reads the proposals in the folder and acts on them; may be called at any time. */
  async look(): Promise<void> {
    this.finish();
    const final = this.read(FILES.proposalFinal);
    const isFinalWaiting = final !== undefined && (await this.takeFinal(final));
    const waiting = this.read(FILES.proposal);
    if (waiting !== undefined && !isFinalWaiting) await this.answer(FILES.proposal, waiting);
    const isThere = { first: this.isThere(FILES.proposal), final: this.isThere(FILES.proposalFinal) };
    if (!isThere.first && !isFinalWaiting) this.removePage(FILES.proposalDraft);
    if (!isThere.first && !isThere.final) this.removePage(FILES.proposalRejected);
  }

  /** Makes contracts of an approved proposal; true while prose waits, for its agent or for `andon draft --approve`. */
  private async takeFinal(text: string): Promise<boolean> {
    const { handoff } = this.services;
    if (isProse(text)) {
      await this.answer(FILES.proposalFinal, text);
      return handoff.exists(FILES.proposalFinal);
    }
    if (handoff.exists(FILES.proposalTaken) || this.isAnswered(FILES.proposalFinal, text, 'refused')) return false;
    const drafted = await this.draft(text);
    if (drafted.is === 'prose') return true;
    if (drafted.is === 'refused') {
      this.refuse(FILES.proposalFinal, text, drafted.why);
      return false;
    }
    if (!writePlan(this.services, text, drafted.draft)) return false;
    if (handoff.renameToFree(FILES.proposalFinal, FILES.proposalTaken, (found) => found === text)) this.finish();
    return false;
  }

  /** Writes the contracts of an approved proposal, also after a crash, and archives it. Without a plan it is read again. */
  private finish(): void {
    const { handoff } = this.services;
    const text = this.read(FILES.proposalTaken);
    if (text === undefined) {
      // One that cannot be read now still needs its plan.
      if (!handoff.exists(FILES.proposalTaken)) this.removeOldPlans();
      return;
    }
    const plan = loadPlan(this.services, text);
    if (plan !== undefined && makeContracts(this.services, plan)) {
      const ids = plan.contracts.map(({ taskId }) => taskId);
      const queued = `${ids.length === 1 ? 'it waits' : 'they wait'} in ${HANDOFF}/${FILES.queue}`;
      this.blockedBy = '';
      this.log('info', `${ids.join(', ')}: made of ${FILES.proposalFinal}; ${queued}`);
      return keepProposal(this.services, ids[0] ?? '', text);
    }
    const blockers = listBlockers(this.services, text);
    if (blockers.length > 0 || (plan !== undefined && isBegun(this.services, plan))) return this.logConflict(blockers);
    this.blockedBy = '';
    handoff.renameToFree(FILES.proposalTaken, FILES.proposalFinal, (found) => found === text);
  }

  private removeOldPlans(): void {
    const { handoff } = this.services;
    const isOld = (name: string): boolean => Date.now() - (handoff.namedAt(name) ?? Infinity) > PLAN_MS;
    for (const name of handoff.plans().filter(isOld)) handoff.remove(name);
  }

  /** A plan waits until its names are free. */
  private logConflict(names: readonly string[]): void {
    const files = names.join(', ');
    if (files === '' || files === this.blockedBy) return;
    this.blockedBy = files;
    this.log('warn', `an approved proposal waits: move ${toTerminalLine(files, 300)} away`);
  }

  /** Answers a proposal that is not approved: shows its contracts, asks about prose, or refuses it. */
  private async answer(name: Name, text: string): Promise<void> {
    if (this.isAnswered(name, text)) return;
    const drafted = await this.draft(text);
    if (drafted.is === 'drafted') return this.show(name, text, drafted.draft);
    this.removePage(FILES.proposalDraft);
    const why = drafted.is === 'refused' ? drafted.why : this.drafter.ask(name, text);
    if (why !== undefined) this.refuse(name, text, [why].flat());
  }

  private draft(text: string): Promise<Drafted> {
    return draftProposal(openLineServices(this.services), createContractChecker(this.services), text);
  }

  private show(name: Name, text: string, draft: DraftOnPage): void {
    const { handoff } = this.services;
    handoff.write(FILES.proposalDraft, renderDraft(name, draft));
    if (name === FILES.proposalFinal || !handoff.exists(FILES.proposalFinal)) handoff.remove(FILES.proposalRejected);
    this.answers.set(name, { text, is: 'shown', until: Number.POSITIVE_INFINITY });
    const ids = draft.tasks.map(({ taskId }) => taskId).join(', ');
    this.log('info', `${ids}: a proposal waits for your approval; see ${HANDOFF}/${FILES.proposalDraft}`);
  }

  private refuse(name: Name, text: string, why: readonly string[]): void {
    const { handoff } = this.services;
    const page = renderRejected(name, text, why);
    this.answers.set(name, { text, is: 'refused', until: performance.now() + RETRY_MS });
    if (this.read(FILES.proposalRejected) === page) return;
    handoff.write(FILES.proposalRejected, page);
    const first = toTerminalLine(why[0] ?? '', 300);
    const more = why.length === 1 ? '' : ` (and ${why.length - 1} more)`;
    this.log('warn', `${name} is refused: ${first}${more}; see ${HANDOFF}/${FILES.proposalRejected}`);
  }

  private isAnswered(name: Name, text: string, as?: Answer['is']): boolean {
    const known = this.answers.get(name);
    return known?.text === text && performance.now() < known.until && (as ?? known.is) === known.is;
  }

  /** Whether a proposal exists; the answer to a removed one is forgotten. */
  private isThere(name: Name): boolean {
    const isThere = this.services.handoff.exists(name);
    if (!isThere) this.answers.delete(name);
    return isThere;
  }

  private removePage(name: string): void {
    if (this.services.handoff.exists(name)) this.services.handoff.remove(name);
  }

  /** The text of a file; an unreadable one waits. */
  private read(name: string): string | undefined {
    const read = this.services.handoff.read(name);
    return read.ok ? read.value : undefined;
  }

  private log(level: 'info' | 'warn', text: string): void {
    this.services.say({ kind: 'word', level, text });
  }
}
