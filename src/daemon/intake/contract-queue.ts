import type { Fault } from '../../base/fault.ts';
import type { Admitted } from '../../record/journal-entry.ts';
import { FILES, HANDOFF } from '../../base/names.ts';
import { failure } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { renderRefusals } from '../../contract/refusal.ts';
import type { Refusal } from '../../contract/refusal.ts';
import { parseContract } from '../../contract/task-contract-schema.ts';
import { admit } from './admit.ts';
import { refusal } from '../../line/worth-telling.ts';
import type { Services } from '../wiring/services.ts';

/** A file that is no JSON yet may still be being written; after this long without a change it is refused. */
const SETTLE_MS = 2000;

/** A contract that is well written may become admissible by what happens in the repository; it is tried again this often. */
const AGAIN_MS = 5000;

interface Refused extends Refusal {
  readonly text: string;
  /** When it is tried again as it stands; never, when the file itself is at fault. */
  readonly again: number;
}

/** What looking for the next contract came to. */
export type Arrival =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'look again' }
  | { readonly kind: 'admitted'; readonly entry: Admitted };

/** What lies in `_handoff/` and waits: the dropped contract and the queue. Remembers what was refused as it stands. */
export class Arrivals {
  private readonly services: Services;
  private readonly refused = new Map<string, Refused>();
  /** The page of refusals that lies there; at the start that of an earlier andon may. */
  private page: string | undefined = '';
  /** What waits in the queue and is well as it was read last. */
  private readonly fit = new Map<string, { readonly text: string; readonly wholly: boolean }>();
  private readonly unfinished = new Map<string, { readonly text: string; readonly since: number }>();

  constructor(services: Services) {
    this.services = services;
  }

  /** Admits the next contract, or refuses it in writing; an admitted one lies at its place when this returns. */
  async next(): Promise<Arrival> {
    const arrival = await this.tryNext();
    this.forgetGone();
    return arrival;
  }

  /** A refusal goes when its file went or changed; the page holds every one that stands. */
  forgetGone(): void {
    const { handoff, queue } = this.services;
    for (const [name, { text }] of this.refused) if (textOf(queue.read(name)) !== text) this.refused.delete(name);
    const page = this.refused.size === 0 ? undefined : renderRefusals([...this.refused.values()]);
    if (page === this.page) return;
    this.page = page;
    if (page === undefined) handoff.remove(FILES.rejected);
    else handoff.write(FILES.rejected, page);
  }

  /**
   * Looks at what waits although its turn has not come, so that a refusal is told when the file is dropped. While a task
   * is under way only the file itself is asked: what it needs of the repository may be what that task makes.
   */
  async survey(underWay: readonly string[]): Promise<void> {
    const idle = underWay.length === 0;
    const waiting = this.services.queue.waiting(underWay).filter(({ name }) => name !== FILES.contract); // that one is told of by `next`
    for (const { name, text: read } of waiting) {
      const text = textOf(read);
      const known = this.fit.get(name);
      const isKnown = known !== undefined && known.text === text && (known.wholly || !idle);
      if (isKnown || this.isRefused(name, text)) continue;
      const looked = read.ok ? await this.lookAt(text, idle) : failure([noPlainFile(read.why)]);
      if (looked.ok) {
        this.fit.set(name, { text, wholly: idle });
        if (idle) this.refused.delete(name);
      } else if (!isIncomplete(looked.why) || !this.mayBeUnfinished(name, text)) this.refuse(name, text, looked.why);
    }
    const there = new Set(waiting.map(({ name }) => name));
    for (const name of this.fit.keys()) if (!there.has(name)) this.fit.delete(name);
    this.forgetGone();
  }

  private lookAt(text: string, wholly: boolean): Promise<Outcome<unknown, readonly Fault[]>> {
    return wholly ? admit(this.services, text) : Promise.resolve(parseContract(text));
  }

