import { formatCount } from '../../base/format-count.ts';
import { createFault, type Fault } from '../../base/fault.ts';
import type { Admitted } from '../record/journal-entry.ts';
import { FILES, HANDOFF } from '../../base/names.ts';
import { failure, type Outcome } from '../../base/outcome.ts';
import { parseContract } from '../../project/contract/task-contract-schema.ts';
import { describeQueueWait } from '../order/describe-queue-wait.ts';
import { isAwaitingTask, isKeptBack, findNextOpening, type Never, type QueuedTurn } from '../order/queued-turn.ts';
import type { Waiting } from '../order/handoff-queue.ts';
import { listTurns } from '../journal/list-turns.ts';
import { admitContract, admitWithoutFiles, createAfterFault } from './admit.ts';
import type { LineServices, Needs } from '../services/services.ts';
import { renderRefusals, type ContractRefusal } from '../../project/contract/refusal.ts';
import { refusalNotification } from '../words/notification-policy.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { renderContract } from '../words/contract-document.ts';
import type { StepResult } from '../core/step.ts';
import { resolveWorker } from '../calls/resolve-worker.ts';
import { createTamperedOutcome, identifyPaper } from '../documents/own-papers.ts';
import { showContract } from '../documents/paperwork.ts';

/** A file that is no JSON may still be incomplete; after this time without a change it is refused. */
const SETTLE_MS = 2000;

/** A missing predecessor may be dropped right after the contract; after this time it counts as unknown. */
const FOLLOW_MS = 500;

type Arrival =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'look again' }
  | { readonly kind: 'admitted'; readonly entry: Admitted };

/** The dropped contract and the queue in `_handoff/`. Remembers the refused ones. */
export class Arrivals {
  private readonly services: LineServices;
  private readonly refusals: ReturnType<typeof createRefusals>;
  /** The waiting contracts without a fault, as last checked. */
  private readonly valid = new Map<string, CheckedFile>();
  private readonly unfinished = new Map<
    string,
    { readonly text: string; readonly since: number; readonly ms: number }
  >();
  private opensAt: string | undefined;

  constructor(services: LineServices) {
    this.services = services;
    this.refusals = createRefusals(services);
  }

  /** The milliseconds until a search is due although no file changes; undefined when none is. */
  get wakesIn(): number | undefined {
    const settles = [...this.unfinished.values()].map(({ since, ms }) => since + ms - performance.now());
    const opens = this.opensAt === undefined ? [] : [Date.parse(this.opensAt) - Date.parse(this.services.clock.now())];
    const coming = [...settles, ...opens].filter((ms) => ms > 0);
    return coming.length === 0 ? undefined : Math.min(...coming, LONGEST_MS);
  }

  /** Admits the next contract, which is then the active one, or refuses it in writing. */
  async next(): Promise<Arrival> {
    this.refusals.forgetGone();
    const arrival = await this.tryNext();
    this.refusals.forgetGone();
    return arrival;
  }

  /**
   * Checks every waiting contract, so that it is refused soon after the drop. While a task runs or a predecessor is not
   * merged, the files of the target are not checked: that task may make them.
   */
  async survey(underWay: readonly string[]): Promise<void> {
    this.refusals.forgetGone();
    const turns = await this.turns(underWay);
    for (const turn of turns) {
      const { name } = turn.one;
      const now = toChecked(turn, underWay.length === 0 && !isAwaitingTask(turn));
      const known = this.valid.get(name);
      const isKnown = known?.text === now.text && known.order === now.order && (known.isFull || !now.isFull);
      if (isKnown || this.refusals.isRefused(name, now)) continue;
      const checked = await this.check(turn, now);
      if (!checked.ok) continue;
      this.valid.set(name, now);
      this.refusals.lift(name, now.isFull);
    }
    const names = new Set<string>([FILES.contract, ...turns.map(({ one }) => one.name)]);
    for (const map of [this.valid, this.unfinished])
      for (const name of map.keys()) if (!names.has(name)) map.delete(name);
    this.refusals.forgetGone();
  }

