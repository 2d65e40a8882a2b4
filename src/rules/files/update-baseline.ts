import { Problem } from '../../base/problem.ts';
import { withWriteErrors } from '../../base/cannot-write.ts';
import type { BaselineEntry, Inspection, Subject } from '../model/inspection.ts';
import { Baseline } from '../enforce/baseline.ts';
import { NO_SUPPRESSIONS, needsSignature } from '../enforce/suppress.ts';
import { BASELINE_FILE, readBaseline, writeBaseline } from '../load/baseline-file.ts';
import { WAIVERS_FILE } from '../load/waiver-file.ts';
import { isThere } from './read-files.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { openWorkTree } from './project-files.ts';

/** Writes the violations of an inspection into the baseline of the work tree, with a sentence for the user. */
export function updateBaseline(
  root: string,
  { findings, faults }: Inspection,
  subject: Subject,
): { readonly baseline: readonly BaselineEntry[]; readonly note: string } {
  const text = openWorkTree(root).text(BASELINE_FILE);
  const before = text === undefined ? NO_SUPPRESSIONS : readBaseline(BASELINE_FILE, text);
  const [fault] = [...before.faults, ...faults];
  if (fault !== undefined)
    throw new Problem('bad-configuration', `the baseline is not written: ${fault.where}: ${fault.what}`, fault.remedy);
  const here = findings.filter(
    ({ status, file, suppressed }) =>
      status === 'VIOLATED' && file !== undefined && (suppressed === undefined || suppressed.by === 'baseline'),
  );
  const taken = here.filter((finding) => !needsSignature(finding));
  const known = new Baseline(before.baseline, subject, findings);
  const baseline = [
    ...before.baseline.filter((entry) => !known.wasChecked(entry) && isThere(root, entry.path)),
    ...taken.map((finding) => known.newEntry(finding)),
  ];
  const written = writeBaseline(baseline);
  const [excess] = readBaseline(BASELINE_FILE, written).faults;
  if (excess !== undefined)
    throw new Problem(
      'bad-configuration',
      `the baseline is not written: ${excess.what}`,
      `waive the rules with most findings in ${WAIVERS_FILE}, with a path`,
    );
  withWriteErrors(BASELINE_FILE, () => openDir(root).write(BASELINE_FILE, written));
  const left = here.length - taken.length;
  const signed = `; ${left} of hard constraints or P0 rules ${left === 1 ? 'is' : 'are'} left out: those take a signed waiver`;
  const kept = `the baseline holds ${taken.length} finding${taken.length === 1 ? '' : 's'} of the checked files`;
  return { baseline, note: left === 0 ? kept : `${kept}${signed}` };
}
