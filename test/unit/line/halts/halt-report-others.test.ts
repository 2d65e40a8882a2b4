import { describe, expect, it } from 'vitest';
import { withOthers, renderHalt } from '../../../../src/line/halts/halt-report.ts';
import { aHalt, aRecord } from '../../../support/records.ts';

const report = renderHalt(aRecord({ status: 'erik_consultation', halt: aHalt() }), aHalt(), '');
const other = (id: string, reason = 'because') => ({
  taskId: id,
  halt: { ...aHalt(), id: `${id}-1`, trip: { breaker: 'paradox' as const, reason, sides: [] } },
  file: `_handoff/tasks/${id}/ERIK_HALT.md`,
});

describe('the page of several halts', () => {
  it('is the first report as it is where there is no other halt', () => {
    expect(withOthers(report, [])).toBe(report);
  });

  it('names every other one and its report, in which the commands of both paths are', () => {
    const page = withOthers(report, [other('B'), other('C')]);
    expect(page.startsWith(report)).toBe(true);
    expect(page).toContain('## 2 more halts');
    for (const id of ['B', 'C'])
      expect(page).toContain(
        `- **${id}**: Reviewer and judge disagree: because\n  \`_handoff/tasks/${id}/ERIK_HALT.md\` has the commands of both paths.`,
      );
  });
});
