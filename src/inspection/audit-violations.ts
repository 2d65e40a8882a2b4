import { describeSuppressor, createViolationEntry } from '../rule-model/audit-entry.ts';
import type { Inspection } from '../rule-model/inspection.ts';
import { auditOf } from '../wiring/open-audit.ts';
import type { Workspace } from '../wiring/load-workspace.ts';

/** Writes the violations of an inspection into the audit; gives the sentence that says so when that was not possible. */
export async function auditViolations(
  place: Workspace,
  inspection: Inspection,
  at: string,
): Promise<string | undefined> {
  const { surface, phase, exit } = inspection;
  const found = inspection.findings.filter(({ status }) => status === 'VIOLATED');
  try {
    await auditOf(place).append(
      found.map((finding) =>
        createViolationEntry(finding, {
          at,
          phase,
          agent: 'human',
          task: null,
          surface,
          action: finding.suppressed === undefined ? `exit ${exit}` : describeSuppressor(finding.suppressed.by),
        }),
      ),
    );
    return undefined;
  } catch (error) {
    return `the audit was not written: ${error instanceof Error ? error.message : String(error)}`;
  }
}
