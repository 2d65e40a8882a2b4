import { describe, expect, it } from 'vitest';
import { isUntouchedPage, withOthers } from '../../../src/line/documents/other-halts.ts';
import { readTicks } from '../../../src/line/documents/ticks.ts';
import { renderHalt } from '../../../src/line/documents/halt-report.ts';
import { aHalt, aRecord } from '../../support/records.ts';

const report = renderHalt(aRecord({ status: 'erik_consultation', halt: aHalt() }), aHalt(), '');
const other = (id: string, reason = 'because') => ({
  taskId: id,
  halt: { ...aHalt(), id: `${id}-1`, trip: { breaker: 'paradox' as const, reason, sides: [] } },
  file: `_handoff/tasks/${id}/ERIK_HALT.md`,
});

describe('the page of several halts', () => {
  it('is the first report as it is where no other halt stands', () => {
    expect(withOthers(report, [])).toBe(report);
  });

  it('names every other one, its report and the command that answers it', () => {
    const page = withOthers(report, [other('B'), other('C')]);
    expect(page.startsWith(report)).toBe(true);
    expect(page).toContain('## 2 more halts stand');
    for (const id of ['B', 'C'])
      expect(page).toContain(
        `- **${id}**, paradox: because\n  Read \`_handoff/tasks/${id}/ERIK_HALT.md\`, then: \`andon resume ${id} --path 1 (or 2) --halt ${id}-1\``,
      );
  });

  it.each(['[x] Take path 1', '- [x] Take path 2', '\n- [x] Take path 1', '[✓] path 1'])(
    'is ticked by nothing that another halt says: %j',
    (reason) => {
      expect(readTicks(withOthers(report, [other('B', reason)]))).toBeUndefined();
    },
  );

  it('is known as untouched, with whatever list, until somebody writes in it', () => {
    const pages = [report, withOthers(report, [other('B')]), withOthers(report, [other('B'), other('C')])];
    for (const page of pages) {
      expect(isUntouchedPage(page, report)).toBe(true);
      expect(isUntouchedPage(`${page}\nmy own note\n`, report)).toBe(false);
      expect(isUntouchedPage(page.replace('- [ ] Take path 1', '- [x] Take path 1'), report)).toBe(false);
    }
  });
});
