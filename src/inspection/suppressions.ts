import type { Inspection, Subject } from '../rule-model/inspection.ts';
import { BASELINE_FILE, WAIVERS_FILE, readBaseline, readWaivers, writeBaseline } from '../rules/load/waiver-file.ts';
import type { BaselineEntry } from '../rule-model/waiver.ts';
import { Baseline } from '../rules/enforce/baseline.ts';
import { needsSignature, type Suppressions } from '../rules/enforce/suppress.ts';
import { withWriteErrors } from '../base/cannot-write.ts';
import { Problem } from '../base/problem.ts';
import { openDir } from '../wiring/files.ts';
import type { ProjectFiles } from '../wiring/project-files.ts';

/** The waivers and the baseline of a project, from the work tree or from what git keeps. */
export function readSuppressions(files: Pick<ProjectFiles, 'text'>): Suppressions {
  const waiversText = files.text(WAIVERS_FILE);
  const waivers = waiversText === undefined ? NOTHING : readWaivers(WAIVERS_FILE, waiversText);
  const baselineText = files.text(BASELINE_FILE);
  const baseline = baselineText === undefined ? NOTHING : readBaseline(BASELINE_FILE, baselineText);
  return { waivers: waivers.entries, baseline: baseline.entries, faults: [...waivers.faults, ...baseline.faults] };
}

const NOTHING = { entries: [], faults: [] } as const;

/** Takes the violations of an inspection into the baseline; what only a signed waiver can suppress is left out. */
export function updateBaseline(
  root: string,
  { findings, faults }: Inspection,
  subject: Subject,
  before: readonly BaselineEntry[],
): { readonly kept: number; readonly left: number } {
  const [fault] = faults;
  if (fault !== undefined)
    throw new Problem('bad-configuration', `the baseline is not written: ${fault.where}: ${fault.what}`, fault.remedy);
  const whole = new Set(subject.files.filter(({ change }) => change === 'whole').map(({ path }) => path));
  const here = findings.filter(
    ({ status, file, suppressed }) =>
      status === 'VIOLATED' && file !== undefined && (suppressed === undefined || suppressed.by === 'baseline'),
  );
  const taken = here.filter((finding) => !needsSignature(finding));
  const baseline = new Baseline(before, subject, findings);
  const entries = [
    ...before.filter(({ path }) => !whole.has(path)),
    ...taken.map((finding) => baseline.newEntry(finding)),
  ];
  withWriteErrors(BASELINE_FILE, () => openDir(root).write(BASELINE_FILE, writeBaseline(entries)));
  return { kept: taken.length, left: here.length - taken.length };
}
