import { formatNoStart } from '../../wiring/user-limits.ts';
import { explainPaused } from '../../wiring/pause.ts';
import type { Services } from '../../wiring/services.ts';

/** Whether something new may be started, and why not: that is said once. */
export class StartGate {
  private readonly services: Services;
  private said: string | undefined;

  constructor(services: Services) {
    this.services = services;
  }

  get now(): boolean {
    const why = explainPaused(this.services) ?? formatNoStart(this.services);
    if (why !== undefined && why !== this.said) this.services.say({ kind: 'word', level: 'warn', text: why });
    this.said = why;
    return why === undefined;
  }
}
