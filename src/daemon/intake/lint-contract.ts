import { sha256 } from '../../base/sha256.ts';
import type { Fault } from '../../base/fault.ts';
import { parseContract } from '../../contract/task-contract-schema.ts';
import type { Queued } from '../../line/order/turns.ts';
import { admitContract } from './admit.ts';
import { readBytes } from '../../inspection/read-files.ts';
import { NO_JOURNAL, readJournal } from '../../wiring/open-journal.ts';
import { buildServices } from '../../wiring/open-services.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';

/** The faults of a contract, and notices about its ignored parts. */
interface Linted {
  readonly faults: readonly Fault[];
  readonly notices: readonly string[];
}

/** Checks a contract as at admission, without admitting it. `others` are files of contracts to drop with it. */
export async function lintContract(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  file: string,
  others: readonly string[] = [],
): Promise<Linted> {
  const journal = readJournal(place);
  try {
    const services = await buildServices(place, env, () => {}, journal ?? NO_JOURNAL);
    const beside = others.flatMap((other) => (other === file ? [] : readQueued(other)));
    const admitted = await admitContract(services, readBytes(file, file).toString('utf8'), { beside });
    return admitted.ok ? { faults: [], notices: admitted.value.notices } : { faults: admitted.why, notices: [] };
  } finally {
    journal?.close();
  }
}

/** A contract as it would wait; an invalid one has faults of its own. */
function readQueued(name: string): readonly Queued[] {
  const parsed = parseContract(readBytes(name, name).toString('utf8'));
  if (!parsed.ok) return [];
  const { taskId, priority, after = [], notBefore, spec } = parsed.value.contract;
  return [{ name, taskId, priority, after, notBefore, spec, goesFirst: false, waitsFor: 'its turn' }];
}

/** The hash of a file in the form that `source_files[].hash` takes. */
export const hashContractFile = (file: string): string =>
  `sha256-${sha256(readBytes(file, file, Number.POSITIVE_INFINITY))}`;
