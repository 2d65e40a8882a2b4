import type { Journal } from '../../ports/journal.ts';

/** Another program changed the journal on disk: andon neither relies on it nor writes to it any more. */
export class JournalDamaged extends Error {
  override readonly name = 'JournalDamaged';
}

/** Throws when the journal's file does not hold, link by link, what this andon has written and read. */
export function refuseDamage(journal: Journal): void {
  const damage = journal.verifyOnDisk();
  if (damage !== undefined)
    throw new JournalDamaged(`the journal was changed by another program, ${damage}; see andon doctor --journal`);
}
