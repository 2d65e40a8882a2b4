import type { LineRecord } from '../../record/line-record.ts';
import { FILES } from '../../base/names.ts';
import { contractText } from '../../line/contract-document.ts';
import { haltReport } from '../documents/papers-of-halt.ts';
import type { Services } from '../../wiring/services.ts';

/** An editor may take a file away for a moment to save it: it is missed after so long. */
const SETTLE_MS = 1000;

/**
 * Puts the papers of a standing halt back when they are gone or cut off. A file that a human wrote in is never cut off:
 * only what is the beginning of andon's own text counts as that.
 */
export class HaltPapers {
  /** The halt whose papers were written; before that, none is missing. */
  written: string | undefined;
  private readonly seen = new Map<string, { readonly text: string | undefined; readonly since: number }>();

  /** Looks at both papers; `record` is that of the last transition. */
  async look(services: Services, record: LineRecord | undefined): Promise<void> {
    const { handoff } = services;
    const halt = record?.halt;
    if (record === undefined || halt === undefined || halt.id !== this.written) return this.seen.clear();
    if (this.isMissed(services, FILES.halt, '## Other ways'))
      await this.restore(services, FILES.halt, () => haltReport(services, record, halt));
    if (this.isMissed(services, FILES.lock, '\n}') && !handoff.exists(FILES.contract))
      await this.restore(services, FILES.lock, () => Promise.resolve(contractText(record)));
  }

  /** Whether a file has been gone, or without the end that ours has, for a while. */
  private isMissed({ handoff }: Pick<Services, 'handoff'>, name: string, end: string): boolean {
    const read = handoff.read(name);
    if (!read.ok || read.value?.includes(end) === true) {
      this.seen.delete(name);
      return false;
    }
    const known = this.seen.get(name);
    if (known === undefined || known.text !== read.value)
      this.seen.set(name, { text: read.value, since: performance.now() });
    return known !== undefined && known.text === read.value && performance.now() - known.since >= SETTLE_MS;
  }

  private async restore(services: Services, name: string, write: () => Promise<string>): Promise<void> {
    const ours = await write();
    const isUnwritten = (): boolean => {
      const now = services.handoff.read(name);
      return now.ok && (now.value === undefined || ours.startsWith(now.value));
    };
    if (!services.handoff.write(name, ours, isUnwritten)) return; // somebody wrote in it
    this.seen.delete(name);
    services.say({
      kind: 'word',
      level: 'warn',
      text: `${services.handoff.shown(name)} was gone or cut off; it is written again`,
    });
  }
}
