import { suppressedBy, violationEntry } from '../rule-model/audit-entry.ts';
import type { Inspection } from '../rule-model/inspection.ts';
import { auditOf } from '../wiring/open-audit.ts';
import type { Place } from '../wiring/open-place.ts';

/** Writes the violations of an inspection into the audit; gives the sentence that says so when that was not possible. */
export async function writeDown(place: Place, inspection: Inspection, at: string): Promise<string | undefined> {
  const { surface, phase, exit } = inspection;
  const found = inspection.findings.filter(({ status }) => status === 'VIOLATED');
  try {
    await auditOf(place).append(
      found.map((finding) =>
        violationEntry(finding, {
          at,
          phase,
          agent: 'human',
          task: null,
          surface,
          action: finding.suppressed === undefined ? `exit ${exit}` : suppressedBy(finding.suppressed.by),
        }),
      ),
    );
    return undefined;
  } catch (error) {
    return `the audit was not written: ${error instanceof Error ? error.message : String(error)}`;
  }
}
