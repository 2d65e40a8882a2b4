import { createFault } from '../../base/fault.ts';
import type { Fault } from '../../base/fault.ts';
import type { Admitted } from '../../record/journal-entry.ts';
import { FILES, HANDOFF } from '../../base/names.ts';
import { failure } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { parseContract } from '../../contract/task-contract-schema.ts';
import { describeQueueWait } from '../../line/order/describe-wait.ts';
import { isAwaitingTask, isKeptBack, findNextOpening } from '../../line/order/turns.ts';
import type { Never, QueuedTurn } from '../../line/order/turns.ts';
import type { Waiting } from '../../ports/queue.ts';
import { listTurns } from '../journal/list-turns.ts';
import { admitContract, admitWithoutFiles } from './admit.ts';
import { createAfterFault } from './check-after.ts';
import { Refusals, refusedText } from './refusals.ts';
import type { Services } from '../../wiring/services.ts';

/** A file that is no JSON yet may still be being written; after this long without a change it is refused. */
const SETTLE_MS = 2000;

/** What a contract is to come after may be dropped right behind it; after this long it counts as unknown. */
const FOLLOW_MS = 500;

/** What looking for the next contract came to. */
type Arrival =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'look again' }
  | { readonly kind: 'admitted'; readonly entry: Admitted };

/** What lies in `_handoff/` and waits: the dropped contract and the queue. Remembers what was refused as it stands. */
export class Arrivals {
  private readonly services: Services;
  private readonly refusals: Refusals;
  /** What waits and is well as it was read last. */
  private readonly fit = new Map<string, { readonly text: string; readonly order: string; readonly wholly: boolean }>();
  private readonly young = new Map<string, { readonly text: string; readonly since: number; readonly ms: number }>();
  private opens: string | undefined;

  constructor(services: Services) {
    this.services = services;
    this.refusals = new Refusals(services);
  }

  /** When there is something to look at again although nothing changes, in milliseconds; undefined when there is not. */
  get wakesIn(): number | undefined {
    const settles = [...this.young.values()].map(({ since, ms }) => since + ms - performance.now());
    const opens = this.opens === undefined ? [] : [Date.parse(this.opens) - Date.parse(this.services.clock.now())];
    const coming = [...settles, ...opens].filter((ms) => ms > 0);
    return coming.length === 0 ? undefined : Math.min(...coming, LONGEST_MS);
  }

  /** Admits the next contract, or refuses it in writing; an admitted one lies at its place when this returns. */
  async next(): Promise<Arrival> {
    this.refusals.forgetGone();
    const arrival = await this.tryNext();
    this.refusals.forgetGone();
    return arrival;
  }

  /**
   * Looks at everything that waits, so that a refusal is told when the file is dropped. While a task is under way, or one
   * that comes before is not merged, only that is asked which no merge will change: what a contract needs of the
   * repository may be what that task makes.
   */
  async survey(underWay: readonly string[]): Promise<void> {
    this.refusals.forgetGone();
    const turns = this.turns(underWay);
    for (const turn of turns) {
      const { name, text: read } = turn.one;
      const [text, order] = [refusedText(read), orderOf(turn.never)];
      const wholly = underWay.length === 0 && !isAwaitingTask(turn);
      const known = this.fit.get(name);
      const isKnown = known?.text === text && known.order === order && (known.wholly || !wholly);
      if (isKnown || this.refusals.isRefused(name, text, order)) continue;
      const looked = await this.lookAt(turn, wholly);
      if (looked.ok) {
        this.fit.set(name, { text, order, wholly });
        this.refusals.lift(name, wholly);
      } else if (!this.mayBecomeWell(turn, looked.why)) this.refusals.refuse(name, text, looked.why, { order, wholly });
    }
    const there = new Set<string>([FILES.contract, ...turns.map(({ one }) => one.name)]);
    for (const map of [this.fit, this.young]) for (const name of map.keys()) if (!there.has(name)) map.delete(name);
    this.refusals.forgetGone();
  }

  /** Whether a contract waits that could be admitted once the place is free; what is not right is refused on the way. */
  async mayBegin(): Promise<boolean> {
    for (const turn of this.turns([])) {
      const { one, never } = turn;
      if (one.waitsFor !== 'its turn' || isKeptBack(turn) || this.isRefused(one, never)) continue;
      const looked = await this.lookAt(turn, true);
      if (looked.ok) return true;
      if (this.mayBecomeWell(turn, looked.why)) continue;
      this.refusals.refuse(one.name, refusedText(one.text), looked.why, { order: orderOf(never), wholly: true });
    }
    return false;
  }

