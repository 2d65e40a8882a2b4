import { FILES, HANDOFF } from '../../base/names.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { isProse } from '../../contract/draft/proposal.ts';
import { renderDraft, renderRejected } from '../../contract/draft/proposal-page.ts';
import type { DraftOnPage } from '../../contract/draft/proposal-page.ts';
import { draftDesk } from './contract-draft.ts';
import { draftProposal } from './draft-proposal.ts';
import type { Drafted } from './draft-proposal.ts';
import {
  listConflictingFiles,
  isBegun,
  keepProposal,
  listEarlierTasks,
  makeContracts,
  planOf,
  loadPlan,
  writePlan,
} from './make-contracts.ts';
import type { Plan } from './make-contracts.ts';
import { Drafter } from './drafter.ts';
import type { MayAsk } from './drafter.ts';
import { openLineServices } from '../../wiring/configuration.ts';
import type { Services } from '../../wiring/services.ts';

/** What is well in itself may become possible by what happens in the repository; it is tried again this often, in ms. */
const AGAIN_MS = 5000;

/** What became of a proposal as it stands. */
type Answered = 'shown' | 'refused';

type Name = typeof FILES.proposal | typeof FILES.proposalFinal;

/**
 * Proposals in `_handoff/`. `PROPOSAL.md` is answered with the contracts that it would become, and waits for a human;
 * `PROPOSAL_FINAL.md` is one that a human approved, and becomes contracts in the queue, all or none. Prose
 * is approved only by `andon draft --approve`, which follows the contracts it was shown as. What makes none is refused in writing.
 */
export class Proposals {
  private readonly services: Services;
  private readonly drafter: Drafter;
  /** What was answered as it stands, by the file's name. */
  private readonly answered = new Map<Name, { readonly text: string; readonly is: Answered; readonly until: number }>();
  /** The files that the rest of a plan waits for, as it was said last. */
  private waitsFor = '';
  /** What was looked for since the start. */
  private readonly looked = new Set<Name>();

  /** `answered` is called when an answer about prose can be looked at. */
  constructor(services: Services, mayAsk: MayAsk, answered: () => void) {
    this.services = services;
    this.drafter = new Drafter(services, mayAsk, answered);
  }

  /** Ends asking about prose, and waits for it to be gone. */
  stop(): Promise<void> {
    return this.drafter.stop();
  }

  /** Looks at what lies there; may be called as often as anybody likes. */
  async look(): Promise<void> {
    const { handoff } = this.services;
    await this.finish();
    const final = this.textOf(FILES.proposalFinal);
    const finalWaits = final !== undefined && (await this.takeFinal(final));
    const waiting = this.textOf(FILES.proposal);
    if (waiting !== undefined && !finalWaits) await this.draft(FILES.proposal, waiting);
    if (waiting === undefined && !finalWaits && this.forget(FILES.proposal)) handoff.remove(FILES.proposalDraft);
    if (final === undefined && waiting === undefined && this.forget(FILES.proposalFinal))
      for (const page of [FILES.proposalRejected, FILES.proposalDraft]) handoff.remove(page);
  }

  /** Makes contracts of an approved proposal; true while prose waits, for its agent or for `andon draft --approve`. */
  private async takeFinal(text: string): Promise<boolean> {
    const { handoff } = this.services;
    if (isProse(text)) {
      await this.draft(FILES.proposalFinal, text);
      return handoff.exists(FILES.proposalFinal);
    }
    if (this.isAnswered(FILES.proposalFinal, text, 'refused')) return false;
    const drafted = await this.made(text);
    if (drafted.is === 'prose') return true; // its answer was forgotten a moment ago
    if (drafted.is === 'refused') {
      this.refuse(FILES.proposalFinal, text, drafted.why);
      return false;
    }
    writePlan(this.services, planOf(text, drafted.draft));
    if (!handoff.renameToFree(FILES.proposalFinal, FILES.proposalTaken, (found) => found === text)) return false;
    this.answered.delete(FILES.proposalFinal);
    await this.finish();
    return false;
  }

