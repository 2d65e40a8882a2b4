import { describeSuppressor, createViolationEntry } from '../model/audit-entry.ts';
import type { Inspection, RuleFinding } from '../model/inspection.ts';
import { openAudit } from './audit-log.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';

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
    return [`the audit was not written: ${error instanceof Error ? error.message : String(error)}`];
  }
}