  /** Makes the place free of what somebody dropped there: it waits in the queue. False while it may still be being written. */
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
    const next = this.turns([]).find(
      (turn) =>
        turn.one.waitsFor === 'its turn' &&
        (turn.one.goesFirst || !isKeptBack(turn)) &&
        !this.isRefused(turn.one, turn.never),
    );
    if (next === undefined) return NOTHING;
    const { one, never } = next;
    const { name } = one;
    const [text, order, wholly] = [refusedText(one.text), orderOf(never), !isAwaitingTask(next)];
    const looked = await this.lookAt(next, wholly);
    if (!looked.ok) {
      if (this.mayBecomeWell(next, looked.why)) return NOTHING;
      this.refusals.refuse(name, text, looked.why, { order, wholly });
      return one.goesFirst ? NOTHING : LOOK_AGAIN;
    }
    if (isKeptBack(next)) return this.putBack(one, text);
    if (looked.value === undefined || !this.services.queue.claim(one)) return LOOK_AGAIN; // rewritten or taken back, or another one was dropped meanwhile
    this.young.delete(name);
    this.refusals.lift(name, true);
    return { kind: 'admitted', entry: looked.value };
  }

  /** What was dropped and has to wait gives the place free; a look at it may have found that it has not. */
  private putBack({ name, taskId }: Waiting, text: string): Arrival {
    const now = this.turns([]).find(({ one }) => one.name === name && refusedText(one.text) === text);
    if (now !== undefined && taskId !== undefined && isKeptBack(now))
      this.queueDropped(taskId, text, `it ${describeQueueWait(now.waits, '')}`);
    return LOOK_AGAIN;
  }

  /** Everything that is wrong with a contract that waits; `wholly` also holds it against the files of its target. */
  private async lookAt(
    turn: QueuedTurn<Waiting>,
    wholly: boolean,
  ): Promise<Outcome<Admitted | undefined, readonly Fault[]>> {
    const { text } = turn.one;
    if (!text.ok) return failure([noPlainFile(text.why)]);
    const looked = wholly
      ? await admitContract(this.services, text.value)
      : await admitWithoutFiles(this.services, text.value);
    const own = turn.never.filter(({ key }) => key === 'task_id');
    const parsed = own.length === 0 ? undefined : parseContract(text.value);
    if (parsed === undefined || !parsed.ok) return looked;
    const faults = own.map((never) => createAfterFault(never, [], parsed.value.lineOf));
    return failure([...faults, ...(looked.ok ? [] : looked.why)]);
  }

  /** Whether a rewritten contract could be admitted; if not it is refused in writing, and what runs goes on. */
  async mayBeAdmitted(text: string): Promise<boolean> {
    const admitted = await admitContract(this.services, text, { hasBegun: true });
    if (!admitted.ok) this.refusals.refuse(FILES.contract, text, admitted.why, { order: orderOf([]), wholly: true });
    return admitted.ok;
  }

  /** True while a text that is no whole JSON is still young enough to be being written. */
  mayBeUnfinished(name: string, text: string, ms = SETTLE_MS): boolean {
    const known = this.young.get(name);
    if (known?.text === text) return performance.now() - known.since < ms;
    this.young.set(name, { text, since: performance.now(), ms });
    return true;
  }

  /** Puts a contract that was dropped and cannot begin now into the queue. */
  queueDropped(taskId: string, text: string, why = 'the line is not free'): void {
    const name = this.services.queue.release(taskId, text);
    if (name === undefined) return; // the next look sees what came
    this.services.say({ kind: 'word', level: 'info', text: `${taskId} lies in ${HANDOFF}/${name}: ${why}` });
  }

  private turns(underWay: readonly string[]): readonly QueuedTurn<Waiting>[] {
    const { queue, journal, clock, configuration } = this.services;
    const turns = listTurns({
      queue,
      journal,
      now: clock.now(),
      underWay,
      onOverlap: configuration.line().settings.onOverlap,
      isRefused: (one, never) => this.isRefused(one, never),
    });
    this.opens = findNextOpening(turns);
    return turns;
  }

  private isRefused({ name, text }: Waiting, never: readonly Never[]): boolean {
    return this.refusals.isRefused(name, refusedText(text), orderOf(never));
  }

  /** A file may still be being written, and what it is to come after may be dropped right behind it. */
  private mayBecomeWell({ one, never }: QueuedTurn<Waiting>, faults: readonly Fault[]): boolean {
    if (faults.some(({ kind }) => kind === 'incomplete')) return this.mayBeUnfinished(one.name, refusedText(one.text));
    const awaits = never.filter((why) => why.key === 'after' && why.is === 'unknown');
    return awaits.length === faults.length && this.mayBeUnfinished(one.name, refusedText(one.text), FOLLOW_MS);
  }
}

const NOTHING: Arrival = { kind: 'nothing' };
const LOOK_AGAIN: Arrival = { kind: 'look again' };

/** A timer that is set for months would ring at once; and a clock may be set anew. */
const LONGEST_MS = 3_600_000;

/** What stands in a contract's way in the order, to compare it by. */
const orderOf = (never: readonly Never[]): string => JSON.stringify(never);

const noPlainFile = (why: string): Fault =>
  createFault('$', `a file that ${why}`, 'a plain UTF-8 file with one JSON object');