  /** Makes the contracts of a proposal that was taken, also one that a killed andon had begun with; then it goes into the archive. */
  private async finish(): Promise<void> {
    const { handoff } = this.services;
    const text = this.textOf(FILES.proposalTaken);
    if (text === undefined) {
      const isOver = !handoff.exists(FILES.proposalTaken); // one that cannot be read now still needs its plan
      if (isOver && handoff.exists(FILES.proposalPlan)) handoff.remove(FILES.proposalPlan);
      return;
    }
    const plan = loadPlan(this.services, text);
    const before = plan === undefined ? listEarlierTasks(this.services, text) : undefined;
    if (before !== undefined) return keepProposal(this.services, before, text);
    const planned = plan ?? (await this.planAnew(text));
    if (planned !== undefined && makeContracts(this.services, planned)) {
      const ids = planned.contracts.map(({ taskId }) => taskId);
      this.say(
        'info',
        `${ids.join(', ')}: made of ${FILES.proposalFinal}; ${ids.length === 1 ? 'it waits' : 'they wait'} in ${HANDOFF}/${FILES.queue}`,
      );
      return keepProposal(this.services, ids[0] ?? '', text);
    }
    if (planned !== undefined && isBegun(this.services, planned)) return this.tellWait(planned);
    handoff.renameToFree(FILES.proposalTaken, FILES.proposalFinal, (found) => found === text); // refused in words then
  }

  /** The rest of a plan is made when its names are free; that is said when it begins, and when it becomes another file. */
  private tellWait(plan: Plan): void {
    const files = listConflictingFiles(this.services, plan).join(', ');
    if (files === '' || files === this.waitsFor) return;
    this.waitsFor = files;
    this.say('warn', `the rest of an approved proposal waits until the name is free of ${toTerminalLine(files, 300)}`);
  }

  private async planAnew(text: string): Promise<Plan | undefined> {
    const drafted = await this.made(text);
    return drafted.is === 'drafted' ? planOf(text, drafted.draft) : undefined;
  }

  /** A proposal whose contracts nobody approved yet: they are shown to whoever decides. */
  private async draft(name: Name, text: string): Promise<void> {
    if (this.isAnswered(name, text)) return;
    const drafted = await this.made(text);
    if (drafted.is === 'drafted') return this.show(name, text, drafted.draft);
    this.services.handoff.remove(FILES.proposalDraft);
    if (drafted.is === 'refused') return this.refuse(name, text, drafted.why);
    const asked = this.drafter.ask(name, text);
    if (asked.is === 'failed') this.refuse(name, text, [asked.why]);
  }

  private made(text: string): Promise<Drafted> {
    return draftProposal(openLineServices(this.services), draftDesk(this.services), text);
  }

  private show(name: Name, text: string, draft: DraftOnPage): void {
    const { handoff } = this.services;
    handoff.write(FILES.proposalDraft, renderDraft(name, draft));
    if (name === FILES.proposalFinal || !handoff.exists(FILES.proposalFinal)) handoff.remove(FILES.proposalRejected);
    this.answered.set(name, { text, is: 'shown', until: Number.POSITIVE_INFINITY });
    const ids = draft.tasks.map(({ taskId }) => taskId).join(', ');
    this.say('info', `${ids}: a proposal waits for your approval; see ${HANDOFF}/${FILES.proposalDraft}`);
  }

  private refuse(name: Name, text: string, why: readonly string[]): void {
    const page = renderRejected(name, text, why);
    const there = this.services.handoff.read(FILES.proposalRejected);
    this.answered.set(name, { text, is: 'refused', until: performance.now() + AGAIN_MS });
    if (there.ok && there.value === page) return;
    this.services.handoff.write(FILES.proposalRejected, page);
    const [first = ''] = why;
    const more = why.length === 1 ? '' : ` (and ${why.length - 1} more)`;
    this.say(
      'warn',
      `${name} is refused: ${toTerminalLine(first, 300)}${more}; see ${HANDOFF}/${FILES.proposalRejected}`,
    );
  }

  private isAnswered(name: Name, text: string, as?: Answered): boolean {
    const known = this.answered.get(name);
    return known?.text === text && performance.now() < known.until && (as ?? known.is) === known.is;
  }

  /** Whether something was answered, or may have been before this start, that is not there any more. */
  private forget(name: Name): boolean {
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
