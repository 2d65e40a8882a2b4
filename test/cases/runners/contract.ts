import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { resolvePaths } from '../../../src/project/contract/resolve-paths.ts';
import { parseContract } from '../../../src/project/contract/task-contract-schema.ts';
import { aContract } from '../../support/contract.ts';
import { aFactory } from '../../support/factory.ts';
import { LOOKS_MS, restartedWithLock } from '../lines.ts';
import { isFacts, type Facts, type Runner } from '../run-cases.ts';

/** Looks to wait for a daemon to say something of a file: more than its settle time of two seconds on a busy machine. */
const PATIENCE_LOOKS = 10;

/** A contract as a file that the daemon finds, or as fields that are checked. */
export const contract: Runner = ({ input, fixtures }) => {
  if (typeof input['base'] === 'string') return check(input, fixtures);
  if (typeof input['bytes'] === 'string') return whenFound(String(input['file']), ...piecesOf(input['bytes']));
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
  if (checked.ok) return { valid: true, normalized: spelled(checked.value) };
  const [fault] = checked.why;
  // `$.specification.requirements[0]` is `specification.requirements.0` in a row.
  const errorPath = (fault?.path ?? '').replace(/^\$\.?/, '').replaceAll(/\[(\d+)\]/g, '.$1');
  return { valid: false, errorPath, reason: fault?.expected };
}

/** The contract in andon's own shape, its keys spelled as in files. */
function spelled(value: unknown): unknown {
  if (!isFacts(value)) return value;
  const snake = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [snake(key), spelled(inner)]));
}

function put(target: Facts, [key = '', ...rest]: readonly string[], value: unknown): Facts {
  const inner = rest.length === 0 ? value : put((target[key] ?? {}) as Facts, rest, value);
  return Object.fromEntries(Object.entries({ ...target, [key]: inner }).filter(([, one]) => one !== undefined));
}

/** The bytes of a file, where a row describes them in words: in how many pieces they arrive, and when. */
function piecesOf(bytes: string): readonly [text: string, rest?: { readonly text: string; readonly ms: number }] {
  const whole = `${JSON.stringify(aContract(), null, 2)}\n`;
  if (bytes === 'BOM + valid json') return [`\uFEFF${whole}`];
  const later = /^first half of a valid json, second half (\d+) ms later$/.exec(bytes)?.[1];
  const middle = whole.length / 2;
  return later === undefined ? [bytes] : [whole.slice(0, middle), { text: whole.slice(middle), ms: Number(later) }];
}

/** Lays a file into `_handoff/` under a running daemon, and waits until it has made something of it and looked again. */
async function whenFound(
  name: string,
  text: string,
  rest?: { readonly text: string; readonly ms: number },
): Promise<Facts> {
  const factory = await aFactory();
  const dog = await factory.watch();
  const reported = () => dog.output().match(/is refused/g) ?? [];
  factory.drop(text, name);
  if (rest !== undefined) {
    await sleep(rest.ms);
    appendFileSync(join(factory.handoff, name), rest.text);
  }
  for (let looks = 0; looks < PATIENCE_LOOKS && reported().length === 0 && factory.calls().length === 0; looks += 1)
    await sleep(LOOKS_MS);
  await sleep(LOOKS_MS);
  return {
    picked_up: (await factory.list()).length > 0 || factory.calls().length > 0,
    errors_reported: factory.paper('CONTRACT_REJECTED.md') === undefined ? 0 : reported().length,
  };
}
