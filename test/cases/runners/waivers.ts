import { readWaivers } from '../../../src/rules/load/waiver-file.ts';
import { suppress } from '../../../src/rules/enforce/suppress.ts';
import { aFactory } from '../../support/factory.ts';
import { aFinding } from '../../support/inspections.ts';
import type { Facts, Runner } from '../run-cases.ts';

const NOW = '2026-06-15T10:00:00Z';
const KEYS = ['rule', 'reason', 'owner', 'expires', 'path', 'signed_by'];

/** One waiver with what the row changes, held against one finding. */
export const waivers: Runner = async ({ input }) => {
  if (typeof input['file'] === 'string') return named(input['file']);
  const changes = Object.fromEntries(Object.entries(input).filter(([key]) => KEYS.includes(key)));
  const entry = { rule: 'R-1', reason: 'until the rewrite', owner: 'ann', expires: '2027-01-31', ...changes };
  const rows = Object.entries(entry).filter(([, value]) => value !== null);
  const text = `waivers:\n  - ${rows.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join('\n    ')}\n`;
  const read = readWaivers('waivers.yaml', text);
  const { file: _, line: __, ...whole } = aFinding();
  const finding =
    input['finding'] === null
      ? whole
      : { ...whole, file: typeof input['finding'] === 'string' ? input['finding'] : 'src/a.ts', line: 1 };
  const { findings, warnings } = suppress(
    [finding],
    { files: [] },
    { waivers: read.entries, baseline: [], faults: read.faults },
    NOW,
  );
  return {
    blocking: findings.some(({ suppressed }) => suppressed === undefined),
    listed_as_expired: warnings.some((warning) => warning.includes('expired')),
    ...loadError(read.faults.map(({ what }) => what)),
  };
};

/** The key that is missing or empty, else only that the file is refused. */
function loadError([what]: readonly string[]): Facts {
  return what === undefined ? {} : { load_error: /^(\w+) is (?:missing|empty)/.exec(what)?.[1] ?? true };
}

async function named(file: string): Promise<Facts> {
  const factory = await aFactory();
  return { exit: (await factory.andon('check', '--file', 'README.md', '--waivers', file)).code };
}
