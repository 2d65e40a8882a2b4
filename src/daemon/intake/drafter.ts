import { openLineServices } from '../../wiring/configuration.ts';
import type { Services } from '../../wiring/services.ts';
import { askDrafter, findDrafter } from './ask-drafter.ts';

/** Where asking about a proposal in prose stands. */
type Asked = { readonly is: 'under way' | 'not now' } | { readonly is: 'failed'; readonly why: string };

/** Whether anything new may begin at this moment. */
export interface MayAsk {
  canStartTask(): boolean;
}

/** A limit or a ceiling may be over after this long, in ms; whatever else failed is not asked again. */
const AGAIN_MS = 15 * 60_000;

/** Asks the floor manager's agent about prose beside the line, which goes on meanwhile; one text at a time, and each once. */
export class Drafter {
  private readonly services: Services;
  private readonly mayAsk: MayAsk;
  private readonly answered: () => void;
  private readonly stopping = new AbortController();
  private asking: Promise<void> | undefined;
  private failed: { readonly text: string; readonly why: string; readonly until: number } | undefined;

  /** `answered` is called when there is something to look at. */
  constructor(services: Services, mayAsk: MayAsk, answered: () => void) {
    this.services = services;
    this.mayAsk = mayAsk;
    this.answered = answered;
  }

  /** Begins to ask, where nobody is asked already and this text has not failed. */
  ask(name: string, text: string): Asked {
    if (this.asking !== undefined) return { is: 'under way' };
    if (this.failed?.text === text && performance.now() < this.failed.until)
      return { is: 'failed', why: this.failed.why };
    if (this.stopping.signal.aborted || !this.mayAsk.canStartTask()) return { is: 'not now' };
    const who = findDrafter(openLineServices(this.services));
    if (who !== undefined)
      this.services.say({
        kind: 'word',
        level: 'info',
        text: `${name} is prose; ${who} is asked what tasks it comes to`,
      });
    this.asking = this.askOnce(text).finally(() => {
      this.asking = undefined;
      if (!this.stopping.signal.aborted) this.answered();
    });
    return { is: 'under way' };
  }

  /** Ends what is under way, and waits for it to be gone. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.asking;
  }

  private async askOnce(text: string): Promise<void> {
    const result = await askDrafter(openLineServices(this.services), text, {
      isTyped: false,
      signal: this.stopping.signal,
    }).catch((error: unknown) => ({
      ok: false as const,
      why: { why: error instanceof Error ? error.message : String(error), mayPass: false },
    }));
    if (result.ok) return;
    const { why, mayPass } = result.why;
    const until = mayPass ? performance.now() + AGAIN_MS : Number.POSITIVE_INFINITY;
    this.failed = { text, why: `this is prose, without headings such as \`## Requirements\`; ${why}`, until };
  }
}
