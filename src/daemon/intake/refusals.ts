import type { Fault } from '../../base/fault.ts';
import { FILES, HANDOFF } from '../../base/names.ts';
import type { Outcome } from '../../base/outcome.ts';
import { renderRefusals } from '../../contract/refusal.ts';
import type { ContractRefusal } from '../../contract/refusal.ts';
import { parseContract } from '../../contract/task-contract-schema.ts';
import { refusalNotification } from '../../line/notification-policy.ts';
import type { Services } from '../../wiring/services.ts';

/** A contract that is well written may become admissible by what happens in the repository; it is tried again this often. */
const AGAIN_MS = 5000;

interface Refused extends ContractRefusal {
  readonly text: string;
  /** What stood in its way in the order; when that is another, it is tried again at once. */
  readonly order: string;
  /** Whether it was held against the files of its target as well. */
  readonly wholly: boolean;
  /** When it is tried again as it stands; never, when the file itself is at fault. */
  readonly again: number;
}

/** What was refused as it stands, and the page that tells of all of it. */
export class Refusals {
  private readonly services: Services;
  private readonly standing = new Map<string, Refused>();
  /** The page that lies there; at the start that of an earlier andon may. */
  private page: string | undefined = '';

  constructor(services: Services) {
    this.services = services;
  }

  /** Whether a file was refused as it stands, and need not be tried again yet. */
  isRefused(name: string, text: string, order: string): boolean {
    const known = this.standing.get(name);
    return known?.text === text && known.order === order && performance.now() < known.again;
  }

  /** Refuses a file in writing; false when it was refused for the same before. */
  refuse(name: string, text: string, faults: readonly Fault[], how: Pick<Refused, 'order' | 'wholly'>): boolean {
    const again = parseContract(text).ok ? performance.now() + AGAIN_MS : Number.POSITIVE_INFINITY;
    const known = this.standing.get(name);
    if (known?.text === text && JSON.stringify(known.faults) === JSON.stringify(faults)) {
      this.standing.set(name, { ...known, again, ...how });
      return false;
    }
    const digest = this.services.digest(text);
    this.standing.set(name, { fileName: name, digest, at: this.services.clock.now(), faults, text, again, ...how });
    this.forgetGone();
    const [first] = faults;
    const sentence = `${name} is refused: ${faults.length} fault${faults.length === 1 ? '' : 's'}, the first at ${first?.path ?? '$'} (expected ${first?.expected ?? ''}); see ${HANDOFF}/${FILES.rejected}`;
    this.services.say({ kind: 'word', level: 'warn', text: sentence });
    const key = `refused:${this.services.digest(JSON.stringify([name, text, faults]))}`;
    this.services.notices?.tell(refusalNotification(key, name, sentence));
    return true;
  }

  /** It is well as it stands, as far as it was looked at: what was found by looking further still counts. */
  lift(name: string, wholly: boolean): void {
    if (wholly || this.standing.get(name)?.wholly === false) this.standing.delete(name);
  }

  /** A refusal goes when its file went or changed; the page holds every one that stands. */
  forgetGone(): void {
    const { handoff, queue } = this.services;
    for (const [name, { text }] of this.standing)
      if (refusedText(queue.read(name)) !== text) this.standing.delete(name);
    const page = this.standing.size === 0 ? undefined : renderRefusals([...this.standing.values()]);
    if (page === this.page) return;
    this.page = page;
    if (page === undefined) handoff.remove(FILES.rejected);
    else handoff.write(FILES.rejected, page);
  }
}

/** What is compared of a file: its text, or why it has none. */
export const refusedText = <Text>(read: Outcome<Text, string>): Text | string => (read.ok ? read.value : read.why);
