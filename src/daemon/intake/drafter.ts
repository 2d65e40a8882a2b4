import { openLineServices } from '../../wiring/configuration.ts';
import type { Needs } from '../../wiring/services.ts';
import { askDrafter } from './ask-drafter.ts';

/** Whether anything new may begin at this moment. */
export interface MayAsk {
  canStartTask(): boolean;
}

/** A limit or a ceiling may be over after this time; other failures are final. */
const RETRY_MS = 15 * 60_000;

type OwnServices = Needs<
  | 'agents'
  | 'cage'
  | 'clock'
  | 'configuration'
  | 'ends'
  | 'folders'
  | 'ledger'
  | 'limits'
  | 'nonce'
  | 'profiles'
  | 'repository'
  | 'say'
  | 'settings'
  | 'stateName'
>;

/** Asks an agent about prose while the line goes on: one text at a time, each once. */
export class Drafter {
  private readonly services: OwnServices;
  private readonly mayAsk: MayAsk;
  private readonly onAnswer: () => void;
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private failed: { readonly text: string; readonly why: string; readonly until: number } | undefined;

  /** `onAnswer` is called after each call, when there is an answer or a failure to read. */
  constructor(services: OwnServices, mayAsk: MayAsk, onAnswer: () => void) {
    this.services = services;
    this.mayAsk = mayAsk;
    this.onAnswer = onAnswer;
  }

  /** Begins a call unless one runs. Returns why the call about this text failed; undefined while an answer may come. */
  ask(name: string, text: string): string | undefined {
    if (this.running !== undefined) return undefined;
    if (this.failed?.text === text && performance.now() < this.failed.until) return this.failed.why;
    if (this.stopping.signal.aborted || !this.mayAsk.canStartTask()) return undefined;
    const onAsk = (agent: string): void =>
      this.services.say({ kind: 'word', level: 'info', text: `${name} is prose; asking ${agent} for its tasks` });
    this.running = this.askOnce(text, onAsk).finally(() => {
      this.running = undefined;
      if (!this.stopping.signal.aborted) this.onAnswer();
    });
    return undefined;
  }

  /** Aborts a running call and waits for its end. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async askOnce(text: string, onAsk: (agent: string) => void): Promise<void> {
    const { signal } = this.stopping;
    const result = await askDrafter(openLineServices(this.services), text, { isTyped: false, signal, onAsk }).catch(
      (error: unknown) => ({
        ok: false as const,
        why: { why: error instanceof Error ? error.message : String(error), mayPass: false },
      }),
    );
    if (result.ok) return;
    const { why, mayPass } = result.why;
    const until = mayPass ? performance.now() + RETRY_MS : Number.POSITIVE_INFINITY;
    this.failed = { text, why: `this is prose, without headings such as \`## Requirements\`; ${why}`, until };
  }
}
