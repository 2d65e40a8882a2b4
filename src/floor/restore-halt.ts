import type { LineRecord } from '../formats/line-record.ts';
import { FILES, HANDOFF } from '../formats/names.ts';
import { contractText } from '../line/face.ts';
import { haltReport } from './paperwork.ts';
import type { World } from './world.ts';

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
  async look(world: World, record: LineRecord | undefined): Promise<void> {
    const { handoff } = world;
    const halt = record?.halt;
    if (record === undefined || halt === undefined || halt.id !== this.written) return this.seen.clear();
    if (this.isMissed(world, FILES.halt, '## Other ways'))
      await this.restore(world, FILES.halt, () => haltReport(world, record, halt));
    if (this.isMissed(world, FILES.lock, '\n}') && !handoff.exists(FILES.contract))
      await this.restore(world, FILES.lock, () => Promise.resolve(contractText(record)));
  }

  /** Whether a file has been gone, or without the end that ours has, for a while. */
  private isMissed({ handoff }: World, name: string, end: string): boolean {
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

  private async restore(world: World, name: string, write: () => Promise<string>): Promise<void> {
    const ours = await write();
    const isUnwritten = (): boolean => {
      const now = world.handoff.read(name);
      return now.ok && (now.value === undefined || ours.startsWith(now.value));
    };
    if (!world.handoff.write(name, ours, isUnwritten)) return; // somebody wrote in it
    this.seen.delete(name);
    world.say({ kind: 'word', level: 'warn', text: `${HANDOFF}/${name} was gone or cut off; it is written again` });
  }
}
