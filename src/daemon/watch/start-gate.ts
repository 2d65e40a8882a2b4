import { formatNoStart } from '../../wiring/user-limits.ts';
import { explainPaused } from '../night/pause.ts';
import type { Needs } from '../../wiring/services.ts';

/** Decides whether a task may be started, and logs each reason against it once. */
export class StartGate {
  private readonly services: Needs<
    'clock' | 'ends' | 'handoff' | 'journal' | 'ledger' | 'limits' | 'ownNight' | 'say' | 'stopBefore'
  >;
  private logged: string | undefined;

  constructor(
    services: Needs<'clock' | 'ends' | 'handoff' | 'journal' | 'ledger' | 'limits' | 'ownNight' | 'say' | 'stopBefore'>,
  ) {
    this.services = services;
  }

  canStartTask(): boolean {
    const why = explainPaused(this.services) ?? formatNoStart(this.services);
    if (why !== undefined && why !== this.logged) this.services.say({ kind: 'word', level: 'warn', text: why });
    this.logged = why;
    return why === undefined;
  }
}
