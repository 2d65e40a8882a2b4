import { parse } from 'yaml';
import { readProjectRulebook } from '../../../src/rules/files/rulebook.ts';
import { readWaivers } from '../../../src/rules/load/waiver-file.ts';
import { NO_SUPPRESSIONS, suppress } from '../../../src/rules/enforce/suppress.ts';
import { aFactory } from '../../support/factory.ts';
import { aFinding } from '../../support/inspections.ts';
import { isFacts, type Facts, type Runner } from '../run-cases.ts';
import { onlyKnown } from './messages-of-rows.ts';

const NOW = '2026-06-15T10:00:00Z';
/** Keys of a waiver that rows name; `check` is none of andon's, and what andon does with it is seen. */
const KEYS = ['rule', 'reason', 'owner', 'expires', 'path', 'signed_by', 'check'];
const KNOWN = [...KEYS, 'waivers', 'yaml', 'finding', 'finding_check', 'now', 'file', 'explicit'];

/** One waiver with what the row changes, or several, or a file as it is written, held against one finding. */
export const waivers: Runner = async ({ input }) => {
  onlyKnown(input, KNOWN);
  if (typeof input['file'] === 'string') return named(input['file']);
  if (typeof input['explicit'] === 'boolean') return usual();
  const read = readWaivers('waivers.yaml', fileOf(input));
  const { file: _, line: __, ...whole } = aFinding();
  const finding =
    input['finding'] === null
      ? whole
      : { ...whole, file: typeof input['finding'] === 'string' ? input['finding'] : 'src/a.ts', line: 1 };
  const { findings, warnings } = suppress(
    [finding],
    { files: [] },
    { ...NO_SUPPRESSIONS, ...read },
    typeof input['now'] === 'string' ? input['now'] : NOW,
  );
  return {
    blocking: findings.some(({ suppressed }) => suppressed === undefined),
    marked: findings.some(({ suppressed }) => suppressed?.by === 'waiver'),
    listed_as_expired: warnings.some((warning) => warning.includes('expired')),
    ...loadError(read.faults),
  };
};

/** The file of a row: its waivers, its own text, or the text of one line of a waiver. */
function fileOf(input: Facts): string {
  const text = input['yaml'];
  if (typeof text !== 'string') {
    const changes = Object.fromEntries(Object.entries(input).filter(([key]) => KEYS.includes(key)));
    const listed = Array.isArray(input['waivers']) ? input['waivers'].filter(isFacts) : [changes];
    return `waivers:\n${listed.map((one) => entryOf(one)).join('')}`;
  }
  const read: unknown = parse(text);
  if (!isFacts(read) || !Object.keys(read).every((key) => KEYS.includes(key))) return text;
  const without = Object.fromEntries(Object.keys(read).map((key) => [key, null]));
  return `waivers:\n${entryOf(without)}    ${text.trim().replaceAll('\n', '\n    ')}\n`;
}

function entryOf(changes: Facts): string {
  const entry = { rule: 'R-1', reason: 'until the rewrite', owner: 'ann', expires: '2027-01-31', ...changes };
  const rows = Object.entries(entry).filter(([, value]) => value !== null);
  return `  - ${rows.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join('\n    ')}\n`;
}

/** The key that is missing or empty, else only that the file is refused. */
function loadError(faults: ReturnType<typeof readWaivers>['faults']): Facts {
  if (faults.length === 0) return {};
  const isMissing = ({ message }: { readonly message: string }): boolean => /^found (?:nothing|""); /.test(message);
  return { load_error: /(\w+)$/.exec(faults.find(isMissing)?.path ?? '')?.[1] ?? true };
}

async function named(file: string): Promise<Facts> {
  const factory = await aFactory();
  return { exit: (await factory.andon('check', '--file', 'README.md', '--waivers', file)).code };
}

/** A project without a file of waivers, of which nobody named one. */
async function usual(): Promise<Facts> {
  const { suppressions, faults } = await readProjectRulebook((await aFactory()).repo);
  return { waivers: suppressions.waivers.length, error: faults.length > 0 };
}
