import { isDiskTrouble } from '../../base/disk-trouble.ts';
import type { Services } from '../../wiring/services.ts';

/** Puts back in your checkout, once it can be, what a full disk or a git of yours that was at work kept from being put back. */
export class Repairs {
  private readonly services: Services;
  private said: string | undefined;

  constructor(services: Services) {
    this.services = services;
  }

  /** Tries once; what hinders it is said once. */
  async try(): Promise<void> {
    const owed = await this.services.repository.repair({ patient: false });
    if (owed !== undefined && owed !== this.said) this.warn(owed);
    this.said = owed;
  }

  /** Tries a last time before the end; what is left then is put right by the next start. */
  async tryLast(): Promise<void> {
    await this.try().catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      if (!isDiskTrouble(why)) this.warn(`left to the next start: ${why}`); // of a full disk everybody was told
    });
  }

  private warn(text: string): void {
    this.services.say({ kind: 'word', level: 'warn', text });
  }
}
