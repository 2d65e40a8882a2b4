import { expect, test } from 'vitest';
import { formatReadReport } from '../../../../src/line/halts/resume-command.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';

const haltOf = (reach: 'task' | 'line'): TaskRecord['halt'] => ({ reach }) as TaskRecord['halt'];

test('the report of one task has no path to name until it lies in the folder of its task', () => {
  const record = { taskId: 'Q-1', halt: haltOf('task'), parked: undefined };
  expect(formatReadReport(record)).toBe('Read its report, which `andon status` names');
  expect(formatReadReport({ ...record, parked: {} as TaskRecord['parked'] })).toBe(
    'Read _handoff/tasks/Q-1/ERIK_HALT.md',
  );
  expect(formatReadReport({ ...record, halt: haltOf('line') })).toBe('Read _handoff/ERIK_HALT.md');
});
