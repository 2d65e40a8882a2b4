import type { Services } from '../wiring/services.ts';

/** Puts back in your checkout, once it can be, what a full disk or a git of yours that was at work kept from being put back. */
export class PutRight {
  private said: string | undefined;

  async look({ repository, say }: Pick<Services, 'repository' | 'say'>): Promise<void> {
    const owed = await repository.repair({ patient: false });
    if (owed !== undefined && owed !== this.said) say({ kind: 'word', level: 'warn', text: owed });
    this.said = owed;
  }
}
