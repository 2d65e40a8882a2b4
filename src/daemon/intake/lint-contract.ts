import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Fault } from '../../base/fault.ts';
import { HANDOFF } from '../../base/names.ts';
import { admit } from './admit.ts';
import { readBytes } from '../../inspection/read-files.ts';
import { NO_JOURNAL, readJournal } from '../wiring/open-journal.ts';
import { queueAt } from '../wiring/open-queue.ts';
import { buildServices } from '../wiring/open-services.ts';
import type { Place } from '../wiring/open-place.ts';

/** What is wrong with a contract, and what of it the line would not go by although it is admitted. */
export interface Linted {
  readonly faults: readonly Fault[];
  readonly notices: readonly string[];
}

/** Checks a contract as the line would at admission, without admitting it: schema, paths, hashes, branch, id. */
export async function lintContract(place: Place, env: NodeJS.ProcessEnv, file: string): Promise<Linted> {
  const journal = readJournal(place);
  try {
    const services = await buildServices(place, env, () => {}, journal ?? NO_JOURNAL);
    const admitted = await admit(services, readBytes(file, file).toString('utf8'));
    return admitted.ok ? { faults: [], notices: admitted.value.notices } : { faults: admitted.why, notices: [] };
  } finally {
    journal?.close();
  }
}

/** The hash of a file in the form that `source_files[].hash` takes. */
export const contractHash = (file: string): string =>
  `sha256-${createHash('sha256')
    .update(readBytes(file, file, Number.POSITIVE_INFINITY))
    .digest('hex')}`;

/** The files of the contracts that wait in a repository, in the order in which their turn comes. */
export function contractsIn(root: string): readonly string[] {
  return queueAt(root)
    .waiting([])
    .map(({ name }) => join(root, HANDOFF, name));
}
