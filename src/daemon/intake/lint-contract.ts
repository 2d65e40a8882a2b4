import { sha256 } from '../../base/sha256.ts';
import type { Fault } from '../../base/fault.ts';
import { parseContract } from '../../contract/task-contract-schema.ts';
import type { Queued } from '../../line/order/turns.ts';
import { admitContract } from './admit.ts';
import { readBytes } from '../../inspection/read-files.ts';
import { NO_JOURNAL, readJournal } from '../../wiring/open-journal.ts';
import { buildServices } from '../../wiring/open-services.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';

/** What is wrong with a contract, and what of it the line would not go by although it is admitted. */
interface Linted {
  readonly faults: readonly Fault[];
  readonly notices: readonly string[];
}

/**
 * Checks a contract as the line would at admission, without admitting it: schema, paths, hashes, branch, id, and what it is
 * to come after. `others` are files of contracts that are to be dropped with it.
 */
export async function lintContract(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  file: string,
  others: readonly string[] = [],
): Promise<Linted> {
  const journal = readJournal(place);
  try {
    const services = await buildServices(place, env, () => {}, journal ?? NO_JOURNAL);
    const beside = others.flatMap((other) => (other === file ? [] : queuedAs(other)));
    const admitted = await admitContract(services, readBytes(file, file).toString('utf8'), { beside });
    return admitted.ok ? { faults: [], notices: admitted.value.notices } : { faults: admitted.why, notices: [] };
  } finally {
    journal?.close();
  }
}

/** A contract as it would wait; nothing where it cannot be read, which is told of that file. */
function queuedAs(name: string): readonly Queued[] {
  const parsed = parseContract(readBytes(name, name).toString('utf8'));
  if (!parsed.ok) return [];
  const { taskId, priority, after = [], notBefore, spec } = parsed.value.contract;
  return [{ name, taskId, priority, after, notBefore, spec, goesFirst: false, waitsFor: 'its turn' }];
}

/** The hash of a file in the form that `source_files[].hash` takes. */
export const hashContractFile = (file: string): string =>
  `sha256-${sha256(readBytes(file, file, Number.POSITIVE_INFINITY))}`;