  /** Whether a contract waits that could be admitted in a free place; faulty ones are refused on the way. */
  async mayBegin(): Promise<boolean> {
    for (const turn of await this.turns([])) {
      if (turn.one.waitsFor !== 'its turn' || isKeptBack(turn) || this.isRefused(turn.one, turn.never)) continue;
      if ((await this.check(turn, toChecked(turn, true))).ok) return true;
    }
    return false;
  }

  /** Moves a dropped contract out of the active place into the queue; false while it may be incomplete. */
  clearPlace(): boolean {
    const { handoff } = this.services;
    const read = handoff.read(FILES.contract);
    if (!read.ok || read.value === undefined) return read.ok;
    const parsed = parseContract(read.value);
    const isIncomplete = !parsed.ok && parsed.why.some(({ kind }) => kind === 'incomplete');
    if (isIncomplete && this.mayBeUnfinished(FILES.contract, read.value)) return false;
    this.queueDropped(parsed.ok ? parsed.value.contract.taskId : 'refused', read.value);
    return !handoff.exists(FILES.contract);
  }

  private async tryNext(): Promise<Arrival> {
    const next = (await this.turns([])).find(
      (turn) =>
        turn.one.waitsFor === 'its turn' &&
        (turn.one.goesFirst || !isKeptBack(turn)) &&
        !this.isRefused(turn.one, turn.never),
    );
    if (next === undefined) return NOTHING;
    const { one } = next;
    const now = toChecked(next, !isAwaitingTask(next));
    const checked = await this.check(next, now);
    if (!checked.ok) return one.goesFirst || checked.why === 'unfinished' ? NOTHING : LOOK_AGAIN;
    if (isKeptBack(next)) return this.putBack(one, now.text);
    // A file that was rewritten, withdrawn or replaced meanwhile cannot be claimed.
    if (checked.value === undefined || !this.services.queue.claim(one)) return LOOK_AGAIN;
    this.unfinished.delete(one.name);
    this.refusals.lift(one.name, true);
    return { kind: 'admitted', entry: checked.value };
  }

  private async putBack({ name, taskId }: Waiting, text: string): Promise<Arrival> {
    const now = (await this.turns([])).find(({ one }) => one.name === name && refusedText(one.text) === text);
    if (now !== undefined && taskId !== undefined && isKeptBack(now))
      this.queueDropped(taskId, text, `it ${describeQueueWait(now.waits, '')}`);
    return LOOK_AGAIN;
  }

  private async check(
    turn: QueuedTurn<Waiting>,
    now: CheckedFile,
  ): Promise<Outcome<Admitted | undefined, 'unfinished' | 'refused'>> {
    const found = await this.listFaults(turn, now.isFull);
    if (found.ok) return found;
    if (this.mayBecomeValid(turn, found.why)) return failure('unfinished');
    this.refusals.refuse(turn.one.name, now, found.why);
    return failure('refused');
  }

  private async listFaults(
    { one: { text }, never }: QueuedTurn<Waiting>,
    isFull: boolean,
  ): Promise<Outcome<Admitted | undefined, readonly Fault[]>> {
    if (!text.ok)
      return failure([createFault('$', `a file that ${text.why}`, 'a plain UTF-8 file with one JSON object')]);
    const checked = isFull
      ? await admitContract(this.services, text.value)
      : await admitWithoutFiles(this.services, text.value);
    const own = never.filter(({ key }) => key === 'task_id');
    const parsed = own.length === 0 ? undefined : parseContract(text.value);
    if (parsed === undefined || !parsed.ok) return checked;
    const faults = own.map((one) => createAfterFault(one, [], parsed.value.lineOf));
    return failure([...faults, ...(checked.ok ? [] : checked.why)]);
  }

  /** Whether a rewritten contract could be admitted; otherwise it is refused in writing, and the task goes on. */
  async mayBeAdmitted(text: string): Promise<boolean> {
    const admitted = await admitContract(this.services, text, { hasBegun: true });
    if (!admitted.ok) this.refusals.refuse(FILES.contract, { text, order: orderOf([]), isFull: true }, admitted.why);
    return admitted.ok;
  }

