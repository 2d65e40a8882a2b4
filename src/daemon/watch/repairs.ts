import { isDiskTrouble } from '../../base/disk-trouble.ts';
import type { Needs } from '../../wiring/services.ts';

/** Completes updates of your checkout that a full disk or a running git of yours prevented. */
export class Repairs {
  private readonly services: Needs<'repository' | 'say'>;
  private logged: string | undefined;

  constructor(services: Needs<'repository' | 'say'>) {
    this.services = services;
  }

  /** Tries once; each obstacle is logged once. */
  async try(): Promise<void> {
    const owed = await this.services.repository.repair({ patient: false });
    if (owed !== undefined && owed !== this.logged) this.warn(owed);
    this.logged = owed;
  }

  /** Tries a last time before the end; the next start completes the rest. */
  async tryLast(): Promise<void> {
    await this.try().catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      if (!isDiskTrouble(why)) this.warn(`left to the next start: ${why}`); // a full disk is logged already
    });
  }

  private warn(text: string): void {
    this.services.say({ kind: 'word', level: 'warn', text });
  }
}