  private async tryNext(): Promise<Arrival> {
    const { queue } = this.services;
    const next = queue
      .waiting([])
      .find(({ name, text, waitsFor }) => waitsFor === 'its turn' && !this.isRefused(name, textOf(text)));
    if (next === undefined) return { kind: 'nothing' };
    const { name } = next;
    if (!next.text.ok) return this.refuse(name, next.text.why, [noPlainFile(next.text.why)]);
    const text = next.text.value;
    const admitted = await admit(this.services, text);
    if (!admitted.ok) {
      return isIncomplete(admitted.why) && this.mayBeUnfinished(name, text)
        ? { kind: 'nothing' }
        : this.refuse(name, text, admitted.why);
    }
    if (!queue.claim(next)) return { kind: 'look again' }; // rewritten or taken back, or another one was dropped meanwhile
    this.unfinished.clear();
    this.refused.delete(name);
    return { kind: 'admitted', entry: admitted.value };
  }

  /** Whether a rewritten contract could be admitted; if not it is refused in writing, and what runs goes on. */
  async mayBeAdmitted(text: string): Promise<boolean> {
    const admitted = await admit(this.services, text);
    if (!admitted.ok) this.refuse(FILES.contract, text, admitted.why);
    return admitted.ok;
  }

  /** True while a text that is no whole JSON is still young enough to be being written. */
  mayBeUnfinished(name: string, text: string): boolean {
    const known = this.unfinished.get(name);
    if (known?.text === text) return performance.now() - known.since < SETTLE_MS;
    this.unfinished.set(name, { text, since: performance.now() });
    return true;
  }

  /** Puts a second contract, dropped while another task is on the line, into the queue. */
  queueDropped(taskId: string, text: string): void {
    const name = this.services.queue.release(taskId, text);
    if (name === undefined) return; // the next look sees what came
    this.services.say({
      kind: 'word',
      level: 'info',
      text: `${taskId} waits in ${HANDOFF}/${name} until the line is free`,
    });
  }

  /** Whether a file was refused as it stands, and need not be tried again yet. */
  private isRefused(name: string, text: string): boolean {
    const known = this.refused.get(name);
    return known?.text === text && performance.now() < known.again;
  }

  private refuse(name: string, text: string, faults: readonly Fault[]): Arrival {
    const again = parseContract(text).ok ? performance.now() + AGAIN_MS : Number.POSITIVE_INFINITY;
    const known = this.refused.get(name);
    if (known?.text === text && JSON.stringify(known.faults) === JSON.stringify(faults)) {
      this.refused.set(name, { ...known, again });
      return { kind: 'nothing' };
    }
    const digest = this.services.digest(text);
    this.refused.set(name, { fileName: name, digest, at: this.services.clock.now(), faults, text, again });
    this.forgetGone();
    const [first] = faults;
    const sentence = `${name} is refused: ${faults.length} fault${faults.length === 1 ? '' : 's'}, the first at ${first?.path ?? '$'} (expected ${first?.expected ?? ''}); see ${HANDOFF}/${FILES.rejected}`;
    this.services.say({ kind: 'word', level: 'warn', text: sentence });
    const key = `refused:${this.services.digest(JSON.stringify([name, text, faults]))}`;
    this.services.notices?.tell(refusal(key, name, sentence));
    return { kind: name === FILES.contract ? 'nothing' : 'look again' };
  }
}

/** What is compared of a file: its text, or why it has none. */
const textOf = <Text>(read: Outcome<Text, string>): Text | string => (read.ok ? read.value : read.why);

const isIncomplete = (faults: readonly Fault[]): boolean => faults.some(({ kind }) => kind === 'incomplete');

const noPlainFile = (why: string): Fault => ({
  path: '$',
  line: undefined,
  found: `a file that ${why}`,
  expected: 'a plain UTF-8 file with one JSON object',
  example: undefined,
  kind: 'invalid',
});