  /** Whether an incomplete text is young enough to be still written. */
  mayBeUnfinished(name: string, text: string, ms = SETTLE_MS): boolean {
    const known = this.unfinished.get(name);
    if (known?.text === text) return performance.now() - known.since < ms;
    this.unfinished.set(name, { text, since: performance.now(), ms });
    return true;
  }

  queueDropped(taskId: string, text: string, why = 'the line is not free'): void {
    const name = this.services.queue.release(taskId, text);
    if (name === undefined) return;
    this.services.say({ kind: 'word', level: 'info', text: `${taskId} is in ${HANDOFF}/${name}: ${why}` });
  }

  private async turns(underWay: readonly string[]): Promise<readonly QueuedTurn<Waiting>[]> {
    const { queue, journal, clock, configuration } = this.services;
    const turns = listTurns({
      queue,
      journal,
      now: clock.now(),
      underWay,
      onOverlap: configuration.line().settings.onOverlap,
      isRefused: (one, never) => this.isRefused(one, never),
    });
    this.opensAt = findNextOpening(turns);
    return turns;
  }

  private isRefused({ name, text }: Waiting, never: readonly Never[]): boolean {
    return this.refusals.isRefused(name, { text: refusedText(text), order: orderOf(never) });
  }

  /** Whether the file may be incomplete, or its predecessor may be dropped right after it. */
  private mayBecomeValid({ one, never }: QueuedTurn<Waiting>, faults: readonly Fault[]): boolean {
    const text = refusedText(one.text);
    if (faults.some(({ kind }) => kind === 'incomplete')) return this.mayBeUnfinished(one.name, text);
    const unknown = never.filter((why) => why.key === 'after' && why.is === 'unknown');
    return unknown.length === faults.length && this.mayBeUnfinished(one.name, text, FOLLOW_MS);
  }
}

const NOTHING: Arrival = { kind: 'nothing' };
const LOOK_AGAIN: Arrival = { kind: 'look again' };

/** A timer of months would fire at once, and the clock may be reset. */
const LONGEST_MS = 3_600_000;

/** The obstacles of a contract in the order, as a text to compare. */
const orderOf = (never: readonly Never[]): string => JSON.stringify(never);

const toChecked = ({ one, never }: QueuedTurn<Waiting>, isFull: boolean): CheckedFile => ({
  text: refusedText(one.text),
  order: orderOf(never),
  isFull,
});

/** A change of the repository may make a well-formed contract admissible; it is checked again after this time. */
const RETRY_MS = 5000;

interface CheckedFile {
  readonly text: string;
  /** Its obstacles in the order; with other ones it is checked again at once. */
  readonly order: string;
  /** Whether the files of its target were checked as well. */
  readonly isFull: boolean;
}

interface Refused extends ContractRefusal, CheckedFile {
  /** When the same text is checked again; never, where the file itself is faulty. */
  readonly retryAt: number;
}

