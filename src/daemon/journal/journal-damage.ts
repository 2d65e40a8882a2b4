import type { Journal } from '../../ports/journal.ts';

/** The journal on the disk is not what andon wrote: nothing more may rest on it, and nothing more is written into it. */
export class JournalDamaged extends Error {
  override readonly name = 'JournalDamaged';
}

/** Throws when the journal's file does not hold, link by link, what this andon has written and read. */
export function refuseDamage(journal: Journal): void {
  const damage = journal.verifyOnDisk();
  if (damage !== undefined)
    throw new JournalDamaged(`the journal was changed by somebody else, ${damage}; see andon doctor --journal`);
}
