import type { Fault } from '../../base/fault.ts';
import { FILES, HANDOFF } from '../../base/names.ts';
import type { Outcome } from '../../base/outcome.ts';
import { renderRefusals, type ContractRefusal } from '../../contract/refusal.ts';
import { parseContract } from '../../contract/task-contract-schema.ts';
import { refusalNotification } from '../../line/notification-policy.ts';
import type { Needs } from '../../wiring/services.ts';

/** A change of the repository may make a well-formed contract admissible; it is checked again after this time. */
const RETRY_MS = 5000;

/** What was checked of a file. */
export interface CheckedFile {
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

/** The refused contracts, and the page that lists them. */
export class Refusals {
  private readonly services: Needs<'clock' | 'digest' | 'handoff' | 'notices' | 'queue' | 'say'>;
  private readonly refused = new Map<string, Refused>();
  /** The written page; empty at the start, where an earlier andon may have left one. */
  private page: string | undefined = '';

  constructor(services: Needs<'clock' | 'digest' | 'handoff' | 'notices' | 'queue' | 'say'>) {
    this.services = services;
  }

  /** Whether a file was refused with this text, and is not due for another check. */
  isRefused(name: string, { text, order }: Pick<CheckedFile, 'text' | 'order'>): boolean {
    const known = this.refused.get(name);
    return known?.text === text && known.order === order && performance.now() < known.retryAt;
  }

  /** Refuses a file in writing, once for the same faults. */
  refuse(name: string, checked: CheckedFile, faults: readonly Fault[]): void {
    const { text } = checked;
    const retryAt = parseContract(text).ok ? performance.now() + RETRY_MS : Number.POSITIVE_INFINITY;
    const known = this.refused.get(name);
    if (known?.text === text && JSON.stringify(known.faults) === JSON.stringify(faults)) {
      this.refused.set(name, { ...known, ...checked, retryAt });
      return;
    }
    const digest = this.services.digest(text);
    this.refused.set(name, { fileName: name, digest, at: this.services.clock.now(), faults, retryAt, ...checked });
    this.forgetGone();
    const [first] = faults;
    const sentence = `${name} is refused: ${faults.length} fault${faults.length === 1 ? '' : 's'}, the first at ${first?.path ?? '$'} (expected ${first?.expected ?? ''}); see ${HANDOFF}/${FILES.rejected}`;
    this.services.say({ kind: 'word', level: 'warn', text: sentence });
    const key = `refused:${this.services.digest(JSON.stringify([name, text, faults]))}`;
    this.services.notices?.tell(refusalNotification(key, name, sentence));
  }

  /** Forgets a refusal after a check without faults; a partial check does not lift a full refusal. */
  lift(name: string, isFull: boolean): void {
    if (isFull || this.refused.get(name)?.isFull === false) this.refused.delete(name);
  }

  /** Forgets the refusals of changed and removed files, and writes the page. */
  forgetGone(): void {
    const { handoff, queue } = this.services;
    for (const [name, { text }] of this.refused) if (refusedText(queue.read(name)) !== text) this.refused.delete(name);
    const page = this.refused.size === 0 ? undefined : renderRefusals([...this.refused.values()]);
    if (page === this.page) return;
    this.page = page;
    if (page === undefined) handoff.remove(FILES.rejected);
    else handoff.write(FILES.rejected, page);
  }
}

/** What is compared of a file: its text, or why it has none. */
export const refusedText = <Text>(read: Outcome<Text, string>): Text | string => (read.ok ? read.value : read.why);
