import { setTimeout as sleep } from 'node:timers/promises';
import { resolvePaths } from '../../../src/contract/resolve-paths.ts';
import { parseContract } from '../../../src/contract/task-contract-schema.ts';
import { aContract } from '../../support/contract.ts';
import { aFactory } from '../../support/factory.ts';
import { LOOKS_MS, restartedWithLock } from '../lines.ts';
import { isFacts } from '../run-cases.ts';
import type { Facts, Runner } from '../run-cases.ts';

/** Looks to wait for a daemon to say something of a file: more than its settle time of two seconds on a busy machine. */
const PATIENCE_LOOKS = 10;

/** A contract as a file that the daemon finds, or as fields that are checked. */
export const contract: Runner = ({ input, fixtures }) => {
  if (typeof input['base'] === 'string') return check(input, fixtures);
  if (typeof input['bytes'] === 'string') return whenFound(String(input['file']), input['bytes']);
  const [name = ''] = input['files'] as readonly string[];
  if (name === 'TASK_CONTRACT.json.lock') return restartedWithLock();
  return whenFound(name, JSON.stringify(aContract()));
};

/** The named contract with its changes, against its schema and a repository that holds its source files. */
function check({ base, set, unset }: Facts, fixtures: Facts): Facts {
  const before = fixtures[`contract.${String(base)}`];
  if (!isFacts(before)) throw new Error(`there is no contract.${String(base)} in fixtures.json`);
  const changes = Object.entries((set ?? {}) as Facts);
  const removed = ((unset ?? []) as readonly string[]).map((path) => [path, undefined] as const);
  const document = [...changes, ...removed].reduce<Facts>(
    (now, [path, value]) => put(now, path.split('.'), value),
    before,
  );
  const parsed = parseContract(JSON.stringify(document));
  const sources = isFacts(before['specification']) ? (before['specification']['source_files'] as readonly Facts[]) : [];
  const tracked = sources.map(({ path }) => String(path));
  const checked = parsed.ok
    ? resolvePaths(parsed.value.contract, {
        has: (path) => tracked.includes(path),
        hasFolder: (path) => tracked.some((file) => file.startsWith(`${path}/`)),
      })
    : parsed;
  if (checked.ok) return { valid: true };
  const [fault] = checked.why;
  // `$.specification.requirements[0]` is `specification.requirements.0` in a row.
  const errorPath = (fault?.path ?? '').replace(/^\$\.?/, '').replaceAll(/\[(\d+)\]/g, '.$1');
  return { valid: false, errorPath, reason: fault?.expected };
}

function put(target: Facts, [key = '', ...rest]: readonly string[], value: unknown): Facts {
  const inner = rest.length === 0 ? value : put((target[key] ?? {}) as Facts, rest, value);
  return Object.fromEntries(Object.entries({ ...target, [key]: inner }).filter(([, one]) => one !== undefined));
}

/** Lays a file into `_handoff/` under a running daemon, and waits until it has made something of it and looked again. */
async function whenFound(name: string, text: string): Promise<Facts> {
  const factory = await aFactory();
  const dog = await factory.watch();
  const reported = () => dog.output().match(/is refused/g) ?? [];
  factory.drop(text, name);
  for (let looks = 0; looks < PATIENCE_LOOKS && reported().length === 0 && factory.calls().length === 0; looks += 1)
    await sleep(LOOKS_MS);
  await sleep(LOOKS_MS);
  return {
    picked_up: (await factory.list()).length > 0 || factory.calls().length > 0,
    errors_reported: factory.paper('CONTRACT_REJECTED.md') === undefined ? 0 : reported().length,
  };
}
