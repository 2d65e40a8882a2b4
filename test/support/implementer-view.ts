import type { TaskRecord } from '../../src/line/record/task-record.ts';
import {
  briefImplementer,
  type ImplementerBrief,
  type ImplementerView,
} from '../../src/line/stations/brief-implementer.ts';
import { BASE } from './records.ts';

/** What an implementer may be shown; nothing, unless a test says otherwise. */
export const aView = (changes: Partial<ImplementerView> = {}): ImplementerView => ({
  head: BASE,
  window: undefined,
  nonce: 'a1b2c3d4e5f60718',
  targets: [],
  inQuestion: [],
  neighbours: [],
  leftOut: [],
  ...changes,
});

/** A brief that is expected to fit. */
export function aBrief(record: TaskRecord, view: ImplementerView): ImplementerBrief {
  const brief = briefImplementer(record, view);
  if (!brief.ok) throw new Error(`the brief does not fit: ${JSON.stringify(brief.why)}`);
  return brief.value;
}
