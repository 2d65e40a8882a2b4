import type { Fault } from '../formats/fault.ts';
import type { Admitted } from '../formats/journal-entry.ts';
import { FILES, HANDOFF } from '../formats/names.ts';
import { renderRefusal } from '../formats/refusal.ts';
import { parseContract } from '../formats/task-contract-schema.ts';
import { admit } from './admit.ts';
import { refusal } from './notify-about.ts';
import type { World } from './world.ts';

/** A file that is no JSON yet may still be being written; after this long without a change it is refused. */
const SETTLE_MS = 2000;

/** A contract that is well written may become admissible by what happens in the repository; it is tried again this often. */
const AGAIN_MS = 5000;

interface Refused {
  readonly text: string;
  /** What `CONTRACT_REJECTED.md` says about it. */
  readonly page: string;
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
  private readonly world: World;
  private readonly refused = new Map<string, Refused>();
  /** The page of refusals that lies there; at the start that of an earlier andon may. */
  private page: string | undefined = '';
  private readonly unfinished = new Map<string, { readonly text: string; readonly since: number }>();

  constructor(world: World) {
    this.world = world;
  }

  /** Admits the next contract, or refuses it in writing; an admitted one lies at its place when this returns. */
  async next(): Promise<Arrival> {
    const arrival = await this.tryNext();
    this.forgetGone();
    return arrival;
  }

  /** A refusal goes when its file went or changed; the page is about the last one that stands. */
  forgetGone(): void {
    const { handoff } = this.world;
    for (const [name, { text }] of this.refused) {
      const read = handoff.read(name);
      if ((read.ok ? read.value : read.why) !== text) this.refused.delete(name);
    }
    const page = [...this.refused.values()].at(-1)?.page;
    if (page === this.page) return;
    this.page = page;
    if (page === undefined) handoff.remove(FILES.rejected);
    else handoff.write(FILES.rejected, page);
  }

  private async tryNext(): Promise<Arrival> {
    const name = this.nextFile();
    if (name === undefined) return { kind: 'nothing' };
    const { handoff } = this.world;
    const read = handoff.read(name);
    if (!read.ok) return this.refuse(name, read.why, [noPlainFile(read.why)]);
    const text = read.value;
    if (text === undefined || this.isRefused(name, text)) return { kind: 'nothing' };
    const admitted = await admit(this.world, text);
    if (!admitted.ok) {
      const incomplete = admitted.why.some(({ kind }) => kind === 'incomplete');
      return incomplete && this.mayBeUnfinished(name, text)
        ? { kind: 'nothing' }
        : this.refuse(name, text, admitted.why);
    }
    const again = handoff.read(name);
    if (!again.ok || again.value !== text) return { kind: 'look again' }; // rewritten while it was read
    this.unfinished.clear();
    this.refused.delete(name);
    // Taken back, or another one was dropped meanwhile: that one comes first.
    if (name !== FILES.contract && !handoff.renameToFree(name, FILES.contract, (found) => found === text))
      return { kind: 'look again' };
    return { kind: 'admitted', entry: admitted.value };
  }

  /** Whether a rewritten contract could be admitted; if not it is refused in writing, and what runs goes on. */
  async mayBeAdmitted(text: string): Promise<boolean> {
    const admitted = await admit(this.world, text);
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
    const { handoff } = this.world;
    let name = `${FILES.queue}/${taskId}.json`;
    for (let number = 2; handoff.exists(name); number += 1) name = `${FILES.queue}/${taskId}.${number}.json`;
    if (!handoff.renameToFree(FILES.contract, name, (found) => found === text)) return; // the next look sees what came
    this.world.say({
      kind: 'word',
      level: 'info',
      text: `${taskId} waits in ${HANDOFF}/${name} until the line is free`,
    });
  }

  /** The contract that was dropped, else the one in the queue with the highest priority, the oldest of those. */
  private nextFile(): string | undefined {
    const { handoff } = this.world;
    const dropped = handoff.read(FILES.contract);
    if (!dropped.ok) return FILES.contract;
    if (dropped.value !== undefined) return this.isRefused(FILES.contract, dropped.value) ? undefined : FILES.contract;
    const waiting = handoff.queued().flatMap((queued) => {
      const name = `${FILES.queue}/${queued}`;
      const priority = this.priorityOf(name);
      return priority === undefined ? [] : [{ name, priority }];
    });
    return waiting.toSorted((a, b) => b.priority - a.priority)[0]?.name;
  }

  /** Undefined for a queued file that was refused as it stands. */
  private priorityOf(name: string): number | undefined {
    const read = this.world.handoff.read(name);
    if (!read.ok) return this.isRefused(name, read.why) ? undefined : 0;
    if (read.value === undefined || this.isRefused(name, read.value)) return undefined;
    const parsed = parseContract(read.value);
    return parsed.ok ? parsed.value.contract.priority : 0;
  }

  /** Whether a file was refused as it stands, and need not be tried again yet. */
  private isRefused(name: string, text: string): boolean {
    const known = this.refused.get(name);
    return known?.text === text && performance.now() < known.again;
  }

  private refuse(name: string, text: string, faults: readonly Fault[]): Arrival {
    const again = parseContract(text).ok ? performance.now() + AGAIN_MS : Number.POSITIVE_INFINITY;
    const known = this.refused.get(name);
    if (known?.text === text) {
      this.refused.set(name, { ...known, again });
      return { kind: 'nothing' };
    }
    const page = renderRefusal(faults, { fileName: name, at: this.world.clock.now() });
    this.refused.delete(name);
    this.refused.set(name, { text, page, again });
    this.forgetGone();
    const [first] = faults;
    const sentence = `${name} is refused: ${faults.length} fault${faults.length === 1 ? '' : 's'}, the first at ${first?.path ?? '$'} (expected ${first?.expected ?? ''}); see ${HANDOFF}/${FILES.rejected}`;
    this.world.say({ kind: 'word', level: 'warn', text: sentence });
    const key = `refused:${this.world.digest(JSON.stringify([name, text, faults]))}`;
    this.world.notices?.tell(refusal(key, name, sentence));
    return { kind: name === FILES.contract ? 'nothing' : 'look again' };
  }
}

const noPlainFile = (why: string): Fault => ({
  path: '$',
  line: undefined,
  found: `a file that ${why}`,
  expected: 'a plain UTF-8 file with one JSON object',
  example: undefined,
  kind: 'invalid',
});
