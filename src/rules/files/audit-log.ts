import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { maskKnownIn } from '../../base/known-secrets.ts';
import { parseJson } from '../../base/json-object.ts';
import { sha256 } from '../../base/sha256.ts';
import {
  violationEntrySchema,
  type AuditEntry,
  type NewAuditEntry,
  describeSuppressor,
  createViolationEntry,
} from '../model/audit-entry.ts';
import { Problem } from '../../base/problem.ts';
import { openDir, type SafeDir } from '../../base/system/safe-fs.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import type { Inspection, RuleFinding } from '../model/inspection.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

const FILES = { violations: 'rule_violations.jsonl', hooks: 'soft_hooks.log' } as const;
const PREFIX = { violations: 'RULE', hooks: 'SOFT_HOOK' } as const;

/** The hash before the first entry. */
const GENESIS = '0'.repeat(64);

/** The two append-only logs of the rules of one repository; several processes may write to them. */
export type AuditLog = ReturnType<typeof auditLog>;

/** What the rules of this repository wrote down. */
export const openAudit = ({ state }: Pick<Workspace, 'state'>): AuditLog => auditLog(join(state, 'audit'));

/** The audit logs in `folder`, which the first entry creates. */
export function auditLog(folder: string) {
  const door = openDir(folder);
  return {
    folder,
    /** Appends entries; each gets the next number of its day and the hash of the entry before it. Durable on return. */
    async append(entries: readonly NewAuditEntry[]) {
      if (entries.length === 0) return;
      door.makeFolder('', 0o700);
      const release = await lockfile.lock(folder, {
        lockfilePath: join(folder, '.lock'),
        realpath: false,
        stale: 10_000,
        retries: { retries: 200, minTimeout: 10, maxTimeout: 100, factor: 1.2 },
      });
      try {
        for (const log of ['violations', 'hooks'] as const)
          appendTo(door, FILES[log], PREFIX[log], maskKnownIn(entries.filter((one) => one.log === log)));
      } finally {
        await release();
      }
    },
    /** The logged violations, oldest first, and the number of unreadable lines; for a very long log only its end. */
    violations() {
      const lines = linesOf(door, FILES.violations);
      const entries = lines.flatMap((line): AuditEntry[] => {
        const parsed = violationEntrySchema().safeParse(parseJson(line));
        return parsed.success ? [parsed.data] : [];
      });
      return { entries, unreadable: lines.length - entries.length };
    },
  };
}

/** Appends chained entries after the last whole line. */
function appendTo(door: SafeDir, file: string, prefix: string, entries: readonly NewAuditEntry[]): void {
  if (entries.length === 0) return;
  const last = parseJson(linesOf(door, file).findLast((line) => parseJson(line) !== undefined) ?? '');
  let previous = field(last, 'hash') ?? GENESIS;
  let id = field(last, 'log_id') ?? '';
  const lines = entries.map(({ entry }) => {
    const day = entry.timestamp.slice(0, 10).replaceAll('-', '');
    const number = id.startsWith(`${prefix}-${day}-`) ? Number(id.slice(id.lastIndexOf('-') + 1)) + 1 : 1;
    id = `${prefix}-${day}-${String(number).padStart(3, '0')}`;
    const numbered = { log_id: id, ...entry, previous };
    previous = sha256(JSON.stringify(numbered));
    return JSON.stringify({ ...numbered, hash: previous });
  });
  door.append(file, lines.join('\n'), 0o600);
}

/** Only the end of a longer log is read. */
const MOST_BYTES = 32 * 1024 * 1024;

function linesOf(door: SafeDir, file: string): readonly string[] {
  const read = door.lines(file, MOST_BYTES);
  if (read.ok) return read.value;
  throw new Problem('bad-configuration', `${door.folder}/${file} ${read.why}`, 'move it away', 1);
}

function field(entry: unknown, name: string): string | undefined {
  const value = (entry as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** Writes the violations of an inspection into the audit; `action` says what was done about an open one. */
export async function auditViolations(
  place: Workspace,
  { findings, phase }: Inspection,
  { agent, surface, action, most }: AuditSource,
): Promise<void> {
  const at = new Date().toISOString();
  const entries = findings
    .filter(({ status }) => status === 'VIOLATED')
    .slice(0, most)
    .map((finding) => {
      const { suppressed } = finding;
      const did = suppressed === undefined ? action(finding) : describeSuppressor(suppressed.by);
      return createViolationEntry(finding, { at, phase, agent, task: null, surface, action: did });
    });
  await openAudit(place).append(entries);
}

/** Who asked, and where. */
interface AuditSource {
  readonly agent: string;
  readonly surface: string;
  readonly action: (finding: RuleFinding) => string;
  /** More are not written down; default: no limit. */
  readonly most?: number;
}

/** The same for a command of a person: a failure is a sentence of its report. */
export async function auditCommand(place: Workspace, inspection: Inspection): Promise<readonly string[]> {
  const { surface, exit } = inspection;
  try {
    await auditViolations(place, inspection, { agent: 'human', surface, action: () => `exit ${exit}` });
    return [];
  } catch (error) {
    return [`the audit was not written: ${getErrorMessage(error)}`];
  }
}