function createRefusals({
  clock,
  digest,
  handoff,
  notices,
  queue,
  say,
}: Needs<'clock' | 'digest' | 'handoff' | 'notices' | 'queue' | 'say'>) {
  const refused = new Map<string, Refused>();
  /** The written page; empty at the start, where an earlier andon may have left one. */
  let written: string | undefined = '';
  /** Forgets the refusals of changed and removed files, and writes the page. */
  const forgetGone = (): void => {
    for (const [name, { text }] of refused) if (refusedText(queue.read(name)) !== text) refused.delete(name);
    const page = refused.size === 0 ? undefined : renderRefusals([...refused.values()]);
    if (page === written) return;
    written = page;
    if (page === undefined) handoff.remove(FILES.rejected);
    else handoff.write(FILES.rejected, page);
  };
  return {
    forgetGone,
    /** Whether a file was refused with this text, and is not due for another check. */
    isRefused(name: string, { text, order }: Pick<CheckedFile, 'text' | 'order'>): boolean {
      const known = refused.get(name);
      return known?.text === text && known.order === order && performance.now() < known.retryAt;
    },
    /** Refuses a file in writing, once for the same faults. */
    refuse(name: string, checked: CheckedFile, faults: readonly Fault[]): void {
      const { text } = checked;
      const retryAt = parseContract(text).ok ? performance.now() + RETRY_MS : Number.POSITIVE_INFINITY;
      const known = refused.get(name);
      if (known?.text === text && JSON.stringify(known.faults) === JSON.stringify(faults)) {
        refused.set(name, { ...known, ...checked, retryAt });
        return;
      }
      refused.set(name, { fileName: name, digest: digest(text), at: clock.now(), faults, retryAt, ...checked });
      forgetGone();
      const [first] = faults;
      const sentence = `${name} is refused: ${formatCount(faults.length, 'fault')}, the first at ${first?.path ?? '$'} (expected ${first?.expected ?? ''}); see ${HANDOFF}/${FILES.rejected}`;
      say({ kind: 'word', level: 'warn', text: sentence });
      const key = `refused:${digest(JSON.stringify([name, text, faults]))}`;
      notices?.tell(refusalNotification(key, name, sentence));
    },
    /** Forgets a refusal after a check without faults; a partial check does not lift a full refusal. */
    lift(name: string, isFull: boolean): void {
      if (isFull || refused.get(name)?.isFull === false) refused.delete(name);
    },
  };
}

const refusedText = <Text>(read: Outcome<Text, string>): Text | string => (read.ok ? read.value : read.why);

/** The state of the contract on disk while a task runs: unchanged, a newer version of the drop, or tampered with. */
type OnDisk =
  | { readonly is: 'well' }
  | { readonly is: 'rewritten'; readonly text: string }
  | { readonly is: 'tampered'; readonly step: Omit<StepResult, 'noted'> };

/** Checks the contract on disk while a task runs; a second contract moves into the queue. */
export function lookAtContract(
  services: Needs<'agents' | 'clock' | 'digest' | 'handoff' | 'journal' | 'profiles' | 'say' | 'settings'>,
  record: TaskRecord,
  arrivals: Arrivals,
): OnDisk {
  const { handoff } = services;
  const isHalted = record.status === 'erik_consultation';
  const read = handoff.read(FILES.contract);
  const text = (read.ok && read.value) || '';
  const origin = identifyPaper(services, record, read);
  if (origin === 'ours' && !isHalted && text !== renderContract(record)) showContract(services, record);
  if (origin === 'of another task') {
    const other = parseContract(text);
    if (other.ok) arrivals.queueDropped(other.value.contract.taskId, text);
    if (!isHalted || !handoff.exists(FILES.lock)) showContract(services, record);
  }
  if (isHalted || !['edited', 'unfinished'].includes(origin)) return { is: 'well' };
  if (origin === 'unfinished' && arrivals.mayBeUnfinished(FILES.contract, text)) return { is: 'well' };
  // Before the first attempt has a result, a rewrite is a newer version of the drop, unless the agent could write it.
  if (origin === 'edited' && record.history.length === 0 && !mayBeOfAgent(services, record))
    return { is: 'rewritten', text };
  const step = { at: services.clock.now(), ...createTamperedOutcome(services, record, text) };
  return { is: 'tampered', step };
}

/** Whether the implementer was called and runs outside any cage: then it may have written the file. */
function mayBeOfAgent(services: Needs<'agents' | 'journal' | 'profiles' | 'settings'>, record: TaskRecord): boolean {
  const entries = services.journal.entries(record.taskId);
  const begun = entries.findLastIndex(({ kind }) => kind === 'admitted');
  if (!entries.slice(begun).some(({ kind }) => kind === 'started')) return false;
  const { agent, edits } = resolveWorker(services, record, 'implementer');
  return agent.worksAsYou === true && !(edits && services.settings.cage.driver !== 'none');
}
