import type { ModelWindow } from '../../ports/agent.ts';

/**
 * A window that was seen is believed this long: a tenth of the keep-alive that every answer renews, so the model is
 * still loaded as it was. A server that was started anew in between is caught by the count of tokens after the answer.
 */
const BELIEVED_MS = 60_000;

/** The windows of models that were verified a moment ago, so that the next call need not ask again. */
export class RecentWindows {
  private readonly seen = new Map<string, { readonly window: ModelWindow; at: number }>();

  get(model: string): ModelWindow | undefined {
    const known = this.seen.get(model);
    return known !== undefined && performance.now() - known.at < BELIEVED_MS ? known.window : undefined;
  }

  set(model: string, window: ModelWindow): void {
    this.seen.set(model, { window, at: performance.now() });
  }

  /** An answer came: the model is loaded, and stays so. */
  touch(model: string): void {
    const known = this.seen.get(model);
    if (known !== undefined) known.at = performance.now();
  }

  delete(model: string): void {
    this.seen.delete(model);
  }
}
